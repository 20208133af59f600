"""Tables that only a title has, as its presentation describes them."""

from __future__ import annotations

from services.drawing.lettering import shortened
from services.drawing.marks import token
from services.drawing.panel import ROW_HEIGHT, TEXT_SIZE, Column, Drawn, Panel, Row, table
from services.drawing.svg import INK, box, group, lettering, titled
from services.rules.kernel.titledata import TitleData
from services.rules.parts.presentation import ShownCell, ShownTable

# Grounds of cells by the title's word for the colour; other words are colours of SVG.
GROUNDS = {"red": "#f3b3a8", "white": "#ffffff", "green": "#b9e0a5"}
CUBES = {"black": "#1f1f1f", "purple": "#8a3fb0", "blue": "#2b6fd6"}
CUBE = 10.0
TOKEN_RADIUS = 10.0


def own_table(data: TitleData, shown: ShownTable) -> Panel:
    """One of the title's tables."""
    columns = [Column(heading, width) for heading, width in shown.columns]
    rows = [
        Row([_drawn(data, cell, width) for cell, (_, width) in zip(cells, shown.columns, strict=True)])
        for cells in shown.rows
    ]
    return table(shown.heading, columns, rows)


def _drawn(data: TitleData, cell: ShownCell, width: float) -> str | Drawn:
    if not (cell.tokens or cell.cubes or cell.ground):
        return cell.text
    parts = []
    if cell.ground:
        # A drawn cell begins four units right of its column.
        middle = complex(width / 2 - 4, 0)
        fill = GROUNDS.get(cell.ground, cell.ground)
        parts.append(box(middle, width, ROW_HEIGHT, fill=fill, stroke="#999999", stroke_width=0.6))
    if cell.text:
        short = shortened(cell.text, TEXT_SIZE, width - 8)
        parts.append(titled(cell.text) + lettering(0j, short, TEXT_SIZE, anchor="start"))
    parts += _tokens(data, cell.tokens, width)
    parts += [_cube(colour, number) for number, colour in enumerate(cell.cubes)]
    return Drawn(group(parts))


def _tokens(data: TitleData, symbols: tuple[str, ...], width: float) -> list[str]:
    """Tokens side by side, closer together where there are many."""
    first = TOKEN_RADIUS - 1
    step = min(2 * TOKEN_RADIUS + 1, (width - 8 - 2 * first) / max(len(symbols) - 1, 1))
    return [
        token(data, symbol, complex(first + number * step, 0), TOKEN_RADIUS)
        for number, symbol in enumerate(symbols)
    ]


def _cube(colour: str, number: int) -> str:
    at = complex(CUBE / 2 + number * (CUBE + 3), 0)
    fill = CUBES.get(colour, colour)
    return box(at, CUBE, CUBE, titled(colour), class_="cube", fill=fill, stroke=INK, stroke_width=0.8)
