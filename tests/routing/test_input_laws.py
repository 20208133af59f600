"""Laws between two problems: what must not change the total, and what must never lower it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import msgspec
import pytest

from services.routing.domain.problem import RouteProblem, Segment, Stop, Train
from services.routing.domain.solver import solve
from tests.routing.boards import OTHER, SMALL_FAMILIES, SmallFamily, random_trains, small_board

BOARD_COUNT = 60
SCALE = 7

Money = tuple[int, int]
Change = Callable[[RouteProblem, random.Random], RouteProblem]
replace = msgspec.structs.replace


def money(problem: RouteProblem) -> Money:
    """Total by rank: what is maximised first, then what decides ties."""
    solution = solve(problem)
    assert solution.proven
    if problem.parameters.compare_treasury_income:
        return solution.revenue + solution.treasury_income, solution.revenue
    return solution.revenue, solution.treasury_income


def boards(family: SmallFamily) -> Iterable[tuple[RouteProblem, random.Random]]:
    """Small boards of the family, each with its own source of chance."""
    for seed in range(BOARD_COUNT):
        yield small_board(seed, random_trains(seed, family)), random.Random(seed)


def reordered(problem: RouteProblem, draw: random.Random) -> RouteProblem:
    """Stops, segments, tokens, trains and resources in another order."""
    segments = [
        replace(segment, resources=tuple(draw.sample(segment.resources, len(segment.resources))))
        for segment in problem.segments
    ]
    return replace(
        problem,
        stops=tuple(draw.sample(problem.stops, len(problem.stops))),
        segments=tuple(draw.sample(segments, len(segments))),
        trains=tuple(draw.sample(problem.trains, len(problem.trains))),
        token_stops=tuple(draw.sample(problem.token_stops, len(problem.token_stops))),
    )


def turned(problem: RouteProblem, draw: random.Random) -> RouteProblem:
    """Half of the segments given from their other end."""
    return replace(
        problem,
        segments=tuple(turn(segment) if draw.random() < 0.5 else segment for segment in problem.segments),
    )


def turn(segment: Segment) -> Segment:
    """The segment given from its other end."""
    return replace(
        segment,
        a=segment.b,
        b=segment.a,
        resources=segment.resources[::-1],
        hexes=segment.hexes[::-1],
        terminal_a=segment.terminal_b,
        terminal_b=segment.terminal_a,
    )


def renamed(problem: RouteProblem, draw: random.Random) -> RouteProblem:
    """Every id replaced by another, so that their order is another too."""
    numbers = draw.sample(range(10_000), 10_000)
    names: dict[tuple[str, str], str] = {}

    def new(sort: str, name: str) -> str:
        return names.setdefault((sort, name), f"{numbers[len(names)]}") if name else ""

    def stop(old: Stop) -> Stop:
        slots = tuple(new("company", name) for name in old.slots)
        tariffs = {new("tariff", name): value for name, value in old.tariffs.items()}
        return replace(
            old, id=new("stop", old.id), place=new("place", old.place), slots=slots, tariffs=tariffs
        )

    def segment(old: Segment) -> Segment:
        return replace(
            old,
            id=new("segment", old.id),
            a=new("stop", old.a),
            b=new("stop", old.b),
            resources=tuple(new("resource", name) for name in old.resources),
            hexes=tuple(new("hex", name) for name in old.hexes),
        )

    def train(old: Train) -> Train:
        return replace(old, id=new("train", old.id), tariff=new("tariff", old.tariff))

    return replace(
        problem,
        company=new("company", problem.company),
        stops=tuple(map(stop, problem.stops)),
        segments=tuple(map(segment, problem.segments)),
        trains=tuple(map(train, problem.trains)),
        token_stops=tuple(new("stop", name) for name in problem.token_stops),
    )


@pytest.mark.parametrize("change", [reordered, turned, renamed])
@pytest.mark.parametrize("family", SMALL_FAMILIES)
def test_how_a_problem_is_told_never_changes_the_total(family: SmallFamily, change: Change) -> None:
    """Another order, another direction of track, other names: the same money."""
    for problem, draw in boards(family):
        assert money(change(problem, draw)) == money(problem), problem


def with_a_train(problem: RouteProblem, draw: random.Random) -> RouteProblem:
    """One more train, a twin of one there or one of another sort."""
    other = draw.choice((*problem.trains, *random_trains(draw.randrange(1_000), "mixed")))
    return replace(problem, trains=(*problem.trains, replace(other, id="more")))


def with_a_segment(problem: RouteProblem, draw: random.Random) -> RouteProblem:
    """One more piece of track between any two stops."""
    a, b = draw.choice(problem.stops).id, draw.choice(problem.stops).id
    return replace(problem, segments=(*problem.segments, Segment("more", a, b, length=1)))


def with_an_open_city(problem: RouteProblem, draw: random.Random) -> RouteProblem:
    """One foreign token fewer, where there is one."""
    held = [number for number, stop in enumerate(problem.stops) if OTHER in stop.slots]
    if not held:
        return problem
    number = draw.choice(held)
    slots = list(problem.stops[number].slots)
    slots[slots.index(OTHER)] = ""
    stops = list(problem.stops)
    stops[number] = replace(stops[number], slots=tuple(slots))
    return replace(problem, stops=tuple(stops))


def with_a_token(problem: RouteProblem, draw: random.Random) -> RouteProblem:
    """One own token more, where there is a stop without one."""
    free = [stop.id for stop in problem.stops if stop.id not in problem.token_stops]
    return replace(problem, token_stops=(*problem.token_stops, draw.choice(free))) if free else problem


@pytest.mark.parametrize("change", [with_a_train, with_a_segment, with_an_open_city, with_a_token])
@pytest.mark.parametrize("family", SMALL_FAMILIES)
def test_more_to_choose_from_never_lowers_the_total(family: SmallFamily, change: Change) -> None:
    """A train, a segment, an own token more or a foreign one fewer: never less money."""
    for problem, draw in boards(family):
        assert money(change(problem, draw)) >= money(problem), problem


@pytest.mark.parametrize("family", SMALL_FAMILIES)
def test_scaled_revenues_scale_the_total(family: SmallFamily) -> None:
    """All revenues and tariffs seven times as high: seven times the total."""
    for problem, _ in boards(family):
        stops = tuple(
            replace(
                stop,
                revenue=stop.revenue * SCALE,
                tariffs={name: value * SCALE for name, value in stop.tariffs.items()},
            )
            for stop in problem.stops
        )
        primary, secondary = money(problem)
        assert money(replace(problem, stops=stops)) == (primary * SCALE, secondary * SCALE), problem
