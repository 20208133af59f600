"""Event log and snapshots in one SQLite file: the embedded host's memory.

A record is kept as one encoded frame, and a read lets SQLite join the frames into one blob that is decoded at once:
2,500 records in about 2 ms, and a busy thread beside the reader delays it once, not once per record.
"""

import hashlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import msgspec

from services.common.clock import Clock, SystemClock
from services.common.eventlog import (
    Appended,
    AppendResult,
    Conflict,
    NewRecord,
    Record,
    Repeated,
    RequestRecord,
    Snapshot,
)
from services.common.log_subscription import LogSubscription
from services.common.sqlite_database import SqliteDatabase

SEQUENCE_MAX = 2**63 - 1
LAST_CHARACTER = "\U0010ffff"
ROWS_PER_INSERT = 500
ARRAY_OF_32_BIT_LENGTH = b"\xdd"

STATE_OF_STREAM = """
    SELECT stream.stream_id,
           (SELECT max(sequence) FROM record WHERE record.stream_id = stream.stream_id),
           (SELECT max(position) FROM record),
           request.player, request.content_hash, request.outcome
    FROM (SELECT ? AS name) AS wanted
    LEFT JOIN stream ON stream.name = wanted.name
    LEFT JOIN request ON request.stream_id = stream.stream_id AND request.request_id = ?"""
REQUESTS_OF_STREAM = """
    SELECT request_id, player, content_hash, outcome FROM request
    WHERE stream_id = (SELECT stream_id FROM stream WHERE name = ?)"""
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
        now_ms = self._clock.now_ms()
        return self._database.write(
            lambda connection: append_within(connection, stream, expected, records, request, now_ms)
        )

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
            row = connection.execute(STATE_OF_STREAM, (stream, request_id)).fetchone()
        _, _, _, player, content_hash, outcome = row
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
        self._database.write(lambda connection: save_position_within(connection, consumer, position))

    def position(self, consumer: str) -> int:
        """See `EventLog.position`."""
        with self._database.reader() as connection:
            row = connection.execute("SELECT position FROM consumer WHERE name = ?", (consumer,)).fetchone()
        return int(row[0]) if row else 0

    def close(self) -> None:
        """See `EventLog.close`."""
        self._database.close()


class SqliteSnapshotStore:
    """The `SnapshotStore` port on an open database. A snapshot whose hash does not fit is passed over."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    def put(self, stream: str, sequence: int, schema: int, payload: bytes) -> None:
        """See `SnapshotStore.put`."""
        self._database.write(
            lambda connection: put_snapshot_within(connection, stream, sequence, schema, payload)
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
                if digest == _digest(payload):
                    return Snapshot(stream, sequence, schema, payload)
                bound = sequence - 1

    def forget(self, stream: str) -> None:
        """See `SnapshotStore.forget`."""
        self._database.write(lambda connection: forget_snapshots_within(connection, stream))


def open_sqlite(path: Path, clock: Clock | None = None) -> tuple[SqliteEventLog, SqliteSnapshotStore]:
    """Event log and snapshots in the file `path`, made when missing. Raises `LogFileError`."""
    database = SqliteDatabase(path)
    return SqliteEventLog(database, clock), SqliteSnapshotStore(database)


def append_within(
    connection: sqlite3.Connection,
    stream: str,
    expected: int,
    records: Sequence[NewRecord],
    request: RequestRecord | None,
    now_ms: int,
) -> AppendResult:
    """`EventLog.append` as part of a transaction that is open; the facts are recorded as of `now_ms`."""
    stream_id, last_sequence, last_position, player, content_hash, outcome = connection.execute(
        STATE_OF_STREAM, (stream, request.request_id if request else None)
    ).fetchone()
    if request and player is not None:
        return Repeated(outcome, (player, content_hash) == (request.player, request.content_hash))
    if (last_sequence or 0) != expected:
        return Conflict(last_sequence or 0)
    if stream_id is None:
        stream_id = connection.execute("INSERT INTO stream (name) VALUES (?)", (stream,)).lastrowid
    rows: list[tuple[int, int, int, bytes]] = []
    for place, new in enumerate(records, start=1):
        sequence, position = expected + place, (last_position or 0) + place
        frame = _encode(Record(stream, sequence, new.type, new.schema_version, new.payload, now_ms, position))
        rows.append((stream_id, sequence, position, frame))
    _insert(connection, rows)
    if request:
        connection.execute(
            "INSERT INTO request VALUES (?, ?, ?, ?, ?)",
            (stream_id, request.request_id, request.player, request.content_hash, request.outcome),
        )
    return Appended(expected + 1, expected + len(records))


def save_position_within(connection: sqlite3.Connection, consumer: str, position: int) -> None:
    """`EventLog.save_position` as part of a transaction that is open."""
    connection.execute("INSERT OR REPLACE INTO consumer VALUES (?, ?)", (consumer, position))


def put_snapshot_within(
    connection: sqlite3.Connection, stream: str, sequence: int, schema: int, payload: bytes
) -> None:
    """`SnapshotStore.put` as part of a transaction that is open."""
    connection.execute(
        "INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?, ?)",
        (stream, sequence, schema, _digest(payload), payload),
    )


def forget_snapshots_within(connection: sqlite3.Connection, stream: str, below: int = SEQUENCE_MAX) -> None:
    """Drops the snapshots of a stream below a sequence, as part of a transaction that is open."""
    connection.execute("DELETE FROM snapshot WHERE stream = ? AND sequence < ?", (stream, below))


def _insert(connection: sqlite3.Connection, rows: list[tuple[int, int, int, bytes]]) -> None:
    for start in range(0, len(rows), ROWS_PER_INSERT):
        chunk = rows[start : start + ROWS_PER_INSERT]
        places = ",".join(["(?,?,?,?)"] * len(chunk))
        connection.execute(f"INSERT INTO record VALUES {places}", [value for row in chunk for value in row])


def _joined(connection: sqlite3.Connection, query: str, parameters: tuple[object, ...]) -> list[Record]:
    count, frames = connection.execute(query, parameters).fetchone()
    return _decode(ARRAY_OF_32_BIT_LENGTH + count.to_bytes(4, "big") + frames) if count else []


def _digest(payload: bytes) -> bytes:
    return hashlib.sha256(payload).digest()
