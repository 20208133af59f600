"""Ripe boards for one network: 25 cities, 14 hexes of towns and plain track, off-board areas and ports around them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from services.routing.domain.problem import Parameters, RouteProblem, Segment, Stop, Train
from tests.routing.joint_boards import COMPANY, FULL

Cell = tuple[int, int]
SIDES = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
LAND_COUNT = 39
AREA_COUNT, PORT_COUNT = 4, 5


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
    rim = sorted({_beside(cell, side) for cell in land for side in range(6)} - set(land))
    stops: dict[str, Stop] = {}
    cities = land[: ripe.cities]
    home = draw.sample(cities, ripe.tokens + ripe.blocked)
    own, blocked = home[: ripe.tokens], home[ripe.tokens :]
    exits: dict[tuple[Cell, int], list[tuple[str, int]]] = {}
    for cell in cities:
        slots = (COMPANY,) if cell in own else FULL if cell in blocked else ("",)
        stops[_name(cell)] = Stop(
            _name(cell), "city", _name(cell), draw.randrange(30, 90, 10), slots, position=cell
        )
        for side in draw.sample(range(6), draw.choice(ripe.ways)):
            exits[cell, side] = [(_name(cell), -1)]
    for cell in land[ripe.cities :]:
        sides = draw.sample(range(6), 6)
        for number in range(draw.choice(ripe.pieces)):
            one, other = sides[2 * number], sides[2 * number + 1]
            if draw.random() < 0.7:
                name = f"{_name(cell)}.{number}"
                stops[name] = Stop(name, "town", name, 20, position=cell)
                exits[cell, one], exits[cell, other] = [(name, -1)], [(name, -1)]
            else:
                exits[cell, one], exits[cell, other] = [("", other)], [("", one)]
    for number, cell in enumerate(rim):
        kind, value = ("offboard", 120 + 20 * (number % 4)) if number < len(rim) * 3 // 5 else ("port", 110)
        group = number * (AREA_COUNT + PORT_COUNT) // len(rim)
        value = 100 + 10 * group
        kind = "offboard" if group < AREA_COUNT else "port"
        name = f"{kind}{_name(cell)}"
        stops[name] = Stop(
            name, "offboard" if kind == "offboard" else "port", f"{group}", value, position=cell
        )
        for side in range(6):
            exits[cell, side] = [(name, -1)]
    segments = {segment.id: segment for segment in _segments(stops, exits)}
    used = {name for segment in segments.values() for name in (segment.a, segment.b)}
    return RouteProblem(
        COMPANY,
        tuple(stop for stop in stops.values() if stop.id in used),
        tuple(segments.values()),
        trains,
        tuple(_name(cell) for cell in own if _name(cell) in used),
        "one_network",
        Parameters(home=_name(own[0]), bonus_per_hex=20, bonus_per_hex_port=30, subsidy_per_hex=10),
    )


def _segments(
    stops: dict[str, Stop], exits: dict[tuple[Cell, int], list[tuple[str, int]]]
) -> Iterator[Segment]:
    """Each way along track from a stop to the next, told from its smaller end."""
    for (cell, side), ends in exits.items():
        for name, _ in ends:
            if not name:
                continue
            path, lanes, here, out = [cell], [], cell, side
            while True:
                there, back = _beside(here, out), (out + 3) % 6
                if (there, back) not in exits or there in path:
                    break
                lanes.append(f"{_name(min(here, there))}/{_name(max(here, there))}")
                path.append(there)
                target, onward = exits[there, back][0]
                if target:
                    if name < target and not (stops[name].kind != "city" and _is_rim(stops, name, target)):
                        hexes = tuple(_name(each) for each in path)
                        yield Segment(" ".join(hexes) + name + target, name, target, tuple(lanes), hexes)
                    break
                here, out = there, onward


def _is_rim(stops: dict[str, Stop], one: str, other: str) -> bool:
    return all(stops[name].kind in ("port", "offboard") for name in (one, other))


def _patch(draw: random.Random) -> list[Cell]:
    """Hexes grown together, in random order."""
    cells = {(0, 0)}
    while len(cells) < LAND_COUNT:
        tries = [_beside(draw.choice(sorted(cells)), draw.randrange(6)) for _ in range(10)]
        new = [cell for cell in tries if cell not in cells]
        if new:
            cells.add(max(new, key=lambda cell: sum(_beside(cell, side) in cells for side in range(6))))
    return draw.sample(sorted(cells), LAND_COUNT)


def _beside(cell: Cell, side: int) -> Cell:
    return cell[0] + SIDES[side][0], cell[1] + SIDES[side][1]


def _name(cell: Cell) -> str:
    return f"{cell[0]:+d}{cell[1]:+d}"
