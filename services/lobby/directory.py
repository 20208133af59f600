"""All tables: a projection of the log in a file, brought up to date at every question.

A table with a record that this version cannot read, or that makes it fit no row, is left out of every list, and asking for it
raises `UnknownRecord`. All other tables are unaffected. It is tried again at each start.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from services.common.errors import InvalidRequest
from services.common.eventlog.port import EventLog, Record
from services.common.telemetry.logs import get_logger
from services.lobby import table_rows
from services.lobby.domain.quotas import Usage
from services.lobby.domain.tables import BrokenTableLog, Table, TableState, evolve
from services.lobby.domain.visibility import STRANGER, Viewer
from services.lobby.event_codec import UnknownRecord, decode
from services.lobby.handlers.requests import game_id_of
from services.lobby.projection_file import ProjectionFile
from services.lobby.remembered import Remembered
from services.lobby.row_values import UnfitValue
from services.lobby.table_rows import Row
from services.lobby.usage import UsageChanges

TABLE_STREAM = "lobby.table."


class TableDirectory:
    """Answers questions about tables; every answer includes everything written before the question."""

    def __init__(
        self,
        log: EventLog,
        path: Path | None = None,
        stored_elsewhere: Callable[[str], int] = lambda _player_id: 0,
    ) -> None:
        """In the file `path`, or in memory; see `ProjectionFile`. `stored_elsewhere`: the bytes that the requests of a player
        have stored beside those about tables."""
        self._stored_elsewhere = stored_elsewhere
        self._fold = _TableFold()
        self._file = ProjectionFile(log, TABLE_STREAM, self._fold, path)

    def get(self, table_id: str) -> Table | None:
        """One table. Raises `UnknownRecord` where it cannot be read."""
        return self._file.answer(lambda connection: self._fold.readable(connection, table_id))

    def of_game(self, game_id: str) -> Table | None:
        """The table at which this game is played. Raises `UnknownRecord` where it cannot be read."""

        def find(connection: sqlite3.Connection) -> Table | None:
            table_id = table_rows.table_id_of_game(connection, game_id)
            return None if table_id is None else self._fold.readable(connection, table_id)

        return self._file.answer(find)

    def usage_of(self, player_id: str) -> Usage:
        """What a player keeps in the lobby."""
        usage = self._file.answer(lambda connection: table_rows.usage_of(connection, player_id))
        return replace(usage, stored_bytes=usage.stored_bytes + self._stored_elsewhere(player_id))

    def in_state(self, state: TableState) -> list[Table]:
        """All tables in this state, oldest first."""
        return self._file.answer(lambda connection: table_rows.in_state(connection, state))

    def count(self, state: TableState) -> int:
        """How many tables are in this state."""
        return self._file.answer(lambda connection: table_rows.count(connection, state))

    def page(
        self, size: int, token: str, title: str, state: TableState | None, viewer: Viewer = STRANGER
    ) -> tuple[list[Table], str]:
        """Matching tables that are listed for the viewer, newest first, and the token of the next page, empty on the last.

        Raises `InvalidRequest` for a malformed token."""
        before = _position_of(token)
        rows = self._file.answer(
            lambda connection: table_rows.page(connection, size + 1, before, title, state, viewer)
        )
        token = str(rows[size].opened + 1) if len(rows) > size else ""
        return [row.table for row in rows[:size]], token

    def close(self) -> None:
        """Keep what is folded. May be called again."""
        self._file.close()


class _TableFold:
    """See `Fold`."""

    form = table_rows.VALUES.form
    tables: Sequence[str] = table_rows.TABLES

    def __init__(self) -> None:
        self._why_unreadable: dict[str, str] = {}
        self._remembered: Remembered[Row] = Remembered()

    def readable(self, connection: sqlite3.Connection, table_id: str) -> Table | None:
        """One table. Raises `UnknownRecord` where it cannot be read."""
        if table_id in self._why_unreadable:
            raise UnknownRecord(self._why_unreadable[table_id])
        row = self._row(connection, table_id)
        return None if row is None else row.table

    def reload(self, connection: sqlite3.Connection) -> None:
        """See `Fold`."""
        self._remembered.clear()
        self._why_unreadable = table_rows.why_unreadable(connection)

    def unreadable(self, connection: sqlite3.Connection) -> Mapping[str, int]:
        """See `Fold`."""
        return table_rows.unreadable_since(connection)

    def try_again(self, connection: sqlite3.Connection, name: str) -> None:
        """See `Fold`."""
        self._why_unreadable.pop(name, None)
        row = table_rows.take_unreadable(connection, name)
        if row is not None:
            batch = _Batch()
            batch.bring_back(row)
            self._write(connection, batch)

    def fold(self, connection: sqlite3.Connection, records: Sequence[Record]) -> None:
        """See `Fold`."""
        batch = _Batch()
        for record in records:
            self._take(connection, batch, record)
        self._write(connection, batch)

    def _take(self, connection: sqlite3.Connection, batch: "_Batch", record: Record) -> None:
        table_id = record.stream.removeprefix(TABLE_STREAM)
        if table_id in self._why_unreadable:
            return
        known = batch.rows.get(table_id) or self._row(connection, table_id)
        before = None if known is None else known.table
        try:
            event = decode(record)
            table = evolve(before, event)
            table_rows.check(table)
        except (UnknownRecord, BrokenTableLog, UnfitValue) as problem:
            get_logger("lobby").error("table cannot be read", table_id=table_id, problem=str(problem))
            self._why_unreadable[table_id] = str(problem)
            batch.drop(table_id, str(problem), known)
            return
        batch.usage.follow(before, event, table, record)
        batch.put(Row(record.position if known is None else known.opened, table), before)

    def _row(self, connection: sqlite3.Connection, table_id: str) -> Row | None:
        row = self._remembered.get(table_id)
        if row is None:
            row = table_rows.find(connection, table_id)
            if row is not None:
                self._remembered.put(table_id, row)
        return row

    def _write(self, connection: sqlite3.Connection, batch: "_Batch") -> None:
        for table_id, (why, before) in batch.unreadable.items():
            table_rows.mark_unreadable(connection, table_id, why, before)
            self._remembered.drop(table_id)
        hidden = [row for table_id, row in batch.rows.items() if table_id in batch.hidden]
        table_rows.write(connection, batch.rows.values(), hidden, batch.games)
        table_rows.add_to_counts(connection, batch.states, batch.usage.by_player())
        for table_id, row in batch.rows.items():
            self._remembered.put(table_id, row)


class _Batch:
    """What some records change."""

    def __init__(self) -> None:
        self.rows: dict[str, Row] = {}
        self.hidden: set[str] = set()
        self.games: dict[str, str] = {}
        self.states: Counter[TableState] = Counter()
        self.usage = UsageChanges()
        self.unreadable: dict[str, tuple[str, Row | None]] = {}

    def put(self, row: Row, before: Table | None) -> None:
        """A table after an event."""
        table = row.table
        self.rows[table.table_id] = row
        self.states[table.state] += 1
        if before is not None:
            self.states[before.state] -= 1
        if not (table_rows.is_public(table) and (before is None or table_rows.is_public(before))):
            self.hidden.add(table.table_id)
        if table.game_id:
            self.games[table.game_id] = table.table_id

    def bring_back(self, row: Row) -> None:
        """A table that was dropped."""
        self.put(row, None)
        self.usage.count(row.table)

    def drop(self, table_id: str, why: str, known: Row | None) -> None:
        """A table that cannot be read any more."""
        self.rows.pop(table_id, None)
        self.unreadable[table_id] = why, known
        if known is not None:
            self.states[known.table.state] -= 1
            self.usage.drop(known.table)
        # The unreadable record may be the one that names the game.
        self.games[game_id_of(table_id)] = table_id


def _position_of(token: str) -> int:
    """Pages go on with what was opened before it. Raises `InvalidRequest`."""
    if not token:
        return table_rows.END
    if not (token.isascii() and token.isdigit() and len(token) < 20):
        raise InvalidRequest("page_token is not a token of an earlier answer")
    return min(int(token), table_rows.END)
