"""Seats drawn from a seed."""

import hashlib
from collections.abc import Iterable


def draw_seats(seed: int, player_ids: Iterable[str]) -> tuple[str, ...]:
    """The players in the order of their seats.

    Each player's lot is the SHA-256 digest of the text `signalbox seats 1|<seed>|<player id>` in UTF-8, seed in decimal;
    the smallest lot sits first. The order of joining has no effect, so anybody who knows the seed can verify the draw.
    """
    return tuple(sorted(player_ids, key=lambda player_id: _lot(seed, player_id)))


def _lot(seed: int, player_id: str) -> bytes:
    return hashlib.sha256(f"signalbox seats 1|{seed}|{player_id}".encode()).digest()
