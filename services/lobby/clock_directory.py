"""The clocks of all tables: a projection of the log in memory, brought up to date at every question."""

from __future__ import annotations

import threading
from typing import NamedTuple

from services.common.eventlog.port import EventLog, Record
from services.common.eventlog.unread import UnreadRecords
from services.common.telemetry.logs import get_logger
from services.lobby.domain.table_clocks import TableClocks, evolve_clocks
from services.lobby.event_codec import UnknownRecord, decode

CLOCK_STREAM = "lobby.clock."


class ClockCounts(NamedTuple):
    """Tables at which a clock runs, and steps about overdue turns to which rules has not answered."""

    running: int
    steps_waiting: int


class ClockDirectory:
    """Every answer includes everything written before the question."""

    def __init__(self, log: EventLog, prefix: str = CLOCK_STREAM) -> None:
        """`prefix`: of the streams; what follows it is the id."""
        self._prefix = prefix
        self._unread = UnreadRecords(log, prefix)
        self._lock = threading.Lock()
        self._clocks: dict[str, TableClocks] = {}
        self._why_unreadable: dict[str, str] = {}

    def get(self, table_id: str) -> TableClocks:
        """The clocks of a table. Raises `UnknownRecord` where they cannot be read."""
        with self._lock:
            self._catch_up()
            if table_id in self._why_unreadable:
                raise UnknownRecord(self._why_unreadable[table_id])
            return self._clocks.get(table_id, TableClocks())

    def held(self) -> list[str]:
        """Ids of the tables whose game the ledger holds, as far as their clocks know."""
        with self._lock:
            self._catch_up()
            return [table_id for table_id, each in self._clocks.items() if each.is_held]

    def counts(self) -> ClockCounts:
        """How many clocks run and wait."""
        with self._lock:
            self._catch_up()
            return ClockCounts(
                sum(bool(each.asked) for each in self._clocks.values()),
                sum(len(each.pending) for each in self._clocks.values()),
            )

    def _catch_up(self) -> None:
        for record in self._unread:
            self._fold(record)

    def _fold(self, record: Record) -> None:
        table_id = record.stream.removeprefix(self._prefix)
        known = self._clocks.get(table_id, TableClocks())
        if table_id in self._why_unreadable:
            return
        try:
            self._clocks[table_id] = evolve_clocks(known, decode(record))
        except UnknownRecord as problem:
            get_logger("lobby").error("clocks cannot be read", table_id=table_id, problem=str(problem))
            self._why_unreadable[table_id] = str(problem)
