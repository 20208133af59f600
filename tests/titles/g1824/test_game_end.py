"""The end of a game of 1824: the bank is broken, the last rounds, the count (IX)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.events import Event
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend
from tests.positions.rounds import causes_of_end, ends_of_game, rounds
from tests.titles.g1824.state_positions import before_formation, owners_of
from tests.titles.g1824.table import ADA, BEN, CLEO, DORA, Table, clear_table, owned_table


def operating(bank: int, number: int = 1, count: int = 2, **rulings: str) -> Table:
    """In phase 3 BH, directed by Ada with 60 %, has run for 200 G at a price of 100; the bank has so much."""
    table = clear_table(3, **rulings)
    table.phase_is("3")
    table.price_is("BH", 100)
    table.holds(ADA, "BH", 6, director=True)
    table.holds(BEN, "BH", 3)
    table.company_runs("BH")
    table.home_tokens_stand("BH")
    table.owns_trains("BH", "3")
    table.bank_has(bank)
    table.operating_round_is("BH", step="declare_dividend", number=number, count=count)
    table.has_run("BH", 200)
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
    assert causes_of_end(events) == [("bank", 2, 1)]
    assert not table.game.finished
    events += tuple(play_out(table))
    assert rounds(events) == [("operating", 2, 2, 2)]
    assert ends_of_game(events[-1:]) == ["bank"]
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
    assert causes_of_end(events) == []
    assert table.game.money(BANK) == 1
    assert rounds(events) == [("stock", 3, 1, 1)]


@pytest.mark.parametrize(("ruling", "broken"), [("empty", True), ("owing", False)])
def test_ruling_a_bank_with_nothing_left_is_broken_or_only_one_that_owes(ruling: str, broken: bool) -> None:
    """By the rulebook the last G paid out ends the game; under `owing` only a payment the bank cannot make."""
    table = operating(bank=180, number=2, bank_broken=ruling)
    events = table.act(ADA, DeclareDividend("BH", "pay"))
    assert table.game.money(BANK) == 0
    assert bool(causes_of_end(events)) == broken


def test_ruling_a_bank_that_owes_a_single_coin_is_broken() -> None:
    """Under `owing` a dividend of 180 G out of 179 G ends the game."""
    table = operating(bank=179, number=2, bank_broken="owing")
    events = table.act(ADA, DeclareDividend("BH", "pay"))
    assert table.game.money(BANK) == -1
    assert causes_of_end(events) == [("bank", 2, 2)]


@pytest.mark.clause("1824/IX.1-a")
@pytest.mark.parametrize(
    ("bank", "ruling", "broken"),
    [(80, "empty", True), (81, "empty", False), (79, "owing", True), (80, "owing", False)],
)
def test_a_bank_empty_for_a_moment_ends_the_game_too(bank: int, ruling: str, broken: bool) -> None:
    """It lends Ben the 80 G for a train, all it has, and the train brings them back at once."""
    table = owned_table({"SD2": BEN}, bank_broken=ruling)
    table.operating_round_is("SD2")
    table.has_cash("SD2", 0)
    table.has_cash(BEN, 0)
    table.bank_has(bank)
    events = table.act(BEN, BuyTrain("SD2", "2-0", 80))
    assert table.game.money(BANK) == bank
    assert bool(causes_of_end(events)) == broken


@pytest.mark.clause("1824/IX.1-b")
def test_what_the_broken_bank_owes_counts_as_cash() -> None:
    """Of 180 G the bank has 100: all is paid, the bank stands at -80, and the players' final wealth holds it all."""
    table = operating(bank=100, number=2)
    table.has_cash(ADA, 300)
    table.bank_has(100)
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
    table.bank_has(50)
    table.stock_round_is(ADA, turn=table.game.current_round.turn)
    events = table.act(ADA, SellCertificates("BH", 1))
    assert causes_of_end(events) == [("bank", 3, 0)]
    assert table.game.current_round.kind == "stock"
    table.pass_on()
    table.act(BEN, BuyCertificate("SD"))
    assert table.game.money(BANK) > 0
    assert rounds(play_out(table)) == [("operating", 3, 1, 2), ("operating", 3, 2, 2)]


