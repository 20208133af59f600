"""Everything of value in a game, and a digest by which two services compare it without sending it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

DIGEST_BYTES = 16
# Enough to notice a fault: nobody profits from balances made to have the digest of others.
STORED_DIGEST_BYTES = 8


@dataclass(frozen=True, slots=True)
class Balances:
    """What holders have at one sequence; missing entries count as 0.

    `cash`: holder -> money. `shares`: (holder, company) -> shares. `debts`: player or company -> debt, above 0 when owed."""

    cash: Mapping[str, int]
    shares: Mapping[tuple[str, str], int]
    debts: Mapping[str, int]

    def digest(self) -> bytes:
        """The same for all balances that are equal, in whatever order their entries are; 0 counts as missing."""
        lines = [f"cash\0{holder}\0{amount}" for holder, amount in self.cash.items() if amount]
        lines += [f"debt\0{player}\0{amount}" for player, amount in self.debts.items() if amount]
        lines += [
            f"shares\0{holder}\0{company}\0{count}"
            for (holder, company), count in self.shares.items()
            if count
        ]
        return blake2b("\n".join(sorted(lines)).encode(), digest_size=DIGEST_BYTES).digest()

    def stored_digest(self) -> bytes:
        """The beginning of the digest, as statuses carry it."""
        return self.digest()[:STORED_DIGEST_BYTES]

    def agree_with(self, stored: bytes) -> bool:
        """Whether a stored digest is theirs. Statuses of version 2 carry all of it."""
        return len(stored) >= STORED_DIGEST_BYTES and self.digest().startswith(stored)
