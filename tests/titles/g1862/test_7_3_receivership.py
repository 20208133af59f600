"""What a company in receivership does in its turn in 1862 (7.3, 8.0)."""

import pytest
from msgspec.structs import replace

from services.routing.domain.solver import solve
from services.rules.kernel.decide import Accepted, acting_players, decide
from services.rules.kernel.events import (
    CertificatesMoved,
    Event,
    PriorityMoved,
    RoundStarted,
    StepPassed,
    StepStarted,
    TurnStarted,
)
from services.rules.kernel.rejections import Rejection
from services.rules.parts.map.events import TileLaid
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.bestruns import reckon_for
from services.rules.parts.trains.commands import Hop, RunTrains, TrainRun
from services.rules.parts.trains.events import TrainMoved
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.events import LicencesSet
from services.rules.titles.g1862.operating.routes import problem_of
from services.rules.titles.g1862.state import ServiceKind, own
from services.rules.titles.g1862.title import TITLE
from tests.titles.g1862.table import ADA, BEN, CLEO, Table, new_table, of_type


def idle(cash: int = 0, *, licences: tuple[ServiceKind, ...] = ("local",), **rulings: str) -> Table:
    """L&E has nobody as director: the certificate lies in the pool, Ben holds 20 %, Cleo 10 %. ENR of Ada comes next."""
    table = new_table(4, offer=("L&E", "ENR"), by=rulings)
    table.found("L&E", 82, treasury=cash)
    table.write(LicencesSet("L&E", licences))
    table.hold("pool", "L&E", 3, director=True)
    table.hold(BEN, "L&E", 2)
    table.hold(CLEO, "L&E", 1)
    table.found("ENR", 74, ADA, treasury=300)
    table.write(PriorityMoved(ADA))
    table.home("L&E", "ENR")
    return table


def turn(table: Table) -> tuple[Event, ...]:
    """L&E has its turn, as far as nobody has to decide."""
    table.write(RoundStarted("operating", 2, 1, 1, ("L&E", "ENR")), TurnStarted(0))
    return table.carry_on()


def line_to_ely(table: Table) -> None:
    """Track from Downham Market to Ely and back to King's Lynn, so that there is something to run for."""
    table.tile("C6", "57", 0)
    table.tile("C8", "621", 0)
    table.tile("C4", "621", 0)


@pytest.mark.clause("1862/7.3-a", "1862/7.3-b")
def test_it_builds_nothing() -> None:
    """Its turn goes straight past track and stations: with no train and no money it is bankrupt before anybody is asked."""
    table = idle()
    steps = [event.step for event in of_type(turn(table), StepStarted)]  # type: ignore[attr-defined]
    assert table.game.actor == "ENR"
    assert "lay_track" in steps
    assert not of_type(table.log, TileLaid, StepPassed)


@pytest.mark.clause("1862/7.3-g", "1862/7.12-a")
def test_without_train_and_money_it_is_bankrupt() -> None:
    """At the end of its turn a company without director and train goes bankrupt when it can pay for none."""
    table = idle(99)
    turn(table)
    assert not companies_of(table.game)["L&E"].opened
    assert table.game.money("L&E") == 0


@pytest.mark.clause("1862/7.3-e", "1862/7.3-f", "1862/8.0-c")
def test_it_buys_one_train_of_itself() -> None:
    """With 500 it buys one A train of its licence and no second one."""
    table = idle(500)
    moves = of_type(turn(table), TrainMoved)
    assert [move.train for move in moves] == ["A-0"]  # type: ignore[attr-defined]
    assert own(table.game).train_kinds["A-0"] == "local"
    assert own(table.game).warranties == {"A-0": 1}
    assert table.game.money("L&E") == 400


