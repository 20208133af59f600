"""Every legal run of every train, listed by plain depth-first search, for the set packing models.

Runs on the same track count once, with their best value. Listing stops at a number of runs that no packing could
take in, or when time is up; the problem is then given up.
"""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass

from services.routing.domain.problem import RouteProblem, Segment, Stop, Train, is_blocked

CANDIDATES_MOST = 400_000
STEPS_BETWEEN_LOOKS = 4_096


class TooMany(Exception):
    """There are more runs than can be listed."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The runs of trains of one sort: how many such trains there are, and for each run its pieces and its value."""

    count: int
    pieces: list[int]
    values: list[int]


def list_candidates(problem: RouteProblem, end: float, within_gap: bool) -> list[Candidates]:
    """All runs by sort of train, `within_gap` only those that a best packing may hold. Raises `TooMany`."""
    counts: dict[tuple[object, ...], list[Train]] = defaultdict(list)
    for train in problem.trains:
        alike = (train.kind, train.reach, train.towns, train.counts, train.measure, train.tariff)
        counts[alike].append(train)
    listed = []
    for trains in counts.values():
        runs = _Lister(problem, trains[0], end).runs()
        listed.append(Candidates(len(trains), list(runs), list(runs.values())))
    return _filtered(listed) if within_gap else listed


def _filtered(listed: list[Candidates]) -> list[Candidates]:
    """A run that falls short of the best of its sort by more than the best sum exceeds a greedy packing is in none better."""
    best = [max(each.values, default=0) for each in listed]
    gap = sum(value * each.count for value, each in zip(best, listed, strict=True)) - greedy_total(listed)
    return [
        Candidates(each.count, *_kept(each, value - gap)) for each, value in zip(listed, best, strict=True)
    ]


def _kept(candidates: Candidates, least: int) -> tuple[list[int], list[int]]:
    kept = [pair for pair in zip(candidates.pieces, candidates.values, strict=True) if pair[1] >= least]
    return [pieces for pieces, _ in kept], [value for _, value in kept]


def greedy_total(listed: list[Candidates]) -> int:
    """What the trains earn, each taking the best run left."""
    used = total = 0
    for each in listed:
        richest = sorted(zip(each.values, each.pieces, strict=True), reverse=True)
        for _ in range(each.count):
            value, pieces = next((pair for pair in richest if not pair[1] & used), (0, 0))
            used, total = used | pieces, total + value
    return total


class _Lister:
    """The depth-first search for one sort of train; pieces of track and places are bits."""

    def __init__(self, problem: RouteProblem, train: Train, end: float) -> None:
        self._problem, self._train, self._end = problem, train, end
        self._income = problem.parameters.compare_treasury_income
        places = {place: 1 << bit for bit, place in enumerate(sorted({stop.place for stop in problem.stops}))}
        self._stops = {stop.id: stop for stop in problem.stops}
        self._place = {stop.id: places[stop.place] for stop in problem.stops}
        self._tokens = frozenset(problem.token_stops)
        self._inner_forbidden = {
            stop.id
            for stop in problem.stops
            if stop.kind in ("mine", "offboard") or is_blocked(stop, problem.token_stops)
        }
        self._steps = _steps_of(problem)
        self._found: dict[int, int] = {}
        self._looks = 0

    def runs(self) -> dict[int, int]:
        """Best value by pieces of track."""
        for stop in self._problem.stops:
            if stop.kind != "mine" or self._train.kind == "goods":
                self._walk([stop], self._place[stop.id], 0, 0, False)
        return self._found

    def _walk(self, stops: list[Stop], places: int, pieces: int, sides: int, must_end: bool) -> None:
        self._looks += 1
        if self._looks % STEPS_BETWEEN_LOOKS == 0 and time.process_time() > self._end:
            raise TooMany
        here = stops[-1]
        if len(stops) > 1:
            self._record(stops, pieces)
            if must_end or here.id in self._inner_forbidden:
                return
        for there, track, length, leaves_terminal, enters_terminal in self._steps[here.id]:
            place = self._place[there.id]
            if places & place or pieces & track or (len(stops) > 1 and leaves_terminal):
                continue
            stops.append(there)
            if self._may_go(stops, sides + length):
                self._walk(stops, places | place, pieces | track, sides + length, enters_terminal)
            stops.pop()

    def _may_go(self, stops: list[Stop], sides: int) -> bool:
        """Whether the stops are within reach or may be as the beginning of a longer route."""
        train = self._train
        if train.kind == "normal" and stops[-1].kind == "mine":
            return False
        if not train.reach:
            return True
        if train.measure == "hexes":
            return sides <= train.reach
        taking = [
            stop
            for stop in stops
            if stop.kind != "mine" and not (stop.kind == "town" and train.towns == "free")
        ]
        if train.towns == "skip":
            taking = [stop for stop in taking if stop.kind != "town" or stop is stops[0]]
        return len(taking) <= train.reach

    def _record(self, stops: list[Stop], pieces: int) -> None:
        mines = [stop for stop in stops if stop.kind == "mine"]
        if len(mines) != (self._train.kind == "goods") or not any(stop.id in self._tokens for stop in stops):
            return
        value = self._value(stops)
        if value is None:
            return
        value += sum(mine.value_for(self._train) for mine in mines) if self._income else 0
        if value > self._found.get(pieces, -1):
            self._found[pieces] = value
            if len(self._found) > CANDIDATES_MOST:
                raise TooMany

    def _value(self, stops: list[Stop]) -> int | None:
        """Revenue of the stops, None where their ends alone are out of reach."""
        train = self._train
        yielding = [stop for stop in stops if stop.kind != "mine"]
        if train.counts:
            return sum(sorted((stop.value_for(train) for stop in yielding), reverse=True)[: train.counts])
        if train.towns != "skip" or not train.reach:
            return sum(stop.value_for(train) for stop in yielding)
        forced = [stop for stop in yielding if stop.kind != "town" or stop in (stops[0], stops[-1])]
        spare = train.reach - len(forced)
        if spare < 0:
            return None
        towns = sorted((stop.value_for(train) for stop in yielding if stop not in forced), reverse=True)
        return sum(stop.value_for(train) for stop in forced) + sum(towns[:spare])


Step = tuple[Stop, int, int, bool, bool]


def _steps_of(problem: RouteProblem) -> dict[str, list[Step]]:
    """By stop: where a segment leads, its pieces, its length, and which of its ends are terminal."""
    stops = {stop.id: stop for stop in problem.stops}
    bit: dict[tuple[str, str], int] = {}

    def pieces(segment: Segment) -> int:
        names = [("track", segment.id), *(("shared", name) for name in segment.resources)]
        return sum({1 << bit.setdefault(name, len(bit)) for name in names})

    steps: dict[str, list[Step]] = {stop.id: [] for stop in problem.stops}
    for segment in problem.segments:
        if segment.a != segment.b:
            mask, sides = pieces(segment), segment.hex_sides
            steps[segment.a].append((stops[segment.b], mask, sides, segment.terminal_a, segment.terminal_b))
            steps[segment.b].append((stops[segment.a], mask, sides, segment.terminal_b, segment.terminal_a))
    return steps


def users_of_pieces(listed: list[Candidates]) -> list[list[int]]:
    """For every piece of track wanted by more than one run the numbers of those runs, counted through all sorts."""
    users: dict[int, list[int]] = defaultdict(list)
    number = 0
    for each in listed:
        for mask in each.pieces:
            left = mask
            while left:
                users[left & -left].append(number)
                left &= left - 1
            number += 1
    return [numbers for numbers in users.values() if len(numbers) > 1]