def worth(table: Table) -> dict[str, int]:
    """The final count by player, wealthiest first, when a broken bank ends the game with the round at hand."""
    table.bank_has(0)
    table.operating_round_is("BH", step="buy_trains", turn=2)
    play_out(table)
    return {score.player: score.value for score in table.game.scores}


def counted(**rulings: str) -> Table:
    """Ada has 500 G, 40 % of BH at 135 with its office and 20 % of SD at 120; Ben 100 G and 20 % of BH."""
    table = owned_table({"SD1": BEN, "B1": BEN}, 3, **rulings)
    table.has_cash(ADA, 500)
    table.has_cash(BEN, 100)
    table.price_is("BH", 100)
    table.marker_stands("BH", 2, 5)
    table.holds(ADA, "BH", 4, director=True)
    table.holds(BEN, "BH", 2)
    table.holds(ADA, "SD", 2)
    table.company_runs("BH")
    table.owns_trains("BH", "2")
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
    rich.has_cash("BH", 900)
    rich.owns_trains("BH", "2", "1g")
    first, second = worth(plain), worth(rich)
    assert (first[ADA], first[BEN]) == (second[ADA], second[BEN])


@pytest.mark.clause("1824/IX.2-c")
def test_the_wealthiest_player_comes_first() -> None:
    """Scores are listed from the wealthiest down, not by seats."""
    table = counted()
    table.has_cash(BEN, 3000)
    result = worth(table)
    assert list(result) == [CLEO, BEN, ADA]
    assert result[CLEO] > result[BEN] > result[ADA]


@pytest.mark.parametrize(("ruling", "value"), [("subtracted", 1280 - 225), ("ignored", 1280)])
def test_ruling_debt_is_taken_off_the_final_wealth_or_not(ruling: str, value: int) -> None:
    """A debt of 225 G makes Ada that much poorer, or under `ignored` no poorer."""
    table = counted(debt_at_game_end=ruling)
    table.borrows(ADA, 225, "1824.loan")
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
    table.phase_is("4")
    table.owns_trains("BH", "4")
    table.question_is("1824.exchange_company", BEN, "B1")
    table.is_closed("B1")
    table.question_is_answered("1824.exchange_company", "B1")
    assert worth(table)[BEN] == value
    assert companies_of(table.game)["SD"].opened == formed


def formed_from_an_almost_empty_bank(number: int, **rulings: str) -> Table:
    """KK has formed after this round of a set of two, and the bank had 500 for its capital."""
    table = before_formation("KK", owners_of("KK"), **rulings)
    table.operating_round_is("BH", number=number, count=2)
    table.act(DORA, BuyTrain("BH", "6-0", 600))
    table.bank_has(500)
    while table.game.current_round.number == number and not table.game.finished:
        if table.game.current_round.kind != "operating":
            break
        table.pass_on()
    return table


@pytest.mark.clause("1824/IX.1-a")
def test_a_bank_broken_by_a_formation_after_the_set() -> None:
    """That set was the last one; by ruling another stock round and its set follow."""
    table = formed_from_an_almost_empty_bank(2)
    assert table.game.money(BANK) < 0 and table.game.finished
    table = formed_from_an_almost_empty_bank(2, bank_broken_between_rounds="next_set")
    assert (table.game.ending, table.game.ending_round) == ("bank", (3, 0))
    assert not table.game.finished and table.game.current_round.kind == "stock"


@pytest.mark.clause("1824/IX.1-a")
@pytest.mark.parametrize("ruling", ["this_set", "next_set"])
def test_a_bank_broken_by_a_formation_within_the_set(ruling: str) -> None:
    """The set is the last one in any case."""
    table = formed_from_an_almost_empty_bank(1, bank_broken_between_rounds=ruling)
    assert (table.game.ending, table.game.ending_round) == ("bank", (2, 1))
    assert not table.game.finished and table.game.current_round.number == 2
