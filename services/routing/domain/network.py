"""A problem turned into arrays: stops and segments by number in order of id, exclusions as bits of a row of words.

Two segments exclude each other exactly where their rows of `track` have a bit in common; a route's row is the union of
its segments' rows, and two routes may run side by side when their rows have no bit in common.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush, merge
from itertools import chain, count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.routing.domain.budget import Budget, Tally
from services.routing.domain.problem import RouteProblem, Segment, is_blocked

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

WORD_BITS = 64
STOPS_PER_LOOK = 20
# Between two looks at the clock: segments, sets of segments, segments between the same stops compared; entries of sets, where
# each set counts as so many besides.
SEGMENTS_PER_LOOK, SETS_PER_LOOK, COMPARED_PER_LOOK = 100, 250, 5_000
ENTRIES_PER_LOOK, ENTRIES_PER_SET = 6_000, 10


class Scores:
    """One integer per route that orders sets of routes: money first, then what decides between equal money.

    A route of revenue r and mine income m scores (r * k + m) * n + 1, under `compare_treasury_income`
    ((r + m) * k + r) * n + 1, with k and n so large that the later parts only decide ties. The 1 makes a run of
    no worth better than none, since every train must run. `run_most`: no run earns more of what is maximised.
    """

    def __init__(self, problem: RouteProblem) -> None:
        train_count = len(problem.trains)
        factor = max((train.factor for train in problem.trains), default=1)
        income = revenue = 0
        for stop in problem.stops:
            value = max(stop.revenue, *stop.tariffs.values()) if stop.tariffs else stop.revenue
            value *= factor
            if stop.kind == "mine":
                income = max(income, value)
            else:
                revenue += value
        for bonus in problem.parameters.bonuses:
            most = bonus.pays + sum(sum(group.values()) for group in bonus.groups)
            most *= factor if bonus.times_factor else 1
            income, revenue = income + most * bonus.to_treasury, revenue + most * (not bonus.to_treasury)
        by_segment = [segment.revenue for segment in problem.segments if segment.revenue]
        revenue += sum(sorted(by_segment, reverse=True)[: len(problem.stops)])
        self._compare_income = problem.parameters.compare_treasury_income
        self.run_most = revenue + income * self._compare_income
        self._money_factor = 1 + train_count * (revenue if self._compare_income else income)
        self._run_factor = 1 + train_count

    def of_money(self, money: int, to_treasury: bool) -> int:
        """What so much money adds to the score of a route."""
        if self._compare_income:
            return money * (self._money_factor + (not to_treasury)) * self._run_factor
        return money * (1 if to_treasury else self._money_factor) * self._run_factor

    def value(self, score: int) -> int:
        """The maximised money, in whole units, of a set of routes with this total score."""
        return score // (self._money_factor * self._run_factor)


class Network:
    """All that the searches need to know of a problem, by number."""

    def __init__(self, problem: RouteProblem, scores: Scores, budget: Budget) -> None:
        """Raises `BudgetSpent`."""
        self.scores = scores
        self.stops = tuple(sorted(problem.stops, key=lambda stop: stop.id))
        self.segments = tuple(sorted(problem.segments, key=lambda segment: segment.id))
        tokens = frozenset(problem.token_stops)
        self.number = number = {stop.id: index for index, stop in enumerate(self.stops)}
        self.bonuses = tuple(sorted(problem.parameters.bonuses, key=lambda bonus: bonus.id))
        self.requirements = tuple(sorted(problem.parameters.requirements, key=lambda each: each.id))
        kinds = [stop.kind for stop in self.stops]
        self.is_mine: Flags = np.array([kind == "mine" for kind in kinds], np.bool_)
        self.is_town: Flags = np.array([kind == "town" for kind in kinds], np.bool_)
        self.has_token: Flags = np.array([stop.id in tokens for stop in self.stops], np.bool_)
        self.ends_route: Flags = np.array(
            [stop.kind in ("offboard", "mine") or is_blocked(stop, tokens) for stop in self.stops], np.bool_
        )
        self.unit_score: Numbers = np.where(
            self.is_mine,
            self.scores.of_money(1, to_treasury=True),
            self.scores.of_money(1, to_treasury=False),
        )
        places: dict[str, int] = {}
        self.place: Numbers = np.array(
            [places.setdefault(stop.place, len(places)) for stop in self.stops], np.int64
        )
        self.place_count = len(places)
        self.segment_a: Numbers = np.array([number[each.a] for each in self.segments], np.int64)
        self.segment_b: Numbers = np.array([number[each.b] for each in self.segments], np.int64)
        self.terminal_a: Flags = np.array([each.terminal_a for each in self.segments], np.bool_)
        self.terminal_b: Flags = np.array([each.terminal_b for each in self.segments], np.bool_)
        self.segment_length: Numbers = np.array([each.hex_sides for each in self.segments], np.int64)
        self.segment_score: Numbers = np.array([each.revenue for each in self.segments], np.int64)
        self.segment_score *= self.scores.of_money(1, to_treasury=False)
        self._values: dict[str, Numbers] = {}
        self._through: Numbers | None = None
        groups = exclusions(self.segments, budget)
        self.shared_word_count = -(-groups.shared_count // WORD_BITS)
        self.shared_count = groups.shared_count
        self.bits_of = groups.of_segment
        self._reserve(groups, problem.parameters.places_once == "company", budget)
        self.is_useful: Flags = _useful(self, groups.of_segment, budget)
        self.ends_route |= self._has_one_way()
        if len(self.segments) > SEGMENTS_PER_LOOK:
            budget.spend(0)

    def _reserve(self, groups: Exclusions, places_once: bool, budget: Budget) -> None:
        """Rows of `track`: each segment, then each claim to a bonus that few runs have; and what stops use up.

        `claims`: by bonus the rows of its claims, as many as runs may have it; empty where all may.
        """
        free = count(groups.total)
        slots = {bonus.id: [next(free) for _ in range(bonus.runs)] for bonus in self.bonuses}
        of_claim = [frozenset({bit}) for bits in slots.values() for bit in bits]
        of_place = [next(free) for _ in range(self.place_count)] if places_once else []
        total = next(free)
        self.track: Words = rows([*groups.of_segment, *of_claim], total, budget)
        self.places_once = places_once
        if places_once:
            self.stop_track = rows([frozenset({of_place[place]}) for place in self.place.tolist()], total)
        number = count(len(self.segments))
        self.claims: dict[str, list[tuple[int, ...]]] = {
            name: [(next(number),) for _ in bits] for name, bits in slots.items()
        }

    def track_of(self, stops: Sequence[int], segments: Sequence[int], claims: Sequence[int]) -> Words:
        """All that a route over these stops and segments with these claims uses up."""
        union: Words = np.bitwise_or.reduce(self.track[[*segments, *claims]], axis=0)
        if self.places_once:
            union |= np.bitwise_or.reduce(self.stop_track[list(stops)], axis=0)
        return union

    def stops_met(self, stop_a: Numbers, stop_b: Numbers) -> Words:
        """The two stops of each of these ways, as bits."""
        each = rows([frozenset({stop}) for stop in range(len(self.stops))], len(self.stops))
        met: Words = each[stop_a] | each[stop_b]
        return met

    def way_track(self, stop_a: Numbers, stop_b: Numbers, segment: Numbers) -> Words:
        """What is used up by travelling each of these segments between its stops."""
        own: Words = self.track[segment]
        return own | self.stop_track[stop_a] | self.stop_track[stop_b] if self.places_once else own

    def _has_one_way(self) -> Flags:
        """Stops that no route can pass through, since all segments at them share track."""
        has_one: Flags = np.zeros(len(self.stops), np.bool_)
        useful = np.flatnonzero(self.is_useful & (self.segment_a != self.segment_b))
        if len(useful):
            stop = np.concatenate((self.segment_a[useful], self.segment_b[useful]))
            order = np.argsort(stop, kind="stable")
            stop, first = np.unique(stop[order], return_index=True)
            track = self.track[np.concatenate((useful, useful))[order]]
            has_one[stop] = np.bitwise_and.reduceat(track, first, axis=0).any(axis=1)
        return has_one

    def values(self, tariff: str) -> Numbers:
        """What each stop yields to trains of a tariff, in whole currency units."""
        if tariff not in self._values:
            self._values[tariff] = np.array(
                [stop.tariffs.get(tariff, stop.revenue) for stop in self.stops], np.int64
            )
        return self._values[tariff]

    def through_most(self, budget: Budget) -> Numbers:
        """How many routes at most can go through each stop beside each other: half as many as ways leave it.

        Ways that share a piece of track count once.
        """
        if self._through is None:
            shared: list[list[frozenset[int]]] = [[] for _ in self.stops]
            for number in np.flatnonzero(self.is_useful & (self.segment_a != self.segment_b)).tolist():
                for stop in (int(self.segment_a[number]), int(self.segment_b[number])):
                    shared[stop].append(self.bits_of[number])
            budget.spend(0)
            most: list[int] = []
            for part in budget.in_parts(len(shared), STOPS_PER_LOOK):
                most += [_leaving_most(ways, budget) // 2 for ways in shared[part]]
            self._through = np.array(most, np.int64)
        return self._through


class Exclusions(NamedTuple):
    """Bits of each segment; those below `shared_count` are shared with others, the rest are a segment's own."""

    of_segment: list[frozenset[int]]
    shared_count: int
    total: int


