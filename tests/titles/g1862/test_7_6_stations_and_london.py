"""Small stations (7.6.4) and terminals in London (7.6.5)."""

import pytest

from services.rules.parts.map.board import LaidTile
from services.rules.parts.map.commands import LayTile, PlaceToken
from services.rules.parts.map.data import map_data
from services.rules.parts.map.state import map_of
from services.rules.titles.g1862.operating.building import BUILD
from services.rules.titles.g1862.operating.stations import PLACE
from services.rules.titles.g1862.state import own
from tests.positions.map import laid_tiles
from tests.positions.rounds import taken_actions
from tests.titles.g1862.reading import added_stations
from tests.titles.g1862.trackboard import DATA, PEER, yard

# SVR with a line from Sudbury over Witham into London.
LONDON_LINE = "D11:57/0 D13:57/0"


@pytest.mark.clause("1862/7.6.4-a")
def test_small_station_goes_anywhere_on_the_map() -> None:
    """SVR, without a route beyond Sudbury, adds a station at N Walsham; the piece there stays and no tile is used."""
    here = yard("SVR", "D11:57/0 G4:20_1/0", phase="B")
    events = here.act(BUILD, here.lay("G4", "20_2", 0))
    assert laid_tiles(events) == [("SVR", "G4", "20_2", 0)]
    assert added_stations(events) == [("G4", LaidTile("20_1", 0, 0))]
    assert taken_actions(events) == ["small_station"]
    assert own(here.game).beneath["G4"].tile == "20_1"


@pytest.mark.clause("1862/7.6.4-a")
def test_small_station_leaves_the_track_as_it_is() -> None:
    """A version with other track between the same sides is refused; the peer's ruling lets bare track be joined otherwise."""
    tiles = "D11:57/0 F9:779_1a/3"
    here = yard("SVR", tiles, phase="D")
    kept, other = here.lay("F9", "779_2b", 3), here.lay("F9", "779_2c", 2)
    assert here.refusal(BUILD, kept) == ("", "")
    assert here.refusal(BUILD, other) == ("1862.station_not_possible", "1862/7.6.4-b")
    peer = yard("SVR", tiles, phase="D", rulings=PEER)
    assert peer.refusal(BUILD, kept) == ("", "")
    assert peer.refusal(BUILD, other) == ("", "")
    listed = {(each.hex, each.tile) for each in here.offered(BUILD) if isinstance(each, LayTile)}
    assert ("F9", "779_2c") not in listed
    assert {tile for hex_id, tile in listed if hex_id == "F9"} == {"779_2a", "779_2b"}


@pytest.mark.clause("1862/7.6.2-c")
def test_yellow_tiles_take_no_further_station() -> None:
    """A yellow tile has its one station; further ones come once it is green."""
    here = yard("SVR", "D11:57/0 G4:8852/0", phase="B")
    assert here.refusal(BUILD, here.lay("G4", "8852", 0)) == ("1862.station_not_possible", "1862/7.6.2-c")
    assert here.refusal(BUILD, here.lay("G4", "8851", 0)) == ("tile_colour", "1862/7.6.3-b")


@pytest.mark.clause("1862/7.6.4-b")
def test_one_station_on_each_segment_and_one_at_a_time() -> None:
    """The same tile again, a tile with the station moved, and one with two more are all refused."""
    here = yard("SVR", "D11:57/0 G4:20_1/0 D7:798_1/0", phase="D")
    for hex_id, tile, rotation in (
        ("G4", "20_1", 0),
        ("G4", "20_1b", 0),
        ("D7", "798_3", 0),
        ("D7", "798_1", 1),
    ):
        assert here.refusal(BUILD, here.lay(hex_id, tile, rotation)) == (
            "1862.station_not_possible",
            "1862/7.6.4-b",
        )


def test_a_station_for_which_no_piece_is_left_is_refused() -> None:
    """Where kinds of tile do not share their pieces, the third of two is refused, and not listed either."""
    here = yard("SVR", "D11:57/0 G4:16_2/0 D7:16_2/0 G6:16_1a/0", phase="B", rulings=PEER)
    assert here.refusal(BUILD, here.lay("G6", "16_2", 0))[0] == "tile_exhausted"
    assert all(each.hex != "G6" for each in here.offered(BUILD) if isinstance(each, LayTile))


@pytest.mark.clause("1862/7.6.4-c")
def test_two_stations_on_green_and_three_on_brown() -> None:
    """A green hex is full with two stations, a brown one with three; until then one may be added."""
    here = yard("SVR", "D11:57/0 G4:20_2/0 D7:798_2/0 G6:798_3/0", phase="D")
    assert here.refusal(BUILD, here.lay("G4", "20_2", 0)) == ("1862.station_not_possible", "1862/7.6.4-c")
    assert here.refusal(BUILD, here.lay("G6", "798_3", 0)) == ("1862.station_not_possible", "1862/7.6.4-c")
    assert here.refusal(BUILD, here.lay("D7", "798_3", 0)) == ("", "")
    listed = [each for each in here.offered(BUILD) if isinstance(each, LayTile) and each.hex != "D7"]
    assert {each.hex for each in listed}.isdisjoint({"G4", "G6"})
    most = {"green": 2, "brown": 3}
    for tile in map_data(DATA).tiles.values():
        if tile.base:
            assert len(tile.face.stops) <= most[tile.face.colour]


