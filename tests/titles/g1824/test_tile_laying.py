"""Tile laying and upgrades on the map of 1824, clause by clause."""

import pytest

from services.rules.parts.map.board import LaidTile, free_copies
from services.rules.parts.map.data import map_data
from services.rules.parts.map.hexes import EDGES
from services.rules.parts.map.tilelay import (
    AllowedLay,
    Position,
    TileLay,
    TileReason,
    TileRejection,
    check_tile,
    legal_tiles,
)
from services.rules.titles.g1824.figures import cards_of
from tests.rules.board.boards import TokenDict, laid, position, title_1824

TITLE = title_1824()
GOODS_TIME = title_1824("goods_time")
LATE = "8"
KINDS = (
    TileReason.COLOUR_NOT_IN_PHASE,
    TileReason.COLOUR_STEP,
    TileReason.LABEL,
    TileReason.PLAIN_HEX_NEEDS_PLAIN_TILE,
    TileReason.TOWNS_DIFFER,
    TileReason.CITIES_DIFFER,
)


def reason(
    here: Position, hex_id: str, tile: str, rotation: int, copy: int | None = None
) -> TileReason | None:
    """Why the lay is refused, or None if it is allowed."""
    outcome = check_tile(here, TileLay(hex_id, tile, rotation, copy))
    return outcome.reason if isinstance(outcome, TileRejection) else None


def tiles_that_suit(here: Position, hex_id: str) -> set[str]:
    """The tiles that suit a hex by colour, label and stops, whichever way they lie."""
    return {tile for tile in map_data(here.title).tiles if reason(here, hex_id, tile, 0) not in KINDS}


def hexes_of(here: Position) -> set[str]:
    """The hexes on which the company may lay something."""
    return {lay.hex for lay, _ in legal_tiles(here)}


@pytest.mark.clause("1824/VII.6-a")
def test_grey_and_red_hexes_are_never_built_on() -> None:
    """Every tile is refused on every mine and red hex, in the last phase too."""
    here = position(TITLE, "EPP", phase=LATE)
    fixed = [hex_id for hex_id, at in map_data(TITLE).hexes.items() if at.face.colour in ("red", "grey")]
    assert len(fixed) == 15
    for hex_id in fixed:
        assert {reason(here, hex_id, tile, 0) for tile in map_data(TITLE).tiles} == {TileReason.HEX_FIXED}


@pytest.mark.clause("1824/VII.6-b", "1824/VII.7-a")
def test_first_tile_is_yellow_also_on_wien_and_budapest() -> None:
    """Without a tile a hex takes yellow only; a yellow tile never replaces a tile."""
    for company, yellow, green in (("MS", "57", "14"), ("SD1", "499", "491"), ("UG1", "498", "490")):
        here = position(TITLE, company, phase=LATE)
        home = cards_of(TITLE)[company].home
        assert home is not None
        assert any(reason(here, home.hex, yellow, turn) is None for turn in EDGES)
        assert {reason(here, home.hex, green, turn) for turn in EDGES} == {TileReason.COLOUR_STEP}
    built = position(TITLE, "MS", "C12:57/0", phase=LATE)
    assert {reason(built, "C12", tile, 0) for tile in ("5", "6", "57")} == {TileReason.COLOUR_STEP}


@pytest.mark.clause("1824/VII.14-b", "1824/VII.14-d", "1824/VII.14-i", "1824/VII.14-m")
def test_colours_come_with_the_phases() -> None:
    """Green from the 3-train, brown from the 5-train, grey from the 8-train."""
    steps = {"14": ("57", "2", "3"), "611": ("15", "4", "5"), "494": ("497", "6", "8")}
    for tile, (old, too_early, in_time) in steps.items():
        hex_id = "A18" if tile == "494" else "C12"
        for phase, expected in ((too_early, True), (in_time, False)):
            tokens: TokenDict = {(hex_id, 0): ("MS",)}
            here = position(TITLE, "MS", f"{hex_id}:{old}/4", tokens, phase)
            assert (reason(here, hex_id, tile, 4) == TileReason.COLOUR_NOT_IN_PHASE) is expected


