"""Checks of problems that ask for direct routes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from services.routing.domain.familychecks import (
    MONEY_MOST,
    NETWORK_PARAMETERS,
    SEPARATE_TRACK_PARAMETERS,
    check_decided,
    check_foreign,
    check_kind,
    check_no_locked_runs,
)
from services.routing.domain.problem import REVENUE_MAX, RouteProblem, require

STOP_KINDS: Final = ("city", "town", "mine")
DECIDED: Final[Mapping[str, object]] = {
    "towns": "stop",
    "counts": 0,
    "measure": "stops",
    "tariff": "",
    "joins": False,
    "town_reach": 0,
    "factor": 1,
    "only_tokens": False,
}
WHERE: Final = "for direct routes"


def check_direct_routes(problem: RouteProblem) -> None:
    """Raise `ProblemError` for the first field that is invalid where direct routes are asked for."""
    for index, train in enumerate(problem.trains):
        check_kind(index, train, train.kind == "normal", problem.family)
        check_decided(index, train, DECIDED)
        message = f"train {train.id!r} covers no traffic"
        require(train.reach > 0, f"trains[{index}].reach", "reach_out_of_range", message)
    _check_stops(problem)
    _check_segments(problem)
    _check_parameters(problem)


def _check_stops(problem: RouteProblem) -> None:
    for index, stop in enumerate(problem.stops):
        field = f"stops[{index}]"
        message = f"no direct route comes to {stop.kind} {stop.id!r}"
        require(stop.kind in STOP_KINDS, f"{field}.kind", "kind_not_possible", message)
        message = f"stop {stop.id!r} has the same traffic for all"
        require(not stop.tariffs, f"{field}.tariffs", "tariff_not_possible", message)
    kind_of = {stop.id: stop.kind for stop in problem.stops}
    for index, token_stop in enumerate(problem.token_stops):
        message = f"stop {token_stop!r} is a town, so it holds no token"
        require(kind_of[token_stop] != "town", f"token_stops[{index}]", "token_not_in_city", message)


def _check_segments(problem: RouteProblem) -> None:
    for index, segment in enumerate(problem.segments):
        message = f"segment {segment.id!r} brings no traffic, its stops do"
        require(segment.revenue == 0, f"segments[{index}].revenue", "segment_revenue_not_possible", message)
        message = f"cost {segment.cost} of segment {segment.id!r} is not within 0 to {MONEY_MOST}"
        require(0 <= segment.cost <= MONEY_MOST, f"segments[{index}].cost", "cost_out_of_range", message)


def _check_parameters(problem: RouteProblem) -> None:
    parameters = problem.parameters
    check_foreign(problem, NETWORK_PARAMETERS | SEPARATE_TRACK_PARAMETERS, WHERE)
    check_foreign(problem, {"compare_treasury_income": False}, WHERE)
    for name in ("traffic", "coverage_beside"):
        value = getattr(parameters, name)
        message = f"{name} {value} is not within 0 to {REVENUE_MAX}"
        require(0 <= value <= REVENUE_MAX, f"parameters.{name}", "traffic_out_of_range", message)
    kind_of = {stop.id: stop.kind for stop in problem.stops}
    for index, goal in enumerate(parameters.goals):
        field = f"parameters.goals[{index}]"
        require(goal in kind_of, field, "unknown_stop", f"there is no stop {goal!r}")
        require(goal not in parameters.goals[:index], field, "repeated_id", f"{goal!r} is given twice")
        message = f"stop {goal!r} is a town, at which no direct route ends"
        require(kind_of[goal] != "town", field, "goal_not_city", message)
    check_no_locked_runs(problem, "no train runs along a direct route")
    message = "direct routes are all of them, so there is nothing to explain"
    require(not problem.options.explain, "options.explain", "explain_not_possible", message)
