"""Reach against the walk over all trails, on recorded and on random maps."""

from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from services.rules.parts.map.board import LaidTile
from services.rules.parts.map.data import map_data
from services.rules.parts.map.hexes import EDGES
from services.rules.parts.map.reach import reach
from services.rules.parts.map.track import track_of, with_tile
from tests.rules.board.boards import (
    RECORDED_1824,
    AllTrails,
    TileDict,
    TooManyTrailsError,
    laid,
    recorded_map,
    recorded_steps,
    title_1824,
)

TITLE = title_1824()
# A cluster in which every hex touches others, with cities of one and of several spaces.
CLUSTER = ("C10", "C12", "C14", "D9", "D11", "D13", "D15", "B11", "B13", "E10", "E14")
CITY_TILES = ("5", "6", "57", "14", "15", "619", "611")
TRACK_TILES = tuple(tile.id for tile in map_data(TITLE).tiles.values() if not tile.face.stops)


@st.composite
def random_maps(draw: st.DrawFn) -> tuple[TileDict, dict[tuple[str, int], tuple[str, ...]]]:
    """Tiles put anywhere in the cluster, legal or not, and tokens of two companies in its cities."""
    tiles: TileDict = {}
    tokens: dict[tuple[str, int], tuple[str, ...]] = {}
    for hex_id in CLUSTER:
        is_city = hex_id in ("C12", "E14", "D9")
        tile = draw(st.sampled_from(CITY_TILES if is_city else TRACK_TILES))
        tiles[hex_id] = LaidTile(tile, draw(st.sampled_from(EDGES)), 0)
        if is_city:
            slots = map_data(TITLE).tiles[tile].face.stops[0].slots
            tokens[hex_id, 0] = tuple(draw(st.sampled_from(("", "OWN", "OTHER"))) for _ in range(slots))
    return tiles, tokens


@settings(max_examples=300, deadline=None)
@given(random_maps())
def test_reach_finds_exactly_what_some_trail_leads_to(
    drawn: tuple[TileDict, dict[tuple[str, int], tuple[str, ...]]],
) -> None:
    """On maps full of junctions reach names the same paths and stops as walking every trail."""
    tiles, tokens = drawn
    track = track_of(TITLE, tiles)
    found = reach(track, tokens, "OWN")
    walked = AllTrails(track, tokens, "OWN", steps=10_000_000)
    assert (found.paths, found.stops) == (walked.paths, walked.stops)


@pytest.mark.parametrize("game", RECORDED_1824)
def test_reach_is_exact_on_recorded_maps(shared: Path, game: str) -> None:
    """On maps of recorded games, sampled from first to last, reach equals the walk over all trails."""
    title, steps = recorded_steps(shared, game)
    compared, size = 0, 0
    for _, after in steps:
        tiles, tokens = recorded_map(after)
        if len(tiles) < size + 6:
            continue
        size = len(tiles)
        track = track_of(title, tiles)
        for company in {symbol for slots in tokens.values() for symbol in slots if symbol}:
            try:
                walked = AllTrails(track, tokens, company)
            except TooManyTrailsError:
                continue
            found = reach(track, tokens, company)
            assert (found.paths, found.stops) == (walked.paths, walked.stops), (after["n"], company)
            compared += 1
    assert compared > 60


def test_index_kept_up_by_lay_equals_index_built_anew() -> None:
    """Changing one hex of the index gives the index of the changed map and leaves the old one alone."""
    before = laid("C12:57/1 C10:9/1 E12:499/0")
    after = {**before, "C12": LaidTile("15", 4, 0)}
    track = track_of(TITLE, before)
    assert with_tile(track, TITLE, before, "C12", after["C12"]) == track_of(TITLE, after)
    assert track == track_of(TITLE, before)
