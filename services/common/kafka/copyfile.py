"""The file of a copy: an event log in SQLite with the offset up to which each partition of Kafka is in it.

The file may be lost: it is filled again from Kafka. One that belongs to another topic, or to one that was created anew under
the same name, is thrown away.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from services.common.eventlog.port import AppendResult, LogFileError
from services.common.eventlog.sqlite import (
    Append,
    SqliteEventLog,
    SqliteSnapshotStore,
    append_within,
    forget_snapshots_within,
    put_snapshot_within,
    save_position_within,
)
from services.common.eventlog.sqlite_database import SqliteDatabase, remove_database
from services.common.kafka.commits import facts_of, request_of
from services.common.kafka.topics import PartitionName
from services.gen.signalbox.log.v1 import log_pb2 as pb

IDENTITY = "copy of "
OFFSETS = "next offset "


@dataclass(frozen=True, slots=True)
class Batch:
    """Records of Kafka in the order read; `snapshots` with None forget. `reached`: next offset by topic and partition."""

    commits: Sequence[pb.Commit]
    snapshots: Sequence[tuple[str, pb.Snapshot | None]]
    reached: Mapping[PartitionName, int]


class CopyFile:
    """The open file. Everything read from it was committed in Kafka."""

    def __init__(self, path: Path, identity: str, ends: Mapping[PartitionName, int]) -> None:
        """`identity` names the topics that are copied, as no others are; `ends` is how far they go.

        Raises `LogFileError` like `open_sqlite`."""
        identity = IDENTITY + identity
        self._database = _opened(path)
        if not self._is_copy_of(identity, ends):
            self._database.close()
            remove_database(path)
            self._database = _opened(path)
        if identity not in _saved(self._database, IDENTITY):
            self._database.write(lambda connection: save_position_within(connection, identity, 1))
        self.log = SqliteEventLog(self._database)
        self.snapshots = SqliteSnapshotStore(self._database)

    def _is_copy_of(self, identity: str, ends: Mapping[PartitionName, int]) -> bool:
        """False for a copy of other topics, and for one that has more than Kafka: that is no copy of it any more."""
        known = _saved(self._database, IDENTITY)
        has_more = any(offset > ends.get(partition, 0) for partition, offset in self.offsets().items())
        return not known or (identity in known and not has_more)

    def offsets(self) -> dict[PartitionName, int]:
        """The next offset to read, by topic and partition, where any was read."""
        found: dict[PartitionName, int] = {}
        for name, offset in _saved(self._database, OFFSETS).items():
            topic, _, partition = name.removeprefix(OFFSETS).rpartition("/")
            found[topic, int(partition)] = offset
        return found

    @property
    def is_writable(self) -> bool:
        """False after a batch for which the disk has no room, until there is some again."""
        return self._database.is_writable

    def write(self, batch: Batch) -> list[AppendResult]:
        """Take a batch over as one; returns what became of each commit."""
        return self._database.write(lambda connection: _write_within(connection, batch))

    def close(self) -> None:
        """Close the file; the log in it then says that it is closed."""
        self._database.close()


def _write_within(connection: sqlite3.Connection, batch: Batch) -> list[AppendResult]:
    results = append_within(connection, [_append_of(commit) for commit in batch.commits])
    for stream, snapshot in batch.snapshots:
        if snapshot is None:
            forget_snapshots_within(connection, stream)
        else:
            put_snapshot_within(connection, stream, snapshot.sequence, snapshot.schema, snapshot.payload)
            # Kafka keeps the latest alone as well; a state before it is folded from the events.
            forget_snapshots_within(connection, stream, snapshot.sequence)
    for (topic, partition), offset in batch.reached.items():
        save_position_within(connection, f"{OFFSETS}{topic}/{partition}", offset)
    return results


def _append_of(commit: pb.Commit) -> Append:
    return Append(
        commit.stream,
        commit.first_sequence - 1,
        facts_of(commit),
        request_of(commit),
        commit.recorded_time_ms,
    )


def _saved(database: SqliteDatabase, beginning: str) -> dict[str, int]:
    with database.reader() as connection:
        rows = connection.execute(
            "SELECT name, position FROM consumer WHERE substr(name, 1, ?) = ?", (len(beginning), beginning)
        ).fetchall()
    return dict(rows)


def _opened(path: Path) -> SqliteDatabase:
    try:
        return SqliteDatabase(path, waits_for_disk=False)
    except LogFileError as problem:
        if isinstance(problem.__cause__, OSError | sqlite3.OperationalError):
            # A full disk or a lock passes, and the file may be whole: reading all of Kafka again would be the greater harm.
            raise
        remove_database(path)
        return SqliteDatabase(path, waits_for_disk=False)
