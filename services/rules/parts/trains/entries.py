"""Ports and red areas distinguished by the hex a run enters them from, where distances are measured from there.

In such a route problem `A6.0@B5` is stop `A6.0` entered from B5: it lies one hex beyond that one, and all entries of a stop
are one place with one value."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from services.routing.domain.problem import LockedRun, Segment
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import Tiles, face
from services.rules.parts.map.ways import city_of

ENTERED = frozenset(("offboard", "port"))
_FROM = "@"


def is_entered(data: TitleData, tiles: Tiles, name: str) -> bool:
    """Whether the stop with this id is a port or red area."""
    hex_id, number = city_of(name)
    return face(data, tiles, hex_id).stops[number].kind in ENTERED


def with_entries(data: TitleData, tiles: Tiles, segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """The same ways between stops that are distinguished by entry."""
    return tuple([_with_entries(data, tiles, segment) for segment in segments])


def _with_entries(data: TitleData, tiles: Tiles, segment: Segment) -> Segment:
    a, b = segment.a, segment.b
    if is_entered(data, tiles, a):
        a = f"{a}{_FROM}{segment.hexes[1]}"
    if is_entered(data, tiles, b):
        b = f"{b}{_FROM}{segment.hexes[-2]}"
    return segment if (a, b) == (segment.a, segment.b) else replace(segment, a=a, b=b)


def claim_with_entries(claim: LockedRun, segments: dict[str, Segment]) -> LockedRun:
    """The same claim over `segments` that distinguish stops; only its two ends can be distinguished."""
    if not claim.segments:
        return claim
    first, last = segments[claim.segments[0]], segments[claim.segments[-1]]
    begin, *between, end = claim.stops
    entered = (_as_entered(begin, first), *between, _as_entered(end, last))
    return claim if entered == claim.stops else replace(claim, stops=entered)


def _as_entered(stop: str, way: Segment) -> str:
    """The stop as an end of this way that distinguishes stops."""
    if stop in (way.a, way.b):
        return stop
    return next((end for end in (way.a, way.b) if plain(end) == stop), stop)


def plain(name: str) -> str:
    """The stop, wherever it is entered from."""
    return name.partition(_FROM)[0]


def entry(name: str) -> str:
    """The hex it is entered from, empty for a stop that is not distinguished."""
    return name.partition(_FROM)[2]
