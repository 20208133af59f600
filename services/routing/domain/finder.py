"""The routes of one sort of train: the best one, or all of at least some score, beside track that is taken."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from services.routing.domain.budget import Budget, EffortSpent
from services.routing.domain.finds import FINISHED, FULL, INTERRUPTED, Finds, doubled, empty_finds
from services.routing.domain.gains import Limits, Travel
from services.routing.domain.network import Arcs, Network, Numbers, Words
from services.routing.domain.problem import Train
from services.routing.domain.search import (
    DEPTH,
    FOUND,
    NEEDED,
    NO_ARC,
    NODES,
    NOT_BEGUN,
    SCALARS,
    Frames,
    prices_of,
    search,
    tracks_of,
)

STEPS_AT_ONCE = 100_000
FIRST_ROOM, ROUTES_MOST = 256, 1 << 18


class Route(NamedTuple):
    """A legal route. `score`: see `Scores`; stops and segments by number, in the order travelled."""

    score: int
    stops: tuple[int, ...]
    segments: tuple[int, ...]


class Catalogue(NamedTuple):
    """Routes of one sort of train as arcs, the worthiest first; of equals the first met. `track` has a row for each.

    A route's worth is its score less the prices of its segments and of the stops it goes through.
    """

    score: Numbers
    worth: Numbers
    track: Words
    begin: Numbers
    end: Numbers
    arcs: Numbers


class Terms(NamedTuple):
    """Search terms: track that is taken, the price of each segment, and of going through each stop."""

    taken: Words
    price: Numbers
    through: Numbers


class RouteFinder:
    """The routes of trains of one sort."""

    def __init__(self, train: Train, network: Network, budget: Budget) -> None:
        self._network = network
        self._budget = budget
        self._arcs = network.arcs(train)
        self._limits = _limits(self._arcs, network)
        self._frames = _frames(self._arcs, network)
        self.found: Route | None = None
        limits = self._limits
        limit = limits.counts or (limits.reach if limits.is_top_bounded else None)
        self.bound = 1 + limits.free_total + int(limits.stop_score[limits.richest[:limit]].sum())
        roots = np.flatnonzero(network.has_token & (~network.is_mine | limits.is_goods))
        self._roots: Numbers = roots[np.argsort(-limits.stop_score[roots], kind="stable")]

    def best(self, terms: Terms, worth_more_than: int = 0) -> Route | None:
        """The best route on these terms, if it is worth more than given; of equals the first found.

        `found` is the best so far and `bound` the upper bound, also when the budget ends the search.
        """
        finds, travel = (
            empty_finds(1, len(self._network.stops) + 4),
            _travel(self._arcs, self._network, terms),
        )
        self._reset(worth_more_than + 1)
        try:
            self._run_all(travel, finds, keep_best=True)
            self.bound = int(self._frames.scalars[NEEDED]) - 1
        finally:
            self.found = self._best_of(finds, travel) if self._frames.scalars[FOUND] else None
        return self.found

    def collect(self, worth_least: int, terms: Terms) -> Catalogue:
        """All routes on these terms that are worth at least so much.

        Raises `EffortSpent` where they are too many to store.
        """
        self._reset(worth_least)
        travel = _travel(self._arcs, self._network, terms)
        finds = self._run_all(travel, empty_finds(FIRST_ROOM, 8 * FIRST_ROOM), keep_best=False)
        count = int(self._frames.scalars[FOUND])
        order = np.argsort(-finds.worth[:count], kind="stable")
        begin, end, worth = finds.begin[:count][order], finds.end[:count][order], finds.worth[:count][order]
        track = tracks_of(begin, end, finds.parts, self._arcs.segment, self._network.track)
        prices = prices_of(begin, end, finds.parts, travel, self._arcs.value)
        return Catalogue(worth + prices, worth, track, begin, end, finds.parts)

    def route(self, catalogue: Catalogue, number: int) -> Route:
        """Route `number` of a catalogue."""
        arcs = catalogue.arcs[catalogue.begin[number] : catalogue.end[number]]
        return self._route(arcs, int(catalogue.score[number]))

    def _best_of(self, finds: Finds, travel: Travel) -> Route:
        prices = prices_of(finds.begin, finds.end, finds.parts, travel, self._arcs.value)
        return self._route(finds.parts[: finds.end[0]], int(finds.worth[0] + prices[0]))

    def _route(self, found: Numbers, score: int) -> Route:
        """The route of these arcs, from its smaller end or from its mine."""
        arms: tuple[list[int], list[int]] = ([], [])
        arm = arms[0]
        for arc in found.tolist():
            if arc == NO_ARC:
                arm = arms[1]
            else:
                arm.append(arc)
        source, target, segment = self._arcs.source, self._arcs.target, self._arcs.segment
        middle = int(source[arms[0][0]])
        stops = [*target[arms[0][::-1]].tolist(), middle, *target[arms[1]].tolist()]
        segments = [*segment[arms[0][::-1]].tolist(), *segment[arms[1]].tolist()]
        backwards = self._network.is_mine[stops[-1]] if self._arcs.is_goods else stops[-1] < stops[0]
        if backwards:
            stops, segments = stops[::-1], segments[::-1]
        return Route(score, tuple(stops), tuple(segments))

    def _reset(self, needed: int) -> None:
        self._frames.scalars[:] = 0
        self._frames.scalars[DEPTH] = NOT_BEGUN
        self._frames.scalars[NEEDED] = needed

    def _run_all(self, travel: Travel, finds: Finds, keep_best: bool) -> Finds:
        scalars, why = self._frames.scalars, INTERRUPTED
        while why != FINISHED:
            before = int(scalars[NODES])
            why = search(self._frames, self._roots, travel, self._limits, finds, keep_best, STEPS_AT_ONCE)
            self._budget.spend(1 + int(scalars[NODES]) - before)
            if why == FULL:
                if len(finds.worth) >= ROUTES_MOST:
                    raise EffortSpent
                finds = doubled(finds)
        return finds


def _travel(arcs: Arcs, network: Network, terms: Terms) -> Travel:
    allowed = ~np.any(network.track[arcs.segment] & terms.taken, axis=1)
    key = arcs.stop_score * len(network.stops) + np.arange(len(network.stops))
    return Travel(
        first=arcs.first,
        source=arcs.source,
        target=arcs.target,
        segment=arcs.segment,
        leaves=arcs.leaves,
        ends=arcs.ends,
        passes=arcs.passes,
        to_mine=network.is_mine[arcs.target],
        reach=arcs.reach,
        counts=arcs.counts,
        value=arcs.value - terms.price[arcs.segment] - terms.through[arcs.source],
        through=terms.through,
        allowed=allowed,
        shared=np.ascontiguousarray(network.track[:, : network.shared_word_count]),
        place=network.place,
        key=key,
    )


def _limits(arcs: Arcs, network: Network) -> Limits:
    takes = arcs.stop_takes
    score = arcs.stop_score
    mines = score[network.is_mine]
    mine = int(mines.max()) if arcs.is_goods and len(mines) else 0
    by_score = np.argsort(-score, kind="stable")
    return Limits(
        reach=arcs.limit_reach,
        counts=arcs.limit_counts,
        hops=_hops(arcs),
        is_goods=arcs.is_goods,
        ends_passing=arcs.ends_passing,
        is_top_bounded=not arcs.is_measured_in_hexes,
        free_total=int(score[~takes & ~network.is_mine].sum()) + mine,
        richest=by_score[takes[by_score]],
        stop_score=score,
        stop_reach=arcs.stop_reach,
        is_end=network.ends_route,
        is_mine=network.is_mine,
        passable=arcs.may_pass,
    )


def _frames(arcs: Arcs, network: Network) -> Frames:
    depth = len(network.stops) + 4

    def numbers() -> Numbers:
        return np.zeros(depth, np.int64)

    return Frames(
        arc=numbers(),
        stop=numbers(),
        following=numbers(),
        last=numbers(),
        phase=numbers(),
        reach=numbers(),
        counts=numbers(),
        score=numbers(),
        least_counted=numbers(),
        most_passed=numbers(),
        may_end=np.zeros(depth, np.bool_),
        used=np.zeros((depth, network.shared_word_count), np.uint64),
        visited=np.zeros(network.place_count, np.bool_),
        scalars=np.zeros(SCALARS, np.int64),
    )


def _hops(arcs: Arcs) -> int:
    """How many arcs that take neither reach nor counts can follow each other at most."""
    free = (arcs.reach == 0) & (arcs.counts == 0)
    if not free.any():
        return 0
    linked: dict[int, set[int]] = {int(stop): set() for stop in arcs.target[free]}
    for start, end in zip(arcs.source[free].tolist(), arcs.target[free].tolist(), strict=True):
        if start in linked:
            linked[start].add(end)
            linked[end].add(start)
    largest, unseen = 0, set(linked)
    while unseen:
        frontier, size = {unseen.pop()}, 1
        while frontier:
            frontier = {end for stop in frontier for end in linked[stop]} & unseen
            unseen -= frontier
            size += len(frontier)
        largest = max(largest, size)
    return largest
