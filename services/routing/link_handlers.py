"""Answer the questions about links, and verify each answer before it is returned."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

from services.routing.domain.budget import Budget, BudgetSpent
from services.routing.domain.links.deliveries import find_deliveries
from services.routing.domain.links.every import TooWideError, find_every
from services.routing.domain.links.grid import SIDES, Grid, Laid
from services.routing.domain.links.network import Delivery, Network, NetworkLink, own_most
from services.routing.domain.links.problem import (
    CubeDelivery,
    DeliveryAnswer,
    DeliveryProblem,
    Track,
    TrackAnswer,
    TrackProblem,
    validate_deliveries,
    validate_track,
)
from services.routing.domain.links.track import TrackSearch
from services.routing.domain.links.verify import delivery_fault, track_fault
from services.routing.domain.solver import never_stop

NO_COLOUR = -1
# Steps of the searches for all cubes together where a sweep is not possible: a fraction of a second.
LATER_STEPS = 2_000
# A sweep takes up to some tens of MB, and all of a core.
_ONE_SWEEP = Lock()


class InvalidLinkAnswerError(Exception):
    """An answer about links failed verification. A bug; the answer must not be used."""


def solve_track(problem: TrackProblem) -> TrackAnswer:
    """The cheapest tracks between two cities.

    Raises `ProblemError` for an invalid problem and `InvalidLinkAnswerError` if an answer fails verification."""
    validate_track(problem)
    hexes = sorted(problem.hexes, key=lambda each: each.id)
    number = {each.id: place for place, each in enumerate(hexes)}
    sides = [side for each in hexes for side in each.sides]
    grid = Grid(
        beside=[number.get(side.beyond, -1) for side in sides],
        side_cost=[side.cost for side in sides],
        hex_cost=[each.cost for each in hexes],
        cities=frozenset(number[each.id] for each in hexes if each.is_city),
    )
    full = frozenset(number[each.id] for each in hexes if each.is_full)
    closed = frozenset(here for here, side in enumerate(sides) if side.is_closed)
    laid = Laid(closed, {}, full - grid.cities, full & grid.cities)
    assert len(sides) == len(hexes) * SIDES
    found = TrackSearch(grid, laid).cheapest_between(
        number[problem.start], number[problem.end], problem.count
    )
    for path in found.paths:
        _check(track_fault(grid, laid, path))
    tracks = (Track(path.cost, tuple(hexes[each].id for each in path.hexes)) for path in found.paths)
    return TrackAnswer(tuple(tracks), found.proven)


def solve_deliveries(
    problem: DeliveryProblem, should_stop: Callable[[], bool] = never_stop
) -> DeliveryAnswer:
    """All deliveries that are not dominated, the best first. `should_stop` is asked before each colour; when true the rest is
    left out, and the answer unproven.

    Raises `ProblemError` for an invalid problem and `InvalidLinkAnswerError` if an answer fails verification."""
    validate_deliveries(problem)
    cities = sorted(problem.cities, key=lambda each: each.id)
    links = sorted(problem.links, key=lambda each: each.id)
    number = {each.id: place for place, each in enumerate(cities)}
    named = sorted({each.colour for each in cities} | {cube.colour for cube in problem.cubes})
    colours = {**{colour: place for place, colour in enumerate(named)}, "": NO_COLOUR}
    network = Network(
        [colours[each.colour] for each in cities],
        [NetworkLink(number[each.one], number[each.other], each.owner == problem.company) for each in links],
    )
    places = [(number[cube.city], colours[cube.colour]) for cube in problem.cubes]
    searched = _search(network, places, problem.steps, should_stop)
    found: list[CubeDelivery] = []
    for cube, (city, colour), ways in zip(problem.cubes, places, searched.ways, strict=True):
        for way in ways:
            _check(delivery_fault(network, city, colour, way))
            names = tuple(links[each].id for each in way.links)
            found.append(_delivery(cube.city, cube.colour, way, names, cities[way.target].id))
    bounds = [own_most(network, colour) for colour in searched.unproven]
    return DeliveryAnswer(
        tuple(sorted(found, key=lambda each: (-each.own, each.others))),
        proven=not searched.unproven,
        own_most=max([*bounds, *(each.own for each in found)], default=0),
    )


class _Searched(NamedTuple):
    """The ways of each cube; `unproven`: the colours of cubes that may have others."""

    ways: list[tuple[Delivery, ...]]
    unproven: frozenset[int]


def _search(
    network: Network, cubes: list[tuple[int, int]], steps: int, should_stop: Callable[[], bool]
) -> _Searched:
    """All cubes of a colour by one sweep; where the network is too wide for that, some ways of each cube."""
    ways: dict[tuple[int, int], tuple[Delivery, ...]] = {}
    budget, unproven = Budget(steps, never_stop), {colour for _, colour in cubes}
    for colour in sorted(unproven):
        cities = [city for city, each in cubes if each == colour]
        try:
            with _ONE_SWEEP:
                if should_stop():
                    break
                every = find_every(network, colour, cities, budget)
            unproven.discard(colour)
        except (TooWideError, BudgetSpent):
            found = [
                find_deliveries(network, city, colour, max(1, LATER_STEPS // len(cubes))) for city in cities
            ]
            every = [each.ways for each in found]
            if all(each.proven for each in found):
                unproven.discard(colour)
        ways.update(zip(((city, colour) for city in cities), every, strict=True))
    return _Searched([ways.get(cube, ()) for cube in cubes], frozenset(unproven))


def _delivery(city: str, colour: str, way: Delivery, links: tuple[str, ...], target: str) -> CubeDelivery:
    return CubeDelivery(city, colour, way.own, way.others, links, target)


def _check(fault: str) -> None:
    if fault:
        raise InvalidLinkAnswerError(fault)
