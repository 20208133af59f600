"""Track tiles (2.3) and which companies can be opened for their homes (3.2-d to 3.2-g)."""

import pytest

from services.rules.parts.map.board import LaidTile, city_slots, free_copies
from services.rules.parts.map.commands import PlaceToken
from services.rules.parts.map.data import map_data
from services.rules.parts.map.hexes import EDGES
from services.rules.parts.map.state import MapState, map_of
from services.rules.titles.g1862.figures import phases_of
from services.rules.titles.g1862.operating.building import BUILD
from services.rules.titles.g1862.operating.homes import can_place_home
from services.rules.titles.g1862.operating.stations import PLACE
from tests.titles.g1862.trackboard import DATA, laid, yard

# Ipswich of the figure of 3.2: yellow N tile with N&B and WVR. Witham: green tile with SVR and EUR.
FIGURE = "F11:790/1 D13:15/1 E12:790/1 D11:57/0"
TOKENS = {("F11", 0): ("N&B", "WVR"), ("D13", 0): ("SVR", "EUR")}


@pytest.mark.clause("1862/2.3-a")
def test_tiles_have_three_colours_and_either_large_or_small_stations() -> None:
    """Wherever a tile lies, tokens can go on its one large station with one to four slots, or on none of its small ones."""
    colours, slots = set(), set()
    for tile in map_data(DATA).tiles.values():
        here = yard("I&B", f"D7:{tile.id}/0")
        answers = [
            here.refusal(PLACE, PlaceToken("I&B", "D7", stop))[0] for stop in range(len(tile.face.stops))
        ]
        large = [answer for answer in answers if answer != "unknown_city"]
        assert large == [] or len(large) == len(answers) == 1, tile.id
        if large:
            slots.add(len(city_slots(DATA, map_of(here.game).tiles, {}, ("D7", 0))))
        colours.add(tile.face.colour)
    assert (colours, slots) == ({"yellow", "green", "brown"}, {1, 2, 3, 4})


@pytest.mark.clause("1862/2.3-b")
def test_tokens_go_on_large_stations_only() -> None:
    """The small station next to Bury takes no token, the large one of Sudbury does."""
    here = yard("I&B", "D9:621/0 D11:57/0 D7:8852/0")
    assert here.refusal(PLACE, PlaceToken("I&B", "D7", 0)) == ("unknown_city", "")
    assert here.refusal(PLACE, PlaceToken("I&B", "D11", 0)) == ("", "")


@pytest.mark.clause("1862/2.3-c")
def test_track_on_tiles_with_small_stations_only_crosses() -> None:
    """On no tile with small stations, or without any, do two tracks share a side or a station."""
    for tile in map_data(DATA).tiles.values():
        if any(stop.kind == "city" for stop in tile.face.stops):
            continue
        ends = [end.edge for path in tile.face.paths for end in path.edges]
        assert len(ends) == len(set(ends)), tile.id
        assert all(len(tile.face.stop_exits(stop)) == 2 for stop in range(len(tile.face.stops))), tile.id


@pytest.mark.clause("1862/2.3-d")
def test_small_station_goes_on_plain_track() -> None:
    """The second track of a green tile, bare until then, gets a station."""
    here = yard("I&B", "D9:621/0 D7:20_1/0", phase="B")
    here.act(BUILD, here.lay("D7", "20_2", 0))
    assert here.shows("D7") == ("20_2", 0)


@pytest.mark.clause("1862/2.3-e")
def test_tiles_run_out_and_come_back() -> None:
    """Two pieces of tile 201 are all there are; one replaced by an upgrade can be laid again."""
    assert map_data(DATA).tiles["201"].count == 2
    here = yard("I&B", "C4:201/0 H5:201/0")
    assert here.refusal(BUILD, here.lay("D9", "201", 0)) == ("tile_exhausted", "1862/2.3-e")
    MapState.to_write(here.game).tiles = {**map_of(here.game).tiles, "H5": LaidTile("792", 0, 0)}
    assert here.refusal(BUILD, here.lay("D9", "201", 0)) == ("", "")


