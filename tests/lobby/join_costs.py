"""Counts what joining and leaving a table reads from the log."""

from collections.abc import Callable

import pytest

from services.common.auth.tokens import Principal
from services.common.eventlog.port import EventLog, Record
from services.lobby.bootstrap import Lobby
from services.lobby.domain.tables import Table

JOINS_OF_A_PLAYER = 20


def records_read_by_joins(
    lobby: Lobby, log: EventLog, table_id: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[int, int]:
    """Records read from `log` for the first and for the last of `count` joins, each with its leave."""
    read: list[int] = []

    def counted(ask: Callable[..., list[Record]]) -> Callable[..., list[Record]]:
        def counting(*arguments: object, **named: object) -> list[Record]:
            records = ask(*arguments, **named)
            read.append(len(records))
            return records

        return counting

    monkeypatch.setattr(log, "read", counted(log.read))
    monkeypatch.setattr(log, "read_all", counted(log.read_all))
    costs = []
    for number in range(count):
        read.clear()
        guest = Principal(f"p-guest-{number // JOINS_OF_A_PLAYER}", "Guest")
        assert isinstance(lobby.tables.join(guest, f"j{number}", table_id), Table)
        assert isinstance(lobby.tables.leave(guest, f"l{number}", table_id), Table)
        costs.append(sum(read))
    return costs[0], costs[-1]
