"""A picture in its parts: what stays as it is while a game goes on, and fragments, which change. A fragment is one element of
the document, found by its id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple, TypeAlias
from xml.sax.saxutils import escape

from services.drawing.svg import FONT, INK, Value, element, number, opening

NAME_OF_SVG = "http://www.w3.org/2000/svg"
CHECKSUM_DIGITS = 32


class Fragment(NamedTuple):
    """An element that may change, with its id."""

    id: str
    svg: str


Part: TypeAlias = str | Fragment


def grouped(parts: Iterable[Part], at: complex = 0, **attributes: Value | None) -> tuple[Part, ...]:
    """A group of parts, moved to `at`."""
    moved = f"translate({number(at.real)} {number(at.imag)})" if at else None
    return (opening("g", transform=moved, **attributes), *parts, "</g>")


def text_of(parts: Iterable[Part]) -> str:
    """The parts as text."""
    return "".join(part if isinstance(part, str) else part.svg for part in parts)


@dataclass(frozen=True)
class Picture:
    """A picture: its name, its size and what it shows."""

    name: str
    width: float
    height: float
    parts: tuple[Part, ...]

    @cached_property
    def fragments(self) -> Mapping[str, str]:
        """The fragments by id, in the order in which they are drawn."""
        return {part.id: part.svg for part in self.parts if isinstance(part, Fragment)}

    @cached_property
    def frame(self) -> tuple[str, ...]:
        """What stays as it is, with the id of each fragment in its place."""
        return tuple(part if isinstance(part, str) else part.id for part in self.parts)

    @cached_property
    def checksum(self) -> str:
        """Another one whenever anything in the picture has changed."""
        return sha256(self.document().encode()).hexdigest()[:CHECKSUM_DIGITS]

    def document(self) -> str:
        """The whole picture as an SVG document."""
        title = element("title", escape(self.name), id="board-title")
        return element(
            "svg",
            title + text_of(self.parts),
            xmlns=NAME_OF_SVG,
            viewBox=f"0 0 {self.width:.0f} {self.height:.0f}",
            width=round(self.width),
            height=round(self.height),
            role="img",
            aria_labelledby="board-title board-description",
            font_family=FONT,
            fill=INK,
        )

    def changes_since(self, earlier: Picture) -> tuple[Fragment, ...] | None:
        """The fragments that are not as they were in an earlier picture of the same game; None where more than fragments is
        different."""
        if (self.name, self.frame) != (earlier.name, earlier.frame):
            return None
        before = earlier.fragments
        return tuple(
            part for part in self.parts if isinstance(part, Fragment) and before[part.id] != part.svg
        )
