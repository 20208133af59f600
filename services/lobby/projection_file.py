"""A projection of the streams with a prefix in an SQLite file, kept over a restart with the position up to which it is folded.

Each question first folds what was written since the last one, in a transaction that is committed after a second or a thousand
records, and is answered from within it: so an answer waits for no disk, and none is wrong while the disk is full. Position and
projection are in the same transaction, so a crash loses both or none, and what was lost is folded again.

Everything in the file can be made from the log. It is made anew where it is damaged, of another form, or of another log: a log
carries a number by which its projections know it. One that was put back to an earlier state, and has other records by now, lost
its end and nothing else: what is before an unchanged record is unchanged. So it is read on from the position if the record there
is the same, else from the last record that was folded; the one at the position may be in the archive by now.
"""

from __future__ import annotations

import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

import msgspec

from services.common.eventlog.port import EventLog, LogClosed, LogNotWritable, Record
from services.common.eventlog.sqlite_database import is_damaged, is_unwritable, remove_database
from services.common.eventlog.unread import next_records
from services.common.telemetry.logs import get_logger

KNOWN_BY = "lobby.projections"
"""The name under which a log has the number of its projections, among the positions of consumers."""
KNOWN_BY_BITS = 62
IN_MEMORY = ":memory:"
COMMIT_RECORDS = 1000
COMMIT_SECONDS = 1.0
RETRY_SECONDS = 5.0
OPEN_SECONDS = 1.0
CACHE_KIB = 32 * 1024
CHECKPOINT_PAGES = 8000
DIGEST_BYTES = 16
MARK = """CREATE TABLE IF NOT EXISTS projection (
    only INTEGER PRIMARY KEY CHECK (only = 1), log INTEGER NOT NULL, form TEXT NOT NULL,
    position INTEGER NOT NULL, digest BLOB NOT NULL, last INTEGER NOT NULL, last_digest BLOB NOT NULL)"""
Result = TypeVar("Result")

_encode = msgspec.msgpack.Encoder().encode


class Landmark(NamedTuple):
    """A record by which a log is recognised: its position, and a digest of it."""

    position: int
    digest: bytes


NOTHING = Landmark(0, b"")


class DamagedRow(Exception):
    """A row of a projection cannot be read."""


class Fold(Protocol):
    """What a projection is made of. All methods are called by one thread at a time, within a transaction."""

    @property
    def form(self) -> str:
        """Names what the file has and how that follows from the log, as no other form."""
        ...

    @property
    def tables(self) -> Sequence[str]:
        """The statements that make its tables where there are none."""
        ...

    def fold(self, connection: sqlite3.Connection, records: Sequence[Record]) -> None:
        """Take over the next records."""
        ...

    def reload(self, connection: sqlite3.Connection) -> None:
        """What is remembered of the file may not hold any more."""
        ...

    def unreadable(self, connection: sqlite3.Connection) -> Mapping[str, int]:
        """The streams, without the prefix, with a record that could not be read, and the last sequence that could."""
        ...

    def try_again(self, connection: sqlite3.Connection, name: str) -> None:
        """Such a stream is folded on, as if nothing had been wrong with it."""
        ...


