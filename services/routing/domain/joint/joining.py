"""Which freight runs are joined end to end into one longer run, and in which ways they may be."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple, TypeAlias

from services.routing.domain.joint.meeting import FreightRun, LongerRun, longer_runs
from services.routing.domain.problem import FreightJoins, Stop, is_blocked
from services.routing.domain.shape import Claimed, Known, pieces_of, same_stop, terminal_at

# Ways of joining that are tried beside one that is named, without one, and then until one of them is legal.
WAYS_BESIDE_NAMED_MOST, WAYS_MOST, WAYS_UNTIL_LEGAL_MOST = 100, 2_000, 50_000


class Longer(NamedTuple):
    """Runs joined end to end, by number, each reversed where `turned`. A single run is a longer run by itself.

    `paid`: the number of the run whose first stop alone is counted where both ends lie in its own middle.
    """

    parts: tuple[int, ...]
    turned: tuple[bool, ...]
    paid: int | None = None

    def ends(self, routes: Sequence[Claimed]) -> tuple[tuple[int, Stop], tuple[int, Stop]]:
        """Where it begins and where it ends, as far as that is counted: the number of the run and the stop."""
        if self.paid is not None:
            paid = self.paid, routes[self.paid].stops[0]
            return paid, paid
        first, last = routes[self.parts[0]].stops, routes[self.parts[-1]].stops
        return (
            (self.parts[0], first[-1 if self.turned[0] else 0]),
            (self.parts[-1], last[0 if self.turned[-1] else -1]),
        )


Joining: TypeAlias = tuple[Longer, ...]


class _Joint(NamedTuple):
    """A stop at which two runs end, wherever they enter it from."""

    stop: str
    one: int
    other: int


def joinings(
    known: Known, rule: FreightJoins, routes: Sequence[Claimed], named: Collection[tuple[str, ...]] = ()
) -> Iterator[Joining]:
    """The legal ways of joining the freight runs among `routes`; tries each joint unused first, then used.

    Ways grow faster than any power of the number of runs that end at one stop: after so many the one that is `named`, by
    the trains of each longer run in the order along it, is the last.

    Trains that must join make one longer run, with or without others; a single one of them needs another freight train
    to join wherever one runs. By `one_route` a longer run is a route that one train could make, and trains that need not
    join may or may not. By `ends_meet` exactly those runs are joined whose ends meet, two at each such stop, and the
    longer run of those that must join holds one that need not wherever such a one runs.
    """
    freight = [number for number, route in enumerate(routes) if route.train.kind == "freight"]
    joints = [
        _Joint(stop, one, other)
        for one, other in combinations(freight, 2)
        for stop in sorted(ends_of(routes[one]) & ends_of(routes[other]))
        if rule == "ends_meet" or _may_join(known, routes, stop, one, other)
    ]
    most = WAYS_BESIDE_NAMED_MOST if named else WAYS_UNTIL_LEGAL_MOST
    for tried, chosen in enumerate(iter([joints]) if rule == "ends_meet" else _choices(joints)):
        if tried >= most:
            joining = _named(routes, freight, joints, named)
            if joining is not None and _is_legal(rule, routes, joining):
                yield joining
            return
        joining = _joined(routes, freight, chosen)
        if joining is not None and _is_legal(rule, routes, joining):
            most = min(most, WAYS_MOST)
            yield joining


def _named(
    routes: Sequence[Claimed],
    freight: Sequence[int],
    joints: Sequence[_Joint],
    named: Collection[tuple[str, ...]],
) -> Joining | None:
    """The longer runs of these trains, or None where nothing is named or no joint is between two that follow each other."""
    number_of = {routes[number].train.id: number for number in freight}
    between = {frozenset((joint.one, joint.other)): joint for joint in joints}
    pairs = [
        frozenset(number_of.get(train, -1) for train in pair) for longer in named for pair in pairwise(longer)
    ]
    if not pairs or any(pair not in between for pair in pairs):
        return None
    return _joined(routes, freight, [between[pair] for pair in pairs])


def joined_in_order(routes: Sequence[Claimed], order: Sequence[int], rule: FreightJoins) -> Joining | None:
    """The freight runs among `routes` joined wherever their ends meet, taken in `order`; more than two may meet at a stop,
    and rings are allowed. None where that makes no longer runs or the trains that must join are apart, and for other
    rules than `ends_meet`."""
    freight = [number for number in order if routes[number].train.kind == "freight"]
    if rule != "ends_meet" or not freight:
        return None
    number_of = {routes[number].train.id: number for number in freight}
    found = longer_runs(
        [
            FreightRun(
                route.train.id, same_stop(route.stops[0].id), same_stop(route.stops[-1].id), route.train.joins
            )
            for route in (routes[number] for number in freight)
        ]
    )
    joining = tuple(_numbered(longer, number_of) for longer in found or ())
    return joining if joining and _holds_together(routes, joining) else None


def _numbered(longer: LongerRun, number_of: Mapping[str, int]) -> Longer:
    turned = []
    stop = longer.first
    for part in longer.parts:
        turned.append(part.first != stop)
        stop = part.other_end(stop)
    has_free_ends, is_ring = longer.begin != longer.end, longer.first == stop
    paid = None if has_free_ends or is_ring else number_of[longer.leader]
    return Longer(tuple(number_of[part.train] for part in longer.parts), tuple(turned), paid)


def _choices(joints: list[_Joint]) -> Iterator[list[_Joint]]:
    """Joints of which no two join the same end of a run."""
    if not joints:
        yield []
        return
    first, rest = joints[0], joints[1:]
    yield from _choices(rest)
    apart = [
        joint
        for joint in rest
        if joint.stop != first.stop or not {joint.one, joint.other} & {first.one, first.other}
    ]
    for chosen in _choices(apart):
        yield [first, *chosen]


def ends_of(route: Claimed) -> set[str]:
    """The two stops at which a run ends, whichever entry it uses."""
    return {same_stop(route.stops[0].id), same_stop(route.stops[-1].id)}


def _may_join(known: Known, routes: Sequence[Claimed], stop_id: str, one: int, other: int) -> bool:
    """Whether a train could go on from one run to the other through this stop; it comes to no other place of both."""
    places = [{stop.place for stop in routes[number].stops} for number in (one, other)]
    if len(places[0] & places[1]) > 1 or _share_track(routes[one], routes[other]):
        return False
    for route in (routes[one], routes[other]):
        at = 0 if same_stop(route.stops[0].id) == stop_id else -1
        stop = route.stops[at]
        if (
            stop.kind != "city"
            or is_blocked(stop, known.token_stops)
            or terminal_at(route.segments[at], stop)
        ):
            return False
    return True


def _share_track(one: Claimed, other: Claimed) -> bool:
    return not set(pieces_of(one.segments)).isdisjoint(pieces_of(other.segments))


def _joined(routes: Sequence[Claimed], freight: Sequence[int], chosen: Sequence[_Joint]) -> Joining | None:
    """The longer runs that these joints make, or None where they make none: an end joined twice, or a circle."""
    next_at: dict[tuple[int, str], int] = {}
    for joint in chosen:
        for number, other in ((joint.one, joint.other), (joint.other, joint.one)):
            if (number, joint.stop) in next_at:
                return None
            next_at[number, joint.stop] = other
    longer: list[Longer] = []
    seen: set[int] = set()
    for number in freight:
        free = sorted(end for end in ends_of(routes[number]) if (number, end) not in next_at)
        if number not in seen and free:
            first = same_stop(routes[number].stops[0].id)
            begin = first if first in free else free[0]
            longer.append(_followed(routes, next_at, number, begin))
            seen.update(longer[-1].parts)
    return tuple(longer) if len(seen) == len(freight) else None


def _followed(
    routes: Sequence[Claimed], next_at: dict[tuple[int, str], int], number: int, begin: str
) -> Longer:
    parts: list[int] = []
    turned: list[bool] = []
    following: int | None = number
    while following is not None:
        stops = routes[following].stops
        turned.append(same_stop(stops[0].id) != begin)
        parts.append(following)
        begin = same_stop(stops[0 if turned[-1] else -1].id)
        following = next_at.get((following, begin))
    return Longer(tuple(parts), tuple(turned))


def _is_legal(rule: FreightJoins, routes: Sequence[Claimed], joining: Joining) -> bool:
    if rule == "one_route" and not all(_is_one_route(routes, longer) for longer in joining):
        return False
    if rule == "ends_meet":
        return _holds_together(routes, joining)
    joined = _with_trains_that_join(routes, joining)
    if not joined or len(joining) == 1:
        return True
    return len(joined) == 1 and len(joined[0].parts) > 1


def _with_trains_that_join(routes: Sequence[Claimed], joining: Joining) -> list[Longer]:
    return [longer for longer in joining if any(routes[part].train.joins for part in longer.parts)]


def _holds_together(routes: Sequence[Claimed], joining: Joining) -> bool:
    """Whether all trains that must join are in one longer run, with one that need not wherever such a one runs."""
    joined = _with_trains_that_join(routes, joining)
    if not joined or len(joining) == 1:
        return True
    return len(joined) == 1 and any(not routes[part].train.joins for part in joined[0].parts)


def _is_one_route(routes: Sequence[Claimed], longer: Longer) -> bool:
    """Whether the longer run uses no place and no track twice, and at most one port and one red area."""
    (_, first), (_, last) = longer.ends(routes)
    if first.kind == last.kind and first.kind != "city":
        return False
    places: set[str] = set()
    for number, turned in zip(longer.parts, longer.turned, strict=True):
        stops = routes[number].stops[::-1] if turned else routes[number].stops
        new = {stop.place for stop in (stops[1:] if places else stops)}
        if new & places:
            return False
        places |= new
    pieces = pieces_of(segment for number in longer.parts for segment in routes[number].segments)
    return len(set(pieces)) == len(pieces)
