"""The end of a game of 1824: the bank is broken, the last rounds, the count (IX)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.events import (
    DebtChanged,
    Event,
    GameEnded,
    GameEndTriggered,
    InterruptRaised,
    InterruptSettled,
)
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates
from services.rules.parts.shares.events import CompanyClosed
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import DeclareDividend
from services.rules.parts.trains.events import TrainsRan
from tests.titles.g1824.positions import ADA, BEN, CLEO, Table, clear_table, owned_table
from tests.titles.g1824.reading_events import only, rounds


def operating(bank: int, number: int = 1, count: int = 2, **rulings: str) -> Table:
    """In phase 3 BH, directed by Ada with 60 %, has run for 200 G at a price of 100; the bank has so much."""
    table = clear_table(3, **rulings)
    table.phase("3")
    table.price("BH", 100)
    table.hold(ADA, "BH", 6, director=True)
    table.hold(BEN, "BH", 3)
    table.open("BH")
    table.home("BH")
    table.train("BH", "3")
    table.bank(bank)
    table.operating_round("BH", step="declare_dividend", number=number, count=count)
    table.write(TrainsRan("BH", (), 200, 0))
    return table


def play_out(table: Table) -> list[Event]:
    """The acting player passes until the game is over."""
    events: list[Event] = []
    while not table.game.finished:
        events += table.pass_on()
    return events


@pytest.mark.clause("1824/IX.1-a")
def test_a_bank_broken_in_an_operating_round_ends_the_game_with_its_set() -> None:
    """Broken in the first of two operating rounds: the second is played, then the game is over without a stock round."""
    table = operating(bank=100)
    events = table.act(ADA, DeclareDividend("BH", "pay"))
    assert only(events, GameEndTriggered) == [GameEndTriggered("bank", 2, 1)]
    assert not table.game.finished
    events += tuple(play_out(table))
    assert rounds(events) == [("operating", 2, 2, 2)]
    assert isinstance(events[-1], GameEnded)
    assert table.refusal(ADA, Pass())[0] == "game_finished"


@pytest.mark.clause("1824/IX.1-a")
def test_a_bank_broken_in_the_last_round_of_a_set_ends_the_game_with_it() -> None:
    """No further round follows."""
    table = operating(bank=100, number=2)
    events = [*table.act(ADA, DeclareDividend("BH", "pay")), *play_out(table)]
    assert rounds(events) == []


@pytest.mark.clause("1824/IX.1-a")
def test_a_bank_with_money_left_plays_on() -> None:
    """A single G left after the dividend of 180 G, and a stock round follows the set."""
    table = operating(bank=181, number=2)
    events = [*table.act(ADA, DeclareDividend("BH", "pay")), *table.pass_on()]
    assert only(events, GameEndTriggered) == []
    assert table.game.money(BANK) == 1
    assert rounds(events) == [("stock", 3, 1, 1)]


@pytest.mark.parametrize(("ruling", "broken"), [("empty", True), ("owing", False)])
def test_ruling_a_bank_with_nothing_left_is_broken_or_only_one_that_owes(ruling: str, broken: bool) -> None:
    """By the rulebook the last G paid out ends the game; under `owing` only a payment the bank cannot make."""
    table = operating(bank=180, number=2, bank_broken=ruling)
    events = table.act(ADA, DeclareDividend("BH", "pay"))
    assert table.game.money(BANK) == 0
    assert bool(only(events, GameEndTriggered)) == broken


def test_ruling_a_bank_that_owes_a_single_coin_is_broken() -> None:
    """Under `owing` a dividend of 180 G out of 179 G ends the game."""
    table = operating(bank=179, number=2, bank_broken="owing")
    events = table.act(ADA, DeclareDividend("BH", "pay"))
    assert table.game.money(BANK) == -1
    assert only(events, GameEndTriggered) == [GameEndTriggered("bank", 2, 2)]


@pytest.mark.clause("1824/IX.1-b")
def test_what_the_broken_bank_owes_counts_as_cash() -> None:
    """Of 180 G the bank has 100: all is paid, the bank stands at -80, and the players' final wealth holds it all."""
    table = operating(bank=100, number=2)
    table.cash(ADA, 300)
    table.bank(100)
    ben = table.game.money(BEN)
    table.act(ADA, DeclareDividend("BH", "pay"))
    assert (table.game.money(ADA), table.game.money(BEN)) == (300 + 120, ben + 60)
    assert table.game.money(BANK) == -80
    play_out(table)
    worth = {score.player: score.value for score in table.game.scores}
    assert (worth[ADA], worth[BEN]) == (420 + 6 * 110, ben + 60 + 3 * 110)


