"""Summaries of games in an SQLite file. It may be the host's own file: all tables have the prefix `lobby_`.

Commits are not synced to disk: every summary can be rebuilt from the log, whose commits are.
"""

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from services.lobby.domain.games import GameSummary
from services.lobby.ports import PageCursor
from services.lobby.summary_codec import UnreadableSummary, decode_summary, encode_summary

SCHEMA_VERSION = 1
BUSY_TIMEOUT_SECONDS = 30.0
TABLES = """
CREATE TABLE IF NOT EXISTS lobby_summaries (
    game_id TEXT PRIMARY KEY, sequence INTEGER NOT NULL, time_ms INTEGER NOT NULL, is_timed INTEGER NOT NULL,
    summary BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS lobby_summaries_recent ON lobby_summaries (time_ms, game_id);
CREATE INDEX IF NOT EXISTS lobby_summaries_timed ON lobby_summaries (game_id) WHERE is_timed;
CREATE TABLE IF NOT EXISTS lobby_summary_players (
    player_id TEXT NOT NULL, game_id TEXT NOT NULL, is_waited_for INTEGER NOT NULL, PRIMARY KEY (player_id, game_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS lobby_summary_players_of_game ON lobby_summary_players (game_id);
CREATE TABLE IF NOT EXISTS lobby_summaries_unlisted (game_id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lobby_summaries_schema (version INTEGER NOT NULL);
"""
DROP_TABLES = """
DROP TABLE IF EXISTS lobby_summaries;
DROP TABLE IF EXISTS lobby_summary_players;
DROP TABLE IF EXISTS lobby_summaries_unlisted;
DROP TABLE IF EXISTS lobby_summaries_schema;
"""
BEYOND = "(time_ms, game_id) < (?, ?) ORDER BY time_ms DESC, game_id DESC LIMIT ?"
RECENT = f"SELECT summary FROM lobby_summaries WHERE {BEYOND}"
LISTED = f"""
    SELECT summary FROM lobby_summaries
    WHERE game_id NOT IN (SELECT game_id FROM lobby_summaries_unlisted) AND {BEYOND}"""
OF_PLAYER = f"""
    SELECT summary FROM lobby_summary_players JOIN lobby_summaries USING (game_id)
    WHERE player_id = ? AND is_waited_for >= ? AND {BEYOND}"""
PLAYERS_KEPT = "SELECT player_id, is_waited_for FROM lobby_summary_players WHERE game_id = ?"
PUT = """
    INSERT INTO lobby_summaries VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET sequence = excluded.sequence, time_ms = excluded.time_ms, is_timed = excluded.is_timed,
    summary = excluded.summary"""
# Greater than every time and id, so that the first page begins with the latest game.
FIRST_CURSOR = PageCursor(2**63 - 1, "")
Result = TypeVar("Result")


