"""From the map to the question put to the routing service, and from a player's words to a run in its terms.

Segments, the ways from stop to stop, depend on the tiles alone; they are worked out once per map and
remembered.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Literal, NamedTuple

from msgspec import Struct

from services.routing.domain.problem import Options, Parameters, RouteProblem, Segment, Stop, Train
from services.rules.domain.board import CityId, LaidTile, Tiles, Tokens, city_slots, face
from services.rules.domain.reach import Reach
from services.rules.domain.titledata import TitleData
from services.rules.domain.track import Leaving, PathId, Port, Track, track_of

# Which stops of one hex are one place, so that no route visits two of them?
OneStopPerHex = Literal["cities", "none"]


class Network(NamedTuple):
    """All segments of a map. `by_hexes`: those that pass these hexes, told from the end that sorts first."""

    segments: tuple[Segment, ...]
    by_hexes: dict[tuple[str, ...], tuple[Segment, ...]]


class RunReason(StrEnum):
    """Why the hops of a run cannot be understood."""

    NO_HOPS = "run_without_hops"
    NO_SUCH_TRACK = "run_not_on_track"
    HOPS_NOT_JOINED = "run_hops_not_joined"


class RunRefusal(Struct, frozen=True):
    """Why a run is refused: the code, the number of the hop from 0, and a sentence."""

    reason: RunReason
    hop: int
    sentence: str


class ResolvedRun(Struct, frozen=True):
    """A run in terms of the route problem: stop ids in order, and the segment ids between them."""

    stops: tuple[str, ...]
    segments: tuple[str, ...]


class RunningCompany(Struct, frozen=True):
    """Who runs: the company, what it is connected to, and its trains as pairs of id and name of the kind."""

    company: str
    found: Reach
    trains: tuple[tuple[str, str], ...]


def stop_id(city: CityId) -> str:
    """The id of a stop in a route problem, for example `E12.0`."""
    return f"{city[0]}.{city[1]}"


def route_problem(
    title: TitleData,
    tiles: Tiles,
    tokens: Tokens,
    running: RunningCompany,
    phase: str,
    one_stop_per_hex: OneStopPerHex = "cities",
    parameters: Parameters | None = None,
    options: Options | None = None,
) -> RouteProblem:
    """The route problem of a company: the stops it is connected to and the track between them."""
    cities = sorted(running.found.stops)
    known = {stop_id(city) for city in cities}
    segments = network_of(title, tiles).segments
    return RouteProblem(
        company=running.company,
        stops=tuple(stop_of(title, tiles, tokens, city, phase, one_stop_per_hex) for city in cities),
        segments=tuple(segment for segment in segments if segment.a in known and segment.b in known),
        trains=tuple(train_of(title, train_id, kind) for train_id, kind in running.trains),
        token_stops=tuple(stop_id(city) for city in sorted(running.found.starts)),
        parameters=parameters or Parameters(),
        options=options or Options(),
    )


def resolve_connections(network: Network, hops: Sequence[Sequence[str]]) -> ResolvedRun | RunRefusal:
    """Read a run told hop by hop: for each hop the hexes from stop to stop, listed from either end."""
    if not hops:
        return RunRefusal(RunReason.NO_HOPS, 0, "a run has at least one hop")
    ways: list[list[tuple[Segment, bool]]] = []
    for number, hop in enumerate(hops):
        found = network.by_hexes.get(_from_first_end(tuple(hop)), ())
        if not found:
            sentence = f"no track leads from stop to stop over {', '.join(hop)}"
            return RunRefusal(RunReason.NO_SUCH_TRACK, number, sentence)
        ways.append([(segment, forward) for segment in found for forward in (True, False)])
    furthest = 0
    for chain in _chains(ways, ()):
        if len(chain) == len(ways):
            return _run(chain)
        furthest = max(furthest, len(chain))
    sentence = f"hop {furthest} does not begin at the stop where hop {furthest - 1} ends"
    return RunRefusal(RunReason.HOPS_NOT_JOINED, furthest, sentence)


def network_of(title: TitleData, tiles: Mapping[str, LaidTile]) -> Network:
    """All segments of a map, remembered for maps asked for lately."""
    return _network(title, frozenset(tiles.items()))


@lru_cache(maxsize=256)
def _network(title: TitleData, tiles: frozenset[tuple[str, LaidTile]]) -> Network:
    track = track_of(title, dict(tiles))
    segments = tuple(sorted(_segments(track), key=lambda segment: segment.id))
    by_hexes: dict[tuple[str, ...], tuple[Segment, ...]] = {}
    for segment in segments:
        key = _from_first_end(segment.hexes)
        by_hexes[key] = (*by_hexes.get(key, ()), segment)
    return Network(segments=segments, by_hexes=by_hexes)


def _from_first_end(hexes: tuple[str, ...]) -> tuple[str, ...]:
    return min(hexes, hexes[::-1])


class _Way(NamedTuple):
    """A trail that has left a stop and met no other one yet."""

    port: Port
    used: int
    paths: tuple[PathId, ...]
    ports: tuple[Port, ...]


def _segments(track: Track) -> Iterator[Segment]:
    """Every segment once, from the end whose stop sorts first."""
    terminal = _terminal_paths(track)
    for city, leaving in track.departures.items():
        ways = [_Way(step.port, step.bit, (step.path,), (step.port,)) for step in leaving]
        while ways:
            way = ways.pop()
            ways += _longer(way, track.through.get(way.port, ()))
            for arrival in track.into.get(way.port, ()):
                if city < arrival.stop:
                    yield _segment(track, city, arrival.stop, (*way.paths, arrival.path), way.ports, terminal)


def _longer(way: _Way, steps: Iterable[Leaving]) -> Iterator[_Way]:
    for port, bit, path in steps:
        if not way.used & bit:
            yield _Way(port, way.used | bit, (*way.paths, path), (*way.ports, port))


def _terminal_paths(track: Track) -> frozenset[PathId]:
    return frozenset(
        step.path
        for city, leaving in track.departures.items()
        for step in leaving
        if step not in track.onward.get(city, ())
    )


def _segment(
    track: Track,
    begin: CityId,
    end: CityId,
    paths: tuple[PathId, ...],
    ports: tuple[Port, ...],
    terminal: frozenset[PathId],
) -> Segment:
    return Segment(
        id="+".join(f"{hex_id}/{number}" for hex_id, number in paths),
        a=stop_id(begin),
        b=stop_id(end),
        resources=tuple(_side_name(track, port) for port in ports),
        hexes=tuple(hex_id for hex_id, _ in paths),
        terminal_a=paths[0] in terminal,
        terminal_b=paths[-1] in terminal,
    )


def _side_name(track: Track, port: Port) -> str:
    """One name for a side of a hex whichever way it is crossed: the lower of its two ports."""
    return f"side {min(port, track.grid.twin[port])}"


def stop_of(
    title: TitleData,
    tiles: Tiles,
    tokens: Tokens,
    city: CityId,
    phase: str,
    one_stop_per_hex: OneStopPerHex,
) -> Stop:
    """The stop of a city or other place in a route problem, valued for the phase."""
    hex_id, number = city
    shown = face(title, tiles, hex_id).stops[number]
    place = shown.area or stop_id(city)
    if shown.kind == "city" and not shown.area and one_stop_per_hex == "cities":
        place = hex_id
    return Stop(
        id=stop_id(city),
        kind=shown.kind,
        place=place,
        revenue=shown.value(title.phases[phase].revenue),
        slots=city_slots(title, tiles, tokens, city) if shown.kind == "city" else (),
    )


def train_of(title: TitleData, train_id: str, name: str) -> Train:
    """A train of the company in a route problem."""
    train = title.trains[name]
    if train.kind == "goods":
        return Train(id=train_id, kind="goods", reach=train.stops, towns="free")
    return Train(id=train_id, kind="normal", reach=train.stops)


def _chains(
    ways: list[list[tuple[Segment, bool]]], chain: tuple[tuple[Segment, bool], ...]
) -> Iterator[tuple[tuple[Segment, bool], ...]]:
    """Every way to join the hops one to the next, and every one that breaks off."""
    yield chain
    if len(chain) < len(ways):
        for segment, forward in ways[len(chain)]:
            if not chain or _ends(chain[-1])[1] == _ends((segment, forward))[0]:
                yield from _chains(ways, (*chain, (segment, forward)))


def _ends(way: tuple[Segment, bool]) -> tuple[str, str]:
    segment, forward = way
    return (segment.a, segment.b) if forward else (segment.b, segment.a)


def _run(chain: tuple[tuple[Segment, bool], ...]) -> ResolvedRun:
    stops = (_ends(chain[0])[0], *(_ends(way)[1] for way in chain))
    return ResolvedRun(stops=stops, segments=tuple(segment.id for segment, _ in chain))
