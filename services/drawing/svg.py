"""Elements of an SVG document as text, always written the same way: numbers with two decimals at most."""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import escape, quoteattr

from services.drawing.lettering import SMALLEST

INK = "#1b1b1b"
HALO_WIDTH = 4.0
FONT = "DejaVu Sans, Verdana, sans-serif"

Value = str | int | float


def number(value: float) -> str:
    """A number with two decimals at most, never `-0`."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(name: str, content: str = "", **attributes: Value | None) -> str:
    """An element around ready-made content; `class_` stands for `class`, `_` for `-`, None for no attribute."""
    written = _written(attributes)
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def opening(name: str, **attributes: Value | None) -> str:
    """The opening tag of an element."""
    return f"<{name}{_written(attributes)}>"


def _written(attributes: Mapping[str, Value | None]) -> str:
    return "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_value(value))}"
        for key, value in attributes.items()
        if value is not None
    )


def _value(value: Value) -> str:
    return value if isinstance(value, str) else number(value)


def group(content: list[str], name: str = "", at: complex = 0, **attributes: Value | None) -> str:
    """A group of elements, moved to `at`, with a name that assistive programs and pointers show."""
    moved = f"translate({number(at.real)} {number(at.imag)})" if at else None
    return element("g", titled(name) + "".join(content), transform=moved, **attributes)


def titled(name: str) -> str:
    """The element that names its parent; nothing for an empty name."""
    return element("title", escape(name)) if name else ""


def lettering(
    at: complex,
    words: str,
    size: float,
    *,
    anchor: str = "middle",
    bold: bool = False,
    fill: str = INK,
    halo: str = "",
    class_: str | None = None,
    id_: str | None = None,
) -> str:
    """A line of text whose middle lies at the height of `at`; `halo` is a rim that keeps it legible over lines."""
    return element(
        "text",
        escape(words),
        id_=id_,
        class_=class_,
        x=at.real,
        y=at.imag + size * 0.36,
        font_size=max(size, SMALLEST),
        text_anchor=None if anchor == "start" else anchor,
        font_weight="bold" if bold else None,
        fill=None if fill == INK else fill,
        stroke=halo or None,
        stroke_width=HALO_WIDTH if halo else None,
        paint_order="stroke" if halo else None,
        stroke_linejoin="round" if halo else None,
    )


def circle(at: complex, radius: float, content: str = "", **attributes: Value | None) -> str:
    """A circle around `at`."""
    return element("circle", content, cx=at.real, cy=at.imag, r=radius, **attributes)


def box(centre: complex, width: float, height: float, content: str = "", **attributes: Value | None) -> str:
    """A rectangle around its centre."""
    x, y = centre.real - width / 2, centre.imag - height / 2
    return element("rect", content, x=x, y=y, width=width, height=height, **attributes)


def line_through(points: list[complex], closed: bool = False) -> str:
    """The path data of straight lines from point to point."""
    return "M" + "L".join(pair(point) for point in points) + ("Z" if closed else "")


def pair(point: complex) -> str:
    """A point in path data."""
    return f"{number(point.real)} {number(point.imag)}"