class SqliteSummaries:
    """The `GameSummaries` port over one connection of its own."""

    def __init__(self, path: Path) -> None:
        """Opens or creates the file. Raises `sqlite3.DatabaseError` if it is not a database."""
        self._lock = threading.Lock()
        self._is_complete = False
        self._connection = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False, timeout=BUSY_TIMEOUT_SECONDS
        )
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        # Summaries that change lie all over the file: pages are read again, and written again before a checkpoint, less often.
        self._connection.execute("PRAGMA wal_autocheckpoint = 10000")
        self._connection.execute("PRAGMA cache_size = -65536")
        self._make_tables()

    def _make_tables(self) -> None:
        """Tables of another schema version are dropped: everything in them can be rebuilt."""
        self._connection.executescript(TABLES)
        version = self._connection.execute("SELECT max(version) FROM lobby_summaries_schema").fetchone()[0]
        if version != SCHEMA_VERSION:
            self._connection.executescript(DROP_TABLES + TABLES)
            self._connection.execute("INSERT INTO lobby_summaries_schema VALUES (?)", (SCHEMA_VERSION,))

    @property
    def is_complete(self) -> bool:
        """See `GameSummaries`."""
        return self._is_complete

    def mark_complete(self) -> None:
        """See `GameSummaries`."""
        self._is_complete = True

    def put(self, summary: GameSummary) -> bool:
        """See `GameSummaries`."""
        return self.write(lambda connection: put_summary_within(connection, summary))

    def write(self, change: Callable[[sqlite3.Connection], Result]) -> Result:
        """Call `change` within one transaction."""
        with self._lock, self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            return change(self._connection)

    def get(self, game_id: str) -> GameSummary | None:
        """See `GameSummaries`."""
        found = self._summaries("SELECT summary FROM lobby_summaries WHERE game_id = ?", (game_id,))
        return found[0] if found else None

    def of_player(
        self, player_id: str, only_waiting: bool, most: int, before: PageCursor | None = None
    ) -> list[GameSummary]:
        """See `GameSummaries`."""
        cursor = before or FIRST_CURSOR
        return self._summaries(OF_PLAYER, (player_id, only_waiting, cursor.time_ms, cursor.game_id, most))

    def recent(
        self, most: int, before: PageCursor | None = None, only_listed: bool = False
    ) -> list[GameSummary]:
        """See `GameSummaries`."""
        cursor = before or FIRST_CURSOR
        return self._summaries(LISTED if only_listed else RECENT, (cursor.time_ms, cursor.game_id, most))

    def timed(self) -> list[GameSummary]:
        """See `GameSummaries`."""
        return self._summaries("SELECT summary FROM lobby_summaries WHERE is_timed", ())

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._connection.close()

    def _summaries(self, query: str, parameters: tuple[Any, ...]) -> list[GameSummary]:
        with self._lock:
            rows = self._connection.execute(query, parameters).fetchall()
        return [summary for (stored,) in rows if (summary := _readable(stored)) is not None]


def put_summary_within(
    connection: sqlite3.Connection, summary: GameSummary, encoded: bytes | None = None
) -> bool:
    """`GameSummaries.put` as part of a transaction that is open. `encoded`: the summary as stores keep it, if it is there."""
    kept = connection.execute(
        "SELECT sequence, summary FROM lobby_summaries WHERE game_id = ?", (summary.game_id,)
    ).fetchone()
    if kept is not None and kept[0] >= summary.sequence and _readable(kept[1]) is not None:
        return False
    value = encode_summary(summary) if encoded is None else encoded
    connection.execute(PUT, (summary.game_id, summary.sequence, summary.time_ms, summary.is_timed, value))
    connection.execute("DELETE FROM lobby_summaries_unlisted WHERE game_id = ?", (summary.game_id,))
    if summary.is_unlisted:
        connection.execute("INSERT INTO lobby_summaries_unlisted VALUES (?)", (summary.game_id,))
    _put_players(connection, summary)
    return True


def _put_players(connection: sqlite3.Connection, summary: GameSummary) -> None:
    """Writes only what changes: with most commands that is at most who is waited for."""
    asked = summary.waits_for_accounts
    wanted = {account: account in asked for account in summary.status.accounts}
    kept = dict(connection.execute(PLAYERS_KEPT, (summary.game_id,)).fetchall())
    for account in kept.keys() - wanted.keys():
        connection.execute(
            "DELETE FROM lobby_summary_players WHERE player_id = ? AND game_id = ?",
            (account, summary.game_id),
        )
    for account, is_asked in wanted.items():
        if kept.get(account) != is_asked:
            row = (account, summary.game_id, is_asked)
            connection.execute("INSERT OR REPLACE INTO lobby_summary_players VALUES (?, ?, ?)", row)


def forget_summary_within(connection: sqlite3.Connection, game_id: str) -> None:
    """Forget the summary of a game, as part of a transaction that is open."""
    for table in ("lobby_summaries", "lobby_summary_players", "lobby_summaries_unlisted"):
        connection.execute(f"DELETE FROM {table} WHERE game_id = ?", (game_id,))


def _readable(stored: bytes) -> GameSummary | None:
    """None for a damaged summary: it is rebuilt like a missing one."""
    try:
        return decode_summary(stored)
    except UnreadableSummary:
        return None
