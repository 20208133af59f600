"""The steps of a sweep over the links: each decides of one link whether a way uses it, or of one city whether a way begins there.

Between two steps only the *open* cities matter, those with links before and after; each has a slot. Cities of the cube's
colour have none: a way that comes to one has ended."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

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
from services.routing.domain.narrow import narrow_order

ORDERS_TRIED = 6
NONE = -1


class Roads(NamedTuple):
    """What ways may use. `between`: the link between two cities, by city; `ending`: the link by which one ends, by city;
    `beginnings`: by city, for which sources one may begin there, and after which own link (`NONE`: there is the source)."""

    between: dict[int, dict[int, int]]
    ending: dict[int, int]
    beginnings: dict[int, list[tuple[int, int]]]


class _Row(NamedTuple):
    kind: int
    slot: int
    other: int
    link: int
    own: int
    entering: int
    leaving: int


def roads_of(network: Network, colour: int, sources: Sequence[int], shut: int) -> Roads:
    """What ways of cubes of a colour from `sources` may use that do not end in city `shut`. Of links that do the same an own
    one is better in both counts."""
    takes = [each == colour for each in network.colours]
    between: dict[int, dict[int, int]] = {city: {} for city, ends in enumerate(takes) if not ends}
    ending: dict[int, int] = {}
    number_of = {city: number for number, city in enumerate(sources)}
    beginnings: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for city, number in number_of.items():
        if not takes[city]:
            beginnings[city].append((number, NONE))
    for number in sorted(range(len(network.links)), key=lambda each: not network.links[each].is_own):
        link = network.links[number]
        for one, other in ((link.one, link.other), (link.other, link.one)):
            if takes[one]:
                continue
            if not takes[other]:
                between[one].setdefault(other, number)
            elif other != shut:
                ending.setdefault(one, number)
            if takes[other] and other in number_of and link.is_own:
                beginnings[one].append((number_of[other], number))
    roads = Roads(between, ending, beginnings)
    _drop_dead_ends(roads)
    return roads


def _drop_dead_ends(roads: Roads) -> None:
    """Leave out cities in which no way begins or ends, and through which none can pass."""
    waiting = [*roads.between]
    while waiting:
        city = waiting.pop()
        near = roads.between.get(city)
        if near is not None and len(near) <= 1 and city not in roads.ending and city not in roads.beginnings:
            del roads.between[city]
            for other in near:
                del roads.between[other][city]
                waiting.append(other)


def plan_sweep(roads: Roads, is_own: Sequence[bool]) -> Steps | None:
    """The steps of the sweep, city by city; None where too many cities are open at the same time."""
    order = _order(roads)
    left = {city: len(near) for city, near in roads.between.items()}
    free, slot_of = list(range(SLOTS)), dict[int, int]()
    rows: list[_Row] = []
    entering = 0
    for city in order:
        if not free:
            return None
        slot_of[city] = free.pop(0)
        entering |= (slot_of[city] + 1) << (SLOT_BITS * slot_of[city])
        for row, ended in _rows_of(city, roads, slot_of, left):
            is_used = row.link != NONE and is_own[row.link]
            leaving = sum(1 << slot_of[each] for each in ended)
            rows.append(row._replace(own=int(is_used), entering=entering, leaving=leaving))
            entering = 0
            free = sorted([*free, *(slot_of.pop(each) for each in ended)])
    return _as_steps(rows)


def _rows_of(
    city: int, roads: Roads, slot_of: dict[int, int], left: dict[int, int]
) -> Iterator[tuple[_Row, list[int]]]:
    """The steps of a city with those that are closed after each: its beginnings, its end, its links to cities before."""
    slot = slot_of[city]
    begin = [_Row(BEGIN, slot, source, link, 0, 0, 0) for source, link in roads.beginnings.get(city, ())]
    end = [_Row(END, slot, 0, roads.ending[city], 0, 0, 0)] if city in roads.ending else []
    before = sorted((other for other in roads.between[city] if other in slot_of), key=slot_of.__getitem__)
    ways = [_Row(LINK, slot, slot_of[other], roads.between[city][other], 0, 0, 0) for other in before]
    closed: list[list[int]] = [[] for _ in (*begin, *end)]
    for other in before:
        left[other] -= 1
        left[city] -= 1
        closed.append([] if left[other] else [other])
    if closed and not left[city]:
        closed[-1].append(city)
    yield from zip((*begin, *end, *ways), closed, strict=True)


def _order(roads: Roads) -> list[int]:
    """The cities in an order in which few are open at the same time."""
    cities = [*roads.between]
    if not cities:
        return []
    number = {city: place for place, city in enumerate(cities)}
    linked = np.zeros((len(cities), len(cities)), np.bool_)
    for city, near in roads.between.items():
        linked[number[city], [number[other] for other in near]] = True
    starts = np.argsort(linked.sum(axis=1), kind="stable")[:ORDERS_TRIED]
    order, _ = min((narrow_order(linked, int(start)) for start in starts), key=lambda found: found[1])
    return [cities[place] for place in order]


def _as_steps(rows: list[_Row]) -> Steps:
    """With what a way needs after each: a beginning after the last one, an end after the last."""
    needed = [0] * len(rows)
    for kind, flag in ((BEGIN, HAS_BEGUN), (END, HAS_ENDED)):
        last = max((number for number, row in enumerate(rows) if row.kind == kind), default=-1)
        for number in range(max(last, 0), len(rows)):
            needed[number] |= flag
    table = np.array([(*row, need) for row, need in zip(rows, needed, strict=True)], np.int64)
    return Steps(*np.ascontiguousarray(table.reshape(-1, len(Steps._fields)).T))
