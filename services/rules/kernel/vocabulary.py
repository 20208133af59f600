"""The words of the log that belong to every game: holders who are no players, and what a director did.

Why money, certificates and debts move is listed nowhere. A reason that only one title has begins with the title's name, for
example `1862.hudson`."""

from __future__ import annotations

BANK = "bank"
POOL = "pool"
RESERVED_HOLDERS = frozenset((BANK, POOL))

# A director moved money, or a recorded game did.
CORRECTION = "correction"
ENDED_BY_DIRECTOR = "ended_by_director"
