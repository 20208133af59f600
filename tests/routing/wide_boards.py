"""Valid problems that are as large and as awkward as the format allows: stars, hubs and grids with all kinds of trains."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from typing import TypeAlias

from services.routing.domain.problem import (
    BONUS_COUNT_MAX,
    NETWORK_TRAIN_COUNT_MAX,
    REACH_MAX,
    TRAIN_COUNT_MAX,
    Bonus,
    Family,
    Measure,
    Parameters,
    Requirement,
    RouteProblem,
    Segment,
    Stop,
    StopKind,
    TownRule,
    Train,
    TrainKind,
    Where,
)

Pair: TypeAlias = tuple[int, int]
COMPANY = "X"
TARIFF = "fast"
POSITION_SPAN = 60
# Trains of one network, from the fewest at which ways of joining them are too many to try.
NETWORK_TRAINS_LEAST = 10
ALL_CITIES_SHARE = 0.3
TRAIN_KINDS: tuple[tuple[TrainKind, ...], ...] = (
    ("freight",),
    ("freight",),
    ("local",),
    ("express",),
    ("freight", "local", "express"),
)
REACHES = (1, 1, 2, 2, 3, 5, 9, 40, REACH_MAX)


def _star(draw: random.Random, count: int) -> Iterator[Pair]:
    """All lead to the first."""
    return ((0, number) for number in range(1, count))


def _two_hubs(draw: random.Random, count: int) -> Iterator[Pair]:
    """All lead to the first two, which several ways join."""
    yield from [(0, 1)] * 4
    for number in range(2, count):
        yield from ((0, number), (1, number))


def _wheel(draw: random.Random, count: int) -> Iterator[Pair]:
    """A ring around a hub."""
    yield from _star(draw, count)
    yield from pairwise([*range(1, count), 1])


def _all_joined(draw: random.Random, count: int) -> Iterator[Pair]:
    """Each with each of a few, and in threads from there."""
    core = min(count, 12)
    yield from combinations(range(core), 2)
    yield from ((number % core, number) for number in range(core, count))


def _grid(draw: random.Random, count: int) -> Iterator[Pair]:
    """Rows and columns with one diagonal."""
    side = max(2, int(count**0.5))
    for number in range(count):
        yield from (
            (number, other)
            for other, is_beside in (
                (number + 1, (number + 1) % side != 0),
                (number + side, True),
                (number + side + 1, (number + 1) % side != 0),
            )
            if is_beside and other < count
        )


def _row(draw: random.Random, count: int) -> Iterator[Pair]:
    """One after the other, two ways each."""
    yield from [*pairwise(range(count))] * 2


SHAPES: dict[str, Callable[[random.Random, int], Iterator[Pair]]] = {
    "star": _star,
    "two hubs": _two_hubs,
    "wheel": _wheel,
    "all joined": _all_joined,
    "grid": _grid,
    "row": _row,
}


def wide_board(seed: int, family: Family, shape: str) -> RouteProblem:
    """A random problem of this family, of many trains, on track of this shape."""
    draw = random.Random(f"{family} {shape} {seed}")
    count = draw.choice((12, 25, 40, 40, 90))
    values = draw.choice(((0,), (20,), (10, 20, 30, 40, 50, 60, 70, 80), (7, 11, 13, 29, 31)))
    kinds = _kinds(draw, family, count)
    stops = tuple(_stop(draw, number, kind, draw.choice(values), family) for number, kind in enumerate(kinds))
    pairs = list(SHAPES[shape](draw, count))
    segments = tuple(_segment(draw, number, pair, family) for number, pair in enumerate(pairs))
    cities = [stop.id for stop in stops if stop.kind == "city"]
    tokens = tuple(
        dict.fromkeys((stops[0].id, *draw.sample(cities, min(len(cities), draw.choice((0, 1, 6))))))
    )
    trains = {"separate_track": _separate_trains, "one_network": _network_trains}.get(family, direct_trains)
    parameters = {"separate_track": _separate_terms, "one_network": network_terms}.get(family, direct_terms)
    return RouteProblem(
        COMPANY, stops, segments, trains(draw), tokens, family, parameters(draw, [stop.id for stop in stops])
    )


def _kinds(draw: random.Random, family: Family, count: int) -> list[StopKind]:
    """The first stop, where tracks meet, is a city."""
    kinds: tuple[StopKind, ...] = ("city", "city", "town", "town", "mine")
    if family == "separate_track":
        kinds = ("city", "city", "city", "town", "town", "offboard", "mine")
    elif family == "one_network":
        kinds = ("city", "city", "city", "city", "town", "offboard", "port")
    if draw.random() < ALL_CITIES_SHARE:
        kinds = ("city",)
    return ["city", *draw.choices(kinds, k=count - 1)]


def _stop(draw: random.Random, number: int, kind: StopKind, value: int, family: Family) -> Stop:
    position = draw.randint(-POSITION_SPAN, POSITION_SPAN), draw.randint(-POSITION_SPAN, POSITION_SPAN)
    slots = ("Y",) if number and kind == "city" and draw.random() < 0.1 else ()
    tariffs = {TARIFF: value + 10} if family == "separate_track" and draw.random() < 0.5 else {}
    name = f"s{number:03d}"
    return Stop(name, kind, name, value, slots, tariffs, position)


def _segment(draw: random.Random, number: int, pair: Pair, family: Family) -> Segment:
    resources = (f"r{draw.randrange(60)}",) if draw.random() < 0.1 else ()
    a, b = (f"s{each:03d}" for each in pair)
    is_paid = family == "separate_track" and draw.random() < 0.3
    return Segment(
        f"t{number:04d}",
        a,
        b,
        resources,
        (f"h{a}", f"h{number}", f"h{b}"),
        terminal_b=draw.random() < 0.02,
        revenue=10 * draw.randrange(5) if is_paid else 0,
        cost=10 * draw.randrange(5) if family == "direct_routes" else 0,
    )


def _network_trains(draw: random.Random) -> tuple[Train, ...]:
    """Of one kind, or of all; alike, or each with another reach; some, all or none must join."""
    kinds: tuple[TrainKind, ...] = draw.choice(TRAIN_KINDS)
    count = draw.randint(NETWORK_TRAINS_LEAST, NETWORK_TRAIN_COUNT_MAX)
    joining = draw.choice((0.0, 0.0, 0.5, 1.0))
    reaches = draw.choice(((2,), (3,), REACHES, tuple(range(1, 25))))
    trains = []
    for number in range(count):
        kind, reach = kinds[number % len(kinds)], reaches[number % len(reaches)]
        counts = draw.choice((0, 2, 3)) if kind != "freight" else 0
        joins = kind == "freight" and draw.random() < joining
        trains.append(Train(f"T{number:02d}", kind, reach, counts=counts, joins=joins))
    return tuple(trains)


def network_terms(draw: random.Random, stops: list[str]) -> Parameters:
    """Terms of one network, by chance."""
    return Parameters(
        compare_treasury_income=draw.random() < 0.5,
        home=stops[0],
        links=draw.choice(("cities", "any_stop")),
        freight_joins=draw.choice(("one_route", "ends_meet")),
        bonus_per_hex=draw.choice((0, 10)),
        bonus_per_hex_port=30,
        subsidy_per_hex=draw.choice((0, 10)),
    )


def _separate_trains(draw: random.Random) -> tuple[Train, ...]:
    count = draw.choice((2, 4, TRAIN_COUNT_MAX))
    reaches = draw.choice(((0,), (0, 0, 6, 5), (4,), REACHES))
    return tuple(
        separate_train(draw, f"T{number}", reaches[number % len(reaches)], (0, 0, 3, 40), (0, 2, 4, 40))
        for number in range(count)
    )


def separate_train(
    draw: random.Random, name: str, reach: int, counts: tuple[int, ...], town_reaches: tuple[int, ...]
) -> Train:
    """A train on track of its own, by chance; where it counts so few stops, or so many towns, these are drawn."""
    kind: TrainKind = draw.choice(("normal", "normal", "normal", "goods"))
    measure: Measure = draw.choice(("stops", "stops", "hexes"))
    towns: TownRule = draw.choice(
        ("stop", "stop", "free", "skip", "extra") if measure == "stops" else ("stop", "free")
    )
    return Train(
        name,
        kind,
        reach,
        towns,
        counts=draw.choice(counts) if kind == "normal" and towns == "stop" else 0,
        measure=measure,
        tariff=draw.choice(("", TARIFF)),
        town_reach=draw.choice(town_reaches) if towns == "extra" else 0,
        factor=draw.choice((1, 1, 2)),
        only_tokens=draw.random() < 0.1,
    )


def _separate_terms(draw: random.Random, stops: list[str]) -> Parameters:
    bonuses = tuple(
        _bonus(draw, number, stops) for number in range(draw.choice((0, 0, 1, 3, BONUS_COUNT_MAX)))
    )
    if draw.random() < 0.3:
        bonuses = (*bonuses[1:], Bonus("mail", (dict.fromkeys(stops, 10),), runs=1))
    required = (Requirement("token", tuple(stops[: len(stops) // 2])),) if draw.random() < 0.3 else ()
    return Parameters(
        compare_treasury_income=draw.random() < 0.5,
        bonuses=bonuses,
        requirements=required,
        places_once=draw.choice(("run", "run", "company")),
    )


def _bonus(draw: random.Random, number: int, stops: list[str]) -> Bonus:
    """At most one of them must be counted, at most five may be left out."""
    names = draw.sample(stops, min(len(stops), 9))
    wheres: tuple[Where, ...] = ("counted_ends", "ends", "visited")
    where = wheres[min(number, 2)]
    is_optional = number < 5
    groups = draw.randint(1, 2 if where != "visited" else 3) if is_optional else 1
    parts = tuple(dict.fromkeys(names[each::groups], draw.choice((10, 20))) for each in range(groups))
    return Bonus(
        f"B{number}", parts, where, pays=30 if is_optional else 0, runs=int(is_optional and number == 3)
    )


def direct_trains(draw: random.Random) -> tuple[Train, ...]:
    """Trains for direct routes, by chance."""
    return tuple(
        Train(f"T{number}", "normal", draw.choice((8, 14, 40))) for number in range(draw.randint(1, 24))
    )


def direct_terms(draw: random.Random, stops: list[str]) -> Parameters:
    """Terms of direct routes, by chance."""
    return Parameters(traffic=draw.randint(0, 400), coverage_beside=draw.choice((0, 8)))
