"""The clocks of all tables: a projection of the log in a file, brought up to date at every question.

Clocks with a record that this version cannot read, or that makes them fit no row, are tried again at each start."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from services.common.eventlog.port import EventLog, Record
from services.common.telemetry.logs import get_logger
from services.lobby.domain.table_clocks import TableClocks, evolve_clocks
from services.lobby.event_codec import UnknownRecord, decode
from services.lobby.projection_file import ProjectionFile
from services.lobby.remembered import Remembered
from services.lobby.row_values import RowValues, UnfitValue

CLOCK_STREAM = "lobby.clock."
TABLES = (
    """CREATE TABLE clocks (
        id TEXT PRIMARY KEY, is_held INTEGER NOT NULL, runs INTEGER NOT NULL, waiting INTEGER NOT NULL, body BLOB NOT NULL)""",
    "CREATE INDEX clocks_held ON clocks (id) WHERE is_held",
    # Only the clocks that count, of all that ever ran.
    "CREATE INDEX clocks_counted ON clocks (runs, waiting) WHERE runs OR waiting",
    "CREATE TABLE unreadable (id TEXT PRIMARY KEY, why TEXT NOT NULL)",
)
CLOCKS = RowValues(msgspec.msgpack.Decoder(TableClocks), 1)
PUT = """INSERT INTO clocks VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
    is_held = excluded.is_held, runs = excluded.runs, waiting = excluded.waiting, body = excluded.body"""
COUNTED = "SELECT coalesce(sum(runs), 0), coalesce(sum(waiting), 0) FROM clocks WHERE runs OR waiting"


class ClockCounts(NamedTuple):
    """Tables at which a clock runs, and steps about overdue turns to which rules has not answered."""

    running: int
    steps_waiting: int


class ClockDirectory:
    """Every answer includes everything written before the question."""

    def __init__(self, log: EventLog, prefix: str = CLOCK_STREAM, path: Path | None = None) -> None:
        """`prefix`: of the streams; what follows it is the id. In the file `path`, or in memory; see `ProjectionFile`."""
        self._fold = _ClockFold(prefix)
        self._file = ProjectionFile(log, prefix, self._fold, path)

    def get(self, table_id: str) -> TableClocks:
        """The clocks of a table. Raises `UnknownRecord` where they cannot be read."""
        return self._file.answer(lambda connection: self._fold.readable(connection, table_id))

    def held(self) -> list[str]:
        """Ids of the tables whose game the ledger holds, as far as their clocks know."""
        query = "SELECT id FROM clocks WHERE is_held ORDER BY id"
        return self._file.answer(lambda connection: [table_id for (table_id,) in connection.execute(query)])

    def counts(self) -> ClockCounts:
        """How many clocks run and wait."""
        return self._file.answer(lambda connection: ClockCounts(*connection.execute(COUNTED).fetchone()))

    def close(self) -> None:
        """Keep what is folded. May be called again."""
        self._file.close()


class _ClockFold:
    """See `Fold`. Clocks that cannot be read count as they were before."""

    form = CLOCKS.form
    tables: Sequence[str] = TABLES

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._why_unreadable: dict[str, str] = {}
        self._remembered: Remembered[TableClocks] = Remembered()

    def readable(self, connection: sqlite3.Connection, table_id: str) -> TableClocks:
        """The clocks of a table. Raises `UnknownRecord` where they cannot be read."""
        if table_id in self._why_unreadable:
            raise UnknownRecord(self._why_unreadable[table_id])
        return self._clocks(connection, table_id)

    def reload(self, connection: sqlite3.Connection) -> None:
        """See `Fold`."""
        self._remembered.clear()
        self._why_unreadable = dict(connection.execute("SELECT id, why FROM unreadable").fetchall())

    def unreadable(self, connection: sqlite3.Connection) -> Mapping[str, int]:
        """See `Fold`."""
        return {table_id: self._clocks(connection, table_id).version for table_id in self._why_unreadable}

    def try_again(self, connection: sqlite3.Connection, name: str) -> None:
        """See `Fold`."""
        self._why_unreadable.pop(name, None)
        connection.execute("DELETE FROM unreadable WHERE id = ?", (name,))

    def fold(self, connection: sqlite3.Connection, records: Sequence[Record]) -> None:
        """See `Fold`."""
        changed: dict[str, TableClocks] = {}
        for record in records:
            table_id = record.stream.removeprefix(self._prefix)
            if table_id in self._why_unreadable:
                continue
            known = changed.get(table_id) or self._clocks(connection, table_id)
            try:
                changed[table_id] = evolve_clocks(known, decode(record))
            except UnknownRecord as problem:
                self._mark_unreadable(connection, table_id, str(problem))
        for table_id, clocks in changed.items():
            self._write(connection, table_id, clocks)

    def _write(self, connection: sqlite3.Connection, table_id: str, clocks: TableClocks) -> None:
        """Clocks that fit no row stay as they are in the file."""
        try:
            row = _row(table_id, clocks)
        except UnfitValue as problem:
            self._mark_unreadable(connection, table_id, str(problem))
            return
        connection.execute(PUT, row)
        self._remembered.put(table_id, clocks)

    def _mark_unreadable(self, connection: sqlite3.Connection, table_id: str, why: str) -> None:
        get_logger("lobby").error("clocks cannot be read", table_id=table_id, problem=why)
        self._why_unreadable[table_id] = why
        connection.execute("INSERT OR REPLACE INTO unreadable VALUES (?, ?)", (table_id, why))

    def _clocks(self, connection: sqlite3.Connection, table_id: str) -> TableClocks:
        """What could be read of them. Raises `DamagedRow`."""
        clocks = self._remembered.get(table_id)
        if clocks is None:
            row = connection.execute("SELECT body FROM clocks WHERE id = ?", (table_id,)).fetchone()
            clocks = TableClocks() if row is None else CLOCKS.decoded(row[0])
            if row is not None:
                self._remembered.put(table_id, clocks)
        return clocks


def _row(table_id: str, clocks: TableClocks) -> tuple[object, ...]:
    return table_id, clocks.is_held, bool(clocks.asked), len(clocks.pending), CLOCKS.encoded(clocks)
