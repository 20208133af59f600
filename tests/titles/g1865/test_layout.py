"""What a layout of 1865 must have so that every clause can be played: twelve requirements."""

from __future__ import annotations

import re
import tomllib
from collections import Counter

import pytest

from services.rules.kernel.titlebuild import build_title
from services.rules.parts.map.data import map_data
from services.rules.parts.map.tiles import Face
from services.rules.titles.g1865.figures import SCHEMA, figures_of, phases_of, railway_cards
from services.rules.titles.g1865.maritime import maritime_cards
from tests.titles.g1865.layouts import (
    FOLDER,
    HOUSE,
    LAYOUTS,
    MIRRORED,
    around,
    documents,
    hex_named,
    hexes_with,
    islands,
    kind_of_hex,
    layout,
    mirrored,
    sides_of,
    values_of,
    ways_between,
)

LETTERS = ("B", "C", "N", "O", "P", "S")
WITHOUT_TILE = ("FCS", "SFS")
LONGEST_WAY = 9

on_every_layout = pytest.mark.parametrize("name", LAYOUTS)


def homes(name: str) -> dict[str, str]:
    """The home of each railway."""
    return {
        symbol: card.home.hex for symbol, card in railway_cards(layout(name)).items() if card.home is not None
    }


def destinations(name: str) -> dict[str, str]:
    """The destination of each railway."""
    cards = railway_cards(layout(name)).items()
    return {symbol: card.destination.hex for symbol, card in cards if card.destination is not None}


@on_every_layout
@pytest.mark.clause("1865/1-a")
def test_1_two_islands_joined_by_sea(name: str) -> None:
    """Without its sides at sea the map is two islands; the short game leaves out the northern one with CFC and CFD."""
    data = layout(name)
    north, south = islands(data)
    assert len(islands(data, without="")) == 1
    short = layout(name, "short_game")
    assert set(map_data(short).hexes) == south
    assert railway_cards(data).keys() - railway_cards(short).keys() == {"CFC", "CFD"}
    for symbol in ("CFC", "CFD"):
        assert {homes(name)[symbol], destinations(name)[symbol]} <= north


@on_every_layout
def test_2_homes_with_and_without_tile(name: str) -> None:
    """Eight homes in eight cities; those of FCS and SFS have no tile and get 2 traffic from the first one, the others begin
    with some."""
    data = layout(name)
    assert len(set(homes(name).values())) == 8
    for symbol, hex_id in homes(name).items():
        shown = map_data(data).hexes[hex_id].face
        assert shown.stops[0].kind == "city"
        bare = symbol in WITHOUT_TILE
        assert bool(shown.paths) is not bare
        assert (shown.stops[0].value("traffic") == 0) is bare
    assert values_of(map_data(data).tiles)["yellow"] == {2}


@on_every_layout
def test_3_destinations_need_track(name: str) -> None:
    """Each destination is another city than the home and needs two tiles at least; on the way to one of them lies a city."""
    data, cut_off = layout(name), []
    for symbol, goal in destinations(name).items():
        home = homes(name)[symbol]
        assert goal != home
        assert kind_of_hex(data, goal) == "city"
        ways = list(ways_between(data, home, goal, LONGEST_WAY))
        bare = [sum(not map_data(data).hexes[hex_id].face.paths for hex_id in way) for way in ways]
        assert min(bare) >= 2, symbol
        if any(kind_of_hex(data, hex_id) == "city" for hex_id in _straight(name, home, goal)):
            cut_off.append(symbol)
    assert len(set(destinations(name).values())) == 8
    assert cut_off


def _straight(name: str, start: str, goal: str) -> set[str]:
    """The hexes, beside the ends, of all shortest ways over land, whatever is there."""
    data = layout(name)

    def distances(begin: str) -> dict[str, int]:
        known, ring = {begin: 0}, [begin]
        while ring:
            ring = sorted({other for each in ring for other in around(data, each)} - known.keys())
            known |= dict.fromkeys(ring, max(known.values()) + 1)
        return known

    there, back = distances(start), distances(goal)
    return {each for each in there if there[each] + back[each] == there[goal]} - {start, goal}