@pytest.mark.clause("1862/8.0-c")
@pytest.mark.parametrize(
    ("licences", "full", "kind"),
    [
        (("local", "freight", "express"), (), "express"),
        (("local", "freight"), (), "freight"),
        (("local", "freight", "express"), ("express",), "freight"),
        (("local", "express"), ("express",), "local"),
    ],
)
def test_the_kind_it_buys(
    licences: tuple[ServiceKind, ...], full: tuple[ServiceKind, ...], kind: str
) -> None:
    """Express before freight before local, of what it has a licence and room for."""
    table = idle(500, licences=licences)
    for each in full:
        table.train("L&E", "A", "A", "A", runs_as=each)
    turn(table)
    bought = trains_of(table.game).owned["L&E"][-1]
    assert own(table.game).train_kinds[bought] == kind


@pytest.mark.clause("1862/7.3-e")
def test_it_keeps_to_the_limit() -> None:
    """With three trains of its only licence it buys nothing."""
    table = idle(500)
    table.train("L&E", "A", "A", "A", runs_as="local")
    turn(table)
    assert len(trains_of(table.game).owned["L&E"]) == 3
    assert table.game.money("L&E") == 500


@pytest.mark.clause("1862/8.0-b")
@pytest.mark.parametrize(
    ("holdings", "priority", "runs"),
    [({BEN: 2, CLEO: 1}, ADA, BEN), ({BEN: 2, CLEO: 2}, CLEO, CLEO), ({BEN: 2, CLEO: 2}, ADA, BEN)],
)
def test_the_majority_holder_runs_it(holdings: dict[str, int], priority: str, runs: str) -> None:
    """Among equals the first clockwise from the holder of the priority card."""
    table = idle(500)
    table.hold(CLEO, "L&E", holdings[CLEO] - 1) if holdings[CLEO] > 1 else None
    table.write(PriorityMoved(priority))
    table.train("L&E", "A", runs_as="local")
    line_to_ely(table)
    turn(table)
    assert table.game.current_round.step == "run_trains"
    assert acting_players(TITLE, table.data, table.game) == (runs,)


@pytest.mark.clause("1862/8.0-b")
def test_where_nobody_holds_a_share_the_priority_holder_runs_it() -> None:
    """All of it in the pool and in the bank: Ada enters its runs."""
    table = idle(500)
    for player in (BEN, CLEO):
        numbers = table.game.held(player, "L&E")
        table.write(CertificatesMoved("L&E", numbers, player, "pool", "sold", len(numbers)))
    table.train("L&E", "A", runs_as="local")
    line_to_ely(table)
    turn(table)
    assert table.asked() == ADA


def hop(*hexes: str) -> Hop:
    """One hop over these hexes."""
    return Hop(hexes)


@pytest.mark.clause("1862/7.3-c", "1862/7.3-d")
def test_it_runs_for_the_most_subsidies_included_and_withholds() -> None:
    """A local 2/3 must take the way over three cities: two of them count whichever way, but another hex pays 10."""
    table = idle(0)
    table.phase("B")
    (train,) = table.train("L&E", "B", runs_as="local")
    line_to_ely(table)
    turn(table)
    short = RunTrains("L&E", (TrainRun(train, (hop("C4", "C6"),)),))
    middling = RunTrains("L&E", (TrainRun(train, (hop("C4", "C6"), hop("C6", "C8"))),))
    assert table.refusal(BEN, short) == ("route_not_best", "1862/7.3-c")
    table.act(BEN, middling)
    assert table.game.money("L&E") == 30 + 30 + 3 * 10
    assert table.price_of("L&E") == 74


@pytest.mark.clause("1862/7.3-c")
def test_subsidies_may_outweigh_revenue() -> None:
    """Two hexes at 50 + 20 lose against four hexes at 40 + 40."""
    table = idle(0)
    (train,) = table.train("L&E", "A", runs_as="local")
    for hex_id, tile in {"C4": "621", "C6": "57", "C8": "20", "C10": "20", "C12": "57"}.items():
        table.tile(hex_id, tile, 0)
    turn(table)
    rich = RunTrains("L&E", (TrainRun(train, (hop("C4", "C6"),)),))
    assert table.refusal(BEN, rich) == ("route_not_best", "1862/7.3-c")
    table.act(BEN, RunTrains("L&E", (TrainRun(train, (hop("C6", "C8", "C10", "C12"),)),)))
    assert table.game.money("L&E") == 40 + 40


