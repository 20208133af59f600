"""Boards of hexes for one network, told in a few words."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from msgspec.structs import replace

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


def entered(stop: Stop, segments: Iterable[Segment]) -> Stop:
    """A port or red area lies where the hex lies by which it is entered; here there is one way in."""
    if stop.kind not in ("offboard", "port"):
        return stop
    before = [
        each.hexes[1] if each.a == stop.id else each.hexes[-2]
        for each in segments
        if stop.id in (each.a, each.b)
    ]
    return replace(stop, position=position(before[0])) if before else stop


def track(a: str, b: str, hexes: str, *resources: str) -> Segment:
    """Track between two stops through hexes told as text."""
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
    ways = tuple(segments)
    return RouteProblem(
        COMPANY,
        tuple(entered(stop, ways) for stop in stops),
        ways,
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
