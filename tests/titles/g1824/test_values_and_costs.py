"""What stops and terrain of the map of 1824 are worth and cost, clause by clause."""

import pytest

from services.rules.parts.map.board import stop_value, terrain_cost
from services.rules.parts.map.data import map_data
from services.rules.parts.trains.data import phases_of
from tests.rules.board.boards import laid, title_1824

TITLE = title_1824()


@pytest.mark.clause("1824/VII.10-d")
def test_values_of_red_areas() -> None:
    """Dresden, Kiew, Mailand, Bukarest and Sarajevo by phase."""
    expected = {
        "A4": (10, 20, 20, 30, 30, 40, 40),
        "A26": (10, 30, 30, 40, 40, 50, 50),
        "H1": (10, 30, 30, 50, 50, 70, 70),
        "G28": (10, 30, 30, 40, 40, 50, 50),
        "J13": (10, 10, 10, 50, 50, 50, 50),
    }
    found = {
        hex_id: tuple(stop_value(TITLE, {}, hex_id, 0, phase) for phase in phases_of(TITLE))
        for hex_id in expected
    }
    assert found == expected
    assert stop_value(TITLE, laid("C12:57/0"), "C12", 0, "2") == 20


@pytest.mark.clause("1824/VII.3-d")
def test_values_of_mines() -> None:
    """Pilsen and Oderberg 10 then 40, Lemberg and Petrosani 20 then 60, from the first 5-train on."""
    mines = {"C6": (10, 40), "A12": (10, 40), "A22": (20, 60), "H25": (20, 60)}
    for hex_id, (low, high) in mines.items():
        values = [stop_value(TITLE, {}, hex_id, 0, phase) for phase in phases_of(TITLE)]
        assert values == [low, low, low, high, high, high, high]


@pytest.mark.clause("1824/VII.6-l")
def test_terrain_is_paid_with_the_first_tile_only() -> None:
    """River 20 G, mountain 40 G, on the first tile; nothing elsewhere."""
    assert terrain_cost(TITLE, {}, "E10") == 20
    assert terrain_cost(TITLE, {}, "D19") == 40
    assert terrain_cost(TITLE, {}, "B9") == 0
    assert terrain_cost(TITLE, laid("D19:57/0"), "D19") == 0


@pytest.mark.clause("1824/VII.7-i")
def test_upgrades_cost_nothing() -> None:
    """No hex that has a tile costs anything more, whatever its terrain."""
    tiles = laid(" ".join(f"{hex_id}:57/0" for hex_id in map_data(TITLE).hexes))
    assert {terrain_cost(TITLE, tiles, hex_id) for hex_id in map_data(TITLE).hexes} == {0}
