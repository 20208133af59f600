"""What a train, or several joined, can bring to the company: sets of places that it can count, and ways of doing so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from services.routing.domain.beside import run_beside
from services.routing.domain.budget import Budget, BudgetSpent, steps_with
from services.routing.domain.joint.board import Board
from services.routing.domain.joint.course import NODES, NONE, PAID, may_replace
from services.routing.domain.joint.hauls import Hauls
from services.routing.domain.joint.money import Money
from services.routing.domain.joint.room import begins_of, in_order
from services.routing.domain.joint.visits import Routes
from services.routing.domain.kernel import compiled, inner, tight
from services.routing.domain.network import WORD_BITS, Flags, Numbers, Words
from services.routing.domain.problem import Train

# Choices of what to count: so many, and so many words of what they count and touch.
CHOICES_MOST, WORDS_MOST = 1 << 20, 1 << 22
# Choices made, and rows compared, between two looks at the clock.
CHOICES_PER_LOOK, ROWS_PER_LOOK, COMPARED_PER_LOOK = 10_000, 100_000, 500_000
SORTED_AT_ONCE = 20_000
# Routes of which the choices are counted between two looks at the clock.
COUNTED_PER_LOOK = 4_000
# Where the comparison of rows has come to.
GROUP, ROW, LOW, COUNT, PLACE_SIZE = 0, 1, 2, 3, 4
# Whether the choices of a route were begun with.
NOT_BEGUN, BEGUN = -1, 0


class Offers(NamedTuple):
    """Offers differ in what they count (`counted`, bits of `Money`) or in `bonus`, a score; those of equal worth as well.

    The ways of offer n are `first[n]` to `first[n + 1]`: what each touches (`links` of `Board`), where runs of freight trains
    end on it if they are joined wherever ends meet, and its course then (see `course_width`), and the number of its route.
    """

    counted: Words
    bonus: Numbers
    first: Numbers
    touched: Words
    ends: Words
    course: Numbers
    route: Numbers


class Choices(NamedTuple):
    """Rows for every choice of what to count of every route."""

    counted: Words
    touched: Words
    route: Numbers


def offers_of_visits(
    board: Board, money: Money, train: Train, routes: Routes, budget: Budget, richest_only: bool = False
) -> Offers:
    """What a local or express train can offer by these routes; with `richest_only` it counts the richest of each.

    Raises `BudgetSpent` where that is too much to store.
    """
    is_local, place_bit = train.kind == "local", money.bit_at
    takes = ~board.is_town
    free_bit = np.where(board.is_town & is_local, place_bit, -1)
    hexes = money.segment_rows if is_local else np.zeros((len(board.segments), money.words), np.uint64)
    limit = train.counts if 0 < train.counts < train.reach else len(board.stops)
    args = (
        routes.begin,
        routes.arcs,
        board.source,
        board.target,
        np.where(takes, place_bit, -1),
        free_bit,
        hexes[board.segment],
        board.links,
        limit,
    )
    rows = len(routes.begin) - 1
    if not richest_only:
        rows = 0
        for part in budget.between_parts(len(routes.begin) - 1, COUNTED_PER_LOOK):
            rows += _count_choices(routes.begin[part.start : part.stop + 1], *args[1:])
    if rows > CHOICES_MOST or rows * (money.words + board.links.shape[1]) > WORDS_MOST:
        raise BudgetSpent
    choices = Choices(
        np.zeros((rows, money.words), np.uint64),
        np.zeros((rows, board.links.shape[1]), np.uint64),
        np.zeros(rows, np.int64),
    )
    at_once = steps_with(CHOICES_PER_LOOK, money.words + board.links.shape[1])
    chosen = np.full(len(board.stops) + 2, NOT_BEGUN, np.int64)
    route = row = 0
    while route < len(routes.begin) - 1:
        most = row + at_once
        route, row = _fill_choices(*args, choices, money.weight, richest_only, chosen, route, row, most)
        budget.spend(0)
    nowhere = np.zeros((rows, 1), np.uint64), np.zeros((rows, 1), np.int64)
    nothing = np.zeros(rows, np.int64)
    return _grouped(
        choices.counted, nothing, choices.touched, *nowhere, choices.route, budget, reduced=not richest_only
    )


def offers_of_hauls(board: Board, money: Money, hauls: Hauls, bonus: Numbers, budget: Budget) -> Offers:
    """What freight trains can offer by these ways; `bonus[a, b]` is the score for the distance between ends.

    Raises `BudgetSpent`.
    """
    place_rows = money.stop_rows
    ends = np.zeros((len(hauls.start), -(-len(board.stops) // WORD_BITS) or 1), np.uint64)
    course = np.zeros_like(hauls.course)
    if board.problem.parameters.freight_joins == "ends_meet":
        course = hauls.course
        for stops in course[:, NODES:].T:
            bit = np.uint64(1) << (stops % WORD_BITS).astype(np.uint64)
            ends[np.arange(len(stops)), stops // WORD_BITS] |= bit
    paid = hauls.course[:, PAID]
    counted = np.where(
        (paid == NONE)[:, None], place_rows[hauls.start] | place_rows[hauls.end], place_rows[paid]
    )
    bonus_of_way = np.where(paid == NONE, bonus[hauls.start, hauls.end], 0)
    route = np.arange(len(hauls.start), dtype=np.int64)
    budget.spend(0)
    return _grouped(counted, bonus_of_way, hauls.touched, ends, course, route, budget)


def only(offers: Offers, kept: Flags, budget: Budget) -> Offers:
    """Those offers that are kept, each with all its ways."""
    if kept.all():
        return offers
    sizes = np.diff(offers.first)
    ways = np.flatnonzero(np.repeat(kept, sizes))
    numbers = np.flatnonzero(kept)
    return Offers(
        in_order(offers.counted, numbers, budget),
        offers.bonus[kept],
        begins_of(sizes[kept]),
        in_order(offers.touched, ways, budget),
        in_order(offers.ends, ways, budget),
        in_order(offers.course, ways, budget),
        offers.route[ways],
    )


def _grouped(
    counted: Words,
    bonus: Numbers,
    touched: Words,
    ends: Words,
    course: Numbers,
    route: Numbers,
    budget: Budget,
    reduced: bool = True,
) -> Offers:
    """Rows as offers, each with its ways; `reduced`: with those that no other way of the offer may replace."""
    columns = [*touched.T[::-1], *ends.T[::-1], bonus, *counted.T[::-1]]
    order = _sorted([route, *columns], budget)
    counted, bonus = in_order(counted, order, budget), in_order(bonus, order, budget)
    touched, ends = in_order(touched, order, budget), in_order(ends, order, budget)
    course, route = in_order(course, order, budget), in_order(route, order, budget)
    new = np.ones(len(route), np.bool_)
    for part in budget.between_parts(len(route) - 1, ROWS_PER_LOOK):
        new[1:][part] = (counted[1:][part] != counted[:-1][part]).any(axis=1) | (
            bonus[1:][part] != bonus[:-1][part]
        )
    budget.spend(0)
    group = np.cumsum(new) - 1
    begin = np.append(np.flatnonzero(new), len(route)).astype(np.int64)
    budget.spend(0)
    kept, place = np.arange(len(route)), np.zeros(PLACE_SIZE, np.int64)
    if reduced:
        while not _keep_needed(begin, touched, course, kept, place, COMPARED_PER_LOOK):
            budget.spend(0)
        kept = kept[: place[COUNT]]
    budget.spend(0)
    first = begins_of(np.bincount(group[kept], minlength=len(begin) - 1))
    firsts = begin[:-1]
    return Offers(
        in_order(counted, firsts, budget),
        in_order(bonus, firsts, budget),
        first,
        in_order(touched, kept, budget),
        in_order(ends, kept, budget),
        in_order(course, kept, budget),
        in_order(route, kept, budget),
    )


def _sorted(columns: Sequence[Numbers | Words], budget: Budget) -> Numbers:
    """The order of rows by these columns, the last one first; many rows are sorted beside the looks at the clock."""
    order: list[Numbers] = []

    def sort() -> None:
        order.append(np.lexsort(columns) if len(columns[0]) else np.zeros(0, np.int64))

    if len(columns[0]) > SORTED_AT_ONCE:
        run_beside(sort, budget)
    else:
        sort()
    budget.spend(0)
    return order[0]


@tight
def _keep_needed(
    begin: Numbers, touched: Words, course: Numbers, kept: Numbers, place: Numbers, compared_most: int
) -> bool:
    """Add the rows of each group that no other row may replace that touches as much; false where it must be continued.

    `place`: the group and the row that come next, where the rows kept of the group begin, and how many are kept.
    """
    compared = 0
    while place[ROW] < len(touched):
        if compared >= compared_most:
            return False
        row, low, count = place[ROW], place[LOW], place[COUNT]
        if row == begin[place[GROUP] + 1]:
            place[GROUP], place[LOW] = place[GROUP] + 1, count
            continue
        place[ROW] = row + 1
        compared += 1 + count - low
        needed = True
        for other in range(low, count):
            if _covers(touched, kept[other], row) and may_replace(course, kept[other], row):
                needed = False
                break
        if needed:
            left = low
            for other in range(low, count):
                old = kept[other]
                if not (_covers(touched, row, old) and may_replace(course, row, old)):
                    kept[left] = old
                    left += 1
            kept[left] = row
            place[COUNT] = left + 1
    return True


@inner
def _covers(rows: Words, larger: int, smaller: int) -> bool:
    missing = np.uint64(0)
    for word in range(rows.shape[1]):
        missing |= rows[smaller, word] & ~rows[larger, word]
    return bool(missing == 0)


@inner
def _chosen_of(count: int, limit: int) -> int:
    """The number of ways to choose `limit` of `count`, 1 where that is all; stops counting at too many."""
    chosen = 1
    for step in range(min(limit, count - limit)):
        chosen = chosen * (count - step) // (step + 1)
        if chosen > CHOICES_MOST:
            return CHOICES_MOST + 1
    return chosen


@compiled
def _count_choices(
    begin: Numbers,
    arcs: Numbers,
    source: Numbers,
    target: Numbers,
    place_bit: Numbers,
    free_bit: Numbers,
    hexes: Words,
    links: Words,
    limit: int,
) -> int:
    total = 0
    for route in range(len(begin) - 1):
        count = 1 if place_bit[source[arcs[begin[route]]]] >= 0 else 0
        for position in range(begin[route], begin[route + 1]):
            if place_bit[target[arcs[position]]] >= 0:
                count += 1
        total += _chosen_of(count, limit)
    return total


@compiled
def _fill_choices(
    begin: Numbers,
    arcs: Numbers,
    source: Numbers,
    target: Numbers,
    place_bit: Numbers,
    free_bit: Numbers,
    hexes: Words,
    links: Words,
    limit: int,
    choices: Choices,
    weight: Numbers,
    richest_only: bool,
    chosen: Numbers,
    route: int,
    row: int,
    rows_most: int,
) -> tuple[int, int]:
    """A row for each set of `limit` places that a route visits, or of all where they are no more.

    From this route and row on, until there are so many; returns those at which to go on. `chosen`: which of the places come
    next; its first entry is `NOT_BEGUN` where the route begins.
    """
    bits, places = np.zeros(len(place_bit) + 1, np.int64), chosen[1:]
    fixed = np.zeros(choices.counted.shape[1], np.uint64)
    touched = np.zeros(links.shape[1], np.uint64)
    while route < len(begin) - 1 and row < rows_most:
        fixed[:] = 0
        touched[:] = 0
        count = 0
        for position in range(begin[route] - 1, begin[route + 1]):
            arc = arcs[max(position, begin[route])]
            stop = target[arc] if position >= begin[route] else source[arc]
            touched |= links[stop]
            if place_bit[stop] >= 0:
                later = count
                while later > 0 and weight[bits[later - 1]] < weight[place_bit[stop]]:
                    bits[later] = bits[later - 1]
                    later -= 1
                bits[later] = place_bit[stop]
                count += 1
            if free_bit[stop] >= 0:
                fixed[free_bit[stop] // 64] |= np.uint64(1) << np.uint64(free_bit[stop] % 64)
            if position >= begin[route]:
                fixed |= hexes[arc]
        size = min(limit, count)
        if chosen[0] == NOT_BEGUN:
            for place in range(size):
                places[place] = place
        chosen[0] = BEGUN
        more = True
        while more:
            if row >= rows_most:
                return route, row
            choices.counted[row] = fixed
            choices.touched[row] = touched
            choices.route[row] = route
            for place in range(size):
                bit = bits[places[place]]
                choices.counted[row, bit // 64] |= np.uint64(1) << np.uint64(bit % 64)
            row += 1
            more = not richest_only and _next_choice(places, size, count)
        chosen[0] = NOT_BEGUN
        route += 1
    return route, row


@inner
def _next_choice(chosen: Numbers, size: int, count: int) -> bool:
    """Go on to the next choice of `size` numbers below `count`; false where there is none."""
    place = size - 1
    while place >= 0 and chosen[place] == count - size + place:
        place -= 1
    if place < 0:
        return False
    chosen[place] += 1
    for later in range(place + 1, size):
        chosen[later] = chosen[later - 1] + 1
    return True
