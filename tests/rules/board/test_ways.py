"""Ways kept up tile by tile, and route problems that leave out what no run could use."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from services.routing.domain.problem import RouteProblem
from services.routing.domain.solver import solve
from services.routing.domain.validation import validate_problem
from services.rules.parts.map.board import LaidTile
from services.rules.parts.map.boardview import BoardView, TilesView, board_view
from services.rules.parts.map.data import map_data
from services.rules.parts.map.track import track_of, with_tile
from services.rules.parts.map.ways import renewed, stop_id, ways_of
from services.rules.parts.trains.routes import network_of, route_problem, stop_of
from tests.rules.board.boards import RECORDED_1824, TileDict, laid, recorded_map, recorded_steps, title_1824

TITLE = title_1824()
HEXES = sorted(hex_id for hex_id, printed in map_data(TITLE).hexes.items() if printed.face.colour == "white")
FACES = sorted(map_data(TITLE).faces)


@pytest.mark.parametrize("game", RECORDED_1824)
def test_ways_kept_up_are_those_worked_out_anew(shared: Path, game: str) -> None:
    """Through a whole recorded game, ways renewed tile by tile equal those of the map worked out from nothing."""
    title, steps = recorded_steps(shared, game)
    tiles: TileDict = {}
    track = track_of(title, tiles)
    ways = ways_of(track)
    lays = 0
    for _, after in steps:
        now, _ = recorded_map(after)
        changed = {hex_id for hex_id, tile in now.items() if tiles.get(hex_id) != tile}
        for hex_id in changed:
            track = with_tile(track, title, tiles, hex_id, now[hex_id])
            tiles = tiles | {hex_id: now[hex_id]}
            lays += 1
        if changed:
            ways = renewed(ways, track, changed)
            assert ways == ways_of(track_of(title, tiles)), after.get("n")
    assert lays > 40


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(HEXES), st.sampled_from(FACES)), min_size=1, max_size=14),
    st.integers(1, 5),
)
def test_any_tiles_in_any_order(lays: list[tuple[str, tuple[str, int]]], asked_every: int) -> None:
    """Whatever is laid, and however rarely ways are asked for, they equal those of the map worked out from nothing."""
    tiles: TileDict = {}
    view = TilesView(TITLE, tiles, track_of(TITLE, tiles))
    for number, (hex_id, (tile, rotation)) in enumerate(lays):
        piece = LaidTile(tile, rotation, 0)
        tiles = tiles | {hex_id: piece}
        view = view.with_tile(hex_id, piece, tiles)
        if number % asked_every == 0:
            assert view.ways == ways_of(track_of(TITLE, tiles))
    assert view.ways == ways_of(track_of(TITLE, tiles))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(HEXES), st.sampled_from(FACES)), min_size=1, max_size=14))
def test_ways_over_given_hexes_are_those_of_the_whole_map(lays: list[tuple[str, tuple[str, int]]]) -> None:
    """Over the hexes of any way there are the ways that the whole map has there, and no others to another stop."""
    tiles: TileDict = {hex_id: LaidTile(tile, rotation, 0) for hex_id, (tile, rotation) in lays}
    view = board_view(TITLE, tiles, {})
    for hexes, ways in network_of(TITLE, tiles).by_hexes.items():
        over = view.ways_over(hexes)
        assert {way for way in over if way.a != way.b} == set(ways)


@pytest.mark.clause("1824/VII.2-d")
def test_no_way_goes_over_a_side_twice() -> None:
    """A loop at the end of a line does not turn a way round, back over the track on which it came."""
    # Brünn - junction D13 (stem to E14, arms to C12 and C14) - junction E14 - ring over D15 and E16 to E14.
    view = board_view(TITLE, laid("C12:57/2 D13:23/5 E14:29/2 D15:7/5 E16:7/1 C14:57/0"), {})
    assert view.ways_over(("C12", "D13", "E14", "D15", "E16", "E14", "D13", "C14")) == ()


@pytest.mark.parametrize("hexes", [(), ("C12",), ("C12", "Z99"), ("C12", "E14"), ("C12", "D13") * 1000])
def test_no_way_over_hexes_that_make_none(hexes: tuple[str, ...]) -> None:
    """Too few hexes, unknown ones, ones that do not touch and more than the map has sides are no way."""
    assert board_view(TITLE, laid("C12:57/2 D13:9/2 E14:57/2"), {}).ways_over(hexes) == ()


def everything(view: BoardView, problem: RouteProblem, phase: str) -> RouteProblem:
    """The same question with every stop that is reached and every way between these."""
    cities = sorted(view.reach(problem.company).stops)
    stops = tuple(stop_of(view.data, view.tiles, view.tokens, city, phase, "cities") for city in cities)
    known = {stop.id for stop in stops}
    ways = network_of(view.data, view.tiles).segments
    return RouteProblem(
        company=problem.company,
        stops=stops,
        segments=tuple(way for way in ways if {way.a, way.b} <= known),
        trains=problem.trains,
        token_stops=problem.token_stops,
        parameters=problem.parameters,
    )


def runs_of(shared: Path, game: str, every: int) -> Iterator[tuple[BoardView, str, tuple[Any, ...], str]]:
    """The maps on which trains ran: view, company, trains and phase of every so many turns."""
    title, steps = recorded_steps(shared, game)
    turns = 0
    for before, after in steps:
        action = after.get("action", {})
        if action.get("type") == "run_routes" and action["routes"]:
            turns += 1
            if turns % every == 0:
                trains = tuple(
                    (route["train"], route["train"].partition("-")[0]) for route in action["routes"]
                )
                yield board_view(title, *recorded_map(before)), action["entity"], trains, before["phase"]


@pytest.mark.parametrize("game", RECORDED_1824)
def test_what_is_left_out_changes_no_answer(shared: Path, game: str) -> None:
    """The best runs earn the same, with and without the ways and stops that no run could use."""
    left_out = 0
    for view, company, trains, phase in runs_of(shared, game, 12):
        problem = route_problem(view, company, trains, phase)
        whole = everything(view, problem, phase)
        left_out += len(whole.segments) - len(problem.segments)
        small, large = solve(problem), solve(whole)
        assert small.proven and large.proven
        assert (small.revenue, small.treasury_income) == (large.revenue, large.treasury_income)
    assert left_out > 0


@pytest.mark.parametrize("game", RECORDED_1824)
def test_problems_hold_nothing_of_no_use(shared: Path, game: str) -> None:
    """Every stop is joined or holds a token; no way joins a place to itself; goods stops are there for goods trains only."""
    for view, company, trains, phase in runs_of(shared, game, 3):
        problem = route_problem(view, company, trains, phase)
        validate_problem(problem)
        place = {stop.id: stop.place for stop in problem.stops}
        joined = {end for way in problem.segments for end in (way.a, way.b)}
        assert joined <= place.keys() <= joined | set(problem.token_stops)
        assert all(place[way.a] != place[way.b] for way in problem.segments)
        if all(train.kind == "normal" for train in problem.trains):
            assert all(stop.kind != "mine" for stop in problem.stops)


def test_a_way_between_two_full_cities_of_others_is_left_out() -> None:
    """A way that both its ends can only end needs a token at one of them; no run uses it otherwise."""
    tiles = laid("C12:57/2 D13:9/2 E14:57/2 F15:9/2 G16:57/2")
    blocked = {("C12", 0): ("MS",), ("E14", 0): ("BK",), ("G16", 0): ("UG",)}
    for company, expected in (("MS", ["C12.0"]), ("BK", ["C12.0", "E14.0"])):
        problem = route_problem(board_view(TITLE, tiles, blocked), company, (("3-0", "3"),), "2")
        assert [way.a for way in problem.segments] == expected
    assert [stop_id(city) for city in sorted(board_view(TITLE, tiles, blocked).reach("MS").stops)] == [
        "C12.0",
        "E14.0",
    ]
