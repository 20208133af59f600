"""The share price chart as a grid, with the markers of each cell in their order.

A chart of a single row is a ladder. It is drawn as a zigzag: the next higher price is in the other of two rows."""

from __future__ import annotations

from functools import lru_cache

from services.drawing.colours import text_on
from services.drawing.lettering import SMALLEST, fitting, width_of
from services.drawing.panel import Panel, headed
from services.drawing.picture import Fragment, Part
from services.drawing.svg import INK, box, element, group, lettering
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.state import market_of
from services.rules.parts.presentation import Presentation
from services.rules.parts.shares.data import cards_of

CELL_WIDTH = 62.0
CELL_HEIGHT = 46.0
MARKER = (28.0, 13.0)
MARKER_TEXT = 10.0
PRICE_SIZE = 11.0
NOTE_SIZE = 8.0
ZONE_TINTS = ("#ffe08a", "#cfe8ff", "#e3d3f4", "#d2efcf", "#ffd3c4", "#f3bcd6")
ZONE_ROW = 20.0
# Up to so many markers one below the other beside the price if there is room; more make two columns below it.
MARKERS_BESIDE = 3
# Up to so many as wide as the cell below the price, where a symbol is too long for a narrower one.
MARKERS_WIDE = 2
# Columns of a zigzag before it wraps.
ZIGZAG_COLUMNS = 17
ZIGZAG_GAP = 10.0
CELLS_KEPT = 4_096


def price_chart(words: Presentation, data: TitleData, game: Game) -> Panel:
    """The chart of the title with the markers of the game, and what the title notes below each price."""
    rows = chart_of(data).rows
    tints = {
        cell: ZONE_TINTS[number % len(ZONE_TINTS)]
        for number, cells in enumerate(chart_of(data).zones.values())
        for cell in cells
    }
    places = _corners(data)
    content: list[Part] = [
        price_cell(
            data,
            cell,
            places[cell],
            rows[cell[0]][cell[1]],
            words.price_note(data, rows[cell[0]][cell[1]]),
            tints.get(cell, "#ffffff"),
            market_of(game).cells.get(cell, ()),
        )
        for cell in places
    ]
    height = max(corner.imag for corner in places.values()) + CELL_HEIGHT + 8
    width = max(corner.real for corner in places.values()) + CELL_WIDTH
    content.append(_zone_names(data, height))
    heading = "Share prices (the first marker of a cell is the upper one)"
    return headed(heading, width, height + ZONE_ROW, content)


def _corners(data: TitleData) -> dict[tuple[int, int], complex]:
    """The upper left corner of every cell, by row and column, in the order in which they are drawn."""
    rows = chart_of(data).rows
    if len(rows) > 1:
        return {
            (row, column): complex(column * CELL_WIDTH, row * CELL_HEIGHT)
            for row, prices in enumerate(rows)
            for column in range(len(prices))
        }
    places = {}
    for step in range(len(rows[0])):
        column, lower = divmod(step, 2)
        band, column = divmod(column, ZIGZAG_COLUMNS)
        down = (2 * band + 1 - lower) * CELL_HEIGHT + band * ZIGZAG_GAP
        places[0, step] = complex((column + lower / 2) * CELL_WIDTH, down)
    return places


@lru_cache(maxsize=CELLS_KEPT)
def price_cell(
    data: TitleData,
    cell: tuple[int, int],
    corner: complex,
    price: int,
    note: str,
    tint: str,
    symbols: tuple[str, ...],
) -> Fragment:
    """A cell of the chart with the markers on it."""
    middle = complex(CELL_WIDTH, CELL_HEIGHT) / 2
    name = f"{price}: {', '.join(symbols)}" if symbols else ""
    parts = [
        box(middle, CELL_WIDTH, CELL_HEIGHT, fill=tint, stroke="#777777", stroke_width=0.8),
        lettering(complex(4, 9), str(price), PRICE_SIZE, anchor="start", bold=True),
    ]
    parts += [
        lettering(complex(4, 21 + 12 * number), line, NOTE_SIZE, anchor="start")
        for number, line in enumerate(note.splitlines())
    ]
    parts += [
        _marker(data, symbol, at, width)
        for symbol, (at, width) in zip(symbols, _places(price, symbols), strict=True)
    ]
    id_ = "market-{}-{}".format(*cell)
    return Fragment(id_, group(parts, name, at=corner, id=id_, class_="price"))


def _places(price: int, symbols: tuple[str, ...]) -> list[tuple[complex, float]]:
    """The middle and the width of each marker."""
    width, height = MARKER
    count = len(symbols)
    is_narrow = all(width_of(symbol, SMALLEST) <= width - 4 for symbol in symbols)
    if count <= MARKERS_WIDE and not is_narrow:
        wide = CELL_WIDTH - 6
        return [(complex(CELL_WIDTH / 2, 23 + number * (height + 1)), wide) for number in range(count)]
    if count <= MARKERS_BESIDE and CELL_WIDTH - 4 - width_of(str(price), PRICE_SIZE) - width - 3 >= 0:
        left = CELL_WIDTH - width / 2 - 3
        return [(complex(left, 9 + number * (height + 1)), width) for number in range(count)]
    step = min(height + 1, (CELL_HEIGHT - 20) / max((count + 1) // 2 - 1, 1))
    return [
        (complex(width / 2 + 2 + (number % 2) * (width + 2), 22 + (number // 2) * step), width)
        for number in range(count)
    ]


def _marker(data: TitleData, symbol: str, at: complex, width: float) -> str:
    colours = cards_of(data)[symbol].colours
    word, size = fitting(symbol, MARKER_TEXT, width - 4)
    shape = box(at, width, MARKER[1], rx=4, fill=colours.fill, stroke=INK, stroke_width=0.8)
    words = lettering(at, word, size, bold=True, fill=text_on(colours.fill, colours.text))
    return element("g", shape + words, class_="marker")


def _zone_names(data: TitleData, top: float) -> str:
    parts = []
    x = 0.0
    for number, zone in enumerate(chart_of(data).zones):
        tint = ZONE_TINTS[number % len(ZONE_TINTS)]
        words = zone.replace("_", " ")
        parts.append(box(complex(x + 8, top + 10), 14, 12, fill=tint, stroke="#777777", stroke_width=0.8))
        parts.append(lettering(complex(x + 20, top + 10), words, 11, anchor="start"))
        x += 40 + width_of(words, 11)
    return "".join(parts)
