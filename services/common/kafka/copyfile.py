"""The file of a copy: an event log in SQLite with the offset up to which each partition of Kafka is in it.

The file may be lost: it is filled again from Kafka. One that belongs to another topic, or to one that was created anew under
the same name, is thrown away. One that has records which Kafka has lost is set aside: nothing else has them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from services.common.kafka.copyaside import set_copy_aside
from services.common.kafka.copydrop import DroppedPartitions
from services.common.kafka.landmarks import Landmark
from services.common.kafka.topics import PartitionName
from services.gen.signalbox.log.v1 import log_pb2 as pb

IDENTITY = "copy of "
OFFSETS = "next offset "
LAST_OFFSETS = "last offset "
LAST_DIGESTS = "last digest "

Lost = Callable[[Mapping[PartitionName, Landmark]], Sequence[PartitionName]]


@dataclass(frozen=True, slots=True)
class Batch:
    """Records of Kafka in the order read; `snapshots` with None forget. `reached`: next offset by topic and partition.

    `landmarks`: the last record of each partition."""

    commits: Sequence[pb.Commit]
    snapshots: Sequence[tuple[str, pb.Snapshot | None]]
    reached: Mapping[PartitionName, int]
    landmarks: Mapping[PartitionName, Landmark] = field(default_factory=dict)


class CopyFile:
    """The open file. Everything read from it was committed in Kafka."""

    def __init__(
        self,
        path: Path,
        identity: str,
        ends: Mapping[PartitionName, int],
        lost: Lost = lambda _: (),
        partition_of_stream: Callable[[str], int] = lambda _: 0,
    ) -> None:
        """`identity` names the topics that are copied, as no others are; `ends` is how far they go; `lost` names the
        partitions of landmarks that are not in them any more; `partition_of_stream` says where a stream is, by its name.

        Raises `LogFileError` like `open_sqlite`, and what `lost` raises."""
        identity = IDENTITY + identity
        self._database = _opened(path)
        known = _saved(self._database, IDENTITY)
        if known and identity not in known:
            self._database.close()
            remove_database(path)
            self._database = _opened(path)
        elif problem := self._more_than_kafka(ends, lost):
            self._database.close()
            set_copy_aside(path, problem)
            self._database = _opened(path)
        self.dropped = DroppedPartitions(self._database, partition_of_stream)
        if identity not in _saved(self._database, IDENTITY):
            self._database.write(lambda connection: save_position_within(connection, identity, 1))
        self.log = SqliteEventLog(self._database)
        self.snapshots = SqliteSnapshotStore(self._database)
        self._noted = set(self.offsets())
        self._passed: dict[PartitionName, int] = {}

    def _more_than_kafka(self, ends: Mapping[PartitionName, int], lost: Lost) -> str:
        """What the file has and Kafka has not, in words; empty where that is nothing."""
        for (topic, partition), offset in self.offsets().items():
            if offset > (end := ends.get((topic, partition), 0)):
                return f"{topic}, partition {partition}: Kafka ends at {end}, the copy at {offset}"
        return "; ".join(
            f"{topic}, partition {partition}: Kafka has another record at the end of the copy"
            for topic, partition in lost(self.landmarks())
        )

    def offsets(self) -> dict[PartitionName, int]:
        """The next offset to read, by topic and partition, where any was read."""
        return _by_partition(self._database, OFFSETS)

    def landmarks(self) -> dict[PartitionName, Landmark]:
        """The last record of each partition, where any was read."""
        digests = _by_partition(self._database, LAST_DIGESTS)
        return {
            name: Landmark(offset, digests[name])
            for name, offset in _by_partition(self._database, LAST_OFFSETS).items()
        }

    def drop(self, partitions: Collection[int], topics: Collection[str]) -> None:
        """Begin to delete these partitions: they are copied no more, and `dropped` deletes their streams step by step."""
        notes = [
            f"{beginning}{topic}/{number}"
            for beginning in (OFFSETS, LAST_OFFSETS, LAST_DIGESTS)
            for topic in topics
            for number in partitions
        ]
        self._noted = {name for name in self._noted if name[1] not in partitions}
        self._passed = {name: offset for name, offset in self._passed.items() if name in self._noted}
        self.dropped.begin(partitions, notes)

    @property
    def is_writable(self) -> bool:
        """False after a batch for which the disk has no room, until there is some again."""
        return self._database.is_writable

    def write(self, batch: Batch) -> list[AppendResult]:
        """Take a batch over as one; returns what became of each commit.

        How far a partition is read is noted with its records. Behind them come the marks of transactions alone: they wait for the
        next record, whichever comes, and are read again after a restart."""
        has_records = batch.commits or batch.snapshots or batch.landmarks
        if not has_records and self._noted.issuperset(batch.reached):
            self._passed.update(batch.reached)
            return []
        whole = replace(batch, reached=self._passed | dict(batch.reached))
        results = self._database.write(lambda connection: _write_within(connection, whole))
        self._noted.update(whole.reached)
        self._passed = {}
        return results

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
    for (topic, partition), last in batch.landmarks.items():
        save_position_within(connection, f"{LAST_OFFSETS}{topic}/{partition}", last.offset)
        save_position_within(connection, f"{LAST_DIGESTS}{topic}/{partition}", last.digest)
    return results


def _append_of(commit: pb.Commit) -> Append:
    return Append(
        commit.stream,
        commit.first_sequence - 1,
        facts_of(commit),
        request_of(commit),
        commit.recorded_time_ms,
    )


def _by_partition(database: SqliteDatabase, beginning: str) -> dict[PartitionName, int]:
    found: dict[PartitionName, int] = {}
    for name, number in _saved(database, beginning).items():
        topic, _, partition = name.removeprefix(beginning).rpartition("/")
        found[topic, int(partition)] = number
    return found


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
