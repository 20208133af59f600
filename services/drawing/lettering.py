"""Approximate text widths for layout without a font: measured on a wide sans-serif face."""

from __future__ import annotations

SMALLEST = 8.0
# A symbol this much wider than its room in the smallest size is shortened to so many letters.
OVER_ROOM_MOST = 1.4
FIRST_LETTERS = 3

_NARROW = frozenset("iIjlftr.,:;'!|()[] -/")
_WIDE = frozenset("mwMW%@")


def width_of(words: str, size: float) -> float:
    """The width of a line of text of this size, rather too large than too small."""
    return sum(map(_share, words)) * max(size, SMALLEST)


def _share(letter: str) -> float:
    if letter in _NARROW:
        return 0.4
    if letter in _WIDE:
        return 0.95
    return 0.72 if letter.isupper() else 0.63


def shortened(words: str, size: float, room: float) -> str:
    """The text, cut with an ellipsis where it would be wider than `room`."""
    if width_of(words, size) <= room:
        return words
    while words and width_of(words + "…", size) > room:
        words = words[:-1]
    return words.rstrip() + "…"


def fitting(symbol: str, size: float, room: float) -> tuple[str, float]:
    """A symbol and the size in which it fits into `room`, or into a little more; of one far too wide its first letters."""
    if width_of(symbol, SMALLEST) > OVER_ROOM_MOST * room:
        symbol = symbol[:FIRST_LETTERS]
    return symbol, min(size, size * room / width_of(symbol, size))


def in_lines(words: str) -> tuple[tuple[str, ...], ...]:
    """The ways of setting a name: in one line, and in two where it has a hyphen or a space."""
    ways: list[tuple[str, ...]] = [(words,)]
    for index, letter in enumerate(words):
        if letter in "- " and 1 < index < len(words) - 2:
            ways.append((words[: index + (letter == "-")], words[index + 1 :]))
    return tuple(ways)
