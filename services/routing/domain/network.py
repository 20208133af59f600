"""A problem turned into arrays: stops and segments by number in order of id, exclusions as bits of a row of words.

Two segments exclude each other exactly where their rows of `track` have a bit in common; a route's row is the union of
its segments' rows, and two routes may run side by side when their rows have no bit in common.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from services.routing.domain.problem import (
    RouteProblem,
    Segment,
    Stop,
    Train,
    is_blocked,
)

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

WORD_BITS = 64


class Scores:
    """One integer per route that orders sets of routes: money first, then what decides between equal money.

    A route of revenue r and mine income m scores (r * k + m) * n + 1, under `compare_treasury_income`
    ((r + m) * k + r) * n + 1, with k and n so large that the later parts only decide ties. The 1 makes a run of
    no worth better than none, since every train must run.
    """

    def __init__(self, problem: RouteProblem) -> None:
        train_count = len(problem.trains)
        most = {"mine": 0, "other": 0}
        for stop in problem.stops:
            value = max((stop.revenue, *stop.tariffs.values()))
            if stop.kind == "mine":
                most["mine"] = max(most["mine"], value)
            else:
                most["other"] += value
        self._compare_income = problem.parameters.compare_treasury_income
        self._money_factor = 1 + train_count * most["other" if self._compare_income else "mine"]
        self._run_factor = 1 + train_count

    def of_stop(self, stop: Stop, train: Train) -> int:
        """What `stop` adds to the score of a route of `train`."""
        if self._compare_income:
            weight = self._money_factor + (stop.kind != "mine")
        else:
            weight = 1 if stop.kind == "mine" else self._money_factor
        return stop.value_for(train) * weight * self._run_factor

    def value(self, score: int) -> int:
        """The maximised money, in whole units, of a set of routes with this total score."""
        return score // (self._money_factor * self._run_factor)


class Network:
    """All that the searches need to know of a problem, by number."""

    def __init__(self, problem: RouteProblem) -> None:
        self.scores = Scores(problem)
        self.stops = tuple(sorted(problem.stops, key=lambda stop: stop.id))
        self.segments = tuple(sorted(problem.segments, key=lambda segment: segment.id))
        tokens = frozenset(problem.token_stops)
        number = {stop.id: index for index, stop in enumerate(self.stops)}
        kinds = [stop.kind for stop in self.stops]
        self.is_mine: Flags = np.array([kind == "mine" for kind in kinds], np.bool_)
        self.is_town: Flags = np.array([kind == "town" for kind in kinds], np.bool_)
        self.has_token: Flags = np.array([stop.id in tokens for stop in self.stops], np.bool_)
        self.ends_route: Flags = np.array(
            [stop.kind in ("offboard", "mine") or is_blocked(stop, tokens) for stop in self.stops], np.bool_
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
        groups = exclusions(self.segments)
        self.shared_word_count = -(-groups.shared_count // WORD_BITS)
        self.track: Words = rows(groups.of_segment, groups.total)
        self._bits_of = groups.of_segment
        self.is_useful: Flags = _useful(self, groups.of_segment)
        self.ends_route |= self._has_one_way()
        self._arcs: dict[Train, Arcs] = {}

    def _has_one_way(self) -> Flags:
        """Stops that no route can pass through, since all segments at them share track."""
        useful = np.flatnonzero(self.is_useful & (self.segment_a != self.segment_b))
        common = np.full((len(self.stops), self.track.shape[1]), ~np.uint64(0))
        for ends in (self.segment_a, self.segment_b):
            np.bitwise_and.at(common, ends[useful], self.track[useful])
        joined = np.zeros(len(self.stops), np.bool_)
        joined[self.segment_a[useful]] = joined[self.segment_b[useful]] = True
        has_one: Flags = joined & common.any(axis=1)
        return has_one

    def through_most(self) -> Numbers:
        """How many routes at most can go through each stop beside each other: half as many as ways leave it.

        Ways that share a piece of track count once.
        """
        shared: list[list[set[int]]] = [[] for _ in self.stops]
        for number in np.flatnonzero(self.is_useful & (self.segment_a != self.segment_b)).tolist():
            for stop in (int(self.segment_a[number]), int(self.segment_b[number])):
                shared[stop].append(set(self._bits_of[number]))
        return np.array([_leaving_most(ways) // 2 for ways in shared], np.int64)

    def arcs(self, train: Train) -> Arcs:
        """The track as `train` may travel it."""
        sort = msgspec.structs.replace(train, id="")
        if sort not in self._arcs:
            self._arcs[sort] = Arcs(self, sort)
        return self._arcs[sort]


class Exclusions(NamedTuple):
    """Bits of each segment; those below `shared_count` are shared with others, the rest are a segment's own."""

    of_segment: list[frozenset[int]]
    shared_count: int
    total: int


def exclusions(segments: Sequence[Segment]) -> Exclusions:
    """A bit for each set of segments that exclude each other, and one for a segment that shares nothing.

    Of resources used by the same segments one is enough, and one used by a subset of them adds nothing.
    """
    users: dict[str, set[int]] = defaultdict(set)
    for number, segment in enumerate(segments):
        for resource in segment.resources:
            users[resource].add(number)
    sets = sorted({frozenset(each) for each in users.values() if len(each) > 1}, key=_larger_first)
    of_segment: list[set[int]] = [set() for _ in segments]
    shared_count = 0
    for each in sets:
        if set.intersection(*(of_segment[number] for number in each)):
            continue
        for number in each:
            of_segment[number].add(shared_count)
        shared_count += 1
    count = shared_count
    for bits in of_segment:
        if not bits:
            bits.add(count)
            count += 1
    return Exclusions([frozenset(bits) for bits in of_segment], shared_count, count)


