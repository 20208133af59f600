"""A problem of one network as arrays: stops and segments by number in order of id, ways between them as arcs."""

from __future__ import annotations

import numpy as np

from services.routing.domain.budget import Budget
from services.routing.domain.kernel import compiled, tight
from services.routing.domain.network import (
    SEGMENTS_PER_LOOK,
    WORD_BITS,
    Exclusions,
    Flags,
    Numbers,
    Words,
    exclusions,
    rows,
)
from services.routing.domain.problem import RouteProblem, is_blocked
from services.routing.domain.shape import same_stop

FAR = 1 << 30
# Ways between all stops by way of so many are compared between two looks at the clock.
MIDDLES_PER_LOOK = 50


class Board:
    """All that the searches for routes of one network need to know of a problem, by number.

    `first[s]` to `first[s + 1]` are the arcs that leave stop `s`: each a segment in one direction. An arc that `leaves`
    may only be travelled first, one that `ends` only last. `shared` has a row for each arc; two arcs whose rows have a
    bit in common exclude each other on one route. `links` has a row for each stop: the bit by which routes are connected
    there, none where they do not; that of the home has `home_link` besides. `freight_links`: the same for freight routes,
    which are also connected where their ends meet off the board, if all are joined whose ends meet. `same` has for each
    stop the first one that is the same stop entered from elsewhere; `entries[first_entry[s]:first_entry[s + 1]]` are all
    such, `s` among them.
    """

    def __init__(self, problem: RouteProblem, budget: Budget) -> None:
        """Raises `BudgetSpent`."""
        self.problem = problem
        self.stops = tuple(sorted(problem.stops, key=lambda stop: stop.id))
        self.segments = tuple(sorted(problem.segments, key=lambda segment: segment.id))
        tokens = frozenset(problem.token_stops)
        number = {stop.id: index for index, stop in enumerate(self.stops)}
        kinds = [stop.kind for stop in self.stops]
        self.is_city: Flags = np.array([kind == "city" for kind in kinds], np.bool_)
        self.is_town: Flags = np.array([kind == "town" for kind in kinds], np.bool_)
        self.is_port: Flags = np.array([kind == "port" for kind in kinds], np.bool_)
        self.is_offboard: Flags = np.array([kind == "offboard" for kind in kinds], np.bool_)
        self.has_token: Flags = np.array([stop.id in tokens for stop in self.stops], np.bool_)
        self.is_end: Flags = np.array([is_blocked(stop, tokens) for stop in self.stops], np.bool_)
        self.is_end |= self.is_port | self.is_offboard
        places: dict[str, int] = {}
        self.place: Numbers = np.array(
            [places.setdefault(stop.place, len(places)) for stop in self.stops], np.int64
        )
        self.place_count = len(places)
        self._make_entries()
        self.home = number.get(problem.parameters.home, -1)
        self._make_arcs(number, budget)
        if len(self.segments) > SEGMENTS_PER_LOOK:
            budget.spend(0)
        any_stop, meet = (
            problem.parameters.links == "any_stop",
            problem.parameters.freight_joins == "ends_meet",
        )
        self.links, self.freight_links = self._links(any_stop, meet and not any_stop)
        self._hexes: dict[bool, Numbers] = {}

    def _make_entries(self) -> None:
        by_stop: dict[str, list[int]] = {}
        for index, stop in enumerate(self.stops):
            by_stop.setdefault(same_stop(stop.id), []).append(index)
        each = [by_stop[same_stop(stop.id)] for stop in self.stops]
        self.same: Numbers = np.array([entries[0] for entries in each], np.int64)
        self.first_entry: Numbers = np.cumsum([0, *map(len, each)]).astype(np.int64)
        self.entries: Numbers = np.array([entry for entries in each for entry in entries], np.int64)

    def _make_arcs(self, number: dict[str, int], budget: Budget) -> None:
        ends_a = np.array([number[each.a] for each in self.segments], np.int64)
        ends_b = np.array([number[each.b] for each in self.segments], np.int64)
        terminal_a = np.array([each.terminal_a for each in self.segments], np.bool_)
        terminal_b = np.array([each.terminal_b for each in self.segments], np.bool_)
        source, target = np.concatenate((ends_a, ends_b)), np.concatenate((ends_b, ends_a))
        segment = np.concatenate((np.arange(len(self.segments)),) * 2).astype(np.int64)
        leaves = np.concatenate((terminal_a, terminal_b))
        ends = np.concatenate((terminal_b, terminal_a))
        useful = self.place[source] != self.place[target] if len(source) else np.zeros(0, np.bool_)
        order = np.flatnonzero(useful)
        order = order[np.lexsort((segment[order], source[order]))]
        self.source: Numbers = source[order]
        self.target: Numbers = target[order]
        self.segment: Numbers = segment[order]
        self.leaves: Flags = leaves[order]
        self.ends: Flags = ends[order] | self.is_end[self.target]
        length = np.array([each.hex_sides for each in self.segments], np.int64)
        self.length: Numbers = length[self.segment]
        self.first: Numbers = np.searchsorted(self.source, np.arange(len(self.stops) + 1)).astype(np.int64)
        groups: Exclusions = exclusions(self.segments, budget)
        words = -(-groups.shared_count // WORD_BITS)
        of_segment = rows(groups.of_segment, groups.total, budget)
        self.shared: Words = np.ascontiguousarray(of_segment[self.segment, :words])

    def _links(self, any_stop: bool, off_board: bool) -> tuple[Words, Words]:
        """Rows for routes, and for those of freight trains; `off_board`: ends of these connect them off the board, too."""
        linking = [number for number in range(len(self.stops)) if any_stop or self.is_city[number]]
        bits: dict[int, int] = {}
        for number in linking:
            bits.setdefault(int(self.place[number]) if any_stop else number, len(bits))
        outside = np.flatnonzero(self.is_port | self.is_offboard).tolist() if off_board else []
        for number in outside:
            bits.setdefault(int(self.same[number]), len(bits))
        words = -(-(1 + len(bits)) // WORD_BITS)
        links: Words = np.zeros((len(self.stops), words), np.uint64)
        self.home_link: Words = np.zeros(words, np.uint64)
        self.home_link[len(bits) // WORD_BITS] = np.uint64(1 << len(bits) % WORD_BITS)
        for number in linking:
            bit = bits[int(self.place[number]) if any_stop else number]
            links[number, bit // WORD_BITS] = np.uint64(1 << bit % WORD_BITS)
        if self.home >= 0:
            links[self.home] |= self.home_link
        freight_links = links.copy()
        for number in outside:
            bit = bits[int(self.same[number])]
            freight_links[number, bit // WORD_BITS] |= np.uint64(1 << bit % WORD_BITS)
        return links, freight_links

    def hexes_between(self, passing: bool, budget: Budget) -> Numbers:
        """The hex sides of the shortest walk between each pair of stops, `FAR` where there is none.

        `passing`: walks may go through stops that end every route, and leave them by any entry.
        """
        if passing not in self._hexes:
            ends = np.zeros(len(self.stops), np.bool_) if passing else self.is_end
            source, target, cost = self.source, self.target, self.length
            if passing:
                source = np.append(source, np.repeat(np.arange(len(self.stops)), np.diff(self.first_entry)))
                target, cost = np.append(target, self.entries), np.append(cost, np.zeros_like(self.entries))
            table = np.full((len(self.stops), len(self.stops)), FAR, np.int64)
            _fill_single(table, source, target, cost)
            for part in budget.in_parts(len(self.stops), MIDDLES_PER_LOOK):
                _shorten(table, ends, part.start, part.stop)
            self._hexes[passing] = table
        return self._hexes[passing]

    def to_token(self, cost: Numbers) -> Numbers:
        """The least cost of a walk from each stop to a token, `FAR` where there is none; `cost` is that of each arc."""
        return _to_token(self.source, self.target, cost, self.is_end, self.has_token)


@tight
def _fill_single(table: Numbers, source: Numbers, target: Numbers, cost: Numbers) -> None:
    """The distances along single arcs."""
    for stop in range(len(table)):
        table[stop, stop] = 0
    for arc in range(len(source)):
        table[source[arc], target[arc]] = min(table[source[arc], target[arc]], cost[arc])


@tight
def _shorten(table: Numbers, is_end: Flags, first: int, past: int) -> None:
    """Shorten distances by walks through the stops from `first` to `past`."""
    for middle in range(first, past):
        if not is_end[middle]:
            for start in range(len(table)):
                if table[start, middle] < FAR:
                    for end in range(len(table)):
                        way = table[start, middle] + table[middle, end]
                        table[start, end] = min(table[start, end], way)


@compiled
def _to_token(source: Numbers, target: Numbers, cost: Numbers, is_end: Flags, has_token: Flags) -> Numbers:
    least = np.full(len(has_token), FAR, np.int64)
    for stop in range(len(has_token)):
        if has_token[stop]:
            least[stop] = 0
    changed = True
    while changed:
        changed = False
        for arc in range(len(source)):
            through = target[arc]
            if has_token[through] or not is_end[through]:
                way = cost[arc] + least[through]
                if way < least[source[arc]]:
                    least[source[arc]] = way
                    changed = True
    return least
