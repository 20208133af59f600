"""Direct routes of 1865: track from a token of a company to another city or mine that meets no city on the way (5.2-d, 4.7-g)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from services.routing.domain.problem import Segment
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import CityId, face, token_cities
from services.rules.parts.map.boardview import BoardView, view_of
from services.rules.parts.map.state import map_of
from services.rules.parts.map.ways import city_of
from services.rules.titles.g1865.hexsides import cost_of_side
from services.rules.titles.g1865.traffic import traffic_at

TOWN = "town"


class DirectRoute(Struct, frozen=True):
    """A direct route between two cities or mines over `hexes`. `towns` are those on the way."""

    start: CityId
    goal: CityId
    hexes: tuple[str, ...]
    towns: tuple[CityId, ...]


def direct_routes(game: Game, data: TitleData, start: CityId) -> tuple[DirectRoute, ...]:
    """All direct routes from a city or mine, to whatever city or mine they lead."""
    view = view_of(data, game)
    return view.once(("1865.direct", start), lambda: tuple(_routes_from(view, data, start)), of_tiles=True)


def _leading_from(view: BoardView, data: TitleData) -> dict[str, list[tuple[str, Segment, tuple[str, ...]]]]:
    """By stop: where each way leads, and its hexes from there on."""

    def work() -> dict[str, list[tuple[str, Segment, tuple[str, ...]]]]:
        found: dict[str, list[tuple[str, Segment, tuple[str, ...]]]] = {}
        for ways in view.ways.values():
            for way in ways.segments:
                found.setdefault(way.a, []).append((way.b, way, way.hexes))
                found.setdefault(way.b, []).append((way.a, way, way.hexes[::-1]))
        return found

    return view.once("1865.ways", work, of_tiles=True)


class _Trail(Struct, frozen=True):
    stop: str
    hexes: tuple[str, ...]
    stops: tuple[str, ...]
    used: frozenset[str]


def _routes_from(view: BoardView, data: TitleData, start: CityId) -> Iterator[DirectRoute]:
    """Trails over towns to the first other stop; no stop and no side of a hex is met twice."""
    ways, begin = _leading_from(view, data), f"{start[0]}.{start[1]}"
    trails = [_Trail(begin, start[:1], (begin,), frozenset())]
    while trails:
        trail = trails.pop()
        for stop, way, hexes in ways.get(trail.stop, ()):
            if stop in trail.stops or not trail.used.isdisjoint(way.resources):
                continue
            longer = (*trail.hexes, *hexes[1:])
            hex_id, number = city_of(stop)
            if face(data, view.tiles, hex_id).stops[number].kind == TOWN:
                used = trail.used.union(way.resources)
                trails.append(_Trail(stop, longer, (*trail.stops, stop), used))
            else:
                towns = tuple(map(city_of, trail.stops[1:]))
                yield DirectRoute(start, (hex_id, number), longer, towns)


def routes_to(game: Game, data: TitleData, company: str, goal: CityId) -> tuple[DirectRoute, ...]:
    """All direct routes from a token of the company to this city or mine."""
    return tuple(
        route
        for start in token_cities(map_of(game).tokens, company)
        for route in direct_routes(game, data, start)
        if route.goal == goal
    )


def goals_of(game: Game, data: TitleData, company: str) -> tuple[CityId, ...]:
    """The cities and mines to which a direct route leads from a token of the company, by hex."""
    starts = token_cities(map_of(game).tokens, company)
    found = {route.goal for start in starts for route in direct_routes(game, data, start)}
    return tuple(sorted(found))


def are_joined(game: Game, data: TitleData, first: CityId, second: CityId) -> bool:
    """Whether a direct route leads from one to the other."""
    return any(route.goal == second for route in direct_routes(game, data, first))


def cost_of(data: TitleData, route: DirectRoute) -> int:
    """What a token along the route costs: the sum over the hexsides crossed (5.2-e)."""
    return sum(cost_of_side(data, *pair) for pair in zip(route.hexes, route.hexes[1:], strict=False))


def traffic_along(game: Game, data: TitleData, route: DirectRoute) -> int:
    """What a token along the route brings: the traffic of its towns and of its goal (5.2-f)."""
    return sum(traffic_at(game, data, stop) for stop in (*route.towns, route.goal))


def routes_to_choose(game: Game, data: TitleData, company: str, goal: CityId) -> tuple[DirectRoute, ...]:
    """The direct routes among which a president chooses, one for each way over the hexes, that which brings most; the cheapest
    first, of equal ones that which brings more (5.2-g)."""

    def by_cost(route: DirectRoute) -> tuple[int, int, tuple[str, ...]]:
        return cost_of(data, route), -traffic_along(game, data, route), route.hexes

    found: dict[tuple[str, ...], DirectRoute] = {}
    for route in sorted(routes_to(game, data, company, goal), key=by_cost):
        found.setdefault(route.hexes, route)
    return tuple(found.values())