@pytest.mark.clause("1862/7.6.4-b")
def test_numbers_of_station_versions_follow_the_map() -> None:
    """A number in use is refused, a free one is taken as named, and without a number the lowest free one."""
    here = yard("SVR", "D11:57/0 G4:20_1/0 D7:20_1/0 F9:20_2/0", phase="B")
    assert here.refusal(BUILD, LayTile("SVR", "G4", "20_2", 0, 0)) == ("tile_exhausted", "1862/2.3-e")
    named = yard("SVR", "D11:57/0 G4:20_1/0", phase="B")
    named.act(BUILD, LayTile("SVR", "G4", "20_2", 0, 3))
    assert map_of(named.game).tiles["G4"].copy == 3
    here.act(BUILD, here.lay("G4", "20_2", 0))
    assert map_of(here.game).tiles["G4"].copy == 1
    assert here.refusal(BUILD, LayTile("SVR", "D7", "20_2", 7)) == ("tile_already_laid", "1862/7.6-a")


def test_station_in_an_impossible_rotation_is_refused() -> None:
    """A rotation beyond the six is no rotation."""
    here = yard("SVR", "D11:57/0 G4:20_1/0", phase="B")
    assert here.refusal(BUILD, here.lay("G4", "20_2", 6))[0] == "value_out_of_range"


@pytest.mark.clause("1862/7.6.5-a")
def test_terminal_instead_of_track() -> None:
    """SVR, with a line into London and nothing built, puts a token into any free slot there; without the line it may not."""
    here = yard("SVR", LONDON_LINE)
    assert set(here.offered(PLACE, PlaceToken)) >= {PlaceToken("SVR", "B15", 1), PlaceToken("SVR", "D15", 1)}
    here.act(PLACE, PlaceToken("SVR", "D15", 1))
    assert map_of(here.game).tokens["D15", 1] == ("SVR", "")
    assert map_of(here.game).placements[-1] == ("D15", "SVR")
    far = yard("SVR", "D11:57/0")
    assert far.refusal(PLACE, PlaceToken("SVR", "D15", 1)) == ("token_not_connected", "1862/7.6.5-a")


@pytest.mark.clause("1862/7.6.5-b")
def test_four_terminals_and_no_more() -> None:
    """With all four slots taken nobody else gets a terminal; with one left SVR does."""
    three = {("D11", 0): ("SVR",), ("B15", 1): ("ECR", "N&E"), ("D15", 1): ("", "NGC")}
    here = yard("SVR", LONDON_LINE, three)
    assert here.refusal(PLACE, PlaceToken("SVR", "B15", 1)) == ("token_slot_taken", "1862/7.6.5-b")
    assert here.refusal(PLACE, PlaceToken("SVR", "D15", 1)) == ("", "")
    full = yard("SVR", LONDON_LINE, {**three, ("D15", 1): ("EUR", "NGC")})
    for hex_id in ("B15", "D15"):
        assert full.refusal(PLACE, PlaceToken("SVR", hex_id, 1)) == ("token_slot_taken", "1862/7.6.5-b")


@pytest.mark.clause("1862/7.6.5-c")
def test_terminal_excludes_track_and_other_tokens() -> None:
    """Neither after a tile nor after a small station is there a terminal; and after it the turn has no token left."""
    for first in (("D9", "621", 0), ("G4", "20_2", 0)):
        here = yard("SVR", LONDON_LINE + " G4:20_1/0", phase="B")
        here.act(BUILD, here.lay(*first))
        assert here.refusal(PLACE, PlaceToken("SVR", "D15", 1)) == ("1862.london_terminal", "1862/7.6.5-c")
    here = yard("SVR", LONDON_LINE)
    here.act(PLACE, PlaceToken("SVR", "D15", 1))
    assert not here.waits(PLACE)
    assert here.refusal(PLACE, PlaceToken("SVR", "D13", 0)) == ("no_token_left", "1862/7.7-a")


@pytest.mark.clause("1862/7.6.5-d")
def test_one_terminal_for_each_company() -> None:
    """SVR has its terminal in one city of London and gets none in the other."""
    here = yard("SVR", LONDON_LINE, {("D11", 0): ("SVR",), ("B15", 1): ("SVR", "")})
    assert here.refusal(PLACE, PlaceToken("SVR", "D15", 1)) == ("1862.london_terminal", "1862/7.6.5-d")
    assert here.offered(PLACE, PlaceToken) == [PlaceToken("SVR", "D13", 0)]
