"""The course of a game of 1862 and its three endings (3.0, 9.0, section 10)."""

import pytest

from services.rules.kernel.events import Event
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import DeclareDividend
from services.rules.parts.trains.state import Run
from services.rules.titles.g1862.commands import BuyNewTrain
from services.rules.titles.g1862.endings import MONOPOLY
from services.rules.titles.g1862.operating.rounds import STEPS_AFTER_MONOPOLY
from services.rules.titles.g1862.scoring import player_value
from services.rules.titles.g1862.state import own
from services.rules.titles.g1862.stock.offer import openable
from tests.positions.rounds import begun_steps, causes_of_end, rounds
from tests.positions.trains import earnings
from tests.titles.g1862.reading import monopolies
from tests.titles.g1862.table import ADA, BEN, CLEO, Table, new_table

OFFER = ("ESR", "ECR", "EUR", "L&H", "WNR", "Y&N", "N&B", "SVR")


def at_end_of_set(table: Table, number: int = 1, count: int = 1) -> tuple[Event, ...]:
    """An operating round whose companies have all had their turn comes to its end."""
    table.round_is("operating", turn=3, number=number, count=count)
    return table.carry_on()


def directed(price: int = 100, /, **rulings: str) -> Table:
    """ESR is quoted with Ada as director."""
    table = new_table(3, offer=OFFER, by=rulings)
    table.is_founded("ESR", price, ADA)
    return table


def after_lner(**rulings: str) -> Table:
    """The first H train was sold, and the LNER has just formed: a stock round."""
    table = directed(**rulings)
    table.phase_is("H")
    table.priority_is(ADA)
    at_end_of_set(table)
    assert own(table.game).monopoly == MONOPOLY
    return table


@pytest.mark.clause("1862/3.0-b")
@pytest.mark.parametrize(
    ("phase", "count"), [("A", 1), ("B", 2), ("C", 2), ("D", 3), ("E", 3), ("F", 3), ("G", 3)]
)
def test_operating_rounds_of_a_set(phase: str, count: int) -> None:
    """One in phase A, two in B and C, three from D on."""
    table = new_table(3, offer=OFFER)
    if phase != "A":
        table.phase_is(phase)
    table.stock_round_is(ADA)
    table.is_founded("ESR", 100, ADA)
    events = table.pass_round()
    assert rounds(events)[0] == ("operating", 2, 1, count)


@pytest.mark.clause("1862/3.0-c")
@pytest.mark.clause("1862/10.1-a")
def test_the_top_price_ends_the_game_with_the_operating_round() -> None:
    """At 1000 the round at hand is the last, also in the middle of a set, and the LNER does not form."""
    table = directed(1000)
    table.phase_is("H")
    events = at_end_of_set(table, 1, 3)
    assert ("1862.stock_market", 3, 1) in causes_of_end(events)
    assert monopolies(events) == []
    assert table.game.finished
    assert table.game.ending == "1862.stock_market"


@pytest.mark.clause("1862/10.1-a")
@pytest.mark.parametrize(("ruling", "ends"), [("ends_the_game", True), ("goes_on", False)])
def test_a_marker_that_a_merger_left_on_the_top_price(ruling: str, ends: bool) -> None:
    """By one ruling the game goes on as long as no move on the market leads there."""
    table = directed(1000, top_price_in_a_merger=ruling)
    table.phase_is("B")
    assert (causes_of_end(at_end_of_set(table, 1, 3)) != []) == ends
    quiet = directed(1000, top_price_in_a_merger=ruling)
    quiet.stock_round_is(ADA)
    quiet.pass_on()
    assert (quiet.game.ending != "") == ends


@pytest.mark.clause("1862/10.2-a")
def test_an_empty_bank_ends_the_game_with_the_set() -> None:
    """The rest of the set is played, payments go on; then the game is over without the LNER."""
    table = directed()
    table.phase_is("H")
    table.bank_has(0)
    events = at_end_of_set(table, 1, 2)
    assert ("bank", 3, 1) in causes_of_end(events)
    assert rounds(events) == [("operating", 3, 2, 2)]
    assert not table.game.finished
    events = at_end_of_set(table, 2, 2)
    assert monopolies(events) == []
    assert table.game.finished
    assert table.game.ending == "bank"


