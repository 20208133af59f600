"""Words and figures on a hex, each in a free spot: coordinate, name, values, letters, terrain, tile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from services.drawing.colours import ground, text_on
from services.drawing.facelayout import slot_points
from services.drawing.geometry import corners, direction, edge_direction
from services.drawing.lettering import in_lines, width_of
from services.drawing.marks import TOWN_RADIUS, kept_space
from services.drawing.room import Box, Room
from services.drawing.scene import HexScene
from services.drawing.svg import INK, box, circle, element, group, lettering, line_through
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.data import map_data
from services.rules.parts.map.hexes import EDGES, Orientation
from services.rules.parts.map.tiles import Stop
from services.rules.parts.presentation import PlaceMark
from services.rules.parts.shares.data import cards_of

NAME_SIZE = 10.5
VALUE_SIZE = 10.0
LETTER_SIZE = 15.0
TERRAIN_SIZE = 10.0
CORNER_SIZE = 8.0
MARK_SIZE = 8.0
MARK_HEIGHT = 11.0
MARK_GROUND = "#cfe6f7"
FAINT = "#555555"
NAME_WISHES = [complex(0, y) for y in (-31, 31, -24, 25, -39, 39)]
TRACK_WEIGHT = 2.2
AROUND = (0, 180, 270, 90, 315, 225, 45, 135, 340, 200, 20, 160)
CELL = (19.0, 13.0)


@dataclass(frozen=True, slots=True)
class Label:
    """A piece of text or a sign on a hex: its text, position and style."""

    words: str
    place: Box
    drawn: str


@dataclass(frozen=True, slots=True)
class _Page:
    data: TitleData
    scene: HexScene
    revenue_key: str
    room: Room
    orientation: Orientation
    marks: tuple[PlaceMark, ...]

    @property
    def ground(self) -> str:
        return ground(self.scene.face.colour)


def labels_of(
    data: TitleData, scene: HexScene, revenue_key: str, marks: tuple[PlaceMark, ...] = ()
) -> list[Label]:
    """All labels of a hex where revenue counts by this key, and the signs that the title puts there."""
    orientation = map_data(data).figures.orientation
    room = Room([edge_direction(edge, orientation) for edge in EDGES])
    page = _Page(data, scene, revenue_key, room, orientation, marks)
    _take_up(page)
    makers: tuple[Callable[[_Page], list[Label]], ...] = (
        _coordinate,
        _values,
        _name,
        _letter,
        _terrain,
        _homes,
        _marks,
        _tile,
    )
    return [label for make in makers for label in make(page)]


def _take_up(page: _Page) -> None:
    """Everything that text must keep off: token spaces above all, then towns, then track."""
    scene = page.scene
    for curve in scene.layout.curves:
        page.room.keep_off(curve.points(8), 6, TRACK_WEIGHT)
    for index, (stop, spot) in enumerate(zip(scene.face.stops, scene.layout.spots, strict=True)):
        if index in scene.slots:
            radius = scene.layout.slot_radius
            points = slot_points(len(scene.slots[index]), spot, radius, len(scene.face.stops) == 1)
            page.room.keep_off(points, radius + 2.5, 25)
            if stop.kind == "mine":
                page.room.keep_off([points[0] + radius * complex(0.98, 0.98)], 10, 25)
        elif stop.kind == "town":
            reach = [spot.point + spot.along * 1j * step for step in ((-7, 0, 7) if spot.along else (0,))]
            page.room.keep_off(reach, TOWN_RADIUS + 0.5, 15)


def _corner_points(page: _Page, downwards: bool) -> list[complex]:
    """Points in the corners, which track does not reach."""
    sign = 1 if downwards else -1
    return sorted(
        (corner * 0.79 for corner in corners(page.orientation)),
        key=lambda point: (-sign * round(point.imag), -sign * round(point.real)),
    )


def _coordinate(page: _Page) -> list[Label]:
    return [_small(page, page.scene.printed.id, downwards=False, bold=True)]


def _tile(page: _Page) -> list[Label]:
    laid = page.scene.laid
    return [] if laid is None else [_small(page, f"#{laid.tile}", downwards=True, bold=False)]


def _small(page: _Page, words: str, downwards: bool, bold: bool) -> Label:
    place = page.room.take(width_of(words, CORNER_SIZE), CORNER_SIZE, _corner_points(page, downwards))
    text = lettering(
        place.centre, words, CORNER_SIZE, fill=FAINT, bold=bold, halo=page.ground, class_="small"
    )
    return Label(words, place, text)


def _values(page: _Page) -> list[Label]:
    found = []
    for index, stop in enumerate(page.scene.face.stops):
        cells = value_cells(stop, map_data(page.data).figures.revenue_keys)
        if len(cells) > 1 and page.scene.printed.draw.value:
            found.append(_value_table(page, index, cells))
        elif len(cells) == 1 and cells[0][1]:
            found.append(_value(page, index, stop, cells[0][1]))
    return found


def value_cells(stop: Stop, keys: tuple[str, ...]) -> list[tuple[str, int]]:
    """The values of a stop with the key from which each counts; an unchanged value is listed once."""
    if isinstance(stop.revenue, int):
        return [("", stop.revenue)]
    cells: list[tuple[str, int]] = []
    for key in keys:
        if not cells or cells[-1][1] != stop.value(key):
            cells.append((key, stop.value(key)))
    return cells


def _value(page: _Page, index: int, stop: Stop, value: int) -> Label:
    words = str(value)
    radius = max(8.0, width_of(words, VALUE_SIZE) / 2 + 1)
    place = page.room.take(2 * radius, 2 * radius, _around(page, index, stop, radius))
    drawn = circle(place.centre, radius, fill="#ffffff", stroke=INK, stroke_width=0.8)
    text = lettering(place.centre, words, VALUE_SIZE, bold=True, class_="value")
    return Label(words, place, drawn + text)


def _around(page: _Page, index: int, stop: Stop, radius: float) -> list[complex]:
    """Places beside a stop, where its value belongs."""
    spot = page.scene.layout.spots[index]
    slots = [spot.point]
    reach = TOWN_RADIUS + radius + 2
    if index in page.scene.slots:
        alone = len(page.scene.face.stops) == 1
        count = len(page.scene.slots[index])
        slots = slot_points(count, spot, page.scene.layout.slot_radius, alone)
        reach = page.scene.layout.slot_radius + radius + 3
    return [
        max((slot + reach * direction(angle) for slot in slots), key=lambda point: abs(point - spot.point))
        for angle in AROUND
    ]


def _value_table(page: _Page, index: int, cells: list[tuple[str, int]]) -> Label:
    present = _present(cells, page)
    shapes = [(len(cells), 1)] + ([(2, 2)] if len(cells) > 2 else [])
    sizes = [(columns * CELL[0] + 2, rows * CELL[1] + 2) for columns, rows in shapes]
    spot = page.scene.layout.spots[index].point
    preferred = (
        [spot + complex(0, y) for y in (27, -27, 0, 33, -33)]
        if index in page.scene.slots
        else [0j, 10j, -10j]
    )
    shape, place = page.room.best(sizes, preferred)
    columns, rows = shapes[shape]
    drawn = []
    for number, (key, value) in enumerate(cells):
        row, column = divmod(number, columns)
        at = place.centre + complex((column - (columns - 1) / 2) * CELL[0], (row - (rows - 1) / 2) * CELL[1])
        now = number == present
        frame = box(at, *CELL, fill=ground(key), stroke=INK, stroke_width=2 if now else 0.6)
        drawn.append((now, frame + lettering(at, str(value), 9.5, bold=now)))
    drawn.sort(key=lambda cell: cell[0])
    words = " ".join(str(value) for _, value in cells)
    return Label(words, place, group([text for _, text in drawn], f"values {words}", class_="values"))


def _present(cells: list[tuple[str, int]], page: _Page) -> int:
    """Which of the cells counts now."""
    keys = map_data(page.data).figures.revenue_keys
    now = keys.index(page.revenue_key)
    return max(number for number, (key, _) in enumerate(cells) if keys.index(key) <= now)


def _name(page: _Page) -> list[Label]:
    name = page.scene.printed.name
    if not name:
        return []
    ways = in_lines(name)
    sizes = [
        (max(width_of(line, NAME_SIZE) for line in lines), NAME_SIZE * 1.1 * len(lines)) for lines in ways
    ]
    way, place = page.room.best(sizes, NAME_WISHES)
    lines = ways[way]
    drawn = [
        lettering(
            place.centre + complex(0, (row - (len(lines) - 1) / 2) * NAME_SIZE * 1.1),
            line,
            NAME_SIZE,
            halo=page.ground,
            class_="name",
        )
        for row, line in enumerate(lines)
    ]
    return [Label(name, place, "".join(drawn))]


def _letter(page: _Page) -> list[Label]:
    words = page.scene.face.label or page.scene.printed.face.label
    if not words:
        return []
    preferred = [corner * 0.66 for corner in corners(page.orientation)]
    place = page.room.take(width_of(words, LETTER_SIZE), LETTER_SIZE * 0.9, preferred)
    text = lettering(place.centre, words, LETTER_SIZE, bold=True, halo=page.ground, class_="letter")
    return [Label(words, place, text)]


def _terrain(page: _Page) -> list[Label]:
    """What the first tile costs, on a hex that has none yet."""
    if page.scene.laid is not None:
        return []
    found = []
    for kind, cost in page.scene.printed.terrain.items():
        words = str(cost)
        width = width_of(words, TERRAIN_SIZE) + 16
        place = page.room.take(width, 13, [28j, -28j, 24 + 22j, -24 + 22j])
        at = place.centre
        sign = _terrain_sign(kind, at - width / 2 + 7)
        text = lettering(at + 7, words, TERRAIN_SIZE, halo=page.ground, class_="terrain")
        found.append(Label(words, place, group([sign, text], f"{kind}: {words}")))
    return found


def _terrain_sign(kind: str, at: complex) -> str:
    if kind == "mountain":
        return element(
            "path", d=line_through([at - 7 + 5j, at - 6j, at + 7 + 5j], closed=True), fill="#8a5a2b"
        )
    if kind == "water":
        wave = [at - 7 + 0j, at - 3.5 - 3j, at + 0j, at + 3.5 - 3j, at + 7 + 0j]
        waves = line_through(wave) + line_through([point + 5j for point in wave])
        return element(
            "path", d=waves, fill="none", stroke="#2a6fb0", stroke_width=1.8, stroke_linejoin="round"
        )
    return lettering(at, kind[:1].upper(), TERRAIN_SIZE)


def _homes(page: _Page) -> list[Label]:
    """Companies still to come whose home has no free space."""
    found = []
    for symbol in page.scene.homes:
        place = page.room.take(20, 20, [34 * direction(angle) for angle in AROUND])
        found.append(Label(symbol, place, kept_space(page.data, symbol, place.centre, 10)))
    return found


def _marks(page: _Page) -> list[Label]:
    """The title's signs, in the corners."""
    found = []
    for mark in page.marks:
        width = width_of(mark.word, MARK_SIZE) + 6
        place = page.room.take(width, MARK_HEIGHT, _corner_points(page, downwards=True))
        found.append(Label(mark.word, place, _sign(page, mark, place)))
    return found


def _sign(page: _Page, mark: PlaceMark, place: Box) -> str:
    fill, ink = MARK_GROUND, INK
    if mark.company:
        colours = cards_of(page.data)[mark.company].colours
        fill, ink = colours.fill, text_on(colours.fill, colours.text)
    shape = box(place.centre, place.width, place.height, rx=2, fill=fill, stroke=INK, stroke_width=0.8)
    words = lettering(place.centre, mark.word, MARK_SIZE, bold=True, fill=ink)
    return group([shape, words], mark.meaning, class_="sign")