def exclusions(segments: Sequence[Segment], budget: Budget) -> Exclusions:
    """A bit for each set of segments that exclude each other, and one for a segment that shares nothing.

    Of resources used by the same segments one is enough, and one used by a subset of them adds nothing.
    """
    tally = Tally(budget, ENTRIES_PER_LOOK)
    users: dict[str, list[int]] = defaultdict(list)
    if len(segments) > SEGMENTS_PER_LOOK:
        budget.spend(0)
    for part in budget.between_parts(len(segments), SEGMENTS_PER_LOOK):
        for number in range(part.start, part.stop):
            tally.add(len(segments[number].resources))
            for resource in set(segments[number].resources):
                users[resource].append(number)
    of_segment: list[set[int]] = [set() for _ in segments]
    shared_count = 0
    for _, numbers in _larger_first(list(users.values()), budget):
        tally.add(len(numbers) + ENTRIES_PER_SET)
        if set.intersection(*(of_segment[number] for number in numbers)):
            continue
        for number in numbers:
            of_segment[number].add(shared_count)
        shared_count += 1
    count = shared_count
    for bits in of_segment:
        if not bits:
            bits.add(count)
            count += 1
    whole: list[frozenset[int]] = []
    for part in budget.between_parts(len(of_segment), SEGMENTS_PER_LOOK):
        whole += map(frozenset, of_segment[part])
    return Exclusions(whole, shared_count, count)


