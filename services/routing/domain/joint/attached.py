"""Runs that hang together as a program: each run is attached to one that reaches a stop before it, the first to the home.

A column is a way of an offer and the linking stop at which it is attached; it reaches the others it touches. Unlike
prices on places alone this bounds what the links cost: a run gains nothing by the place where it is attached.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from services.routing.domain.budget import Budget, EffortSpent
from services.routing.domain.flow.cuts import is_cut_off, ways_between
from services.routing.domain.flow.program import NO_LIMIT, Program, Values
from services.routing.domain.joint.field import Field
from services.routing.domain.joint.money import byte_table
from services.routing.domain.joint.pool import NOTHING, worths
from services.routing.domain.joint.pricing import NO_OFFER, Priced
from services.routing.domain.network import Flags, Numbers, Words

# A unit of the score in the prices of this program, so that rounding them costs next to nothing.
FINE = 1000
COLUMNS_MOST, SCORE_MOST = 20_000, 500_000
ROUNDS_MOST = 60
MISSING_LEAST, USED_LEAST, OPEN = 1e-4, 1e-7, 2.0
MARGIN, ACCURACY = 0.5, 0.4


class _Row(NamedTuple):
    """A sum of columns that is never below 0."""

    columns: Numbers
    factors: Values


class Attached:
    """The program for a plan, over those of its offers that a better choice can contain."""

    def __init__(self, field: Field, weight: Numbers, kept: Flags, budget: Budget) -> None:
        """Raises `EffortSpent` where it would be too large."""
        self._field, self._pool, self._weight, self._budget = field, field.pool, weight, budget
        self.unit = field.unit
        offer_of_way = np.repeat(np.arange(len(self._pool.bonus)), np.diff(self._pool.first))
        ways = np.flatnonzero(kept[offer_of_way])
        touched = _bits(self._pool.touched[ways])
        if touched.sum() > COLUMNS_MOST or int(weight.sum()) > SCORE_MOST * self.unit:
            raise EffortSpent
        self._way, self._tail = np.nonzero(touched)
        self._offer: Numbers = offer_of_way[ways]
        self._heads = touched[self._way]
        self._heads[np.arange(len(self._way)), self._tail] = False
        self._home = int(np.flatnonzero(_bits(self._pool.home[None, :])[0])[0])
        self._sort = np.searchsorted(self._pool.begin, self._offer, side="right") - 1
        self._counts = np.bincount(self._field.slots, minlength=len(self._pool.begin) - 1)
        self._program, self._rows = Program(budget), list[_Row]()
        budget.spend(0)
        self._add_columns(touched)
        self._has_whole = False

    def _add_columns(self, touched: Flags) -> None:
        pool, program = self._pool, self._program
        counted = _bits(pool.counted[self._offer])
        self._places = np.flatnonzero((self._weight > 0) & counted.any(axis=0))
        bonus = pool.bonus[self._offer]
        most = np.where(bonus > 0, self._counts[self._sort], 1)
        self._most = most[self._way]
        worth = np.concatenate(
            (bonus[self._way], self._weight[self._places], np.zeros(touched.shape[1], np.int64))
        )
        ones = np.ones(len(self._places) + touched.shape[1])
        program.add_columns(worth / self.unit, np.concatenate((self._most, ones)))
        self._worth: Numbers = worth * FINE
        self._first_place = len(self._way)
        self._first_stop = self._first_place + len(self._places)
        for number, place in enumerate(self._places.tolist()):
            counting = counted[:, place]
            self._add_sum(self._first_place + number, np.flatnonzero(counting[self._way]))
        for number, place in enumerate(self._places.tolist()):
            for stop in np.flatnonzero(touched[counted[:, place]].all(axis=0)).tolist():
                self._add_sum(self._first_place + number, np.array([self._first_stop + stop]))
        for stop in range(touched.shape[1]):
            if stop != self._home:
                self._add_sum(self._first_stop + stop, np.flatnonzero(self._heads[:, stop]))
        for sort, count in enumerate(self._counts.tolist()):
            of_sort = np.flatnonzero(self._sort[self._way] == sort)
            program.add_sum(0.0, float(count), of_sort, np.ones(len(of_sort)))

    def _add_sum(self, column: int, columns: Numbers) -> None:
        """A column is at most the sum of these."""
        self._budget.spend(0)
        self._add_row(np.append(columns, column), np.append(np.ones(len(columns)), -1.0))

    def _add_row(self, columns: Numbers, factors: Values) -> None:
        number = self._program.add_sum(0.0, NO_LIMIT, columns, factors)
        self._rows += [_Row(columns[:0], factors[:0])] * (number - len(self._rows))
        self._rows.append(_Row(columns, factors))

    def priced(self) -> Priced:
        """Prices by the program without whole numbers, in `FINE` parts of the score; its bound is computed exactly."""
        optimum = self._program.relaxed()
        for _ in range(ROUNDS_MOST):
            if not self._connect(optimum.values):
                break
            optimum = self._program.relaxed()
        multipliers = np.maximum(0, np.rint(-optimum.row_prices * self.unit * FINE)).astype(np.int64)
        left: Numbers = np.zeros_like(self._weight)
        reduced = self._worth.copy()
        for number, row in enumerate(self._rows):
            if multipliers[number] == 0:
                continue
            if number < len(self._places):
                left[self._places[number]] = multipliers[number]
                reduced[row.columns[-1]] -= multipliers[number]
            else:
                reduced[row.columns] += multipliers[number] * row.factors.astype(np.int64)
        self._budget.spend(0)
        return self._as_priced(left, reduced)

    def _as_priced(self, left: Numbers, reduced: Numbers) -> Priced:
        pool = self._pool
        bonus = np.full(len(pool.bonus), NO_OFFER // 2)
        np.maximum.at(bonus, self._offer[self._way], reduced[: self._first_place])
        worth = worths(pool.counted, bonus, byte_table(left), self._budget)
        spans = list(zip(pool.begin[:-1].tolist(), pool.begin[1:].tolist(), strict=True))
        best = np.array([worth[low:high].max(initial=0) for low, high in spans], np.int64)
        at_home = np.array(
            [worth[low:high][pool.at_home[low:high]].max(initial=NO_OFFER) for low, high in spans], np.int64
        )
        total = int(np.maximum(0, reduced[self._first_place :]).sum())
        bound = max(0, total + int(best[self._field.slots].sum()))
        return Priced(self._weight * FINE - left, left, bonus, total, best, at_home, bound)

    def whole(self, score: int) -> tuple[Numbers, int]:
        """Offers that score most where all columns are whole, if more than `score`, and a bound; they hang together if nothing is
        missing. Raises `EffortSpent` where the program has no optimum, or what it lacks cannot be found."""
        if not self._has_whole:
            self._first_whole = self._program.add_columns(
                np.zeros(len(self._offer)), self._counts[self._sort].astype(np.float64)
            )
            for way in range(len(self._offer)):
                self._budget.spend(0)
                low, high = np.searchsorted(self._way, (way, way + 1)).tolist()
                columns = np.append(np.arange(low, high), self._first_whole + way)
                self._program.add_sum(0.0, 0.0, columns, np.append(np.ones(high - low), -1.0))
            self._has_whole = True
        integers = np.append(
            np.arange(self._first_place, self._first_place + len(self._worth) - len(self._way)),
            self._first_whole + np.arange(len(self._offer)),
        )
        found = self._program.whole_above(score // self.unit + ACCURACY, ACCURACY, integers)
        self._values = found.values
        used = np.rint(found.values[self._first_whole : self._first_whole + len(self._offer)]).astype(
            np.int64
        )
        return self._chosen(used), self.unit * int(found.bound + MARGIN)

    def connect_whole(self) -> bool:
        """Add what the last whole numbers lack; whether there was anything."""
        return self._connect(self._values)

    def _chosen(self, used: Numbers) -> Numbers:
        chosen = np.full(len(self._field.slots), NOTHING, np.int64)
        free = {sort: np.flatnonzero(self._field.slots == sort).tolist() for sort in range(len(self._counts))}
        for way in np.repeat(np.arange(len(used)), used).tolist():
            if free[int(self._sort[way])]:
                chosen[free[int(self._sort[way])].pop(0)] = self._offer[way]
        return chosen

    def _connect(self, values: Values) -> bool:
        """Add rows that these values break: runs attached where no run comes, stops that the home does not reach."""
        used, reached = (
            values[: self._first_place],
            values[self._first_stop : self._first_stop + self._heads.shape[1]],
        )
        before = len(self._rows)
        lacking = used > reached[self._tail] * self._most + MISSING_LEAST
        for column in np.flatnonzero(lacking & (self._tail != self._home)).tolist():
            columns = np.array([self._first_stop + self._tail[column], column])
            self._add_row(columns, np.array([float(self._most[column]), -1.0]))
            self._budget.spend(0)
        self._cut(used, reached)
        return len(self._rows) > before

    def _cut(self, used: Values, reached: Values) -> None:
        stops, active = self._heads.shape[1], np.flatnonzero(used > USED_LEAST)
        which, head = np.nonzero(self._heads[active])
        pairs = np.concatenate(
            (
                np.column_stack((self._tail[active], stops + np.arange(len(active)))),
                np.column_stack((stops + which, head)),
            )
        ).astype(np.int64)
        capacity = np.zeros((len(pairs), 2))
        capacity[:, 0] = np.append(used[active], np.full(len(head), OPEN * len(self._field.slots)))
        ways, work = ways_between(pairs, capacity, stops + len(active))
        for stop in np.flatnonzero(reached > MISSING_LEAST).tolist():
            self._budget.spend(1)
            if stop != self._home and is_cut_off(
                ways, work, self._home, stop, float(reached[stop]) - MISSING_LEAST
            ):
                inside = work.inside[:stops]
                crossing = inside[self._tail] & (self._heads & ~inside).any(axis=1)
                self._add_sum(self._first_stop + stop, np.flatnonzero(crossing))


def within(field: Field, priced: Priced, gap: int, budget: Budget) -> Flags:
    """Which offers are less than `gap` from the best of their sort at these prices."""
    worth = worths(field.pool.counted, priced.bonus, byte_table(priced.left), budget)
    best = np.repeat(priced.best, np.diff(field.pool.begin))
    near: Flags = best - worth < gap
    return near


def _bits(rows: Words) -> Flags:
    flat: Flags = np.unpackbits(np.ascontiguousarray(rows).view(np.uint8), axis=1, bitorder="little").astype(
        np.bool_
    )
    return flat
