"""Chooses what a dictionary holds: the stretches whose parts the most records of a sample have.

The sample is gone through once, in as many sections as stretches are wanted, and the best stretch of each section is taken
(the cover algorithm of Liao, Petri, Moffat and Wirth, "Effective construction of relative Lempel-Ziv dictionaries", 2016).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

PART = 6


def dictionary_of(games: Sequence[Sequence[bytes]], size: int, stretch: int) -> bytes:
    """At most `size` bytes, of the records of several games. The best stretches are at its end, where pointing to them takes the
    fewest bits.

    A part counts as often as there are records that have it, for nothing where one game alone has it, as its ids, and for nothing
    once a stretch with it is taken."""
    weights = _weights(games)
    whole = b"".join(record for records in games for record in records)
    section = max(stretch, len(whole) * stretch // size)
    taken: list[tuple[int, bytes]] = []
    for begin in range(0, len(whole), section):
        score, best = _best_of(whole[begin : begin + section], stretch, weights)
        if score:
            taken.append((score, best))
            for at in range(len(best) - PART + 1):
                weights.pop(best[at : at + PART], None)
    return b"".join(best for _, best in sorted(taken))[-size:]


def _weights(games: Sequence[Sequence[bytes]]) -> Counter[bytes]:
    counts: Counter[bytes] = Counter()
    in_games: Counter[bytes] = Counter()
    for records in games:
        own: Counter[bytes] = Counter()
        for record in records:
            own.update({record[at : at + PART] for at in range(len(record) - PART + 1)})
        counts += own
        in_games.update(own.keys())
    return Counter({part: count for part, count in counts.items() if in_games[part] > 1})


def _best_of(section: bytes, stretch: int, weights: Counter[bytes]) -> tuple[int, bytes]:
    """The stretch whose different parts weigh the most."""
    inside: Counter[bytes] = Counter()
    parts = [section[at : at + PART] for at in range(len(section) - PART + 1)]
    width = stretch - PART + 1
    score = best_score = best_at = 0
    for at, part in enumerate(parts):
        if not inside[part]:
            score += weights[part]
        inside[part] += 1
        if at >= width:
            gone = parts[at - width]
            inside[gone] -= 1
            if not inside[gone]:
                score -= weights[gone]
                del inside[gone]
        if score > best_score:
            best_score, best_at = score, max(0, at - width + 1)
    return best_score, section[best_at : best_at + stretch]
