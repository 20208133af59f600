"""The best runs of one network: for every plan of joined freight trains the best choice of offers, and its proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from services.routing.domain.budget import Budget, BudgetSpent, EffortSpent
from services.routing.domain.joint.attached import FINE, Attached, within
from services.routing.domain.joint.board import Board
from services.routing.domain.joint.choosing import best_choice
from services.routing.domain.joint.claims import Claim
from services.routing.domain.joint.field import Field
from services.routing.domain.joint.finder import Found, OfferFinder, Slot, sort_of
from services.routing.domain.joint.improving import improved
from services.routing.domain.joint.money import Money, byte_table
from services.routing.domain.joint.plans import PLANS_PER_LOOK, Group, Plan, first_plan, plans_of
from services.routing.domain.joint.pool import Chosen
from services.routing.domain.joint.pricing import Priced, PriceSearch
from services.routing.domain.network import Numbers
from services.routing.domain.solution import BoundBy

FIRST_GAP_FRACTION = 50
ROUNDS_BETWEEN_CHOICES = 8
# Steps of branching before a program is made, and with its prices before it is solved in whole numbers, so many times; from
# so many slots on that is done at once.
BRANCH_STEPS, FINE_BRANCH_STEPS = 20_000_000, 50_000_000
PROGRAM_SLOTS_LEAST, PROGRAMS_MOST = 8, 30
# Steps of the last effort, those for offers shared by all sorts of trains.
LAST_EFFORT_STEPS, LAST_CHOICE_STEPS = 60_000, 100_000
BY_ALONE: BoundBy = "alone"
BY_PRICES: BoundBy = "prices"


class _Groups(NamedTuple):
    """Freight trains that run joined in some plan, once for trains alike, and those of each plan, numbered from 1."""

    slots: tuple[Slot, ...]
    of_plan: Numbers


class NetworkChoice:
    """The search for the best runs: `claims` of `score` are the best found, nothing scores more than `bound`.

    `bounds`: how that bound was reached, the last of each kind in the order in which they fell.
    """

    def __init__(self, board: Board, budget: Budget, on_change: Callable[[NetworkChoice], None]) -> None:
        """Raises `BudgetSpent`."""
        self._board = board
        self._budget = budget
        self._on_change = on_change
        self._rule = board.problem.parameters.freight_joins
        self.money = Money(board)
        self._table = byte_table(self.money.weight)
        budget.spend(0)
        self._finder = OfferFinder(board, self.money, budget)
        trains = sorted(
            board.problem.trains,
            key=lambda train: (train.kind, train.joins, train.reach, train.counts, train.id),
        )
        self._freight = [train for train in trains if train.kind == "freight"]
        self._visitors: list[Slot] = [(train,) for train in trains if train.kind != "freight"]
        self.claims: tuple[Claim, ...] = ()
        self.score = 0
        self.bound = int(self.money.weight.sum()) + len(self._freight) * self._finder.bonus_most()
        self.bounds: dict[BoundBy, int] = {"alone": self.bound}

    @property
    def proven(self) -> bool:
        """Whether nothing better exists."""
        return self.score == self.bound

    def make(self) -> None:
        """Search until proven or until the budget ends."""
        if self._board.home < 0 or not self._board.has_token.any():
            self._lower(0, "routes")
            return
        try:
            self._make(plans_of(self._freight, self._rule, self._budget))
        except BudgetSpent:
            if not self.score:
                self._last_effort()

    def _slots(self, plan: Sequence[Sequence[int]]) -> list[Slot]:
        return [*(tuple(self._freight[number] for number in group) for group in plan), *self._visitors]

    def _make(self, plans: Sequence[Plan]) -> None:
        """Solve the plan of the highest bound until no bound is above the best found; one that is hard waits until no other plan
        has a higher bound."""
        groups = self._groups(plans)
        bounds, by = self._quick_bounds(groups, np.zeros_like(self.money.weight)), BY_ALONE
        hard: dict[int, tuple[Field, Priced]] = {}
        while True:
            self._lower(max(self.score, int(bounds.max(initial=0))), by)
            number, by = int(bounds.argmax()) if len(bounds) else 0, BY_PRICES
            if not len(bounds) or bounds[number] <= self.score:
                return
            if number in hard:
                self._close_by_program(*hard.pop(number), _most_but(bounds, number))
                bounds[number] = self.score
                continue
            field, prices = self._priced_wide(self._slots(plans[number]))
            bounds = np.minimum(bounds, self._quick_bounds(groups, prices.best.price))
            if self._solve(field, prices, _most_but(bounds, number)):
                bounds[number] = self.score
            else:
                hard[number] = field, prices.best
                bounds[number] = prices.best.bound

    def _groups(self, plans: Sequence[Plan]) -> _Groups:
        number_of: dict[Slot, int] = {}
        group_numbers: dict[Group, int] = {}
        width = max((len(plan) for plan in plans), default=0)
        of_plan = np.zeros((len(plans), width), np.int64)
        for row, plan in enumerate(plans):
            if row % PLANS_PER_LOOK == 0:
                self._budget.spend(1)
            for place, group in enumerate(plan):
                if group not in group_numbers:
                    slot = tuple(self._freight[number] for number in group)
                    group_numbers[group] = number_of.setdefault(sort_of(slot), 1 + len(number_of))
                of_plan[row, place] = group_numbers[group]
        return _Groups(tuple(number_of), of_plan)

    def _quick_bounds(self, groups: _Groups, price: Numbers) -> Numbers:
        """An upper bound for each plan at these prices, from the shortest ways of its freight trains."""
        left = self.money.weight - price
        worth = np.zeros(1 + len(groups.slots), np.int64)
        of_pairs = self._finder.pair_worths(left)
        for number, slot in enumerate(groups.slots, 1):
            worth[number] = self._finder.freight_most(slot, of_pairs)
            self._budget.spend(1)
        table, counts = byte_table(left), Counter(sort_of(slot) for slot in self._visitors)
        visitors = sum(count * self._finder.visitor_most(slot, table) for slot, count in counts.items())
        bounds: Numbers = worth[groups.of_plan].sum(axis=1) + int(price.sum()) + visitors
        return bounds

    def _solve(self, field: Field, prices: PriceSearch, others: int) -> bool:
        """Find the best runs of a plan and prove them, unless that takes long; whether it is done. Other plans are bounded by
        `others`."""
        self._lower(max(self.score, others, prices.best.bound), BY_PRICES)
        if prices.best.bound > self.score:
            prices.run_with_links()
            self._lower(max(self.score, others, prices.best.bound), BY_PRICES)
        try:
            with self._budget.at_most(BRANCH_STEPS):
                self._branch(field, prices.best, prices.best.bound, others, 1)
        except EffortSpent:
            return False
        return True

    def _priced_wide(self, slots: Sequence[Slot]) -> tuple[Field, PriceSearch]:
        """The plan with all offers that a better choice may need, and its prices."""
        field, prices = self._priced(slots)
        return self._priced(slots) if self._widen(field, prices.best) else (field, prices)

    def _priced(self, slots: Sequence[Slot]) -> tuple[Field, PriceSearch]:
        """The plan with the offers found so far and its prices; keeps good choices found on the way."""
        offers = [self._finder.find(slot) for slot in slots]
        field = Field(self._board, self.money, slots, offers, self._budget)
        rounds = 0

        def on_choice(offers: Numbers) -> int:
            nonlocal rounds
            if rounds % ROUNDS_BETWEEN_CHOICES == 0:
                self._try(field, offers)
            rounds += 1
            return self.score

        for start in field.starts(self._table):
            self._try(field, start)
        prices = PriceSearch(field, self.money.weight, self._budget, on_choice)
        prices.run()
        self._try(field, prices.offers)
        return field, prices

    def _widen(self, field: Field, priced: Priced) -> bool:
        """Add freight runs left out so far that a better choice may need; whether there are any."""
        if not self._freight:
            return False
        of_pairs = self._finder.pair_worths(self.money.weight - priced.price)
        unseen = [self._finder.worth_unseen(slot, of_pairs) for slot in field.sorts]
        best = [max(int(priced.best[sort]), unseen[sort]) for sort in range(len(unseen))]
        most = int(priced.price.sum()) + sum(best[sort] for sort in field.slots.tolist())
        widened = [
            self._finder.widen(slot, of_pairs, best[sort] - (most - self.score))
            for sort, slot in enumerate(field.sorts)
            if unseen[sort] >= 0
        ]
        return any(widened)

    def _close_by_program(self, field: Field, priced: Priced, others: int) -> None:
        """Prove the best choice of a hard plan by a program's prices or by the program itself. `others` bounds other plans."""
        try:
            program, fine = self._program(field, priced, 1)
        except EffortSpent:
            self._branch(field, priced, priced.bound, others, 1)
            return
        bound = min(priced.bound, fine.bound // FINE)
        self._lower(max(self.score, others, bound), BY_PRICES)
        if len(field.slots) < PROGRAM_SLOTS_LEAST:
            with suppress(EffortSpent), self._budget.at_most(FINE_BRANCH_STEPS):
                self._branch(field, fine, bound, others, FINE)
                return
            program, fine = self._program(field, fine, FINE)
        bound = self._run_program(field, program, min(bound, self.bound), others)
        self._branch(field, fine, bound, others, FINE)

    def _program(self, field: Field, priced: Priced, scale: int) -> tuple[Attached, Priced]:
        """The program over the offers that a better choice can contain at these prices, `scale` to one of the score, and its
        own prices."""
        gap = priced.total + int(priced.best[field.slots].sum()) - self.score * scale
        program = Attached(field, self.money.weight, within(field, priced, gap, self._budget), self._budget)
        return program, program.priced()

    def _run_program(self, field: Field, program: Attached, bound: int, others: int) -> int:
        """Solve the program until its choice hangs together; returns the bound."""
        try:
            for _ in range(PROGRAMS_MOST):
                if bound // field.unit * field.unit <= self.score:
                    break
                offers, most = program.whole(self.score)
                bound = min(bound, most)
                self._try(field, offers)
                self._lower(max(self.score, others, bound), BY_PRICES)
                if not program.connect_whole():
                    break
        except EffortSpent:
            pass
        return bound

    def _branch(self, field: Field, priced: Priced, bound: int, others: int, scale: int) -> None:
        """Search offers within a growing gap under the bound until the best choice is proven.

        Prices are in parts of the score, `scale` to one.
        """
        unit, gap = field.unit, bound // FIRST_GAP_FRACTION
        pool = field.pool._replace(bonus=field.pool.bonus * scale)
        without_home = priced.total + int(priced.best[field.slots].sum())
        bound = bound // unit * unit
        self._lower(max(self.score, others, bound), BY_PRICES)
        while bound > self.score:
            least = max(self.score, (bound - gap - 1) // unit * unit)
            better, certain = best_choice(
                pool,
                field.slots,
                self.money.weight * scale,
                priced,
                without_home - least * scale,
                (least + unit) * scale - 1,
                self._budget,
            )
            if better is not None:
                self._keep(field, better._replace(score=better.score // scale))
            if not certain:
                raise BudgetSpent
            if better is not None:
                return
            bound, gap = least, 2 * gap + 1
            self._lower(max(self.score, others, bound), "routes")

    def _try(self, field: Field, start: Numbers) -> None:
        if field.is_new(start):
            self._keep(field, improved(field.pool, field.slots, self._table, start, self._budget))

    def _keep(self, field: Field, chosen: Chosen) -> None:
        if chosen.score > self.score:
            self.score = chosen.score
            self.claims = field.claims(chosen)
            self._on_change(self)

    def _lower(self, bound: int, by: BoundBy) -> None:
        if bound < self.bound:
            self.bound = bound
            self.bounds.pop(by, None)
            self.bounds[by] = bound
            self._on_change(self)

    def _last_effort(self) -> None:
        """Fallback when no runs were found before the budget ended, or plans are too many: the best choice of few offers."""
        slots = self._slots(first_plan(self._freight, self._rule))
        if not slots:
            return
        sorts = dict.fromkeys(map(sort_of, slots))
        steps, after_it = LAST_EFFORT_STEPS // len(sorts), Budget(0, self._go_on)
        some: dict[Slot, Found] = {}
        for sort in sorts:
            some[sort] = self._finder.find_some(sort, Budget(steps, self._go_on), after_it)
            self._budget.look()
        is_spent = self._budget.left < 0 or self._budget.is_over
        budget = Budget(LAST_CHOICE_STEPS, self._go_on) if is_spent else self._budget
        offers = [some[sort_of(slot)] for slot in slots]
        field = Field(self._board, self.money, slots, offers, after_it)
        for start in field.starts(self._table):
            self._keep(field, improved(field.pool, field.slots, self._table, start, budget, partly=True))

    def _go_on(self) -> bool:
        """A look at the clock that ends nothing."""
        self._budget.look()
        return False


def _most_but(bounds: Numbers, number: int) -> int:
    """The highest bound of the other plans."""
    return int(np.delete(bounds, number).max(initial=0))
