"""Draws that follow from a table's seed: a linear congruential sequence x -> (1103515245 x + 12345) mod 2^31 from the seed on;
to shuffle, each card takes the next number and the cards are sorted by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

MULTIPLIER, INCREMENT, MODULUS = 1103515245, 12345, 2**31
Card = TypeVar("Card")


def numbers_from(seed: int) -> Iterator[int]:
    """The numbers that follow from a seed, without end."""
    number = seed % MODULUS
    while True:
        number = (MULTIPLIER * number + INCREMENT) % MODULUS
        yield number


def shuffled(cards: Sequence[Card], numbers: Iterator[int]) -> list[Card]:
    """The cards in the order of the next numbers."""
    keyed = [(next(numbers), place) for place in range(len(cards))]
    return [cards[place] for _, place in sorted(keyed)]
