"""How much the commands of one player may write into one game."""

from __future__ import annotations

from services.rules.kernel.commands import Command, Undo
from services.rules.kernel.rejections import Rejected, Rejection

# A player who has taken back too often can still play the game to its end.
UNDO_PART = 2


def reject_over_quota(command: Command, events: int, quota: int) -> Rejection | None:
    """Why a player whose commands have written so many events into a game may not give this one; None if they may."""
    most = quota // UNDO_PART if isinstance(command, Undo) else quota
    return Rejected("too_many_events", detail=str(events)).rejection() if events >= most else None