@on_every_layout
@pytest.mark.clause("1865/1-c")
def test_4_letters_and_places_of_their_own(name: str) -> None:
    """Six cities have letters, each with tiles of its own in two colours at least; #63, the brown K city and the brown K town
    have their places, and there are others where they may not lie."""
    data = layout(name)
    board = map_data(data)
    lettered = {each.face.label for each in board.hexes.values() if each.face.label}
    assert lettered == set(LETTERS)
    for letter in LETTERS:
        assert len(values_of(board.tiles, letter)) >= 2
    kept_for = {
        "63": {hex_named(data, "Isili")},
        "448": {hex_named(data, "Arbatax")},
        "146": {hex_named(data, "Alghero"), hex_named(data, "Tempio")},
    }
    assert {tile.id: set(tile.only_at) for tile in board.tiles.values() if tile.only_at} == kept_for
    for tile, places in kept_for.items():
        kind = board.tiles[tile].face.stops[0].kind
        others = {each.id for each in hexes_with(data, kind) if not each.face.label} - places
        assert others


@on_every_layout
@pytest.mark.clause("1865/1-b")
@pytest.mark.clause("1865/5.3-c")
def test_5_mines_and_their_district(name: str) -> None:
    """Eight mines with one slot, three of them the district, two of which lie beside each other; yields 2, 1 and 0 by colour."""
    data = layout(name)
    mines = {each.id: each.face for each in hexes_with(data, "mine")}
    assert len(mines) == 8
    assert all(face.stops[0].slots == 1 for face in mines.values())
    district = figures_of(data).district
    assert len(district) == 3
    assert set(district) <= mines.keys()
    assert any(set(around(data, one)).intersection(district) for one in district)
    colours = {(face.colour, face.stops[0].value("traffic")) for face in mines.values()}
    tiles = map_data(data).tiles.values()
    reduced = [tile for tile in tiles if any(stop.kind == "mine" for stop in tile.face.stops)]
    colours |= {(tile.face.colour, tile.face.stops[0].value("traffic")) for tile in reduced}
    assert colours == {("yellow", 2), ("green", 1), ("brown", 0)}
    assert all(tile.count == 8 for tile in reduced)


@on_every_layout
@pytest.mark.clause("1865/1-n")
def test_6_ports(name: str) -> None:
    """Eight sea companies at cities, Cagliari among them, but Carbonia's is at its three mines."""
    data = layout(name)
    ports = {card.title: set(card.ports) for card in maritime_cards(data).values()}
    assert len(maritime_cards(data)) == 8
    assert ports.pop("Carbonia") == set(figures_of(data).district)
    assert ports["Cagliari"] == {hex_named(data, "Cagliari")}
    for hexes in ports.values():
        assert [kind_of_hex(data, hex_id) for hex_id in hexes] == ["city"]
    short = maritime_cards(layout(name, "short_game"))
    assert len(short) == 6


@on_every_layout
def test_7_three_kinds_of_hexsides(name: str) -> None:
    """Plain, river and mountain cost 10, 40 and 60. Two cities are joined by ways of different cost and traffic, and some way
    crosses all three kinds."""
    data = layout(name)
    costs = figures_of(data).token_cost
    assert (costs["plain"], costs["river"], costs["mountain"]) == (10, 40, 60)
    home, goal = homes(name)["SFSS"], destinations(name)["SFSS"]
    ways = list(ways_between(data, home, goal, 6))
    worth = {
        (
            sum(costs[side] for side in sides_of(data, way)),
            sum(kind_of_hex(data, each) == "town" for each in way),
        )
        for way in ways
    }
    better = [(one, other) for one in worth for other in worth if one[0] < other[0] and one[1] < other[1]]
    assert better, worth
    assert any({"plain", "river", "mountain"} <= set(sides_of(data, way)) for way in ways)


@on_every_layout
@pytest.mark.clause("1865/5.1-h")
def test_8_towns_have_traffic_of_their_own(name: str) -> None:
    """Towns lie on the ways between cities; their tiles show traffic, more in later colours."""
    data = layout(name)
    assert len(hexes_with(data, "town")) > len(hexes_with(data, "city"))
    by_colour: dict[str, set[int]] = {}
    for tile in map_data(data).tiles.values():
        for stop in tile.face.stops:
            if stop.kind == "town":
                by_colour.setdefault(tile.face.colour, set()).add(stop.value("traffic"))
    assert by_colour == {"yellow": {1}, "green": {2}, "brown": {3}}
    ways = ways_between(data, homes(name)["RCSF"], destinations(name)["RCSF"], 7)
    assert any(kind_of_hex(data, hex_id) == "town" for way in ways for hex_id in way)


