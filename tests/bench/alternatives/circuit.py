"""The linear part of the circuit models: rows over named 0-1 variables, the same for CP-SAT and for HiGHS.

For each train and stop: it visits, begins, ends, yields; for each train and direction of a segment: it goes there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from services.routing.domain.problem import RouteProblem, Segment, Train, is_blocked

Term = tuple[str, int]
Row = tuple[int, list[Term], int]
FREELY = 1 << 20
DEPOT = 0


class Arc(NamedTuple):
    """A way for a train from one node to another; node 0 is the depot, stops follow."""

    tail: int
    head: int
    name: str


class Rules:
    """A problem as rows `least <= sum of terms <= most`."""

    def __init__(self, problem: RouteProblem) -> None:
        self._problem = problem
        self._number = {stop.id: number for number, stop in enumerate(problem.stops)}
        self._inner_forbidden = [
            stop.kind in ("mine", "offboard") or is_blocked(stop, problem.token_stops)
            for stop in problem.stops
        ]
        self.stop_count = len(problem.stops)

    @property
    def problem(self) -> RouteProblem:
        """What is asked."""
        return self._problem

    def runs(self, train: Train) -> str:
        """Whether `train` runs at all."""
        return f"runs {train.id}"

    def visit(self, train: Train, stop: int) -> str:
        """Whether `train` visits the stop."""
        return f"visit {train.id} {stop}"

    def yields(self, train: Train, stop: int) -> str:
        """Whether the stop yields to `train`: a variable of its own only where the train may choose."""
        own = train.counts or (
            train.towns == "skip" and train.reach and self._problem.stops[stop].kind == "town"
        )
        return f"yield {train.id} {stop}" if own else self.visit(train, stop)

    def arcs(self, train: Train) -> Iterator[Arc]:
        """All ways for `train`, those from and to the depot included."""
        for stop in range(self.stop_count):
            yield Arc(DEPOT, stop + 1, f"begin {train.id} {stop}")
            yield Arc(stop + 1, DEPOT, f"end {train.id} {stop}")
        for segment in self._problem.segments:
            if segment.a != segment.b:
                a, b = self._number[segment.a] + 1, self._number[segment.b] + 1
                yield Arc(a, b, f"go {train.id} {segment.id} ab")
                yield Arc(b, a, f"go {train.id} {segment.id} ba")

    def rows(self, with_flow: bool) -> Iterator[Row]:
        """Every rule but connection; `with_flow` adds flow conservation at stops, which a circuit implies."""
        for train in self._problem.trains:
            if with_flow:
                yield from self._flow(train)
            yield from self._stops(train)
            yield from self._kinds(train)
            yield from self._limits(train)
        yield from self._exclusions()
        yield from self._symmetries()

    def _flow(self, train: Train) -> Iterator[Row]:
        into: dict[int, list[Term]] = defaultdict(list)
        out: dict[int, list[Term]] = defaultdict(list)
        for arc in self.arcs(train):
            into[arc.head].append((arc.name, 1))
            out[arc.tail].append((arc.name, 1))
        for node in range(self.stop_count + 1):
            present = self.runs(train) if node == DEPOT else self.visit(train, node - 1)
            yield 0, [*into[node], (present, -1)], 0
            yield 0, [*out[node], (present, -1)], 0

    def _stops(self, train: Train) -> Iterator[Row]:
        """One visit to a place, ends differ, forbidden stops and terminal track only at the ends, a token on the way."""
        places: dict[str, list[Term]] = defaultdict(list)
        for number, stop in enumerate(self._problem.stops):
            places[stop.place].append((self.visit(train, number), 1))
            ends: list[Term] = [(f"begin {train.id} {number}", 1), (f"end {train.id} {number}", 1)]
            yield 0, ends, 1
            yield 0, [(self.runs(train), 1), (self.visit(train, number), -1)], 1
            if self._inner_forbidden[number]:
                yield 0, [*ends, (self.visit(train, number), -1)], FREELY
        for terms in places.values():
            if len(terms) > 1:
                yield 0, terms, 1
        for segment in self._problem.segments:
            for stop_id, terminal in ((segment.a, segment.terminal_a), (segment.b, segment.terminal_b)):
                if terminal and segment.a != segment.b:
                    number = self._number[stop_id]
                    ends = [(f"begin {train.id} {number}", 1), (f"end {train.id} {number}", 1)]
                    yield 0, [*ends, *((name, -1) for name in _going(train, segment))], FREELY
        tokens = [(self.visit(train, self._number[name]), 1) for name in self._problem.token_stops]
        yield 0, [*tokens, (self.runs(train), -1)], FREELY

    def _kinds(self, train: Train) -> Iterator[Row]:
        mines = [number for number, stop in enumerate(self._problem.stops) if stop.kind == "mine"]
        terms = [(self.visit(train, number), 1) for number in mines]
        if train.kind == "normal":
            yield 0, terms, 0
        else:
            yield 0, [*terms, (self.runs(train), -1)], 0
            yield 0, [(f"end {train.id} {number}", 1) for number in mines], 0

    def _limits(self, train: Train) -> Iterator[Row]:
        stops = self._problem.stops
        for number in range(self.stop_count):
            if self.yields(train, number) != self.visit(train, number):
                yield 0, [(self.visit(train, number), 1), (self.yields(train, number), -1)], FREELY
                if not train.counts:
                    ends = [(f"begin {train.id} {number}", -1), (f"end {train.id} {number}", -1)]
                    yield 0, [(self.yields(train, number), 1), *ends], FREELY
        if train.counts:
            yield 0, [(self.yields(train, number), 1) for number in range(self.stop_count)], train.counts
        if train.reach and train.measure == "hexes":
            sides = [
                (name, segment.hex_sides)
                for segment in self._problem.segments
                if segment.a != segment.b
                for name in _going(train, segment)
            ]
            yield 0, sides, train.reach
        elif train.reach:
            free = ("mine", "town") if train.towns == "free" else ("mine",)
            taking = self.visit if train.counts else self.yields
            yield (
                0,
                [
                    (taking(train, number), 1)
                    for number in range(self.stop_count)
                    if stops[number].kind not in free
                ],
                train.reach,
            )

    def _exclusions(self) -> Iterator[Row]:
        users: dict[str, list[Term]] = defaultdict(list)
        for train in self._problem.trains:
            for segment in self._problem.segments:
                if segment.a != segment.b:
                    terms = [(name, 1) for name in _going(train, segment)]
                    for piece in (
                        f"track {segment.id}",
                        *(f"shared {name}" for name in set(segment.resources)),
                    ):
                        users[piece] += terms
        for terms in users.values():
            yield 0, terms, 1

    def _symmetries(self) -> Iterator[Row]:
        """A normal train begins at the smaller stop; of two alike the first earns no less."""
        for train in self._problem.trains:
            if train.kind == "normal":
                ends = [(f"end {train.id} {number}", number) for number in range(self.stop_count)]
                begins = [(f"begin {train.id} {number}", -number) for number in range(self.stop_count)]
                yield 0, ends + begins, FREELY
        seen: dict[tuple[object, ...], Train] = {}
        for train in self._problem.trains:
            alike = (train.kind, train.reach, train.towns, train.counts, train.measure, train.tariff)
            if alike in seen:
                yield (
                    0,
                    [(name, factor) for name, factor in self._value_terms(seen[alike])]
                    + [(name, -factor) for name, factor in self._value_terms(train)],
                    FREELY,
                )
            seen[alike] = train

    def _value_terms(self, train: Train) -> list[Term]:
        income = self._problem.parameters.compare_treasury_income
        return [
            (self.yields(train, number), stop.value_for(train))
            for number, stop in enumerate(self._problem.stops)
            if stop.kind != "mine" or income
        ]

    def value(self) -> list[Term]:
        """What is maximised."""
        return [term for train in self._problem.trains for term in self._value_terms(train)]


def _going(train: Train, segment: Segment) -> tuple[str, str]:
    return f"go {train.id} {segment.id} ab", f"go {train.id} {segment.id} ba"