@pytest.mark.clause("1824/VII.6-c")
def test_first_tile_goes_on_the_home_hex() -> None:
    """A company with only its base lays there, unless the base is Wien, Budapest, a mine or has a tile."""
    for company in ("MS", "BK", "CL", "SB", "SD2", "SD3", "UG2"):
        home = cards_of(TITLE)[company].home
        assert home is not None
        assert hexes_of(position(TITLE, company)) == {home.hex}
    assert hexes_of(position(TITLE, "SD1")) == {"E12", "F11"}
    assert hexes_of(position(TITLE, "UG1")) == {"F17", "E18"}
    assert "C12" not in hexes_of(position(TITLE, "MS", "C12:57/2"))


@pytest.mark.clause("1824/VII.6-d")
def test_first_tile_must_join_an_own_token() -> None:
    """Track must lead from a token to the new tile, not through a city that others block."""
    line = "C12:57/2 D13:9/2 E14:57/2"
    tokens: TokenDict = {("C12", 0): ("MS",)}
    here = position(TITLE, "MS", line, tokens)
    assert reason(here, "F15", "9", 2) is None
    assert reason(here, "F15", "9", 1) == TileReason.NOT_CONNECTED
    assert reason(here, "H9", "9", 1) == TileReason.NOT_CONNECTED
    blocked = position(TITLE, "MS", line, {**tokens, ("E14", 0): ("BK",)})
    assert reason(blocked, "F15", "9", 2) == TileReason.NOT_CONNECTED
    assert reason(position(TITLE, "MS", "C12:57/2"), "D13", "9", 2) is None


@pytest.mark.clause("1824/VII.6-e")
def test_coal_company_builds_from_the_two_exits_of_its_mine() -> None:
    """Its first tile lies on one of the two hexes its mine points to and takes up the arrow."""
    ways = {
        "EPP": {("B5", 5), ("B7", 0)},
        "EOD": {("A10", 4), ("B13", 2)},
        "MLB": {("A20", 4), ("B23", 2)},
        "SPB": {("H23", 4), ("G26", 0)},
    }
    for company, expected in ways.items():
        lays = [lay for lay, _ in legal_tiles(position(TITLE, company))]
        assert {lay.hex for lay in lays} == {hex_id for hex_id, _ in expected}
        for lay in lays:
            exits = map_data(TITLE).faces[lay.tile, lay.rotation].exits
            assert any(lay.hex == hex_id and edge in exits for hex_id, edge in expected)


@pytest.mark.clause("1824/VII.6-f", "1824/VII.6-h", "1824/VII.6-i", "1824/VII.6-j", "1824/VII.6-k")
def test_first_tile_suits_the_kind_of_hex() -> None:
    """Open country, one town, two towns, city, T, Wien and Budapest each take their own tiles only."""
    here = position(TITLE, "MS", phase=LATE)
    by_kind = {
        ("", ()): {"7", "8", "9"},
        ("", ("town",)): {"3", "4", "58"},
        ("", ("town", "town")): {"1", "2", "55", "56", "69", "630", "631"},
        ("", ("city",)): {"5", "6", "57"},
        ("T", ("city",)): {"401", "447"},
        ("W", ("city", "city", "city")): {"499"},
        ("Bu", ("city", "city")): {"498"},
    }
    seen = set()
    for hex_id, at in map_data(TITLE).hexes.items():
        if at.face.colour == "white":
            kind = (at.face.label, tuple(stop.kind for stop in at.face.stops))
            assert tiles_that_suit(here, hex_id) == by_kind[kind], hex_id
            seen.add(kind)
    assert seen == set(by_kind)


@pytest.mark.clause("1824/VII.6-g")
def test_two_towns_need_one_track_that_joins() -> None:
    """On a hex with two towns one of the two tracks must join an own token; the other may lie free."""
    lays = [lay for lay, _ in legal_tiles(position(TITLE, "EOD")) if lay.hex == "B13"]
    assert {lay.tile for lay in lays} <= {"1", "2", "55", "56", "69", "630", "631"}
    assert {lay.tile for lay in lays} >= {"1", "55"}
    assert all(2 in map_data(TITLE).faces[lay.tile, lay.rotation].exits for lay in lays)


