"""Files of copies without a Kafka, of two partitions, and a store of snapshots of them. As a program: fill a partition of a new
file from the snapshots in a folder, until it is done or killed."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from prometheus_client import CollectorRegistry

from services.common.clock import Clock
from services.common.eventlog.whole_streams import WholeStream, whole_streams
from services.common.kafka.copyfile import Batch, CopyFile
from services.common.kafka.copyparts import PartitionOfCopy
from services.common.kafka.landmarks import Landmark
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, SNAPSHOTS
from services.common.objectstore.folder import FolderStore
from services.common.partition_snapshots.format import Log
from services.common.partition_snapshots.restoring import SnapshotSource
from services.common.partition_snapshots.store import PartitionSnapshots
from services.common.partition_snapshots.writing import PartitionSnapshotter
from services.gen.signalbox.log.v1 import log_pb2 as pb

IDENTITY = "rules.events:A rules.snapshots:B"
TOPICS = (EVENTS.name, SNAPSHOTS.name)
LOG = Log(IDENTITY, 2)
END = 1000
ENDS = {(topic, partition): END for topic in TOPICS for partition in range(2)}
KAFKA = KafkaSettings(servers=("127.0.0.1:1",), partitions=2)


def partition_in_name(stream: str) -> int:
    """Of "game/1.7" it is 1."""
    return int(stream.removeprefix("game/").partition(".")[0])


def commit(stream: str, number: int) -> pb.Commit:
    """The append number `number` of a stream, of two facts."""
    facts = [
        pb.Fact(type="t", schema_version=1, payload=f"{stream} {number} {each}".encode()) for each in "ab"
    ]
    request = pb.Request(request_id=f"r\0{number}", player="ann", content_hash=b"\0h", outcome=b"o,\0 ")
    return pb.Commit(
        stream=stream, first_sequence=2 * number - 1, facts=facts, request=request, recorded_time_ms=number
    )


@contextmanager
def copy_in(path: Path) -> Iterator[CopyFile]:
    """The file of a copy."""
    copy = CopyFile(path, IDENTITY, ENDS, partition_of_stream=partition_in_name)
    try:
        yield copy
    finally:
        copy.close()


def fill(copy: CopyFile, streams: Sequence[str], first: int = 1, last: int = 3, offset: int = 10) -> None:
    """These commits of each stream, and a state after them; both partitions are read up to `offset`."""
    commits = [commit(stream, number) for number in range(first, last + 1) for stream in streams]
    states: list[tuple[str, pb.Snapshot | None]] = [
        (each, pb.Snapshot(stream=each, sequence=2 * last, schema=1, payload=b"state")) for each in streams
    ]
    landmarks = {(EVENTS.name, partition): Landmark(offset - 1, 7) for partition in range(2)}
    reached = {(topic, partition): offset for topic in TOPICS for partition in range(2)}
    copy.write(Batch(commits, states, reached, landmarks))


def part(copy: CopyFile, number: int = 0) -> PartitionOfCopy:
    """A partition of a file."""
    return PartitionOfCopy(copy.log.database, number, TOPICS, partition_in_name)


def content(copy: CopyFile, number: int = 0) -> list[WholeStream]:
    """All of a partition, by the names of its streams."""
    with copy.log.database.reader() as connection:
        found = list(whole_streams(connection, lambda name: partition_in_name(name) == number))
    return sorted(found, key=lambda each: each.stream)


def damage(path: Path) -> None:
    """Change a byte in the middle."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def newest_manifest(store: Path) -> Path:
    """Its file."""
    return max((store / "manifests").rglob("0*"))


def pieces(store: Path) -> list[Path]:
    """The files of all pieces."""
    return sorted(each for each in (store / "pieces").rglob("*") if each.is_file())


def snapshots_in(folder: Path, log: Log = LOG) -> PartitionSnapshots:
    """A store of snapshots."""
    return PartitionSnapshots(FolderStore(folder), log)


def snapshotter(
    copy: CopyFile, folder: Path, clock: Clock | None = None, owned: Sequence[int] = (0,), records: int = 1
) -> PartitionSnapshotter:
    """Writes snapshots of what a file has."""
    return PartitionSnapshotter(
        snapshots_in(folder),
        lambda number: part(copy, number),
        lambda: owned,
        CollectorRegistry(),
        records=records,
        hours=24,
        clock=clock,
    )


def source(folder: Path, log: Log = LOG, registry: CollectorRegistry | None = None) -> SnapshotSource:
    """What fills partitions; the Kafka that it asks is the patched one of a test."""
    return SnapshotSource(
        KAFKA, (EVENTS, SNAPSHOTS), snapshots_in(folder, log), registry or CollectorRegistry()
    )


def main() -> None:
    """FOLDER PATH MODE: write snapshots of the partition 0 of the file, or fill it, as MODE says: with small pieces and no
    Kafka."""
    from services.common.partition_snapshots import restoring, writing
    from services.common.partition_snapshots.format import in_pieces

    folder, path, mode = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    vars(writing)["in_pieces"] = lambda streams: in_pieces(streams, 1)
    vars(restoring).update(
        beginnings=lambda *_: dict.fromkeys(ENDS, 0), ends=lambda *_: ENDS, lost_landmarks=lambda *_: []
    )
    with copy_in(path) as copy:
        if mode == "write":
            snapshotter(copy, folder).run_once()
        else:
            source(folder).fill(part(copy), lambda: True)


if __name__ == "__main__":
    main()
