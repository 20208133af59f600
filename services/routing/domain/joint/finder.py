"""Finds the offers of each slot of a plan once; freight runs only between ends that can still matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import msgspec
import numpy as np

from services.routing.domain.budget import Budget
from services.routing.domain.joint.board import Board
from services.routing.domain.joint.hauls import Hauls, hauls_of, put_together
from services.routing.domain.joint.money import Money
from services.routing.domain.joint.offers import Offers, offers_of_hauls, offers_of_visits
from services.routing.domain.joint.plans import most_of_pairs, pair_worths, pairs_of, wanted_pairs
from services.routing.domain.joint.pool import worths
from services.routing.domain.joint.visits import Routes, visiting_routes
from services.routing.domain.network import Flags, Numbers
from services.routing.domain.problem import Train

# The search starts with the ends whose worth is within this fraction of the highest.
FIRST_PART = 4

# One train, or several that run joined or not at all.
Slot: TypeAlias = tuple[Train, ...]


@dataclass(slots=True)
class Found:
    """A slot's offers so far, their routes, and the pairs of ends not searched for freight ways yet."""

    offers: Offers
    routes: Routes | Hauls
    unseen: Flags | None = None


def sort_of(slot: Slot) -> Slot:
    """What determines the offers of a slot: its trains without their ids."""
    return tuple(msgspec.structs.replace(train, id="") for train in slot)


class OfferFinder:
    """Finds offers on a board."""

    def __init__(self, board: Board, money: Money, budget: Budget) -> None:
        self._board = board
        self._money = money
        self._budget = budget
        self._found: dict[Slot, Found] = {}
        self._pairs = pairs_of(board, money)
        self._wanted_by_sort: dict[Slot, Flags] = {}

    def bonus_most(self) -> int:
        """The highest bonus between any two stops, as a score."""
        return int(self._pairs.bonus.max(initial=0))

    def find(self, slot: Slot) -> Found:
        """The offers of a slot; of freight trains at first those of the worthiest ends."""
        sort = sort_of(slot)
        if sort not in self._found:
            if slot[0].kind == "freight":
                self._found[sort] = self._nothing_seen(slot)
                worths_of_pairs = self.pair_worths(self._money.weight)
                least = self.worth_unseen(slot, worths_of_pairs)
                self._widen(slot, worths_of_pairs >= least - least // FIRST_PART)
            else:
                routes = visiting_routes(self._board, slot[0], self._budget)
                offers = offers_of_visits(self._board, self._money, slot[0], routes, self._budget)
                self._found[sort] = Found(offers, routes)
        return self._found[sort]

    def find_some(self, slot: Slot, budget: Budget, after_it: Budget) -> Found:
        """Offers of a slot found within a separate budget, and what they need besides; they are not cached."""
        if slot[0].kind == "freight":
            wanted = self._wanted(slot, after_it).copy()
            np.fill_diagonal(wanted, False)
            hauls = hauls_of(self._board, slot, wanted, budget, partly=True)
            return Found(self._offers_of(hauls, after_it), hauls)
        routes = visiting_routes(self._board, slot[0], budget, partly=True)
        offers = offers_of_visits(self._board, self._money, slot[0], routes, after_it, richest_only=True)
        return Found(offers, routes)

    def pair_worths(self, left: Numbers) -> Numbers:
        """What freight runs between any two ends earn at most where each bit is worth what is `left` of its weight."""
        return pair_worths(self._pairs, left[self._money.bit_at] * (self._money.bit_at >= 0))

    def freight_most(self, slot: Slot, worths_of_pairs: Numbers) -> int:
        """An upper bound for the runs of a slot of freight trains; see `pair_worths`."""
        return most_of_pairs(self._wanted(slot, self._budget), worths_of_pairs)

    def visitor_most(self, slot: Slot, table: Numbers) -> int:
        """The same for a local or express train by a `byte_table` of what is left."""
        offers = self.find(slot).offers
        return int(worths(offers.counted, offers.bonus, table, self._budget).max(initial=0))

    def worth_unseen(self, slot: Slot, worths_of_pairs: Numbers) -> int:
        """An upper bound for the slot's freight runs that were not searched yet; -1 where there are none."""
        unseen = self._found[sort_of(slot)].unseen
        if unseen is None or not unseen.any():
            return -1
        return most_of_pairs(unseen, worths_of_pairs)

    def widen(self, slot: Slot, worths_of_pairs: Numbers, more_than: int) -> bool:
        """Search the slot's remaining runs that may be worth more; whether there were any."""
        return self._widen(slot, worths_of_pairs > more_than)

    def _wanted(self, slot: Slot, budget: Budget) -> Flags:
        sort = sort_of(slot)
        if sort not in self._wanted_by_sort:
            self._wanted_by_sort[sort] = wanted_pairs(
                self._board, self._pairs, [train.reach for train in slot], budget
            )
        return self._wanted_by_sort[sort]

    def _nothing_seen(self, slot: Slot) -> Found:
        hauls = put_together(self._board, (), len(slot))
        offers = self._offers_of(hauls, self._budget)
        return Found(offers, hauls, self._wanted(slot, self._budget))

    def _widen(self, slot: Slot, worthy: Flags) -> bool:
        found = self._found[sort_of(slot)]
        if found.unseen is None or not isinstance(found.routes, Hauls):
            return False
        wanted = found.unseen & worthy
        if not wanted.any():
            return False
        hauls = hauls_of(self._board, slot, wanted, self._budget)
        self._budget.spend(0)
        routes = put_together(self._board, (found.routes, hauls), len(slot))
        self._budget.spend(0)
        found.offers, found.routes = self._offers_of(routes, self._budget), routes
        found.unseen = found.unseen & ~wanted
        if wanted.diagonal().any():
            np.fill_diagonal(found.unseen, False)
        return True

    def _offers_of(self, hauls: Hauls, budget: Budget) -> Offers:
        return offers_of_hauls(self._board, self._money, hauls, self._pairs.bonus, budget)
