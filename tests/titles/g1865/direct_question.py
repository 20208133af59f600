"""A position of 1865 as a question to routing: which direct routes a railway has, and what its trains cover."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from msgspec.structs import replace

from services.routing.domain.problem import Parameters, RouteProblem, Segment, Stop, Train
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import CityId, face, token_cities
from services.rules.parts.map.boardview import view_of
from services.rules.parts.map.data import map_data, side_between
from services.rules.parts.map.state import map_of
from services.rules.parts.map.ways import stop_id
from services.rules.parts.trains.state import owned_by
from services.rules.titles.g1865.figures import figures_of, kind_of
from services.rules.titles.g1865.state import maritime_of, traffic_of


def direct_problem(game: Game, data: TitleData, company: str, goals: Iterable[CityId] = ()) -> RouteProblem:
    """The problem of a railway, with all track on the map."""
    ways = {way.id: way for of_stop in view_of(data, game).ways.values() for way in of_stop.segments}
    figures = figures_of(data)
    return RouteProblem(
        company=company,
        stops=tuple(_stops(game, data)),
        segments=tuple(replace(way, cost=_cost(data, way)) for way in ways.values()),
        trains=tuple(
            Train(train, "normal", kind_of(data, train).coverage) for train in owned_by(game, company)
        ),
        token_stops=tuple(map(stop_id, token_cities(map_of(game).tokens, company))),
        family="direct_routes",
        parameters=Parameters(
            traffic=traffic_of(game, company),
            coverage_beside=len(maritime_of(game, company)) * figures.maritime_coverage,
            goals=tuple(map(stop_id, goals)),
        ),
    )


def _stops(game: Game, data: TitleData) -> Iterable[Stop]:
    board = map_of(game)
    for hex_id in map_data(data).hexes:
        for number, stop in enumerate(face(data, board.tiles, hex_id).stops):
            slots = board.tokens.get((hex_id, number)) or ("",) * stop.slots
            name = stop_id((hex_id, number))
            yield Stop(name, stop.kind, name, stop.value("traffic"), () if stop.kind == "town" else slots)


def _cost(data: TitleData, way: Segment) -> int:
    costs = figures_of(data).token_cost
    return sum(costs[side_between(data, *pair) or "plain"] for pair in pairwise(way.hexes))
