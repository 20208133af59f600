"""Checks for fields that are valid in one rule family only."""

from __future__ import annotations

from collections.abc import Mapping

from services.routing.domain.direct.checks import check_direct_routes
from services.routing.domain.familychecks import (
    DIRECT_PARAMETERS,
    MONEY_MOST,
    NETWORK_PARAMETERS,
    SEPARATE_TRACK_PARAMETERS,
    check_decided,
    check_foreign,
    check_joins,
    check_kind,
    check_no_locked_runs,
)
from services.routing.domain.problem import ProblemError, RouteProblem, Stop, require
from services.routing.domain.terms import check_terms

# Boards have hundreds of stops and segments: messages on these are made only for what is wrong.

POSITION_MOST = 200
NETWORK_KINDS = ("freight", "local", "express")
DECIDED: Mapping[str, object] = {
    "towns": "stop",
    "measure": "stops",
    "tariff": "",
    "town_reach": 0,
    "factor": 1,
    "only_tokens": False,
}


def check_family(problem: RouteProblem) -> None:
    """Raise `ProblemError` for the first field of `problem` that is invalid in its rule family."""
    if problem.family == "direct_routes":
        check_direct_routes(problem)
        return
    check_foreign(problem, DIRECT_PARAMETERS, "where trains run")
    for index, segment in enumerate(problem.segments):
        if segment.cost:
            message = f"segment {segment.id!r} costs runs nothing"
            raise ProblemError(f"segments[{index}].cost", "cost_not_possible", message)
    if problem.family == "separate_track":
        _check_separate_track(problem)
    else:
        _check_trains(problem)
        _check_stops(problem)
        _check_segments(problem)
        _check_parameters(problem)


def _check_separate_track(problem: RouteProblem) -> None:
    for index, train in enumerate(problem.trains):
        check_kind(index, train, train.kind not in NETWORK_KINDS, problem.family)
        check_joins(index, train, not train.joins)
    check_foreign(problem, NETWORK_PARAMETERS, "where trains share no track")
    check_terms(problem)


def _check_trains(problem: RouteProblem) -> None:
    for index, train in enumerate(problem.trains):
        check_kind(index, train, train.kind in NETWORK_KINDS, problem.family)
        check_joins(index, train, train.kind == "freight" or not train.joins)
        check_decided(index, train, DECIDED)
        require(
            train.reach > 0,
            f"trains[{index}].reach",
            "reach_out_of_range",
            f"train {train.id!r} needs a reach: no {train.kind} train runs without limit",
        )


def _check_stops(problem: RouteProblem) -> None:
    has_freight = any(train.kind == "freight" for train in problem.trains)
    value_of: dict[str, int] = {}
    for index, stop in enumerate(problem.stops):
        if stop.kind == "mine":
            message = f"no train serves mine {stop.id!r}"
            raise ProblemError(f"stops[{index}].kind", "kind_not_possible", message)
        if stop.tariffs:
            message = f"stop {stop.id!r} has the same value for all trains"
            raise ProblemError(f"stops[{index}].tariffs", "tariff_not_possible", message)
        value = value_of.setdefault(stop.place, stop.revenue)
        if value != stop.revenue:
            message = (
                f"place {stop.place!r} counts once, so its stops cannot yield {value} and {stop.revenue}"
            )
            raise ProblemError(f"stops[{index}].revenue", "place_values_differ", message)
        _check_position(stop, index, has_freight)


def _check_position(stop: Stop, index: int, has_freight: bool) -> None:
    if stop.position is None:
        if has_freight and stop.kind != "town":
            message = f"a freight train may end at {stop.id!r}, which has no position to measure from"
            raise ProblemError(f"stops[{index}].position", "position_missing", message)
    elif max(map(abs, stop.position)) > POSITION_MOST:
        message = f"the position of {stop.id!r} is not within {-POSITION_MOST} to {POSITION_MOST}"
        raise ProblemError(f"stops[{index}].position", "position_out_of_range", message)
    if not 0 <= stop.beyond <= POSITION_MOST:
        message = f"{stop.id!r} lies {stop.beyond} hexes beyond its position, which is not within 0 to {POSITION_MOST}"
        raise ProblemError(f"stops[{index}].beyond", "position_out_of_range", message)


def _check_segments(problem: RouteProblem) -> None:
    kinds = {train.kind for train in problem.trains}
    has_freight, subsidised = "freight" in kinds, "local" in kinds and problem.parameters.subsidy_per_hex > 0
    for index, segment in enumerate(problem.segments):
        if has_freight and not segment.hexes and segment.length <= 0:
            message = f"segment {segment.id!r} names neither its hexes nor how many hex sides it crosses"
            raise ProblemError(f"segments[{index}].length", "length_missing", message)
        if segment.revenue:
            message = f"runs of one network earn at their stops, not on segment {segment.id!r}"
            raise ProblemError(f"segments[{index}].revenue", "segment_revenue_not_possible", message)
        if subsidised and not segment.hexes:
            message = f"segment {segment.id!r} names no hexes, for each of which a local train is paid"
            raise ProblemError(f"segments[{index}].hexes", "hexes_missing", message)


def _check_parameters(problem: RouteProblem) -> None:
    check_foreign(problem, SEPARATE_TRACK_PARAMETERS, "where all runs make one network")
    parameters = problem.parameters
    kind_of = {stop.id: stop.kind for stop in problem.stops}
    for index, token_stop in enumerate(problem.token_stops):
        message = f"stop {token_stop!r} is no city, so it holds no token"
        require(kind_of[token_stop] == "city", f"token_stops[{index}]", "token_not_in_city", message)
    home = parameters.home
    require(not home or home in kind_of, "parameters.home", "unknown_stop", f"there is no stop {home!r}")
    message = f"stop {home!r} is no city, so it is nobody's home"
    require(not home or kind_of[home] == "city", "parameters.home", "home_not_city", message)
    for name in ("bonus_per_hex", "bonus_per_hex_port", "subsidy_per_hex"):
        value = getattr(parameters, name)
        require(
            0 <= value <= MONEY_MOST,
            f"parameters.{name}",
            "revenue_out_of_range",
            f"{name} {value} is not within 0 to {MONEY_MOST}",
        )
    check_no_locked_runs(problem, "where all runs make one network, none can be settled before the others")
