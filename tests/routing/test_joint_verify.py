"""Each reason for which a run of one network is refused, and laws of what runs earn together."""

from __future__ import annotations

import random
from itertools import combinations, permutations

import msgspec
import pytest

from services.routing.domain.problem import Train
from services.routing.domain.shape import FaultReason
from services.routing.domain.solver import solve
from services.routing.domain.verify import RunFault, check_runs, verify_solution
from tests.routing.joint_boards import claim, express, freight, local, network_problem, stop, track

STOPS = (
    stop("home", "C", 20, "C5"),
    stop("full", "F", 30, "C7"),
    stop("east", "C", 40, "D6"),
    stop("west", "C", 10, "B6"),
    stop("town", "t", 20, "B4"),
    stop("sea", "p", 50, "C3"),
    stop("lake", "p", 60, "D4"),
    stop("red", "o", 70, "A5", "Midlands"),
    stop("rose", "o", 70, "A7", "Midlands"),
    stop("pink", "o", 10, "B8"),
)
TRACK = (
    track("home", "full", "C5 C7"),
    track("full", "east", "C7 D6"),
    track("home", "east", "C5 D6"),
    track("home", "west", "C5 B6"),
    track("home", "town", "C5 B4"),
    track("town", "west", "B4 B6"),
    track("home", "sea", "C5 C3"),
    track("sea", "east", "C3 D6"),
    track("home", "lake", "C5 D4"),
    track("west", "red", "B6 A5"),
    track("red", "town", "A5 B4"),
    track("west", "rose", "B6 A7"),
    track("home", "pink", "C5 B6 B8"),
    track("west", "pink", "B6 B8"),
)
TRAINS = (
    express(4),
    express(3, name="e"),
    local(3),
    freight(2),
    freight(3),
    freight(6),
    freight(7),
)
BOARD = network_problem(STOPS, TRACK, TRAINS, "home west", "home")

REFUSED_IN_A_NETWORK: dict[FaultReason, dict[str, str]] = {
    "route_ends_at_town": {"4E": "home town"},
    "route_port_in_middle": {"4E": "home sea east"},
    "route_two_ports": {"4E": "sea home lake"},
    "route_two_offboards": {"4E": "red west pink"},
    "local_off_board": {"3L": "home west red"},
    "no_run_at_home": {"4E": "west red"},
    "route_misses_network": {"4E": "home east", "e": "red town west"},
    "freight_not_joined": {"2F": "home east", "3F": "west home full"},
}


@pytest.mark.parametrize("reason", REFUSED_IN_A_NETWORK)
def test_runs_that_break_one_rule_are_refused_for_it(reason: FaultReason) -> None:
    """Each fails with its reason, and names the train if one is at fault."""
    claims = [claim(BOARD, train, stops) for train, stops in REFUSED_IN_A_NETWORK[reason].items()]
    fault = check_runs(BOARD, claims)
    assert isinstance(fault, RunFault)
    assert fault.reason == reason
    assert fault.train in ("", *REFUSED_IN_A_NETWORK[reason])


@pytest.mark.parametrize(
    ("train", "stops", "reason"),
    [
        ("4E", "east full home", "route_passes_blocked_city"),
        ("4E", "home west red town", "route_ends_at_town"),
        ("6F", "home town red west", "route_offboard_in_middle"),
        ("e", "sea home west red", "route_too_long"),
        ("2F", "east home west red", "route_too_long"),
        ("4E", "full east", "route_no_token"),
        ("4E", "home", "route_too_short"),
        ("4E", "red west rose", "route_repeats_place"),
    ],
)
def test_rules_of_every_route_hold_in_a_network(train: str, stops: str, reason: FaultReason) -> None:
    """What no route may do is refused whatever the family."""
    fault = check_runs(BOARD, [claim(BOARD, train, stops)])
    assert isinstance(fault, RunFault)
    assert fault.reason == reason


def test_an_order_names_each_train_that_runs_once() -> None:
    """Neither one that does not run nor one twice."""
    answer = solve(BOARD)
    for order in (("4E",), ("4E",) * len(answer.runs), (*(run.train for run in answer.runs), "9E")):
        fault = verify_solution(BOARD, msgspec.structs.replace(answer, order=order))
        assert fault is not None
        assert fault.reason == "order_wrong"