@pytest.mark.clause("1824/IX.1-c")
def test_a_bank_broken_in_a_stock_round_ends_the_game_after_one_more_set() -> None:
    """The stock round goes on, then a full set of two operating rounds is played, then the game is over."""
    table = operating(bank=1000, number=2)
    table.act(ADA, DeclareDividend("BH", "withhold"))
    table.pass_on()
    assert table.game.current_round.kind == "stock"
    table.bank(50)
    table.stock_round(ADA, turn=table.game.current_round.turn)
    events = table.act(ADA, SellCertificates("BH", 1))
    assert only(events, GameEndTriggered) == [GameEndTriggered("bank", 3, 0)]
    assert table.game.current_round.kind == "stock"
    table.pass_on()
    table.act(BEN, BuyCertificate("SD"))
    assert table.game.money(BANK) > 0
    assert rounds(play_out(table)) == [("operating", 3, 1, 2), ("operating", 3, 2, 2)]


def worth(table: Table) -> dict[str, int]:
    """The final count by player, wealthiest first, when a broken bank ends the game with the round at hand."""
    table.bank(0)
    table.operating_round("BH", step="buy_trains", turn=2)
    play_out(table)
    return {score.player: score.value for score in table.game.scores}


def counted(**rulings: str) -> Table:
    """Ada has 500 G, 40 % of BH at 135 with its office and 20 % of SD at 120; Ben 100 G and 20 % of BH."""
    table = owned_table({"SD1": BEN, "B1": BEN}, 3, **rulings)
    table.cash(ADA, 500)
    table.cash(BEN, 100)
    table.price("BH", 100)
    table.move_price("BH", 2, 5)
    table.hold(ADA, "BH", 4, director=True)
    table.hold(BEN, "BH", 2)
    table.hold(ADA, "SD", 2)
    table.open("BH")
    table.train("BH", "2")
    return table


@pytest.mark.clause("1824/IX.2-a")
def test_final_wealth_is_cash_and_shares_at_market_price() -> None:
    """Ada: 500 + 4 x 135 + 2 x 120 = 1,280; Ben: 100 + 2 x 135 = 370; the director's certificate is two shares."""
    final = worth(counted())
    assert (final[ADA], final[BEN]) == (1280, 370)


@pytest.mark.clause("1824/IX.2-b")
def test_trains_and_treasuries_of_companies_count_nothing() -> None:
    """A treasury of 900 G and another train leave every score as it is."""
    plain, rich = counted(), counted()
    rich.cash("BH", 900)
    rich.train("BH", "2", "1g")
    first, second = worth(plain), worth(rich)
    assert (first[ADA], first[BEN]) == (second[ADA], second[BEN])


@pytest.mark.clause("1824/IX.2-c")
def test_the_wealthiest_player_comes_first() -> None:
    """Scores are listed from the wealthiest down, not by seats."""
    table = counted()
    table.cash(BEN, 3000)
    result = worth(table)
    assert list(result) == [CLEO, BEN, ADA]
    assert result[CLEO] > result[BEN] > result[ADA]


@pytest.mark.parametrize(("ruling", "value"), [("subtracted", 1280 - 225), ("ignored", 1280)])
def test_ruling_debt_is_taken_off_the_final_wealth_or_not(ruling: str, value: int) -> None:
    """A debt of 225 G makes Ada that much poorer, or under `ignored` no poorer."""
    table = counted(debt_at_game_end=ruling)
    table.write(DebtChanged(ADA, 225, "1824.loan"))
    assert worth(table)[ADA] == value


@pytest.mark.parametrize(("ruling", "value"), [("nothing", 370), ("price_paid", 370 + 240 + 120)])
def test_ruling_private_companies_count_nothing_or_what_was_paid(ruling: str, value: int) -> None:
    """Ben still has SD1 (240 G) and B1 (120 G) at the end."""
    assert worth(counted(private_companies_at_game_end=ruling))[BEN] == value


@pytest.mark.parametrize(
    ("ruling", "formed", "value"), [("form", True, 370 + 240), ("do_not_form", False, 370)]
)
def test_ruling_a_state_still_forms_before_the_count_or_not(ruling: str, formed: bool, value: int) -> None:
    """The first 4-train came out in the last round: Ben's SD1 becomes 20 % of SD at 120 G, or stays what it is."""
    table = counted(states_at_game_end=ruling)
    table.phase("4")
    table.train("BH", "4")
    table.write(InterruptRaised("1824.exchange_company", BEN, "B1"), CompanyClosed("B1"))
    table.write(InterruptSettled("1824.exchange_company", "B1"))
    assert worth(table)[BEN] == value
    assert companies_of(table.game)["SD"].opened == formed
