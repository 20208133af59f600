"""The rules of track and of deliveries in their simplest form, independent of the searches, so that each checks the other."""

from __future__ import annotations

from itertools import pairwise

from services.routing.domain.links.grid import SIDES, Grid, Laid, opposite
from services.routing.domain.links.network import Delivery, Network
from services.routing.domain.links.track import TrackPath


def track_fault(grid: Grid, laid: Laid, path: TrackPath) -> str:
    """Why a path is no track from city to city, or does not cost what it says; empty where it is and does."""
    hexes = path.hexes
    if not hexes[1:-1] or len(set(hexes)) < len(hexes):
        return "it does not come through different hexes"
    if not {hexes[0], hexes[-1]} <= grid.cities or set(hexes[1:-1]) & grid.cities:
        return "it does not go from city to city without another between"
    if {hexes[0], hexes[-1]} & laid.shut:
        return "no more links can end in a city"
    if set(hexes[1:-1]) & laid.full:
        return "a hex has no room"
    sides = [side_between(grid, one, other) for one, other in pairwise(hexes)]
    if -1 in sides:
        return "two hexes are not side by side"
    if any(one * SIDES + side in laid.closed for one, side in zip(hexes, sides, strict=False)):
        return "a side is closed"
    for came, goes in pairwise(sides):
        turn = abs(opposite(came) - goes)
        if min(turn, SIDES - turn) <= 1:
            return "it turns too sharply"
    cost = sum(grid.hex_cost[each] + laid.more.get(each, 0) for each in hexes[1:-1])
    cost += sum(grid.side_cost[one * SIDES + side] for one, side in zip(hexes, sides, strict=False))
    return "" if cost == path.cost else f"it costs {cost}, not {path.cost}"


def side_between(grid: Grid, one: int, other: int) -> int:
    """The side of a hex beyond which the other lies; -1 where it does not."""
    beside = grid.beside[one * SIDES : one * SIDES + SIDES]
    return beside.index(other) if other in beside else -1


def delivery_fault(network: Network, city: int, colour: int, way: Delivery) -> str:
    """Why a way is no delivery of a cube of `colour` from `city`, or not as it says; empty where it is."""
    cities = [city]
    for number in way.links:
        link = network.links[number]
        if cities[-1] not in (link.one, link.other):
            return "its links do not lead on"
        cities.append(link.other if link.one == cities[-1] else link.one)
    if len(set(cities)) < len(cities) or not way.links:
        return "it comes to a city twice, or nowhere"
    if [network.colours[each] == colour for each in cities[1:]] != [False] * (len(way.links) - 1) + [True]:
        return "it does not end in the first city of its colour"
    own = sum(network.links[number].is_own for number in way.links)
    others = len(way.links) - own
    if not network.links[way.links[0]].is_own or own < others:
        return "it has too few own links"
    if (own, others, cities[-1]) != (way.own, way.others, way.target):
        return "its counts are others"
    return ""
