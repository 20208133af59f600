"""What a command leaves on disks and takes of cores: bytes in Kafka by topic, bytes in the files of each service, milliseconds
of a core by service, at several rates. Volumes are sized from it (docs/operations.md).

`python -m tests.bench stored`.
"""

from __future__ import annotations

import sqlite3
import struct
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from devtools.brokers.kafka import KafkaServers
from services.bench.measured import OWN_TOPICS
from services.bench.opening import Table
from services.bench.playing import generate
from services.common.kafka.administration import apply_topics
from services.common.kafka.clients import new_admin
from services.common.kafka.settings import KafkaSettings
from services.common.redis.settings import RedisSettings
from services.common.settings.service import Settings
from services.host.children import Child
from services.host.processes import ClusterHost, Replicas
from tests.bench.cluster import CALLERS, PARTITIONS, gather, plan_of, tail
from tests.bench.cost import cpu_seconds
from tests.bench.on_brokers import on_brokers

GAMES = 120
RATES = (10.0, 100.0, 250.0)
SECONDS = 12.0
WARM_BROKER_SECONDS = 30.0
SETTLED_SECONDS, SETTLING_SECONDS = 2.0, 30.0
# The form of a batch: where it begins its first offset, then its length without these two.
BATCH_LENGTH = struct.Struct(">8xi")
BATCH_HEADER_BYTES = 61
ATTRIBUTES, ATTRIBUTES_AT, IS_OF_CONTROL = struct.Struct(">h"), 21, 0x20
ALL = "all"


@dataclass(frozen=True, slots=True)
class Taken:
    """What was taken so far: bytes by topic, those of records alone, bytes by the service whose files they are in, seconds of
    cores by service."""

    topics: Mapping[str, float]
    records: Mapping[str, float]
    files: Mapping[str, float]
    cores: Mapping[str, float]

    @property
    def parts(self) -> tuple[Mapping[str, float], ...]:
        """All four."""
        return self.topics, self.records, self.files, self.cores

    def since(self, before: Taken) -> Taken:
        """What was taken since then."""
        pairs = zip(self.parts, before.parts, strict=True)
        return Taken(*({name: now[name] - then.get(name, 0) for name in now} for now, then in pairs))

    def each(self, count: int) -> Taken:
        """Of each of so many commands."""
        return Taken(*({name: value / count for name, value in part.items()} for part in self.parts))


@dataclass(frozen=True, slots=True)
class Watched:
    """A platform of which is counted what it takes: its Kafka with the folder of the one broker, the folder of the services'
    files, the processes by service."""

    kafka: KafkaSettings
    data: Path
    files: Path
    pids: Sequence[tuple[str, int]]


def main() -> int:
    """Measure and print; 2 without brokers."""
    return on_brokers(_measure)


def _measure(scratch: Path, servers: KafkaServers, redis: RedisSettings) -> int:
    folder = scratch / "host"
    kafka = servers.settings("bench.", partitions=PARTITIONS)
    apply_topics(kafka)
    replicas = Replicas(lobby=1, rules=2, routing=1, ledger=1)
    host = ClusterHost(folder, kafka, redis, replicas, Settings(routing_workers=1))
    host.start()
    try:
        table = gather(host, folder, GAMES)
        pids = [(each.service, each.process.pid) for each in host.replicas] + pids_of(servers)
        watched = Watched(kafka, servers.nodes[0].data, folder, pids)
        outcome = generate(plan_of(host, table, WARM_BROKER_SECONDS, callers=16))
        columns: dict[str, Taken] = {}
        for rate in RATES:
            name, taken, played = _at(rate, host, watched, table, outcome.played)
            columns[name], outcome.played = taken, dict(played)
    finally:
        host.stop()
    _show(columns)
    return 0


def _at(
    rate: float,
    host: ClusterHost,
    watched: Watched,
    table: Table,
    played: Mapping[str, int],
) -> tuple[str, Taken, Mapping[str, int]]:
    """The heading of a column, what a command took, and how far the games are."""
    before = settled(watched)
    outcome = generate(plan_of(host, table, SECONDS, CALLERS, rate, played))
    p50, p99 = tail(outcome.milliseconds)
    print(f"  {rate:.0f}/s: p50 {p50:.1f} p99 {p99:.1f} ms {outcome.failures or ''}", flush=True)
    taken = settled(watched).since(before)
    count = max(1, len(outcome.milliseconds))
    return f"{rate:.0f}/s", taken.each(count), outcome.played


