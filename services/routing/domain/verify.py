"""What a legal run is, told plainly and apart from the solver, so that each can prove the other wrong.

`evaluate_run` judges one run, `check_runs` all runs of a company, `verify_solution` a whole answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec

from services.routing.domain.problem import RouteProblem, Segment, Stop, Train, is_blocked, takes_reach
from services.routing.domain.solution import RouteSolution, Run, maximised_value

FaultReason = Literal[
    "unknown_train",
    "unknown_stop",
    "unknown_segment",
    "train_runs_twice",
    "route_not_connected",
    "route_too_short",
    "route_repeats_place",
    "route_track_reused",
    "route_no_token",
    "route_mine_needs_goods_train",
    "goods_route_needs_one_mine",
    "route_mine_in_middle",
    "route_offboard_in_middle",
    "route_passes_blocked_city",
    "route_passes_terminal_track",
    "route_too_long",
    "trains_share_track",
    "locked_run_changed",
    "value_wrong",
    "bound_wrong",
]


class RunFault(msgspec.Struct, frozen=True):
    """Why a run is refused: a code that never changes meaning, the train, and a sentence with the facts."""

    reason: FaultReason
    train: str
    message: str


class RunClaim(Protocol):
    """A run as somebody claims it: a `Run`, a `LockedRun` or a player's own words."""

    @property
    def train(self) -> str: ...
    @property
    def stops(self) -> tuple[str, ...]: ...
    @property
    def segments(self) -> tuple[str, ...]: ...


class _Map:
    """A problem's parts by id, looked up many times while its runs are judged."""

    def __init__(self, problem: RouteProblem) -> None:
        self.stops = {stop.id: stop for stop in problem.stops}
        self.segments = {segment.id: segment for segment in problem.segments}
        self.trains = {train.id: train for train in problem.trains}
        self.token_stops = frozenset(problem.token_stops)


def evaluate_run(
    problem: RouteProblem, train: str, stops: Sequence[str], segments: Sequence[str]
) -> Run | RunFault:
    """The value of `train` running over `stops` by `segments`, or the first rule it breaks.

    Unknown names come first, then what no train may do anywhere, then what depends on the kinds of stops and train.
    """
    return _evaluate(_Map(problem), train, stops, segments)


def check_runs(problem: RouteProblem, claims: Sequence[RunClaim]) -> tuple[Run, ...] | RunFault:
    """The values of all runs of the company in the order given, or the first fault of any or between two."""
    known = _Map(problem)
    runs: list[Run] = []
    user_of: dict[tuple[str, str], str] = {}
    for claim in claims:
        if any(run.train == claim.train for run in runs):
            return RunFault("train_runs_twice", claim.train, f"train {claim.train!r} is given two runs")
        run = _evaluate(known, claim.train, claim.stops, claim.segments)
        if isinstance(run, RunFault):
            return run
        for resource in _resources(known, run.segments):
            if resource in user_of:
                message = (
                    f"trains {user_of[resource]!r} and {run.train!r} both use {resource[0]} {resource[1]!r}"
                )
                return RunFault("trains_share_track", run.train, message)
        user_of.update(dict.fromkeys(_resources(known, run.segments), run.train))
        runs.append(run)
    return tuple(runs)


def verify_solution(problem: RouteProblem, solution: RouteSolution) -> RunFault | None:
    """The first thing wrong in `solution`, or None: legality, every value, locked runs, the claims of the bound.

    That a proven answer is the best is the solver's own claim; only its consistency is checked here.
    """
    runs = check_runs(problem, solution.runs)
    if isinstance(runs, RunFault):
        return runs
    for given, checked in zip(solution.runs, runs, strict=True):
        if given != checked:
            return RunFault("value_wrong", given.train, f"the run is {checked}, not {given}")
    by_train = {run.train: run for run in runs}
    for locked in problem.options.locked_runs:
        kept = by_train.get(locked.train)
        if kept is None or (kept.stops, kept.segments) != (locked.stops, locked.segments):
            return RunFault(
                "locked_run_changed", locked.train, f"the locked run of {locked.train!r} is not kept"
            )
    revenue = sum(run.revenue for run in runs)
    treasury_income = sum(run.treasury_income for run in runs)
    if (solution.revenue, solution.treasury_income) != (revenue, treasury_income):
        return RunFault(
            "value_wrong", "", f"the runs earn {revenue} and {treasury_income}, the answer says otherwise"
        )
    value = maximised_value(solution, problem.parameters.compare_treasury_income)
    if solution.upper_bound < value or (solution.proven and solution.upper_bound != value):
        return RunFault("bound_wrong", "", f"bound {solution.upper_bound} does not fit value {value}")
    return None


def _evaluate(
    known: _Map, train_id: str, stop_ids: Sequence[str], segment_ids: Sequence[str]
) -> Run | RunFault:
    train = known.trains.get(train_id)
    if train is None:
        return RunFault("unknown_train", train_id, f"the company has no train {train_id!r}")
    for name in stop_ids:
        if name not in known.stops:
            return RunFault("unknown_stop", train_id, f"there is no stop {name!r}")
    for name in segment_ids:
        if name not in known.segments:
            return RunFault("unknown_segment", train_id, f"there is no track {name!r}")
    stops = [known.stops[name] for name in stop_ids]
    segments = [known.segments[name] for name in segment_ids]
    fault = _shape_fault(known, train, stops, segments) or _kind_fault(known, train, stops, segments)
    if fault is not None:
        return fault
    counted = counted_stops(train, stops)
    return Run(
        train=train.id,
        stops=tuple(stop_ids),
        segments=tuple(segment_ids),
        hexes=_hexes(stops, segments),
        revenue=sum(stop.value_for(train) for stop in counted),
        treasury_income=sum(stop.value_for(train) for stop in stops if stop.kind == "mine"),
        counted_stops=tuple(stop.id for stop in counted),
    )


