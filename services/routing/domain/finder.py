"""The routes of one sort of train: the best one, or all of at least some score, beside track that is taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.routing.domain.arcs import Arcs
from services.routing.domain.budget import Budget, EffortSpent, steps_with
from services.routing.domain.cases import Case
from services.routing.domain.finds import FINISHED, FULL, INTERRUPTED, Finds, empty_finds, grown
from services.routing.domain.gains import Limits, Travel, bounded, empty_bounds
from services.routing.domain.network import Network, Numbers, Words
from services.routing.domain.search import (
    BOUNDED,
    DEPTH,
    FOUND,
    NEEDED,
    NO_ARC,
    NODES,
    NOT_BEGUN,
    SCALARS,
    Frames,
    Roots,
    prices_of,
    search,
    tracks_of,
    use_any,
)

# Steps that compare few words, and entries of tables of bounds that are read, between two looks at the clock.
STEPS_AT_ONCE, READ_AT_ONCE = 10_000, 500_000
# In a step the richest stops that are left are looked through, so many in the time in which a word is compared.
STOPS_PER_WORD = 16
# What a quick search takes for bounds where their tables would have more entries.
QUICK_ENTRIES_MOST, ANY_GAIN = 50_000, 1 << 40
FIRST_ROOM, ROUTES_MOST, WORDS_MOST = 256, 1 << 18, 1 << 21
# Words of track that are put together between two looks at the clock, and what a part of a route takes besides.
WORDS_AT_ONCE, WORDS_PER_PART = 1_600_000, 8


class Route(NamedTuple):
    """A legal route. `score`: see `Scores`; stops and segments by number, in the order travelled; claims: see `Case`."""

    score: int
    stops: tuple[int, ...]
    segments: tuple[int, ...]
    claims: tuple[int, ...]


class Catalogue(NamedTuple):
    """Routes of one sort of train as arcs, the worthiest first; of equals the first met. `track` has a row for each.

    A route's worth is its score less the prices of its segments and claims and of the stops it goes through. `case`: in
    which of the cases of the sort it was found.
    """

    score: Numbers
    worth: Numbers
    track: Words
    begin: Numbers
    end: Numbers
    arcs: Numbers
    case: Numbers


class Terms(NamedTuple):
    """Search terms: track that is taken, the price of each segment and claim, and of going through each stop.

    `is_free`: none of them has a price.
    """

    taken: Words
    price: Numbers
    through: Numbers
    is_free: bool = False


class RouteFinder:
    """The routes of trains of one sort in one case."""

    def __init__(self, arcs: Arcs, network: Network, budget: Budget, is_quick: bool = False) -> None:
        """`is_quick`: where bounds take long to make it searches without them."""
        self._is_quick = is_quick
        self._network = network
        self._budget = budget
        self._arcs = arcs
        self._travel = _travel(arcs, network)
        limits = _limits(self._arcs, network)
        self._limits = limits._replace(hops=_hops(bounded(self._travel, limits)))
        self._frames = _frames(self._arcs, network)
        self.case = arcs.case
        self.found: Route | None = None
        self.worth = 0
        self.bound = _bound(self._limits)
        self._roots = _roots(self._arcs, network)

    def best(self, terms: Terms, worth_more_than: int = 0) -> Route | None:
        """The best route on these terms, if it is worth more than given; of equals the first found.

        `found` is the best so far, of `worth`, and `bound` the upper bound, also when the budget ends the search.
        """
        finds, travel = empty_finds(1, len(self._network.stops) + 4), self._on(terms)
        price = claim_price(self.case, terms)
        self._reset(worth_more_than + 1)
        try:
            self._run_all(travel, finds, price, keep_best=True)
            self.bound = int(self._frames.scalars[NEEDED]) - 1
        finally:
            self.found = self._best_of(finds, travel, terms) if self._frames.scalars[FOUND] else None
            self.worth = int(finds.worth[0])
        return self.found

    def collect(self, worth_least: int, terms: Terms) -> Catalogue:
        """All routes on these terms that are worth at least so much.

        Raises `EffortSpent` where they are too many to store.
        """
        self._reset(worth_least)
        travel, price = self._on(terms), claim_price(self.case, terms)
        finds = self._run_all(travel, empty_finds(FIRST_ROOM, 8 * FIRST_ROOM), price, keep_best=False)
        count = int(self._frames.scalars[FOUND])
        order = np.argsort(-finds.worth[:count], kind="stable")
        begin, end, worth = finds.begin[:count][order], finds.end[:count][order], finds.worth[:count][order]
        score, track = worth + price, np.empty((count, self._arcs.track.shape[1]), np.uint64)
        claimed = claim_track(self.case, self._network)
        for part in self._budget.in_parts(count, routes_at_once(begin, end, track.shape[1])):
            track[part] = tracks_of(begin[part], end[part], finds.parts, self._arcs.track)
            if not terms.is_free:
                score[part] += prices_of(begin[part], end[part], finds.parts, travel, self._arcs.value)
            if self.case.claims:
                track[part] |= claimed
        return Catalogue(score, worth, track, begin, end, finds.parts, np.zeros_like(begin))

    def route(self, catalogue: Catalogue, number: int) -> Route:
        """Route `number` of a catalogue."""
        arcs = catalogue.arcs[catalogue.begin[number] : catalogue.end[number]]
        return self._route(arcs, int(catalogue.score[number]))

    def stop_sets(self, catalogue: Catalogue) -> Words:
        """The stops that each route of a catalogue comes to, as bits."""
        met = self._network.stops_met(self._arcs.source, self._arcs.target)
        return unions_of(catalogue, met, self._budget)

    def _best_of(self, finds: Finds, travel: Travel, terms: Terms) -> Route:
        price = claim_price(self.case, terms)
        if not terms.is_free:
            price += int(prices_of(finds.begin, finds.end, finds.parts, travel, self._arcs.value)[0])
        return self._route(finds.parts[: finds.end[0]], int(finds.worth[0]) + price)

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
        return Route(score, tuple(stops), tuple(segments), self.case.claims)

    def _on(self, terms: Terms) -> Travel:
        """The arcs as they may be travelled on these terms."""
        arcs = self._arcs
        used = np.empty_like(self._travel.allowed)
        use_any(arcs.track, terms.taken, used)
        allowed = self._travel.allowed & ~used
        if terms.is_free:
            return self._travel._replace(allowed=allowed)
        return self._travel._replace(
            value=arcs.value - terms.price[arcs.segment] - terms.through[arcs.source],
            through=terms.through,
            allowed=allowed,
        )

    def _reset(self, needed: int) -> None:
        self._frames.scalars[:] = 0
        self._frames.scalars[DEPTH] = NOT_BEGUN
        self._frames.scalars[NEEDED] = needed

    def _run_all(self, travel: Travel, finds: Finds, price: int, keep_best: bool) -> Finds:
        scalars, why = self._frames.scalars, INTERRUPTED
        limits = self._limits._replace(base=self._limits.base - price) if price else self._limits
        by, bounds = bounded(travel, limits), empty_bounds(travel, limits)
        if self._is_quick and bounds.both.size * (1 + limits.hops) > QUICK_ENTRIES_MOST:
            bounds = empty_bounds(travel, limits._replace(counts=0))
            for table in (bounds.onward, bounds.first, bounds.both, bounds.begin):
                table.fill(ANY_GAIN)
            scalars[BOUNDED] = 2 * len(self._roots.stop)
        words = travel.shared.shape[1] + len(limits.richest) // STOPS_PER_WORD
        at_once = steps_with(STEPS_AT_ONCE, words)
        self._budget.spend(0)
        while why != FINISHED:
            before = int(scalars[NODES])
            why = search(
                self._frames,
                self._roots,
                travel,
                by,
                bounds,
                limits,
                finds,
                keep_best,
                self._budget.at_once(at_once),
                READ_AT_ONCE,
            )
            self._budget.spend(1 + int(scalars[NODES]) - before)
            if why == FULL:
                if len(finds.worth) * max(WORDS_MOST // ROUTES_MOST, self._arcs.track.shape[1]) >= WORDS_MOST:
                    raise EffortSpent
                finds = grown(finds, 2)
        return finds


def routes_at_once(begin: Numbers, end: Numbers, words: int) -> int:
    """Of how many routes of so many parts the track is put together between two looks at the clock."""
    parts = int((end - begin).sum()) // max(1, len(begin))
    return max(1, WORDS_AT_ONCE // ((WORDS_PER_PART + words) * max(1, parts)))


def unions_of(catalogue: Catalogue, rows: Words, budget: Budget) -> Words:
    """For each route the union of the rows of its parts."""
    found = np.empty((len(catalogue.begin), rows.shape[1]), np.uint64)
    size = routes_at_once(catalogue.begin, catalogue.end, rows.shape[1])
    for part in budget.between_parts(len(found), size):
        found[part] = tracks_of(catalogue.begin[part], catalogue.end[part], catalogue.arcs, rows)
    return found


def claim_price(case: Case, terms: Terms) -> int:
    """What the claims of the case cost on these terms."""
    return int(terms.price[list(case.claims)].sum()) if case.claims else 0


def claim_track(case: Case, network: Network) -> Words:
    """What the claims of the case use up."""
    union: Words = np.bitwise_or.reduce(network.track[list(case.claims)], axis=0)
    return union


def is_taken(case: Case, network: Network, terms: Terms) -> bool:
    """Whether another route has a claim of the case."""
    return bool(case.claims) and bool(np.any(claim_track(case, network) & terms.taken))


def _travel(arcs: Arcs, network: Network) -> Travel:
    """The arcs where nothing is taken and nothing has a price."""
    key = arcs.count_score * len(network.stops) + np.arange(len(network.stops))
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
        value=arcs.value,
        marks=arcs.marks,
        end_value=arcs.end_value,
        end_marks=arcs.end_marks,
        may_end=arcs.may_end,
        through=np.zeros_like(key),
        allowed=arcs.may_end | ~arcs.ends,
        shared=np.ascontiguousarray(network.track[:, : network.shared_word_count]),
        place=network.place,
        key=key,
        chosen=arcs.is_chosen,
    )


def _limits(arcs: Arcs, network: Network) -> Limits:
    takes, part, case = arcs.stop_takes, arcs.ends_passing, arcs.case
    beside = arcs.pass_score + arcs.way_score_most
    top = arcs.count_score if part else arcs.count_score + beside
    mines = top[network.is_mine]
    mine = int(mines.max()) if arcs.is_goods and len(mines) else 0
    free = np.sort(top[~takes & ~network.is_mine])[::-1]
    if arcs.stop_counts.any() and not part:
        free = free[: arcs.limit_counts]
    passed = beside[arcs.may_pass] if not part else beside[:0]
    by_score = np.argsort(-top, kind="stable")
    return Limits(
        reach=arcs.limit_reach,
        counts=arcs.limit_counts,
        base=case.base,
        needed=case.needed,
        hops=0,
        is_goods=arcs.is_goods,
        ends_passing=part,
        is_top_bounded=not arcs.is_measured_in_hexes,
        free_total=int(free.sum() + passed.sum()) + mine,
        pass_most=int(beside.max()) if part and len(beside) else 0,
        end_most=int((case.add["ends"] + case.add["counted_ends"]).max()) if len(beside) else 0,
        richest=by_score[takes[by_score]],
        top_score=top,
        stop_reach=arcs.stop_reach,
        stop_counts=arcs.stop_counts,
        is_end=network.ends_route,
        is_mine=network.is_mine,
        passable=arcs.may_pass,
    )


def _bound(limits: Limits) -> int:
    """No route scores more."""
    limit = (limits.counts if limits.ends_passing else 0) or (limits.reach if limits.is_top_bounded else None)
    visits = limits.reach if limits.is_top_bounded else len(limits.top_score)
    total = 1 + limits.base + limits.free_total + int(limits.top_score[limits.richest[:limit]].sum())
    return total + 2 * limits.end_most + visits * limits.pass_most


def _roots(arcs: Arcs, network: Network) -> Roots:
    serves = network.has_token & (~network.is_mine | arcs.is_goods)
    roots = np.flatnonzero(serves)
    roots = roots[np.argsort(-arcs.stop_score[roots], kind="stable")]
    add, marks, case = arcs.case.add, arcs.case.marks, arcs.case
    if case.is_plain:
        nothing, anywhere = add["ends"], case.may_end
        return Roots(
            roots,
            _table((arcs.stop_score, nothing, nothing, nothing, anywhere), roots),
            _table((arcs.pass_score, nothing, nothing, nothing, anywhere), roots),
        )
    counted = (
        arcs.stop_score,
        marks["visited"] | marks["counted"],
        add["ends"] + add["counted_ends"],
        marks["ends"] | marks["counted_ends"],
        case.may_end,
    )
    passed = (arcs.pass_score, marks["visited"], add["ends"], marks["ends"], case.may_end_passed)
    return Roots(roots, _table(counted, roots), _table(passed, roots))


def _table(columns: Sequence[NDArray[Any]], chosen: Numbers) -> Numbers:
    """The chosen entries of the columns, a row for each."""
    table = np.empty((len(chosen), len(columns)), np.int64)
    for number, column in enumerate(columns):
        table[:, number] = column[chosen]
    return table


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
        marks=numbers(),
        least_counted=numbers(),
        most_passed=numbers(),
        may_end=np.zeros(depth, np.bool_),
        used=np.zeros((depth, network.shared_word_count), np.uint64),
        visited=np.zeros(network.place_count, np.bool_),
        scalars=np.zeros(SCALARS, np.int64),
    )


def _hops(travel: Travel) -> int:
    """How many arcs that take neither reach nor counts can follow each other at most."""
    free = (travel.reach == 0) & (travel.counts == 0)
    if not free.any():
        return 0
    linked: dict[int, set[int]] = {int(stop): set() for stop in travel.target[free]}
    for start, end in zip(travel.source[free].tolist(), travel.target[free].tolist(), strict=True):
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
