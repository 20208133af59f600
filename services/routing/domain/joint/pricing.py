"""Prices on what trains compete for, so that each train can be optimised alone and the bounds add up."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from services.routing.domain.budget import Budget
from services.routing.domain.joint.field import Field
from services.routing.domain.joint.money import byte_table
from services.routing.domain.joint.pool import NOTHING, Pool, worth_beside
from services.routing.domain.kernel import compiled
from services.routing.domain.network import Numbers, Words

ROUNDS_MOST, STALLED_ROUNDS_MOST = 120, 8
STEP_FIRST, STEP_LEAST = 1.2, 0.02
NO_OFFER = -(1 << 60)
OFFERS_PER_STEP = 4


class Priced(NamedTuple):
    """An upper bound for choices of the slots at these prices, and how far single offers are from it.

    `price`: of each bit, between nothing and its weight; `left`: what is left of the weight, and `bonus`: of each offer,
    both with what links are worth; `total`: of all prices. `best`: what the best offer of each sort is worth beside the
    prices, nothing at least. `at_home`: the same of offers that touch the home, `NO_OFFER` where there is none.
    """

    price: Numbers
    left: Numbers
    bonus: Numbers
    total: int
    best: Numbers
    at_home: Numbers
    bound: int


class PriceSearch:
    """Searches the prices with the lowest bound; reports the best offers at each step.

    Connected runs touch a stop again for every run after the first: the stops that each touches, added up, less
    the different ones are no fewer than the runs less one. A worth of links, nothing at first, prices that as well:
    each offer gains it for every stop but one that it touches, and every linking place that is counted loses it.
    """

    def __init__(
        self, field: Field, weight: Numbers, budget: Budget, on_choice: Callable[[Numbers], int]
    ) -> None:
        """`on_choice` gets an offer for each slot and returns the best score known."""
        self._pool, self._slots, self._linking = field.pool, field.slots, field.linking
        self._weight = weight
        self._budget = budget
        self._on_choice = on_choice
        self._left: Numbers = weight
        self._link = 0
        self._may_link = False
        self._step = STEP_FIRST
        self.best, offers = self._look()
        self.offers = offers[self._slots]

    def run(self) -> None:
        """Adjust prices until the bound stops falling or reaches the best score."""
        waited, score, best_link = 0, 0, self._link
        for _ in range(ROUNDS_MOST):
            priced, offers = self._look()
            if priced.bound < self.best.bound:
                self.best, self.offers, waited = priced, offers[self._slots], 0
                best_link = self._link
            else:
                waited += 1
            score = self._on_choice(offers[self._slots])
            if self.best.bound <= score or self._step < STEP_LEAST or len(self._slots) == 1:
                return
            if waited == STALLED_ROUNDS_MOST:
                waited, self._step = 0, self._step / 2
                self._left, self._link = self.best.left, best_link
                priced, offers = self._look()
            if not self._change(offers, priced, priced.bound - score):
                return

    def run_with_links(self) -> None:
        """Continue from the best prices with a worth of links as well."""
        self._may_link, self._step, self._left = True, STEP_FIRST, self.best.left
        self.run()

    def _look(self) -> tuple[Priced, Numbers]:
        sorts = len(self._pool.begin) - 1
        best, at_home, offers = np.zeros(sorts, np.int64), np.full(sorts, NO_OFFER), np.zeros(sorts, np.int64)
        self._budget.spend(1 + len(self._pool.bonus) // OFFERS_PER_STEP)
        weight = np.maximum(0, self._weight - self._link * self._linking)
        left = np.minimum(self._left, weight)
        bonus = self._pool.bonus + self._link * self._pool.links
        _best_offers(self._pool._replace(bonus=bonus), byte_table(left), best, at_home, offers)
        price = weight - left
        total = int(price.sum()) + self._link
        away = int((at_home - best)[self._slots].max())
        bound = max(0, total + int(best[self._slots].sum()) + away)
        return Priced(price, left, bonus, total, best, at_home, bound), offers

    def _change(self, offers: Numbers, priced: Priced, gap: int) -> bool:
        """Raise prices of what several of these offers count, lower those of what none does; false without a change."""
        chosen = offers[self._slots]
        chosen = chosen[chosen != NOTHING]
        counts = _counts(self._pool.counted[chosen], len(self._weight))
        taken = np.where(priced.price > 0, 1, np.minimum(counts, 1))
        slope = np.where((counts > 1) & (priced.left <= 0), 0, taken - counts)
        slope = np.where(self._weight == 0, 0, slope)
        spare = 0
        if self._may_link:
            worthy = self._linking & (priced.price + priced.left > 0)
            spare = 1 + int(self._pool.links[chosen].sum()) - int(taken[worthy].sum())
            spare = 0 if self._link == 0 and spare > 0 else spare
        square = int((slope * slope).sum()) + spare * spare
        if not square:
            return False
        length = self._step * max(gap, 1) / square
        moved = np.rint(priced.left + slope * length).astype(np.int64)
        self._left = np.clip(moved, 0, self._weight)
        self._link = max(0, self._link - round(spare * length))
        return True


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
