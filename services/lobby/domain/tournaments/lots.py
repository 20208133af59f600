"""Lots drawn from a published seed, so that anybody can verify them."""

import hashlib
from collections.abc import Iterator

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15


def lot(seed: int, purpose: str, name: str) -> int:
    """The lot of `name`: the first 8 bytes of the SHA-256 digest of `signalbox PURPOSE 1|SEED|NAME` in UTF-8, seed in decimal."""
    digest = hashlib.sha256(f"signalbox {purpose} 1|{seed}|{name}".encode()).digest()
    return int.from_bytes(digest[:8])


def random_numbers(seed: int, purpose: str) -> Iterator[int]:
    """Endless random numbers of 64 bits (SplitMix64), which begin with the lot of an empty name."""
    state = lot(seed, purpose, "")
    while True:
        state = (state + _GAMMA) & _MASK
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        yield mixed ^ (mixed >> 31)