def pids_of(servers: KafkaServers) -> list[tuple[str, int]]:
    """The brokers' processes, of those that we started as such."""
    return [("broker", each.program.pid) for each in servers.nodes if isinstance(each.program, Child)]


def settled(watched: Watched) -> Taken:
    """What was taken so far, once followers have written everything."""
    kafka = watched.kafka
    end, topics = time.monotonic() + SETTLING_SECONDS, bytes_by_topic(kafka)
    while time.monotonic() < end:
        time.sleep(SETTLED_SECONDS)
        before, topics = topics, bytes_by_topic(kafka)
        if topics == before:
            break
    records = _bytes_of_records(watched.data, kafka)
    return Taken(topics, records, _bytes_of_files(watched.files), _cores(watched.pids))


def bytes_by_topic(kafka: KafkaSettings) -> Mapping[str, float]:
    """Bytes on the disk of one broker by topic, without the platform's prefix; markers and overhead included."""
    admin = new_admin(kafka)
    try:
        answers = admin.describe_log_dirs()
    finally:
        admin.close()
    found: Counter[str] = Counter()
    for folder in answers[0]["log_dirs"]:
        for topic in folder["topics"]:
            name = topic["name"]
            known = (
                name.removeprefix(kafka.topic_prefix) if name.startswith(kafka.topic_prefix) else OWN_TOPICS
            )
            found[known] += sum(each["partition_size"] for each in topic["partitions"])
    return found


def _bytes_of_records(data: Path, kafka: KafkaSettings) -> Mapping[str, float]:
    """Bytes of records by topic as they are stored, without the headers of their batches and the markers of transactions."""
    found: Counter[str] = Counter()
    for segment in data.rglob(f"{kafka.topic_prefix}*/*.log"):
        content, at = segment.read_bytes(), 0
        topic = segment.parent.name.removeprefix(kafka.topic_prefix).rpartition("-")[0]
        while at + BATCH_HEADER_BYTES <= len(content):
            length = BATCH_LENGTH.unpack_from(content, at)[0] + BATCH_LENGTH.size
            (attributes,) = ATTRIBUTES.unpack_from(content, at + ATTRIBUTES_AT)
            if not attributes & IS_OF_CONTROL:
                found[topic] += length - BATCH_HEADER_BYTES
            at += length
    return found


def _bytes_of_files(folder: Path) -> Mapping[str, float]:
    """Bytes of the databases of one replica of each service, whether they are in the main file yet or not."""
    sizes: dict[str, list[int]] = {}
    for path in folder.glob("*.db"):
        sizes.setdefault(path.name.partition("-")[0], []).append(_bytes_of_file(path))
    return {name: max(each) for name, each in sizes.items()}


def _bytes_of_file(path: Path) -> int:
    """As its own process sees it; where that shares it with nobody, what is on the disk."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    except sqlite3.OperationalError:
        return sum(each.stat().st_size for each in path.parent.glob(f"{path.name}*"))
    finally:
        connection.close()
    return int(pages * size)


def _cores(pids: Sequence[tuple[str, int]]) -> Mapping[str, float]:
    """Seconds of cores by service, of all its replicas."""
    found = dict.fromkeys((name for name, _ in pids), 0.0)
    for name, pid in pids:
        found[name] += cpu_seconds(pid)
    return found


def _show(columns: Mapping[str, Taken]) -> None:
    titles = (
        "bytes a command in Kafka, one copy",
        "of which records",
        "bytes a command in files",
        "ms of a core a command",
    )
    for index, (title, unit) in enumerate(zip(titles, (1, 1, 1, 1000), strict=True)):
        parts = {name: taken.parts[index] for name, taken in columns.items()}
        print(f"  {title:36}" + "".join(f"{name:>9}" for name in parts))
        rows = sorted({row for part in parts.values() for row in part})
        for row in rows:
            cells = [part.get(row, 0.0) * unit for part in parts.values()]
            if any(round(cell, 1) for cell in cells):
                print(f"    {row:34}" + "".join(f"{cell:9.1f}" for cell in cells))
        own = {OWN_TOPICS}
        totals = [sum(part.get(row, 0.0) for row in rows if row not in own) * unit for part in parts.values()]
        print(f"    {ALL:34}" + "".join(f"{each:9.1f}" for each in totals), flush=True)


if __name__ == "__main__":
    sys.exit(main())
