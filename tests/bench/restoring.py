"""How long a copy of rules takes from nothing until it has everything, and what it reads for it: from Kafka alone, and from
snapshots of the partitions with what follows them. A replica serves a moment after its copy has everything. And what it takes to
write the snapshots.

`python -m tests.bench restoring`, or other numbers of games: `python -m tests.bench.restoring 500`.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from devtools.brokers.kafka import KafkaServers
from services.common.kafka.administration import apply_topics
from services.common.kafka.clients import new_producer
from services.common.kafka.copy import LogCopy
from services.common.kafka.offsets import identity_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, SNAPSHOTS
from services.common.objectstore.folder import FolderStore
from services.common.partition_snapshots.format import Log
from services.common.partition_snapshots.restoring import SnapshotSource
from services.common.partition_snapshots.store import PartitionSnapshots
from services.common.partition_snapshots.writing import PartitionSnapshotter
from services.common.redis.settings import RedisSettings
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.history import stream_of
from tests.bench.archive import finished_game, send_commit
from tests.bench.cluster import PARTITIONS
from tests.bench.on_brokers import on_brokers
from tests.bench.sockets import received_from

COUNTS = (2_000, 10_000)
# Of each game, before and after the snapshots.
COMMITS, COMMITS_AFTER = 40, 2
SECONDS = 3600.0
TOPICS = (EVENTS, SNAPSHOTS)


@dataclass(frozen=True, slots=True)
class Read:
    """What a copy took until it had everything: seconds, seconds of a core, and bytes from Kafka and the store."""

    seconds: float
    cores: float
    received: int
    restored: float

    def __str__(self) -> str:
        return (
            f"{self.seconds:.1f} s, {self.cores:.1f} s of a core, {self.received / 1e6:.1f} MB from Kafka and "
            f"{self.restored / 1e6:.1f} MB from the store"
        )


def main(counts: Sequence[int] = COUNTS) -> int:
    """Measure and print; 2 without brokers."""
    commits = finished_game(COMMITS + COMMITS_AFTER)[: COMMITS + COMMITS_AFTER]
    facts = sum(len(commit.facts) for commit in commits)
    print(f"  games of {len(commits)} commands, {facts} events; {COMMITS_AFTER} commands after the snapshots")
    return on_brokers(partial(_measure, commits, counts))


def _measure(
    commits: list[pb.Commit], counts: Sequence[int], folder: Path, servers: KafkaServers, _: RedisSettings
) -> int:
    for count in counts:
        kafka = servers.settings(f"restoring{count}.", partitions=PARTITIONS)
        apply_topics(kafka)
        log = Log(identity_of(kafka, TOPICS), PARTITIONS)
        store = PartitionSnapshots(FolderStore(folder / f"store{count}"), log)
        _fill(kafka, commits[:COMMITS], count)
        _write(kafka, folder / f"writer{count}.db", store, count)
        _fill(kafka, commits[COMMITS:], count)
        alone = _read(kafka, folder / f"alone{count}.db", None)
        print(f"  {count:6} games from Kafka alone: {alone}", flush=True)
        restored = _read(kafka, folder / f"restored{count}.db", store)
        print(f"  {count:6} games from snapshots and tail: {restored}")
        print(
            f"  {count:6} games: {alone.seconds / restored.seconds:.1f} times as fast, with "
            f"{100 * restored.cores / alone.cores:.0f} % of the processor time",
            flush=True,
        )
    return 0


def _write(kafka: KafkaSettings, path: Path, store: PartitionSnapshots, count: int) -> None:
    """Snapshots of all partitions, from a copy that has read them."""
    copy, registry = LogCopy(kafka, EVENTS, path, snapshots=SNAPSHOTS), CollectorRegistry()
    copy.start()
    assert copy.wait_current(SECONDS)
    used, began = time.process_time(), time.monotonic()
    owned = range(PARTITIONS)
    writer = PartitionSnapshotter(store, copy.part, lambda: owned, registry, records=1, hours=1)
    assert writer.run_once() == PARTITIONS
    written = registry.get_sample_value("signalbox_partition_snapshot_bytes_total") or 0.0
    print(
        f"  {count:6} games: snapshots of {written / 1e6:.1f} MB from a file of {path.stat().st_size / 1e6:.1f} MB, "
        f"{time.monotonic() - began:.1f} s without rests, {time.process_time() - used:.1f} s of a core",
        flush=True,
    )
    copy.close()


def _read(kafka: KafkaSettings, path: Path, store: PartitionSnapshots | None) -> Read:
    registry = CollectorRegistry()
    source = None if store is None else SnapshotSource(kafka, TOPICS, store, registry)
    reader = replace(kafka, instance=path.stem)
    used, began = time.process_time(), time.monotonic()
    copy = LogCopy(reader, EVENTS, path, snapshots=SNAPSHOTS, source=source)
    copy.start()
    assert copy.wait_current(SECONDS)
    seconds, cores = time.monotonic() - began, time.process_time() - used
    ports = {int(each.rpartition(":")[2]) for each in kafka.servers}
    (received,) = received_from(ports, [os.getpid()])
    copy.close()
    return Read(
        seconds, cores, received, registry.get_sample_value("signalbox_partition_restore_bytes_total") or 0.0
    )


def _fill(kafka: KafkaSettings, commits: list[pb.Commit], count: int) -> None:
    """The games move by move, as if all were played at the same time."""
    producer = new_producer(kafka, **{"linger.ms": 20, "queue.buffering.max.messages": 100_000})
    for commit in commits:
        for number in range(count):
            game = f"g{number:07}"
            commit.stream = stream_of(game)
            send_commit(producer, kafka, commit.SerializeToString(), game)
    producer.flush()


if __name__ == "__main__":
    sys.exit(main([int(each) for each in sys.argv[1:]]))