def counted_stops(train: Train, stops: Sequence[Stop]) -> list[Stop]:
    """The stops of a route that yield revenue to `train`, in the order travelled; between equals the smaller ids."""
    richest_first = sorted(stops, key=lambda stop: (-stop.value_for(train), stop.id))
    if train.counts:
        counted = {stop.id for stop in richest_first[: train.counts]}
    elif train.towns == "skip" and train.reach:
        forced = {stop.id for stop in stops if stop.kind != "town"} | {stops[0].id, stops[-1].id}
        towns = [stop.id for stop in richest_first if stop.id not in forced]
        counted = forced | set(towns[: max(0, train.reach - _measured(train, stops, ()))])
    else:
        counted = {stop.id for stop in stops}
    return [stop for stop in stops if stop.id in counted and stop.kind != "mine"]


def _measured(train: Train, stops: Sequence[Stop], segments: Sequence[Segment]) -> int:
    """How much of its reach the route takes from `train` at least."""
    if train.measure == "hexes":
        return sum(segment.hex_sides for segment in segments)
    if train.towns == "skip":
        ends = {stops[0].id, stops[-1].id}
        return sum(stop.kind != "mine" and (stop.kind != "town" or stop.id in ends) for stop in stops)
    return sum(takes_reach(train, stop) for stop in stops)


def _shape_fault(known: _Map, train: Train, stops: list[Stop], segments: list[Segment]) -> RunFault | None:
    """Faults that any train can commit on any map."""
    if len(segments) != max(0, len(stops) - 1):
        message = f"{len(stops)} stops need {max(0, len(stops) - 1)} pieces of track between them, not {len(segments)}"
        return RunFault("route_not_connected", train.id, message)
    for start, segment, end in zip(stops, segments, stops[1:], strict=False):
        if (segment.a, segment.b) not in ((start.id, end.id), (end.id, start.id)):
            message = f"track {segment.id!r} does not join {start.id!r} and {end.id!r}"
            return RunFault("route_not_connected", train.id, message)
    if len(stops) < 2:
        return RunFault("route_too_short", train.id, "a route joins at least two different stops")
    places = [stop.place for stop in stops]
    for index, place in enumerate(places):
        if place in places[:index]:
            return RunFault("route_repeats_place", train.id, f"the route comes to {place!r} twice")
    used: set[tuple[str, str]] = set()
    for segment in segments:
        pieces = set(_resources(known, (segment.id,)))
        if used & pieces:
            sort, name = min(used & pieces)
            message = f"the route uses {sort} {name!r} twice"
            return RunFault("route_track_reused", train.id, message)
        used |= pieces
    if not any(stop.id in known.token_stops for stop in stops):
        return RunFault("route_no_token", train.id, "no stop of the route holds a token of the company")
    return None


def _kind_fault(known: _Map, train: Train, stops: list[Stop], segments: list[Segment]) -> RunFault | None:
    """Faults that depend on the kinds of the stops and of the train."""
    mines = [stop for stop in stops if stop.kind == "mine"]
    if mines and train.kind == "normal":
        return RunFault(
            "route_mine_needs_goods_train", train.id, f"only goods trains serve mine {mines[0].id!r}"
        )
    if train.kind == "goods" and len(mines) != 1:
        return RunFault(
            "goods_route_needs_one_mine", train.id, f"the route has {len(mines)} mines instead of one"
        )
    for index, stop in enumerate(stops[1:-1], start=1):
        if stop.kind == "mine":
            return RunFault(
                "route_mine_in_middle", train.id, f"mine {stop.id!r} is not at an end of the route"
            )
        if stop.kind == "offboard":
            message = f"off-board area {stop.id!r} is not at an end of the route"
            return RunFault("route_offboard_in_middle", train.id, message)
        if is_blocked(stop, known.token_stops):
            message = f"tokens of other companies block the way through {stop.id!r}"
            return RunFault("route_passes_blocked_city", train.id, message)
        if _terminal_at(segments[index - 1], stop) or _terminal_at(segments[index], stop):
            message = f"a route along terminal track at {stop.id!r} begins or ends there"
            return RunFault("route_passes_terminal_track", train.id, message)
    measured = _measured(train, stops, segments)
    if train.reach and measured > train.reach:
        message = f"train {train.id!r} reaches {train.reach} {train.measure}, the route measures {measured}"
        return RunFault("route_too_long", train.id, message)
    return None


def _terminal_at(segment: Segment, stop: Stop) -> bool:
    return segment.terminal_a if segment.a == stop.id else segment.terminal_b


def _resources(known: _Map, segment_ids: tuple[str, ...]) -> list[tuple[str, str]]:
    """What the segments use up: each segment itself and its resources."""
    return [
        piece
        for name in segment_ids
        for piece in (
            ("segment", name),
            *(("resource", used) for used in set(known.segments[name].resources)),
        )
    ]


def _hexes(stops: list[Stop], segments: list[Segment]) -> tuple[str, ...]:
    """Hexes in travelling order; the hex of a stop between two segments is told once."""
    passed: list[str] = []
    for start, segment in zip(stops, segments, strict=False):
        passed.extend(segment.hexes if segment.a == start.id else segment.hexes[::-1])
    return tuple(name for name, before in zip(passed, ["", *passed], strict=False) if name != before)