@pytest.mark.clause("1824/XII.2-d")
def test_marked_hexes_are_town_hexes_in_goods_time() -> None:
    """A hex with one marker takes tiles with one town, one with two markers tiles with two."""
    here = position(GOODS_TIME, "MS")
    assert tiles_that_suit(here, "B7") == {"3", "4", "58"}
    assert tiles_that_suit(here, "F25") == {"1", "2", "55", "56", "69", "630", "631"}
    assert tiles_that_suit(position(TITLE, "MS"), "B7") == {"7", "8", "9"}


@pytest.mark.clause("1824/VII.6-m")
def test_track_never_runs_off_the_map() -> None:
    """No lay with an exit to where there is no hex is allowed, on any hex of the map."""
    here = position(TITLE, "EPP")
    assert reason(here, "A8", "4", 0) == TileReason.RUNS_OFF_THE_MAP
    for hex_id, at in map_data(TITLE).hexes.items():
        if at.face.colour == "white" and not at.face.stops:
            for turn in EDGES:
                off = any(
                    map_data(TITLE).neighbours[hex_id][edge] is None
                    for edge in map_data(TITLE).faces["8", turn].exits
                )
                assert (reason(here, hex_id, "8", turn) == TileReason.RUNS_OFF_THE_MAP) is off


@pytest.mark.clause("1824/VII.6-n")
def test_track_never_runs_into_a_side_without_arrow() -> None:
    """C8 lies beside the mine C6, which has no arrow on that side; B7 lies at an arrow."""
    here = position(TITLE, "BK", "B9:57/2 C8:9/0", {("B9", 0): ("BK",)})
    assert reason(position(TITLE, "EPP"), "C8", "9", 1) == TileReason.RUNS_INTO_CLOSED_SIDE
    assert reason(position(TITLE, "EPP"), "B7", "9", 0) is None
    assert reason(here, "B7", "9", 0) == TileReason.NOT_CONNECTED


@pytest.mark.clause("1824/VII.6-o")
def test_neighbouring_track_need_not_be_met() -> None:
    """Track may end at the blank side of a laid neighbour, if the tile is joined elsewhere."""
    here = position(TITLE, "MS", "C12:57/2 E14:57/0", {("C12", 0): ("MS",)})
    assert 2 not in map_data(TITLE).faces["57", 0].exits
    assert reason(here, "D13", "9", 2) is None


@pytest.mark.clause("1824/VII.6-p")
def test_first_tile_keeps_the_printed_track_of_wien_and_budapest() -> None:
    """Wien's tile lies one way only, Budapest's four ways; all others break a printed exit."""
    wien = position(TITLE, "SD1")
    assert [turn for turn in EDGES if reason(wien, "E12", "499", turn) is None] == [0]
    budapest = position(TITLE, "UG1")
    assert [turn for turn in EDGES if reason(budapest, "F17", "498", turn) is None] == [0, 1, 3, 4]
    assert reason(budapest, "F17", "498", 2) == TileReason.TRACK_NOT_KEPT


@pytest.mark.clause("1824/VII.6-q")
def test_tokens_keep_their_city_and_merge_in_order() -> None:
    """On all tiles of Wien each token stays at its exits; merged cities line up their tokens in order."""
    tokens: TokenDict = {("E12", 0): ("SD1",), ("E12", 1): ("KK1",), ("E12", 2): ("KK2",)}
    steps = [
        ("", "499", 0, "2", tokens),
        ("E12:499/0", "491", 0, "3", tokens),
        ("E12:491/0", "493", 0, "5", {("E12", 0): ("SD1",), ("E12", 1): ("KK1", "KK2", "")}),
    ]
    for tiles, tile, turn, phase, expected in steps:
        outcome = check_tile(position(TITLE, "SD1", tiles, tokens, phase), TileLay("E12", tile, turn))
        assert isinstance(outcome, AllowedLay)
        assert outcome.tokens == expected
    last = position(TITLE, "SD1", "E12:493/0", {("E12", 0): ("SD1",), ("E12", 1): ("", "KK2", "KK1")}, LATE)
    outcome = check_tile(last, TileLay("E12", "496", 3))
    assert isinstance(outcome, AllowedLay)
    assert outcome.tokens == {("E12", 0): ("SD1", "KK2", "KK1", "")}
    turned = check_tile(position(TITLE, "UG1"), TileLay("F17", "498", 3))
    assert isinstance(turned, AllowedLay)
    assert turned.tokens == {("F17", 0): ("UG1",)}


