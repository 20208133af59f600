"""Which runs of one network are legal and what they earn together, written simply and independent of the solver.

Each run is a route of its train's kind; one of them contains the home, all are connected, and freight runs that may not
run beside others are joined. No place counts twice, whichever runs come to it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from services.routing.domain.joint.counting import counted_by
from services.routing.domain.joint.joining import Joining, Longer, ends_of, joined_in_order, joinings
from services.routing.domain.problem import Parameters, RouteProblem, Stop, Train, is_blocked
from services.routing.domain.shape import (
    Claimed,
    Known,
    RunClaim,
    RunFault,
    claimed,
    hexes_of,
    same_stop,
    shape_fault,
    terminal_at,
)
from services.routing.domain.solution import Run


def evaluate_route(
    known: Known, parameters: Parameters, train: str, stops: Sequence[str], segments: Sequence[str]
) -> Run | RunFault:
    """What `train` earns by this route alone, or the first rule for a single route that it breaks."""
    route = _route(known, train, stops, segments)
    if isinstance(route, RunFault):
        return route
    return _runs([route], _counted([route], _alone([route]), parameters), parameters)[0]


class Judged(NamedTuple):
    """Legal runs in the order given, and their trains in that order if another one could join other freight runs, else none."""

    runs: tuple[Run, ...]
    order: tuple[str, ...]


def check_network_runs(
    problem: RouteProblem, claims: Sequence[RunClaim], joined: Collection[tuple[str, ...]] = ()
) -> tuple[Run, ...] | RunFault:
    """The runs in the order given with the most that they can earn together, or the first fault; see `judge_network`."""
    judged = judge_network(problem, claims, joined)
    return judged if isinstance(judged, RunFault) else judged.runs


def judge_network(
    problem: RouteProblem, claims: Sequence[RunClaim], joined: Collection[tuple[str, ...]] = ()
) -> Judged | RunFault:
    """The runs in the order given with the most that they can earn together, or the first fault. Where there are too many
    ways of joining them, with the most by some, or joined as `joined` says; see `joinings`.

    Which places a train counts that visits more than it may count, and which freight runs whose ends meet are joined,
    is chosen so that revenue is the most. The place of the highest value is given out first (then the smaller name),
    to the first run by id of the train that can count it; it gives way later where that lets another place count as
    well. A hex is paid to the first local run that touches it.
    """
    known = Known(problem)
    routes: list[Claimed] = []
    for claim in claims:
        if any(route.train.id == claim.train for route in routes):
            return RunFault("train_runs_twice", claim.train, f"train {claim.train!r} is given two runs")
        route = _route(known, claim.train, claim.stops, claim.segments)
        if isinstance(route, RunFault):
            return route
        routes.append(route)
    fault = _network_fault(problem.parameters, routes)
    if fault is not None:
        return fault
    in_order = sorted(routes, key=lambda route: route.train.id)
    order: tuple[str, ...] = ()
    ways = joinings(known, problem.parameters.freight_joins, in_order, joined)
    # Of ways that earn the same the first.
    best = max((_counted(in_order, each, problem.parameters) for each in ways), key=_earned, default=None)
    if best is None and in_order:
        given = [in_order.index(route) for route in routes]
        order = tuple(claim.train for claim in claims)
        in_given_order = joined_in_order(in_order, given, problem.parameters.freight_joins)
        best = _counted(in_order, in_given_order, problem.parameters) if in_given_order else None
    if in_order and best is None:
        freight = [route.train for route in in_order if route.train.kind == "freight"]
        first = next((train.id for train in freight if train.joins), freight[0].id)
        message = f"freight train {first!r} and the others do not make longer runs as they must"
        return RunFault("freight_not_joined", first, message)
    runs = [] if best is None else _runs(in_order, best, problem.parameters)
    by_train = {run.train: run for run in runs}
    return Judged(tuple(by_train[claim.train] for claim in claims), order)


def _route(
    known: Known, train_id: str, stop_ids: Sequence[str], segment_ids: Sequence[str]
) -> Claimed | RunFault:
    names = claimed(known, train_id, stop_ids, segment_ids)
    if isinstance(names, RunFault):
        return names
    train, stops, segments = names
    fault = shape_fault(known, train, stops, segments) or _kind_fault(train, stops)
    fault = fault or _passing_fault(known, names) or _reach_fault(names)
    return names if fault is None else fault


def _kind_fault(train: Train, stops: list[Stop]) -> RunFault | None:
    """Faults at the stops that depend on their kinds."""
    ends = (stops[0], stops[-1])
    for end in ends:
        if end.kind == "town":
            return RunFault("route_ends_at_town", train.id, f"no route begins or ends at town {end.id!r}")
    for stop in stops:
        if train.kind == "local" and stop.kind in ("offboard", "port"):
            message = f"local train {train.id!r} does not leave the board for {stop.id!r}"
            return RunFault("local_off_board", train.id, message)
    if all(end.kind == "port" for end in ends):
        return RunFault("route_two_ports", train.id, "a route has one port at most")
    if all(end.kind == "offboard" for end in ends):
        return RunFault("route_two_offboards", train.id, "a route has one off-board area at most")
    return None


def _passing_fault(known: Known, route: Claimed) -> RunFault | None:
    """Faults at the stops that a route goes through."""
    train = route.train.id
    for stop, (before, after) in zip(route.stops[1:-1], pairwise(route.segments), strict=True):
        if stop.kind == "offboard":
            message = f"off-board area {stop.id!r} is not at an end of the route"
            return RunFault("route_offboard_in_middle", train, message)
        if stop.kind == "port":
            return RunFault("route_port_in_middle", train, f"port {stop.id!r} is not at an end of the route")
        if is_blocked(stop, known.token_stops):
            message = f"tokens of other companies block the way through {stop.id!r}"
            return RunFault("route_passes_blocked_city", train, message)
        if terminal_at(before, stop) or terminal_at(after, stop):
            message = f"a route along terminal track at {stop.id!r} begins or ends there"
            return RunFault("route_passes_terminal_track", train, message)
    return None


def _reach_fault(route: Claimed) -> RunFault | None:
    train = route.train
    if train.kind == "freight":
        measured, unit = sum(segment.hex_sides for segment in route.segments), "hexes"
    else:
        measured, unit = sum(stop.kind != "town" for stop in route.stops), "stops"
    if measured <= train.reach:
        return None
    message = f"train {train.id!r} reaches {train.reach} {unit}, the route measures {measured}"
    return RunFault("route_too_long", train.id, message)


def _network_fault(parameters: Parameters, routes: Sequence[Claimed]) -> RunFault | None:
    """Whether no route contains the home, or some route is not connected to it."""
    if not routes:
        return None
    linked = {
        index for index, route in enumerate(routes) if any(stop.id == parameters.home for stop in route.stops)
    }
    if not linked:
        message = f"no route contains the home {parameters.home!r}" if parameters.home else "there is no home"
        return RunFault("no_run_at_home", "", message)
    first = min(linked)
    linked, waiting = {first}, [first]
    while waiting:
        number = waiting.pop()
        for index in range(len(routes)):
            if index not in linked and _meet(routes[number], routes[index], parameters):
                linked.add(index)
                waiting.append(index)
    for index, route in enumerate(routes):
        if index not in linked:
            message = f"the route does not meet the network of train {routes[first].train.id!r}"
            return RunFault("route_misses_network", route.train.id, message)
    return None


def _meet(one: Claimed, other: Claimed, parameters: Parameters) -> bool:
    """Whether two routes are connected: by a stop that links, or as parts of one longer run."""
    if parameters.links == "any_stop":
        shared = {stop.place for stop in one.stops} & {stop.place for stop in other.stops}
    else:
        cities = {stop.id for stop in one.stops if stop.kind == "city"}
        shared = cities & {stop.id for stop in other.stops}
    if shared:
        return True
    if parameters.freight_joins == "one_route" or not one.train.kind == other.train.kind == "freight":
        return False
    return bool(ends_of(one) & ends_of(other))


def _alone(routes: Sequence[Claimed]) -> Joining:
    return tuple(
        Longer((number,), (False,)) for number, route in enumerate(routes) if route.train.kind == "freight"
    )


class _Counted(NamedTuple):
    """What each route counts when freight trains are joined like this, and the bonuses, by the first part of each longer run."""

    joining: Joining
    stops: list[list[Stop]]
    bonus_of: dict[int, int]


def _counted(routes: Sequence[Claimed], joining: Joining, parameters: Parameters) -> _Counted:
    bonus_of: dict[int, int] = {}
    countable = [[] if route.train.kind == "freight" else _countable(route) for route in routes]
    for longer in joining:
        (first_number, first_end), (last_number, last_end) = longer.ends(routes)
        countable[first_number].append(first_end)
        if longer.paid is None:
            countable[last_number].append(last_end)
        bonus_of[first_number] = _bonus(first_end, last_end, parameters)
    return _Counted(joining, counted_by(routes, countable), bonus_of)


def _earned(counted: _Counted) -> int:
    stops = sum(stop.revenue for each in counted.stops for stop in each)
    return stops + sum(counted.bonus_of.values())


def _runs(routes: Sequence[Claimed], counted: _Counted, parameters: Parameters) -> list[Run]:
    """The runs with what they earn together."""
    joined_of: dict[int, tuple[str, ...]] = {}
    for longer in counted.joining:
        if len(longer.parts) > 1:
            names = tuple(routes[number].train.id for number in longer.parts)
            joined_of.update(dict.fromkeys(longer.parts, names))
    paid: set[str] = set()
    runs: list[Run] = []
    for number, route in enumerate(routes):
        hexes = hexes_of(route.stops, route.segments)
        new = set(hexes) - paid if route.train.kind == "local" else set()
        paid |= new
        stops, bonus = counted.stops[number], counted.bonus_of.get(number, 0)
        runs.append(
            Run(
                train=route.train.id,
                stops=tuple(stop.id for stop in route.stops),
                segments=tuple(segment.id for segment in route.segments),
                hexes=hexes,
                revenue=bonus + sum(stop.revenue for stop in stops),
                treasury_income=len(new) * parameters.subsidy_per_hex,
                counted_stops=tuple(stop.id for stop in route.stops if stop in stops),
                bonus=bonus,
                joined_trains=joined_of.get(number, ()),
            )
        )
    return runs


def _countable(route: Claimed) -> list[Stop]:
    """What a local or express train may count of its route."""
    return [stop for stop in route.stops if route.train.kind == "local" or stop.kind != "town"]


def _bonus(one: Stop, other: Stop, parameters: Parameters) -> int:
    """For the hexes strictly between the ends in a straight line (1862/7.8.1-c, 7.8.1-e); none where a ring ends where it
    begins."""
    if same_stop(one.id) == same_stop(other.id):
        return 0
    has_port = "port" in (one.kind, other.kind)
    apart = straight_distance(one.position or (0, 0), other.position or (0, 0))
    between = apart - 1 + one.beyond + other.beyond
    return max(0, between) * (parameters.bonus_per_hex_port if has_port else parameters.bonus_per_hex)


def straight_distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Hex sides between two hexes in a straight line, by their axial coordinates."""
    (q, r), (to_q, to_r) = one, other
    return max(abs(q - to_q), abs(r - to_r), abs(q + r - to_q - to_r))
