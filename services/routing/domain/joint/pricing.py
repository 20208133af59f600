"""Prices on what trains contend for, so that each train can be looked at alone and the bounds add up."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from services.routing.domain.budget import Budget
from services.routing.domain.joint.money import byte_table
from services.routing.domain.joint.offers import Offers
from services.routing.domain.joint.pool import NOTHING, Pool, worth_beside
from services.routing.domain.kernel import compiled
from services.routing.domain.network import Numbers, Words

ROUNDS_MOST, PATIENCE = 120, 8
STEP_FIRST, STEP_LEAST = 1.2, 0.02
NO_OFFER = -(1 << 60)
OFFERS_PER_STEP = 4


class Priced(NamedTuple):
    """What no choice of the slots exceeds at these prices, and how far single offers are from it.

    `price`: of each bit, between nothing and its weight. `best`: what the best offer of each sort is worth beside the
    prices, nothing at least. `at_home`: the same of offers that touch the home, `NO_OFFER` where there is none.
    """

    price: Numbers
    best: Numbers
    at_home: Numbers
    bound: int


class PriceSearch:
    """Looks for the prices with the lowest bound, whose best offers are told on the way."""

    def __init__(
        self, pool: Pool, weight: Numbers, slots: Numbers, budget: Budget, on_choice: Callable[[Numbers], int]
    ) -> None:
        """`slots`: the sort of each train. `on_choice` hears of an offer for each slot and answers the best score."""
        self._pool = pool
        self._weight = weight
        self._slots = slots
        self._budget = budget
        self._on_choice = on_choice
        self._price: Numbers = np.zeros(len(weight), np.int64)
        self._step = STEP_FIRST
        self.best, self.offers = self._look()
        self.offers = self.offers[slots]

    def run(self) -> None:
        """Go on until the prices no longer get better, or nothing better than the best score can be."""
        waited, score = 0, 0
        for _ in range(ROUNDS_MOST):
            priced, offers = self._look()
            if priced.bound < self.best.bound:
                self.best, self.offers, waited = priced, offers[self._slots], 0
            else:
                waited += 1
            score = self._on_choice(offers[self._slots])
            if self.best.bound <= score or self._step < STEP_LEAST or len(self._slots) == 1:
                return
            if waited == PATIENCE:
                waited, self._step = 0, self._step / 2
                self._price = self.best.price
                _, offers = self._look()
            if not self._change(offers, priced.bound - score):
                return

    def _look(self) -> tuple[Priced, Numbers]:
        sorts = len(self._pool.begin) - 1
        best, at_home, offers = np.zeros(sorts, np.int64), np.full(sorts, NO_OFFER), np.zeros(sorts, np.int64)
        self._budget.spend(1 + len(self._pool.bonus) // OFFERS_PER_STEP)
        _best_offers(self._pool, byte_table(self._weight - self._price), best, at_home, offers)
        bound = bound_of(self._price, best, at_home, self._slots)
        return Priced(self._price, best, at_home, bound), offers

    def _change(self, offers: Numbers, gap: int) -> bool:
        """Dearer what several of these offers count, cheaper what none does; false where nothing changes."""
        chosen = offers[self._slots]
        counts = _counts(self._pool.counted[chosen[chosen != NOTHING]], len(self._weight))
        slope = np.where((counts == 0) & (self._price == 0), 0, counts - 1)
        slope = np.where((counts > 1) & (self._price >= self._weight), 0, slope)
        slope = np.where(self._weight == 0, 0, slope)
        square = int((slope * slope).sum())
        if not square:
            return False
        moved = np.rint(self._price + slope * (self._step * max(gap, 1) / square)).astype(np.int64)
        self._price = np.clip(moved, 0, self._weight)
        return True


def bound_of(price: Numbers, best: Numbers, at_home: Numbers, slots: Numbers) -> int:
    """What no choice exceeds where each sort is worth so much beside the prices and one train must be at home."""
    if not len(slots):
        return 0
    away = int((at_home - best)[slots].max())
    return max(0, int(price.sum()) + int(best[slots].sum()) + away)


def _counts(rows: Words, bits: int) -> Numbers:
    if not len(rows):
        return np.zeros(bits, np.int64)
    flat = np.unpackbits(np.ascontiguousarray(rows).view(np.uint8), axis=1, bitorder="little")
    counts: Numbers = flat.sum(axis=0, dtype=np.int64)
    return counts


@compiled
def _best_offers(pool: Pool, table: Numbers, best: Numbers, at_home: Numbers, offers: Numbers) -> None:
    none = np.zeros((1, pool.counted.shape[1]), np.uint64)
    for sort in range(len(best)):
        offers[sort] = NOTHING
        for offer in range(pool.begin[sort], pool.begin[sort + 1]):
            worth = pool.bonus[offer] + worth_beside(pool, offer, none, 0, table)
            if worth > best[sort]:
                best[sort] = worth
                offers[sort] = offer
            if pool.at_home[offer] and worth > at_home[sort]:
                at_home[sort] = worth


@compiled
def worths(pool: Pool | Offers, table: Numbers) -> Numbers:
    """What each offer is worth by a `byte_table`."""
    none = np.zeros((1, pool.counted.shape[1]), np.uint64)
    found = np.zeros(len(pool.bonus), np.int64)
    for offer in range(len(found)):
        found[offer] = pool.bonus[offer] + worth_beside(pool, offer, none, 0, table)
    return found