@pytest.mark.clause("1862/10.2-a")
def test_when_the_bank_is_broken_by_ruling() -> None:
    """With nothing left, or only when it owes."""
    for ruling, bank, broken in (("empty", 0, True), ("negative", 0, False), ("negative", -1, True)):
        table = directed(bank_broken=ruling)
        table.bank_has(bank)
        at_end_of_set(table)
        assert table.game.finished is broken


@pytest.mark.clause("1862/10.2-a")
@pytest.mark.parametrize(
    ("bank", "ruling", "broken"),
    [(100, "empty", True), (101, "empty", False), (99, "negative", True), (100, "negative", False)],
)
def test_a_bank_empty_for_a_moment_ends_the_game_too(bank: int, ruling: str, broken: bool) -> None:
    """It pays 100 for a share, all it has, and gets them back at once as part of a fine."""
    table = directed(bank_broken=ruling)
    table.owns_trains("ESR", "A")
    table.stock_round_is(ADA)
    table.has_cash(ADA, 0)
    table.bank_has(bank)
    table.borrows(ADA, 150, "1862.fine")
    table.question_is("1862.pay_fine", ADA, "ECR")
    events = table.act(ADA, SellCertificates("ESR", 1))
    assert table.game.money(BANK) == bank
    assert (("bank", 2, 0) in causes_of_end(events)) is broken


@pytest.mark.clause("1862/10.1-a", "1862/10.2-a")
@pytest.mark.parametrize("ending", ["1862.stock_market", "bank"])
def test_what_ends_the_game_is_recorded_once(ending: str) -> None:
    """A price of 1000, or a bank without money, is noticed with the next command and not again with every other."""
    table = directed(1000 if ending == "1862.stock_market" else 100)
    table.stock_round_is(ADA)
    if ending == "bank":
        table.bank_has(0)
    table.pass_on(2)
    assert causes_of_end(table.log) == [(ending, 2, 0)]


@pytest.mark.clause("1862/10.2-b")
def test_a_bank_empty_in_a_stock_round_leaves_one_set() -> None:
    """The stock round and the set after it are played to their ends."""
    table = directed()
    table.stock_round_is(ADA)
    table.has_cash(ADA, 0)
    table.bank_has(50)
    table.train_is_owned("A-0", "ESR", source=BANK)
    table.runs_as("A-0", "express")
    table.act(ADA, SellCertificates("ESR", 1))
    assert table.game.ending == "bank"
    table.pass_round()
    assert not table.game.finished
    assert table.game.current_round.kind == "operating"
    at_end_of_set(table)
    assert table.game.finished


@pytest.mark.clause("1862/9.0-v")
@pytest.mark.clause("1862/10.3-a")
def test_the_lner_forms_after_the_set_with_the_first_h_train() -> None:
    """The set goes on; only after its last round does the LNER form."""
    table = directed()
    table.phase_is("H")
    events = at_end_of_set(table, 1, 2)
    assert ("1862.lner", 3, 1) in causes_of_end(events)
    assert monopolies(events) == []
    events = at_end_of_set(table, 2, 2)
    assert len(monopolies(events)) == 1


@pytest.mark.clause("1862/10.3-b")
@pytest.mark.clause("1862/10.3-c")
def test_after_the_lner_one_stock_round_and_the_last_rounds() -> None:
    """No parliament: a stock round, three operating rounds, and the game is over."""
    table = directed()
    table.phase_is("H")
    assert rounds(at_end_of_set(table)) == [("stock", 4, 1, 1)]
    table.owns_trains("ESR", "H")
    events = table.pass_round()
    assert rounds(events)[0] == ("operating", 4, 1, 3)
    while not table.game.finished:
        assert table.game.current_round.kind == "operating"
        table.pass_on()
    assert table.game.ending == "1862.lner"


