"""What lies along the sides of hexes, such as rivers and mountains, and the key that explains the lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from services.drawing.geometry import corners
from services.drawing.lettering import width_of
from services.drawing.svg import element, group, lettering, line_through, titled
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.data import map_data
from services.rules.parts.map.hexes import EDGES
from services.rules.parts.presentation import Presentation

KEY_HEIGHT = 26.0
KEY_SIZE = 12.0
KEY_LINE = 44.0
KEY_GAP = 26.0


class Stroke(NamedTuple):
    """How a kind of side is drawn."""

    colour: str
    width: float
    dashes: str | None = None


STROKES = {
    "river": Stroke("#2467c9", 6.0),
    "mountain": Stroke("#8a5a2b", 6.0, "9 5"),
    "sea": Stroke("#3fa0dd", 6.0, "1 9"),
}
OTHER = Stroke("#666666", 5.0, "3 4")


def kinds_of_sides(data: TitleData) -> tuple[str, ...]:
    """The kinds that the map has, those with a line of their own first."""
    found = {kind for sides in map_data(data).sides.values() for kind in sides if kind}
    known = tuple(kind for kind in STROKES if kind in found)
    return known + tuple(sorted(found.difference(STROKES)))


def side_lines(words: Presentation, data: TitleData, centres: Mapping[str, complex]) -> list[str]:
    """A line along every such side between two hexes of the map, one element for each kind."""
    return [
        _line(kind, _sides_of(data, centres, kind), _named(words, data, kind))
        for kind in kinds_of_sides(data)
    ]


def _sides_of(data: TitleData, centres: Mapping[str, complex], kind: str) -> str:
    board = map_data(data)
    shape = corners(board.figures.orientation)
    return "".join(
        line_through([centres[hex_id] + shape[edge], centres[hex_id] + shape[(edge + 1) % len(EDGES)]])
        for hex_id in centres
        for edge in EDGES
        if board.sides[hex_id][edge] == kind
        and (other := board.neighbours[hex_id][edge]) is not None
        and hex_id < other
    )


def _line(kind: str, path: str, name: str) -> str:
    stroke = STROKES.get(kind, OTHER)
    return element(
        "path",
        titled(name),
        class_=f"side {kind}",
        d=path,
        fill="none",
        stroke=stroke.colour,
        stroke_width=stroke.width,
        stroke_linecap="round",
        stroke_dasharray=stroke.dashes,
    )


def _named(words: Presentation, data: TitleData, kind: str) -> str:
    return f"{kind} {words.side_note(data, kind)}".strip()


def side_key(words: Presentation, data: TitleData, at: complex) -> str:
    """The line of each kind with its name and what the title says of it, and what it says of all other sides."""
    parts = []
    x = 0.0
    for kind in kinds_of_sides(data):
        name = _named(words, data, kind)
        parts.append(_line(kind, line_through([complex(x, 0), complex(x + KEY_LINE, 0)]), ""))
        parts.append(lettering(complex(x + KEY_LINE + 10, 0), name, KEY_SIZE, anchor="start"))
        x += KEY_LINE + 10 + width_of(name, KEY_SIZE) + KEY_GAP
    if plain := words.plain_note(data):
        parts.append(lettering(complex(x, 0), plain, KEY_SIZE, anchor="start"))
    return group(parts, at=at, class_="key")
