"""Event log and snapshots in one SQLite file: the embedded host's memory.

A record is kept as one encoded frame, and a read lets SQLite join the frames into one blob that is decoded at once:
2,500 records in about 2 ms, and a busy thread beside the reader delays it once, not once per record.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from services.common.clock import Clock, SystemClock
from services.common.eventlog.port import (
    Appended,
    AppendResult,
    Archived,
    Conflict,
    LogNotWritable,
    NewRecord,
    Record,
    Repeated,
    RequestRecord,
    Snapshot,
)
from services.common.eventlog.sqlite_database import Job, Result, SqliteDatabase, is_unwritable
from services.common.eventlog.subscription import LogSubscription

SEQUENCE_MAX = 2**63 - 1
LAST_CHARACTER = "\U0010ffff"
ROWS_PER_STATEMENT = 500
ARRAY_OF_32_BIT_LENGTH = b"\xdd"

# For each append its stream's id and last sequence, here or in the archive, the newest position, and the request if it was
# known before. Names are bound one by one: taken out of JSON they would end at a NUL.
STATE_BEFORE = """
    WITH wanted (number, name, request_id) AS (VALUES {})
    SELECT stream.stream_id,
           coalesce((SELECT max(sequence) FROM record WHERE record.stream_id = stream.stream_id), archived.sequence),
           (SELECT max(position) FROM record), archived.sequence,
           request.player, request.content_hash, request.outcome
    FROM wanted
    LEFT JOIN stream ON stream.name = wanted.name
    LEFT JOIN archived ON archived.stream_id = stream.stream_id
    LEFT JOIN request ON request.stream_id = stream.stream_id AND request.request_id = wanted.request_id
    ORDER BY wanted.number"""
REQUESTS_OF_STREAM = """
    SELECT request_id, player, content_hash, outcome FROM request
    WHERE stream_id = (SELECT stream_id FROM stream WHERE name = ?)"""
PUT_SNAPSHOT = """
    INSERT OR REPLACE INTO snapshot SELECT ?, ?, ?, ?, ? WHERE NOT EXISTS (
        SELECT 1 FROM archived JOIN stream USING (stream_id) WHERE name = ? AND state != 1)"""
FORGET_STREAM = (
    "DELETE FROM record WHERE stream_id = ?",
    "DELETE FROM request WHERE stream_id = ?",
    "UPDATE archived SET state = 0 WHERE stream_id = ? AND state = 1",
    "DELETE FROM stream WHERE stream_id = ?1 AND NOT EXISTS (SELECT 1 FROM archived WHERE stream_id = ?1)",
)
JOINED_FRAMES = "SELECT count(*), CAST(group_concat(frame, '') AS BLOB) FROM ({})"
FRAMES_OF_STREAM = JOINED_FRAMES.format(
    """SELECT frame FROM record WHERE stream_id = (SELECT stream_id FROM stream WHERE name = ?)
       AND sequence > ? AND sequence <= ? ORDER BY sequence"""
)
FRAMES_OF_ALL = JOINED_FRAMES.format("SELECT frame FROM record WHERE position > ? ORDER BY position LIMIT ?")
FRAMES_OF_PREFIX = JOINED_FRAMES.format(
    """SELECT frame FROM record JOIN stream USING (stream_id)
       WHERE position > ? AND name >= ? AND name < ? ORDER BY position LIMIT ?"""
)

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Record]).decode


class SqliteEventLog:
    """The `EventLog` port on an open database; closing the log closes the database."""

    def __init__(self, database: SqliteDatabase, clock: Clock | None = None) -> None:
        self._database = database
        self._clock = clock or SystemClock()

    def append(
        self, stream: str, expected: int, records: Sequence[NewRecord], request: RequestRecord | None = None
    ) -> AppendResult:
        """See `EventLog.append`."""
        if not records:
            raise ValueError("an append needs at least one record")
        wanted = Append(stream, expected, records, request, self._clock.now_ms())
        (result,) = _written(self._database, lambda connection: append_within(connection, [wanted]))
        return result

    def read(self, stream: str, after: int = 0, up_to: int | None = None) -> list[Record]:
        """See `EventLog.read`."""
        with self._database.reader() as connection:
            return _joined(
                connection, FRAMES_OF_STREAM, (stream, after, SEQUENCE_MAX if up_to is None else up_to)
            )

    def read_all(self, after_position: int = 0, limit: int = 1000, prefix: str = "") -> list[Record]:
        """See `EventLog.read_all`."""
        with self._database.reader() as connection:
            if not prefix:
                return _joined(connection, FRAMES_OF_ALL, (after_position, limit))
            return _joined(
                connection, FRAMES_OF_PREFIX, (after_position, prefix, prefix + LAST_CHARACTER, limit)
            )

    def last_position(self) -> int:
        """See `EventLog.last_position`."""
        with self._database.reader() as connection:
            return int(connection.execute("SELECT coalesce(max(position), 0) FROM record").fetchone()[0])

    def outcome(self, stream: str, request_id: str) -> RequestRecord | None:
        """See `EventLog.outcome`."""
        with self._database.reader() as connection:
            ((*_, player, content_hash, outcome),) = _state_before(connection, [(stream, request_id)])
        return None if player is None else RequestRecord(request_id, player, content_hash, outcome)

    def requests(self, stream: str) -> list[RequestRecord]:
        """See `EventLog.requests`."""
        with self._database.reader() as connection:
            rows = connection.execute(REQUESTS_OF_STREAM, (stream,)).fetchall()
        return [RequestRecord(*row) for row in rows]

    def subscribe(self, after_position: int = 0, prefix: str = "") -> LogSubscription:
        """See `EventLog.subscribe`."""
        self._database.check_open()
        return LogSubscription(self, self._database.wakeup, after_position, prefix)

    def streams(self, prefix: str = "") -> list[str]:
        """See `EventLog.streams`."""
        with self._database.reader() as connection:
            rows = connection.execute(
                "SELECT name FROM stream WHERE name >= ? AND name < ? ORDER BY name",
                (prefix, prefix + LAST_CHARACTER),
            ).fetchall()
        return [name for (name,) in rows]

    def save_position(self, consumer: str, position: int) -> None:
        """See `EventLog.save_position`."""
        _written(self._database, lambda connection: save_position_within(connection, consumer, position))

    def position(self, consumer: str) -> int:
        """See `EventLog.position`."""
        with self._database.reader() as connection:
            row = connection.execute("SELECT position FROM consumer WHERE name = ?", (consumer,)).fetchone()
        return int(row[0]) if row else 0

    @property
    def database(self) -> SqliteDatabase:
        """The file."""
        return self._database

    @property
    def is_writable(self) -> bool:
        """See `SqliteDatabase.is_writable`."""
        return self._database.is_writable

    def when_writable_changes(self, report: Callable[[bool], None]) -> None:
        """See `SqliteDatabase.when_writable_changes`."""
        self._database.when_writable_changes(report)

    def close(self) -> None:
        """See `EventLog.close`."""
        self._database.close()


class SqliteSnapshotStore:
    """The `SnapshotStore` port on an open database. A snapshot whose hash does not fit is passed over."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    def put(self, stream: str, sequence: int, schema: int, payload: bytes) -> None:
        """See `SnapshotStore.put`."""
        _written(
            self._database,
            lambda connection: put_snapshot_within(connection, stream, sequence, schema, payload),
        )

    def latest(self, stream: str, up_to: int | None = None) -> Snapshot | None:
        """See `SnapshotStore.latest`."""
        bound = SEQUENCE_MAX if up_to is None else up_to
        with self._database.reader() as connection:
            while True:
                row = connection.execute(
                    """SELECT sequence, schema, digest, payload FROM snapshot
                       WHERE stream = ? AND sequence <= ? ORDER BY sequence DESC LIMIT 1""",
                    (stream, bound),
                ).fetchone()
                if row is None:
                    return None
                sequence, schema, digest, payload = row
                if digest == snapshot_digest(payload):
                    return Snapshot(stream, sequence, schema, payload)
                bound = sequence - 1

    def forget(self, stream: str) -> None:
        """See `SnapshotStore.forget`."""
        _written(self._database, lambda connection: forget_snapshots_within(connection, stream))


