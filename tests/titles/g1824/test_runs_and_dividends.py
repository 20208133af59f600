"""Running trains, the best run, and what becomes of the revenue in 1824 (VII.2, VII.3, VII.9, VII.10)."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.decide import decide
from services.rules.kernel.events import Event
from services.rules.kernel.rejections import Rejection
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.trains.bestruns import question_for
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend, RunTrains, TrainRun
from services.rules.parts.trains.events import DividendDeclared, TrainsRan
from services.rules.parts.trains.state import train_turn, trains_of
from services.rules.titles.g1824.title import TITLE
from tests.titles.g1824.positions import ADA, BEN, CLEO, Table, clear_table, of_type, owned_table
from tests.titles.g1824.positions_operating import (
    ONE_LONG_WAY,
    PILSEN,
    TWO_WAYS_FROM_THE_MINE,
    best_revenue,
    lay,
    major,
    pilsen_table,
    run,
)
from tests.titles.g1824.reading_events import moved_cash

TO_DRESDEN = run("2-0", "B5 A4")
FROM_THE_MINE = run("1g-0", "C6 B5")


def runs(company: str, *given: TrainRun) -> RunTrains:
    """The command to run these."""
    return RunTrains(company, given)


def coal_table(company: str, *trains: str, phase: str = "3") -> Table:
    """A coal company of the first player with these trains and no money, about to run in this phase."""
    table = owned_table({company: ADA})
    if not table.tokens(company):
        table.home(company)
    table.phase(phase)
    table.train(company, *trains)
    table.cash(company, 0)
    table.operating_round(company, step="run_trains")
    return table


@pytest.mark.clause("1824/VII.10-c", "1824/VII.9-a")
def test_two_goods_trains_of_a_coal_company_in_the_green_phase() -> None:
    """Runs of 60 and 40 are split in half each and add 10 each: 50 to the owner, 70 to the treasury, as printed."""
    table = coal_table("EOD", "1g", "1g")
    lay(table, TWO_WAYS_FROM_THE_MINE)
    before = table.game.money(ADA)
    west = run("1g-0", "A12 A10", "A10 A8", "A8 B9", "B9 C10")
    east = run("1g-1", "A12 B13", "B13 B15")
    events = table.act(ADA, runs("EOD", west, east))
    ran = of_type(events, TrainsRan)[0]
    assert isinstance(ran, TrainsRan)
    assert [(each.revenue, each.treasury_income) for each in ran.runs] == [(60, 10), (40, 10)]
    assert (ran.revenue, ran.treasury_income) == (100, 20)
    assert table.game.money(ADA) - before == 50
    assert table.game.money("EOD") == 70


@pytest.mark.clause("1824/VII.9-a")
def test_a_train_runs_once() -> None:
    """The same train cannot make both runs, nor can a train the company has not."""
    table = coal_table("EOD", "1g", "1g")
    lay(table, TWO_WAYS_FROM_THE_MINE)
    west, east = run("1g-0", "A12 A10", "A10 A8", "A8 B9"), run("1g-0", "A12 B13", "B13 B15")
    assert table.refusal(ADA, runs("EOD", west, east)) == ("route_runs_twice", "1824/VII.9-a")
    stranger = run("1g-2", "A12 B13", "B13 B15")
    assert table.refusal(ADA, runs("EOD", stranger)) == ("train_not_owned", "1824/VII.9-a")


@pytest.mark.clause("1824/VII.10-b")
def test_mine_income_goes_to_the_treasury_whole() -> None:
    """A 2g-train of a coal company earns 80 in the green phase: 40 and 40, plus 10 for the treasury, as printed."""
    table = coal_table("EPP", "2g")
    lay(table, ONE_LONG_WAY)
    before = table.game.money(ADA)
    given = run("2g-0", "C6 B7 B9", "B9 A10", "A10 B11 C10", "C10 C12")
    events = table.act(ADA, runs("EPP", given))
    assert moved_cash(events, "1824.mine_income", "dividend", "revenue_withheld") == [
        (BANK, "EPP", 10),
        (BANK, ADA, 40),
        (BANK, "EPP", 40),
    ]
    assert (table.game.money(ADA) - before, table.game.money("EPP")) == (40, 50)


@pytest.mark.clause("1824/VII.10-b")
def test_mine_income_of_a_major_is_not_paid_out() -> None:
    """A major that pays 20 for the city keeps the 10 of the mine."""
    table = pilsen_table("1g")
    before = table.game.money(ADA)
    table.act(ADA, runs("MS", FROM_THE_MINE))
    events = table.act(ADA, DeclareDividend("MS", "pay"))
    assert moved_cash(events, "1824.mine_income", "dividend") == [(BANK, "MS", 10), (BANK, ADA, 10)]
    assert (table.game.money(ADA) - before, table.game.money("MS")) == (10, 10)


@pytest.mark.clause("1824/VII.3-d", "1824/VII.14-i")
@pytest.mark.parametrize(("phase", "income"), [("2", 10), ("3", 10), ("4", 10), ("5", 40), ("6", 40)])
def test_mine_yields_more_from_the_first_5_train(phase: str, income: int) -> None:
    """Mine C6 yields 10 until the first 5-train is sold and 40 from then on."""
    table = pilsen_table("2g")
    table.phase(phase)
    assert best_revenue(table, "MS")[1] == income


@pytest.mark.clause("1824/VII.3-e")
def test_coal_company_runs_from_its_own_mine_only() -> None:
    """Its only token lies in its mine, so neither a run from another mine nor one without a mine is its own."""
    table = coal_table("EPP", "1g")
    lay(table, (*PILSEN, ("A10", "4", 1), ("A8", "3", 4), ("B9", "14", 1)))
    assert list(table.tokens("EPP")) == [("C6", 0)]
    foreign = run("1g-0", "A12 A10", "A10 A8", "A8 B9")
    assert table.refusal(ADA, runs("EPP", foreign)) == ("route_no_token", "1824/VII.2-c")
    table.act(ADA, runs("EPP", FROM_THE_MINE))
    assert set(trains_of(table.game).last_runs["EPP"][0].stops) == {"C6.0", "B5.0"}


@pytest.mark.clause("1824/VII.3-f")
def test_majors_run_goods_trains_from_any_mine_with_an_own_token_on_the_way() -> None:
    """A regional runs a g-train from a mine that is not its own; without a token on the run it may not."""
    table = pilsen_table("1g", "1g")
    lay(table, (("A10", "4", 1), ("A8", "3", 4), ("B9", "14", 1)))
    without = run("1g-1", "A12 A10", "A10 A8", "A8 B9")
    assert table.refusal(ADA, runs("MS", FROM_THE_MINE, without)) == ("route_no_token", "1824/VII.2-c")
    table.token("MS", "B9")
    table.act(ADA, runs("MS", FROM_THE_MINE, run("1g-1", "A12 A10", "A10 A8", "A8 B9")))
    assert (train_turn(table.game).revenue, train_turn(table.game).treasury_income) == (70, 20)


@pytest.mark.clause("1824/VII.2-a")
def test_cities_towns_mines_and_red_areas_are_places_of_a_run() -> None:
    """A run joins a mine, a city, two towns and a red area, 30 + 10 + 10 + 10; open country in between is no place."""
    table = clear_table()
    major(table, "MS", ADA)
    lay(table, (("B7", "8", 4), ("B9", "14", 1), ("A8", "58", 5), ("A6", "4", 1)))
    table.token("MS", "B9")
    table.train("MS", "2g")
    table.operating_round("MS", step="run_trains")
    table.act(ADA, runs("MS", run("2g-0", "C6 B7 B9", "B9 A8", "A8 A6", "A6 A4")))
    made = trains_of(table.game).last_runs["MS"][0]
    assert set(made.stops) == {"C6.0", "B9.0", "A8.0", "A6.0", "A4.0"}
    assert (made.revenue, made.treasury_income) == (60, 10)


@pytest.mark.clause("1824/VII.10-e")
def test_normal_and_goods_train_together_must_earn_the_most() -> None:
    """2-train 30 and 1g-train 20: both have to run; one alone, the other alone or none is refused."""
    table = pilsen_table("2", "1g")
    assert best_revenue(table, "MS") == (50, 10)
    for fewer in ((), (TO_DRESDEN,), (FROM_THE_MINE,)):
        assert table.refusal(ADA, runs("MS", *fewer)) == ("route_not_best", "1824/VII.10-e")
    table.act(ADA, runs("MS", TO_DRESDEN, FROM_THE_MINE))
    assert (train_turn(table.game).revenue, train_turn(table.game).treasury_income) == (50, 10)


@pytest.mark.clause("1824/VII.10-e")
def test_shorter_run_of_the_same_train_is_refused() -> None:
    """A 2g-train that could go on to Dresden for 30 may not stop in Pilsen for 20."""
    table = pilsen_table("2g")
    stops_short = runs("MS", run("2g-0", "C6 B5"))
    assert table.refusal(ADA, stops_short) == ("route_not_best", "1824/VII.10-e")
    table.act(ADA, runs("MS", run("2g-0", "C6 B5", "B5 A4")))
    assert train_turn(table.game).revenue == 30


@pytest.mark.clause("1824/VII.10-e")
def test_mine_income_does_not_count_in_the_comparison() -> None:
    """Of two runs with equal revenue the one from the poorer mine is allowed: mines are no part of the revenue."""
    table = clear_table()
    major(table, "MS", ADA)
    lay(table, (("B23", "14", 1), ("B13", "69", 0), ("B15", "57", 1)))
    table.token("MS", "B15")
    table.token("MS", "B23")
    table.train("MS", "1g")
    table.operating_round("MS", step="run_trains")
    assert best_revenue(table, "MS")[0] == 30
    before = table.game
    table.act(ADA, runs("MS", run("1g-0", "A22 B23")))
    assert (train_turn(table.game).revenue, train_turn(table.game).treasury_income) == (30, 20)
    table.game = before
    table.act(ADA, runs("MS", run("1g-0", "A12 B13", "B13 B15")))
    assert (train_turn(table.game).revenue, train_turn(table.game).treasury_income) == (30, 10)


@pytest.mark.clause("1824/VII.10-e")
def test_run_waits_for_the_proof() -> None:
    """Without a proven answer even the best run is refused, with the advice to try again."""
    table = pilsen_table("2")
    outcome = decide(TITLE, table.data, table.game, ADA, runs("MS", TO_DRESDEN))
    assert isinstance(outcome, Rejection)
    assert (outcome.code, outcome.clause, outcome.retryable) == (
        "routing_unavailable",
        "1824/VII.10-e",
        True,
    )


def test_free_runs_need_no_proof() -> None:
    """Ruling best_run = free: a poorer run, or none, stands, and no route is asked for."""
    for given, revenue in (((TO_DRESDEN,), 30), ((), 0)):
        table = pilsen_table("2", "1g", best_run="free")
        command = runs("MS", *given)
        assert question_for(TITLE, table.game, table.data, command) is None
        table.act(ADA, command)
        assert of_type(table.log, TrainsRan)[-1] == TrainsRan(
            "MS", trains_of(table.game).last_runs["MS"], revenue, 0
        )


@pytest.mark.clause("1824/VII.10-e")
def test_trains_that_cannot_earn_may_stand_still() -> None:
    """A normal train whose only track leads to a mine has no run: running nothing is the best, and pays nothing."""
    table = clear_table()
    major(table, "MS", ADA)
    lay(table, (("B5", "6", 3),))
    table.token("MS", "B5")
    table.train("MS", "2")
    table.operating_round("MS", step="run_trains")
    assert best_revenue(table, "MS") == (0, 0)
    events = table.act(ADA, runs("MS"))
    assert of_type(events, DividendDeclared) == [DividendDeclared("MS", "withhold", 0, 0, 0)]


WIEN = (("E12", "499", 0), ("F11", "2", 1), ("E10", "7", 4))
ROUND_TRIP = run("3-0", "E12 F11", "F11 E10 E12")


def wien_table(**rulings: str) -> Table:
    """MS has a token in one city of Wien; a line leads over a town back to another city of Wien."""
    table = clear_table(4, **rulings)
    major(table, "MS", ADA)
    lay(table, WIEN)
    table.token("MS", "E12", 0)
    table.train("MS", "3")
    table.operating_round("MS", step="run_trains")
    return table


@pytest.mark.clause("1824/VII.9-h")
def test_no_run_from_wien_to_wien() -> None:
    """Ruling one_stop_per_hex = cities: a run visits one city of Wien only, so 40 + 10 is the best."""
    table = wien_table()
    assert table.refusal(ADA, runs("MS", ROUND_TRIP)) == ("route_repeats_place", "1824/VII.9-h")
    assert best_revenue(table, "MS") == (50, 0)
    table.act(ADA, runs("MS", run("3-0", "E12 F11")))
    assert train_turn(table.game).revenue == 50


def test_two_cities_of_wien_in_one_run() -> None:
    """Ruling one_stop_per_hex = none: 40 + 10 + 40, and nothing less is accepted."""
    table = wien_table(one_stop_per_hex="none")
    short = runs("MS", run("3-0", "E12 F11"))
    assert table.refusal(ADA, short) == ("route_not_best", "1824/VII.10-e")
    table.act(ADA, runs("MS", ROUND_TRIP))
    assert train_turn(table.game).revenue == 90


def shared_table(kind: str) -> tuple[Table, tuple[Event, ...]]:
    """MS earns 30; it belongs to Ada 50 %, Ben 20 %, Cleo 10 % and the bank 20 %; its money is divided so."""
    table = pilsen_table("2")
    table.hold(BEN, "MS", 2)
    table.hold(CLEO, "MS", 1)
    table.act(ADA, runs("MS", TO_DRESDEN))
    assert kind in ("pay", "withhold")
    return table, table.act(ADA, DeclareDividend("MS", "pay" if kind == "pay" else "withhold"))


@pytest.mark.clause("1824/VII.10-g")
def test_payout_by_shares() -> None:
    """30 paid out: 3 for every 10 %; the bank's 20 % bring nobody anything."""
    _, events = shared_table("pay")
    assert moved_cash(events, "dividend", "revenue_withheld") == [
        (BANK, ADA, 15),
        (BANK, BEN, 6),
        (BANK, CLEO, 3),
    ]
    assert of_type(events, DividendDeclared) == [DividendDeclared("MS", "pay", 30, 3, 8)]


