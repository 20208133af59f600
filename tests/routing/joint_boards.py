"""Boards of hexes for one network, described in a few words."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from itertools import pairwise

import msgspec

from services.routing.domain.problem import (
    LockedRun,
    Parameters,
    RouteProblem,
    Segment,
    Stop,
    StopKind,
    Train,
)

COMPANY = "X"
FULL = ("Y",)
KINDS: dict[str, StopKind] = {"C": "city", "F": "city", "t": "town", "o": "offboard", "p": "port"}


def position(hex_name: str) -> tuple[int, int]:
    """Axial coordinates of a hex named by column and row, where neighbours in a column are two rows apart."""
    column, row = ord(hex_name[0]) - ord("A"), int(hex_name[1:])
    return column, (row - column) // 2


def stop(name: str, kind: str, value: int, hex_name: str, place: str = "") -> Stop:
    """A stop; kind C is a city, F one full of others' tokens, t a town, o off the board, p a port."""
    slots = FULL if kind == "F" else ()
    return Stop(name, KINDS[kind], place or name, value, slots, position=position(hex_name))


def track(a: str, b: str, hexes: str, *resources: str) -> Segment:
    """Track between two stops through hexes given as text."""
    return Segment(f"{a}-{b}", a, b, resources, tuple(hexes.split()))


def freight(reach: int, name: str = "") -> Train:
    """A freight train of this number; those from 6 need not join."""
    return Train(name or f"{reach}F", "freight", reach, joins=reach < 6)


def local(reach: int, counts: int = 0, name: str = "") -> Train:
    """A local train."""
    return Train(name or f"{reach}L", "local", reach, counts=counts)


def express(reach: int, counts: int = 0, name: str = "") -> Train:
    """An express train."""
    return Train(name or f"{reach}E", "express", reach, counts=counts)


def network_problem(
    stops: Iterable[Stop], segments: Iterable[Segment], trains: Iterable[Train], tokens: str, home: str
) -> RouteProblem:
    """A problem with the money of 1862; `tokens` are the names of stops in one text."""
    return RouteProblem(
        COMPANY,
        tuple(stops),
        tuple(segments),
        tuple(trains),
        tuple(tokens.split()),
        family="one_network",
        parameters=Parameters(home=home, bonus_per_hex=20, bonus_per_hex_port=30, subsidy_per_hex=10),
    )


def claim(problem: RouteProblem, train: str, stops: str) -> LockedRun:
    """The claim that a train runs over these stops, by the first piece of track that joins each two."""
    names = tuple(stops.split())
    segments = [
        next(each.id for each in problem.segments if {each.a, each.b} == {here, there})
        for here, there in pairwise(names)
    ]
    return LockedRun(train, names, tuple(segments))


# Around the middle m, in which all runs end: a and b opposite each other, c beside a.
STAR = (("a", 50, "C3"), ("b", 40, "C7"), ("c", 30, "D4"))


def three_that_meet() -> RouteProblem:
    """Three trains of one hex side each, whose only ways lead to the middle of a star."""
    stops = [stop("m", "C", 10, "C5"), *(stop(name, "C", value, at) for name, value, at in STAR)]
    segments = [track("m", name, f"C5 {at}") for name, _, at in STAR]
    trains = [Train(name, "freight", 1) for name in "XYZ"]
    problem = network_problem(stops, segments, trains, "m", "m")
    parameters = msgspec.structs.replace(problem.parameters, freight_joins="ends_meet")
    return msgspec.structs.replace(problem, parameters=parameters)


TRAIN_MIXES = (
    "freight",
    "joined",
    "freight and joined",
    "permanent",
    "local",
    "express",
    "local and express",
    "all kinds",
)


def random_network(seed: int, mix: str) -> RouteProblem:
    """A random board of a few stops that holds every oddity of the contract, and one to three trains of a mix."""
    draw = random.Random(f"{mix} {seed}")
    count = draw.randint(4, 7)
    cells = draw.sample([(q, r) for q in range(-3, 4) for r in range(-3, 4)], count)
    stops = _random_stops(draw, cells)
    segments = tuple(
        _random_segment(draw, number, stops) for number in range(draw.randint(count - 1, count + 4))
    )
    cities = [each.id for each in stops if each.kind == "city"]
    tokens = tuple(name for name in cities if draw.random() < 0.6)
    home = draw.choice((*cities, *tokens * 3, "")) if draw.random() < 0.95 else ""
    parameters = Parameters(
        compare_treasury_income=draw.random() < 0.5,
        home=home,
        links=draw.choice(("cities", "cities", "any_stop")),
        freight_joins=draw.choice(("one_route", "one_route", "ends_meet")),
        bonus_per_hex=20,
        bonus_per_hex_port=30,
        subsidy_per_hex=draw.choice((0, 10, 10)),
    )
    return RouteProblem(COMPANY, stops, segments, _random_mix(draw, mix), tokens, "one_network", parameters)


