"""Validation of route problems."""

from __future__ import annotations

from services.routing.domain.families import check_family
from services.routing.domain.problem import (
    NETWORK_TRAIN_COUNT_MAX,
    REACH_MAX,
    RESOURCE_COUNT_MAX,
    REVENUE_MAX,
    SEGMENT_COUNT_MAX,
    STOP_COUNT_MAX,
    TRAIN_COUNT_MAX,
    ProblemError,
    RouteProblem,
    Segment,
    Stop,
    Train,
    require,
)

# Boards have hundreds of stops and segments: messages on these are made only for what is wrong.


def validate_problem(problem: RouteProblem) -> None:
    """Raise `ProblemError` for the first invalid field of `problem`."""
    require(problem.company != "", "company", "missing_company", "the running company has no name")
    _check_count(problem.stops, "stops", STOP_COUNT_MAX)
    _check_count(problem.segments, "segments", SEGMENT_COUNT_MAX)
    trains_most = TRAIN_COUNT_MAX if problem.family == "separate_track" else NETWORK_TRAIN_COUNT_MAX
    _check_count(problem.trains, "trains", trains_most)
    _check_stops(problem.stops)
    stop_ids = {stop.id for stop in problem.stops}
    _check_segments(problem.segments, stop_ids)
    _check_trains(problem.trains)
    _check_unique(problem.token_stops, "token_stops")
    for index, token_stop in enumerate(problem.token_stops):
        require(
            token_stop in stop_ids,
            f"token_stops[{index}]",
            "unknown_stop",
            f"there is no stop {token_stop!r}",
        )
    _check_options(problem)
    check_family(problem)


def _check_count(items: tuple[object, ...], field: str, limit: int) -> None:
    require(len(items) <= limit, field, "too_many", f"{len(items)} given, at most {limit} are allowed")


def _check_unique(ids: tuple[str, ...], field: str) -> None:
    if "" not in ids and len(set(ids)) == len(ids):
        return
    seen: set[str] = set()
    for index, name in enumerate(ids):
        require(name != "", f"{field}[{index}]", "missing_id", "the id is empty")
        require(name not in seen, f"{field}[{index}]", "repeated_id", f"{name!r} is given twice")
        seen.add(name)


def _check_stops(stops: tuple[Stop, ...]) -> None:
    _check_unique(tuple(stop.id for stop in stops), "stops")
    for index, stop in enumerate(stops):
        if stop.place == "":
            raise ProblemError(f"stops[{index}].place", "missing_place", f"stop {stop.id!r} has no place")
        if not 0 <= stop.revenue <= REVENUE_MAX:
            raise _bad_revenue(f"stops[{index}].revenue", stop.revenue, stop)
        for tariff, revenue in stop.tariffs.items():
            if not 0 <= revenue <= REVENUE_MAX:
                raise _bad_revenue(f"stops[{index}].tariffs[{tariff!r}]", revenue, stop)


def _bad_revenue(field: str, revenue: int, stop: Stop) -> ProblemError:
    message = f"revenue {revenue} of stop {stop.id!r} is not within 0 to {REVENUE_MAX}"
    return ProblemError(field, "revenue_out_of_range", message)


def _check_segments(segments: tuple[Segment, ...], stop_ids: set[str]) -> None:
    _check_unique(tuple(segment.id for segment in segments), "segments")
    for index, segment in enumerate(segments):
        if len(segment.resources) > RESOURCE_COUNT_MAX:
            _check_count(segment.resources, f"segments[{index}].resources", RESOURCE_COUNT_MAX)
        length, hexes = segment.length, segment.hexes
        if length and (not 0 < length <= REACH_MAX or (hexes and length != len(hexes) - 1)):
            message = f"length {length} of segment {segment.id!r} is not within 0 to {REACH_MAX} or not what its hexes tell"
            raise ProblemError(f"segments[{index}].length", "length_wrong", message)
        for side, stop in (("a", segment.a), ("b", segment.b)):
            if stop not in stop_ids:
                message = f"segment {segment.id!r} leads to {stop!r}, which is no stop"
                raise ProblemError(f"segments[{index}].{side}", "unknown_stop", message)


def _check_trains(trains: tuple[Train, ...]) -> None:
    _check_unique(tuple(train.id for train in trains), "trains")
    for index, train in enumerate(trains):
        for name, value in (
            ("reach", train.reach),
            ("counts", train.counts),
            ("town_reach", train.town_reach),
        ):
            require(
                0 <= value <= REACH_MAX,
                f"trains[{index}].{name}",
                f"{name}_out_of_range",
                f"{name} {value} of train {train.id!r} is not within 0 to {REACH_MAX}",
            )
        require(
            train.counts == 0 or (train.kind not in ("goods", "freight") and train.towns == "stop"),
            f"trains[{index}].counts",
            "counts_not_possible",
            f"train {train.id!r} counts its best stops: it must carry no goods and treat towns as stops",
        )
        require(
            train.measure == "stops" or train.towns != "skip",
            f"trains[{index}].towns",
            "skip_not_possible",
            f"train {train.id!r} is measured in hexes, so there is no reach to be saved by skipping a town",
        )


def _check_options(problem: RouteProblem) -> None:
    options = problem.options
    for name, value in (("deadline_ms", options.deadline_ms), ("node_budget", options.node_budget)):
        require(value >= 0, f"options.{name}", "negative", f"{name} is {value}, below 0")
    train_ids = {train.id for train in problem.trains}
    locked_trains = tuple(run.train for run in options.locked_runs)
    _check_unique(locked_trains, "options.locked_runs")
    for index, train in enumerate(locked_trains):
        require(
            train in train_ids,
            f"options.locked_runs[{index}].train",
            "unknown_train",
            f"there is no train {train!r}",
        )
