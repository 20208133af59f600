"""The runs of a flow's trains: those that its track makes, or others looked for together."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from services.routing.domain.budget import Budget
from services.routing.domain.chains import route_over
from services.routing.domain.finder import Route
from services.routing.domain.flow.model import Flow
from services.routing.domain.flow.split import parts_of, split
from services.routing.domain.flow.together import BEST, MENDED_MOST, SCALARS, STEP, Ground, Hands, move_on
from services.routing.domain.network import Flags, Network, Numbers, Words

# Moves at once, and those of a try for each segment.
MOVES_AT_ONCE, MOVES_PER_SEGMENT = 3_000, 1_500
# Tries, and tries in all where hardly anything is missing: less than one part of so many.
TRIES, TRIES_MOST, MISSING_PART = 6, 30, 100
# In mean scores of a stop: how much worse a move may be at first, and what a fault counts as.
MARGIN, PER_FAULT = 3, 6
# Steps of taking a flow apart at once; before the local search, and after it.
STEPS_AT_ONCE, STEPS_FIRST, STEPS_MOST = 50_000, 500_000, 10_000_000
# Words of track compared between two looks at the clock.
WORDS_PER_LOOK = 2_000_000
SEED = 88_172_645_463_325_252


def routes_apart(
    network: Network, flow: Flow, used: Numbers, enough: int, steps: int, budget: Budget
) -> tuple[tuple[Route, ...], bool]:
    """The best routes that use all these segments of a flow, none where there are none, and whether all were tried.

    `used`: places of segments. Routes that score `enough` end the search, and so do so many steps. Raises `BudgetSpent`.
    """
    chosen = _side_by_side(flow, used)
    ground = _ground(network, flow, chosen, budget)
    parts = parts_of(ground)
    certain = False
    for until in range(STEPS_AT_ONCE, steps + 1, STEPS_AT_ONCE):
        certain = split(ground, parts, until, enough)
        budget.spend(STEPS_AT_ONCE)
        if certain:
            break
    return tuple(_routes(network, flow, flow.segments[chosen], parts.best)), certain


def rows_of(network: Network, flow: Flow, used: Numbers) -> list[Route]:
    """The routes that these segments of a flow make where no two meet: each is what hangs together."""
    by_stop: dict[int, set[int]] = {}
    for place in used.tolist():
        row = {place}
        for stop in (int(flow.stop_a[place]), int(flow.stop_b[place])):
            row |= by_stop.get(stop, set())
        for each in row:
            by_stop[int(flow.stop_a[each])] = by_stop[int(flow.stop_b[each])] = row
    rows = {min(row): sorted(row) for row in by_stop.values()}
    return [scored_route(network, flow, flow.segments[row]) for _, row in sorted(rows.items())]


def _side_by_side(flow: Flow, used: Numbers) -> Numbers:
    """These segments in such an order that those of one stop are near each other."""
    at: dict[int, list[int]] = defaultdict(list)
    for place in used.tolist():
        for stop in (int(flow.stop_a[place]), int(flow.stop_b[place])):
            at[stop].append(place)
    order: dict[int, None] = {}
    odd = [stop for stop in sorted(at) if len(at[stop]) % 2]
    met: set[int] = set()
    for start in (*odd[:1], *sorted(at)):
        waiting = deque([start])
        while waiting:
            stop = waiting.popleft()
            if stop in met:
                continue
            met.add(stop)
            for place in at[stop]:
                order.setdefault(place)
                waiting += (int(flow.stop_a[place]), int(flow.stop_b[place]))
    return np.array(list(order), np.int64)


def routes_together(
    network: Network,
    flow: Flow,
    taken: Words,
    used: Numbers,
    more_than: int,
    enough: int,
    tries_most: int,
    budget: Budget,
) -> Iterator[tuple[Route, ...]]:
    """Better and better routes for the trains of a flow beside what is taken, from `more_than` until they score `enough`.

    Ends after `tries_most` tries at the latest. `used`: places of segments to begin with, which every other try does.
    Raises `BudgetSpent`.
    """
    free = ~np.any(network.track[flow.segments] & taken, axis=1)
    ground = _ground(network, flow, np.flatnonzero(free), budget)
    if more_than >= enough or not len(ground.stop_a):
        return
    begin_with = np.isin(np.flatnonzero(free), used)
    mean = max(1, int(flow.score[flow.stops].mean()))
    score = more_than
    for number in range(tries_most):
        hands = _hands(ground, begin_with if number % 2 == 0 else np.zeros_like(begin_with), number)
        until, done = MOVES_PER_SEGMENT * len(ground.stop_a), False
        while not done and hands.scalars[STEP] < until:
            done = move_on(ground, hands, MOVES_AT_ONCE, until, MARGIN * mean, PER_FAULT * mean, enough)
            if hands.scalars[BEST] > score:
                score = int(hands.scalars[BEST])
                yield tuple(_routes(network, flow, flow.segments[free], hands.best))
            budget.spend(MOVES_AT_ONCE)
        if done or (number + 1 >= TRIES and enough - score > enough // MISSING_PART):
            return


def _ground(network: Network, flow: Flow, chosen: Numbers, budget: Budget) -> Ground:
    segments, stop_a, stop_b = flow.segments[chosen], flow.stop_a[chosen], flow.stop_b[chosen]
    stops = np.concatenate((stop_a, stop_b))
    at = np.argsort(stops, kind="stable")
    apart_a, apart_b = _apart(network.track[segments, : network.shared_word_count], budget)
    of_place: dict[int, list[int]] = defaultdict(list)
    for stop in flow.stops.tolist():
        of_place[int(network.place[stop])].append(stop)
    twice = sorted(pair for stops_of in of_place.values() for pair in combinations(stops_of, 2))
    ending = [
        (number, int(stop))
        for ends, stops_of in ((network.terminal_a, stop_a), (network.terminal_b, stop_b))
        for number, stop in enumerate(stops_of)
        if ends[segments[number]]
    ]
    return Ground(
        trains=flow.trains,
        stop_a=stop_a,
        stop_b=stop_b,
        first=np.searchsorted(stops[at], np.arange(len(network.stops) + 1)).astype(np.int64),
        at=at % max(1, len(segments)),
        score=flow.score,
        way_score=network.segment_score[segments],
        passes_most=np.where(network.ends_route, 1, 2),
        has_token=network.has_token,
        is_mine=network.is_mine,
        is_goods=flow.is_goods,
        apart_a=apart_a,
        apart_b=apart_b,
        ending=_column(ending, 0),
        ending_stop=_column(ending, 1),
        twice_a=_column(twice, 0),
        twice_b=_column(twice, 1),
    )


def _apart(shared: Words, budget: Budget) -> tuple[Numbers, Numbers]:
    """The pairs of segments that exclude each other, by the rows of what they share with others."""
    one, other = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    compared = 0
    for number in np.flatnonzero(shared.any(axis=1)).tolist():
        compared += shared.size
        if compared > WORDS_PER_LOOK:
            budget.spend(0)
            compared = 0
        later = number + 1 + np.flatnonzero((shared[number + 1 :] & shared[number]).any(axis=1))
        one.append(np.full(len(later), number))
        other.append(later)
    return np.concatenate(one), np.concatenate(other)


def _column(pairs: Sequence[Sequence[int]], side: int) -> Numbers:
    return np.array([pair[side] for pair in pairs], np.int64)


def _hands(ground: Ground, used: Flags, number: int) -> Hands:
    """All segments spare, but for those used: these are dealt out in turn."""
    train = np.full(len(ground.stop_a), ground.trains)
    train[used] = np.arange(np.count_nonzero(used)) % ground.trains
    degree = np.zeros((len(ground.passes_most), ground.trains + 1), np.int64)
    np.add.at(degree, (ground.stop_a, train), 1)
    np.add.at(degree, (ground.stop_b, train), 1)
    return Hands(
        train=train,
        degree=degree,
        best=np.full(len(train), ground.trains),
        changed=np.zeros((MENDED_MOST, 2), np.int64),
        seen=np.zeros(len(ground.passes_most), np.bool_),
        score=np.zeros(ground.trains + 1, np.int64),
        faults=np.zeros(ground.trains + 1, np.int64),
        score_before=np.zeros(ground.trains + 1, np.int64),
        faults_before=np.zeros(ground.trains + 1, np.int64),
        chance=np.array([SEED + number], np.uint64),
        scalars=np.zeros(SCALARS, np.int64),
    )


def _routes(network: Network, flow: Flow, segments: Numbers, train: Numbers) -> Iterator[Route]:
    for number in range(flow.trains):
        own = segments[train == number]
        if len(own):
            yield scored_route(network, flow, own)


def scored_route(network: Network, flow: Flow, segments: Numbers) -> Route:
    """The route of a flow's train over these segments."""
    route = route_over(network, segments.tolist(), flow.is_goods, 0)
    score = 1 + int(flow.score[list(route.stops)].sum()) + int(network.segment_score[segments].sum())
    return route._replace(score=score)