@pytest.mark.clause("1824/VII.7-b")
def test_any_joined_track_is_enough_for_an_upgrade() -> None:
    """By the rulebook old track that is joined suffices; the other ruling wants new track or a new value."""
    # Junction tile 23 on D13: joined over its old straight, its new arm points away from Brünn's side.
    tiles = "C12:57/2 D13:9/2"
    tokens: TokenDict = {("C12", 0): ("MS",)}
    lay = TileLay("D13", "23", 5)
    free = position(TITLE, "MS", tiles, tokens, "3")
    strict = position(TITLE, "MS", tiles, tokens, "3", "new_track_or_value")
    assert isinstance(check_tile(free, lay), AllowedLay)
    assert reason(strict, "D13", "23", 5) == TileReason.NO_NEW_TRACK_OR_VALUE
    assert reason(strict, "D13", "23", 2) is None
    stranger = position(TITLE, "BK", tiles, {**tokens, ("B9", 0): ("BK",)}, "3")
    assert reason(stranger, "D13", "23", 5) == TileReason.UPGRADE_NOT_CONNECTED


def test_new_value_is_enough_under_the_stricter_ruling() -> None:
    """A city that becomes worth more may be upgraded though its new track is not reached."""
    tokens: TokenDict = {("C12", 0): ("MS",), ("E14", 0): ("BK",)}
    tiles = "C12:57/2 D13:9/2 E14:57/2"
    here = position(TITLE, "MS", tiles, tokens, "3", "new_track_or_value")
    assert reason(here, "E14", "14", 1) is None


@pytest.mark.clause("1824/VII.7-c", "1824/VII.7-e")
def test_upgrade_keeps_all_track() -> None:
    """Rotations that drop an exit or part of the old track are refused, and stops keep all connections."""
    here = position(TITLE, "MS", "C12:57/2", phase="3")
    for turn in EDGES:
        kept = {2, 5} <= map_data(TITLE).faces["14", turn].exits
        assert reason(here, "C12", "14", turn) == (None if kept else TileReason.TRACK_NOT_KEPT)
    crossing = position(TITLE, "MS", "C12:57/2 D13:20/2", {("C12", 0): ("MS",)}, "5")
    assert reason(crossing, "D13", "46", 2) == TileReason.TRACK_NOT_KEPT


@pytest.mark.clause("1824/VII.7-d", "1824/VII.7-e", "1824/VII.7-j")
def test_upgrades_of_each_tile() -> None:
    """Each tile has just these successors; the upgrade chart as recovered from the tiles themselves."""
    found = {
        old: {new for new in map_data(TITLE).tiles if any(_follows(old, new, turn) for turn in EDGES)}
        for old in map_data(TITLE).tiles
    }
    expected = {old: set(news.split()) for old, news in UPGRADES.items()}
    assert {old: news for old, news in found.items() if news} == expected


def _follows(old: str, new: str, turn: int) -> bool:
    """May the new tile replace the old one, surroundings and connection left aside?"""
    here = position(TITLE, "MS", {"G14": LaidTile(old, 0, 0)}, {("G14", 0): ("MS",)}, LATE)
    return reason(here, "G14", new, turn) in (
        None,
        TileReason.UPGRADE_NOT_CONNECTED,
        TileReason.RUNS_OFF_THE_MAP,
        TileReason.RUNS_INTO_CLOSED_SIDE,
    )