def _larger_first(numbers: frozenset[int]) -> tuple[int, list[int]]:
    return -len(numbers), sorted(numbers)


def rows(of_segment: list[frozenset[int]], count: int) -> Words:
    """These bits of each segment as a row of words with room for `count` bits."""
    table = np.zeros((len(of_segment), max(1, -(-count // WORD_BITS))), np.uint64)
    for number, bits in enumerate(of_segment):
        for bit in bits:
            table[number, bit // WORD_BITS] |= np.uint64(1 << bit % WORD_BITS)
    return table


def _leaving_most(ways: list[set[int]]) -> int:
    """No more of these ways can be used beside each other: they are put together by the pieces of track they share."""
    left, count = list(ways), 0
    while left:
        most_shared = max(sorted(set().union(*left)), key=lambda bit: sum(bit in way for way in left))
        left = [way for way in left if most_shared not in way]
        count += 1
    return count


def _useful(network: Network, of_segment: list[frozenset[int]]) -> Flags:
    """Removes segments dominated by another one, whatever the other trains do.

    A segment that conflicts with the better one must conflict with the worse one as well: so the two share track, and
    all that the better one uses is used by the worse one.
    """
    useful = np.ones(len(network.segments), np.bool_)
    between: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, (a, b) in enumerate(zip(network.segment_a.tolist(), network.segment_b.tolist(), strict=True)):
        between[min(a, b), max(a, b)].append(number)
    for numbers in between.values():
        for number in numbers:
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
    )


class Arcs:
    """The track as one sort of train may travel it: each arc is a segment in one direction, sorted by where it leaves.

    `first[s]` to `first[s + 1]` are the arcs that leave stop `s`, the richest first. `reach` and `counts` are what the
    arc takes of the train's reach and of the stops it may count; `value` is what it adds to the score.
    An arc that `leaves` may only be travelled first, one that `ends` only last; one that `passes` reaches a stop
    that yields nothing, and where no route ends if `ends_passing` is false.
    """

    def __init__(self, network: Network, train: Train) -> None:
        stops, count = network.stops, len(network.stops)
        score = np.array([network.scores.of_stop(stop, train) for stop in stops], np.int64)
        hexes, skip, part = train.measure == "hexes", train.towns == "skip", train.counts > 0
        takes = ~network.is_mine & ~(network.is_town & (train.towns == "free"))
        self.stop_score = score
        self.stop_takes: Flags = takes
        self.stop_reach = (takes & (not hexes)).astype(np.int64)
        self.ends_passing = part
        self.may_pass = network.is_town & skip if not part else ~network.is_mine
        most = int(network.segment_length.sum() if hexes else takes.sum())
        self.limit_reach = min(train.reach or most, most)
        self.limit_counts = min(train.counts, count) if part else 0
        self.is_goods = train.kind == "goods"
        self.is_measured_in_hexes = hexes
        serves = np.ones(count, np.bool_) if self.is_goods else ~network.is_mine
        source = np.concatenate((network.segment_a, network.segment_b))
        target = np.concatenate((network.segment_b, network.segment_a))
        segment = np.concatenate((np.arange(len(network.segments)),) * 2)
        leaves = np.concatenate((network.terminal_a, network.terminal_b))
        arrives = np.concatenate((network.terminal_b, network.terminal_a))
        useful = (network.place[source] != network.place[target]) & serves[source] & serves[target]
        useful &= network.is_useful[segment]
        source, target, segment = source[useful], target[useful], segment[useful]
        leaves, ends = leaves[useful], arrives[useful] | network.ends_route[target]
        length = network.segment_length[segment] if hexes else self.stop_reach[target]
        passable = self.may_pass[target] & ~(ends & (not part))
        passed_length = length if hexes or part else np.zeros_like(length)
        order_value = np.concatenate((score[target], np.zeros(int(passable.sum()), np.int64)))
        columns = {
            "source": (source, source[passable]),
            "target": (target, target[passable]),
            "segment": (segment, segment[passable]),
            "leaves": (leaves, leaves[passable]),
            "ends": (ends, ends[passable]),
            "reach": (length, passed_length[passable]),
        }
        joined = {name: np.concatenate(parts) for name, parts in columns.items()}
        passes = np.arange(len(order_value)) >= len(source)
        order = np.lexsort((passes, joined["segment"], -order_value, joined["source"]))
        self.source: Numbers = joined["source"][order]
        self.target: Numbers = joined["target"][order]
        self.segment: Numbers = joined["segment"][order]
        self.leaves: Flags = joined["leaves"][order]
        self.ends: Flags = joined["ends"][order]
        self.reach: Numbers = joined["reach"][order]
        self.passes: Flags = passes[order]
        self.counts: Numbers = (~self.passes & part).astype(np.int64)
        self.value: Numbers = order_value[order]
        self.first: Numbers = np.searchsorted(self.source, np.arange(count + 1)).astype(np.int64)