@pytest.mark.clause("1824/VII.10-h")
def test_payout_raises_and_withholding_lowers_the_price() -> None:
    """From 80: 90 with a payout; 70 with all 30 withheld into the treasury."""
    table, _ = shared_table("pay")
    assert (table.price_of("MS"), table.game.money("MS")) == (90, 0)
    table, events = shared_table("withhold")
    assert moved_cash(events, "dividend", "revenue_withheld") == [(BANK, "MS", 30)]
    assert (table.price_of("MS"), table.game.money("MS")) == (70, 30)


@pytest.mark.clause("1824/VII.10-h")
def test_no_revenue_lowers_the_price() -> None:
    """A major without trains pays 0: its price falls from 80 to 70 without anybody being asked."""
    table = clear_table()
    major(table, "MS", ADA, treasury=1000)
    table.token("MS", "C12")
    table.operating_round("MS", step="lay_track")
    table.pass_on()
    assert (table.game.current_round.step, table.price_of("MS")) == ("buy_trains", 70)


@pytest.mark.clause("1824/VII.10-f")
def test_majors_pay_all_or_nothing() -> None:
    """Half payment is refused, and only the two others are offered."""
    table = pilsen_table("2")
    table.act(ADA, runs("MS", TO_DRESDEN))
    assert table.refusal(ADA, DeclareDividend("MS", "half")) == ("dividend_kind", "1824/VII.10-f")
    assert table.offered(ADA) == [DeclareDividend("MS", "pay"), DeclareDividend("MS", "withhold")]


@pytest.mark.clause("1824/VII.5-b")
def test_running_is_compulsory() -> None:
    """A company with trains and a route can neither pass over the run nor go on to its trains."""
    table = pilsen_table("2", treasury=500)
    assert table.refusal(ADA, Pass()) == ("wrong_step", "")
    assert table.refusal(ADA, BuyTrain("MS", "2-1", 80)) == ("wrong_step", "")
    assert [type(command) for command in table.offered(ADA)] == [RunTrains]
