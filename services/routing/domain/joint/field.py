"""The offers of one plan as a pool, with its slots grouped by sort, and the resulting runs by id."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from services.routing.domain.budget import Budget
from services.routing.domain.joint.board import Board
from services.routing.domain.joint.claims import Claim, from_part, haul_claims, visit_claim
from services.routing.domain.joint.course import NONE
from services.routing.domain.joint.finder import Found, Slot, sort_of
from services.routing.domain.joint.hauls import Hauls
from services.routing.domain.joint.money import NO_BIT, Money
from services.routing.domain.joint.offers import only
from services.routing.domain.joint.orders import orders_for, run_in_some_order
from services.routing.domain.joint.pool import NOTHING, Chosen, Pool, pool_of, reached_from_home, worths
from services.routing.domain.network import Flags, Numbers
from services.routing.domain.shape import same_stop

BONUSES_PER_LOOK = 50_000


class Field:
    """What the slots of a plan choose from: `slots` has the sort of each by number, `sorts` a slot of each sort.

    `linking`: bits of places that can only be counted by touching a stop that connects runs. `unit`: every score is a
    multiple of it.
    """

    def __init__(
        self, board: Board, money: Money, slots: Sequence[Slot], found: Sequence[Found], budget: Budget
    ) -> None:
        """`slots`: at least one, each with its offers. Raises `BudgetSpent`."""
        keys = [sort_of(slot) for slot in slots]
        sorts = list(dict.fromkeys(keys))
        order = sorted(range(len(slots)), key=lambda number: (sorts.index(keys[number]), number))
        self._board = board
        self._budget = budget
        self._asked = set[bytes]()
        self._trains = [slots[number] for number in order]
        self._found = [found[keys.index(key)] for key in sorts]
        self._routes = [each.routes for each in self._found]
        self.sorts = [slots[keys.index(key)] for key in sorts]
        self.slots: Numbers = np.array([sorts.index(keys[number]) for number in order], np.int64)
        offers = [each.offers for each in self._found]
        whole = pool_of(board, offers, budget)
        budget.spend(0)
        reached = reached_from_home(whole, budget)
        self._offers = [
            only(each, reached[whole.begin[sort] : whole.begin[sort + 1]], budget)
            for sort, each in enumerate(offers)
        ]
        self.pool: Pool = whole if reached.all() else pool_of(board, self._offers, budget)
        budget.spend(0)
        unit = np.gcd.reduce(money.weight)
        for part in budget.between_parts(len(self.pool.bonus), BONUSES_PER_LOOK):
            unit = np.gcd(unit, np.gcd.reduce(self.pool.bonus[part]))
        self.unit = int(unit) or 1
        self.linking: Flags = np.zeros(len(money.weight), np.bool_)
        self.linking[list(money.bit_of_place.values())] = True
        apart = money.bit_at[~board.links.any(axis=1)]
        self.linking[apart[apart != NO_BIT]] = False

    def starts(self, table: Numbers) -> list[Numbers]:
        """Starting choices: for each sort its best single offer at home; `table` is that of the weights."""
        worth = worths(self.pool.counted, self.pool.bonus, table, self._budget)
        worth = np.where(self.pool.at_home, worth, -1)
        found: list[Numbers] = []
        for slot, sort in enumerate(self.slots.tolist()):
            low, high = int(self.pool.begin[sort]), int(self.pool.begin[sort + 1])
            if (slot == 0 or self.slots[slot - 1] != sort) and worth[low:high].max(initial=-1) >= 0:
                start = np.full(len(self.slots), NOTHING, np.int64)
                start[slot] = low + int(worth[low:high].argmax())
                found.append(start)
        return found

    def is_new(self, start: Numbers) -> bool:
        """Whether this choice is asked for the first time."""
        key = start.tobytes()
        is_new = key not in self._asked
        self._asked.add(key)
        return is_new

    def claims(self, chosen: Chosen) -> tuple[Claim, ...]:
        """The runs of a choice, in an order and directions in which freight runs make the longer runs chosen."""
        orders = orders_for(len(self.slots))
        run_in_some_order(self.pool.course, chosen.offers, chosen.ways, orders)
        claims: list[Claim] = []
        for slot in np.argsort(orders.rank, kind="stable").tolist():
            if chosen.offers[slot] == NOTHING:
                continue
            found = self._claims_of(slot, chosen)
            if orders.rank[slot] != NONE:
                is_ring = len(found) > 1 and same_stop(found[0].stops[0]) == same_stop(found[-1].stops[-1])
                found = from_part(found, int(orders.start[slot]), bool(orders.turned[slot]), is_ring)
            claims += found
        return tuple(claims)

    def _claims_of(self, slot: int, chosen: Chosen) -> list[Claim]:
        sort = int(self.slots[slot])
        ways = sum(len(each.route) for each in self._offers[:sort])
        route = int(self._offers[sort].route[chosen.ways[slot] - ways])
        routes = self._routes[sort]
        if isinstance(routes, Hauls):
            return haul_claims(self._board, self._trains[slot], routes, route)
        return [visit_claim(self._board, self._trains[slot][0], routes, route)]