def open_sqlite(path: Path, clock: Clock | None = None) -> tuple[SqliteEventLog, SqliteSnapshotStore]:
    """Event log and snapshots in the file `path`, made when missing. Raises `LogFileError`."""
    database = SqliteDatabase(path)
    return SqliteEventLog(database, clock), SqliteSnapshotStore(database)


def _written(database: SqliteDatabase, job: Job[Result]) -> Result:
    """What `job` returned. Raises `LogNotWritable`."""
    try:
        return database.write(job)
    except sqlite3.OperationalError as error:
        if not is_unwritable(error):
            raise
        raise LogNotWritable(f"nothing can be written now ({error}); reads go on, try again later") from error


class Append(msgspec.Struct, frozen=True):
    """What one call of `EventLog.append` wants; its facts are recorded as of `now_ms`."""

    stream: str
    expected: int
    records: Sequence[NewRecord]
    request: RequestRecord | None
    now_ms: int


def append_within(connection: sqlite3.Connection, appends: Sequence[Append]) -> list[AppendResult]:
    """`EventLog.append` for each in turn, as part of a transaction that is open. Few statements for all of them."""
    writing = _Writing(connection, appends)
    results = [writing.take(append) for append in appends]
    writing.insert()
    return results


class _Writing:
    """Appends one after another against the state before them and what they add to it; inserted together."""

    def __init__(self, connection: sqlite3.Connection, appends: Sequence[Append]) -> None:
        wanted = [(each.stream, each.request.request_id if each.request else None) for each in appends]
        rows = _state_before(connection, wanted)
        self._connection = connection
        self._last_position: int = (rows[0][2] or 0) if rows else 0
        self._ids: dict[str, int | None] = {}
        self._last: dict[str, int] = {}
        self._archived: dict[str, int] = {}
        self._known: dict[tuple[str, str], tuple[str, bytes, bytes]] = {}
        self._records: list[tuple[int, int, int, bytes]] = []
        self._requests: list[tuple[int, str, str, bytes, bytes]] = []
        for (stream, request_id), (stream_id, last, _, archived, player, content_hash, outcome) in zip(
            wanted, rows, strict=True
        ):
            self._ids[stream], self._last[stream], self._archived[stream] = (
                stream_id,
                last or 0,
                archived or 0,
            )
            if request_id is not None and player is not None:
                self._known[stream, request_id] = player, content_hash, outcome

    def take(self, append: Append) -> AppendResult:
        """Decide about one append and note what it adds."""
        stream, expected, request = append.stream, append.expected, append.request
        known = self._known.get((stream, request.request_id)) if request else None
        if request and known:
            player, content_hash, outcome = known
            return Repeated(outcome, (player, content_hash) == (request.player, request.content_hash))
        if self._last[stream] != expected:
            is_archived = expected + len(append.records) <= self._archived[stream]
            return (Archived if is_archived else Conflict)(self._last[stream])
        stream_id = self._id_of(stream)
        for sequence, new in enumerate(append.records, start=expected + 1):
            self._last_position += 1
            frame = _encode(
                Record(
                    stream,
                    sequence,
                    new.type,
                    new.schema_version,
                    new.payload,
                    append.now_ms,
                    self._last_position,
                )
            )
            self._records.append((stream_id, sequence, self._last_position, frame))
        if request:
            said = request.player, request.content_hash, request.outcome
            self._known[stream, request.request_id] = said
            self._requests.append((stream_id, request.request_id, *said))
        self._last[stream] = expected + len(append.records)
        return Appended(expected + 1, self._last[stream], append.now_ms)

    def insert(self) -> None:
        """Write down what was noted."""
        insert_within(self._connection, "record", "(?,?,?,?)", self._records)
        insert_within(self._connection, "request", "(?,?,?,?,?)", self._requests)

    def _id_of(self, stream: str) -> int:
        known = self._ids[stream]
        if known is None:
            made = self._connection.execute("INSERT INTO stream (name) VALUES (?)", (stream,)).lastrowid
            assert made is not None, "an insert has a row"
            known = self._ids[stream] = made
        return known


