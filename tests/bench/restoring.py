"""How long a replica of rules with an empty disk takes until it serves, and what it reads for it: from Kafka alone, and from
snapshots of the partitions with what follows them. And what it takes to write these.

`python -m tests.bench restoring`.
"""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from devtools.brokers.kafka import KafkaServers
from services.common.kafka.administration import apply_topics
from services.common.kafka.clients import new_producer
from services.common.kafka.settings import KafkaSettings
from services.common.partition_snapshots.format import Manifest, read_manifest
from services.common.redis.settings import RedisSettings
from services.common.settings.service import Settings
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.host.processes import ClusterHost, Replicas
from services.rules.history import stream_of
from tests.bench.archive import NOBODY, finished_game, send_commit
from tests.bench.cluster import PARTITIONS
from tests.bench.cost import cpu_seconds
from tests.bench.on_brokers import on_brokers
from tests.bench.sockets import received_from

COUNTS = (2_000, 10_000)
# Of each game, before and after the snapshots.
COMMITS, COMMITS_AFTER = 40, 2
SECONDS, LOOK_SECONDS = 1800.0, 0.5


@dataclass(frozen=True, slots=True)
class Started:
    """What a replica took until it served: seconds, seconds of a core, and bytes from Kafka."""

    seconds: float
    cores: float
    received: int


def main() -> int:
    """Measure and print; 2 without brokers."""
    commits = finished_game(COMMITS + COMMITS_AFTER)[: COMMITS + COMMITS_AFTER]
    facts = sum(len(commit.facts) for commit in commits)
    print(f"  games of {len(commits)} commands, {facts} events; {COMMITS_AFTER} commands after the snapshots", flush=True)
    return on_brokers(lambda folder, servers, redis: _measure(folder, servers, redis, commits))


def _measure(folder: Path, servers: KafkaServers, redis: RedisSettings, commits: list[pb.Commit]) -> int:
    for count in COUNTS:
        kafka = servers.settings(f"restoring{count}.", partitions=PARTITIONS)
        apply_topics(kafka)
        store = folder / f"store{count}"
        plain = Settings(routing_addresses=(NOBODY,))
        taking = replace(plain, partition_snapshots=f"folder:{store}", partition_snapshot_records=COMMITS)
        _fill(kafka, commits[:COMMITS], count)
        _start(folder / "writer", kafka, redis, taking, store)
        newest = _newest(store)
        size = sum((store / piece.name).stat().st_size for each in newest for piece in each.pieces)
        raw = sum(piece.bytes for each in newest for piece in each.pieces)
        print(
            f"  {count:6} games: snapshots of {size / 1e6:.1f} MB, {raw / 1e6:.1f} MB before compression",
            flush=True,
        )
        _fill(kafka, commits[COMMITS:], count)
        # Without new ones: those that are there are measured.
        reading = replace(taking, partition_snapshot_records=1_000_000_000)
        alone = _start(folder / "alone", kafka, redis, plain)
        restored = _start(folder / "restored", kafka, redis, reading)
        for name, each in (("Kafka alone", alone), ("snapshots and tail", restored)):
            print(
                f"  {count:6} games, {name:18}: serves after {each.seconds:6.1f} s, {each.cores:6.1f} s of a core, "
                f"{each.received / 1e6:6.1f} MB from Kafka",
                flush=True,
            )
        print(f"  {count:6} games: {alone.seconds / restored.seconds:.1f} times as fast")
    return 0


def _start(
    folder: Path, kafka: KafkaSettings, redis: RedisSettings, settings: Settings, store: Path | None = None
) -> Started:
    """Start a replica with nothing, and end it when it serves; where a `store` is given, when that has all snapshots."""
    host = ClusterHost(folder, kafka, redis, Replicas(0, 1, 0, 0), settings)
    (replica,) = host.replicas
    began = time.monotonic()
    folder.mkdir(parents=True)
    replica.process.start()
    replica.wait_healthy(SECONDS)
    ports = {int(each.rpartition(":")[2]) for each in kafka.servers}
    pid = replica.process.pid
    (received,) = received_from(ports, [pid])
    found = Started(time.monotonic() - began, cpu_seconds(pid), received)
    if store is not None:
        while len(_newest(store)) < kafka.partitions:
            assert time.monotonic() - began < SECONDS, "no snapshots in time"
            time.sleep(LOOK_SECONDS)
        print(f"  snapshots written with {cpu_seconds(pid) - found.cores:.1f} s of a core, idling included")
    host.stop()
    shutil.rmtree(folder)
    return found


def _newest(store: Path) -> list[Manifest]:
    """The manifests; there is one for each partition."""
    if not store.exists():
        return []
    return [
        read_manifest(path.name, path.read_bytes())
        for path in (store / "manifests").rglob("0*")
        if path.is_file() and not path.name.startswith(".")
    ]


def _fill(kafka: KafkaSettings, commits: list[pb.Commit], count: int) -> None:
    """The games move by move, as if all were played at the same time."""
    producer = new_producer(kafka, **{"linger.ms": 20, "queue.buffering.max.messages": 100_000})
    for commit in commits:
        for number in range(count):
            game = f"g{number:07}"
            commit.stream = stream_of(game)
            send_commit(producer, kafka, commit.SerializeToString(), game)
    producer.flush()