RUNS = {
    "4E": "sea home west red",
    "e": "full home east",
    "3L": "full home town west",
    "2F": "west home east",
    "6F": "red west",
}


def test_the_order_of_claims_changes_no_run() -> None:
    """Each run is worth the same in whatever order the runs are given."""
    reported = {train: claim(BOARD, train, stops) for train, stops in RUNS.items()}
    first = check_runs(BOARD, list(reported.values()))
    assert isinstance(first, tuple), first
    by_train = {run.train: run for run in first}
    for order in permutations(reported):
        runs = check_runs(BOARD, [reported[train] for train in order])
        assert isinstance(runs, tuple)
        assert [run.train for run in runs] == list(order)
        assert {run.train: run for run in runs} == by_train


def test_no_place_counts_twice_and_no_hex_is_paid_twice() -> None:
    """Places that trains of all kinds share are counted by one of them; hexes of two locals are paid once."""
    problem = msgspec.structs.replace(BOARD, trains=(*TRAINS, local(2, name="l")))
    runs = check_runs(
        problem, [claim(problem, name, stops) for name, stops in {**RUNS, "l": "home full"}.items()]
    )
    assert isinstance(runs, tuple), runs
    place = {each.id: each.place for each in STOPS}
    counted = [place[name] for run in runs for name in run.counted_stops]
    assert len(counted) == len(set(counted))
    local_hexes = {name for run in runs if run.train in ("3L", "l") for name in run.hexes}
    assert sum(run.treasury_income for run in runs) == 10 * len(local_hexes)
    for run in runs:
        values = sum(each.revenue for each in STOPS if each.id in run.counted_stops)
        assert run.revenue == values + run.bonus


def test_a_longer_run_tells_its_trains_in_order() -> None:
    """The parts of a longer run name it alike, the first has the bonus, the ends are counted where they lie."""
    runs = check_runs(BOARD, [claim(BOARD, "6F", "red west"), claim(BOARD, "2F", "west home east")])
    assert isinstance(runs, tuple)
    assert [run.joined_trains for run in runs] == [("2F", "6F"), ("2F", "6F")]
    assert [run.counted_stops for run in runs] == [("red",), ("east",)]
    assert [run.bonus for run in runs] == [0, 40]


@pytest.mark.parametrize("seed", range(30))
def test_a_train_that_counts_some_of_its_stops_leaves_out_what_others_count(seed: int) -> None:
    """The places counted are the most that trial of all choices finds."""
    draw = random.Random(seed)
    values = [draw.randrange(0, 60, 10) for _ in range(7)]
    stops = [stop(f"s{number}", "C", value, f"A{2 * number}") for number, value in enumerate(values)]
    segments = [track(f"s{n}", f"s{n + 1}", f"A{2 * n} A{2 * n + 2}") for n in range(6)]
    trains: list[Train] = []
    routes: list[range] = []
    for number in range(3):
        begin = draw.randrange(5)
        end = draw.randrange(begin + 1, 7)
        counts = draw.randrange(1, 4)
        trains.append(draw.choice((express, local))(7, counts, f"T{number}"))
        routes.append(range(begin, end + 1))
    problem = network_problem(stops, segments, trains, " ".join(each.id for each in stops), "s0")
    claims = [
        claim(problem, train.id, " ".join(f"s{n}" for n in route))
        for train, route in zip(trains, routes, strict=True)
    ]
    problem = msgspec.structs.replace(
        problem,
        parameters=msgspec.structs.replace(problem.parameters, home=f"s{routes[0][0]}", links="any_stop"),
    )
    runs = check_runs(problem, claims)
    if isinstance(runs, RunFault):
        assert runs.reason == "route_misses_network"
        return
    chosen = {frozenset[int]()}
    for train, route in zip(trains, routes, strict=True):
        choices = list(combinations(route, min(train.counts, len(route))))
        chosen = {before | set(some) for before in chosen for some in choices}
    assert sum(run.revenue for run in runs) == max(sum(values[n] for n in some) for some in chosen)
