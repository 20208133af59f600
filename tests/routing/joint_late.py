"""Ripe boards for one network: cities, hexes of towns and plain track, off-board areas and ports all around."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from services.routing.domain.problem import Parameters, RouteProblem, Segment, Stop, StopKind, Train
from tests.routing.joint_boards import COMPANY, FULL

Cell = tuple[int, int]
SIDES = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
LAND_COUNT = 39
AREA_COUNT, PORT_COUNT = 4, 5
PATCH_TRIES = 10
TOWN_SHARE = 0.7


class Ripe(NamedTuple):
    """How much is on the land: cities, ways out of each and pieces of track on a hex without one; what holds tokens."""

    cities: int = 25
    ways: tuple[int, ...] = (4, 5, 5, 6)
    pieces: tuple[int, ...] = (2, 3, 3)
    tokens: int = 6
    blocked: int = 5


RIPE_BOARDS = {
    "ripe": Ripe(),
    "dense": Ripe(31, (5, 6, 6, 6), (3,)),
    "one token": Ripe(tokens=1, blocked=9),
}


def late_network(seed: int, trains: tuple[Train, ...], ripe: Ripe = RIPE_BOARDS["ripe"]) -> RouteProblem:
    """A board as late in the game as can be."""
    draw = random.Random(seed)
    land = _patch(draw)
    marked = draw.sample(land[: ripe.cities], ripe.tokens + ripe.blocked)
    own, blocked = marked[: ripe.tokens], marked[ripe.tokens :]
    laid = _Laid({}, {})
    for cell in land[: ripe.cities]:
        slots = (COMPANY,) if cell in own else FULL if cell in blocked else ("",)
        _lay_city(draw, laid, cell, slots, ripe)
    for cell in land[ripe.cities :]:
        _lay_track(draw, laid, cell, ripe)
    _lay_rim(laid, land)
    segments = {segment.id: segment for segment in _segments(laid)}
    used = {name for segment in segments.values() for name in (segment.a, segment.b)}
    return RouteProblem(
        COMPANY,
        tuple(stop for stop in laid.stops.values() if stop.id in used),
        tuple(segments.values()),
        trains,
        tuple(_name(cell) for cell in own if _name(cell) in used),
        "one_network",
        Parameters(home=_name(own[0]), bonus_per_hex=20, bonus_per_hex_port=30, subsidy_per_hex=10),
    )


class _Laid(NamedTuple):
    """Stops by name, and what track leads to from the side of a hex: a stop by name, or another side of the hex."""

    stops: dict[str, Stop]
    leads: dict[tuple[Cell, int], str | int]


def _lay_city(draw: random.Random, laid: _Laid, cell: Cell, slots: tuple[str, ...], ripe: Ripe) -> None:
    name, value = _name(cell), draw.randrange(30, 90, 10)
    laid.stops[name] = Stop(name, "city", name, value, slots, position=cell)
    for side in draw.sample(range(6), draw.choice(ripe.ways)):
        laid.leads[cell, side] = name


def _lay_track(draw: random.Random, laid: _Laid, cell: Cell, ripe: Ripe) -> None:
    """Pieces of track that cross each other, most of them with a town."""
    sides = draw.sample(range(6), 6)
    for number in range(draw.choice(ripe.pieces)):
        one, other = sides[2 * number : 2 * number + 2]
        if draw.random() < TOWN_SHARE:
            name = f"{_name(cell)}.{number}"
            laid.stops[name] = Stop(name, "town", name, 20, position=cell)
            laid.leads[cell, one] = laid.leads[cell, other] = name
        else:
            laid.leads[cell, one], laid.leads[cell, other] = other, one


def _lay_rim(laid: _Laid, land: list[Cell]) -> None:
    """Areas and ports of several hexes each, a stop for every way in."""
    rim = sorted({_beside(cell, side) for cell in land for side in range(6)} - set(land))
    for number, cell in enumerate(rim):
        group = number * (AREA_COUNT + PORT_COUNT) // len(rim)
        kind: StopKind = "offboard" if group < AREA_COUNT else "port"
        for side in range(6):
            if _beside(cell, side) in land:
                name = f"{kind}{_name(cell)}@{_name(_beside(cell, side))}"
                value, before = 100 + 10 * group, _beside(cell, side)
                laid.stops[name] = Stop(name, kind, f"{group}", value, position=before, beyond=1)
                laid.leads[cell, side] = name


def _segments(laid: _Laid) -> Iterator[Segment]:
    """Each way along track from a stop to the next, listed from its smaller end."""
    for (cell, side), name in laid.leads.items():
        if isinstance(name, int):
            continue
        path, sides, here, out = [cell], [], cell, side
        while True:
            there = _beside(here, out)
            lead = laid.leads.get((there, (out + 3) % 6))
            if lead is None or there in path:
                break
            sides.append(f"{_name(min(here, there))}/{_name(max(here, there))}")
            path.append(there)
            if isinstance(lead, str):
                if name < lead:
                    hexes = tuple(map(_name, path))
                    yield Segment(f"{name} {' '.join(hexes)} {lead}", name, lead, tuple(sides), hexes)
                break
            here, out = there, lead


def _patch(draw: random.Random) -> list[Cell]:
    """Hexes grown together, in random order."""
    cells = {(0, 0)}
    while len(cells) < LAND_COUNT:
        tries = [_beside(draw.choice(sorted(cells)), draw.randrange(6)) for _ in range(PATCH_TRIES)]
        new = [cell for cell in tries if cell not in cells]
        if new:
            cells.add(max(new, key=lambda cell: sum(_beside(cell, side) in cells for side in range(6))))
    return draw.sample(sorted(cells), LAND_COUNT)


def _beside(cell: Cell, side: int) -> Cell:
    return cell[0] + SIDES[side][0], cell[1] + SIDES[side][1]


def _name(cell: Cell) -> str:
    return f"{cell[0]:+d}{cell[1]:+d}"