def _larger_first(sets: list[list[int]], budget: Budget) -> Iterator[tuple[int, list[int]]]:
    """Those of these sorted lists that have two entries and more, with their lengths below 0: the longest first."""
    parts = [
        sorted((-len(each), each) for each in sets[part] if len(each) > 1)
        for part in budget.between_parts(len(sets), SETS_PER_LOOK)
    ]
    return merge(*parts)


def rows(of_segment: Sequence[frozenset[int]], count: int, budget: Budget | None = None) -> Words:
    """These bits of each segment as a row of words with room for `count` bits."""
    words: Words = np.zeros((len(of_segment), max(1, -(-count // WORD_BITS))), np.uint64)
    whole = [slice(0, len(of_segment))]
    for part in whole if budget is None else budget.between_parts(len(of_segment), SEGMENTS_PER_LOOK):
        counts = [len(bits) for bits in of_segment[part]]
        row = np.repeat(np.arange(part.start, part.stop), counts)
        bit = np.fromiter(chain.from_iterable(of_segment[part]), np.int64, sum(counts))
        np.bitwise_or.at(words, (row, bit // WORD_BITS), np.uint64(1) << (bit % WORD_BITS).astype(np.uint64))
    return words


def _leaving_most(ways: list[frozenset[int]], budget: Budget) -> int:
    """No more of these ways can be used beside each other: they are put together by the pieces of track they share."""
    users: dict[int, list[int]] = defaultdict(list)
    tally = Tally(budget, ENTRIES_PER_LOOK)
    for number, bits in enumerate(ways):
        for bit in bits:
            users[bit].append(number)
        tally.add(len(bits))
    # How many of the ways still left use a piece only falls, so what is popped is counted again.
    waiting = [(-len(each), bit) for bit, each in users.items()]
    heapify(waiting)
    left, count = set(range(len(ways))), 0
    if len(ways) > SEGMENTS_PER_LOOK:
        budget.spend(0)
    while left:
        users_before, bit = heappop(waiting)
        using = [number for number in users[bit] if number in left]
        tally.add(len(users[bit]) + ENTRIES_PER_SET)
        if len(using) == -users_before:
            left.difference_update(using)
            count += 1
        elif using:
            heappush(waiting, (-len(using), bit))
    return count


def _useful(network: Network, of_segment: list[frozenset[int]], budget: Budget) -> Flags:
    """Removes segments dominated by another one, whatever the other trains do.

    A segment that conflicts with the better one must conflict with the worse one as well: so the two share track, and
    all that the better one uses is used by the worse one.
    """
    useful = np.ones(len(network.segments), np.bool_)
    between: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, (a, b) in enumerate(zip(network.segment_a.tolist(), network.segment_b.tolist(), strict=True)):
        between[min(a, b), max(a, b)].append(number)
    compared = 0
    for numbers in between.values():
        for number in numbers if len(numbers) > 1 else ():
            compared += len(numbers)
            if compared > COMPARED_PER_LOOK:
                budget.spend(0)
                compared = 0
            useful[number] = not any(
                other != number and useful[other] and _as_good(network, of_segment, other, number)
                for other in numbers
            )
    return useful


def _as_good(network: Network, of_segment: list[frozenset[int]], one: int, other: int) -> bool:
    turned = network.segment_a[one] != network.segment_a[other]
    terminal_a, terminal_b = network.terminal_a[other], network.terminal_b[other]
    if turned:
        terminal_a, terminal_b = terminal_b, terminal_a
    return (
        of_segment[one] <= of_segment[other]
        and network.terminal_a[one] <= terminal_a
        and network.terminal_b[one] <= terminal_b
        and network.segment_length[one] <= network.segment_length[other]
        and network.segment_score[one] >= network.segment_score[other]
    )