@on_every_layout
def test_9_cities_with_one_slot_and_with_several(name: str) -> None:
    """Printed cities and tiles have one slot or more; some homes are full from the start, and two railways can be at home near
    each other and share a city."""
    data = layout(name)
    slots = {each.face.stops[0].slots for each in hexes_with(data, "city")}
    assert slots == {1, 2}
    on_tiles = {
        stop.slots
        for tile in map_data(data).tiles.values()
        for stop in tile.face.stops
        if stop.kind == "city"
    }
    assert on_tiles == {1, 2, 3, 4}
    full = [
        symbol
        for symbol, hex_id in homes(name).items()
        if map_data(data).hexes[hex_id].face.stops[0].slots == 1
    ]
    assert len(full) >= 4
    shared = map_data(data).hexes[destinations(name)["FMS"]].face.stops[0]
    assert destinations(name)["FMS"] == homes(name)["RCSF"]
    assert shared.slots >= 2


@on_every_layout
@pytest.mark.clause("1865/5.1-e")
@pytest.mark.clause("1865/5.1-f")
def test_10_upgrades_of_both_sorts(name: str) -> None:
    """Each lettered city gains traffic with every colour up to grey; a tile of the same colour keeps the track of another and
    has a slot more, which frees a connection that a full city blocked."""
    data = layout(name)
    board = map_data(data)
    for letter in LETTERS:
        printed = next(each.face for each in board.hexes.values() if each.face.label == letter)
        values = values_of(board.tiles, letter)
        rising = [
            printed.stops[0].value("traffic"),
            *(max(values[colour]) for colour in ("green", "brown", "grey")),
        ]
        assert rising == sorted(set(rising)), letter
    assert _keeps(board.tiles["205"].face, board.tiles["14"].face)
    assert (board.tiles["205"].face.stops[0].slots, board.tiles["14"].face.stops[0].slots) == (1, 2)
    assert board.tiles["205"].face.colour == board.tiles["14"].face.colour


def _keeps(old: Face, new: Face) -> bool:
    return set(old.paths) <= set(new.paths)


@on_every_layout
@pytest.mark.clause("1865/1-j")
def test_11_enough_traffic_and_not_too_much(name: str) -> None:
    """Seven tokens reach more traffic than the largest train covers; all that is printed is less than the chips of the box."""
    data = layout(name)
    chips = 440
    best = Counter({each.id: _most(name, each.id) for each in hexes_with(data, "city")})
    reached = sum(value for _, value in best.most_common(figures_of(data).major_tokens))
    assert reached > 35
    towns = 3 * len(hexes_with(data, "town"))
    assert sum(best.values()) + towns + 2 * len(hexes_with(data, "mine")) < chips


def _most(name: str, hex_id: str) -> int:
    """The most traffic that a tile on this city shows."""
    board = map_data(layout(name))
    label = board.hexes[hex_id].face.label
    return max(max(values) for values in values_of(board.tiles, label).values())


@pytest.mark.clause("1865/1-k")
def test_12_tiles_of_the_library() -> None:
    """Numbered tiles have the shape that other titles' files give them; lettered ones belong to a letter; counts add up to what
    the box is said to hold."""
    tiles = map_data(layout(HOUSE)).tiles
    known: dict[str, dict[str, object]] = {}
    for other in ("g1824", "g1862"):
        for entry in tomllib.loads((FOLDER.parent / other / "tiles.toml").read_text(encoding="utf-8"))[
            "tiles"
        ]:
            known[entry["id"]] = entry
    for tile in tiles.values():
        if tile.id in known:
            assert _shape(tile.face) == _written_shape(known[tile.id]), tile.id
        else:
            assert tile.id.isdecimal() or re.fullmatch(rf"[{''.join(LETTERS)}][234]|M[GB]", tile.id)
    assert sum(tile.id in known for tile in tiles.values()) >= 30
    assert sum(tile.count for tile in tiles.values()) == 171
    assert {colour for phase in phases_of(layout(HOUSE)).values() for colour in phase.tiles} == {
        "yellow",
        "green",
        "brown",
        "grey",
    }