def put_back_within(
    connection: sqlite3.Connection, stream: str, records: Iterable[Record], requests: Iterable[RequestRecord]
) -> None:
    """Writes records with the sequences that they have, and requests, as part of a transaction that is open. The stream is
    known and has neither."""
    (stream_id,) = connection.execute("SELECT stream_id FROM stream WHERE name = ?", (stream,)).fetchone()
    (position,) = connection.execute("SELECT coalesce(max(position), 0) FROM record").fetchone()
    placed = [
        msgspec.structs.replace(each, position=number) for number, each in enumerate(records, position + 1)
    ]
    rows = [(stream_id, each.sequence, each.position, _encode(each)) for each in placed]
    insert_within(connection, "record", "(?,?,?,?)", rows)
    connection.executemany(
        "INSERT OR IGNORE INTO request VALUES (?, ?, ?, ?, ?)",
        [(stream_id, each.request_id, each.player, each.content_hash, each.outcome) for each in requests],
    )


def save_position_within(connection: sqlite3.Connection, consumer: str, position: int) -> None:
    """`EventLog.save_position` as part of a transaction that is open."""
    connection.execute("INSERT OR REPLACE INTO consumer VALUES (?, ?)", (consumer, position))


def put_snapshot_within(
    connection: sqlite3.Connection, stream: str, sequence: int, schema: int, payload: bytes
) -> None:
    """`SnapshotStore.put` as part of a transaction that is open. Of what is in the archive none is kept."""
    connection.execute(PUT_SNAPSHOT, (stream, sequence, schema, snapshot_digest(payload), payload, stream))


