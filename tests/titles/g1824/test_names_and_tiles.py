"""Names, homes, the map and the tiles of 1824 and of Goods Time, clause by clause."""

import pytest

from services.rules.parts.map.data import map_data
from services.rules.parts.map.tiles import Face
from services.rules.parts.shares.data import shares_data
from services.rules.titles.g1824.figures import cards_of
from tests.titles.g1824.test_data import GOODS_TIME, TITLE, clause_case

NAMES = (
    clause_case(
        pytest.mark.clause("1824/XIII.1-a"),
        {
            "EPP": ("Eisenbahn Pilsen-Priesen", "C6"),
            "EOD": ("Eisenbahn Oderberg-Dombran", "A12"),
            "MLB": ("Mosty-Lemberg Bahn", "A22"),
            "SPB": ("Simeria-Petrosani Bahn", "H25"),
        },
    ),
    clause_case(
        pytest.mark.clause("1824/XIII.1-b"),
        {
            "SD1": ("Wien-Gloggnitzer Eisenbahngesellschaft", "E12"),
            "SD2": ("Kärntner Bahn", "G10"),
            "SD3": ("Nordtiroler Staatsbahn", "G4"),
        },
    ),
    clause_case(
        pytest.mark.clause("1824/XIII.1-c"),
        {
            "UG1": ("Eisenbahn Pest-Waitzen", "F17"),
            "UG2": ("Mohács-Fünfkirchner Bahn", "H15"),
        },
    ),
    clause_case(
        pytest.mark.clause("1824/XIII.1-d"),
        {
            "KK1": ("Kaiserin Elisabeth Bahn", "E12"),
            "KK2": ("Kaiser Ferdinand Nordbahn", "E12"),
        },
    ),
    clause_case(
        pytest.mark.clause("1824/XIII.1-e"),
        {
            "BK": ("Böhmische Kommerzbahn", "B9"),
            "MS": ("Mährisch-Schlesische Eisenbahn", "C12"),
            "CL": ("Carl Ludwigs-Bahn", "B23"),
            "SB": ("Siebenbürgische Bahn", "G26"),
            "BH": ("Bosnien-Herzegowinische Landesbahn", "J13"),
        },
    ),
    clause_case(
        pytest.mark.clause("1824/XIII.1-f"),
        {
            "SD": ("Südbahn", None),
            "UG": ("Ungarische Staatsbahn", None),
            "KK": ("Kaiserlich-königliche Staatsbahn", None),
        },
    ),
    clause_case(
        pytest.mark.clause("1824/XIII.1-g"),
        {
            "B1": ("Semmeringbahn", None),
            "B2": ("Karstbahn", None),
            "B3": ("Brennerbahn", None),
            "B4": ("Arlbergbahn", None),
            "B5": ("Karawankenbahn", None),
            "B6": ("Wocheinerbahn", None),
        },
    ),
)


@pytest.mark.parametrize("names", NAMES)
def test_names_and_homes_of_companies(names: dict[str, tuple[str, str | None]]) -> None:
    """Companies bear the rulebook's names and stand on their printed homes."""
    found = {
        symbol: (cards_of(TITLE)[symbol].name, home.hex if (home := cards_of(TITLE)[symbol].home) else None)
        for symbol in names
    }
    assert found == names


@pytest.mark.clause("1824/XIII.1-h")
def test_homes_by_city_of_wien_and_budapest() -> None:
    """SD1, KK1 and KK2 have the three cities of Wien in this order, UG1 the second of Budapest."""
    stops = {symbol: cards_of(TITLE)[symbol].home for symbol in ("SD1", "KK1", "KK2", "UG1")}
    assert [(home.hex, home.stop) for home in stops.values() if home] == [
        ("E12", 0),
        ("E12", 1),
        ("E12", 2),
        ("F17", 1),
    ]
    assert set(shares_data(TITLE).homes["E12"]) == {"SD1", "KK1", "KK2"}
    named = {
        "C12": "Brünn",
        "B23": "Lemberg",
        "G26": "Kronstadt",
        "G10": "Graz",
        "G4": "Innsbruck",
        "B9": "Prag",
    }
    assert {hex_id: map_data(TITLE).hexes[hex_id].name for hex_id in named} == named


