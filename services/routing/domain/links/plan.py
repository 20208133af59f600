"""The steps of a sweep over the links: each decides of one link whether a way uses it, and whether as its first or last.

Between two steps only the *open* cities matter, those with links before and after; each has a slot. Cities of the cube's
colour have none: a way that reaches one has ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.routing.domain.kernel import inner, tight
from services.routing.domain.links.network import Network
from services.routing.domain.links.states import (
    BEGIN,
    END,
    HAS_BEGUN,
    HAS_ENDED,
    LINK,
    SLOT_BITS,
    SLOTS,
    Steps,
)
from services.routing.domain.narrow import narrow_order, narrower_order
from services.routing.domain.network import Numbers

# An order of such a cost is good enough at once; others are made narrower, in a fraction of the time of their sweeps.
CHEAP = 300.0
STARTS_MOST, STARTS_EFFORT = 8, 1_000_000
COST_OF_TRY, TRIES_MOST = 10, 50_000
NONE = -1
TOO_WIDE = -1


class Roads(NamedTuple):
    """What ways may use, by link numbers, `NONE` for none. `between`: by two cities; `ending`: by the city before the last;
    `source`: by city the number of the source that it is; `beginnings`: rows of the city after a source that takes the cube's
    colour, the number of that source, and the own link between them. `own`: 1 for own links."""

    between: Numbers
    ending: Numbers
    source: Numbers
    beginnings: Numbers
    own: Numbers


def roads_of(network: Network, colour: int, sources: Sequence[int], shut: int) -> Roads:
    """What ways of cubes of a colour from `sources` may use that do not end in city `shut`. Of links that do the same an own
    one is better in both counts."""
    takes = [each == colour for each in network.colours]
    between = np.full((len(takes), len(takes)), NONE, np.int64)
    ending, source = np.full((2, len(takes)), NONE, np.int64)
    number_of = {city: number for number, city in enumerate(sources)}
    beginnings: list[tuple[int, int, int]] = []
    # Own links last and those with small numbers, so that they stay.
    for number in sorted(range(len(network.links)), key=lambda each: (network.links[each].is_own, -each)):
        one, other, is_own = network.links[number]
        if takes[one]:
            one, other = other, one
        if takes[one]:
            continue
        if not takes[other]:
            between[one, other] = between[other, one] = number
            if is_own:
                for city in (one, other):
                    source[city] = number_of.get(city, NONE)
            continue
        if other != shut:
            ending[one] = number
        if is_own and other in number_of:
            beginnings.append((one, number_of[other], number))
    own = np.array([link.is_own for link in network.links], np.int64)
    return Roads(between, ending, source, np.array(beginnings, np.int64).reshape(-1, 3), own)


def plan_sweep(roads: Roads) -> Steps | None:
    """The steps of the sweep, city by city; None where too many cities are open at the same time."""
    order = _order(roads)
    linked = roads.between[np.ix_(order, order)] != NONE
    most = len(roads.beginnings) + len(order) + int(linked.sum()) // 2
    rows = np.zeros((len(Steps._fields), most), np.int64)
    left = np.zeros(len(roads.ending), np.int64)
    left[order] = linked.sum(axis=1)
    count = _write_steps(Steps(*rows), roads, order, left, np.full(SLOTS, NONE, np.int64))
    return None if count == TOO_WIDE else Steps(*rows[:, :count])


def _order(roads: Roads) -> Numbers:
    """The cities that matter, in an order in which few are open at the same time."""
    linked = roads.between != NONE
    with_step = roads.ending != NONE
    with_step[roads.beginnings[:, 0]] = True
    matters = with_step | (roads.source != NONE)
    while True:
        # In other cities with fewer than two links no way begins or ends, and through them none can pass.
        dead = ~matters & (linked.sum(axis=1) == 1)
        if not dead.any():
            break
        linked[dead] = False
        linked[:, dead] = False
    cities = np.flatnonzero(with_step | linked.any(axis=1))
    return cities[_narrow(linked[np.ix_(cities, cities)])] if len(cities) else cities


def _narrow(linked: NDArray[np.bool_]) -> Numbers:
    count = len(linked)
    starts = np.argsort(linked.sum(axis=1), kind="stable")[: min(STARTS_MOST, 1 + STARTS_EFFORT // count**3)]
    order, cost = narrow_order(linked, int(starts[0]))
    for start in starts[1:]:
        if cost < CHEAP:
            return order
        other, other_cost = narrow_order(linked, int(start))
        if other_cost < cost:
            order, cost = other, other_cost
    return narrower_order(linked, order, min(TRIES_MOST, int(cost) // COST_OF_TRY))


@tight
def _write_steps(steps: Steps, roads: Roads, order: Numbers, left: Numbers, city_in: Numbers) -> int:
    """Write the steps; returns how many there are, or `TOO_WIDE`. `left`: by city its links that have no step yet; `city_in`:
    the open city in each slot."""
    count = 0
    for city in order:
        slot = 0
        while slot < SLOTS and city_in[slot] != NONE:
            slot += 1
        if slot == SLOTS:
            return TOO_WIDE
        first = count
        for row in range(len(roads.beginnings)):
            if roads.beginnings[row, 0] == city:
                _write(steps, roads, count, BEGIN, slot, roads.beginnings[row, 2])
                steps.source[count] = roads.beginnings[row, 1]
                count += 1
        if roads.ending[city] != NONE:
            _write(steps, roads, count, END, slot, roads.ending[city])
            count += 1
        for other in range(SLOTS):
            if city_in[other] != NONE and roads.between[city, city_in[other]] != NONE:
                _write(steps, roads, count, LINK, slot, roads.between[city, city_in[other]])
                steps.other[count] = other
                if steps.own[count]:
                    steps.source[count] = roads.source[city]
                    steps.other_source[count] = roads.source[city_in[other]]
                left[city] -= 1
                left[city_in[other]] -= 1
                if not left[city_in[other]]:
                    steps.leaving[count] = 1 << other
                    city_in[other] = NONE
                count += 1
        if left[city]:
            city_in[slot] = city
        else:
            steps.leaving[count - 1] |= 1 << slot
        # A city without a step of its own becomes open before the next one.
        steps.entering[first] |= (slot + 1) << (SLOT_BITS * slot)
    _write_needs(steps, count)
    return count


@inner
def _write(steps: Steps, roads: Roads, step: int, kind: int, slot: int, link: int) -> None:
    steps.kind[step], steps.slot[step], steps.link[step], steps.own[step] = kind, slot, link, roads.own[link]
    steps.source[step] = steps.other_source[step] = NONE


@inner
def _write_needs(steps: Steps, count: int) -> None:
    """After the last step over which a way can begin, or end, it has done so."""
    flags = HAS_BEGUN | HAS_ENDED
    for step in range(count - 1, -1, -1):
        steps.needed[step] |= flags
        if steps.kind[step] == END:
            flags &= ~HAS_ENDED
        if steps.source[step] != NONE or steps.other_source[step] != NONE:
            flags &= ~HAS_BEGUN
        if not flags:
            return
