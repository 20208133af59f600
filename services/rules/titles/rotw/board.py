"""The layout: hexes with their terrain, ridges between them, and cities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final, Literal, get_args

from msgspec import Struct

from services.rules.kernel.conversion import Converter
from services.rules.kernel.titlebuild import Documents, Reader, SectionReader
from services.rules.kernel.titledata import Header, Section, TitleData
from services.rules.parts.map.hexes import EDGES, neighbour, opposite

PART: Final = "rotw"
LayoutName = Literal["eastern", "small"]
LAYOUTS: Final[tuple[LayoutName, ...]] = get_args(LayoutName)
ORIENTATION: Final = "pointed"

Terrain = Literal["open", "water", "mountain", "city"]
Good = Literal["red", "blue", "yellow", "purple", "black"]
CityColour = Literal["red", "blue", "yellow", "purple", "black", "grey"]
GOODS: Final[tuple[Good, ...]] = ("red", "blue", "yellow", "purple", "black")

_TERRAIN: Final[Mapping[str, Terrain]] = {".": "open", "~": "water", "^": "mountain", "o": "city"}


class City(Struct, frozen=True, forbid_unknown_fields=True):
    """A city as printed: it takes goods of its colour, begins with so many `cubes`, and so many links may end in it."""

    at: str
    name: str
    colour: CityColour
    cubes: int
    exits: int


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    """What title.toml says of the board: which of the layouts is in play."""

    layout: LayoutName


class Layout(Struct, frozen=True, forbid_unknown_fields=True):
    """A file with a layout; the comment at the top of eastern.toml explains it."""

    rows: tuple[str, ...]
    ridges: tuple[str, ...]
    cities: tuple[City, ...]


class Board(Section, frozen=True, eq=False):
    """Everything that is printed on the board, `layout` as its file has it. `neighbours`: the hexes around a hex, by edge;
    `ridges`: (hex, edge), both sides of each; `by_hex`: the cities by hex, `cities` by name."""

    PART: ClassVar[str] = PART

    layout: Layout
    terrain: dict[str, Terrain]
    neighbours: dict[str, tuple[str | None, ...]]
    ridges: frozenset[tuple[str, int]]
    cities: dict[str, City]
    by_hex: dict[str, City]


_LAYOUT: Final = Converter(Layout)
_TABLE: Final = Converter(_Table)


def board_of(data: TitleData) -> Board:
    """The board of the table."""
    found: Board = data.sections[PART]
    return found


def _read(reader: Reader, documents: Documents, header: Header) -> Board | None:
    table = reader.convert(header.parts.get(PART, {}), _TABLE, f"title.toml: parts.{PART}")
    if table is None:
        return None
    layout = reader.convert(documents[table.layout], _LAYOUT, f"{table.layout}.toml")
    if layout is None:
        return None
    terrain = {
        _hex_at(row, place): _TERRAIN[sign]
        for row, signs in enumerate(layout.rows)
        for place, sign in enumerate(signs)
        if sign in _TERRAIN
    }
    neighbours = {each: tuple(_on_board(terrain, each, edge) for edge in EDGES) for each in terrain}
    return Board(
        layout=layout,
        terrain=terrain,
        neighbours=neighbours,
        ridges=frozenset(_ridges(layout)),
        cities={city.name: city for city in layout.cities},
        by_hex={city.at: city for city in layout.cities},
    )


def _hex_at(row: int, place: int) -> str:
    return f"{chr(ord('A') + row)}{2 * place + row % 2}"


def _on_board(terrain: Mapping[str, Terrain], hex_id: str, edge: int) -> str | None:
    beside = neighbour(hex_id, edge, ORIENTATION)
    return beside if beside in terrain else None


def _ridges(layout: Layout) -> Iterator[tuple[str, int]]:
    for entry in layout.ridges:
        hex_id, _, edge = entry.partition(" ")
        yield hex_id, int(edge)
        beside = neighbour(hex_id, int(edge), ORIENTATION)
        if beside is not None:
            yield beside, opposite(int(edge))


def _faults(data: TitleData) -> Iterator[str]:
    board = board_of(data)
    where = f"{data.header.parts[PART]['layout']}.toml"
    printed = {hex_id for hex_id, terrain in board.terrain.items() if terrain == "city"}
    for hex_id in sorted(printed ^ board.by_hex.keys()):
        yield f"{where}: {hex_id}: a city is either drawn and listed, or neither"
    if len(board.cities) != len(board.by_hex):
        yield f"{where}: cities: a name or a hex stands twice"
    for hex_id, city in board.by_hex.items():
        if any(beside in board.by_hex for beside in board.neighbours.get(hex_id, ())):
            yield f"{where}: cities {city.name}: another city is right beside it"
    for hex_id, edge in sorted(board.ridges):
        if hex_id not in board.terrain or board.neighbours[hex_id][edge] is None:
            yield f"{where}: ridges {hex_id} {edge}: there are no two hexes"


BOARD_DATA: Final = SectionReader(PART, LAYOUTS, _read, _faults)
