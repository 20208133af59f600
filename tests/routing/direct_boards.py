"""Small random boards for direct routes, and boards of a hex grid like those of 1865."""

from __future__ import annotations

import random
from itertools import combinations

from hypothesis import strategies as st

from services.routing.domain.problem import (
    SEGMENT_COUNT_MAX,
    STOP_COUNT_MAX,
    Parameters,
    RouteProblem,
    Segment,
    Stop,
    StopKind,
    Train,
)

COMPANY = "X"
SLOTS = ((), ("",), ("X",), ("Y",), ("Y", ""), ("X", ""))
RESOURCES = ("north", "south", "west")


@st.composite
def small_boards(draw: st.DrawFn) -> RouteProblem:
    """Up to five towns and five cities and mines, with parallel track, shared resources and terminal ends."""
    ends = draw(st.integers(1, 5))
    towns = draw(st.integers(0, 5))
    stops = tuple(
        [_stop(draw, f"c{number}", draw(st.sampled_from(("city", "city", "mine")))) for number in range(ends)]
        + [_stop(draw, f"t{number}", "town") for number in range(towns)]
    )
    names = [stop.id for stop in stops]
    segments = tuple(_segment(draw, f"s{number}", names) for number in range(draw(st.integers(0, 12))))
    cities = [stop.id for stop in stops if stop.kind != "town"]
    goals = tuple(draw(st.lists(st.sampled_from(cities), unique=True, max_size=2)))
    return RouteProblem(
        COMPANY,
        stops,
        segments,
        tuple(
            Train(f"{reach}-{number}", "normal", reach)
            for number, reach in enumerate(draw(st.lists(st.sampled_from((8, 14, 20)), max_size=3)))
        ),
        tuple(draw(st.lists(st.sampled_from(cities), unique=True, max_size=2))),
        family="direct_routes",
        parameters=Parameters(
            traffic=draw(st.integers(0, 40)), coverage_beside=draw(st.sampled_from((0, 8, 16))), goals=goals
        ),
    )


def _stop(draw: st.DrawFn, name: str, kind: StopKind) -> Stop:
    """Some stops of a kind are two of one place."""
    place = draw(st.sampled_from((name, name, name, "shared")))
    slots = () if kind == "town" else draw(st.sampled_from(SLOTS))
    return Stop(name, kind, place, draw(st.integers(0, 4)), slots)


def _segment(draw: st.DrawFn, name: str, stops: list[str]) -> Segment:
    return Segment(
        name,
        draw(st.sampled_from(stops)),
        draw(st.sampled_from(stops)),
        tuple(draw(st.lists(st.sampled_from(RESOURCES), max_size=1))),
        terminal_a=draw(st.sampled_from((False, False, False, True))),
        terminal_b=draw(st.sampled_from((False, False, False, True))),
        cost=draw(st.sampled_from((0, 10, 10, 20, 40, 60, 70))),
    )


def dense_board(towns: int, cities: int, seed: int) -> RouteProblem:
    """A network of towns in which each is joined to a few others, with cities around it; tokens in two of them."""
    chance = random.Random(seed)
    stops = [Stop(f"t{number}", "town", f"t{number}", chance.randint(1, 3)) for number in range(towns)]
    stops += [
        Stop(f"c{number}", "city", f"c{number}", chance.randint(2, 9), ("",)) for number in range(cities)
    ]
    pairs = list(combinations(range(towns), 2))
    chosen = chance.sample(pairs, min(len(pairs), 2 * towns))
    segments = [
        Segment(f"{one}-{other}", f"t{one}", f"t{other}", cost=chance.choice((10, 20, 40, 60, 70)))
        for one, other in sorted(chosen)
    ]
    segments += [
        Segment(f"c{number}", f"c{number}", f"t{chance.randrange(towns)}", cost=chance.choice((10, 40, 60)))
        for number in range(cities)
    ]
    return RouteProblem(
        COMPANY,
        tuple(stops),
        tuple(segments),
        (Train("8", "normal", 8),),
        ("c0", "c1"),
        family="direct_routes",
    )


def largest_board() -> RouteProblem:
    """As many stops and segments as a problem may have: a wide network of towns with a city beside each."""
    chance = random.Random(7)
    half = STOP_COUNT_MAX // 2
    stops = [Stop(f"t{number}", "town", f"t{number}", chance.randint(1, 3)) for number in range(half)]
    stops += [Stop(f"c{number}", "city", f"c{number}", chance.randint(2, 9), ("",)) for number in range(half)]
    ends = [(f"c{number}", f"t{number}") for number in range(half)]
    ends += [
        (f"t{number}", f"t{(number + chance.randint(1, 20)) % half}")
        for number in (chance.randrange(half) for _ in range(SEGMENT_COUNT_MAX - half))
    ]
    segments = tuple(
        Segment(f"s{number}", one, other, cost=chance.choice((10, 20, 40, 60)))
        for number, (one, other) in enumerate(ends)
    )
    return RouteProblem(
        COMPANY, tuple(stops), segments, (Train("8", "normal", 8),), ("c0", "c1"), family="direct_routes"
    )
