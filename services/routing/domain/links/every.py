"""The deliveries of all cubes of a colour that are not dominated, proven: by one sweep over the links for all cities together.

Networks in which too many cities are open at the same time are too wide for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from services.routing.domain.budget import Budget
from services.routing.domain.links.network import Delivery, Network, NetworkLink, own_most
from services.routing.domain.links.plan import plan_sweep, roads_of
from services.routing.domain.links.states import Steps
from services.routing.domain.links.sweep import (
    FULL,
    NO_GAIN,
    Best,
    Gains,
    Sweep,
    empty_sweep,
    find_best,
    find_gains,
    find_states,
    no_best,
    write_ways,
)
from services.routing.domain.narrow import narrower_order

# For how many states room is made, one after the other until they suffice; powers of two.
ROOMS = (1 << 14, 1 << 17, 1 << 20)
# To plan a sweep takes as long as so many states.
PLANNING = 10_000
STATES_TO_WARM_UP = 2 * PLANNING
NOWHERE = -1

Ways = tuple[Delivery, ...]


class TooWideError(Exception):
    """More cities are open at the same time than there are slots, or more states are needed than there is room for."""


def find_every(network: Network, colour: int, cities: Sequence[int], budget: Budget) -> list[Ways]:
    """For a cube of a colour in each of these cities the ways that are not dominated, most own links first.

    A cube in a city of its own colour must not return to it: where the sweep found such a way there is one more sweep. A step
    of `budget` is a state. Raises `TooWideError` and `BudgetSpent`."""
    found = _sweep(network, colour, cities, NOWHERE, budget)
    for place, city in enumerate(cities):
        if any(way.target == city for way in found[place]):
            found[place] = _sweep(network, colour, [city], city, budget)[0]
    return found


def _sweep(network: Network, colour: int, cities: Sequence[int], shut: int, budget: Budget) -> list[Ways]:
    budget.spend(PLANNING)
    steps = plan_sweep(roads_of(network, colour, cities, shut))
    if steps is None:
        raise TooWideError
    sweep, count = _states(steps, budget)
    others_most = _others_most(network, colour)
    gains = np.full((count, others_most + 1), NO_GAIN, np.int16)
    find_gains(sweep, steps, gains)
    best = no_best(len(cities), others_most)
    find_best(sweep, gains, best)
    found = _direct_links(network, colour, cities)
    for source, way in _ways(network, cities, sweep, steps, gains, best):
        found[source].append(way)
    return [_not_dominated(ways) for ways in found]


def _others_most(network: Network, colour: int) -> int:
    """How many of others' links a way has at most: as many as own ones."""
    passed = sum(each != colour for each in network.colours)
    return min((passed + 1) // 2, own_most(network, colour))


def _states(steps: Steps, budget: Budget) -> tuple[Sweep, int]:
    """All states, and how many they are."""
    for room in ROOMS:
        sweep = empty_sweep(len(steps.kind), room)
        count = find_states(sweep, steps, np.zeros(room // 4, np.int32), min(room, max(1, budget.left)))
        if count != FULL:
            budget.spend(count)
            return sweep, count
        budget.spend(room)
    raise TooWideError


def _direct_links(network: Network, colour: int, cities: Sequence[int]) -> list[list[Delivery]]:
    """Own links to a city of the colour are ways on their own."""
    found: list[list[Delivery]] = [[] for _ in cities]
    places = {city: place for place, city in enumerate(cities)}
    for number, link in enumerate(network.links):
        for city, target in ((link.one, link.other), (link.other, link.one)):
            if link.is_own and city in places and network.colours[target] == colour:
                found[places[city]].append(Delivery(1, 0, (number,), target))
    return found


def _ways(
    network: Network, cities: Sequence[int], sweep: Sweep, steps: Steps, gains: Gains, best: Best
) -> Iterator[tuple[int, Delivery]]:
    """The best ways by the number of their source."""
    ends = np.array([link[:2] for link in network.links], np.int64).reshape(-1, 2)
    most = int((best.own >= 0).sum())
    ways, links = np.zeros((most, 4), np.int64), np.zeros((most, len(network.colours)), np.int64)
    count = write_ways(sweep, steps, gains, best, ends, np.array(cities, np.int64), ways, links)
    for way, numbers in zip(ways[:count].tolist(), links[:count].tolist(), strict=True):
        source, own, others, target = way
        yield source, Delivery(own, others, tuple(numbers[: own + others]), target)


def _not_dominated(ways: list[Delivery]) -> Ways:
    kept: list[Delivery] = []
    for way in sorted(ways, key=lambda each: (-each.own, each.others)):
        if not kept or way.others < kept[-1].others:
            kept.append(way)
    return tuple(kept)


def warm_up_sweeps() -> None:
    """Sweep over a small network, so that the kernels are compiled or loaded before the first question."""
    links = [NetworkLink(0, 1, True), NetworkLink(1, 2, False), NetworkLink(2, 3, True)]
    find_every(
        Network([NOWHERE, NOWHERE, NOWHERE, 0], links), 0, [0], Budget(STATES_TO_WARM_UP, lambda: False)
    )
    narrower_order(np.ones((2, 2), np.bool_), np.arange(2), 1)
