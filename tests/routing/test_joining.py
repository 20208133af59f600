"""Many freight runs with a common end: joined as the answer says, since there are too many ways to try them all."""

from __future__ import annotations

from itertools import islice

import pytest
from msgspec.structs import replace

from services.routing.domain.joint.joining import WAYS_BESIDE_NAMED_MOST, WAYS_MOST, Longer, joinings
from services.routing.domain.problem import (
    FreightJoins,
    Options,
    Parameters,
    RouteProblem,
    Segment,
    Stop,
    Train,
)
from services.routing.domain.shape import Claimed, Known, RunFault
from services.routing.domain.solution import Run
from services.routing.domain.solver import solve
from services.routing.domain.verify import check_runs, verify_solution

LEAVES_MOST = 24
PER_HEX = 10


def star(leaves: int, rule: FreightJoins = "one_route") -> RouteProblem:
    """Cities around a hub in opposite pairs, and as many freight trains, none of which must join."""
    places = [(side * (1 + number // 2), 0) for number in range(leaves) for side in [1 - 2 * (number % 2)]]
    hub = Stop("H", "city", "H", 0, position=(0, 0))
    stops = [Stop(f"L{n:02d}", "city", f"L{n:02d}", 20, position=at) for n, at in enumerate(places)]
    segments = [Segment(f"S{stop.id}", "H", stop.id, length=2) for stop in stops]
    trains = tuple(Train(f"{number:02d}F", "freight", 2) for number in range(leaves))
    parameters = Parameters(home="H", freight_joins=rule, bonus_per_hex=PER_HEX)
    return RouteProblem("X", (hub, *stops), tuple(segments), trains, ("H",), "one_network", parameters)


def runs_of(problem: RouteProblem) -> list[Claimed]:
    """A run from the hub to each of the other cities."""
    return [
        Claimed(train, [problem.stops[0], stop], [segment])
        for train, stop, segment in zip(problem.trains, problem.stops[1:], problem.segments, strict=True)
    ]


def opposite(problem: RouteProblem) -> list[tuple[str, ...]]:
    """The trains of each opposite pair."""
    names = [train.id for train in problem.trains]
    return list(zip(names[::2], names[1::2], strict=True))


@pytest.mark.parametrize("leaves", [10, 12, LEAVES_MOST])
def test_some_ways_of_joining_are_tried_and_then_the_one_named(leaves: int) -> None:
    """Not all 1,389,195,360,000 ways and more."""
    problem = star(leaves)
    ways = islice(joinings(Known(problem), "one_route", runs_of(problem), opposite(problem)), 2 * WAYS_MOST)
    found = list(ways)
    assert len(found) == WAYS_BESIDE_NAMED_MOST + 1
    assert [longer.parts for longer in found[-1]] == [(n, n + 1) for n in range(0, leaves, 2)][: leaves // 2]


def test_few_ways_of_joining_are_all_tried() -> None:
    """Also where one is named: it is among them."""
    problem = star(4)
    found = list(joinings(Known(problem), "one_route", runs_of(problem), opposite(problem)))
    assert len(found) == len(set(found)) == 10
    assert (Longer((0, 1), (True, False)), Longer((2, 3), (True, False))) in found


def test_what_is_named_is_joined_only_if_it_may_be() -> None:
    """Trains that do not run, and three runs at one stop, are passed over."""
    problem = star(LEAVES_MOST)
    wrong: list[list[tuple[str, ...]]] = [
        [("00F", "99F")],
        [("00F", "01F", "02F")],
        [("00F", "01F"), ("01F", "02F")],
    ]
    for named in wrong:
        assert (
            len(list(joinings(Known(problem), "one_route", runs_of(problem), named)))
            == WAYS_BESIDE_NAMED_MOST
        )


def test_without_a_name_some_ways_are_tried() -> None:
    """The first of them."""
    problem = star(LEAVES_MOST)
    ways = islice(joinings(Known(problem), "one_route", runs_of(problem)), 2 * WAYS_MOST)
    assert len(list(ways)) == WAYS_MOST


def test_runs_earn_more_joined_as_named_and_an_answer_is_checked_by_it() -> None:
    """Each pair joined through the hub passes one hex more in a straight line."""
    problem = star(LEAVES_MOST)
    claims = [
        Run(train.id, ("H", stop.id), (segment.id,), (), 0, 0, ())
        for train, stop, segment in zip(problem.trains, problem.stops[1:], problem.segments, strict=True)
    ]
    joined, some = check_runs(problem, claims, opposite(problem)), check_runs(problem, claims)
    assert isinstance(joined, tuple) and isinstance(some, tuple)
    apart = LEAVES_MOST * 20 + PER_HEX * 2 * sum(range(LEAVES_MOST // 2))
    assert sum(run.revenue for run in joined) == apart + PER_HEX * LEAVES_MOST // 2
    assert sum(run.revenue for run in some) < sum(run.revenue for run in joined)


@pytest.mark.parametrize("rule", ["one_route", "ends_meet"])
@pytest.mark.parametrize("leaves", [12, LEAVES_MOST])
def test_a_search_for_many_runs_with_a_common_end_ends(leaves: int, rule: FreightJoins) -> None:
    """With an answer that passes its check, and no other."""
    problem = replace(star(leaves, rule), options=Options(node_budget=1_000_000))
    answer = solve(problem)
    assert answer.revenue > 0
    assert verify_solution(problem, answer) is None
    other = replace(answer, runs=(replace(answer.runs[0], joined_trains=("x", "y")), *answer.runs[1:]))
    assert isinstance(verify_solution(problem, other), RunFault)
