"""Boards for the solver's tests: small wild ones for the oracle, large ones with the density of a late game."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Literal, get_args

import msgspec

from services.routing.domain.problem import (
    Measure,
    Parameters,
    RouteProblem,
    Segment,
    Stop,
    StopKind,
    TownRule,
    Train,
    TrainKind,
)

SmallFamily = Literal["normal", "goods", "normal+goods", "skip", "counts", "hexes", "mixed"]
Cell = tuple[int, int]

SMALL_FAMILIES: tuple[SmallFamily, ...] = get_args(SmallFamily)
TOWN_RULES: tuple[TownRule, ...] = ("stop", "skip", "free")
TOWN_RULES_OF_HEXES: tuple[TownRule, ...] = ("stop", "free")
COMPANY = "X"
OTHER = "Y"
TARIFF = "fast"
STOP_COUNT = 45
COMPACT_TRIES = 12
SIDES = ((1, 0), (0, 1), (-1, 1))


def small_board(seed: int, trains: tuple[Train, ...]) -> RouteProblem:
    """A random board of a few stops that holds every oddity of the contract.

    Shared places, parallel track, resources that several segments share, terminals, blocked stops, several own
    tokens, tariffs, lengths given by hexes or by number or not at all.
    """
    draw = random.Random(seed)
    kinds: list[StopKind] = draw.choices(
        ("city", "town", "offboard", "mine", "port"),
        weights=(9, 5, 1, 3, 1),
        k=draw.choice((2, 3, 5, 6, 7, 8, 9)),
    )
    stops = tuple(_small_stop(draw, number, kind) for number, kind in enumerate(kinds))
    resource_count = draw.choice((4, 10, 26))
    segments = [
        _small_segment(draw, number, stops, resource_count)
        for number in range(draw.randint(1, 9 + len(stops)))
    ]
    tokens = tuple(stop.id for stop in stops if draw.random() < 0.45)
    return RouteProblem(
        COMPANY,
        stops,
        tuple(segments),
        trains,
        tokens,
        parameters=Parameters(compare_treasury_income=draw.random() < 0.5),
    )


def _small_stop(draw: random.Random, number: int, kind: StopKind) -> Stop:
    slot_count = draw.randint(0, 2) if kind == "city" or draw.random() < 0.1 else 0
    return Stop(
        f"s{number}",
        kind,
        f"P{number}" if draw.random() < 0.85 else f"P{draw.randint(0, number)}",
        draw.choice((0, 10, 10, 20, 30, 40)),
        tuple(draw.choice(("", OTHER, OTHER)) for _ in range(slot_count)),
        {TARIFF: draw.choice((0, 10, 50))} if draw.random() < 0.4 else {},
    )


def _small_segment(draw: random.Random, number: int, stops: tuple[Stop, ...], resource_count: int) -> Segment:
    a, b = draw.choice(stops).id, draw.choice(stops).id
    resources = tuple(f"r{draw.randrange(resource_count)}" for _ in range(draw.choice((0, 1, 1, 2))))
    between = tuple(f"h{number}.{place}" for place in range(draw.choice((0, 0, 1, 3))))
    hexes = (f"h{a}", *between, f"h{b}") if draw.random() < 0.6 else ()
    length = draw.choice((0, len(hexes) - 1)) if hexes else draw.randint(0, 4)
    terminal_a, terminal_b = draw.random() < 0.1, draw.random() < 0.1
    return Segment(f"t{number}", a, b, resources, hexes, terminal_a, terminal_b, length)


def random_trains(seed: int, family: SmallFamily) -> tuple[Train, ...]:
    """One to three trains of a family, some without a limit; a mixed set takes any that the contract allows."""
    draw = random.Random(f"{family} {seed}")
    return tuple(_random_train(draw, family, f"T{number}") for number in range(draw.randint(1, 3)))


def _random_train(draw: random.Random, family: SmallFamily, name: str) -> Train:
    tariff = draw.choice(("", "", "", TARIFF))
    counts = draw.choice((1, 2, 2, 3, 5))
    reach = draw.choice((0, 1, 2, 2, 3, 3, 4, 5, 14))
    match family:
        case "normal":
            return Train(name, "normal", reach, tariff=tariff)
        case "goods":
            return Train(name, "goods", draw.choice((0, 1, 1, 2, 3, 9)), "free", tariff=tariff)
        case "normal+goods":
            return _random_train(draw, draw.choice(("normal", "goods")), name)
        case "skip":
            return Train(name, "normal", reach, "skip", tariff=tariff)
        case "counts":
            return Train(name, "normal", reach, counts=counts, tariff=tariff)
        case "hexes":
            reach = draw.choice((0, 1, 2, 3, 4, 5, 6, 8))
            return Train(
                name, "normal", reach, counts=draw.choice((0, 0, counts)), measure="hexes", tariff=tariff
            )
    kind: TrainKind = draw.choice(("normal", "goods"))
    measure: Measure = draw.choice(("stops", "stops", "hexes"))
    towns = draw.choice(TOWN_RULES if measure == "stops" else TOWN_RULES_OF_HEXES)
    counted = kind == "normal" and towns == "stop" and draw.random() < 0.5
    return Train(name, kind, reach, towns, counts if counted else 0, measure, tariff)


@dataclass(frozen=True, slots=True)
class LateGame:
    """What a late-game board holds; the rest of its 45 stops are cities.

    `junctions`: the share of segments that have a junction in common with a neighbour.
    `compact`: the patch has as few sides on its rim as chance allows, so that there is room for more track.
    """

    segments: int = 110
    own_tokens: int = 6
    rim: int = 0
    junctions: float = 0.0
    compact: bool = True


HARD_VARIANTS = {
    "dense": LateGame(),
    "realistic": LateGame(segments=75),
    "junctions": LateGame(junctions=0.2),
    "two tokens": LateGame(own_tokens=2),
    "one token": LateGame(own_tokens=1),
}


def hard_board(seed: int, trains: tuple[Train, ...], variant: LateGame) -> RouteProblem:
    """45 stops, 12 of them towns and 7 blocked cities; goods trains find three mines and off-boards on the rim."""
    with_mines = any(train.kind == "goods" for train in trains)
    return _late_game(seed, trains, replace(variant, rim=6) if with_mines else variant)


def late_game_board(seed: int, trains: tuple[Train, ...], segment_count: int = 100) -> RouteProblem:
    """45 stops on a ragged patch of hexes: 12 towns, 3 mines, 3 off-boards, 6 own tokens, 7 blocked cities."""
    return _late_game(seed, trains, LateGame(segments=segment_count, rim=6, compact=False))


def _late_game(seed: int, trains: tuple[Train, ...], game: LateGame) -> RouteProblem:
    draw = random.Random(seed)
    cells = sorted(_patch(draw, STOP_COUNT, game.compact))
    edge_most = sorted(cells, key=lambda cell: (-abs(cell[0]) - abs(cell[1]) - abs(cell[0] + cell[1]), cell))
    kinds: dict[Cell, StopKind] = dict.fromkeys(cells, "city")
    rim: tuple[StopKind, ...] = ("mine", "offboard") * 3
    kinds.update(zip(edge_most, rim[: game.rim], strict=False))
    inner = [cell for cell in cells if kinds[cell] == "city"]
    draw.shuffle(inner)
    kinds.update(dict.fromkeys(inner[:12], "town"))
    blocked, own = inner[12:19], inner[19 : 19 + game.own_tokens]
    stops = []
    for cell in cells:
        slots = (COMPANY,) if cell in own else (OTHER,) if cell in blocked else ()
        revenue = 10 if kinds[cell] == "town" else draw.randrange(10, 91, 10)
        stops.append(Stop(_name(cell), kinds[cell], _name(cell), revenue, slots))
    track = _with_junctions(draw, _tracks(draw, cells, game.segments), game.junctions)
    return RouteProblem(COMPANY, tuple(stops), track, trains, tuple(_name(cell) for cell in own))


def _patch(draw: random.Random, size: int, compact: bool) -> set[Cell]:
    cells = {(0, 0)}
    while len(cells) < size:
        candidates = [_neighbour(draw, cells) for _ in range(COMPACT_TRIES if compact else 1)]
        cells.add(max(candidates, key=lambda cell: len(cells & set(_around(cell)))))
    return cells


def _neighbour(draw: random.Random, cells: set[Cell]) -> Cell:
    while True:
        cell = draw.choice(_around(draw.choice(sorted(cells))))
        if cell not in cells:
            return cell


def _around(cell: Cell) -> list[Cell]:
    return [(cell[0] + sign * q, cell[1] + sign * r) for q, r in SIDES for sign in (1, -1)]


def _tracks(draw: random.Random, cells: list[Cell], count: int) -> tuple[Segment, ...]:
    """Track over as many sides of neighbours as there are, then a second piece beside some of it."""
    known = set(cells)
    pairs = [
        (cell, (cell[0] + dq, cell[1] + dr))
        for cell in cells
        for dq, dr in SIDES
        if (cell[0] + dq, cell[1] + dr) in known
    ]
    chosen = draw.sample(pairs, min(count, len(pairs)))
    beside = draw.sample(pairs, max(0, count - len(pairs)))
    return tuple(
        Segment(
            f"{_name(a)}{lane}{_name(b)}",
            _name(a),
            _name(b),
            (f"{_name(a)}{lane}{_name(b)}",),
            (_name(a), _name(b)),
        )
        for lane, laid in (("-", chosen), ("=", beside))
        for a, b in laid
    )


def _with_junctions(draw: random.Random, track: tuple[Segment, ...], share: float) -> tuple[Segment, ...]:
    """The same track with a junction common to two segments of one stop, until so many of them have one."""
    resources = {segment.id: segment.resources for segment in track}
    order = draw.sample(track, len(track))
    joined: set[str] = set()
    for segment in order:
        partners = [
            other
            for other in order
            if other.id not in joined
            and other.id != segment.id
            and {other.a, other.b} & {segment.a, segment.b}
        ]
        if len(joined) >= share * len(track):
            break
        if segment.id not in joined and partners:
            junction = f"junction {segment.id}"
            for each in (segment, partners[0]):
                resources[each.id] = (*each.resources, junction)
                joined.add(each.id)
    return tuple(msgspec.structs.replace(segment, resources=resources[segment.id]) for segment in track)


def _name(cell: Cell) -> str:
    return f"{cell[0]:+d}{cell[1]:+d}"
