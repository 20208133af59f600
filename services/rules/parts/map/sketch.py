"""What a title's own board shows, in plain shapes on a grid of hexes: for titles whose map is not made of tiles.

Hexes are named by row and number as in `parts.map.hexes`, each with its point on top; colours are those of SVG."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SketchHex:
    """A hex and its ground; `name` is said of it."""

    hex: str
    ground: str
    name: str


@dataclass(frozen=True, slots=True)
class SketchSide:
    """A side between two hexes that is drawn thick: edge 0 is south-west, the others follow clockwise."""

    hex: str
    edge: int
    colour: str


@dataclass(frozen=True, slots=True)
class SketchLine:
    """A line from the middle of a hex to that of the last one, over the sides between; `name` is said of it."""

    hexes: tuple[str, ...]
    colour: str
    name: str


@dataclass(frozen=True, slots=True)
class SketchPlace:
    """A place in a hex: a disc with its name below it, small squares in it, and a mark where it is done with."""

    hex: str
    colour: str
    words: str
    squares: tuple[str, ...]
    is_marked: bool
    name: str


@dataclass(frozen=True, slots=True)
class Sketch:
    """A board. `legend` pairs a colour with what it stands for."""

    title: str
    hexes: tuple[SketchHex, ...]
    sides: tuple[SketchSide, ...]
    lines: tuple[SketchLine, ...]
    places: tuple[SketchPlace, ...]
    legend: tuple[tuple[str, str], ...]
