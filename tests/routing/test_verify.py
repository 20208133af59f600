"""Each reason for which a run or an answer is refused, by an example that breaks that rule alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import msgspec
import pytest

from services.routing.domain.problem import (
    Bonus,
    LockedRun,
    Options,
    Parameters,
    Requirement,
    RouteProblem,
    Segment,
    Stop,
    Train,
)
from services.routing.domain.solution import RouteSolution, Run
from services.routing.domain.solver import solve
from services.routing.domain.verify import FaultReason, RunFault, check_runs, evaluate_run, verify_solution
from tests.routing.test_direct import NO_DIRECT_ROUTES, WRONG_DIRECT_ANSWERS
from tests.routing.test_joint_verify import REFUSED_IN_A_NETWORK

STOPS = (
    Stop("home", "city", "home", 20, ("X",)),
    Stop("town", "town", "town", 10),
    Stop("east", "city", "Wien", 30, ("",)),
    Stop("west", "city", "Wien", 40),
    Stop("full", "city", "full", 50, ("Y", "Z")),
    Stop("red", "offboard", "red", 60),
    Stop("pit", "mine", "pit", 10, ("C",)),
    Stop("shaft", "mine", "shaft", 10),
)
TRACK = (
    Segment("home-town", "home", "town", ("h1/0",), ("h1", "h2")),
    Segment("town-east", "town", "east", ("h2/0",), ("h2", "h3", "h4")),
    Segment("east-west", "east", "west"),
    Segment("town-full", "town", "full", ("h2/1",)),
    Segment("full-east", "full", "east"),
    Segment("town-red", "town", "red"),
    Segment("red-east", "red", "east"),
    Segment("home-pit", "home", "pit"),
    Segment("pit-town", "pit", "town"),
    Segment("shaft-town", "shaft", "town"),
    Segment("home-end", "home", "east", ("h1/0", "h9/0"), terminal_b=True),
    Segment("full-home", "full", "home", ("h2/0",)),
)
TRAINS = (Train("3", "normal", 3), Train("4", "normal", 4), Train("1g", "goods", 1, "free"))
BOARD = RouteProblem("X", STOPS, TRACK, TRAINS, ("home",))

REFUSED_RUNS: dict[FaultReason, tuple[str, str, str]] = {
    "unknown_train": ("9", "home town", "home-town"),
    "unknown_stop": ("3", "home moon", "home-town"),
    "unknown_segment": ("3", "home town", "home-moon"),
    "route_not_connected": ("3", "home east", "home-town"),
    "route_too_short": ("3", "home", ""),
    "route_repeats_place": ("4", "home town east west", "home-town town-east east-west"),
    "route_track_reused": ("4", "town home east", "home-town home-end"),
    "route_no_token": ("3", "town east", "town-east"),
    "route_mine_needs_goods_train": ("3", "pit home", "home-pit"),
    "goods_route_needs_one_mine": ("1g", "home town", "home-town"),
    "route_mine_in_middle": ("1g", "home pit town", "home-pit pit-town"),
    "route_offboard_in_middle": ("4", "home town red east", "home-town town-red red-east"),
    "route_passes_blocked_city": ("4", "home town full east", "home-town town-full full-east"),
    "route_passes_terminal_track": ("3", "home east town", "home-end town-east"),
    "route_too_long": ("3", "home town east full", "home-town town-east full-east"),
}


@pytest.mark.parametrize("reason", REFUSED_RUNS)
def test_a_run_that_breaks_one_rule_is_refused_for_it(reason: FaultReason) -> None:
    """Each broken rule has its own reason code, and the fault names the train."""
    train, stops, segments = REFUSED_RUNS[reason]
    fault = evaluate_run(BOARD, train, stops.split(), segments.split())
    assert isinstance(fault, RunFault)
    assert (fault.reason, fault.train) == (reason, train)


def test_a_legal_run_has_its_value_and_way() -> None:
    """Revenue, hexes and counted stops are given in the direction travelled."""
    run = evaluate_run(BOARD, "3", ("east", "town", "home"), ("town-east", "home-town"))
    assert run == Run(
        "3",
        ("east", "town", "home"),
        ("town-east", "home-town"),
        ("h4", "h3", "h2", "h1"),
        60,
        0,
        ("east", "town", "home"),
    )


def claim(train: str, stops: str, segments: str) -> LockedRun:
    """A run as a player claims it."""
    return LockedRun(train, tuple(stops.split()), tuple(segments.split()))


def test_faults_between_the_runs_of_a_company() -> None:
    """Two trains on one piece of track and one train twice are refused; a single run's fault stays its own."""
    first = claim("3", "home town", "home-town")
    for second, reason in (
        (claim("4", "home east", "home-end"), "trains_share_track"),
        (claim("4", "town home", "home-town"), "trains_share_track"),
        (claim("3", "home pit", "home-pit"), "train_runs_twice"),
        (claim("4", "town east", "town-east"), "route_no_token"),
    ):
        fault = check_runs(BOARD, (first, second))
        assert isinstance(fault, RunFault)
        assert (fault.reason, fault.train) == (reason, second.train)


def with_terms(**parameters: object) -> RouteProblem:
    """The board with bonuses or requirements."""
    return msgspec.structs.replace(BOARD, parameters=msgspec.structs.replace(Parameters(), **parameters))