def test_the_map_has_103_hexes() -> None:
    """Hexes by colour: 88 open, 4 mines, 11 red."""
    colours = [printed.face.colour for printed in map_data(TITLE).hexes.values()]
    assert {colour: colours.count(colour) for colour in set(colours)} == {"white": 88, "grey": 4, "red": 11}


@pytest.mark.clause("1824/TILES-a")
def test_number_of_tiles() -> None:
    """59 kinds of tiles with 143 pieces."""
    assert len(map_data(TITLE).tiles) == 59
    assert sum(tile.count for tile in map_data(TITLE).tiles.values()) == 143


TILE_COUNTS = (
    clause_case(
        pytest.mark.clause("1824/TILES-b"),
        "yellow",
        "1x1 2x1 3x4 4x6 5x5 6x5 7x5 8x10 9x10 55x1 56x1 57x5 58x8 69x1 401x3 447x2 498x1 499x1 630x1 631x1",
    ),
    clause_case(
        pytest.mark.clause("1824/TILES-c"),
        "green",
        "14x4 15x8 16x1 17x1 18x1 19x1 20x1 23x3 24x3 25x2 26x2 27x2 28x1 29x1 30x1 31x1 87x3 88x3 405x3 "
        "490x1 491x1 619x4",
    ),
    clause_case(
        pytest.mark.clause("1824/TILES-d"),
        "brown",
        "39x1 40x1 41x1 42x1 43x1 44x1 45x1 46x1 47x1 70x1 126x1 493x1 497x2 611x6",
    ),
    clause_case(pytest.mark.clause("1824/TILES-e"), "grey", "494x1 495x1 496x1"),
)


@pytest.mark.parametrize(("colour", "counts"), TILE_COUNTS)
def test_pieces_of_each_tile(colour: str, counts: str) -> None:
    """Each colour has its tiles in the printed numbers."""
    found = {tile.id: tile.count for tile in map_data(TITLE).tiles.values() if tile.face.colour == colour}
    assert found == {tile: int(count) for tile, count in (word.split("x") for word in counts.split())}


@pytest.mark.clause("1824/TILES-f")
def test_tiles_with_labels() -> None:
    """T, Wien and Budapest have their own chains from yellow to grey."""
    chains = {
        label: [tile.id for tile in map_data(TITLE).tiles.values() if tile.face.label == label]
        for label in ("T", "W", "Bu")
    }
    assert chains == {
        "T": ["401", "447", "405", "497", "494"],
        "W": ["499", "491", "493", "496"],
        "Bu": ["498", "490", "126", "495"],
    }
    labels = {
        label: [hex_id for hex_id, at in map_data(TITLE).hexes.items() if at.face.label == label]
        for label in chains
    }
    assert labels == {"T": ["A18", "C26", "E26", "I8"], "W": ["E12"], "Bu": ["F17"]}


@pytest.mark.clause("1824/XII.1-a")
def test_goods_time_adds_17_tiles() -> None:
    """Goods Time adds pieces of seven tiles and three of a new one."""
    added = {
        tile.id: tile.count
        - (map_data(TITLE).tiles[tile.id].count if tile.id in map_data(TITLE).tiles else 0)
        for tile in map_data(GOODS_TIME).tiles.values()
    }
    assert {tile: count for tile, count in added.items() if count} == {
        "3": 3,
        "4": 3,
        "58": 3,
        "56": 1,
        "630": 1,
        "631": 1,
        "87": 2,
        "204": 3,
    }
    assert sum(added.values()) == 17


@pytest.mark.clause("1824/XII.2-a", "1824/XII.2-c")
def test_goods_time_layout() -> None:
    """Nine markers on plain hexes: one on five of them, two on two."""

    def towns(face: Face) -> int:
        return sum(stop.kind == "town" for stop in face.stops)

    changed = {
        hex_id: at for hex_id, at in map_data(GOODS_TIME).hexes.items() if at != map_data(TITLE).hexes[hex_id]
    }
    one, two = {"B7", "C8", "C20", "C22", "H21"}, {"F25", "G24"}
    assert {hex_id: towns(at.face) for hex_id, at in changed.items()} == (
        dict.fromkeys(one, 1) | dict.fromkeys(two, 2)
    )
    assert all(not map_data(TITLE).hexes[hex_id].face.stops for hex_id in changed)
