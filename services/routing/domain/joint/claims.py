"""Converts found routes to runs by id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from services.routing.domain.joint.board import Board
from services.routing.domain.joint.hauls import Hauls
from services.routing.domain.joint.haulsearch import train_mark
from services.routing.domain.joint.visits import Routes
from services.routing.domain.problem import Train


class Claim(NamedTuple):
    """A run by ids: the train, the stops and the segments in the order travelled; the trains joined with it, as in `Run`."""

    train: str
    stops: tuple[str, ...]
    segments: tuple[str, ...]
    joined_trains: tuple[str, ...] = ()


def visit_claim(board: Board, train: Train, routes: Routes, route: int) -> Claim:
    """The run of a local or express train over a route."""
    return _claim(board, train, routes.arcs[routes.begin[route] : routes.begin[route + 1]].tolist())


def haul_claims(board: Board, trains: Sequence[Train], hauls: Hauls, way: int) -> list[Claim]:
    """The runs of freight trains that go a way together, each over its part."""
    marks = {train_mark(number): train for number, train in enumerate(trains)}
    parts: list[tuple[Train, list[int]]] = []
    for arc in hauls.arcs[hauls.begin[way] : hauls.begin[way + 1]].tolist():
        if arc in marks:
            parts.append((marks[arc], []))
        else:
            parts[-1][1].append(arc)
    joined = tuple(train.id for train, _ in parts) if len(parts) > 1 else ()
    return [_claim(board, train, arcs)._replace(joined_trains=joined) for train, arcs in parts]


def from_part(claims: Sequence[Claim], start: int, turned: bool, is_ring: bool) -> list[Claim]:
    """The parts of a longer run in the order in which they are found from its part `start`, given from its other end where
    `turned`: that part, what follows at its first stop, what follows at its last."""
    before, first, after = claims[:start][::-1], claims[start], claims[start + 1 :]
    if turned:
        first = first._replace(stops=first.stops[::-1], segments=first.segments[::-1])
        return [first, *after, *before]
    return [first, *before, *(after[::-1] if is_ring else after)]


def _claim(board: Board, train: Train, arcs: Sequence[int]) -> Claim:
    numbers = [int(board.source[arcs[0]]), *(int(board.target[arc]) for arc in arcs)]
    return Claim(
        train.id,
        tuple(board.stops[number].id for number in numbers),
        tuple(board.segments[int(board.segment[arc])].id for arc in arcs),
    )
