"""A title's own board, drawn from plain shapes: grounds, thick sides, lines in their owners' colours, places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from services.drawing.geometry import HEX_SIZE, corners, hex_centre
from services.drawing.lettering import width_of
from services.drawing.panel import Panel, headed
from services.drawing.svg import INK, box, circle, element, group, lettering, line_through, titled
from services.rules.parts.map.sketch import Sketch, SketchHex, SketchLine, SketchPlace, SketchSide

POINTED: Final = "pointed"
# The board is drawn at this part of the size of a map of tiles.
SCALE = 0.5
EDGE = "#b9b2a0"
SIDE_WIDTH = 9.0
LINE_WIDTH = 11.0
RIM_WIDTH = 17.0
RIM = "#ffffff"
DISC = 33.0
SQUARE = 15.0
SQUARES_IN_ROW = 3
NAME_SIZE = 26.0
LEGEND_ROW = 24.0


def sketch_panel(sketch: Sketch) -> Panel:
    """The board with its legend."""
    centres = {each.hex: hex_centre(each.hex, POINTED) for each in sketch.hexes}
    shape = corners(POINTED)
    left = min(point.real for point in centres.values()) + min(corner.real for corner in shape)
    top = min(point.imag for point in centres.values()) + min(corner.imag for corner in shape)
    right = max(point.real for point in centres.values()) + max(corner.real for corner in shape)
    bottom = max(point.imag for point in centres.values()) + max(corner.imag for corner in shape)
    layers = (
        group([_hex(each, centres[each.hex]) for each in sketch.hexes], class_="hexes"),
        group([_side(each, centres[each.hex]) for each in sketch.sides], class_="ridges"),
        group([drawn for each in sketch.lines for drawn in _line(each)], class_="links"),
        group([_place(each, centres[each.hex]) for each in sketch.places], class_="places"),
    )
    moved = group(list(layers), at=-complex(left, top))
    board = element("g", moved, transform=f"scale({SCALE})")
    width, height = (right - left) * SCALE, (bottom - top) * SCALE
    # The name of a place in the last row stands below its hex.
    height += NAME_SIZE * SCALE
    legend = group([*_legend(sketch.legend)], at=complex(0, height + LEGEND_ROW / 2))
    return headed(sketch.title, width, height + LEGEND_ROW, [board, legend])


def _hex(each: SketchHex, at: complex) -> str:
    shape = line_through([at + corner for corner in corners(POINTED)], closed=True)
    return element("path", titled(each.name), d=shape, fill=each.ground, stroke=EDGE, stroke_width=1.5)


def _side(side: SketchSide, at: complex) -> str:
    shape = corners(POINTED)
    ends = [at + shape[side.edge], at + shape[(side.edge + 1) % len(shape)]]
    return element(
        "path", d=line_through(ends), stroke=side.colour, stroke_width=SIDE_WIDTH, stroke_linecap="round"
    )


def _line(line: SketchLine) -> Iterator[str]:
    """A line with a rim, through the middles of the sides that it crosses and curved between them."""
    points = [hex_centre(each, POINTED) for each in line.hexes]
    middles = [(one + other) / 2 for one, other in pairwise(points)]
    path = f"M{points[0].real:.1f} {points[0].imag:.1f}L{middles[0].real:.1f} {middles[0].imag:.1f}"
    for handle, end in zip(points[1:-1], middles[1:], strict=True):
        path += f"Q{handle.real:.1f} {handle.imag:.1f} {end.real:.1f} {end.imag:.1f}"
    path += f"L{points[-1].real:.1f} {points[-1].imag:.1f}"
    yield element("path", d=path, fill="none", stroke=RIM, stroke_width=RIM_WIDTH)
    yield element("path", titled(line.name), d=path, fill="none", stroke=line.colour, stroke_width=LINE_WIDTH)


def _place(place: SketchPlace, at: complex) -> str:
    parts = [circle(at, DISC, titled(place.name), fill=place.colour, stroke=INK, stroke_width=3.0)]
    for number, colour in enumerate(place.squares):
        row, column = divmod(number, SQUARES_IN_ROW)
        rows = (len(place.squares) + SQUARES_IN_ROW - 1) // SQUARES_IN_ROW
        in_row = min(SQUARES_IN_ROW, len(place.squares) - row * SQUARES_IN_ROW)
        shift = complex(column - (in_row - 1) / 2, row - (rows - 1) / 2) * (SQUARE + 2)
        parts.append(box(at + shift, SQUARE, SQUARE, fill=colour, stroke=RIM, stroke_width=2.0))
    if place.is_marked:
        reach = DISC * 0.6
        for turn in (1 + 1j, 1 - 1j):
            ends = [at - turn * reach, at + turn * reach]
            parts.append(element("path", d=line_through(ends), stroke=INK, stroke_width=6.0))
    below = at + 1j * (HEX_SIZE - NAME_SIZE * 0.1)
    parts.append(lettering(below, place.words, NAME_SIZE, bold=True, halo=RIM))
    return group(parts)


def _legend(entries: Sequence[tuple[str, str]]) -> Iterator[str]:
    x = 0.0
    for colour, words in entries:
        yield box(complex(x + 8, 0), 14, 12, fill=colour, stroke="#777777", stroke_width=0.8)
        yield lettering(complex(x + 20, 0), words, 11, anchor="start")
        x += 40 + width_of(words, 11)
