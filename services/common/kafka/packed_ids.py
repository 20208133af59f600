"""Ids of players, tables and games in packed values: a letter and 24 digits in base 32, which stand for 15 bytes.

Each record has several, which the standard library, in Python itself, takes ten times as long for."""

from __future__ import annotations

ID_LENGTH, ID_BYTES = 25, 16
DIGITS = b"abcdefghijklmnopqrstuvwxyz234567"
# What `int` takes for digits in base 32.
TO_INTEGER = bytes.maketrans(DIGITS, b"0123456789abcdefghijklmnopqrstuv")
# Two digits by the ten bits that they stand for.
PAIRS = tuple(bytes((first, second)) for first in DIGITS for second in DIGITS)
PAIR_BITS, PAIR_MASK = 10, 1023
SHIFTS = tuple(range((ID_LENGTH - 1) // 2 * PAIR_BITS - PAIR_BITS, -1, -PAIR_BITS))


def bytes_of_id(name: bytes) -> bytes:
    """The 16 bytes of an id of 25."""
    return name[:1] + int(name[1:].translate(TO_INTEGER), 32).to_bytes(ID_BYTES - 1, "big")


def id_of_bytes(content: bytes) -> bytes:
    """The id of 25 bytes that 16 stand for."""
    number = int.from_bytes(content[1:], "big")
    return content[:1] + b"".join([PAIRS[number >> shift & PAIR_MASK] for shift in SHIFTS])
