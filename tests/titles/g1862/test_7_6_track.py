"""Laying and upgrading track (7.6 to 7.6.3)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.parts.map.commands import LayTile, PlaceToken
from services.rules.parts.map.data import map_data
from services.rules.parts.map.state import map_of, track_turn
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.figures import phases_of
from services.rules.titles.g1862.operating.building import BUILD
from services.rules.titles.g1862.operating.stations import PLACE
from tests.titles.g1862.trackboard import DATA, PEER, Yard, yard

ONE_SLOT = ("5", "6", "57")


def tiles_offered(here: Yard, hex_id: str) -> set[str]:
    """The tiles the company at turn may lay on a hex."""
    return {each.tile for each in here.offered(BUILD) if isinstance(each, LayTile) and each.hex == hex_id}


@pytest.mark.clause("1862/7.6-a")
def test_a_turn_has_one_kind_of_building() -> None:
    """After one yellow tile neither an upgrade nor a small station nor a terminal; after an upgrade or a station nothing."""
    tiles = "D11:57/0 D13:14/2 E12:790/0 G4:20_1/0"
    tokens = {("D11", 0): ("SVR",), ("E12", 0): ("SVR", "")}
    after_yellow = yard("SVR", tiles, tokens, "B")
    after_yellow.act(BUILD, after_yellow.lay("D9", "621", 0))
    assert after_yellow.waits(BUILD)
    assert after_yellow.refusal(BUILD, after_yellow.lay("D11", "14", 0)) == (
        "tile_already_laid",
        "1862/7.6-a",
    )
    assert after_yellow.refusal(BUILD, after_yellow.lay("G4", "20_2", 0)) == (
        "tile_already_laid",
        "1862/7.6-a",
    )
    assert after_yellow.refusal(PLACE, PlaceToken("SVR", "D15", 1)) == (
        "1862.london_terminal",
        "1862/7.6.5-c",
    )
    for first in (("D11", "14", 0), ("G4", "20_2", 0)):
        here = yard("SVR", tiles, tokens, "B")
        here.act(BUILD, here.lay(*first))
        assert not here.waits(BUILD)
        assert here.offered(BUILD) == []
        assert here.refusal(BUILD, here.lay("D9", "621", 0)) == ("tile_already_laid", "1862/7.6-a")


@pytest.mark.clause("1862/7.6-a")
def test_building_may_be_passed() -> None:
    """Nobody has to build."""
    assert yard("SVR", "D11:57/0").refusal(BUILD, Pass()) == ("", "")


@pytest.mark.clause("1862/7.6.1-a")
def test_new_track_joins_a_route_of_the_company() -> None:
    """From Sudbury a tile goes on the hexes its track points at, joined to it; beyond a full city nothing is joined."""
    here = yard("SVR", "D11:57/0")
    assert {each.hex for each in here.offered(BUILD) if isinstance(each, LayTile)} == {"D9", "D13"}
    assert here.refusal(BUILD, here.lay("D13", "57", 1)) == ("tile_not_connected", "1862/7.6.1-a")
    assert here.refusal(BUILD, here.lay("D13", "57", 0)) == ("", "")
    blocked = yard("SVR", "D11:57/0 D9:621/0", {("D11", 0): ("SVR",), ("D9", 0): ("I&B",)})
    assert blocked.refusal(BUILD, blocked.lay("D7", "8852", 0)) == ("tile_not_connected", "1862/7.6.1-a")
    free = yard("SVR", "D11:57/0 D9:621/0")
    assert free.refusal(BUILD, free.lay("D7", "8852", 0)) == ("", "")


@pytest.mark.clause("1862/7.6.1-b")
def test_track_does_not_point_at_barriers_or_the_sea() -> None:
    """At Felixstowe track runs to the ports, not over the barrier to Harwich; at Lowestoft not past the port into the sea."""
    here = yard("FDR")
    for rotation in range(6):
        barrier = 1 in {rotation, (rotation + 3) % 6}
        expected = ("tile_off_map", "1862/7.6.1-b") if barrier else ("", "")
        assert here.refusal(BUILD, here.lay("G12", "57", rotation)) == expected
    woodbridge = yard("FDR", "G12:57/0")
    assert woodbridge.refusal(BUILD, woodbridge.lay("G10", "8851", 0)) == ("tile_off_map", "1862/7.6.1-b")
    assert woodbridge.refusal(BUILD, woodbridge.lay("G10", "8852", 0)) == ("", "")
    edge = yard("WNR")
    assert edge.refusal(BUILD, edge.lay("E2", "57", 0)) == ("tile_off_map", "1862/7.6.1-b")


@pytest.mark.clause("1862/7.6.1-c", "1862/7.6.1-d")
def test_large_stations_go_on_cities_and_small_ones_on_towns() -> None:
    """Brandon, a town, takes the tiles with a small station alone; Thetford, a city, those with a large one alone."""
    here = yard("N&B", "E8:57/2")
    assert tiles_offered(here, "D7") == {"8850", "8851", "8852"}
    assert here.refusal(BUILD, here.lay("D7", "57", 1)) == ("tile_kind", "1862/7.6.1-c")
    fresh = yard("N&B")
    assert tiles_offered(fresh, "E8") == set(ONE_SLOT)
    assert fresh.refusal(BUILD, fresh.lay("E8", "8852", 2)) == ("tile_kind", "1862/7.6.1-d")
    assert here.refusal(BUILD, here.lay("C14", "57", 2)) == ("tile_fixed", "1862/7.6.1-c")


@pytest.mark.clause("1862/7.6.1-e")
def test_letters_of_hex_and_tile_agree() -> None:
    """Colchester takes N tiles, Bury Y tiles, Sudbury tiles without a letter, and no hex anything else."""
    for company, hex_id, own in (
        ("EUR", "E12", {"790"}),
        ("I&B", "D9", {"201", "202", "621"}),
        ("SVR", "D11", set(ONE_SLOT)),
    ):
        here = yard(company)
        assert tiles_offered(here, hex_id) == own
        for other in {"790", "621", "57"} - own:
            assert here.refusal(BUILD, here.lay(hex_id, other, 0)) == ("tile_label", "1862/7.6.1-e")


@pytest.mark.clause("1862/7.6.1-f")
def test_ipswich_and_harwich_have_brown_tiles_of_their_own() -> None:
    """Ipswich turns brown with 795 alone and Harwich with 797 alone, which go nowhere else."""
    ipswich = yard("ESR", "F11:791/1", phase="D")
    assert tiles_offered(ipswich, "F11") == {"795"}
    assert ipswich.refusal(BUILD, ipswich.lay("F11", "794", 0)) == ("tile_label", "1862/7.6.1-f")
    harwich = yard("ESR", "F13:793/5", {("F13", 0): ("ESR", "")}, "D")
    assert tiles_offered(harwich, "F13") == {"797"}
    colchester = yard("EUR", "E12:791/0", phase="D")
    assert tiles_offered(colchester, "E12") == {"794"}
    assert colchester.refusal(BUILD, colchester.lay("E12", "795", 0)) == ("tile_label", "1862/7.6.1-f")
    bury = yard("I&B", "D9:793/0", phase="D")
    assert "797" not in tiles_offered(bury, "D9") and tiles_offered(bury, "D9")


@pytest.mark.clause("1862/7.6.2-a")
def test_two_yellow_tiles_at_most_and_an_n_tile_alone() -> None:
    """Two tiles without the letter N, one after the other; an N tile is neither the first of two nor the second."""
    here = yard("SVR", "D11:57/0")
    here.act(BUILD, here.lay("D13", "6", 3))
    here.act(BUILD, here.lay("D9", "621", 0))
    assert not here.waits(BUILD)
    assert here.refusal(BUILD, here.lay("D7", "8852", 0)) == ("tile_already_laid", "1862/7.6.2-a")
    single = yard("EUR")
    single.act(BUILD, single.lay("E12", "790", 0))
    assert not single.waits(BUILD)
    assert single.refusal(BUILD, single.lay("D13", "57", 1)) == ("tile_already_laid", "1862/7.6.2-a")
    second = yard("SVR", "D11:57/2")
    second.act(BUILD, second.lay("C10", "57", 2))
    assert "E12" not in {each.hex for each in second.offered(BUILD) if isinstance(each, LayTile)}
    assert second.refusal(BUILD, second.lay("E12", "790", 2)) == ("tile_already_laid", "1862/7.6.2-a")


@pytest.mark.clause("1862/7.6.2-a")
def test_second_tile_may_build_on_the_first() -> None:
    """The tile at Tiptree is reached only over the one laid in Witham in the same turn."""
    here = yard("SVR", "D11:57/0")
    assert here.refusal(BUILD, here.lay("E14", "8850", 2)) == ("tile_not_connected", "1862/7.6.1-a")
    here.act(BUILD, here.lay("D13", "6", 3))
    here.act(BUILD, here.lay("E14", "8850", 2))


@pytest.mark.clause("1862/7.6.2-b", "1862/7.6.3-c", "1862/7.6.3-i")
def test_small_stations_keep_their_place_on_upgrades() -> None:
    """The station of 8852 on Brandon stays on its track through green and brown; tiles with it elsewhere are refused."""
    assert all(
        map_data(DATA).tiles[tile].face.stops[0].value("low") == 20 for tile in ("8850", "8851", "8852")
    )
    here = yard("N&B", "E8:57/2 D7:8852/1", phase="D")
    assert here.refusal(BUILD, here.lay("D7", "20_1b", 1)) == ("tile_drops_track", "1862/7.6.3-b")
    here.act(BUILD, here.lay("D7", "20_1", 1))
    here.turn_of("N&B")
    here.act(BUILD, here.lay("D7", "20_2", 1))
    here.turn_of("N&B")
    assert tiles_offered(here, "D7") == {"798_2"}
    stations = {map_data(DATA).faces["20_2", 1].stop_exits(stop) for stop in (0, 1)}
    for each in here.offered(BUILD):
        if isinstance(each, LayTile) and each.hex == "D7":
            shown = map_data(DATA).faces[each.tile, each.rotation]
            assert {shown.stop_exits(stop) for stop in (0, 1)} == stations


@pytest.mark.clause("1862/7.6.3-a")
def test_green_from_phase_b_and_brown_from_phase_d() -> None:
    """The colours a company may upgrade to, phase by phase."""
    for phase in phases_of(DATA):
        green = yard("SVR", "D11:57/0", phase=phase)
        brown = yard("SVR", "D11:14/0", phase=phase)
        assert bool(tiles_offered(green, "D11")) == (phase >= "B")
        assert bool(tiles_offered(brown, "D11")) == (phase >= "D")
    early = yard("SVR", "D11:57/0")
    assert early.refusal(BUILD, early.lay("D11", "14", 0)) == ("tile_colour", "1862/7.6.3-a")


@pytest.mark.clause("1862/7.6.3-b")
def test_upgrade_keeps_old_track_and_goes_one_colour_on() -> None:
    """Sudbury's track north and south stays; yellow turns green and not brown at once, nor green into yellow."""
    here = yard("SVR", "D11:57/0", phase="D")
    for each in here.offered(BUILD):
        if isinstance(each, LayTile) and each.hex == "D11":
            assert {0, 3} <= map_data(DATA).faces[each.tile, each.rotation].exits
            assert map_data(DATA).tiles[each.tile].face.colour == "green"
    assert here.refusal(BUILD, here.lay("D11", "14", 1)) == ("tile_drops_track", "1862/7.6.3-b")
    assert here.refusal(BUILD, here.lay("D11", "611", 0)) == ("tile_colour", "1862/7.6.3-b")


@pytest.mark.clause("1862/7.6.3-d")
def test_upgrade_adds_no_station() -> None:
    """Brandon with one station takes no tile with two of them."""
    here = yard("N&B", "E8:57/2 D7:8852/1", phase="B")
    assert here.refusal(BUILD, here.lay("D7", "20_2", 1)) == ("tile_kind", "1862/7.6.3-d")
    assert all(len(map_data(DATA).tiles[tile].face.stops) == 1 for tile in tiles_offered(here, "D7"))


@pytest.mark.clause("1862/7.6.3-e")
def test_upgrade_needs_new_track_or_a_station_on_a_route() -> None:
    """N&B upgrades Brandon over its station; reaching the crossing track alone it may not, unless it gains new track."""
    by_station = yard("N&B", "E8:57/2 D7:8852/2", phase="B")
    assert by_station.refusal(BUILD, by_station.lay("D7", "20_1", 2)) == ("", "")
    by_new_track = yard("N&B", "E8:57/2 D7:8852/1", phase="B")
    assert by_new_track.refusal(BUILD, by_new_track.lay("D7", "20_1", 1)) == ("", "")
    crossing = yard("N&B", "E8:57/2 D7:20_1/1", phase="D")
    assert crossing.refusal(BUILD, crossing.lay("D7", "798_1", 1)) == ("tile_not_connected", "1862/7.6.3-e")
    far = yard("N&B", "E8:57/0 D7:8852/1", phase="B")
    assert far.refusal(BUILD, far.lay("D7", "20_1", 1)) == ("tile_not_connected", "1862/7.6.3-e")


