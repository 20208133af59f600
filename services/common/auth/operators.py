"""Who may do what only operators may."""

from __future__ import annotations

from collections.abc import Collection

import grpc

from services.common.auth.tokens import ANYBODY, Principal, TokenVerifier


class Operators:
    """Bearers of an operator's token, and the players whom the settings name as operators."""

    def __init__(self, verifier: TokenVerifier, player_ids: Collection[str]) -> None:
        self._verifier = verifier
        self._player_ids = frozenset(player_ids)

    def __call__(self, context: grpc.ServicerContext) -> bool:
        """Whether the caller is one of them. Raises `Unauthenticated` for a caller without a good token."""
        return self.includes(self._verifier.authenticate(context, ANYBODY))

    def includes(self, caller: Principal) -> bool:
        """Whether this caller is one of them."""
        return caller.kind == "operator" or (caller.kind == "player" and caller.player_id in self._player_ids)
