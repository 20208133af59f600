"""Laying and upgrading track in 1865 (5.1, faq-a)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.commands import LayTile
from services.rules.parts.map.data import map_data
from services.rules.titles.g1865.figures import phases_of
from tests.positions.map import laid_tiles
from tests.positions.reading import paid, payments
from tests.titles.g1865.table import ADA, BEN, TO_CAGLIARI, Table, stock_table, traffic_changes


def _building(
    company: str = "FMS", phase: str = "2", *, treasury: int = 1000, open_too: tuple[str, ...] = ()
) -> Table:
    """The company of Ada is at turn before its track."""
    table = stock_table()
    table.is_launched(company, 80, ADA, treasury=treasury)
    for other in open_too:
        table.is_launched(other, 60, BEN)
    if phase != "2":
        table.phase_is(phase)
    table.company_turn_is(company, step="lay_track")
    return table


def lays(table: Table) -> list[LayTile]:
    """The tiles that Ada may lay."""
    return [command for command in table.offered(ADA) if isinstance(command, LayTile)]


@pytest.mark.clause("1865/5.1-a")
@pytest.mark.clause("1865/5.1-b")
def test_one_tile_and_a_second_one_for_20() -> None:
    """The first costs nothing, the second 20, a third is refused."""
    table = _building()
    events = table.act(ADA, LayTile("FMS", "D37", "58", 5))
    assert payments(events) == [] and laid_tiles(events) == [("FMS", "D37", "58", 5)]
    events = table.act(ADA, LayTile("FMS", "E38", "9", 2))
    assert paid(events, "FMS", BANK, 20, "tile_cost", "E38")
    table.step_is("lay_track")
    assert table.refusal(ADA, LayTile("FMS", "F37", "9", 0)) == ("tile_already_laid", "1865/5.1-a")
    assert lays(table) == []


@pytest.mark.clause("1865/5.1-b")
def test_the_second_tile_has_to_be_paid() -> None:
    """With 19 in the treasury only the first is laid."""
    table = _building(treasury=19)
    table.act(ADA, LayTile("FMS", "D37", "58", 5))
    assert table.game.current_round.step != "lay_track"
    table.step_is("lay_track")
    assert table.refusal(ADA, LayTile("FMS", "E38", "9", 2)) == ("not_enough_cash", "1865/5.1-b")


@pytest.mark.clause("1865/5.1-b")
@pytest.mark.parametrize(
    "tiles",
    [
        (("F37", "9", 0), ("F35", "4", 0)),
        (("F37", "9", 0), ("F39", "C2", 1)),
        (("F39", "C2", 1), ("F35", "141", 0)),
    ],
    ids=["lay+lay", "lay+upgrade", "upgrade+upgrade"],
)
def test_both_may_be_lays_or_upgrades(tiles: tuple[tuple[str, str, int], ...]) -> None:
    """Any two cost 20 in all."""
    table = _building("RCSF", "3")
    if tiles[-1][1] == "141":
        table.tiles_lie((("F37", "9", 0), ("F35", "4", 0)))
        table.company_turn_is("RCSF", step="lay_track")
    events = [event for tile in tiles for event in table.act(ADA, LayTile("RCSF", *tile))]
    assert sum(each.amount for each in payments(events, "tile_cost")) == 20


@pytest.mark.clause("1865/5.1-c")
def test_both_may_lie_on_the_same_hex() -> None:
    """A yellow tile and at once a green one."""
    table = _building("RCSF", "3")
    table.act(ADA, LayTile("RCSF", "F37", "9", 0))
    assert laid_tiles(table.act(ADA, LayTile("RCSF", "F37", "23", 0))) == [("RCSF", "F37", "23", 0)]


@pytest.mark.clause("1865/5.1-d")
def test_a_tile_is_joined_to_a_token_past_no_full_city() -> None:
    """Nothing far away; nothing behind a city that others have filled, and behind it once there is an own token."""
    table = _building("FMS", open_too=("RCSF",))
    assert table.refusal(ADA, LayTile("FMS", "F37", "9", 0))[0] == "tile_not_connected"
    table.tiles_lie(TO_CAGLIARI)
    table.company_turn_is("FMS", step="lay_track")
    assert LayTile("FMS", "F37", "9", 0) in table.offered(ADA, LayTile)
    table.token_stands("FA", "F39")
    table.company_turn_is("FMS", step="lay_track")
    assert table.refusal(ADA, LayTile("FMS", "F37", "9", 0)) == ("tile_not_connected", "1865/5.1-d")


@pytest.mark.clause("1865/5.1-e")
def test_a_traffic_upgrade_is_one_colour_up() -> None:
    """Yellow by green, not by brown."""
    table = _building("RCSF", "5")
    assert table.refusal(ADA, LayTile("RCSF", "F39", "C3", 1)) == ("tile_colour", "1865/5.1-e")
    table.act(ADA, LayTile("RCSF", "F39", "C2", 1))
    table.act(ADA, LayTile("RCSF", "F39", "C3", 1))
    grey = _building("RCSF", "7")
    grey.tiles_lie((("F39", "C2", 1), ("F39", "C3", 1)))
    grey.company_turn_is("RCSF", step="lay_track")
    grey.act(ADA, LayTile("RCSF", "F39", "C4", 1))


def _isili(phase: str = "3") -> Table:
    """FCS in Isili has a green city with three exits and one slot."""
    table = _building("FCS", phase)
    table.tiles_lie((("E34", "57", 1), ("E34", "205", 1)))
    table.company_turn_is("FCS", step="lay_track")
    return table


@pytest.mark.clause("1865/5.1-f")
def test_a_competitive_upgrade_keeps_colour_and_track() -> None:
    """205 by 14, which has all its exits and one more; not by 15, which has not, nor by itself."""
    table = _isili()
    rotations = {each.rotation for each in lays(table) if each.tile == "14"}
    assert rotations == {1, 4}
    assert table.refusal(ADA, LayTile("FCS", "E34", "619", 1))[0] == "tile_drops_track"
    assert table.refusal(ADA, LayTile("FCS", "E34", "205", 1)) == ("tile_colour", "1865/5.1-e")
    events = table.act(ADA, LayTile("FCS", "E34", "14", 1))
    assert laid_tiles(events) == [("FCS", "E34", "14", 1)] and traffic_changes(events) == []
    assert table.tokens("FCS") == {("E34", 0): ("FCS", "")}


@pytest.mark.clause("1865/5.1-g")
def test_an_upgraded_city_brings_traffic_to_all_with_a_token() -> None:
    """Cagliari from 3 to 5: two for each railway with a token there that has started."""
    table = _building("RCSF", "3", open_too=("FMS", "FA"))
    table.token_stands("FMS", "F39")
    events = table.act(ADA, LayTile("RCSF", "F39", "C2", 1))
    assert traffic_changes(events) == [("RCSF", 2, "upgrade", "F39"), ("FMS", 2, "upgrade", "F39")]
    waiting = _building("FMS", "3")
    waiting.tiles_lie(TO_CAGLIARI)
    waiting.company_turn_is("FMS", step="lay_track")
    assert traffic_changes(waiting.act(ADA, LayTile("FMS", "F39", "C2", 1))) == []


@pytest.mark.clause("1865/5.1-h")
def test_an_upgraded_town_brings_nothing() -> None:
    """Siliqua from 1 to 2."""
    table = _building("FMS", "3")
    table.tiles_lie(TO_CAGLIARI)
    table.company_turn_is("FMS", step="lay_track")
    tile = next(each for each in lays(table) if each.hex == "D37")
    assert traffic_changes(table.act(ADA, tile)) == []


@pytest.mark.clause("1865/5.1-i")
def test_players_never_touch_a_mine() -> None:
    """Not even one with an own token, in a phase that has its tiles."""
    table = _building("FMS", "5")
    table.token_stands("FMS", "C40")
    table.company_turn_is("FMS", step="lay_track")
    for rotation in range(6):
        assert table.refusal(ADA, LayTile("FMS", "C40", "MG", rotation)) == ("1865.mine_fixed", "1865/5.1-i")
    assert not any(each.hex == "C40" for each in lays(table))


@pytest.mark.clause("1865/5.1-j")
@pytest.mark.parametrize("letter", "CSNOPB")
def test_lettered_tiles_go_to_the_city_of_their_letter(letter: str) -> None:
    """And to no other; and no plain tile goes there."""
    table = _building("FCS", "3")
    table.tile_lies("E34", "57", 1)
    table.company_turn_is("FCS", step="lay_track")
    assert table.refusal(ADA, LayTile("FCS", "E34", f"{letter}2", 1)) == ("tile_label", "1865/5.1-j")
    home = next(hex_id for hex_id, each in map_data(table.data).hexes.items() if each.face.label == letter)
    assert table.refusal(ADA, LayTile("FCS", home, "205", 0)) == ("tile_label", "1865/5.1-j")


@pytest.mark.clause("1865/5.1-k")
@pytest.mark.clause("1865/5.1-l")
@pytest.mark.clause("1865/5.1-m")
@pytest.mark.parametrize(
    ("tile", "rightly", "wrongly", "clause"),
    [
        ("63", ("E34",), ("H31", "D29"), "1865/5.1-k"),
        ("448", ("H31",), ("E34", "D29"), "1865/5.1-l"),
        ("146", ("B25", "E22"), ("D37", "F35"), "1865/5.1-m"),
    ],
)
def test_some_brown_tiles_are_made_for_one_place(
    tile: str, rightly: tuple[str, ...], wrongly: tuple[str, ...], clause: str
) -> None:
    """63 in Isili, the K city in Arbatax, the K towns in Alghero and Tempio; nowhere else, and no other brown tile there."""
    table = _building("FCS", "5")
    yellow, green = ("57", "205") if tile != "146" else ("4", "141")
    table.tiles_lie(tuple((hex_id, kind, 0) for hex_id in (*rightly, *wrongly) for kind in (yellow, green)))
    table.company_turn_is("FCS", step="lay_track")
    for hex_id in wrongly:
        assert table.refusal(ADA, LayTile("FCS", hex_id, tile, 0)) == ("tile_label", "1865/5.1-k")
    other = "449" if tile != "146" else "145"
    for hex_id in rightly:
        assert table.refusal(ADA, LayTile("FCS", hex_id, other, 0)) == ("tile_label", "1865/5.1-k")
    assert map_data(table.data).tiles[tile].only_at == rightly and clause
    if tile == "63":
        table.act(ADA, LayTile("FCS", "E34", tile, 0))


@pytest.mark.clause("1865/5.1-n")
def test_colours_by_phase() -> None:
    """Yellow from 2, green from 3, brown from 5, grey from 7."""
    data = stock_table().data
    colours = {name: phase.tiles[-1] for name, phase in phases_of(data).items()}
    assert colours == {"2": "yellow", "3": "green", "4": "green", "5": "brown", "6": "brown", "7": "grey"}
    table = _building("RCSF")
    assert table.refusal(ADA, LayTile("RCSF", "F39", "C2", 1)) == ("tile_colour", "1865/5.1-n")


@pytest.mark.clause("1865/5.1-o")
def test_a_tile_has_to_be_in_the_supply() -> None:
    """The only C2 is taken."""
    table = _building("RCSF", "3")
    count = map_data(table.data).tiles["9"].count
    free = [
        hex_id
        for hex_id, each in map_data(table.data).hexes.items()
        if not each.face.stops and hex_id != "F37"
    ]
    for hex_id in free[:count]:
        table.tile_lies(hex_id, "9", 0)
    table.company_turn_is("RCSF", step="lay_track")
    assert table.refusal(ADA, LayTile("RCSF", "F37", "9", 0)) == ("tile_exhausted", "1865/5.1-o")


@pytest.mark.clause("1865/faq-a")
def test_the_first_tile_on_a_home_brings_its_traffic() -> None:
    """FCS and SFS begin on a bare hex: a yellow city of 2 brings 2."""
    table = _building("FCS")
    assert traffic_changes(table.act(ADA, LayTile("FCS", "E34", "57", 1))) == [("FCS", 2, "upgrade", "E34")]
    assert table.traffic("FCS") == 2 and Pass() in table.offered(ADA)