@pytest.mark.clause("1862/7.6.3-e")
def test_peer_asks_for_new_track_or_a_higher_value() -> None:
    """Under the peer's ruling a station reached that is worth no more does not do; a city worth more does."""
    town = yard("N&B", "E8:57/2 D7:8852/2", phase="B", rulings=PEER)
    assert town.refusal(BUILD, town.lay("D7", "20_1", 2)) == ("tile_not_connected", "1862/7.6.3-e")
    city = yard("N&B", "E8:57/2", phase="B", rulings=PEER)
    assert city.refusal(BUILD, city.lay("E8", "14", 2)) == ("", "")


@pytest.mark.clause("1862/7.6.3-f")
def test_upgrade_does_not_point_at_barriers_or_the_sea() -> None:
    """At Felixstowe green track over the barrier to Harwich is refused."""
    here = yard("FDR", "G12:57/2", phase="B")
    assert here.refusal(BUILD, here.lay("G12", "15", 2)) == ("", "")
    assert here.refusal(BUILD, here.lay("G12", "14", 1)) == ("tile_off_map", "1862/7.6.3-f")


@pytest.mark.clause("1862/7.6.3-g")
def test_company_without_a_train_builds_and_upgrades() -> None:
    """No company of these positions has a train, and track is laid and upgraded all the same."""
    here = yard("SVR", "D11:57/0", phase="B")
    assert not trains_of(here.game).owned.get("SVR")
    here.act(BUILD, here.lay("D11", "14", 0))
    assert track_turn(here.game).upgraded


