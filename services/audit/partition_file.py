"""What a check knows of one partition, in a local file: the records of each game, what else is stored about it, findings, and
how far every topic was read.

A run is one transaction: a run that is cut off leaves the file as it was before. Records of this run alone are in a second
file, which is dropped with it, so that memory holds one game at a time.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from services.audit.cases import StoredSnapshot
from services.audit.commits import RecordPosition, StoredRecord
from services.audit.findings import Finding

SCHEMA = 1
CACHE_KB = 32 * 1024
TABLES = """
CREATE TABLE IF NOT EXISTS topic (
    name TEXT PRIMARY KEY, identity TEXT NOT NULL, next INTEGER NOT NULL, last INTEGER NOT NULL, digest BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS stream (
    name TEXT PRIMARY KEY, records BLOB, is_to_repeat INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS newest (
    kind TEXT NOT NULL, stream TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (kind, stream)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS finding (stream TEXT, found BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS finding_by_stream ON finding (stream);
"""
RUN_TABLES = """
CREATE TABLE run.record (
    stream TEXT NOT NULL, topic TEXT NOT NULL, partition INTEGER NOT NULL, offset INTEGER NOT NULL, key BLOB NOT NULL, value BLOB
);
CREATE TABLE run.snapshot (
    stream TEXT NOT NULL, sequence INTEGER NOT NULL, schema INTEGER NOT NULL, payload BLOB NOT NULL,
    PRIMARY KEY (stream, sequence)
) WITHOUT ROWID;
CREATE TABLE run.touched (stream TEXT PRIMARY KEY) WITHOUT ROWID;
"""
_encode = msgspec.msgpack.Encoder().encode
_decode_records = msgspec.msgpack.Decoder(list[StoredRecord]).decode
_decode_finding = msgspec.msgpack.Decoder(Finding).decode


class Reached(NamedTuple):
    """How far a topic was read: the next offset, and the last record by offset and digest of its value."""

    identity: str
    next: int = 0
    last: int = -1
    digest: bytes = b""


def digest_of(value: bytes | None) -> bytes:
    """By this the last verified record is recognised."""
    return blake2b(value or b"", digest_size=16).digest()


class PartitionFile:
    """The open file of one partition. What is written is kept at `commit` and not before."""

    def __init__(self, path: Path, run_path: Path) -> None:
        """A file of another schema, or one that is damaged, is made anew: all of it can be read again from the log."""
        run_path.unlink(missing_ok=True)
        try:
            self._connection = _opened(path)
        except sqlite3.DatabaseError as problem:
            if isinstance(problem, sqlite3.OperationalError):
                raise
            path.unlink()
            self._connection = _opened(path)
        self._connection.execute("ATTACH ? AS run", (str(run_path),))
        self._connection.execute("PRAGMA run.journal_mode = OFF")
        self._connection.execute("PRAGMA run.synchronous = OFF")
        self._connection.execute(f"PRAGMA run.cache_size = -{CACHE_KB}")
        self._connection.execute("BEGIN IMMEDIATE")
        for table in RUN_TABLES.split(";"):
            self._connection.execute(table)

    def commit(self) -> None:
        """Keep everything that was written. Once."""
        self._connection.execute("COMMIT")

    def close(self) -> None:
        """Close the file; what was not committed is forgotten."""
        self._connection.close()

    def forget_all(self) -> None:
        """Begin with an empty file."""
        for table in ("topic", "stream", "newest", "finding"):
            self._connection.execute(f"DELETE FROM main.{table}")

    def reached(self, topic: str, identity: str) -> Reached:
        """How far the topic of this identity was read by earlier runs."""
        row = self._row("SELECT identity, next, last, digest FROM topic WHERE name = ?", topic)
        return Reached(*row) if row is not None and row[0] == identity else Reached(identity)

    def note_reached(self, topic: str, reached: Reached) -> None:
        """Keep how far a topic was read."""
        self._connection.execute("INSERT OR REPLACE INTO topic VALUES (?, ?, ?, ?, ?)", (topic, *reached))

    def touch(self, stream: str) -> None:
        """Have the stream checked in this run."""
        self._connection.execute("INSERT OR IGNORE INTO run.touched VALUES (?)", (stream,))

    def touch_those_to_repeat(self) -> None:
        """Touch the streams that an earlier run could not check in full."""
        self._connection.execute(
            "INSERT OR IGNORE INTO run.touched SELECT name FROM stream WHERE is_to_repeat"
        )

    def touched(self) -> Iterator[str]:
        """The streams to check, in order."""
        for (stream,) in self._connection.execute("SELECT stream FROM run.touched ORDER BY stream"):
            yield stream

    def touched_without_records(self) -> set[str]:
        """Those of the touched streams whose records an earlier run did not keep."""
        query = "SELECT name FROM stream JOIN run.touched ON stream = name WHERE records IS NULL"
        return {name for (name,) in self._connection.execute(query)}

    def add_record(self, stream: str, record: StoredRecord) -> None:
        """Add a record of a stream, and touch the stream."""
        self._connection.execute(
            "INSERT INTO run.record VALUES (?, ?, ?, ?, ?, ?)",
            (stream, *record.position, record.key, record.value),
        )
        self.touch(stream)

    def records_are_complete(self) -> None:
        """To be called between the last `add_record` and the first `records`."""
        self._connection.execute("CREATE INDEX run.record_by_stream ON record (stream, offset)")

    def records(self, stream: str) -> list[StoredRecord]:
        """All records of a stream in the order of the log, those of earlier runs first."""
        row = self._row("SELECT records FROM stream WHERE name = ?", stream)
        kept = [] if row is None or row[0] is None else _decode_records(zlib.decompress(row[0]))
        query = "SELECT topic, partition, offset, key, value FROM run.record WHERE stream = ? ORDER BY offset"
        for topic, partition, offset, key, value in self._connection.execute(query, (stream,)):
            kept.append(StoredRecord(RecordPosition(topic, partition, offset), key, value))
        return kept

    def keep_stream(self, stream: str, records: list[StoredRecord] | None, is_to_repeat: bool) -> None:
        """Keep that the stream was checked, with its records where it is expected to go on."""
        packed = None if records is None else zlib.compress(_encode(records), 1)
        self._connection.execute(
            "INSERT OR REPLACE INTO stream VALUES (?, ?, ?)", (stream, packed, is_to_repeat)
        )

    def untouched(self) -> int:
        """How many streams earlier runs verified and this one does not check."""
        query = "SELECT count(*) FROM stream WHERE name NOT IN (SELECT stream FROM run.touched)"
        return int(self._connection.execute(query).fetchone()[0])

    def put_newest(self, kind: str, stream: str, value: bytes | None) -> None:
        """The newest value of a kind of record; None removes it."""
        if value is None:
            self._connection.execute("DELETE FROM newest WHERE kind = ? AND stream = ?", (kind, stream))
        else:
            self._connection.execute("INSERT OR REPLACE INTO newest VALUES (?, ?, ?)", (kind, stream, value))

    def forget_newest(self, kind: str) -> None:
        """Forget all values of a kind, and have their streams checked."""
        self._connection.execute(
            "INSERT OR IGNORE INTO run.touched SELECT stream FROM newest WHERE kind = ?", (kind,)
        )
        self._connection.execute("DELETE FROM newest WHERE kind = ?", (kind,))

    def newest(self, kind: str, stream: str) -> bytes | None:
        """The newest value of a kind of record, of this run or an earlier one."""
        row = self._row("SELECT value FROM newest WHERE kind = ? AND stream = ?", kind, stream)
        return None if row is None else row[0]

    def put_snapshot(self, stream: str, snapshot: StoredSnapshot) -> None:
        """A snapshot that was not there in an earlier run."""
        row = (stream, snapshot.sequence, snapshot.schema, snapshot.payload)
        self._connection.execute("INSERT OR REPLACE INTO run.snapshot VALUES (?, ?, ?, ?)", row)

    def forget_snapshots(self, stream: str) -> None:
        """Forget the snapshots of a stream."""
        self._connection.execute("DELETE FROM run.snapshot WHERE stream = ?", (stream,))

    def snapshots(self, stream: str) -> list[StoredSnapshot]:
        """The snapshots of a stream that no earlier run has compared."""
        query = "SELECT sequence, schema, payload FROM run.snapshot WHERE stream = ? ORDER BY sequence"
        return [StoredSnapshot(*row) for row in self._connection.execute(query, (stream,))]

    def replace_findings(self, stream: str, findings: Iterable[Finding]) -> None:
        """Keep what was found in a stream, in place of what an earlier run found there."""
        self._connection.execute("DELETE FROM finding WHERE stream = ?", (stream,))
        self._insert_findings(stream, findings)

    def add_findings(self, findings: Iterable[Finding]) -> None:
        """Keep what was found in records that may belong to no stream."""
        self._insert_findings(None, findings)

    def findings(self) -> list[Finding]:
        """All findings of this run and of earlier ones."""
        return [_decode_finding(found) for (found,) in self._connection.execute("SELECT found FROM finding")]

    def _insert_findings(self, stream: str | None, findings: Iterable[Finding]) -> None:
        rows = [(stream, _encode(each)) for each in findings]
        self._connection.executemany("INSERT INTO finding VALUES (?, ?)", rows)

    def _row(self, query: str, *parameters: str) -> tuple[Any, ...] | None:
        row: tuple[Any, ...] | None = self._connection.execute(query, parameters).fetchone()
        return row


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute(f"PRAGMA cache_size = -{CACHE_KB}")
        if connection.execute("PRAGMA user_version").fetchone()[0] not in (0, SCHEMA):
            raise sqlite3.DatabaseError("of another schema")
        connection.executescript(TABLES)
        connection.execute(f"PRAGMA user_version = {SCHEMA}")
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection
