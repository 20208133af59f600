"""The deliveries of all cubes of a colour that are not dominated, proven: by one sweep over the links for all cities together.

Where too many cities are open at the same time, or there are too many states, nothing is answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from services.routing.domain.links.network import Delivery, Network
from services.routing.domain.links.plan import Roads, plan_sweep, roads_of
from services.routing.domain.links.states import Steps
from services.routing.domain.links.sweep import (
    NONE,
    Best,
    Sweep,
    empty_sweep,
    find_best,
    find_gains,
    find_states,
    links_of,
    no_best,
)

STATES_MOST = 1 << 18
TABLE_SIZE = 1 << 18
NOWHERE = -1

Ways = tuple[Delivery, ...]


def find_every(network: Network, colour: int, cities: Sequence[int]) -> list[Ways] | None:
    """For a cube of a colour in each of these cities the ways that are not dominated, most own links first; None if the network
    is too wide.

    A cube in a city of its own colour must not come back to it: where the sweep found such a way there is one more sweep."""
    found = _sweep(network, colour, cities, NOWHERE)
    for place, city in enumerate(cities):
        if found is not None and any(way.target == city for way in found[place]):
            alone = _sweep(network, colour, [city], city)
            if alone is None:
                return None
            found[place] = alone[0]
    return found


class _Swept(NamedTuple):
    sweep: Sweep
    steps: Steps
    best: Best


def _sweep(network: Network, colour: int, cities: Sequence[int], shut: int) -> list[Ways] | None:
    roads = roads_of(network, colour, cities, shut)
    steps = plan_sweep(roads, [link.is_own for link in network.links])
    if steps is None:
        return None
    swept = _swept(steps, len(cities), roads)
    if swept is None:
        return None
    direct = _direct_links(network, colour)
    return [
        _not_dominated([*_ways(network, swept, number, city), *direct.get(city, ())])
        for number, city in enumerate(cities)
    ]


def _swept(steps: Steps, sources: int, roads: Roads) -> _Swept | None:
    others_most = (len(roads.between) + 1) // 2
    sweep = empty_sweep(len(steps.kind), STATES_MOST, others_most)
    count, is_cut = find_states(sweep, steps, np.full(TABLE_SIZE, NONE, np.int32), STATES_MOST)
    if is_cut:
        return None
    find_gains(sweep, steps, count)
    best = no_best(sources, others_most)
    find_best(sweep, steps, best)
    return _Swept(sweep, steps, best)


def _direct_links(network: Network, colour: int) -> dict[int, list[Delivery]]:
    """Own links between two cities of the colour are ways on their own."""
    found: dict[int, list[Delivery]] = {}
    for number, link in enumerate(network.links):
        if link.is_own and network.colours[link.one] == network.colours[link.other] == colour:
            for city, target in ((link.one, link.other), (link.other, link.one)):
                found.setdefault(city, [Delivery(1, 0, (number,), target)])
    return found


def _ways(network: Network, swept: _Swept, source: int, city: int) -> Ways:
    """The best way of a source for each number of others' links, as far as it is allowed."""
    own_links = swept.best.own[source].tolist()
    return tuple(
        _way(network, swept, source, city, others)
        for others, own in enumerate(own_links)
        if own >= max(others, 1 + max(own_links[:others], default=NONE))
    )


def _way(network: Network, swept: _Swept, source: int, city: int, others: int) -> Delivery:
    links = np.empty(len(swept.steps.kind), np.int64)
    count = links_of(*swept, source, others, links)
    remaining, ordered = sorted(links[:count].tolist()), list[int]()
    while remaining:
        number = next(each for each in remaining if city in network.links[each][:2])
        link = network.links[number]
        city = link.other if link.one == city else link.one
        remaining.remove(number)
        ordered.append(number)
    return Delivery(count - others, others, tuple(ordered), city)


def _not_dominated(ways: list[Delivery]) -> Ways:
    kept: list[Delivery] = []
    for way in sorted(ways, key=lambda each: (-each.own, each.others)):
        if not kept or way.others < kept[-1].others:
            kept.append(way)
    return tuple(kept)