@pytest.mark.clause("1862/7.3-c")
def test_the_majority_holder_is_free_under_the_other_ruling() -> None:
    """There any legal run will do, none at all too."""
    table = idle(0, receivership_run="free")
    table.train("L&E", "A", runs_as="local")
    line_to_ely(table)
    turn(table)
    table.act(BEN, RunTrains("L&E", ()))
    assert table.game.money("L&E") == 0


@pytest.mark.clause("1862/7.3-c")
def test_without_proof_of_the_best_run_the_command_has_to_wait() -> None:
    """When the routing service does not answer the run is refused for now."""
    table = idle(0)
    table.train("L&E", "A", runs_as="local")
    line_to_ely(table)
    turn(table)
    outcome = decide(TITLE, table.data, table.game, BEN, RunTrains("L&E", ()))
    assert isinstance(outcome, Rejection)
    assert (outcome.code, outcome.clause, outcome.retryable) == ("routing_unavailable", "1862/7.3-c", True)


@pytest.mark.clause("1862/7.3-c")
def test_the_best_found_is_the_measure_when_nothing_is_proven() -> None:
    """A run that earns as much as the best found in time is accepted, so that the game can go on."""
    table = idle(0)
    (train,) = table.train("L&E", "A", runs_as="local")
    line_to_ely(table)
    turn(table)
    found = replace(solve(problem_of(table.game, table.data, "L&E")), proven=False, upper_bound=500)
    less = RunTrains("L&E", ())
    refused = decide(TITLE, table.data, table.game, BEN, less, found)
    assert isinstance(refused, Rejection)
    assert refused.code == "route_not_best"
    enough = RunTrains("L&E", (TrainRun(train, (hop("C4", "C6"),)),))
    assert isinstance(decide(TITLE, table.data, table.game, BEN, enough, found), Accepted)


@pytest.mark.clause("1862/7.3-c")
def test_the_measure_is_what_the_rules_make_of_the_best_found() -> None:
    """Figures that routing sets too high hold up no game: its runs are accepted, worse ones are not."""
    table = idle(0)
    (train,) = table.train("L&E", "A", runs_as="local")
    line_to_ely(table)
    turn(table)
    best = solve(problem_of(table.game, table.data, "L&E"))
    too_high = replace(best, revenue=best.revenue + 500, upper_bound=best.upper_bound + 500)
    refused = decide(TITLE, table.data, table.game, BEN, RunTrains("L&E", ()), too_high)
    assert isinstance(refused, Rejection) and refused.message.endswith(
        f"0 against {best.revenue + best.treasury_income}"
    )
    enough = RunTrains("L&E", (TrainRun(train, (hop("C4", "C6"),)),))
    assert isinstance(decide(TITLE, table.data, table.game, BEN, enough, too_high), Accepted)
    difference = reckon_for(TITLE, table.game, table.data, too_high).disagreement(too_high)
    assert f"found for {best.revenue + 500}" in difference


@pytest.mark.clause("1862/7.3-c")
def test_any_legal_run_will_do_where_the_rules_refuse_the_best_found() -> None:
    """Runs of a train that the company does not own are no measure."""
    table = idle(0)
    table.train("L&E", "A", runs_as="local")
    line_to_ely(table)
    turn(table)
    best = solve(problem_of(table.game, table.data, "L&E"))
    wrong = replace(best, runs=tuple(replace(run, train="Z-9") for run in best.runs))
    assert reckon_for(TITLE, table.game, table.data, wrong).refusal.startswith("train_not_owned")
    assert isinstance(decide(TITLE, table.data, table.game, BEN, RunTrains("L&E", ()), wrong), Accepted)
