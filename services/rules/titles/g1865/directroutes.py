"""Direct routes of 1865: track from a token of a company to another city or mine that meets no city on the way (5.2-d, 4.7-g)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from msgspec import Struct

from services.routing.domain.problem import Segment
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import CityId, face, stop_value, token_cities
from services.rules.parts.map.boardview import BoardView, view_of
from services.rules.parts.map.state import map_of
from services.rules.parts.map.ways import city_of, stop_id
from services.rules.parts.trains.state import phase_of
from services.rules.titles.g1865.hexsides import cost_of_side

TOWN = "town"


class DirectRoute(Struct, frozen=True):
    """A direct route between two cities or mines over `hexes`. `cost`: what a token along it costs, the sum over the hexsides
    crossed (5.2-e); `traffic`: what it brings, from the towns on the way and from the goal (5.2-f)."""

    start: CityId
    goal: CityId
    hexes: tuple[str, ...]
    cost: int
    traffic: int


RoutesByGoal = Mapping[CityId, tuple[DirectRoute, ...]]


def direct_routes(game: Game, data: TitleData, start: CityId) -> tuple[DirectRoute, ...]:
    """All direct routes from a city or mine, to whatever city or mine they lead."""
    view, phase = view_of(data, game), phase_of(game)
    key = ("1865.direct", start, phase)
    return view.once(key, lambda: tuple(_routes_from(view, data, start, phase)), of_tiles=True)


def _leading_from(view: BoardView) -> dict[str, list[tuple[str, Segment, tuple[str, ...]]]]:
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


def _routes_from(view: BoardView, data: TitleData, start: CityId, phase: str) -> Iterator[DirectRoute]:
    """Trails over towns to the first other stop; no stop and no side of a hex is met twice."""
    ways, begin = _leading_from(view), stop_id(start)
    trails = [_Trail(begin, start[:1], (begin,), frozenset())]
    while trails:
        trail = trails.pop()
        for stop, way, hexes in ways.get(trail.stop, ()):
            if stop in trail.stops or not trail.used.isdisjoint(way.resources):
                continue
            longer, stops = (*trail.hexes, *hexes[1:]), (*trail.stops, stop)
            hex_id, number = goal = city_of(stop)
            if face(data, view.tiles, hex_id).stops[number].kind == TOWN:
                trails.append(_Trail(stop, longer, stops, trail.used.union(way.resources)))
            else:
                cost = sum(cost_of_side(data, *pair) for pair in pairwise(longer))
                traffic = sum(stop_value(data, view.tiles, *city_of(each), phase) for each in stops[1:])
                yield DirectRoute(start, goal, longer, cost, traffic)


def routes_of(game: Game, data: TitleData, company: str) -> RoutesByGoal:
    """The direct routes from the tokens of the company, by the cities and mines to which they lead: of those over the same
    hexes the one that brings most; the cheapest first, of equal ones that which brings more (5.2-g)."""

    def work() -> RoutesByGoal:
        starts = token_cities(map_of(game).tokens, company)
        every = (route for start in starts for route in direct_routes(game, data, start))
        found: dict[CityId, dict[tuple[str, ...], DirectRoute]] = {}
        for route in sorted(every, key=lambda each: (each.goal, each.cost, -each.traffic, each.hexes)):
            found.setdefault(route.goal, {}).setdefault(route.hexes, route)
        return {goal: tuple(by_hexes.values()) for goal, by_hexes in found.items()}

    return view_of(data, game).once(("1865.routes", company, phase_of(game)), work)


def are_joined(game: Game, data: TitleData, first: CityId, second: CityId) -> bool:
    """Whether a direct route leads from one to the other."""
    return any(route.goal == second for route in direct_routes(game, data, first))
