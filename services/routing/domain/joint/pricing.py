"""Prices on what trains compete for, so that each train can be optimised alone and the bounds add up."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from services.routing.domain.budget import Budget
from services.routing.domain.joint.field import Field
from services.routing.domain.joint.money import byte_table
from services.routing.domain.joint.pool import NOTHING, worth_beside
from services.routing.domain.kernel import compiled
from services.routing.domain.network import WORD_BITS, Flags, Numbers, Words

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
        weight, left, bonus, pool = self._weight, self._left, self._pool.bonus, self._pool
        if self._link:
            weight = np.maximum(0, weight - self._link * self._linking)
            left = np.minimum(left, weight)
            bonus = bonus + self._link * pool.links
        _best_offers(pool.begin, pool.counted, bonus, pool.at_home, left, best, at_home, offers)
        price = weight - left
        total = int(price.sum()) + self._link
        away = int((at_home - best)[self._slots].max())
        bound = max(0, total + int(best[self._slots].sum()) + away)
        return Priced(price, left, bonus, total, best, at_home, bound), offers

    def _change(self, offers: Numbers, priced: Priced, gap: int) -> bool:
        """Raise prices of what several of these offers count, lower those of what none does; false without a change."""
        chosen = offers[self._slots]
        taken: Numbers = np.zeros_like(priced.left)
        slope = _slopes(self._pool.counted, chosen, self._weight, priced.price, priced.left, taken)
        spare = 0
        if self._may_link:
            chosen = chosen[chosen != NOTHING]
            worthy = self._linking & (priced.price + priced.left > 0)
            spare = 1 + int(self._pool.links[chosen].sum()) - int(taken[worthy].sum())
            spare = 0 if self._link == 0 and spare > 0 else spare
        square = int(slope @ slope) + spare * spare
        if not square:
            return False
        length = self._step * max(gap, 1) / square
        moved = np.rint(priced.left + slope * length).astype(np.int64)
        self._left = np.clip(moved, 0, self._weight)
        self._link = max(0, self._link - round(spare * length))
        return True


@compiled
def _slopes(
    counted: Words, chosen: Numbers, weight: Numbers, price: Numbers, left: Numbers, taken: Numbers
) -> Numbers:
    """For each bit how much less often the offers chosen count it than is paid for, 0 where its price can change no more.

    `taken` becomes how often each is paid for.
    """
    slope = np.zeros(len(weight), np.int64)
    for bit in range(len(weight)):
        if weight[bit] == 0:
            continue
        counts = 0
        for offer in chosen:
            if offer != NOTHING:
                counts += bool(counted[offer, bit // WORD_BITS] >> np.uint64(bit % WORD_BITS) & np.uint64(1))
        taken[bit] = 1 if price[bit] > 0 else min(counts, 1)
        if counts <= 1 or left[bit] > 0:
            slope[bit] = taken[bit] - counts
    return slope


@compiled
def _best_offers(
    begin: Numbers,
    counted: Words,
    bonus: Numbers,
    is_at_home: Flags,
    left: Numbers,
    best: Numbers,
    at_home: Numbers,
    offers: Numbers,
) -> None:
    """The best offer of each sort and its worth, and the best worth of those at home; see `Pool` and `Priced`."""
    none, table = np.zeros((1, counted.shape[1]), np.uint64), byte_table(left)
    for sort in range(len(best)):
        offers[sort] = NOTHING
        for offer in range(begin[sort], begin[sort + 1]):
            worth = bonus[offer] + worth_beside(counted, offer, none, 0, table)
            if worth > best[sort]:
                best[sort] = worth
                offers[sort] = offer
            if is_at_home[offer] and worth > at_home[sort]:
                at_home[sort] = worth
