"""A player's runs, given hop by hop, checked and valued without looking at the rest of the map."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from services.routing.domain.problem import LockedRun, RouteProblem, Segment, Train
from services.routing.domain.solution import RouteSolution, Run as SolvedRun, runs_in_order
from services.routing.domain.verify import RunFault, check_runs
from services.rules.kernel.rejections import Rejected
from services.rules.parts.map.board import token_cities
from services.rules.parts.map.boardview import BoardView
from services.rules.parts.map.ways import stop_id
from services.rules.parts.trains.commands import Hop, TrainRun
from services.rules.parts.trains.entries import claim_with_entries, is_entered, plain
from services.rules.parts.trains.routes import (
    Network,
    RunRejection,
    RunTerms,
    on_terms,
    resolve_connections,
    stop_on_terms,
)
from services.rules.parts.trains.state import Run

# Reason code and clause for what is wrong with a run.
Reason = tuple[str, str]


@dataclass(frozen=True, slots=True)
class RunLaw:
    """How a title judges runs: on which terms, and with which of its clauses it refuses what the judge of runs objects to,
    a hop that no track answers, a stop closed to the company, and a port or red area that a run goes through."""

    terms: RunTerms
    fault: Callable[[RunFault], Reason]
    no_track: Reason
    closed_stop: Reason = ("route_no_token", "")
    passes_area: Reason | None = None


def resolve_runs(
    view: BoardView,
    company: str,
    trains: Sequence[Train],
    drawn: Sequence[TrainRun],
    phase: str,
    law: RunLaw,
) -> tuple[Run, ...]:
    """The runs with what they earn, or `Rejected` with the reason of the first rule one of them breaks."""
    names_counted = law.terms.family == "one_network"
    return tuple(as_run(run, names_counted) for run in judged_runs(view, company, trains, drawn, phase, law))


def judged_runs(
    view: BoardView,
    company: str,
    trains: Sequence[Train],
    drawn: Sequence[TrainRun],
    phase: str,
    law: RunLaw,
) -> tuple[SolvedRun, ...]:
    """The same as routing's judge of runs gives them, with the freight trains that are joined and their bonus."""
    hops = {hop.hexes for run in drawn for hop in run.hops}
    network = _network_of_hops(view, hops)
    problem = _problem(view, company, network, trains, phase, law.terms)
    segments = {segment.id: segment for segment in problem.segments}
    claims = tuple(claim_with_entries(_claim(view, network, run, law), segments) for run in drawn)
    checked = check_runs(problem, claims)
    if isinstance(checked, RunFault):
        code, clause = law.fault(checked)
        raise Rejected(code, clause, checked.message)
    return checked


def as_run(run: SolvedRun, names_counted: bool = False) -> Run:
    """A run as the log records it: its stops whatever they are entered from, and those that count where some may be left out."""
    stops = tuple(plain(stop) for stop in run.stops)
    counted = tuple(plain(stop) for stop in run.counted_stops) if names_counted else ()
    return Run(run.train, stops, run.segments, run.hexes, run.revenue, run.treasury_income, counted)


def _claim(view: BoardView, network: Network, run: TrainRun, law: RunLaw) -> LockedRun:
    resolved = resolve_connections(network, [hop.hexes for hop in run.hops])
    if isinstance(resolved, RunRejection):
        raise Rejected(*law.no_track, resolved.sentence)
    shut = next((stop for stop in resolved.stops if stop in law.terms.closed), "")
    if shut:
        raise Rejected(*law.closed_stop, shut)
    passed = (stop for stop in resolved.stops[1:-1] if is_entered(view.data, view.tiles, stop))
    if law.passes_area is not None and (area := next(passed, "")):
        raise Rejected(*law.passes_area, area)
    return LockedRun(run.train, resolved.stops, resolved.segments)


def _problem(
    view: BoardView,
    company: str,
    network: Network,
    trains: Sequence[Train],
    phase: str,
    terms: RunTerms,
) -> RouteProblem:
    segments = on_terms(view, network.segments, terms)
    names = {end for segment in segments for end in (segment.a, segment.b)}
    own = {stop_id(city) for city in token_cities(view.tokens, company)} - terms.closed
    return RouteProblem(
        company=company,
        stops=tuple(stop_on_terms(view, name, phase, terms) for name in sorted(names)),
        segments=segments,
        trains=tuple(trains),
        token_stops=tuple(sorted(own & names)),
        family=terms.family,
        parameters=terms.parameters_on(sorted(names)),
    )


def _network_of_hops(view: BoardView, hops: set[tuple[str, ...]]) -> Network:
    by_hexes = {hexes: view.ways_over(hexes) for hexes in {min(hexes, hexes[::-1]) for hexes in hops}}
    segments = tuple([segment for found in by_hexes.values() for segment in found])
    return Network(segments=segments, by_hexes=by_hexes)


def as_drawn(problem: RouteProblem, solution: RouteSolution) -> tuple[TrainRun, ...]:
    """The runs of a solution in the form and the order in which a player draws them."""
    segments = {segment.id: segment for segment in problem.segments}
    return tuple(TrainRun(run.train, tuple(_hops(run, segments))) for run in runs_in_order(solution))


def _hops(run: SolvedRun, segments: Mapping[str, Segment]) -> Iterator[Hop]:
    for start, segment_id in zip(run.stops, run.segments, strict=False):
        segment = segments[segment_id]
        yield Hop(segment.hexes if segment.a == start else segment.hexes[::-1])
