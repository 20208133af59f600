"""A player's runs, told hop by hop, checked and valued without looking at the rest of the map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from services.routing.domain.problem import LockedRun, RouteProblem, Segment
from services.routing.domain.solution import RouteSolution, Run as SolvedRun
from services.routing.domain.verify import RunFault, check_runs
from services.rules.domain.board import Tiles, face, token_cities
from services.rules.domain.boardview import BoardView
from services.rules.domain.commands import Hop, TrainRun
from services.rules.domain.events import Run
from services.rules.domain.rejections import Refused
from services.rules.domain.routes import (
    Network,
    OneStopPerHex,
    RunRefusal,
    resolve_connections,
    stop_of,
    train_of,
)
from services.rules.domain.tiles import EdgeEnd
from services.rules.domain.titledata import TitleData
from services.rules.domain.ways import stop_id

FAULTS = {
    "unknown_train": ("train_not_owned", "VII.9-a"),
    "unknown_stop": ("route_unknown_track", "VII.2-b"),
    "unknown_segment": ("route_unknown_track", "VII.2-b"),
    "train_runs_twice": ("route_runs_twice", "VII.9-a"),
    "route_not_connected": ("route_unknown_track", "VII.2-b"),
    "route_too_short": ("route_too_short", "VII.2-b"),
    "route_repeats_place": ("route_repeats_place", "VII.9-h"),
    "route_track_reused": ("route_track_reused", "VII.2-d"),
    "route_no_token": ("route_no_token", "VII.2-c"),
    "route_mine_needs_goods_train": ("route_mine_train", "VII.3-a"),
    "goods_route_needs_one_mine": ("route_mine_train", "VII.9-d"),
    "route_mine_in_middle": ("route_mine_train", "VII.3-b"),
    "route_offboard_in_middle": ("route_passes_terminal", "VII.2-g"),
    "route_passes_terminal_track": ("route_passes_terminal", "VII.2-g"),
    "route_passes_blocked_city": ("route_passes_blocked_city", "VII.2-i"),
    "route_too_long": ("route_too_long", "VII.9-b"),
    "trains_share_track": ("trains_share_track", "VII.9-j"),
}


def resolve_runs(
    data: TitleData,
    view: BoardView,
    company: str,
    trains: Sequence[tuple[str, str]],
    told: Sequence[TrainRun],
    phase: str,
    one_stop_per_hex: OneStopPerHex,
) -> tuple[Run, ...]:
    """The runs with what they earn, or `Refused` with the reason of the first rule one of them breaks."""
    hops = {hop.hexes for run in told for hop in run.hops}
    network = _network_of_hops(data, view.tiles, hops)
    claims = tuple(_claim(data, network, run) for run in told)
    problem = _problem(data, view, company, network, trains, phase, one_stop_per_hex)
    checked = check_runs(problem, claims)
    if isinstance(checked, RunFault):
        code, clause = FAULTS[checked.reason]
        raise Refused(code, f"{data.figures.title}/{clause}", checked.message)
    return tuple(
        Run(run.train, run.stops, run.segments, run.hexes, run.revenue, run.treasury_income)
        for run in checked
    )


def _claim(data: TitleData, network: Network, run: TrainRun) -> LockedRun:
    resolved = resolve_connections(network, [hop.hexes for hop in run.hops])
    if isinstance(resolved, RunRefusal):
        raise Refused("route_unknown_track", f"{data.figures.title}/VII.2-b", resolved.sentence)
    return LockedRun(run.train, resolved.stops, resolved.segments)


def _problem(
    data: TitleData,
    view: BoardView,
    company: str,
    network: Network,
    trains: Sequence[tuple[str, str]],
    phase: str,
    one_stop_per_hex: OneStopPerHex,
) -> RouteProblem:
    names = {end for segment in network.segments for end in (segment.a, segment.b)}
    cities = [(hex_id, int(number)) for hex_id, number in (name.split(".") for name in sorted(names))]
    own = {stop_id(city) for city in token_cities(view.tokens, company)}
    return RouteProblem(
        company=company,
        stops=tuple(stop_of(data, view.tiles, view.tokens, city, phase, one_stop_per_hex) for city in cities),
        segments=network.segments,
        trains=tuple(train_of(data, train, kind) for train, kind in trains),
        token_stops=tuple(sorted(own & names)),
    )


def _network_of_hops(data: TitleData, tiles: Tiles, hops: set[tuple[str, ...]]) -> Network:
    by_hexes: dict[tuple[str, ...], tuple[Segment, ...]] = {}
    for hexes in hops:
        key = min(hexes, hexes[::-1])
        if key not in by_hexes:
            by_hexes[key] = tuple(_segments_over(data, tiles, key))
    segments = tuple(segment for found in by_hexes.values() for segment in found)
    return Network(segments=segments, by_hexes=by_hexes)


def _segments_over(data: TitleData, tiles: Tiles, hexes: tuple[str, ...]) -> Iterator[Segment]:
    """Every way from a stop of the first hex over the others to a stop of the last one."""
    if len(hexes) < 2 or any(hex_id not in data.hexes for hex_id in hexes):
        return
    for number, path in enumerate(face(data, tiles, hexes[0]).paths):
        if path.stop is not None and data.neighbours[hexes[0]][path.edges[0].edge] == hexes[1]:
            begin = (hexes[0], path.stop, path.terminal)
            trail = (f"{hexes[0]}/{number}",)
            yield from _continue(data, tiles, hexes, begin, trail, (path.edges[0],))


def _continue(
    data: TitleData,
    tiles: Tiles,
    hexes: tuple[str, ...],
    begin: tuple[str, int, bool],
    trail: tuple[str, ...],
    crossed: tuple[EdgeEnd, ...],
) -> Iterator[Segment]:
    at = len(trail)
    entered = crossed[-1].across()
    for number, path in enumerate(face(data, tiles, hexes[at]).paths):
        if entered not in path.edges:
            continue
        longer = (*trail, f"{hexes[at]}/{number}")
        if path.stop is not None and at == len(hexes) - 1:
            yield _segment(hexes, begin, (hexes[at], path.stop, path.terminal), longer, crossed)
        elif path.stop is None and at < len(hexes) - 1:
            out = path.edges[1] if path.edges[0] == entered else path.edges[0]
            if data.neighbours[hexes[at]][out.edge] == hexes[at + 1]:
                yield from _continue(data, tiles, hexes, begin, longer, (*crossed, out))


def _segment(
    hexes: tuple[str, ...],
    begin: tuple[str, int, bool],
    end: tuple[str, int, bool],
    trail: tuple[str, ...],
    crossed: tuple[EdgeEnd, ...],
) -> Segment:
    sides = tuple(
        _side(hex_id, out, hexes[index + 1])
        for index, (hex_id, out) in enumerate(zip(hexes[:-1], crossed, strict=True))
    )
    segment = Segment(
        id="+".join(trail),
        a=stop_id(begin[:2]),
        b=stop_id(end[:2]),
        resources=sides,
        hexes=hexes,
        terminal_a=begin[2],
        terminal_b=end[2],
    )
    return segment if begin[:2] < end[:2] else _turned(segment)


def _turned(segment: Segment) -> Segment:
    return Segment(
        id="+".join(reversed(segment.id.split("+"))),
        a=segment.b,
        b=segment.a,
        resources=segment.resources[::-1],
        hexes=segment.hexes[::-1],
        terminal_a=segment.terminal_b,
        terminal_b=segment.terminal_a,
    )


def _side(hex_id: str, out: EdgeEnd, beyond: str) -> str:
    """One name for a side of a hex and lane, whichever way it is crossed."""
    across = out.across()
    here, there = (hex_id, out.edge, out.lane), (beyond, across.edge, across.lane)
    first = min(here, there)
    return f"side {first[0]}/{first[1]}/{first[2]}"


def as_drawn(problem: RouteProblem, solution: RouteSolution) -> tuple[TrainRun, ...]:
    """The runs of a solution in the form in which a player draws them."""
    segments = {segment.id: segment for segment in problem.segments}
    return tuple(TrainRun(run.train, tuple(_hops(run, segments))) for run in solution.runs)


def _hops(run: SolvedRun, segments: Mapping[str, Segment]) -> Iterator[Hop]:
    for start, segment_id in zip(run.stops, run.segments, strict=False):
        segment = segments[segment_id]
        yield Hop(segment.hexes if segment.a == start else segment.hexes[::-1])
