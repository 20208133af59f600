"""Who may do what only operators may."""

from __future__ import annotations

from collections.abc import Collection

import grpc

from services.common.auth import TokenVerifier


class Operators:
    """The players whom the settings name as operators."""

    def __init__(self, verifier: TokenVerifier, player_ids: Collection[str]) -> None:
        self._verifier = verifier
        self._player_ids = frozenset(player_ids)

    def __call__(self, context: grpc.ServicerContext) -> bool:
        """Whether the caller is one of them. Raises `Unauthenticated` for a caller without a good token."""
        return self._verifier.authenticate(context).player_id in self._player_ids
