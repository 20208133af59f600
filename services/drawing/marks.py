"""Stops and tokens: cities with their spaces, mines, towns as bars and dots, arrows into off-board areas."""

from __future__ import annotations

import cmath
import math

from services.drawing.colours import ground, text_on
from services.drawing.facelayout import Spot, slot_points
from services.drawing.lettering import fitting
from services.drawing.scene import HexScene, Slot
from services.drawing.svg import INK, box, circle, element, group, lettering, line_through, number
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.tiles import Stop
from services.rules.parts.shares.data import cards_of

TOKEN_TEXT = 10.5
TOWN_RADIUS = 6.5
TOWN_BAR = (20.0, 7.0)
BLOCKED = "#77787c"


def token(data: TitleData, symbol: str, at: complex, radius: float) -> str:
    """A company's token; a plain grey one where no company of the title has this symbol."""
    company = cards_of(data).get(symbol)
    if company is None:
        cross = [at + radius * 0.4 * complex(x, y) for x, y in ((-1, -1), (1, 1), (-1, 1), (1, -1))]
        strokes = line_through(cross[:2]) + line_through(cross[2:])
        mark = element("path", d=strokes, stroke="#ffffff", stroke_width=2)
        return group([circle(at, radius, fill=BLOCKED), mark], "blocked", class_="token")
    fill = company.colours.fill
    word, size = fitting(symbol, TOKEN_TEXT, 2 * radius - 3)
    disc = circle(at, radius, fill=fill, stroke=INK, stroke_width=1)
    words = lettering(at, word, size, bold=True, fill=text_on(fill, company.colours.text))
    return group([disc, words], f"{symbol} {company.name}", class_="token")


def kept_space(data: TitleData, symbol: str, at: complex, radius: float) -> str:
    """A free space with the symbol of the company it is the home of."""
    company = cards_of(data)[symbol]
    word, size = fitting(symbol, TOKEN_TEXT - 1, 2 * radius - 7)
    ring = circle(
        at,
        radius - 1.2,
        fill="#ffffff",
        stroke=company.colours.fill,
        stroke_width=2.4,
        stroke_dasharray="4 2.5",
    )
    words = lettering(at, word, size, fill="#444444")
    return group([ring, words], f"home of {symbol} {company.name}", class_="home")


def stop_marks(data: TitleData, scene: HexScene) -> list[str]:
    """The stops of a hex, one element for each that is drawn."""
    marks = [(index, _stop_marks(data, scene, index)) for index in range(len(scene.face.stops))]
    return [group(drawn, class_="stop", data_stop=str(index)) for index, drawn in marks if drawn]


def _stop_marks(data: TitleData, scene: HexScene, index: int) -> list[str]:
    stop, spot = scene.face.stops[index], scene.layout.spots[index]
    if stop.kind == "town":
        return [_town(spot)]
    if stop.kind == "mine" and not any(slot.token or slot.kept_for for slot in scene.slots[index]):
        return [hammers(spot.point)]
    if index not in scene.slots:
        return []
    count, alone = len(scene.slots[index]), len(scene.face.stops) == 1
    points = slot_points(count, spot, scene.layout.slot_radius, alone)
    return _city(data, scene, points, scene.slots[index], stop)


def _town(spot: Spot) -> str:
    if not spot.along:
        return circle(spot.point, TOWN_RADIUS, class_="town", fill=INK, stroke="#ffffff", stroke_width=1.5)
    turn = math.degrees(cmath.phase(spot.along)) + 90
    at = f"rotate({number(turn)} {number(spot.point.real)} {number(spot.point.imag)})"
    return box(
        spot.point, *TOWN_BAR, class_="town", transform=at, fill=INK, stroke="#ffffff", stroke_width=1.5
    )


def _city(
    data: TitleData, scene: HexScene, points: list[complex], slots: tuple[Slot, ...], stop: Stop
) -> list[str]:
    radius = scene.layout.slot_radius
    ring = _hull(points)
    marks = [
        element("path", class_="city", d=ring, stroke=INK, stroke_width=2 * radius + 5, **_ROUND),
        element("path", d=ring, stroke="#ffffff", stroke_width=2 * radius + 2.5, **_ROUND),
    ]
    for at, slot in zip(points, slots, strict=False):
        if slot.token:
            marks.append(token(data, slot.token, at, radius - 0.6))
        elif slot.kept_for:
            marks.append(kept_space(data, slot.kept_for, at, radius))
        else:
            marks.append(
                circle(at, radius - 0.5, class_="slot", fill="#ffffff", stroke="#8a8a8a", stroke_width=1)
            )
    if stop.kind == "mine":
        marks.append(hammers(points[0] + radius * complex(0.98, 0.98)))
    return marks


_ROUND = {"fill": INK, "stroke_linejoin": "round", "stroke_linecap": "round"}


def _hull(points: list[complex]) -> str:
    middle = sum(points) / len(points)
    around = sorted(points, key=lambda point: cmath.phase(point - middle) if point != middle else 0.0)
    return line_through([*around, around[0]] if len(around) > 2 else [*around, around[-1]])


def hammers(at: complex) -> str:
    """Two crossed hammers: a mine."""
    shafts = line_through([at + 5 * (1 + 1j), at - 5 * (1 + 1j)]) + line_through(
        [at + 5 * (1 - 1j), at - 5 * (1 - 1j)]
    )
    heads = line_through([at - 7 + -3j, at - 3 + -7j]) + line_through([at + 3 - 7j, at + 7 - 3j])
    disc = circle(at, 9, fill=ground("white"), stroke=INK, stroke_width=1)
    strokes = element("path", d=shafts, stroke=INK, stroke_width=1.6) + element(
        "path", d=heads, stroke=INK, stroke_width=3.4
    )
    return group([disc, strokes], "mine", class_="mine")
