"""The newest record of each key of the derived topics, in a temporary file: there may be millions of games."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from services.backup.contents import Source
from services.backup.format import BackedUpRecord

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(BackedUpRecord).decode


class LatestRecords:
    """Records by partition and key; a later one replaces an earlier. `close` ends it."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute(
            "CREATE TABLE latest (topic TEXT, partition INTEGER, key BLOB, offset INTEGER, record BLOB, "
            "PRIMARY KEY (topic, partition, key)) WITHOUT ROWID"
        )

    def add(self, records: Iterable[tuple[Source, BackedUpRecord]]) -> None:
        """Take over records, in the order in which they were written, each with the partition in which it belongs."""
        self._connection.execute("BEGIN")
        self._connection.executemany(
            "INSERT OR REPLACE INTO latest VALUES (?, ?, ?, ?, ?)",
            ((*source, each.key or b"", each.offset, _encode(each)) for source, each in records),
        )
        self._connection.execute("COMMIT")

    def of(self, source: Source) -> Iterator[BackedUpRecord]:
        """Those of one partition, in the order in which they were written; of those of several partitions in one, by offset."""
        rows = self._connection.execute(
            "SELECT record FROM latest WHERE topic = ? AND partition = ? ORDER BY offset, key", source
        )
        for (record,) in rows:
            yield _decode(record)

    def get(self, source: Source, key: bytes | None) -> BackedUpRecord | None:
        """The newest with this key."""
        row = self._connection.execute(
            "SELECT record FROM latest WHERE topic = ? AND partition = ? AND key = ?", (*source, key or b"")
        ).fetchone()
        return None if row is None else _decode(row[0])

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