UPGRADES = {
    "3": "87 88",
    "4": "87 88",
    "5": "14 15 619",
    "6": "14 15 619",
    "7": "18 26 27 28 29 30 31",
    "8": "16 17 19 23 24 25 28 29 30 31",
    "9": "18 19 20 23 24 26 27",
    "14": "611",
    "15": "611",
    "16": "43 70",
    "17": "47",
    "18": "43",
    "19": "45 46",
    "20": "44 47",
    "23": "41 43 45 47",
    "24": "42 43 46 47",
    "25": "40 45 46",
    "26": "42 44 45",
    "27": "41 44 46",
    "28": "39 43 46 70",
    "29": "39 43 45 70",
    "30": "42 70",
    "31": "41 70",
    "57": "14 15 619",
    "58": "87 88",
    "126": "495",
    "401": "405",
    "405": "497",
    "447": "405",
    "490": "126",
    "491": "493",
    "493": "496",
    "497": "494",
    "498": "490",
    "499": "491",
    "619": "611",
}


@pytest.mark.clause("1824/VII.7-f")
def test_upgrade_adds_token_spaces() -> None:
    """The token of a yellow city stands in the first of two spaces of the green tile."""
    outcome = check_tile(position(TITLE, "MS", "C12:57/2", phase="3"), TileLay("C12", "14", 1))
    assert isinstance(outcome, AllowedLay)
    assert outcome.tokens == {("C12", 0): ("MS", "")}


@pytest.mark.clause("1824/VII.7-g")
def test_city_with_a_free_space_is_built_through() -> None:
    """Another company's city lets the builder through while it has a free space."""
    tokens: TokenDict = {("C12", 0): ("MS",), ("E14", 0): ("BK", "")}
    tiles = "C12:57/2 D13:9/2 E14:14/2"
    assert reason(position(TITLE, "MS", tiles, tokens), "F15", "9", 2) is None
    tokens["E14", 0] = ("BK", "CL")
    assert reason(position(TITLE, "MS", tiles, tokens), "F15", "9", 2) == TileReason.NOT_CONNECTED


@pytest.mark.clause("1824/VII.7-h")
def test_replaced_tile_can_be_used_again() -> None:
    """The only piece of a tile is free again once another tile has replaced it."""
    before = laid("D13:16/0")
    assert free_copies(TITLE, before, "16") == ()
    assert free_copies(TITLE, {**before, "D13": LaidTile("43", 0, 0)}, "16") == (0,)
    used_up = " ".join(f"{hex_id}:401/0" for hex_id in ("A18", "C26", "E26"))
    here = position(TITLE, "MS", used_up, {("I8", 0): ("MS",)})
    assert reason(here, "I8", "401", 3) == TileReason.TILE_USED_UP
    assert reason(position(TITLE, "MS", "A18:401/4", {("I8", 0): ("MS",)}), "I8", "401", 3, 0) == (
        TileReason.COPY_NOT_FREE
    )


def test_names_that_do_not_exist_are_refused() -> None:
    """Unknown hex, tile and rotation have their own reasons."""
    here = position(TITLE, "MS")
    assert reason(here, "Z99", "57", 0) == TileReason.HEX_UNKNOWN
    assert reason(here, "C12", "12345", 0) == TileReason.TILE_UNKNOWN
    assert reason(here, "C12", "57", 6) == TileReason.ROTATION_UNKNOWN


def test_each_reason_about_rules_names_its_clause() -> None:
    """Every reason but those about unknown names has a clause in the data of 1824."""
    named = {TileReason.HEX_UNKNOWN, TileReason.TILE_UNKNOWN, TileReason.ROTATION_UNKNOWN}
    assert {reason.value for reason in TileReason if reason not in named} <= set(
        map_data(TITLE).figures.tile_clauses
    )
    refusal = check_tile(position(TITLE, "MS"), TileLay("E12", "57", 0))
    assert isinstance(refusal, TileRejection)
    assert (refusal.reason, refusal.clause) == (TileReason.LABEL, "1824/VII.6-j")