def forget_snapshots_within(connection: sqlite3.Connection, stream: str, below: int = SEQUENCE_MAX) -> None:
    """Drops the snapshots of a stream below a sequence, as part of a transaction that is open."""
    connection.execute("DELETE FROM snapshot WHERE stream = ? AND sequence < ?", (stream, below))


def forget_streams_within(connection: sqlite3.Connection, streams: Collection[tuple[int, str]]) -> None:
    """Deletes streams, given with their ids in the file, and all that belongs to them, as part of a transaction that is open.
    Which of them are in the archive stays known."""
    ids = [(stream_id,) for stream_id, _ in streams]
    for statement in FORGET_STREAM:
        connection.executemany(statement, ids)
    connection.executemany("DELETE FROM snapshot WHERE stream = ?", [(name,) for _, name in streams])


def insert_within(
    connection: sqlite3.Connection,
    table: str,
    placeholders: str,
    rows: Sequence[tuple[object, ...]],
    on_conflict: str = "",
) -> None:
    """Insert rows by few statements, as part of a transaction that is open."""
    for start in range(0, len(rows), ROWS_PER_STATEMENT):
        chunk = rows[start : start + ROWS_PER_STATEMENT]
        values = ",".join([placeholders] * len(chunk))
        connection.execute(
            f"INSERT INTO {table} VALUES {values}{on_conflict}", [value for row in chunk for value in row]
        )


def _state_before(
    connection: sqlite3.Connection, wanted: Sequence[tuple[str, str | None]]
) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for start in range(0, len(wanted), ROWS_PER_STATEMENT):
        chunk = wanted[start : start + ROWS_PER_STATEMENT]
        values = [each for number, names in enumerate(chunk) for each in (number, *names)]
        statement = STATE_BEFORE.format(",".join(["(?,?,?)"] * len(chunk)))
        found += connection.execute(statement, values).fetchall()
    return found


def _joined(connection: sqlite3.Connection, query: str, parameters: tuple[object, ...]) -> list[Record]:
    count, frames = connection.execute(query, parameters).fetchone()
    return records_of(count, frames)


def records_of(count: int, frames: bytes | None) -> list[Record]:
    """The records in frames that were joined."""
    return _decode(ARRAY_OF_32_BIT_LENGTH + count.to_bytes(4, "big") + frames) if frames else []


def snapshot_digest(payload: bytes) -> bytes:
    """By which a snapshot that was damaged on the disk is recognised."""
    return hashlib.sha256(payload).digest()