@pytest.mark.clause("1862/10.3-d")
@pytest.mark.clause("1862/10.3-f")
def test_after_the_lner_nothing_is_built_or_merged() -> None:
    """A turn is running, dividing, buying trains and redeeming."""
    names = [each.step.name for each in STEPS_AFTER_MONOPOLY]
    assert names == ["run_trains", "declare_dividend", "buy_trains", "redeem_share"]
    table = after_lner()
    table.has_cash("ESR", 2000)
    table.pass_round()
    assert table.game.current_round.kind == "operating"
    assert set(begun_steps(table.log)[-2:]) <= set(names)
    assert table.game.current_round.step in names


@pytest.mark.clause("1862/10.3-e")
def test_after_the_lner_no_company_opens() -> None:
    """Unopened companies leave the game with their certificates."""
    table = after_lner()
    assert companies_of(table.game)["ECR"].closed
    assert all(not numbers for (_, symbol), numbers in table.game.holdings.items() if symbol == "ECR")
    assert not companies_of(table.game)["ESR"].closed
    assert table.refusal(ADA, StartCompany("ECR", 54))[0] == "company_closed"
    assert table.offered(ADA, StartCompany) == []


def test_a_company_reset_after_the_lner_is_not_opened_again() -> None:
    """Also a company that goes bankrupt later stays closed to openers."""
    table = after_lner()
    table.is_reset("ESR")
    assert table.refusal(ADA, StartCompany("ESR", 54)) == ("1862.after_monopoly", "1862/10.3-e")
    assert openable(table.game, table.data) == []


@pytest.mark.clause("1862/10.3-g")
def test_the_initial_offer_goes_to_the_pool_and_costs_the_market_price() -> None:
    """Five shares of ESR move to the pool; ECR keeps those in its treasury."""
    table = directed(122)
    table.is_founded("ECR", 74, BEN, chartered=False)
    table.phase_is("H")
    at_end_of_set(table)
    assert table.shares(BANK, "ESR") == 0
    assert table.shares(POOL, "ESR") == 5
    assert table.shares("ECR", "ECR") == 5
    buyer = table.asked()
    before = table.game.money(buyer)
    assert table.refusal(buyer, BuyCertificate("ESR"))[0] == "certificate_not_available"
    table.act(buyer, BuyCertificate("ESR", POOL))
    assert table.game.money(buyer) == before - 122


@pytest.mark.clause("1862/6.5.2-e")
def test_the_limit_becomes_the_most_shares_of_a_player() -> None:
    """Ada has 9 and 8 shares in 7 and 6 certificates: the limit is 17, whatever it was."""
    table = new_table(3, offer=OFFER)
    table.is_founded("ESR", 100, ADA, shares=9)
    table.is_founded("ECR", 100, ADA, shares=8)
    table.is_founded("EUR", 100, BEN, shares=5)
    table.phase_is("H")
    events = at_end_of_set(table)
    assert monopolies(events) == [(MONOPOLY, 17)]
    assert table.certificates(ADA) == 13
    assert own(table.game).certificate_limit == 17


@pytest.mark.clause("1862/10.3-i")
def test_after_the_lner_an_empty_bank_does_not_matter_but_the_top_price_does() -> None:
    """A bank without money triggers nothing any more, a price of 1000 ends the game with the round."""
    table = after_lner()
    table.bank_has(0)
    assert causes_of_end(table.pass_round()) == []
    top = after_lner()
    top.pass_round()
    top.price_is("ESR", 1000)
    events = at_end_of_set(top, 1, 3)
    assert top.game.finished
    assert top.game.ending == "1862.stock_market"
    assert rounds(events) == []


RUN = Run("E-0", ("F11.0", "E12.0"), (), ("F11", "E12"), 190, 0)


