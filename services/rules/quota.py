"""How much the commands of one player may write into one game."""

from __future__ import annotations

from services.rules.kernel.commands import Command, Undo

# A player who has taken back too often can still play the game to its end.
UNDO_PART = 2


def most_events(command: Command, quota: int) -> int:
    """From how many events of the player on this command is refused; `quota`: see `QuotaSettings.game_events`."""
    return quota // UNDO_PART if isinstance(command, Undo) else quota