def test_a_run_that_misses_a_requirement_is_refused() -> None:
    """Whether it has no such stop, or cannot count one of each."""
    rule = Requirement("rule", ("town",), "ends")
    fault = evaluate_run(with_terms(requirements=(rule,)), "3", ("home", "pit"), ("home-pit",))
    assert isinstance(fault, RunFault)
    away = evaluate_run(with_terms(requirements=(rule,)), "3", ("home", "east"), ("home-end",))
    assert isinstance(away, RunFault)
    assert away.reason == "route_misses_requirement"
    counts = msgspec.structs.replace(BOARD.trains[0], counts=1)
    both = tuple(Requirement(name, (name,), "counted") for name in ("home", "town"))
    problem = msgspec.structs.replace(with_terms(requirements=both), trains=(counts,))
    fault = evaluate_run(problem, "3", ("home", "town"), ("home-town",))
    assert isinstance(fault, RunFault)
    assert fault.reason == "route_misses_requirement"


def test_no_two_runs_share_a_place_that_is_visited_once() -> None:
    """Runs that meet in a stop are legal unless places are visited once by the company."""
    runs = (claim("3", "home town", "home-town"), claim("4", "home east", "home-end"))
    apart = msgspec.structs.replace(BOARD.segments[10], resources=("h9/0",))
    board = msgspec.structs.replace(BOARD, segments=(*BOARD.segments[:10], apart, *BOARD.segments[11:]))
    assert not isinstance(check_runs(board, runs), RunFault)
    fault = check_runs(msgspec.structs.replace(board, parameters=Parameters(places_once="company")), runs)
    assert isinstance(fault, RunFault)
    assert (fault.reason, fault.train) == ("trains_share_place", "4")


def test_a_bonus_of_few_runs_goes_where_the_total_is_the_highest() -> None:
    """Of two runs that could have it the one to which it pays more has it, whatever the order in which they are given."""
    mail = Bonus("mail", ({"home": 10, "town": 10, "east": 10},), runs=1)
    runs = (claim("4", "home east", "home-end"), claim("3", "east town home", "town-east home-town"))
    apart = msgspec.structs.replace(BOARD.segments[10], resources=("h9/0",))
    board = msgspec.structs.replace(
        with_terms(bonuses=(mail,)), segments=(*BOARD.segments[:10], apart, *BOARD.segments[11:])
    )
    for given in (runs, runs[::-1]):
        checked = check_runs(board, given)
        assert not isinstance(checked, RunFault)
        assert {run.train: (run.revenue, run.bonus, run.bonuses) for run in checked} == {
            "4": (50, 0, ()),
            "3": (90, 30, ("mail",)),
        }


def with_more_revenue(answer: RouteSolution) -> RouteSolution:
    """An answer with a run that is said to earn more than it does."""
    first, *others = answer.runs
    return msgspec.structs.replace(
        answer, runs=(msgspec.structs.replace(first, revenue=first.revenue + 10), *others)
    )


def with_more(answer: RouteSolution, field: str, more: int) -> RouteSolution:
    """An answer with another figure."""
    return msgspec.structs.replace(answer, **{field: getattr(answer, field) + more})


WRONG_ANSWERS: list[tuple[str, Callable[[RouteSolution], RouteSolution]]] = [
    ("", lambda right: right),
    ("value_wrong", with_more_revenue),
    ("value_wrong", lambda right: with_more(right, "revenue", 10)),
    ("value_wrong", lambda right: with_more(right, "treasury_income", 10)),
    ("bound_wrong", lambda right: with_more(right, "upper_bound", -1)),
    ("bound_wrong", lambda right: with_more(right, "upper_bound", 1)),
    (
        "train_runs_twice",
        lambda right: msgspec.structs.replace(right, runs=(*right.runs, right.runs[0])),
    ),
]


@pytest.mark.parametrize(("reason", "falsify"), WRONG_ANSWERS)
def test_a_wrong_answer_is_refused(reason: str, falsify: Callable[[RouteSolution], RouteSolution]) -> None:
    """Illegal runs, wrong values and inconsistent bounds never pass; the right answer does."""
    fault = verify_solution(BOARD, falsify(solve(BOARD)))
    assert (fault.reason if fault else "") == reason


def test_an_answer_without_the_locked_run_is_refused() -> None:
    """The locked run must be in the answer as it was given."""
    locked = Options(locked_runs=(claim("3", "home town", "home-town"),))
    fault = verify_solution(msgspec.structs.replace(BOARD, options=locked), solve(BOARD))
    assert fault is not None
    assert fault.reason == "locked_run_changed"


def test_every_reason_has_its_case() -> None:
    """No reason code is without a test in this module, or where runs of one network and direct routes are refused."""
    others = {"train_runs_twice", "trains_share_track", "locked_run_changed", "value_wrong", "bound_wrong"}
    others |= {"route_misses_requirement", "trains_share_place", "order_wrong"}
    others |= {reason for reason, _ in WRONG_DIRECT_ANSWERS.values()} | {
        reason for *_, reason in NO_DIRECT_ROUTES
    }
    assert set(get_args(FaultReason)) == set(REFUSED_RUNS) | others | set(REFUSED_IN_A_NETWORK)
