"""Which runs are legal, written simply and independent of the solver, so that each checks the other.

`evaluate_run` judges one run, `check_runs` all runs of a company, `verify_solution` a whole answer.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from services.routing.domain.direct.verify import verify_direct
from services.routing.domain.earning import Earning, earnings, measured, missed_requirement
from services.routing.domain.joint.judge import check_network_runs, evaluate_route
from services.routing.domain.problem import RouteProblem, Segment, Stop, Train, is_blocked
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
from services.routing.domain.solution import (
    AloneRun,
    RouteSolution,
    Run,
    maximised_value,
    runs_in_order,
    solution_from,
)

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
    route = _judged(Known(problem), train, stops, segments)
    if isinstance(route, RunFault):
        return route
    return _run(route, *_best_together(Known(problem), [route]))


def check_runs(
    problem: RouteProblem, claims: Sequence[RunClaim], joined: Collection[tuple[str, ...]] = ()
) -> tuple[Run, ...] | RunFault:
    """The values of all runs of the company in the order given, or the first fault of any or between two.

    They are worth the most that they can be together: in one network see `judge_network`, also for `joined`, else bonuses
    that only few runs have go to those with which the total is the highest.
    """
    if problem.family == "one_network":
        return check_network_runs(problem, claims, joined)
    known = Known(problem)
    routes: list[_Route] = []
    user_of: dict[tuple[str, str], str] = {}
    for claim in claims:
        if any(route.train.id == claim.train for route in routes):
            return RunFault("train_runs_twice", claim.train, f"train {claim.train!r} is given two runs")
        route = _judged(known, claim.train, claim.stops, claim.segments)
        if isinstance(route, RunFault):
            return route
        pieces = pieces_of(known.segments[name] for name in claim.segments)
        if known.places_once == "company":
            pieces += [("place", stop.place) for stop in route.stops]
        if not user_of.keys().isdisjoint(pieces):
            piece = next(piece for piece in pieces if piece in user_of)
            message = f"trains {user_of[piece]!r} and {claim.train!r} both use {piece[0]} {piece[1]!r}"
            reason: FaultReason = "trains_share_place" if piece[0] == "place" else "trains_share_track"
            return RunFault(reason, claim.train, message)
        user_of.update(dict.fromkeys(pieces, claim.train))
        routes.append(route)
    return tuple(
        _run(route, earning) for route, earning in zip(routes, _best_together(known, routes), strict=True)
    )


def verify_solution(problem: RouteProblem, solution: RouteSolution) -> RunFault | None:
    """The first thing wrong in `solution`, or None: legality, every value, locked runs, the claims of the bound.

    That a proven answer is the best is the solver's own claim; only its consistency is checked here. Answers for direct routes
    are checked by `direct.verify`.
    """
    if problem.family == "direct_routes":
        return verify_direct(problem, solution)
    if solution.order and sorted(solution.order) != sorted(run.train for run in solution.runs):
        return RunFault("order_wrong", "", "the order does not name each train that runs once")
    in_order = runs_in_order(solution)
    runs = check_runs(problem, in_order, {run.joined_trains for run in in_order})
    if isinstance(runs, RunFault):
        return runs
    for given, checked in zip(in_order, runs, strict=True):
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
    return _explanation_fault(problem, solution, value) if solution.explanation is not None else None


def _explanation_fault(problem: RouteProblem, solution: RouteSolution, value: int) -> RunFault | None:
    explanation = solution.explanation
    assert explanation is not None
    bounds = [step.bound for step in explanation.bounds]
    if bounds != sorted(bounds, reverse=True) or bounds[-1:] != [solution.upper_bound]:
        return RunFault("bound_wrong", "", f"bounds {bounds} do not fall to {solution.upper_bound}")
    for alone in explanation.alone:
        fault = _alone_fault(problem, alone)
        if fault is not None:
            return fault
    second = explanation.second
    if second is None:
        return None
    runs = check_runs(problem, second.runs)
    if isinstance(runs, RunFault):
        return runs
    total = solution_from(runs, proven=True, steps=0)
    loses = value - maximised_value(total, problem.parameters.compare_treasury_income)
    given = (second.runs, second.revenue, second.treasury_income, second.loses)
    if given != (runs, total.revenue, total.treasury_income, loses) or (solution.proven and loses < 0):
        return RunFault("value_wrong", second.train, f"the second best is {total}, not {second}")
    return None


def _alone_fault(problem: RouteProblem, alone: AloneRun) -> RunFault | None:
    if alone.run is None:
        return None
    checked = check_runs(problem, (alone.run,))
    if isinstance(checked, RunFault):
        return checked
    if checked != (alone.run,):
        return RunFault("value_wrong", alone.train, f"the run alone is {checked[0]}, not {alone.run}")
    return None


class _Route(NamedTuple):
    """A legal route and all ways in which it may be counted."""

    train: Train
    stops: list[Stop]
    segments: list[Segment]
    earnings: list[Earning]


def _judged(
    known: Known, train_id: str, stop_ids: Sequence[str], segment_ids: Sequence[str]
) -> _Route | RunFault:
    names = claimed(known, train_id, stop_ids, segment_ids)
    if isinstance(names, RunFault):
        return names
    train, stops, segments = names.train, names.stops, names.segments
    fault = shape_fault(known, train, stops, segments) or _kind_fault(known, train, stops, segments)
    if fault is not None:
        return fault
    missed = missed_requirement(known, train, stops, segments)
    if missed is not None:
        message = f"the route meets no stop of requirement {missed.id!r} ({missed.where})"
        return RunFault("route_misses_requirement", train.id, message)
    found = earnings(known, train, stops, segments)
    if not found:
        message = f"train {train.id!r} cannot count a stop for every requirement"
        return RunFault("route_misses_requirement", train.id, message)
    return _Route(train, stops, segments, found)


def _run(route: _Route, earning: Earning) -> Run:
    return Run(
        train=route.train.id,
        stops=tuple(stop.id for stop in route.stops),
        segments=tuple(segment.id for segment in route.segments),
        hexes=hexes_of(route.stops, route.segments),
        revenue=earning.revenue,
        treasury_income=earning.treasury_income,
        counted_stops=tuple(stop.id for stop in earning.counted),
        bonus=earning.bonus,
        bonuses=tuple(sorted(bonus.id for bonus in earning.bonuses)),
    )


def _best_together(known: Known, routes: Sequence[_Route]) -> list[Earning]:
    """How to count each of the routes so that the total is the highest, of equals by the smaller ids of trains first."""
    if all(len(route.earnings) == 1 for route in routes):
        return [route.earnings[0] for route in routes]
    limited = [bonus for bonus in known.bonuses if bonus.runs]
    order = sorted(range(len(routes)), key=lambda number: routes[number].train.id)
    left = tuple(bonus.runs for bonus in limited)
    best: dict[tuple[int, ...], tuple[tuple[int, int], tuple[Earning, ...]]] = {left: ((0, 0), ())}
    for number in order:
        longer: dict[tuple[int, ...], tuple[tuple[int, int], tuple[Earning, ...]]] = {}
        for rest, (total, chosen) in best.items():
            for earning in routes[number].earnings:
                after = tuple(
                    count - (bonus in earning.bonuses) for count, bonus in zip(rest, limited, strict=True)
                )
                rank = known.rank(earning.revenue, earning.treasury_income)
                sums = (total[0] + rank[0], total[1] + rank[1])
                if min(after, default=0) >= 0 and (after not in longer or sums > longer[after][0]):
                    longer[after] = (sums, (*chosen, earning))
        best = longer
    _, chosen = max(best.values(), key=lambda each: each[0])
    by_number = dict(zip(order, chosen, strict=True))
    return [by_number[number] for number in range(len(routes))]


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
    length = measured(train, stops, segments)
    if train.reach and length > train.reach:
        message = f"train {train.id!r} reaches {train.reach} {train.measure}, the route measures {length}"
        return RunFault("route_too_long", train.id, message)
    towns = sum(stop.kind == "town" for stop in stops)
    if train.towns == "extra" and towns > train.town_reach:
        message = f"train {train.id!r} reaches {train.town_reach} towns, the route has {towns}"
        return RunFault("route_too_long", train.id, message)
    return None