class ProjectionFile:
    """Safe for many threads; questions are answered one after another."""

    def __init__(self, log: EventLog, prefix: str, fold: Fold, path: Path | None = None) -> None:
        """Opens the file, or keeps everything in memory where there is no `path`; nothing is folded yet. To be called before
        anything is added to a log that reads a copy: what the file knows must be in it."""
        self._log = log
        self._prefix = prefix
        self._fold = fold
        self._path = path
        self._lock = threading.Lock()
        self._logger = get_logger("lobby")
        self._is_closed = False
        self._position = 0
        self._last = NOTHING
        self._uncommitted = 0
        self._commit_at = 0.0
        self._retry_at = 0.0
        self._known_by = 0
        self._connection = self._opened()

    def answer(self, question: Callable[[sqlite3.Connection], Result]) -> Result:
        """What `question` finds; everything that was written before the call is there. Raises `LogClosed`, and what it raises."""
        with self._lock:
            if self._is_closed:
                raise LogClosed("the lobby's projections are closed")
            try:
                self._catch_up()
                return question(self._connection)
            except (sqlite3.DatabaseError, DamagedRow) as problem:
                if not isinstance(problem, DamagedRow) and not is_damaged(problem):
                    raise
                self._make_anew(str(problem))
            self._catch_up()
            return question(self._connection)

    def close(self) -> None:
        """Commit and close the file. May be called again."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            with suppress(sqlite3.Error, LogClosed):
                if self._connection.in_transaction:
                    self._commit()
            self._connection.close()

    def _catch_up(self) -> None:
        try:
            while self._take_next():
                pass
        except BaseException:
            self._go_back()
            raise

    def _take_next(self) -> bool:
        """Fold the next records; False where there were none."""
        records, reached = next_records(self._log, self._position, self._prefix)
        if reached == self._position:
            return False
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")
            self._commit_at = time.monotonic() + COMMIT_SECONDS
        if records:
            self._fold.fold(self._connection, records)
            self._last = _landmark(records[-1])
        self._position = reached
        self._uncommitted += len(records)
        now = time.monotonic()
        if now >= self._retry_at and (self._uncommitted >= COMMIT_RECORDS or now >= self._commit_at):
            self._commit()
        return True

    def _commit(self) -> None:
        """A disk without room costs nothing but what is folded again: the answers come from the open transaction."""
        try:
            self._write_mark()
            self._connection.execute("COMMIT")
        except sqlite3.OperationalError as problem:
            if not is_unwritable(problem):
                raise
            self._logger.warning("projection cannot be kept", file=str(self._path), problem=str(problem))
            self._retry_at = time.monotonic() + RETRY_SECONDS
            if not self._connection.in_transaction:
                self._go_back()
            return
        self._uncommitted = 0

    def _write_mark(self) -> None:
        at_position = self._landmark_at(self._position)
        row = (self._known_by, self._fold.form, self._position, at_position.digest, *self._last)
        self._connection.execute("INSERT OR REPLACE INTO projection VALUES (1, ?, ?, ?, ?, ?, ?)", row)

    def _landmark_at(self, position: int) -> Landmark:
        """The record there, if there is one."""
        for record in self._log.read_all(position - 1, 1):
            if record.position == position:
                return _landmark(record)
        return NOTHING

    def _go_back(self) -> None:
        """To what is committed."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        self._uncommitted = 0
        row = self._connection.execute("SELECT position, last, last_digest FROM projection").fetchone()
        self._position, self._last = (0, NOTHING) if row is None else (row[0], Landmark(*row[1:]))
        self._fold.reload(self._connection)

    def _make_anew(self, why: str) -> None:
        self._logger.warning("projection dropped", file=str(self._path), why=why)
        self._connection.close()
        if self._path is not None:
            remove_database(self._path)
        self._connection = self._opened()

    def _opened(self) -> sqlite3.Connection:
        """The open file, or one in memory where it cannot be written at all: a host with a full disk answers."""
        if self._path is not None:
            try:
                self._known_by = self._known_by or _number_of(self._log)
                return self._settled(self._path)
            except (OSError, sqlite3.OperationalError, LogNotWritable) as problem:
                self._logger.warning(
                    "projection is in memory alone", file=str(self._path), problem=str(problem)
                )
        return self._begun(IN_MEMORY)

    def _settled(self, path: Path) -> sqlite3.Connection:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            connection = _connected(str(path))
            try:
                if self._is_of_this_log(connection):
                    self._read_on(connection)
                    return connection
            except BaseException:
                connection.close()
                raise
            connection.close()
        except (sqlite3.DatabaseError, DamagedRow) as problem:
            if isinstance(problem, sqlite3.Error) and is_unwritable(problem):
                raise
            self._logger.warning("projection dropped", file=str(path), why=str(problem))
        remove_database(path)
        return self._begun(str(path))

    def _begun(self, path: str) -> sqlite3.Connection:
        """A file with nothing in it."""
        self._position, self._last = 0, NOTHING
        connection = _connected(path)
        for statement in self._fold.tables:
            connection.execute(statement)
        self._fold.reload(connection)
        return connection

    def _is_of_this_log(self, connection: sqlite3.Connection) -> bool:
        row = connection.execute(
            "SELECT log, form, position, digest, last, last_digest FROM projection"
        ).fetchone()
        if row is None:
            return False
        known_by, form, position, digest, *last = row
        self._last = Landmark(*last)
        if form != self._fold.form:
            self._logger.info("projection of another form dropped", file=str(self._path))
            return False
        if known_by == self._known_by:
            for each in (Landmark(position, digest), self._last):
                if each == NOTHING or (each.digest and self._landmark_at(each.position) == each):
                    self._position = each.position
                    return True
        self._logger.warning("projection dropped", file=str(self._path), why="the log is another one")
        return False

    def _read_on(self, connection: sqlite3.Connection) -> None:
        """Streams that an earlier version could not read are tried again."""
        self._fold.reload(connection)
        unreadable = self._fold.unreadable(connection)
        if not unreadable:
            return
        connection.execute("BEGIN IMMEDIATE")
        for name, sequence in unreadable.items():
            self._fold.try_again(connection, name)
            records = self._log.read(self._prefix + name, after=sequence)
            self._fold.fold(connection, [each for each in records if each.position <= self._position])
        connection.execute("COMMIT")


def _number_of(log: EventLog) -> int:
    """The number by which projections know a log; it stays with it. Raises `LogNotWritable`."""
    known = log.position(KNOWN_BY)
    if not known:
        known = 1 + secrets.randbits(KNOWN_BY_BITS)
        log.save_position(KNOWN_BY, known)
    return known


def _landmark(record: Record) -> Landmark:
    return Landmark(record.position, blake2b(_encode(record), digest_size=DIGEST_BYTES).digest())


def _connected(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=OPEN_SECONDS)
    try:
        # Nobody else has the file; a transaction stays in memory until it is committed.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        connection.execute("PRAGMA cache_spill = OFF")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute(MARK)
    except BaseException:
        connection.close()
        raise
    return connection
