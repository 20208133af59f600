"""One SQLite file: a single writer thread that commits waiting appends together, and concurrent readers.

Every `execute` in Python's sqlite3 gives up the interpreter lock once per row, and beside a busy thread each time costs
up to the switch interval (5 ms). Therefore few statements per write, and reads that fetch one row (see the event log).
"""

import queue
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from services.common.eventlog.port import LogClosed, LogFileError
from services.common.eventlog.subscription import Wakeup
from services.common.process.threads import ServiceThread
from services.common.telemetry.logs import get_logger

APPLICATION_ID = 0x53424F58
SCHEMA_VERSION = 1
GROUP_SIZE_MAX = 256
BUSY_TIMEOUT_SECONDS = 30.0
WRITER_CACHE_KIB = 64 * 1024
PRIMARY_CODE = 0xFF
# Errors of the disk, of rights and of other users of the file, not of the statement.
UNWRITABLE_CODES = frozenset(
    (
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
    )
)
# How often it is tried whether the file can be written again, and with how many bytes.
TRY_EVERY_SECONDS = 1.0
TRIED_BYTES = 256 * 1024

SCHEMA = (
    "CREATE TABLE stream (stream_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    """CREATE TABLE record (
        stream_id INTEGER NOT NULL, sequence INTEGER NOT NULL, position INTEGER NOT NULL UNIQUE, frame BLOB NOT NULL,
        PRIMARY KEY (stream_id, sequence)) WITHOUT ROWID""",
    """CREATE TABLE request (
        stream_id INTEGER NOT NULL, request_id TEXT NOT NULL, player TEXT NOT NULL, content_hash BLOB NOT NULL,
        outcome BLOB NOT NULL, PRIMARY KEY (stream_id, request_id)) WITHOUT ROWID""",
    "CREATE TABLE consumer (name TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID",
    """CREATE TABLE snapshot (
        stream TEXT NOT NULL, sequence INTEGER NOT NULL, schema INTEGER NOT NULL, digest BLOB NOT NULL,
        payload BLOB NOT NULL, PRIMARY KEY (stream, sequence))""",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)

# Not part of the schema that has a version: a program that does not know it finds the streams in it without records.
ARCHIVED = """CREATE TABLE IF NOT EXISTS archived (
    stream_id INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, object TEXT NOT NULL, state INTEGER NOT NULL)"""

Result = TypeVar("Result")
Job = Callable[[sqlite3.Connection], Result]


class SqliteDatabase:
    """The open file. `wakeup` is notified after every commit of this process.

    Opening raises `LogFileError` if the file is no SQLite file, belongs to another program, was written by a newer
    version, or cannot be opened.
    """

    def __init__(self, path: Path, waits_for_disk: bool = True) -> None:
        """`waits_for_disk` False: a power failure may take the last commits, for what can be had again elsewhere."""
        self._path = path
        self._synchronous = "FULL" if waits_for_disk else "NORMAL"
        self.wakeup = Wakeup()
        self._jobs: queue.SimpleQueue[tuple[Job[Any], Future[Any]] | None] = queue.SimpleQueue()
        self._idle_readers: deque[sqlite3.Connection] = deque()
        self._close_lock = threading.Lock()
        self._log = get_logger("eventlog")
        self._is_writable = True
        self._when_writable_changes: Callable[[bool], None] = lambda _: None
        self._writer_connection = self._open_checked()
        self._writer = ServiceThread("sqlite-writer", self._write_until_closed)
        self._writer.start()

    def write(self, job: Job[Result]) -> Result:
        """Runs `job` in a transaction, perhaps together with others; returns when it is on disk.

        A job may be run again after the failure of another, so it must have no effect beyond the connection. What it
        raises is raised here, and nothing of it is written.
        """
        return self.write_soon(job).result()

    def write_soon(self, job: Job[Result]) -> Future[Result]:
        """As `write`, for a caller who does something else meanwhile."""
        future: Future[Result] = Future()
        with self._close_lock:
            self.check_open()
            self._jobs.put((job, future))
        return future

    @property
    def is_writable(self) -> bool:
        """False after a write that the disk refused, until a write succeeds; that is tried every second."""
        return self._is_writable

    def when_writable_changes(self, report: Callable[[bool], None]) -> None:
        """Call `report` with the new value of `is_writable`, in the writer's thread."""
        self._when_writable_changes = report

    @contextmanager
    def reader(self) -> Iterator[sqlite3.Connection]:
        """A connection for reading; it sees everything committed before."""
        self.check_open()
        try:
            connection = self._idle_readers.pop()
        except IndexError:
            connection = self._connect()
            connection.execute("PRAGMA query_only = ON")
        try:
            yield connection
        finally:
            self._idle_readers.append(connection)
            if self.wakeup.closed:
                self._close_idle_readers()

    def check_open(self) -> None:
        """Raises `LogClosed` after `close`."""
        if self.wakeup.closed:
            raise LogClosed(f"the event log {self._path} is closed")

    def close(self) -> None:
        """Finishes the waiting writes and closes the file."""
        with self._close_lock:
            if self.wakeup.closed:
                return
            self.wakeup.close()
            self._jobs.put(None)
        self._writer.join()
        self._close_idle_readers()

    def _close_idle_readers(self) -> None:
        with suppress(IndexError):
            while True:
                self._idle_readers.pop().close()

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(
            self._path, isolation_level=None, check_same_thread=False, timeout=BUSY_TIMEOUT_SECONDS
        )

    def _open_checked(self) -> sqlite3.Connection:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            connection = self._connect()
        except (OSError, sqlite3.Error) as error:
            raise LogFileError(f"{self._path}: cannot be opened ({error})") from error
        try:
            self._check_owner(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(f"PRAGMA synchronous = {self._synchronous}")
            connection.execute("PRAGMA wal_autocheckpoint = 8000")
            connection.execute(f"PRAGMA cache_size = -{WRITER_CACHE_KIB}")
            _create_schema_once(connection)
        except sqlite3.DatabaseError as error:
            connection.close()
            wrong = "is not a SQLite database or is damaged" if is_damaged(error) else "cannot be opened"
            raise LogFileError(f"{self._path}: {wrong} ({error})") from error
        except LogFileError:
            connection.close()
            raise
        return connection

    def _check_owner(self, connection: sqlite3.Connection) -> None:
        application_id = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        has_tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 0
        if application_id != APPLICATION_ID and (has_tables or application_id != 0):
            raise LogFileError(f"{self._path}: is the SQLite database of another program, not an event log")
        if application_id == APPLICATION_ID and version != SCHEMA_VERSION:
            raise LogFileError(
                f"{self._path}: has schema version {version}, this program reads version {SCHEMA_VERSION}"
            )

    def _write_until_closed(self) -> None:
        open_for_writing = True
        while open_for_writing:
            group = []
            entry = self._next_job()
            while entry is not None:
                group.append(entry)
                if len(group) == GROUP_SIZE_MAX or self._jobs.empty():
                    break
                entry = self._jobs.get()
            open_for_writing = entry is not None
            if group:
                self._write_group(group)
        self._writer_connection.close()

    def _next_job(self) -> tuple[Job[Any], Future[Any]] | None:
        """Waits for it; while the file cannot be written, tries that again meanwhile."""
        while not self._is_writable:
            try:
                return self._jobs.get(timeout=TRY_EVERY_SECONDS)
            except queue.Empty:
                self._try_to_write()
        return self._jobs.get()

    def _try_to_write(self) -> None:
        """Write some pages and drop them again: a single one may still find space on a disk that is full."""
        with suppress(sqlite3.Error):
            self._commit([_fill])
            self._commit([_drop_filling])
            self._note_writable(None)

    def _note_writable(self, problem: BaseException | None) -> None:
        """After a write that succeeded, or failed with `problem`."""
        is_writable = not (isinstance(problem, sqlite3.Error) and is_unwritable(problem))
        if is_writable is self._is_writable or (problem is not None and is_writable):
            return
        self._is_writable = is_writable
        if is_writable:
            self._log.info("file can be written again", file=str(self._path))
        else:
            self._log.error("file cannot be written", file=str(self._path), problem=str(problem))
        self._when_writable_changes(is_writable)

    def _write_group(self, group: list[tuple[Job[Any], Future[Any]]]) -> None:
        try:
            results = self._commit([job for job, _ in group])
        except BaseException as error:
            if len(group) == 1:
                self._note_writable(error)
                group[0][1].set_exception(error)
                return
            for entry in group:
                self._write_group([entry])
            return
        self._note_writable(None)
        self.wakeup.notify()
        for (_, future), result in zip(group, results, strict=True):
            future.set_result(result)

    def _commit(self, jobs: list[Job[Any]]) -> list[Any]:
        connection = self._writer_connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            results = [job(connection) for job in jobs]
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return results


def remove_database(path: Path) -> None:
    """Remove a SQLite file that nobody has open, with what SQLite keeps beside it; nothing happens where there is none."""
    for each in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        each.unlink(missing_ok=True)


def _create_schema_once(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
        for statement in SCHEMA:
            connection.execute(statement)
    connection.execute(ARCHIVED)
    connection.execute("COMMIT")


def _fill(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE IF NOT EXISTS filling (bytes BLOB)")
    connection.execute(f"INSERT INTO filling VALUES (zeroblob({TRIED_BYTES}))")


def _drop_filling(connection: sqlite3.Connection) -> None:
    connection.execute("DROP TABLE filling")


def is_unwritable(error: sqlite3.Error) -> bool:
    """Whether the file takes no writes now, though nothing is wrong with the statement."""
    return getattr(error, "sqlite_errorcode", 0) & PRIMARY_CODE in UNWRITABLE_CODES


def is_damaged(error: sqlite3.Error) -> bool:
    """Whether SQLite says that the file itself is broken: trying again does not help."""
    code = getattr(error, "sqlite_errorcode", 0) & PRIMARY_CODE
    return code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
