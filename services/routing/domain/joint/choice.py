"""The best runs of one network: for every plan of joined freight trains the best choice of offers, and its proof."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

import msgspec
import numpy as np

from services.routing.domain.budget import Budget, BudgetSpent
from services.routing.domain.joint.board import Board
from services.routing.domain.joint.choosing import Chosen, best_choice, improved
from services.routing.domain.joint.claims import Claim, haul_claims, visit_claim
from services.routing.domain.joint.hauls import Hauls, hauls_of
from services.routing.domain.joint.money import Money, byte_table
from services.routing.domain.joint.offers import Offers, offers_of_hauls, offers_of_visits, only
from services.routing.domain.joint.plans import most_of_pairs, pairs_of, plans_of, wanted_pairs
from services.routing.domain.joint.pool import NOTHING, Pool, pool_of, reached_from_home
from services.routing.domain.joint.pricing import Priced, PriceSearch, worths
from services.routing.domain.joint.visits import Routes, visiting_routes
from services.routing.domain.network import Numbers
from services.routing.domain.problem import Train

FIRST_GAP_FRACTION = 50
ROUNDS_BETWEEN_CHOICES = 8
LAST_EFFORT_STEPS = 20_000
LAST_PLANS = 20
LAST_CHOICE_STEPS = 2_000_000

# Trains that run joined or not at all, or one train by itself.
Slot: TypeAlias = tuple[Train, ...]


class Found(NamedTuple):
    """What a slot can offer, and the routes behind it."""

    offers: Offers
    routes: Routes | Hauls


class NetworkChoice:
    """What is known of the best runs: `claims` of `score` are legal, and nothing scores more than `bound`."""

    def __init__(self, board: Board, budget: Budget, on_change: Callable[[NetworkChoice], None]) -> None:
        self._board = board
        self._budget = budget
        self._on_change = on_change
        self._rule = board.problem.parameters.freight_joins
        self.money = Money(board)
        trains = sorted(
            board.problem.trains,
            key=lambda train: (train.kind, train.joins, train.reach, train.counts, train.id),
        )
        self._freight = [train for train in trains if train.kind == "freight"]
        self._visitors: list[Slot] = [(train,) for train in trains if train.kind != "freight"]
        self._pairs = pairs_of(board, self.money)
        self._table = byte_table(self.money.weight)
        self._found: dict[Slot, Found] = {}
        self.claims: tuple[Claim, ...] = ()
        self.score = 0
        self.bound = self._most()

    @property
    def proven(self) -> bool:
        """Whether nothing better exists."""
        return self.score == self.bound

    def make(self) -> None:
        """Search until proven or until the budget ends."""
        if self._board.home < 0 or not self._board.has_token.any():
            self._lower(0)
            return
        plans = plans_of(self._freight, self._rule)
        try:
            self._make([self._slots(plan) for plan in plans])
        except BudgetSpent:
            if not self.score:
                self._last_effort()

    def _slots(self, plan: Sequence[Sequence[int]]) -> list[Slot]:
        return [*(tuple(self._freight[number] for number in group) for group in plan), *self._visitors]

    def _most(self) -> int:
        """What nothing exceeds, told without a search."""
        nothing = np.zeros(len(self._board.stops), np.int64)
        bonus = most_of_pairs(self._pairs.may, self._pairs, nothing)
        if self._rule == "ends_meet":
            bonus = int(self._pairs.bonus.max(initial=0))
        return int(self.money.weight.sum()) + len(self._freight) * bonus

    def _make(self, plans: list[list[Slot]]) -> None:
        """Solve the plan of the highest bound until no bound is above the best found."""
        for slot in self._visitors:
            self._look_for(slot)
        price: Numbers = np.zeros_like(self.money.weight)
        bounds = self._quick_bounds(plans, price)
        waiting = set(range(len(plans)))
        while True:
            self._lower(max(self.score, *bounds))
            number = max(waiting, key=lambda number: (bounds[number], -number))
            if bounds[number] <= self.score:
                return
            others = max((bounds[other] for other in waiting if other != number), default=0)
            price = self._solve(plans[number], others)
            bounds[number] = self.score
            quick = self._quick_bounds(plans, price)
            bounds = [min(both) for both in zip(bounds, quick, strict=True)]

    def _quick_bounds(self, plans: Sequence[Sequence[Slot]], price: Numbers) -> list[int]:
        """What each plan cannot exceed at these prices, by the shortest ways of its freight trains."""
        left = self.money.weight - price
        table = byte_table(left)
        worth: dict[Slot, int] = {}
        for slot in self._visitors:
            worth[slot] = int(worths(self._look_for(slot).offers, table).max(initial=0))
        stop_worth = np.array(
            [left[self.money.bit_of_place[each.place]] if each.revenue else 0 for each in self._board.stops],
            np.int64,
        )
        for slot in {slot for slots in plans for slot in slots} - worth.keys():
            wanted = wanted_pairs(self._board, self._pairs, [train.reach for train in slot])
            worth[slot] = most_of_pairs(wanted, self._pairs, stop_worth)
        return [int(price.sum()) + sum(worth[slot] for slot in slots) for slots in plans]

    def _look_for(self, slot: Slot, budget: Budget | None = None) -> Found:
        """The offers of a slot; with a budget of its own those found until that ends."""
        key = tuple(msgspec.structs.replace(train, id="") for train in slot)
        if key not in self._found:
            spent, partly = budget or self._budget, budget is not None
            if slot[0].kind == "freight":
                reaches = [train.reach for train in slot]
                wanted = wanted_pairs(self._board, self._pairs, reaches)
                hauls = hauls_of(self._board, reaches, wanted, spent, partly)
                offers = offers_of_hauls(self._board, self.money, hauls, self._pairs.bonus)
                found = Found(offers, hauls)
            else:
                routes = visiting_routes(self._board, slot[0], spent, partly)
                found = Found(offers_of_visits(self._board, self.money, slot[0], routes), routes)
            if partly:
                return found
            self._found[key] = found
        return self._found[key]

    def _solve(self, slots: Sequence[Slot], others: int) -> Numbers:
        """Find the best runs of a plan and prove them; answers the last prices. Other plans are bounded by `others`."""
        field = _Field(self._board, slots, [self._look_for(slot) for slot in slots])
        rounds = 0

        def hear(offers: Numbers) -> int:
            nonlocal rounds
            if rounds % ROUNDS_BETWEEN_CHOICES == 0:
                self._try(field, offers)
            rounds += 1
            return self.score

        if not len(field.pool.bonus):
            return np.zeros_like(self.money.weight)
        for start in field.starts(self._table):
            self._try(field, start)
        prices = PriceSearch(field.pool, self.money.weight, field.slots, self._budget, hear)
        prices.run()
        self._try(field, prices.offers)
        self._lower(max(self.score, others, prices.best.bound))
        self._close_the_gap(field, prices.best, others)
        return prices.best.price

    def _close_the_gap(self, field: _Field, priced: Priced, others: int) -> None:
        """Look for better choices in a gap under the bound that grows until the best proves itself."""
        bound = priced.bound
        gap = bound // FIRST_GAP_FRACTION
        without_home = int(priced.price.sum()) + int(priced.best[field.slots].sum())
        while bound > self.score:
            least = max(self.score, bound - gap - 1)
            better = best_choice(
                field.pool, field.slots, self.money.weight, priced, without_home - least, least, self._budget
            )
            if better is not None:
                self._keep(field, better)
                return
            bound, gap = least, 2 * gap + 1
            self._lower(max(self.score, others, bound))

    def _try(self, field: _Field, start: Numbers, budget: Budget | None = None) -> None:
        self._keep(field, improved(field.pool, field.slots, self._table, start, budget or self._budget))

    def _keep(self, field: _Field, chosen: Chosen) -> None:
        if chosen.score > self.score:
            self.score = chosen.score
            self.claims = field.claims(chosen)
            self._on_change(self)

    def _lower(self, bound: int) -> None:
        if bound < self.bound:
            self.bound = bound
            self._on_change(self)

    def _last_effort(self) -> None:
        """Runs when the budget ended before there were any: the best choice of what a small search comes across."""
        plans = islice(plans_of(self._freight, self._rule), LAST_PLANS)
        slots = self._slots(max(plans, key=lambda plan: sum(map(len, plan))))
        if not slots:
            return
        found = [self._look_for(slot, Budget(LAST_EFFORT_STEPS, lambda: False)) for slot in slots]
        field = _Field(self._board, slots, found)
        if len(field.pool.bonus):
            for start in field.starts(self._table):
                self._try(field, start, Budget(LAST_CHOICE_STEPS, lambda: False))


class _Field:
    """A plan's offers as a pool, its slots by sort side by side."""

    def __init__(self, board: Board, slots: Sequence[Slot], found: Sequence[Found]) -> None:
        keys = [tuple(msgspec.structs.replace(train, id="") for train in slot) for slot in slots]
        sorts = list(dict.fromkeys(keys))
        order = sorted(range(len(slots)), key=lambda number: (sorts.index(keys[number]), number))
        self._board = board
        self._trains = [slots[number] for number in order]
        self._found = [found[keys.index(key)] for key in sorts]
        self.slots: Numbers = np.array([sorts.index(keys[number]) for number in order], np.int64)
        offers = [each.offers for each in self._found]
        whole = pool_of(board, offers)
        reached = reached_from_home(whole)
        self._offers = [
            only(each, reached[whole.begin[sort] : whole.begin[sort + 1]]) for sort, each in enumerate(offers)
        ]
        self.pool: Pool = pool_of(board, self._offers)

    def starts(self, table: Numbers) -> list[Numbers]:
        """To begin with for each sort its best offer at home, by itself; `table` is that of the weights."""
        worth = np.where(self.pool.at_home, worths(self.pool, table), -1)
        found: list[Numbers] = []
        for slot, sort in enumerate(self.slots.tolist()):
            low, high = int(self.pool.begin[sort]), int(self.pool.begin[sort + 1])
            if (slot == 0 or self.slots[slot - 1] != sort) and worth[low:high].max(initial=-1) >= 0:
                start = np.full(len(self.slots), NOTHING, np.int64)
                start[slot] = low + int(worth[low:high].argmax())
                found.append(start)
        return found

    def claims(self, chosen: Chosen) -> tuple[Claim, ...]:
        """The runs of a choice."""
        ways = np.cumsum([0, *(len(each.route) for each in self._offers)])
        claims: list[Claim] = []
        for slot, sort in enumerate(self.slots.tolist()):
            if chosen.offers[slot] == NOTHING:
                continue
            route = int(self._offers[sort].route[chosen.ways[slot] - ways[sort]])
            routes = self._found[sort].routes
            if isinstance(routes, Hauls):
                claims += haul_claims(self._board, self._trains[slot], routes, route)
            else:
                claims.append(visit_claim(self._board, self._trains[slot][0], routes, route))
        return tuple(claims)