def random_meeting(seed: int) -> RouteProblem:
    """A board of few stops on which many freight runs meet, wherever their ends do, and two to four trains."""
    draw = random.Random(f"meeting {seed}")
    count = draw.randint(3, 5)
    stops = _random_stops(draw, draw.sample([(q, r) for q in range(-2, 3) for r in range(-2, 3)], count))
    segments = tuple(
        _random_segment(draw, number, stops) for number in range(draw.randint(count - 1, count + 2))
    )
    freight_count, joining = draw.choice((2, 3, 3, 4)), draw.choice((0.3, 0.3, 1))
    trains = [
        Train(f"T{number}", "freight", draw.choice((1, 1, 2, 3)), joins=draw.random() < joining)
        for number in range(freight_count)
    ]
    if freight_count < 4 and draw.random() < 0.5:
        trains.append(Train("X", draw.choice(("local", "express")), draw.choice((2, 3))))
    cities = tuple(each.id for each in stops if each.kind == "city")
    parameters = Parameters(
        compare_treasury_income=draw.random() < 0.5,
        home=draw.choice(cities) if cities else "",
        links=draw.choice(("cities", "any_stop")),
        freight_joins="ends_meet",
        bonus_per_hex=20,
        bonus_per_hex_port=30,
        subsidy_per_hex=10,
    )
    tokens = tuple(name for name in cities if draw.random() < 0.8)
    return RouteProblem(COMPANY, stops, segments, tuple(trains), tokens, "one_network", parameters)


def _random_stops(draw: random.Random, cells: list[tuple[int, int]]) -> tuple[Stop, ...]:
    stops: list[Stop] = []
    for number, cell in enumerate(cells):
        kinds: tuple[StopKind, ...] = ("city", "town", "offboard", "port")
        kind = draw.choices(kinds, weights=(9, 3, 2, 2))[0]
        name, place, value = f"s{number}", f"P{number}", draw.choice((0, 10, 20, 30, 40, 50))
        if stops and draw.random() < 0.2:
            other = draw.choice(stops)
            place, value = other.place, other.revenue
            if other.kind in ("offboard", "port"):
                name, kind = f"{other.id.partition('@')[0]}@{number}", other.kind
        slots = tuple(draw.choice(("", "Y", "Y")) for _ in range(draw.choice((0, 0, 1))))
        slots = slots if kind == "city" else ()
        beyond = 1 if kind in ("port", "offboard") and draw.random() < 0.5 else 0
        stops.append(Stop(name, kind, place, value, slots, position=cell, beyond=beyond))
    return tuple(stops)


def _random_segment(draw: random.Random, number: int, stops: tuple[Stop, ...]) -> Segment:
    a, b = (each.id for each in draw.sample(stops, 2)) if draw.random() < 0.95 else (stops[0].id,) * 2
    resources = tuple(f"r{draw.randrange(8)}" for _ in range(draw.choice((0, 0, 1, 2))))
    between = tuple(f"h{draw.randrange(20)}" for _ in range(draw.choice((0, 0, 1, 2))))
    return Segment(
        f"t{number}",
        a,
        b,
        resources,
        (f"h{a}", *between, f"h{b}"),
        draw.random() < 0.08,
        draw.random() < 0.08,
    )


def _random_mix(draw: random.Random, mix: str) -> tuple[Train, ...]:
    makers: dict[str, Callable[[str], Train]] = {
        "joined": lambda name: Train(name, "freight", draw.choice((1, 2, 2, 3)), joins=True),
        "permanent": lambda name: Train(name, "freight", draw.choice((2, 3, 4))),
        "local": lambda name: Train(
            name, "local", draw.choice((2, 3, 3, 4)), counts=draw.choice((0, 0, 1, 2, 3))
        ),
        "express": lambda name: Train(
            name, "express", draw.choice((2, 3, 3, 4)), counts=draw.choice((0, 0, 1, 2, 3))
        ),
    }
    of_mix = {
        "freight": ("joined", "permanent"),
        "freight and joined": ("joined", "joined", "permanent"),
        "local and express": ("local", "express"),
        "all kinds": tuple(makers),
    }
    kinds = of_mix.get(mix, (mix,))
    return tuple(makers[draw.choice(kinds)](f"T{number}") for number in range(draw.randint(1, 3)))
