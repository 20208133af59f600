"""Which runs are legal, written simply and independent of the solver, so that each checks the other.

`evaluate_run` judges one run, `check_runs` all runs of a company, `verify_solution` a whole answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from services.routing.domain.joint.judge import check_network_runs, evaluate_route
from services.routing.domain.problem import RouteProblem, Segment, Stop, Train, is_blocked, takes_reach
from services.routing.domain.shape import (
    FaultReason,
    Known,
    RunClaim,
    RunFault,
    claimed,
    hexes_of,
    pieces_of,
    shape_fault,
    terminal_at,
)
from services.routing.domain.solution import RouteSolution, Run, maximised_value

__all__ = ["FaultReason", "RunClaim", "RunFault"]


def evaluate_run(
    problem: RouteProblem, train: str, stops: Sequence[str], segments: Sequence[str]
) -> Run | RunFault:
    """The value of `train` running over `stops` by `segments`, or the first rule it breaks.

    Unknown names come first, then what no train may do anywhere, then what depends on the kinds of stops and train.
    In one network it is judged as a route by itself, whatever the company's runs must be together.
    """
    if problem.family == "one_network":
        return evaluate_route(Known(problem), problem.parameters, train, stops, segments)
    return _evaluate(Known(problem), train, stops, segments)


def check_runs(problem: RouteProblem, claims: Sequence[RunClaim]) -> tuple[Run, ...] | RunFault:
    """The values of all runs of the company in the order given, or the first fault of any or between two.

    In one network they are worth the most that they can be together: see `check_network_runs`.
    """
    if problem.family == "one_network":
        return check_network_runs(problem, claims)
    known = Known(problem)
    runs: list[Run] = []
    user_of: dict[tuple[str, str], str] = {}
    for claim in claims:
        if any(run.train == claim.train for run in runs):
            return RunFault("train_runs_twice", claim.train, f"train {claim.train!r} is given two runs")
        run = _evaluate(known, claim.train, claim.stops, claim.segments)
        if isinstance(run, RunFault):
            return run
        pieces = pieces_of(known.segments[name] for name in run.segments)
        if not user_of.keys().isdisjoint(pieces):
            sort, name = next(piece for piece in pieces if piece in user_of)
            message = f"trains {user_of[sort, name]!r} and {run.train!r} both use {sort} {name!r}"
            return RunFault("trains_share_track", run.train, message)
        user_of.update(dict.fromkeys(pieces, run.train))
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
    known: Known, train_id: str, stop_ids: Sequence[str], segment_ids: Sequence[str]
) -> Run | RunFault:
    names = claimed(known, train_id, stop_ids, segment_ids)
    if isinstance(names, RunFault):
        return names
    train, stops, segments = names.train, names.stops, names.segments
    fault = shape_fault(known, train, stops, segments) or _kind_fault(known, train, stops, segments)
    if fault is not None:
        return fault
    counted = counted_stops(train, stops)
    return Run(
        train=train.id,
        stops=tuple(stop_ids),
        segments=tuple(segment_ids),
        hexes=hexes_of(stops, segments),
        revenue=sum(stop.value_for(train) for stop in counted),
        treasury_income=sum(stop.value_for(train) for stop in stops if stop.kind == "mine"),
        counted_stops=tuple(stop.id for stop in counted),
    )


def counted_stops(train: Train, stops: Sequence[Stop]) -> list[Stop]:
    """The stops of a route that yield revenue to `train`, in the order travelled; between equals the smaller ids."""
    if not train.counts and not (train.towns == "skip" and train.reach):
        return [stop for stop in stops if stop.kind != "mine"]
    richest_first = sorted(stops, key=lambda stop: (-stop.value_for(train), stop.id))
    if train.counts:
        counted = {stop.id for stop in richest_first[: train.counts]}
    else:
        forced = {stop.id for stop in stops if stop.kind != "town"} | {stops[0].id, stops[-1].id}
        towns = [stop.id for stop in richest_first if stop.id not in forced]
        counted = forced | set(towns[: max(0, train.reach - _measured(train, stops, ()))])
    return [stop for stop in stops if stop.id in counted and stop.kind != "mine"]


def _measured(train: Train, stops: Sequence[Stop], segments: Sequence[Segment]) -> int:
    """The least reach of `train` that the route takes."""
    if train.measure == "hexes":
        return sum(segment.hex_sides for segment in segments)
    if train.towns == "skip":
        ends = {stops[0].id, stops[-1].id}
        return sum(stop.kind != "mine" and (stop.kind != "town" or stop.id in ends) for stop in stops)
    return sum(takes_reach(train, stop) for stop in stops)


def _kind_fault(known: Known, train: Train, stops: list[Stop], segments: list[Segment]) -> RunFault | None:
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
        if terminal_at(segments[index - 1], stop) or terminal_at(segments[index], stop):
            message = f"a route along terminal track at {stop.id!r} begins or ends there"
            return RunFault("route_passes_terminal_track", train.id, message)
    measured = _measured(train, stops, segments)
    if train.reach and measured > train.reach:
        message = f"train {train.id!r} reaches {train.reach} {train.measure}, the route measures {measured}"
        return RunFault("route_too_long", train.id, message)
    return None
