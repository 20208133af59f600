"""What a caller sees of the books of a game that not everybody may see: what rules shows to the same caller."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import grpc

from services.common.auth.tokens import METADATA_KEY, Principal
from services.common.grpc.context import caller_of
from services.ledger.handlers import UnknownGameError


class GameSight(Protocol):
    """Asks rules what a caller sees of a game."""

    def seen_by(self, game_id: str, caller: Principal, authorization: str) -> int | None:
        """The sequence up to which the caller sees the game, None where all of it. `authorization`: as it came with the call.

        Raises `UnknownGameError` where the caller sees nothing, and `Unavailable`."""


class CallerSight:
    """What the callers of the ledger see."""

    def __init__(self, sight: GameSight | None, is_operator: Callable[[grpc.ServicerContext], bool]) -> None:
        """Without a `sight` only services and operators see games that not everybody may see."""
        self._sight = sight
        self._is_operator = is_operator

    def limit(self, game_id: str, context: grpc.ServicerContext) -> int | None:
        """See `GameSight.seen_by`."""
        caller = caller_of(context)
        if caller.is_ours or self._is_operator(context):
            return None
        if self._sight is None:
            raise UnknownGameError(game_id)
        return self._sight.seen_by(game_id, caller.proven(), _authorization(context))


def _authorization(context: grpc.ServicerContext) -> str:
    """The one entry that proved who calls."""
    return next(str(value) for key, value in context.invocation_metadata() if key.lower() == METADATA_KEY)
