"""Answer the questions about links, and verify each answer before it is returned."""

from __future__ import annotations

from services.routing.domain.links.deliveries import find_deliveries
from services.routing.domain.links.grid import SIDES, Grid, Laid
from services.routing.domain.links.network import Delivery, Network, NetworkLink
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

NO_COLOUR = -1


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


def solve_deliveries(problem: DeliveryProblem) -> DeliveryAnswer:
    """All deliveries that are not dominated, the best first.

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
    found: list[CubeDelivery] = []
    proven, steps = True, problem.steps
    for cube in problem.cubes:
        city, colour = number[cube.city], colours[cube.colour]
        ways = find_deliveries(network, city, colour, steps)
        proven &= ways.proven
        steps -= ways.steps
        for way in ways.ways:
            _check(delivery_fault(network, city, colour, way))
            names = tuple(links[each].id for each in way.links)
            found.append(_delivery(cube.city, cube.colour, way, names, cities[way.target].id))
    return DeliveryAnswer(tuple(sorted(found, key=lambda each: (-each.own, each.others))), proven)


def _delivery(city: str, colour: str, way: Delivery, links: tuple[str, ...], target: str) -> CubeDelivery:
    return CubeDelivery(city, colour, way.own, way.others, links, target)


def _check(fault: str) -> None:
    if fault:
        raise InvalidLinkAnswerError(fault)
