"""Boards for the solver's tests: small wild ones for the oracle, large ones with the density of a late game."""

from __future__ import annotations

import random

from services.routing.domain.problem import (
    Parameters,
    RouteProblem,
    Segment,
    Stop,
    StopKind,
    Train,
    TrainKind,
)

COMPANY = "X"
OTHER = "Y"
SIDES = ((1, 0), (0, 1), (-1, 1))


def small_board(seed: int, trains: tuple[Train, ...]) -> RouteProblem:
    """A random board of a few stops that holds every oddity: shared places, shared and parallel track, terminals."""
    draw = random.Random(seed)
    kinds: list[StopKind] = draw.choices(
        ("city", "town", "offboard", "mine", "port"), weights=(9, 5, 1, 3, 1), k=draw.randint(2, 8)
    )
    stops = []
    for number, kind in enumerate(kinds):
        slots = (
            tuple(draw.choice(("", OTHER, OTHER)) for _ in range(draw.randint(0, 2)))
            if kind == "city"
            else ()
        )
        place = f"P{number}" if draw.random() < 0.85 else f"P{draw.randint(0, number)}"
        stops.append(Stop(f"s{number}", kind, place, draw.choice((0, 10, 10, 20, 30, 40)), slots))
    segments = [_small_segment(draw, number, stops) for number in range(draw.randint(1, 13))]
    tokens = tuple(stop.id for stop in stops if draw.random() < 0.35)
    return RouteProblem(
        COMPANY,
        tuple(stops),
        tuple(segments),
        trains,
        tokens,
        parameters=Parameters(compare_treasury_income=draw.random() < 0.5),
    )


def _small_segment(draw: random.Random, number: int, stops: list[Stop]) -> Segment:
    a, b = draw.choice(stops).id, draw.choice(stops).id
    resources = tuple(f"r{draw.randint(0, 25)}" for _ in range(draw.randint(0, 2)))
    return Segment(
        f"t{number}", a, b, resources, (f"h{a}", f"h{b}"), draw.random() < 0.1, draw.random() < 0.1
    )


def random_trains(seed: int, kinds: tuple[TrainKind, ...]) -> tuple[Train, ...]:
    """One to three trains of the given kinds; some without a limit."""
    draw = random.Random(seed * 7919 + len(kinds))
    trains = []
    for number in range(draw.randint(1, 3)):
        kind = draw.choice(kinds)
        reach = (
            draw.choice((0, 1, 2, 2, 3, 4, 5, 14)) if kind == "normal" else draw.choice((0, 1, 1, 2, 3, 9))
        )
        trains.append(Train(f"T{number}", kind, reach, "free" if kind == "goods" else "stop"))
    return tuple(trains)


def late_game_board(seed: int, trains: tuple[Train, ...], segment_count: int = 100) -> RouteProblem:
    """45 stops on a patch of hexes: 12 towns, 3 mines, 3 off-boards, 6 own tokens, 7 blocked cities."""
    draw = random.Random(seed)
    cells = sorted(_patch(draw, 45))
    edge_most = sorted(cells, key=lambda cell: (-abs(cell[0]) - abs(cell[1]) - abs(cell[0] + cell[1]), cell))
    kinds: dict[tuple[int, int], StopKind] = dict.fromkeys(cells, "city")
    kinds.update(zip(edge_most, ("mine", "offboard") * 3, strict=False))
    inner = [cell for cell in cells if kinds[cell] == "city"]
    draw.shuffle(inner)
    kinds.update(dict.fromkeys(inner[:12], "town"))
    own, blocked = inner[12:18], inner[18:25]
    stops = []
    for cell in cells:
        slots = (COMPANY,) if cell in own else (OTHER,) if cell in blocked else ()
        revenue = 10 if kinds[cell] == "town" else draw.randrange(10, 91, 10)
        stops.append(Stop(_name(cell), kinds[cell], _name(cell), revenue, slots))
    return RouteProblem(
        COMPANY, tuple(stops), _tracks(draw, cells, segment_count), trains, tuple(_name(cell) for cell in own)
    )


def _patch(draw: random.Random, size: int) -> set[tuple[int, int]]:
    cells = {(0, 0)}
    while len(cells) < size:
        q, r = draw.choice(sorted(cells))
        step_q, step_r = draw.choice(SIDES)
        sign = draw.choice((1, -1))
        cells.add((q + sign * step_q, r + sign * step_r))
    return cells


def _tracks(draw: random.Random, cells: list[tuple[int, int]], count: int) -> tuple[Segment, ...]:
    known = set(cells)
    pairs = [
        (cell, (cell[0] + dq, cell[1] + dr))
        for cell in cells
        for dq, dr in SIDES
        if (cell[0] + dq, cell[1] + dr) in known
    ]
    chosen = draw.sample(pairs, min(count, len(pairs)))
    return tuple(
        Segment(
            f"{_name(a)}-{_name(b)}", _name(a), _name(b), (f"{_name(a)}/{_name(b)}",), (_name(a), _name(b))
        )
        for a, b in chosen
    )


def _name(cell: tuple[int, int]) -> str:
    return f"{cell[0]:+d}{cell[1]:+d}"
