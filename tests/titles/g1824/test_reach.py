"""Connection on the map of 1824, clause by clause."""

import pytest

from services.rules.parts.map.data import map_data
from services.rules.parts.map.reach import Reach, reach, route_exists
from services.rules.parts.map.tiles import EdgeEnd
from services.rules.parts.map.track import track_of
from services.rules.titles.g1824.figures import cards_of
from tests.rules.board.boards import TokenDict, laid, title_1824

TITLE = title_1824()


def reached(tiles: str, company: str, tokens: TokenDict) -> Reach:
    """The reach of a company on these tiles."""
    return reach(track_of(TITLE, laid(tiles)), tokens, company)


def test_straight_line_is_joined() -> None:
    """Brünn and Preßburg with a straight tile between them are joined."""
    found = reached("C12:57/2 D13:9/2 E14:57/2", "MS", {("C12", 0): ("MS",)})
    assert found.stops == {("C12", 0), ("E14", 0)}


@pytest.mark.clause("1824/VII.2-i", "1824/VII.8-f")
def test_full_city_of_others_ends_the_connection() -> None:
    """A city without own token and free space is reached and not passed."""
    tiles = "C12:57/2 D13:9/2 E14:57/2 F15:9/2 G16:9/2"
    open_line = reached(tiles, "MS", {("C12", 0): ("MS",)})
    blocked = reached(tiles, "MS", {("C12", 0): ("MS",), ("E14", 0): ("BK",)})
    assert open_line.enters("F15", EdgeEnd(2))
    assert not blocked.enters("F15", EdgeEnd(2))
    assert ("E14", 0) in blocked.stops


@pytest.mark.clause("1824/VII.2-j", "1824/VII.7-g")
def test_city_with_a_free_space_is_passed() -> None:
    """Tokens of others do not block while a space is free."""
    tiles = "C12:57/2 D13:9/2 E14:14/2 F15:9/2"
    tokens: TokenDict = {("C12", 0): ("MS",), ("E14", 0): ("BK", "")}
    assert reached(tiles, "MS", tokens).enters("F15", EdgeEnd(2))
    tokens["E14", 0] = ("BK", "CL")
    assert not reached(tiles, "MS", tokens).enters("F15", EdgeEnd(2))
    tokens["E14", 0] = ("BK", "MS")
    assert reached(tiles, "MS", tokens).enters("F15", EdgeEnd(2))


@pytest.mark.clause("1824/VII.2-e", "1824/VII.8-f")
def test_no_turning_back_at_a_junction() -> None:
    """Coming in by one arm of a junction one leaves by its stem, never by the other arm."""
    # Tile 23 joins edge 0 to 3 and to 4: turned by 5 its stem is edge 5 and its arms 2 and 3.
    tiles = "D13:23/5 C12:57/2 C14:9/0 E14:57/2"
    found = reached(tiles, "MS", {("C12", 0): ("MS",)})
    assert map_data(TITLE).faces["23", 5].exits == {5, 2, 3}
    assert found.stops == {("C12", 0), ("E14", 0)}
    assert not found.enters("C14", EdgeEnd(0))
    from_the_stem = reached(tiles, "SD", {("E14", 0): ("SD",)})
    assert from_the_stem.enters("C14", EdgeEnd(0))


@pytest.mark.clause("1824/VII.2-d")
def test_loop_does_not_lead_back_over_the_same_track() -> None:
    """A loop at the end of a line does not open the arm of a junction passed on the way to it."""
    # Brünn - junction D13 (stem to E14, arms to C12 and C14) - junction E14 - ring over D15 and E16 to E14.
    tiles = "C12:57/2 D13:23/5 E14:29/2 D15:7/5 E16:7/1 C14:9/0"
    found = reached(tiles, "MS", {("C12", 0): ("MS",)})
    assert found.enters("D15", EdgeEnd(0))
    assert found.enters("E16", EdgeEnd(1))
    assert not found.enters("C14", EdgeEnd(0))
    from_the_ring = reached("D13:23/5 E14:29/2 D15:5/5 E16:7/1 C14:9/0", "SD", {("D15", 0): ("SD",)})
    assert from_the_ring.enters("C14", EdgeEnd(0))


@pytest.mark.clause("1824/VII.2-g")
def test_red_areas_and_mines_are_ends() -> None:
    """A red area or a mine is reached over each of its arrows and not passed."""
    bukarest = reached("G26:14/1", "SB", {("G26", 0): ("SB", "")})
    assert bukarest.stops == {("G26", 0), ("G28", 0), ("H27", 0)}
    mailand = reached("H3:57/1", "SD3", {("H3", 0): ("SD3",)})
    assert ("H1", 0) in mailand.stops
    assert not mailand.enters("G2", EdgeEnd(0))
    mine = reached("B5:5/5", "BK", {("B5", 0): ("BK",)})
    assert ("C6", 0) in mine.stops
    assert not mine.enters("B7", EdgeEnd(0))


@pytest.mark.clause("1824/VII.6-e")
def test_mine_has_two_exits() -> None:
    """A coal company without any tile reaches the two hexes its mine's arrows point to."""
    exits = {"EPP": {"B5", "B7"}, "EOD": {"A10", "B13"}, "MLB": {"A20", "B23"}, "SPB": {"H23", "G26"}}
    for company, hexes in exits.items():
        home = cards_of(TITLE)[company].home
        assert home is not None
        found = reached("", company, {(home.hex, home.stop): (company,)})
        assert {hex_id for hex_id, _ in found.sides()} == hexes | {home.hex}


def test_lanes_of_sarajevo_are_separate_track() -> None:
    """From Sarajevo each of the six ways in is reached, those of J11 and J15 over lanes of their own."""
    found = reached("", "BH", {("J13", 0): ("BH",)})
    assert {(hex_id, edge) for hex_id, edge in found.sides() if hex_id.startswith("I")} == {
        ("I10", 5),
        ("I12", 0),
        ("I12", 5),
        ("I14", 0),
        ("I14", 5),
        ("I16", 0),
    }


def test_city_without_track_reaches_only_its_own_hex() -> None:
    """The token of a home without a tile opens all sides of its hex and nothing else."""
    found = reached("", "MS", {("C12", 0): ("MS",)})
    assert found.sides() == {("C12", edge) for edge in range(6)}


def test_connected_cities_and_routes() -> None:
    """Two joined cities: the other one can take a token, and there is a route; one city alone has none."""
    track = track_of(TITLE, laid("C12:57/2 D13:9/2 E14:57/2"))
    tokens: TokenDict = {("C12", 0): ("MS",)}
    found = reach(track, tokens, "MS")
    assert found.stops.difference(found.starts) == {("E14", 0)}
    assert route_exists(track, tokens, "MS")
    assert route_exists(track, {**tokens, ("E14", 0): ("MS",)}, "MS")
    assert not route_exists(track_of(TITLE, laid("C12:57/2")), tokens, "MS")