def _shape(face: Face) -> tuple[str, list[str]]:
    joined = [
        "-".join([str(end.edge) for end in path.edges] + ([f"s{path.stop}"] if path.stop is not None else []))
        for path in face.paths
    ]
    return face.colour, sorted(joined)


def _written_shape(entry: dict[str, object]) -> tuple[str, list[str]]:
    track = entry["track"]
    assert isinstance(track, list)
    return str(entry["colour"]), sorted(track)


def test_the_layout_says_what_it_is() -> None:
    """The label is in the data, with and without Corsica, and at the head of the file of the map."""
    for variants in ((), ("short_game",)):
        assert "not the published board" in layout(HOUSE, *variants).header.layout
    assert "HOUSE LAYOUT, not the published board" in (FOLDER / "board.toml").read_text(encoding="utf-8")


@pytest.mark.clause("1865/5.1-j")
@pytest.mark.clause("1865/5.1-k")
@pytest.mark.clause("1865/5.1-l")
@pytest.mark.clause("1865/5.1-m")
def test_tiles_of_a_place_fit_there() -> None:
    """One after the other the tiles of a letter can lie in its city, with the track there was and none that leaves the map; so
    can the brown tiles that have places of their own, over some green one."""
    board = map_data(layout(HOUSE))
    for letter in LETTERS:
        hex_id = next(each.id for each in board.hexes.values() if each.face.label == letter)
        lying = [board.hexes[hex_id].face]
        for number in (2, 3, 4):
            lying = _fitting(hex_id, lying, [f"{letter}{number}"])
            assert lying, (letter, number)
    for tile in board.tiles.values():
        for hex_id in tile.only_at:
            kind = tile.face.stops[0].kind
            sorts = {
                colour: [
                    each.id
                    for each in board.tiles.values()
                    if each.face.colour == colour and not each.face.label and _kind(each.face) == kind
                ]
                for colour in ("yellow", "green")
            }
            green = _fitting(
                hex_id, _fitting(hex_id, [board.hexes[hex_id].face], sorts["yellow"]), sorts["green"]
            )
            assert _fitting(hex_id, green, [tile.id]), (tile.id, hex_id)


def _kind(face: Face) -> str:
    return face.stops[0].kind if face.stops else ""


def _fitting(hex_id: str, lying: list[Face], tiles: list[str]) -> list[Face]:
    """How these tiles can lie on the hex over one of those that lie there."""
    board = map_data(layout(HOUSE))
    turned = [board.faces[tile, turn] for tile in tiles for turn in range(6)]
    on_map = [
        face for face in turned if all(board.neighbours[hex_id][edge] is not None for edge in face.exits)
    ]
    return [face for face in on_map if any(_keeps(old, face) for old in lying)]


def test_another_layout_stands_beside_the_first_as_an_option() -> None:
    """With parts of files alone, and no line of code, a table can choose another board, its tiles, homes and ports."""
    both, other = documents(), mirrored()
    name = "another_board"
    both["title"]["options"].append({"name": name, "description": "Another board.", "clause": "1865/1-a"})
    both["title"]["variants"][name] = {
        "layout": other["title"]["layout"],
        "figures": {"district": other["title"]["figures"]["district"]},
    }
    for file, table, keys in (
        ("board", "hexes", ("at",)),
        ("tiles", "tiles", ("id",)),
        ("companies", "companies", ("symbol",)),
        ("maritime", "maritime", ("name",)),
    ):
        names = [entry[keys[0]] for entry in both[file][table]]
        part = {"without": {table: names}, table: other[file][table]}
        both[file].setdefault("variants", {})[name] = part
    chosen = build_title(SCHEMA, both, (name,))
    assert chosen.header.layout == "another layout"
    assert map_data(chosen).hexes == map_data(layout(MIRRORED)).hexes
    assert map_data(chosen).sides == map_data(layout(MIRRORED)).sides
    assert railway_cards(chosen) == railway_cards(layout(MIRRORED))
    assert maritime_cards(chosen) == maritime_cards(layout(MIRRORED))
    assert build_title(SCHEMA, both).header.layout == layout(HOUSE).header.layout
