"""All tables: a projection of the log in memory, brought up to date at every question.

A table with a record that this version cannot read is left out of every list, and asking for it raises `UnknownRecord`. All
other tables are unaffected.
"""

import threading
from bisect import bisect_left

from services.common.errors import InvalidRequest
from services.common.eventlog.port import EventLog, Record
from services.common.eventlog.unread import UnreadRecords
from services.common.telemetry.logs import get_logger
from services.lobby.domain.quotas import Usage
from services.lobby.domain.tables import BrokenTableLog, Table, TableState, evolve
from services.lobby.domain.visibility import STRANGER, Viewer, is_listed_for
from services.lobby.event_codec import UnknownRecord, decode
from services.lobby.handlers.requests import game_id_of
from services.lobby.usage import UsageByPlayer

TABLE_STREAM = "lobby.table."


class TableDirectory:
    """Answers questions about tables; every answer includes everything written before the question."""

    def __init__(self, log: EventLog) -> None:
        self._unread = UnreadRecords(log, TABLE_STREAM)
        self._lock = threading.Lock()
        self._tables: dict[str, Table] = {}
        self._why_unreadable: dict[str, str] = {}
        self._opening_positions: list[int] = []
        self._ids_by_opening: dict[int, str] = {}
        self._ids_by_game: dict[str, str] = {}
        self._usage = UsageByPlayer()

    def get(self, table_id: str) -> Table | None:
        """One table. Raises `UnknownRecord` where it cannot be read."""
        with self._lock:
            self._catch_up()
            return self._readable(table_id)

    def of_game(self, game_id: str) -> Table | None:
        """The table at which this game is played. Raises `UnknownRecord` where it cannot be read."""
        with self._lock:
            self._catch_up()
            table_id = self._ids_by_game.get(game_id)
            return None if table_id is None else self._readable(table_id)

    def usage_of(self, player_id: str) -> Usage:
        """What a player keeps in the lobby."""
        with self._lock:
            self._catch_up()
            return self._usage.of(player_id)

    def in_state(self, state: TableState) -> list[Table]:
        """All tables in this state, oldest first."""
        with self._lock:
            self._catch_up()
            return [table for table in self._tables.values() if table.state is state]

    def count(self, state: TableState) -> int:
        """How many tables are in this state."""
        with self._lock:
            self._catch_up()
            return sum(table.state is state for table in self._tables.values())

    def page(
        self, size: int, token: str, title: str, state: TableState | None, viewer: Viewer = STRANGER
    ) -> tuple[list[Table], str]:
        """Matching tables that are listed for the viewer, newest first, and the token of the next page, empty on the last.

        Raises `InvalidRequest` for a malformed token.
        """
        with self._lock:
            self._catch_up()
            end = self._index_of(token)
            found: list[Table] = []
            for index in range(end - 1, -1, -1):
                table = self._tables.get(self._ids_by_opening[self._opening_positions[index]])
                if table is None or (title and table.title != title):
                    continue
                if state is not None and table.state is not state:
                    continue
                if not is_listed_for(table, viewer):
                    continue
                if len(found) == size:
                    return found, str(self._opening_positions[index] + 1)
                found.append(table)
            return found, ""

    def _readable(self, table_id: str) -> Table | None:
        if table_id in self._why_unreadable:
            raise UnknownRecord(self._why_unreadable[table_id])
        return self._tables.get(table_id)

    def _index_of(self, token: str) -> int:
        if not token:
            return len(self._opening_positions)
        if not (token.isascii() and token.isdigit() and len(token) < 20):
            raise InvalidRequest("page_token is not a token of an earlier answer")
        return bisect_left(self._opening_positions, int(token))

    def _catch_up(self) -> None:
        for record in self._unread:
            self._fold(record)

    def _fold(self, record: Record) -> None:
        table_id = record.stream.removeprefix(TABLE_STREAM)
        known = self._tables.get(table_id)
        if table_id in self._why_unreadable:
            return
        try:
            event = decode(record)
            table = self._tables[table_id] = evolve(known, event)
        except (UnknownRecord, BrokenTableLog) as problem:
            self._mark_unreadable(table_id, str(problem))
            return
        self._usage.follow(known, event, table, record)
        if table.game_id:
            self._ids_by_game[table.game_id] = table_id
        if known is None:
            self._opening_positions.append(record.position)
            self._ids_by_opening[record.position] = table_id

    def _mark_unreadable(self, table_id: str, why: str) -> None:
        get_logger("lobby").error("table cannot be read", table_id=table_id, problem=why)
        self._why_unreadable[table_id] = why
        table = self._tables.pop(table_id, None)
        if table is not None:
            self._usage.drop(table)
        # The unreadable record may be the one that names the game.
        self._ids_by_game[game_id_of(table_id)] = table_id
