"""Panels beside the map and the tables in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from services.drawing.lettering import shortened
from services.drawing.picture import Part, grouped
from services.drawing.svg import INK, box, element, group, lettering, titled

ROW_HEIGHT = 22.0
TEXT_SIZE = 12.0
HEADING_SIZE = 15.0
HEADING_HEIGHT = 28.0
STRIPE = "#f1f1ee"
MARKED = "#fff3b0"


@dataclass(frozen=True, slots=True)
class Panel:
    """A rectangle of the picture, drawn from its upper left corner."""

    width: float
    height: float
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: heading, width, and whether it is set to the right."""

    heading: str
    width: float
    right: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row: for each column its text, or something drawn around the middle of the row's left end."""

    cells: Sequence[str | Drawn]
    marked: bool = False
    faint: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """A cell that is not text: `svg` counts from the left end of the cell at half its height."""

    svg: str


def headed(heading: str, width: float, height: float, content: Sequence[Part]) -> Panel:
    """A panel with a heading above its content."""
    title = lettering(complex(0, HEADING_SIZE * 0.7), heading, HEADING_SIZE, anchor="start", bold=True)
    body = grouped(content, at=complex(0, HEADING_HEIGHT))
    return Panel(width, height + HEADING_HEIGHT, (title, *body))


def table(heading: str, columns: Sequence[Column], rows: Sequence[Row]) -> Panel:
    """A panel with a table."""
    width = sum(column.width for column in columns)
    content = [_heading_row(columns)]
    for number, row in enumerate(rows):
        content.append(_row(columns, row, width, number))
    return headed(heading, width, ROW_HEIGHT * (len(rows) + 1), content)


def _heading_row(columns: Sequence[Column]) -> str:
    cells = []
    x = 0.0
    for column in columns:
        at = complex(x + column.width - 8 if column.right else x + 4, ROW_HEIGHT / 2)
        anchor = "end" if column.right else "start"
        cells.append(lettering(at, column.heading, 10.5, anchor=anchor, fill="#555555"))
        x += column.width
    return "".join(cells)


def _row(columns: Sequence[Column], row: Row, width: float, number: int) -> str:
    middle = complex(width / 2, ROW_HEIGHT / 2)
    ground = MARKED if row.marked else STRIPE if number % 2 == 0 else "#ffffff"
    parts = [box(middle, width, ROW_HEIGHT, fill=ground)]
    x = 0.0
    for column, cell in zip(columns, row.cells, strict=True):
        if isinstance(cell, Drawn):
            parts.append(group([cell.svg], at=complex(x + 4, ROW_HEIGHT / 2)))
        elif cell:
            parts.append(_text_cell(column, cell, x, "#8a8a8a" if row.faint else INK))
        x += column.width
    return group(parts, at=complex(0, ROW_HEIGHT * (number + 1)))


def _text_cell(column: Column, words: str, x: float, fill: str) -> str:
    at = complex(x + column.width - 8 if column.right else x + 4, ROW_HEIGHT / 2)
    short = shortened(words, TEXT_SIZE, column.width - 8)
    text = lettering(at, short, TEXT_SIZE, anchor="end" if column.right else "start", fill=fill)
    return text if short == words else element("g", titled(words) + text)


def stacked(panels: Sequence[Panel], gap: float) -> Panel:
    """Panels one below the other as one."""
    parts: list[Part] = []
    y = 0.0
    for panel in panels:
        parts += grouped(panel.parts, at=complex(0, y))
        y += panel.height + gap
    return Panel(max(panel.width for panel in panels), y - gap, tuple(parts))


def shelves(
    panels: Mapping[str, Panel], width: float, gap: float
) -> tuple[list[tuple[complex, str, Panel]], float]:
    """Put panels, by name, side by side, and below where the width is used up; also gives the height of all."""
    placed = []
    x = y = tallest = 0.0
    for name, panel in panels.items():
        if x and x + panel.width > width:
            x, y, tallest = 0.0, y + tallest + gap, 0.0
        placed.append((complex(x, y), name, panel))
        x += panel.width + gap
        tallest = max(tallest, panel.height)
    return placed, y + tallest
