"""Rules for the shape of every route, in every rule family, and the faults that break them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, Protocol

import msgspec

from services.routing.domain.problem import RouteProblem, Segment, Stop, Train

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
    "route_misses_requirement",
    "trains_share_track",
    "trains_share_place",
    "route_port_in_middle",
    "route_ends_at_town",
    "route_two_offboards",
    "route_two_ports",
    "local_off_board",
    "no_run_at_home",
    "route_misses_network",
    "freight_not_joined",
    "order_wrong",
    "locked_run_changed",
    "route_passes_city",
    "goal_without_space",
    "route_dominated",
    "route_missing",
    "value_wrong",
    "bound_wrong",
]


class RunFault(msgspec.Struct, frozen=True):
    """Why a run is illegal: a code that never changes meaning, the train, and a sentence with the facts."""

    reason: FaultReason
    train: str
    message: str


class InvalidAnswerError(Exception):
    """The solver's answer failed verification. A bug; the answer must not be used."""

    def __init__(self, fault: RunFault) -> None:
        super().__init__(f"{fault.reason} ({fault.train}): {fault.message}")
        self.fault = fault


class RunClaim(Protocol):
    """A run that is not checked yet: a `Run`, a `LockedRun` or one that a player declares."""

    @property
    def train(self) -> str: ...
    @property
    def stops(self) -> tuple[str, ...]: ...
    @property
    def segments(self) -> tuple[str, ...]: ...


class Known:
    """A problem's parts by id."""

    def __init__(self, problem: RouteProblem) -> None:
        self.stops = {stop.id: stop for stop in problem.stops}
        self.segments = {segment.id: segment for segment in problem.segments}
        self.trains = {train.id: train for train in problem.trains}
        self.token_stops = frozenset(problem.token_stops)
        parameters = problem.parameters
        self.bonuses = tuple(sorted(parameters.bonuses, key=lambda bonus: bonus.id))
        self.requirements = parameters.requirements
        self.places_once = parameters.places_once
        self._compare_income = parameters.compare_treasury_income

    def rank(self, revenue: int, treasury_income: int) -> tuple[int, int]:
        """What is maximised first, and what then decides ties."""
        if self._compare_income:
            return revenue + treasury_income, revenue
        return revenue, treasury_income


class Claimed(NamedTuple):
    """A claim with its ids resolved."""

    train: Train
    stops: list[Stop]
    segments: list[Segment]


def claimed(
    known: Known, train_id: str, stop_ids: Sequence[str], segment_ids: Sequence[str]
) -> Claimed | RunFault:
    """The parts that a claim names, or a fault for the first unknown id."""
    train = known.trains.get(train_id)
    if train is None:
        return RunFault("unknown_train", train_id, f"the company has no train {train_id!r}")
    for name in stop_ids:
        if name not in known.stops:
            return RunFault("unknown_stop", train_id, f"there is no stop {name!r}")
    for name in segment_ids:
        if name not in known.segments:
            return RunFault("unknown_segment", train_id, f"there is no track {name!r}")
    return Claimed(
        train, [known.stops[name] for name in stop_ids], [known.segments[name] for name in segment_ids]
    )


def shape_fault(known: Known, train: Train, stops: list[Stop], segments: list[Segment]) -> RunFault | None:
    """The first fault that does not depend on the kind of train."""
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
    if len(set(places)) < len(places):
        place = next(place for index, place in enumerate(places) if place in places[:index])
        return RunFault("route_repeats_place", train.id, f"the route visits {place!r} twice")
    pieces = pieces_of(segments)
    if len(set(pieces)) < len(pieces):
        sort, name = min(piece for piece in pieces if pieces.count(piece) > 1)
        return RunFault("route_track_reused", train.id, f"the route uses {sort} {name!r} twice")
    if known.token_stops.isdisjoint([stop.id for stop in stops]):
        return RunFault("route_no_token", train.id, "no stop of the route holds a token of the company")
    return None


def terminal_at(segment: Segment, stop: Stop) -> bool:
    """Whether a route along `segment` begins or ends at `stop`."""
    return segment.terminal_a if segment.a == stop.id else segment.terminal_b


def pieces_of(segments: Iterable[Segment]) -> list[tuple[str, str]]:
    """What the segments use up: each segment itself and its resources."""
    pieces: list[tuple[str, str]] = []
    for segment in segments:
        pieces.append(("segment", segment.id))
        pieces += [("resource", used) for used in dict.fromkeys(segment.resources)]
    return pieces


def same_stop(name: str) -> str:
    """The stop's id without its entry: what follows `@` only distinguishes entries of the same stop."""
    return name.partition("@")[0]


def hexes_of(stops: list[Stop], segments: list[Segment]) -> tuple[str, ...]:
    """Hexes in travelling order; the hex of a stop between two segments is listed once."""
    passed: list[str] = []
    for start, segment in zip(stops, segments, strict=False):
        passed.extend(segment.hexes if segment.a == start.id else segment.hexes[::-1])
    return tuple(name for name, before in zip(passed, ["", *passed], strict=False) if name != before)
