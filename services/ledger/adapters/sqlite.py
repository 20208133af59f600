"""Books in an SQLite file, which may be the host's own: all tables have the prefix `ledger_`.

Commits are not synced to disk: entries lost in a power failure are booked again from the log, which is synced.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import msgspec

from services.common.eventlog.sqlite_database import is_damaged, is_unwritable, remove_database
from services.common.telemetry.logs import get_logger
from services.ledger.domain.journal import Entry
from services.ledger.ports import BrokenBookError, Hold, StaleBookError, StoredBook, UnwritableStoreError

SCHEMA_VERSION = 1
_BUSY_TIMEOUT_MS = 5000
_TABLES = """
CREATE TABLE IF NOT EXISTS ledger_books (
    game_id TEXT PRIMARY KEY, last_sequence INTEGER NOT NULL, schema_version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ledger_entries (
    game_id TEXT NOT NULL, last_sequence INTEGER NOT NULL, entries BLOB NOT NULL,
    PRIMARY KEY (game_id, last_sequence)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ledger_agreed (
    game_id TEXT PRIMARY KEY, sequence INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ledger_holds (
    game_id TEXT PRIMARY KEY, reason TEXT NOT NULL, detail TEXT NOT NULL, sequence INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ledger_rebuilds (
    game_id TEXT PRIMARY KEY, time_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ledger_source (
    only INTEGER PRIMARY KEY CHECK (only = 1), identity TEXT NOT NULL
);
"""
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(list[Entry])


class SqliteBookStore:
    """Stores each batch of entries as one row, in one transaction with the last sequence."""

    def __init__(self, path: Path, *, is_expendable: bool = False) -> None:
        """Open or create the file; `sqlite3.DatabaseError` when it is no SQLite file.

        `is_expendable`: its content can be rebuilt, so a file found damaged is recreated at the next use, with nothing but
        its source. The operation that found the damage raises `sqlite3.DatabaseError`."""
        self._path = path
        self._is_expendable = is_expendable
        self._is_damaged = False
        self._lock = Lock()
        self._source = ""
        self._connection = _connected(path)

    @contextmanager
    def _open_database(self) -> Iterator[None]:
        with self._lock:
            if self._is_damaged:
                self._recreate()
            try:
                yield
            except sqlite3.DatabaseError as broken:
                self._is_damaged = self._is_expendable and is_damaged(broken)
                if self._is_damaged:
                    get_logger("ledger").error("books file dropped", file=str(self._path), why=str(broken))
                if is_unwritable(broken):
                    raise UnwritableStoreError(f"{self._path}: {broken}") from broken
                raise

    def _recreate(self) -> None:
        self._connection.close()
        remove_database(self._path)
        self._connection = _connected(self._path)
        self._write_source()
        self._is_damaged = False

    def load(self, game_id: str) -> StoredBook | None:
        """The stored book, None when there is none; `BrokenBookError` when it cannot be read."""
        with self._open_database():
            head = self._head(game_id)
            rows = self._connection.execute(
                "SELECT last_sequence, entries FROM ledger_entries WHERE game_id = ? ORDER BY last_sequence",
                (game_id,),
            ).fetchall()
            agreed = self._number("SELECT sequence FROM ledger_agreed WHERE game_id = ?", game_id)
        if head is None:
            return None
        sequence, schema_version = head
        if schema_version != SCHEMA_VERSION:
            raise BrokenBookError(
                f"game {game_id}: stored with schema {schema_version}, this is {SCHEMA_VERSION}"
            )
        if not rows or rows[-1][0] != sequence:
            raise BrokenBookError(f"game {game_id}: entries up to sequence {sequence} are incomplete")
        try:
            entries = tuple(entry for row in rows for entry in _decoder.decode(row[1]))
        except msgspec.MsgspecError as error:
            raise BrokenBookError(f"game {game_id}: {error}") from error
        return StoredBook(sequence, entries, agreed)

    def append(self, game_id: str, expected: int, sequence: int, entries: Sequence[Entry]) -> None:
        """Store further entries and the last sequence together."""
        payload = _encoder.encode(entries)
        with self._open_database(), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            last = (self._head(game_id) or (0, SCHEMA_VERSION))[0]
            if last != expected:
                raise StaleBookError(f"game {game_id}: stored up to {last}, not {expected}")
            self._connection.execute(
                "INSERT OR REPLACE INTO ledger_books VALUES (?, ?, ?)", (game_id, sequence, SCHEMA_VERSION)
            )
            self._connection.execute(
                "INSERT INTO ledger_entries VALUES (?, ?, ?)", (game_id, sequence, payload)
            )

    def note_agreed(self, game_id: str, sequence: int) -> None:
        """Store the last sequence at which the book agreed with rules."""
        with self._open_database():
            self._connection.execute(
                "INSERT OR REPLACE INTO ledger_agreed VALUES (?, ?)", (game_id, sequence)
            )

    def forget(self, game_id: str) -> None:
        """Drop what is stored of the book."""
        with self._open_database(), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute("DELETE FROM ledger_entries WHERE game_id = ?", (game_id,))
            self._connection.execute("DELETE FROM ledger_books WHERE game_id = ?", (game_id,))
            self._connection.execute("DELETE FROM ledger_agreed WHERE game_id = ?", (game_id,))

    def put_hold(self, hold: Hold) -> None:
        """Store the hold of a game."""
        row = (hold.game_id, hold.reason, hold.detail, hold.sequence)
        with self._open_database():
            self._connection.execute("INSERT OR REPLACE INTO ledger_holds VALUES (?, ?, ?, ?)", row)

    def remove_hold(self, game_id: str) -> None:
        """Drop the hold of a game."""
        with self._open_database():
            self._connection.execute("DELETE FROM ledger_holds WHERE game_id = ?", (game_id,))

    def hold_of(self, game_id: str) -> Hold | None:
        """The hold of a game, if there is one."""
        with self._open_database():
            row = self._connection.execute(
                "SELECT game_id, reason, detail, sequence FROM ledger_holds WHERE game_id = ?", (game_id,)
            ).fetchone()
        return None if row is None else Hold(*row)

    def holds(self) -> tuple[Hold, ...]:
        """All holds by game id."""
        with self._open_database():
            rows = self._connection.execute(
                "SELECT game_id, reason, detail, sequence FROM ledger_holds ORDER BY game_id"
            ).fetchall()
        return tuple(Hold(*row) for row in rows)

    def rebuilt_ms(self, game_id: str) -> int:
        """The time of the last applied rebuild request, milliseconds since 1970 UTC; 0 for none."""
        with self._open_database():
            return self._number("SELECT time_ms FROM ledger_rebuilds WHERE game_id = ?", game_id)

    def note_rebuilt(self, game_id: str, time_ms: int) -> None:
        """Store that the rebuild request of this time was applied."""
        with self._open_database():
            self._connection.execute(
                "INSERT OR REPLACE INTO ledger_rebuilds VALUES (?, ?)", (game_id, time_ms)
            )

    def source(self) -> str:
        """The identity of the log that the books were built from, empty where none is stored."""
        with self._open_database():
            row: tuple[str] | None = self._connection.execute("SELECT identity FROM ledger_source").fetchone()
        return "" if row is None else row[0]

    def note_source(self, identity: str) -> None:
        """Store the identity of the log that the books are built from."""
        with self._open_database():
            self._source = identity
            self._write_source()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _write_source(self) -> None:
        self._connection.execute("INSERT OR REPLACE INTO ledger_source VALUES (1, ?)", (self._source,))

    def _number(self, query: str, game_id: str) -> int:
        row: tuple[int] | None = self._connection.execute(query, (game_id,)).fetchone()
        return 0 if row is None else row[0]

    def _head(self, game_id: str) -> tuple[int, int] | None:
        row: tuple[int, int] | None = self._connection.execute(
            "SELECT last_sequence, schema_version FROM ledger_books WHERE game_id = ?", (game_id,)
        ).fetchone()
        return row


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA busy_timeout={_BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.executescript(_TABLES)
    except sqlite3.Error:
        connection.close()
        raise
    return connection
