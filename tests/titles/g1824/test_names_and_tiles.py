"""Names, homes, the map and the tiles of 1824 and of Goods Time, clause by clause."""

from collections.abc import Iterable

import pytest

from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import CityId, LaidTile, free_copies
from services.rules.parts.map.data import map_data
from services.rules.parts.shares.printed import printed
from services.rules.titles.g1824.companies import COAL, PRE_STATE, REGIONAL
from services.rules.titles.g1824.figures import cards_of
from tests.rules.board.boards import position, title_1824
from tests.titles.g1824.operating_positions import first_turn_of
from tests.titles.g1824.table import ADA, owned_table
from tests.titles.g1824.test_tile_laying import tiles_that_suit

TITLE = title_1824()
GOODS_TIME = title_1824("goods_time")


def clause_case(clause: pytest.MarkDecorator, *values: object) -> object:
    """One row of a table, marked with the clause it proves."""
    return pytest.param(*values, id=clause.args[0], marks=clause)


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


def home_of(symbol: str) -> CityId | None:
    """Where the company has its token when its first turn has begun; None where it never gets one of its own."""
    kind = cards_of(TITLE)[symbol].kind
    if kind in (COAL, PRE_STATE):
        return one(owned_table({symbol: ADA}).tokens(symbol))
    return one(first_turn_of(symbol).tokens(symbol)) if kind == REGIONAL else None


def one(cities: Iterable[CityId]) -> CityId:
    """The only one of these cities."""
    (city,) = cities
    return city


@pytest.mark.parametrize("names", NAMES)
def test_names_and_homes_of_companies(names: dict[str, tuple[str, str | None]]) -> None:
    """Clients are shown the rulebook's names, and the first token of a company comes to its printed home."""
    shown = {each.symbol: each.name for each in printed(TITLE).companies}
    homes = {symbol: home_of(symbol) for symbol in names}
    assert {symbol: (shown[symbol], home[0] if home else None) for symbol, home in homes.items()} == names


@pytest.mark.clause("1824/XIII.1-h")
def test_homes_by_city_of_wien_and_budapest() -> None:
    """SD1, KK1 and KK2 have the three cities of Wien in this order, UG1 the second of Budapest."""
    homes = {symbol: home_of(symbol) for symbol in ("SD1", "KK1", "KK2", "UG1")}
    assert homes == {"SD1": ("E12", 0), "KK1": ("E12", 1), "KK2": ("E12", 2), "UG1": ("F17", 1)}
    named = {
        "MS": "Brünn",
        "CL": "Lemberg",
        "SB": "Kronstadt",
        "SD2": "Graz",
        "SD3": "Innsbruck",
        "BK": "Prag",
    }
    hexes = {symbol: home[0] for symbol in named if (home := home_of(symbol))}
    assert {symbol: map_data(TITLE).hexes[hex_id].name for symbol, hex_id in hexes.items()} == named


def test_the_map_has_103_hexes() -> None:
    """Hexes by colour: 88 open, 4 mines, 11 red."""
    colours = [printed.face.colour for printed in map_data(TITLE).hexes.values()]
    assert {colour: colours.count(colour) for colour in set(colours)} == {"white": 88, "grey": 4, "red": 11}


def pieces(data: TitleData, tile: str) -> int:
    """How often the tile can lie on the map at the same time."""
    on_map: dict[str, LaidTile] = {}
    for hex_id in map_data(data).hexes:
        free = free_copies(data, on_map, tile)
        if not free:
            break
        on_map[hex_id] = LaidTile(tile, 0, free[0])
    return len(on_map)


@pytest.mark.clause("1824/TILES-a")
def test_number_of_tiles() -> None:
    """59 kinds of tiles, of which 143 can be laid."""
    counts = [pieces(TITLE, tile) for tile in map_data(TITLE).tiles]
    assert (len(counts), sum(counts)) == (59, 143)


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
    """Each colour has its tiles, and each can be laid as often as printed."""
    found = {
        each.id: pieces(TITLE, each.id)
        for each in map_data(TITLE).tiles.values()
        if each.face.colour == colour
    }
    assert found == {tile: int(count) for tile, count in (word.split("x") for word in counts.split())}


@pytest.mark.parametrize(
    ("hexes", "chain"),
    [
        (("A18", "C26", "E26", "I8"), ({"401", "447"}, {"405"}, {"497"}, {"494"})),
        (("E12",), ({"499"}, {"491"}, {"493"}, {"496"})),
        (("F17",), ({"498"}, {"490"}, {"126"}, {"495"})),
    ],
    ids=["T", "Wien", "Budapest"],
)
@pytest.mark.clause("1824/TILES-f")
def test_tiles_with_labels(hexes: tuple[str, ...], chain: tuple[set[str], ...]) -> None:
    """On T hexes, in Wien and in Budapest their own tiles alone can be laid, from yellow to grey."""
    for hex_id in hexes:
        below = ""
        for tiles in chain:
            here = position(TITLE, "MS", below, {}, phase="8")
            assert tiles_that_suit(here, hex_id) == tiles, hex_id
            below = f"{hex_id}:{min(tiles)}/0"


@pytest.mark.clause("1824/XII.1-a")
def test_goods_time_adds_17_tiles() -> None:
    """Goods Time adds pieces of seven tiles and three of a new one."""
    known = map_data(TITLE).tiles
    added = {
        tile: pieces(GOODS_TIME, tile) - (pieces(TITLE, tile) if tile in known else 0)
        for tile in map_data(GOODS_TIME).tiles
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
    """Nine markers on plain hexes: town tiles suit five of them, tiles with two towns two, and all other hexes what they did."""
    plain, marked = (position(data, "MS", tokens={}) for data in (TITLE, GOODS_TIME))
    free = [
        hex_id for hex_id, printed_hex in map_data(TITLE).hexes.items() if printed_hex.face.colour == "white"
    ]
    suits = {hex_id: tiles_that_suit(marked, hex_id) for hex_id in free}
    changed = {hex_id: tiles for hex_id, tiles in suits.items() if tiles != tiles_that_suit(plain, hex_id)}
    one_town, two_towns = {"3", "4", "58"}, {"1", "2", "55", "56", "69", "630", "631"}
    assert changed == {
        **dict.fromkeys(("B7", "C8", "C20", "C22", "H21"), one_town),
        **dict.fromkeys(("F25", "G24"), two_towns),
    }
    assert all(tiles_that_suit(plain, hex_id) == {"7", "8", "9"} for hex_id in changed)