@pytest.mark.clause("1862/7.6.3-h", "1862/7.6.3-j")
def test_felixstowe_is_upgraded_before_the_tile_north_of_it() -> None:
    """FDR cannot reach the tile at Woodbridge until Felixstowe has track north; it upgrades one in each of two turns."""
    tokens = {("G12", 0): ("FDR",), ("F11", 0): ("N&B", "WVR")}
    here = yard("FDR", "F11:790/1 G12:57/2 G10:8851/3", tokens, "B")
    crossing = here.lay("G10", "16_1b", 0)
    assert here.refusal(BUILD, crossing) == ("tile_not_connected", "1862/7.6.3-e")
    here.act(BUILD, here.lay("G12", "14", 2))
    assert here.refusal(BUILD, crossing) == ("tile_already_laid", "1862/7.6.3-h")
    here.turn_of("FDR")
    here.act(BUILD, crossing)
    shown = map_data(DATA).faces[here.shows("G10")]
    assert [shown.stop_exits(stop) for stop in range(len(shown.stops))] == [{1, 3}]


@pytest.mark.clause("1862/7.6.3-i")
def test_tokens_keep_their_slots_on_upgrades() -> None:
    """Sudbury's token stays in the first slot of the green tile and a free slot follows; in Ipswich three become four."""
    here = yard("SVR", "D11:57/0", phase="B")
    here.act(BUILD, here.lay("D11", "14", 0))
    assert map_of(here.game).tokens["D11", 0] == ("SVR", "")
    ipswich = yard("ESR", "F11:791/1", {("F11", 0): ("N&B", "", "ESR")}, "D")
    ipswich.act(BUILD, ipswich.lay("F11", "795", 3))
    assert set(map_of(ipswich.game).tokens["F11", 0]) == {"N&B", "ESR", ""}
