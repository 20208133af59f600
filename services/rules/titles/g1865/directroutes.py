"""Direct routes of 1865: track from a token of a company to another city or mine that meets no city on the way (5.2-d, 4.7-g)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from services.routing.domain.problem import Segment
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import CityId, face, token_cities
from services.rules.parts.map.boardview import BoardView, view_of
from services.rules.parts.map.state import map_of
from services.rules.parts.map.ways import city_of, stop_id
from services.rules.titles.g1865.figures import present_phase
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
    view, values = view_of(data, game), present_phase(game, data).revenue
    key = ("1865.direct", start, values)
    return view.once(key, lambda: tuple(_routes_from(view, data, start, values)), of_tiles=True)


def _ways_by_stop(view: BoardView) -> dict[str, list[Segment]]:
    """The ways that begin or end at each stop."""

    def work() -> dict[str, list[Segment]]:
        found: dict[str, list[Segment]] = {}
        for ways in view.ways.values():
            for way in ways.segments:
                found.setdefault(way.a, []).append(way)
                found.setdefault(way.b, []).append(way)
        return found

    return view.once("1865.ways", work, of_tiles=True)


class _Trail(Struct, frozen=True):
    """A trail over towns, with the sides of hexes it used."""

    stops: tuple[str, ...]
    hexes: tuple[str, ...]
    used: frozenset[str] = frozenset()
    cost: int = 0
    traffic: int = 0


def _routes_from(view: BoardView, data: TitleData, start: CityId, values: str) -> Iterator[DirectRoute]:
    """Trails over towns to the first other stop; no stop and no side of a hex is visited twice. `values`: which values of stops
    count."""
    ways = _ways_by_stop(view)
    trails = [_Trail((stop_id(start),), start[:1])]
    while trails:
        trail = trails.pop()
        at = trail.stops[-1]
        for way in ways.get(at, ()):
            is_forward = way.a == at
            stop, hexes = (way.b, way.hexes) if is_forward else (way.a, way.hexes[::-1])
            if stop in trail.stops or not trail.used.isdisjoint(way.resources):
                continue
            hex_id, number = goal = city_of(stop)
            shown, longer = face(data, view.tiles, hex_id).stops[number], (*trail.hexes, *hexes[1:])
            cost, traffic = trail.cost + _cost_over(data, way.hexes), trail.traffic + shown.value(values)
            if shown.kind == TOWN:
                used = trail.used.union(way.resources)
                trails.append(_Trail((*trail.stops, stop), longer, used, cost, traffic))
            else:
                yield DirectRoute(start, goal, longer, cost, traffic)


@lru_cache(maxsize=1 << 12)
def _cost_over(data: TitleData, hexes: tuple[str, ...]) -> int:
    return sum(cost_of_side(data, *pair) for pair in pairwise(hexes))


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

    return view_of(data, game).once(("1865.routes", company, present_phase(game, data).revenue), work)


def are_joined(game: Game, data: TitleData, some: Collection[CityId], others: Collection[CityId]) -> bool:
    """Whether a direct route leads from one of these cities to one of the others. Each leads both ways, so it is enough to look
    from the fewer ones."""
    starts, goals = sorted((some, others), key=len)
    return any(route.goal in goals for start in starts for route in direct_routes(game, data, start))