@pytest.mark.clause("1862/2.3-e")
def test_station_versions_share_the_pieces_of_their_tile() -> None:
    """With both pieces of tile 16 on the map, whatever stations they show, none is left of any version."""
    tiles = laid("D7:16_1a/0 F9:16_2/0")
    for version in ("16", "16_1a", "16_1b", "16_2"):
        assert free_copies(DATA, tiles, version) == ()
    assert free_copies(DATA, laid("D7:16_1a/0"), "16_1b") == (0, 1)
    assert free_copies(DATA, laid("D7:16_1a/0"), "16_1a") == (1,)


@pytest.mark.clause("1862/3.2-d")
def test_company_with_empty_home_hex_can_be_opened() -> None:
    """Nothing lies on Beccles: WVR will place its token there."""
    assert can_place_home(yard("SVR").game, DATA, "WVR")


@pytest.mark.clause("1862/3.2-e")
def test_company_with_a_free_home_slot_can_be_opened() -> None:
    """Beccles has a green tile with one token and a free slot; with both slots taken WVR is shut out."""
    free = yard("FDR", "G8:14/0", {("G8", 0): ("FDR", "")}, "B")
    assert can_place_home(free.game, DATA, "WVR")
    full = yard("FDR", "G8:14/0", {("G8", 0): ("FDR", "ESR")}, "D")
    assert not can_place_home(full.game, DATA, "WVR")


@pytest.mark.clause("1862/3.2-f")
def test_company_with_a_full_home_that_grows_can_be_opened() -> None:
    """ESR of the figure: Ipswich is full of N&B and WVR, and green tile 791 adds a slot; not before green tiles are in use."""
    assert can_place_home(yard("SVR", FIGURE, TOKENS, "B").game, DATA, "ESR")
    assert not can_place_home(yard("SVR", FIGURE, TOKENS, "A").game, DATA, "ESR")


@pytest.mark.clause("1862/3.2-f")
def test_upgrade_for_a_slot_must_be_in_supply() -> None:
    """With all four pieces of tile 791 laid elsewhere Ipswich cannot grow, and ESR cannot be opened."""
    here = yard("SVR", FIGURE, TOKENS, "B")
    elsewhere = {hex_id: LaidTile("791", 0, copy) for copy, hex_id in enumerate(("B9", "E12", "F5", "E4"))}
    MapState.to_write(here.game).tiles = {**map_of(here.game).tiles, **elsewhere}
    assert not can_place_home(here.game, DATA, "ESR")


@pytest.mark.clause("1862/3.2-g")
def test_company_whose_home_stays_full_cannot_be_opened() -> None:
    """ECR of the figure: Witham is full of SVR and EUR, and no tile of any phase adds a slot."""
    for phase in phases_of(DATA):
        assert not can_place_home(yard("SVR", FIGURE, TOKENS, phase).game, DATA, "ECR")


def test_every_green_and_brown_piece_comes_with_all_its_stations() -> None:
    """For each plain tile, whichever of its tracks have stations, one version in some rotation shows just that."""
    for base in (tile for tile in map_data(DATA).tiles.values() if not tile.face.stops):
        versions = {
            frozenset(
                frozenset(map_data(DATA).faces[tile.id, turn].stop_exits(stop))
                for stop in range(len(tile.face.stops))
            )
            for tile in map_data(DATA).tiles.values()
            if tile.base == base.id
            for turn in EDGES
            if {frozenset(p.edges) for p in base.face.paths} == _track(tile.id, turn)
        }
        assert len(versions) == 2 ** len(base.face.paths) - 1, base.id


def _track(tile: str, rotation: int) -> set[frozenset[object]]:
    """The tracks of a tile as pairs of ends, whether a station is on them or not."""
    shown = map_data(DATA).faces[tile, rotation]
    joined = [[p.edges[0] for p in shown.paths if p.stop == stop] for stop in range(len(shown.stops))]
    plain = [list(p.edges) for p in shown.paths if p.stop is None]
    return {frozenset(ends) for ends in joined + plain}
