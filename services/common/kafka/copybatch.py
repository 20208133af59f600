"""What a copy takes over at once, and where it came from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from services.common.eventlog.port import AppendResult
from services.common.kafka.commits import read_snapshot
from services.common.kafka.copyfile import Batch
from services.common.kafka.landmarks import Landmark, landmark
from services.common.kafka.topics import PartitionName
from services.common.kafka.written import WrittenCommit
from services.gen.signalbox.log.v1 import log_pb2 as pb


@dataclass(frozen=True, slots=True)
class Applied:
    """A commit as it is in Kafka, and whether it counts. `was_read` False: its writer in this process gave it to the copy."""

    commit: pb.Commit
    result: AppendResult
    partition: int
    offset: int
    was_read: bool = True


@dataclass(slots=True)
class TakenRecords:
    """Records in order. `commits` with partition and offset; `at_end`: partitions that were read to their end."""

    commits: list[tuple[pb.Commit, int, int]] = field(default_factory=list)
    snapshots: list[tuple[str, pb.Snapshot | None]] = field(default_factory=list)
    reached: dict[PartitionName, int] = field(default_factory=dict)
    at_end: set[PartitionName] = field(default_factory=set)
    _lasts: dict[PartitionName, tuple[int, bytes | None]] = field(default_factory=dict)

    @staticmethod
    def written(topic: str, commits: Iterable[WrittenCommit]) -> TakenRecords:
        """What a writer in this process put into the topic."""
        taken = TakenRecords()
        for each in commits:
            taken.add(topic, each.partition, each.offset, each.value, each.commit)
        return taken

    def add(
        self, topic: str, partition: int, offset: int, value: bytes | None, commit: pb.Commit | None
    ) -> None:
        """A record of the commits' topic, which may hold none."""
        self.reached[topic, partition] = offset + 1
        self._lasts[topic, partition] = offset, value
        if commit is not None:
            self.commits.append((commit, partition, offset))

    def add_snapshot(
        self, topic: str, partition: int, offset: int, key: str | bytes | None, value: bytes | None
    ) -> None:
        """A record of the snapshots' topic."""
        self.reached[topic, partition] = offset + 1
        self.snapshots.extend(read_snapshot(key, value))

    def add_end(self, name: PartitionName, offset: int) -> None:
        """The partition was read to its end."""
        self.reached[name] = offset
        self.at_end.add(name)

    def landmarks(self) -> Mapping[PartitionName, Landmark]:
        """The last record of each partition of the commits' topic."""
        return {name: landmark(*last) for name, last in self._lasts.items()}

    def batch(self, landmarks: Mapping[PartitionName, Landmark]) -> Batch:
        """As the file takes it."""
        return Batch([commit for commit, _, _ in self.commits], self.snapshots, self.reached, landmarks)
