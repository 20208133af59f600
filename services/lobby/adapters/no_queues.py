"""The `Queues` of a host on which all services are one process: each command is decided while its sender waits, and each event
is followed before it is answered."""

from __future__ import annotations

from services.lobby.queues import BlockedGame, NothingHeldUp, Record, WaitingCommand


class NoQueues:
    """Nothing is held up."""

    are_there = False

    def blocked(self) -> list[BlockedGame]:
        """See `Queues`."""
        return []

    def blocked_game(self, reader: str, game_id: str, most: int) -> BlockedGame:
        """See `Queues`."""
        raise _none()

    def release(self, reader: str, game_id: str, record: Record, seconds: float) -> bool:
        """See `Queues`."""
        raise _none()

    def waiting(self) -> list[WaitingCommand]:
        """See `Queues`."""
        return []

    def skip(
        self, partition: int, offset: int, operator: str, reason: str, record: Record, seconds: float
    ) -> bool:
        """See `Queues`."""
        raise _none()


def _none() -> NothingHeldUp:
    return NothingHeldUp(
        "on this host all services are one process: no game can be blocked and no command can wait"
    )