@pytest.mark.clause("1862/10.3-j")
def test_each_company_is_valued_once_and_that_counts_three_times() -> None:
    """What ESR earned in the first of the last rounds it earns in the second and third again, without being asked."""
    table = after_lner()
    table.owns_trains("ESR", "E")
    table.operating_round_is("ESR", step="run_trains", number=1, count=3)
    table.has_run("ESR", RUN.revenue, 0, RUN)
    for number in (2, 3):
        table.round_is("operating", "ESR", turn=4, number=number, count=3)
        events = table.carry_on()
        assert [each.runs for each in earnings(events)] == [(RUN,)]
        assert table.game.current_round.step == "declare_dividend"
        price = table.price_of("ESR")
        table.act(ADA, DeclareDividend("ESR", "pay"))
        assert table.price_of("ESR") > price


@pytest.mark.clause("1862/10.3-j")
def test_who_ran_nothing_in_the_first_last_round_earns_nothing_later() -> None:
    """There is track from Ipswich to Colchester, but no train: an older run does not count, whatever is bought afterwards."""
    table = after_lner()
    table.round_is("operating", "ESR", turn=3)
    table.has_run("ESR", RUN.revenue, 0, RUN)
    table.home_tokens_stand("ESR")
    for hex_id in ("F11", "E12"):
        table.tile_lies(hex_id, "790", 1)
    for number in (1, 2):
        table.round_is("operating", "ESR", turn=4, number=number, count=3)
        assert set(earnings(table.carry_on())) == {("ESR", (), 0, 0)}
        table.owns_trains("ESR", "E")


def test_under_the_other_ruling_the_last_rounds_are_ordinary() -> None:
    """No run is repeated automatically."""
    table = after_lner(final_rounds="ordinary")
    table.operating_round_is("ESR", step="run_trains", number=1, count=3)
    table.has_run("ESR", RUN.revenue, 0, RUN)
    table.round_is("operating", "ESR", turn=4, number=2, count=3)
    assert earnings(table.carry_on()) == []


@pytest.mark.clause("1862/10.4-a")
def test_the_winner_has_most_cash_and_shares() -> None:
    """Five shares at 100 and 300 in cash make 800; what the company has does not count. Trainless shares by ruling."""
    for ruling, value in (("full_price", 800), ("half_price", 550)):
        table = directed(100, trainless_shares_at_game_end=ruling)
        table.has_cash(ADA, 300)
        table.has_cash("ESR", 1000)
        assert player_value(table.game, table.data, ADA) == value
        table.owns_trains("ESR", "A")
        assert player_value(table.game, table.data, ADA) == 800
    table = directed(1000)
    at_end_of_set(table)
    scores = table.game.scores
    assert scores[0].player == ADA
    assert [score.value for score in scores] == sorted((score.value for score in scores), reverse=True)


def test_half_values_are_rounded_down_by_certificate() -> None:
    """At 71 without a train the director's certificate counts 106, a plain one 35."""
    table = new_table(3, offer=OFFER, trainless_shares_at_game_end="half_price")
    table.is_founded("ESR", 71, CLEO, shares=5)
    table.has_cash(CLEO, 0)
    assert player_value(table.game, table.data, CLEO) == 106 + 35 + 35


@pytest.mark.clause("1862/9.0-s")
def test_h_trains_never_run_out() -> None:
    """There is always another H train."""
    table = after_lner()
    table.owns_trains("", *["H"] * 20)
    table.operating_round_is("ESR", step="buy_trains", number=3, count=3)
    table.has_cash("ESR", 900)
    trains = [each.train for each in table.offered(ADA, BuyNewTrain) if isinstance(each, BuyNewTrain)]
    assert "H-21" in trains


def test_a_game_in_which_nothing_ever_happens_ends() -> None:
    """When nobody can do anything for a whole game turn, the game is over."""
    table = new_table(2)
    for player in table.game.players:
        table.has_cash(player, 10)
    table.carry_on()
    assert table.game.finished
    assert table.game.ending == "stalemate"
