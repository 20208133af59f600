"""Coordinates of a hex map: letter and number of a hex, its six edges and its neighbours.

Edges go clockwise from 0 to 5. The same side seen from the neighbour is `opposite(edge)`.
"""

from typing import Final, Literal

from services.rules.kernel.titlebuild import MalformedEntryError

Orientation = Literal["flat", "pointed"]

EDGES: Final = range(6)

# Steps (letter, number) to the neighbour over each edge. Pointed: a letter is a row, edge 0 is south-west.
# Flat: a letter is a column, edge 0 is south.
_STEPS: Final[dict[Orientation, tuple[tuple[int, int], ...]]] = {
    "pointed": ((1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1)),
    "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
}


class HexIdError(MalformedEntryError):
    """A hex id is not one capital letter followed by a number."""


def opposite(edge: int) -> int:
    """The number that the neighbour gives to the same side."""
    return (edge + 3) % 6


def parse_hex_id(hex_id: str) -> tuple[int, int]:
    """Split `E12` into (4, 12); letters count from A = 0. Raises HexIdError."""
    letter, number = hex_id[:1], hex_id[1:]
    if not ("A" <= letter <= "Z" and number.isascii() and number.isdigit()):
        raise HexIdError(f"{hex_id!r} is not a hex: one letter A to Z and a number are needed")
    return ord(letter) - ord("A"), int(number)


def neighbour(hex_id: str, edge: int, orientation: Orientation) -> str | None:
    """The hex over this edge, or None where no such coordinate can exist. It need not lie on the map."""
    letter, number = parse_hex_id(hex_id)
    letter_step, number_step = _STEPS[orientation][edge]
    letter, number = letter + letter_step, number + number_step
    if not 0 <= letter < 26 or number < 0:
        return None
    return f"{chr(ord('A') + letter)}{number}"


def axial(hex_id: str, orientation: Orientation) -> tuple[int, int]:
    """Axial coordinates: hexes are as far from each other as the largest of the differences of q, of r and of q + r."""
    letter, number = parse_hex_id(hex_id)
    if orientation == "flat":
        return letter, (number - letter) // 2
    return (number - letter) // 2, letter
