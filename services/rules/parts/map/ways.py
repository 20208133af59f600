"""The ways from stop to stop over the track of a map, kept up as tiles are laid.

Each way belongs to the stop that sorts first of its two. With a stop go the hexes that its ways were followed into, dead
ends included: while none of them changes, nothing about its ways can change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from services.routing.domain.problem import Segment
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import CityId, LaidTile
from services.rules.parts.map.track import Leaving, PathId, Port, Track, grid_of, track_on


class StopWays(NamedTuple):
    """The ways that belong to one stop, and every hex they depend on."""

    segments: tuple[Segment, ...]
    hexes: frozenset[str]


Ways = dict[CityId, StopWays]


def stop_id(city: CityId) -> str:
    """The id of a stop in a route problem, for example `E12.0`."""
    return f"{city[0]}.{city[1]}"


@lru_cache(maxsize=1 << 10)
def city_of(name: str) -> CityId:
    """The stop with this id."""
    hex_id, _, number = name.partition(".")
    return hex_id, int(number)


def ways_of(track: Track) -> Ways:
    """The ways of all stops of a map."""
    return {city: _ways_from(track, city) for city in track.departures}


def renewed(before: Ways, track: Track, changed: AbstractSet[str]) -> Ways:
    """The ways over `track`, whose tiles differ from those of `before` on the hexes `changed` alone."""
    kept = {city: ways for city, ways in before.items() if ways.hexes.isdisjoint(changed)}
    for city in track.departures:
        if city not in kept:
            kept[city] = _ways_from(track, city)
    return kept


class _Trail(NamedTuple):
    """A trail that has left a stop and met no other one yet."""

    port: Port
    used: int
    paths: tuple[PathId, ...]
    ports: tuple[Port, ...]


def _ways_from(track: Track, city: CityId) -> StopWays:
    side_of = track.grid.side_of
    segments = []
    hexes = {city[0]}
    trails = [_Trail(step.port, step.bit, (step.path,), (step.port,)) for step in track.departures[city]]
    while trails:
        trail = trails.pop()
        hexes.add(side_of[trail.port][0])
        trails += _longer(trail, track.through.get(trail.port, ()))
        for arrival in track.into.get(trail.port, ()):
            if city < arrival.stop:
                segments.append(
                    _segment(track, city, arrival.stop, (*trail.paths, arrival.path), trail.ports)
                )
    return StopWays(tuple(segments), frozenset(hexes))


def _longer(trail: _Trail, steps: Iterable[Leaving]) -> Iterator[_Trail]:
    for port, bit, path in steps:
        if not trail.used & bit:
            yield _Trail(port, trail.used | bit, (*trail.paths, path), (*trail.ports, port))


def _segment(
    track: Track, begin: CityId, end: CityId, paths: tuple[PathId, ...], ports: tuple[Port, ...]
) -> Segment:
    return Segment(
        id="+".join([f"{hex_id}/{number}" for hex_id, number in paths]),
        a=stop_id(begin),
        b=stop_id(end),
        resources=tuple([track.grid.side_name[port] for port in ports]),
        hexes=tuple([hex_id for hex_id, _ in paths]),
        terminal_a=_is_terminal(track, begin, paths[0]),
        terminal_b=_is_terminal(track, end, paths[-1]),
    )


def _is_terminal(track: Track, city: CityId, path: PathId) -> bool:
    return path not in [step.path for step in track.onward.get(city, ())]


@lru_cache(maxsize=1 << 12)
def ways_over(
    title: TitleData, hexes: tuple[str, ...], laid: tuple[LaidTile | None, ...]
) -> tuple[Segment, ...]:
    """Every way from a stop of the first of these hexes over the others to a stop of the last one; `laid`: their tiles."""
    track, side_of = track_on(title, hexes, laid), grid_of(title).side_of
    trails: list[tuple[CityId, int, tuple[PathId, ...], tuple[Port, ...]]] = [
        (city, bit, (path,), (port,))
        for city, leaving in track.departures.items()
        for port, bit, path in leaving
        if city[0] == hexes[0] and side_of[port][0] == hexes[1]
    ]
    for beyond in hexes[2:]:
        trails = [
            (city, used | bit, (*paths, path), (*ports, port))
            for city, used, paths, ports in trails
            for port, bit, path in track.through.get(ports[-1], ())
            if side_of[port][0] == beyond and not used & bit
        ]
    return tuple(
        _way_between(track, city, arrival.stop, (*paths, arrival.path), ports)
        for city, _, paths, ports in trails
        for arrival in track.into.get(ports[-1], ())
    )


def _way_between(
    track: Track, one: CityId, other: CityId, paths: tuple[PathId, ...], ports: tuple[Port, ...]
) -> Segment:
    """The way in the direction in which it belongs to the stop that sorts first."""
    if one < other:
        return _segment(track, one, other, paths, ports)
    return _segment(track, other, one, paths[::-1], ports[::-1])
