"""Random valid problems at the limits of the format, of each rule family: as much of everything as validation admits."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations, cycle, islice, product
from typing import TypeAlias

from services.routing.domain.problem import (
    BONUS_COUNT_MAX,
    FACTOR_MAX,
    NETWORK_TRAIN_COUNT_MAX,
    REACH_MAX,
    REQUIREMENT_COUNT_MAX,
    RESOURCE_COUNT_MAX,
    REVENUE_MAX,
    SEGMENT_COUNT_MAX,
    STOP_COUNT_MAX,
    TRAIN_COUNT_MAX,
    Bonus,
    Family,
    Options,
    Parameters,
    Requirement,
    RouteProblem,
    Segment,
    Stop,
    StopKind,
    Train,
    TrainKind,
    Where,
)
from tests.routing.wide_boards import TARIFF, direct_terms, direct_trains, network_terms, separate_train

Pair: TypeAlias = tuple[int, int]
POSITION_SPAN = 100
FAMILIES: tuple[Family, ...] = ("separate_track", "one_network", "direct_routes")
VALUES: tuple[tuple[int, ...], ...] = (
    (0,),
    (20,),
    (10, 20, 30, 40, 50, 60, 70, 80),
    (7, 11, 13, 29, 31),
    (REVENUE_MAX // FACTOR_MAX,),
)
REACHES: tuple[tuple[int, ...], ...] = (
    (0,),
    (0, 0, 6, 5),
    (REACH_MAX,),
    (2,),
    (4, 5, 6),
    (12, 20, 30),
    tuple(range(1, 25)),
    (1, 2, 3, 9, 40, REACH_MAX),
)
# Resources of each segment, out of so many names.
RESOURCES: tuple[Pair, ...] = (
    (0, 1),
    (0, 1),
    (1, 60),
    (2, SEGMENT_COUNT_MAX),
    (20, SEGMENT_COUNT_MAX),
    (RESOURCE_COUNT_MAX, 250),
    (RESOURCE_COUNT_MAX, 2 * SEGMENT_COUNT_MAX),
)


def _star(draw: random.Random, count: int) -> Iterator[Pair]:
    """All lead to the first, so often as there is track for."""
    return islice(cycle((0, number) for number in range(1, count)), SEGMENT_COUNT_MAX)


def _hubs(draw: random.Random, count: int) -> Iterator[Pair]:
    """Each of the others leads to each of a few."""
    few = min(count - 1, draw.choice((2, 3, 10)))
    return cycle(product(range(few), range(few, count)))


def _wheel(draw: random.Random, count: int) -> Iterator[Pair]:
    """Rings around a hub."""
    return cycle(
        pair
        for number in range(1, count)
        for pair in ((0, number), (number, 1 + number % (count - 1)), (number, 1 + number % (count - 1)))
    )


def _all_joined(draw: random.Random, count: int) -> Iterator[Pair]:
    """Each with each."""
    return cycle(combinations(range(count), 2))


def _grid(draw: random.Random, count: int) -> Iterator[Pair]:
    """Rows and columns with both diagonals."""
    side = max(2, int(count**0.5))
    ways = ((0, 1), (1, 0), (1, 1), (1, -1))
    return cycle(
        (side * row + column, side * (row + down) + column + right)
        for row in range(side)
        for column in range(side)
        for down, right in ways
        if row + down < side and 0 <= column + right < side and side * side <= count
    )


def _row(draw: random.Random, count: int) -> Iterator[Pair]:
    """One after the other."""
    return cycle((number, number + 1) for number in range(count - 1))


def _tree(draw: random.Random, count: int) -> Iterator[Pair]:
    """Each leads to an earlier one; the rest goes back a little."""
    yield from ((draw.randrange(number), number) for number in range(1, count))
    while True:
        number = draw.randrange(1, count)
        yield max(0, number - draw.randrange(1, 9)), number


def _anyhow(draw: random.Random, count: int) -> Iterator[Pair]:
    """Any two stops."""
    while True:
        yield draw.randrange(count), draw.randrange(count)


def _crowds(draw: random.Random, count: int) -> Iterator[Pair]:
    """Stops in a few crowds, each joined to all of its own, one way from each crowd to the next."""
    size = draw.choice((5, 9, 20))
    ways = [
        pair
        for first in range(0, count, size)
        for pair in combinations(range(first, min(count, first + size)), 2)
    ]
    ways += [(first, first - 1) for first in range(size, count, size)]
    return cycle(ways)


SHAPES: dict[str, Callable[[random.Random, int], Iterator[Pair]]] = {
    "star": _star,
    "hubs": _hubs,
    "wheel": _wheel,
    "all joined": _all_joined,
    "grid": _grid,
    "row": _row,
    "tree": _tree,
    "anyhow": _anyhow,
    "crowds": _crowds,
}


def hostile_board(seed: int, family: Family, shape: str) -> RouteProblem:
    """A random problem of this family at the limits of the format, on track of this shape."""
    draw = random.Random(f"hostile {family} {shape} {seed}")
    count = draw.choice((2, 30, 90, 196, STOP_COUNT_MAX, STOP_COUNT_MAX, STOP_COUNT_MAX))
    most = draw.choice((count, 3 * count, SEGMENT_COUNT_MAX, SEGMENT_COUNT_MAX))
    values = draw.choice(VALUES)
    kinds = ["city", *draw.choices(draw.choice(KINDS[family]), k=count - 1)]
    shares_places = family == "separate_track" and draw.random() < 0.2
    stops = tuple(
        _stop(draw, number, kind, draw.choice(values), family, shares_places)
        for number, kind in enumerate(kinds)
    )
    pairs = list(islice(SHAPES[shape](draw, count), min(most, SEGMENT_COUNT_MAX)))
    resources = draw.choice(RESOURCES)
    segments = tuple(_segment(draw, number, pair, family, resources) for number, pair in enumerate(pairs))
    cities = [stop.id for stop in stops[1:] if stop.kind == "city"]
    others = draw.sample(cities, min(len(cities), draw.choice((0, 1, 6, STOP_COUNT_MAX))))
    names = [stop.id for stop in stops]
    return RouteProblem(
        "X",
        stops,
        segments,
        TRAINS[family](draw),
        (names[0], *others),
        family,
        PARAMETERS[family](draw, names),
        Options(explain=family != "direct_routes" and draw.random() < 0.3),
    )


KINDS: dict[Family, tuple[tuple[StopKind, ...], ...]] = {
    "separate_track": (
        ("city",),
        ("city", "town"),
        ("city", "city", "city", "town", "town", "offboard", "mine"),
    ),
    "one_network": (
        ("city",),
        ("city", "town"),
        ("city", "city", "city", "city", "town", "offboard", "port"),
    ),
    "direct_routes": (("city", "town"), ("town", "town", "town", "city"), ("town", "city", "mine")),
}


def _stop(
    draw: random.Random, number: int, kind: StopKind, value: int, family: Family, shares_place: bool
) -> Stop:
    position = draw.randint(-POSITION_SPAN, POSITION_SPAN), draw.randint(-POSITION_SPAN, POSITION_SPAN)
    slots = ("Y",) if number and kind == "city" and draw.random() < 0.1 else ()
    tariffs = {TARIFF: value + 10} if family == "separate_track" and draw.random() < 0.5 else {}
    place = f"p{number // 3}" if shares_place else f"p{number}"
    return Stop(f"s{number:03d}", kind, place, value, slots, tariffs, position)


def _segment(draw: random.Random, number: int, pair: Pair, family: Family, resources: Pair) -> Segment:
    each, names = resources
    a, b = (f"s{stop:03d}" for stop in pair)
    return Segment(
        f"t{number:04d}",
        a,
        b,
        tuple(f"r{name}" for name in draw.sample(range(names), each)),
        (f"h{a}", f"h{number}", f"h{b}"),
        terminal_b=draw.random() < 0.02,
        revenue=10 * draw.randrange(5) if family == "separate_track" and draw.random() < 0.3 else 0,
        cost=10 * draw.randrange(5) if family == "direct_routes" else 0,
    )


def _separate_trains(draw: random.Random) -> tuple[Train, ...]:
    reaches, is_plain = draw.choice(REACHES), draw.random() < 0.3
    return tuple(
        Train(f"T{number}", "normal", reach)
        if is_plain
        else separate_train(draw, f"T{number}", reach, (0, 0, 3, 40, REACH_MAX), (0, 4, 40, REACH_MAX))
        for number, reach in enumerate(islice(cycle(reaches), draw.choice((1, 2, 3, TRAIN_COUNT_MAX))))
    )


def _separate_terms(draw: random.Random, stops: list[str]) -> Parameters:
    bonuses: tuple[Bonus, ...] = ()
    match draw.randrange(4):
        case 1:
            bonuses = tuple(_bonus(draw, number, stops) for number in range(BONUS_COUNT_MAX))
        case 2:
            bonuses = (Bonus("mail", (dict.fromkeys(stops, 10),), runs=draw.choice((1, TRAIN_COUNT_MAX))),)
        case 3:
            half = len(stops) // 2
            groups = dict.fromkeys(stops[:half], 10), dict.fromkeys(stops[half:], 10)
            bonuses = (Bonus("east-west", groups, "ends", pays=100),)
    required: tuple[Requirement, ...] = ()
    if draw.random() < 0.3:
        wheres: tuple[Where, ...] = ("visited", "ends", "counted")
        required = tuple(
            Requirement(f"R{number}", tuple(stops[number::2] or stops), draw.choice(wheres))
            for number in range(draw.choice((1, REQUIREMENT_COUNT_MAX)))
        )
        bonuses = tuple(bonus for bonus in bonuses if bonus.where in ("visited", "ends"))
    return Parameters(
        compare_treasury_income=draw.random() < 0.5,
        bonuses=bonuses,
        requirements=required,
        places_once=draw.choice(("run", "run", "company")),
    )


def _bonus(draw: random.Random, number: int, stops: list[str]) -> Bonus:
    """One of them must be counted; so many may be left out that there are 128 sets."""
    names = draw.sample(stops, min(len(stops), draw.choice((9, 30, STOP_COUNT_MAX))))
    wheres: tuple[Where, ...] = ("counted_ends", "ends", "visited")
    where, is_optional = wheres[min(number, 2)], number < 7
    parts = min(len(names), draw.randint(1, 2 if where != "visited" else 3) if is_optional else 1)
    groups = tuple(dict.fromkeys(names[part::parts], draw.choice((10, 20))) for part in range(parts))
    return Bonus(f"B{number}", groups, where, pays=30 * is_optional, runs=int(number == 3))


def _network_trains(draw: random.Random) -> tuple[Train, ...]:
    """Of one kind, or of all; alike, or each with another reach; some, all or none must join."""
    kinds: tuple[TrainKind, ...] = draw.choice(
        (("freight",), ("freight",), ("local",), ("express",), ("freight", "local", "express"))
    )
    reaches = [max(1, reach) for reach in draw.choice(REACHES)]
    joining = draw.choice((0.0, 0.0, 0.5, 1.0))
    trains = []
    for number in range(draw.choice((1, 3, 8, NETWORK_TRAIN_COUNT_MAX, NETWORK_TRAIN_COUNT_MAX))):
        kind, reach = kinds[number % len(kinds)], reaches[number % len(reaches)]
        counts = draw.choice((0, 2, 3, REACH_MAX)) if kind != "freight" else 0
        joins = kind == "freight" and draw.random() < joining
        trains.append(Train(f"T{number:02d}", kind, reach, counts=counts, joins=joins))
    return tuple(trains)


TRAINS: dict[Family, Callable[[random.Random], tuple[Train, ...]]] = {
    "separate_track": _separate_trains,
    "one_network": _network_trains,
    "direct_routes": direct_trains,
}
PARAMETERS: dict[Family, Callable[[random.Random, list[str]], Parameters]] = {
    "separate_track": _separate_terms,
    "one_network": network_terms,
    "direct_routes": direct_terms,
}
