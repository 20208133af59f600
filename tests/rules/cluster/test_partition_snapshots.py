"""Replicas that begin with snapshots of partitions, on a real Kafka: they have what the others have, whatever the store has."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, cast

import pytest
from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from devtools.brokers.kafka import KafkaServers
from services.common.eventlog.whole_streams import WholeStream, whole_streams
from services.common.kafka.copy import LogCopy
from services.common.kafka.copyparts import PartitionOfCopy
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, SNAPSHOTS
from services.common.objectstore.folder import FolderStore
from services.common.objectstore.port import StoreUnavailable
from services.common.partition_snapshots.format import Manifest, manifest_bytes, read_manifest
from services.common.settings.service import Settings
from services.rules.cluster.partition_snapshots import ArchiveFirst, RulesSnapshots
from services.rules.cluster.replica import RulesReplica
from services.rules.kernel.commands import Pass
from services.rules.requests import CommandAccepted, Request
from tests.conftest import REPOSITORY
from tests.rules.cluster.harness import (
    PARTITIONS,
    PLAYERS,
    SECONDS,
    ClusterHarness,
    Table,
    game_in,
    new_table,
    new_topics,
    until_read,
)
from tests.waiting import until

pytestmark = pytest.mark.integration
MOVES = 6


@pytest.fixture
def stocked(own_kafka: KafkaSettings, tmp_path: Path) -> Iterator[tuple[ClusterHarness, list[Table]]]:
    """Two games in each partition, of which the second half came after the last snapshots; nobody writes any now."""
    cluster = ClusterHarness(own_kafka, tmp_path, snapshots=tmp_path / "store")
    owner = cluster.open("a")
    tables = [new_table(cluster.gateway, game_in({number % PARTITIONS})) for number in range(2 * PARTITIONS)]
    play_until_read(owner, tables)
    ends = {number: owner._copy.next_offset(number) for number in range(PARTITIONS)}
    # A copy notes the mark behind a transaction with its next record.
    until(lambda: all(reached(cluster, number) >= end - 1 for number, end in ends.items()))
    owner.stop()
    cluster.snapshots = None
    play_until_read(cluster.open("a"), tables)
    cluster.snapshots = tmp_path / "store"
    yield cluster, tables
    cluster.close()


def play(tables: list[Table]) -> None:
    """Some moves in each game."""
    for table in tables:
        for _ in range(MOVES):
            table.move()


def play_until_read(replica: RulesReplica, tables: list[Table]) -> None:
    """Some moves in each game; they are answered before the replica has read them."""
    play(tables)
    for table in tables:
        until_read(replica, table.game_id, table.sequence)


def manifests(cluster: ClusterHarness) -> list[Path]:
    """The files of all manifests, the newest last."""
    assert cluster.snapshots is not None
    return sorted(path for path in (cluster.snapshots / "manifests").rglob("0*") if path.is_file())


def reached(cluster: ClusterHarness, partition: int) -> int:
    """How far the snapshots of a partition go."""
    name, found = EVENTS.name_in(cluster.kafka), [0]
    for path in manifests(cluster):
        # Its writer deletes old ones meanwhile.
        with suppress(FileNotFoundError):
            each = read_manifest("", path.read_bytes())
            found.append(each.offsets[name] if each.partition == partition else 0)
    return max(found)


def content(replica: RulesReplica | LogCopy) -> list[WholeStream]:
    """All that its copy has, without what is its own."""
    copy = replica if isinstance(replica, LogCopy) else replica._copy
    with copy.log.database.reader() as connection:
        return sorted(whole_streams(connection, lambda _: True), key=lambda each: each.stream)


def copied(registry: CollectorRegistry, kafka: KafkaSettings) -> float:
    """How many commits were read from Kafka."""
    labels = {"topic": EVENTS.name_in(kafka), "result": "appended"}
    return registry.get_sample_value("signalbox_copy_commits_total", labels) or 0.0


def restores(registry: CollectorRegistry, result: str) -> float:
    """How many partitions were, or were not, restored."""
    return registry.get_sample_value("signalbox_partition_restores_total", {"result": result}) or 0.0


def test_a_replica_begins_with_snapshots_and_reads_what_follows(
    stocked: tuple[ClusterHarness, list[Table]],
) -> None:
    """Of each commit it has the bytes that the owner has, and it carries commands out."""
    cluster, tables = stocked
    first = cluster.replicas["a"]
    second = cluster.open("b")
    assert content(second) == content(first)
    assert restores(cluster.registries["b"], "restored") == PARTITIONS
    assert copied(cluster.registries["b"], cluster.kafka) == MOVES * len(tables)
    for table in tables:
        assert second.rules.reader.events(table.game_id) == first.rules.reader.events(table.game_id)
    first.stop()
    until(lambda: len(second.owned) == PARTITIONS)
    for table in tables:
        again = Request(table.game_id, PLAYERS[0], "m0", 5, Pass())
        assert second.rules.execute(again, SECONDS) == CommandAccepted(6, 6, repeated=True)
    play(tables)


def rewritten(change: Callable[[Manifest], Manifest]) -> Callable[[Path], object]:
    """Puts another manifest, with a right digest, in the place of one."""
    return lambda path: path.write_bytes(manifest_bytes(change(read_manifest("", path.read_bytes()))))


WRONG: dict[str, Callable[[Path], object]] = {
    "damaged": lambda path: path.write_bytes(path.read_bytes().replace(b"pieces/", b"pieces-")),
    "brokers set back": rewritten(lambda it: replace(it, last_digest=it.last_digest ^ 1)),
    "past the end": rewritten(
        lambda it: replace(it, offsets={name: offset + 1000 for name, offset in it.offsets.items()})
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_does_not_fit_the_log_is_not_used(
    stocked: tuple[ClusterHarness, list[Table]], wrong: str
) -> None:
    """Everything is read from Kafka."""
    cluster, tables = stocked
    for each in manifests(cluster):
        WRONG[wrong](each)
    second = cluster.open("b")
    assert content(second) == content(cluster.replicas["a"])
    assert restores(cluster.registries["b"], "restored") == 0
    assert restores(cluster.registries["b"], "unusable") >= PARTITIONS
    assert copied(cluster.registries["b"], cluster.kafka) == (1 + 2 * MOVES) * len(tables)


def test_a_replica_begins_although_pieces_are_missing(stocked: tuple[ClusterHarness, list[Table]]) -> None:
    """What was begun is deleted before the partition is read from Kafka."""
    cluster, tables = stocked
    assert cluster.snapshots is not None
    for each in (cluster.snapshots / "pieces").rglob("000000"):
        each.unlink()
    second = cluster.open("b")
    assert content(second) == content(cluster.replicas["a"])
    assert restores(cluster.registries["b"], "failed") == PARTITIONS
    assert copied(cluster.registries["b"], cluster.kafka) == (1 + 2 * MOVES) * len(tables)


def away(*_: object) -> NoReturn:
    """What a store says that does not answer."""
    raise StoreUnavailable("no route to host")


def test_a_replica_begins_without_its_store(
    own_kafka: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And serves, as without a setting."""
    cluster = ClusterHarness(own_kafka, tmp_path, snapshots=tmp_path / "store")
    try:
        cluster.open("a")
        table = new_table(cluster.gateway)
        monkeypatch.setattr(FolderStore, "names", away)
        cluster.open("b")
        until_read(cluster.replicas["b"], table.game_id, table.sequence)
    finally:
        cluster.close()


def test_a_replica_that_was_killed_while_it_restored_begins_again(
    stocked: tuple[ClusterHarness, list[Table]],
) -> None:
    """What it had by half counts for nothing."""
    cluster, tables = stocked
    kafka = cluster.kafka
    arguments = [",".join(kafka.servers), kafka.topic_prefix, "b", str(cluster.folder)]
    environment = {"SIGNALBOX_CRASH_AT": "partition.after-batch:2", "SNAPSHOTS": str(cluster.snapshots)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.rules.cluster.worker", *arguments],
        cwd=REPOSITORY,
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        timeout=SECONDS,
    )
    assert done.returncode == -signal.SIGKILL
    second = cluster.open("b")
    assert content(second) == content(cluster.replicas["a"])
    assert restores(cluster.registries["b"], "restored") >= PARTITIONS - 1
    assert copied(cluster.registries["b"], kafka) <= (1 + 2 * MOVES) * len(tables)


@pytest.mark.parametrize("partitions", [PARTITIONS, PARTITIONS + 1])
def test_another_set_of_topics_has_its_own_snapshots(
    stocked: tuple[ClusterHarness, list[Table]],
    kafka_servers: KafkaServers,
    tmp_path: Path,
    partitions: int,
) -> None:
    """In the same store, as after the topics were made anew or after a move into more partitions."""
    cluster, _ = stocked
    with new_topics(kafka_servers, partitions) as kafka:
        other = ClusterHarness(kafka, tmp_path / "other", snapshots=cluster.snapshots)
        try:
            assert content(other.open("c")) == []
            assert restores(other.registries["c"], "none") == partitions
            table = new_table(other.gateway)
            until_read(other.replicas["c"], table.game_id, table.sequence)
        finally:
            other.close()


def test_a_partition_that_comes_later_is_restored_beside_the_others(
    stocked: tuple[ClusterHarness, list[Table]], tmp_path: Path
) -> None:
    """A copy that is to follow one more: it counts as read when it was restored and read to its end, and no more once it is
    about to be deleted, although it was asked for again just before."""
    cluster, _ = stocked
    registry, kafka = CollectorRegistry(), replace(cluster.kafka, instance="copy")
    settings = Settings(partition_snapshots=f"folder:{cluster.snapshots}")
    source = RulesSnapshots(settings, kafka, registry).source
    copy = LogCopy(
        kafka, EVENTS, tmp_path / "later.db", snapshots=SNAPSHOTS, registry=registry, source=source
    )
    copy.follow([0])
    copy.start()
    try:
        until(lambda: copy.has_read(0))
        assert restores(registry, "restored") == 1
        copy.follow([0, 1, 2])
        assert not copy.has_read(1)
        until(lambda: copy.has_read(1) and copy.has_read(2))
        assert restores(registry, "restored") == PARTITIONS
        assert content(copy) == content(cluster.replicas["a"])
        counted: list[bool] = []

        def ask_again(partitions: Collection[int], topics: Collection[str]) -> None:
            copy.follow([0, 1, 2])
            counted.append(copy.has_read(1) or copy.has_read(2))
            delete(partitions, topics)

        delete, copy._file.drop = copy._file.drop, ask_again  # type: ignore[method-assign]
        copy.follow([0])
        copy.drop([1, 2])
        until(lambda: counted == [False])
        until(lambda: copy.has_read(1) and copy.has_read(2))
        assert restores(registry, "restored") == 2 * PARTITIONS - 1
        assert content(copy) == content(cluster.replicas["a"])
    finally:
        copy.close()


@pytest.mark.parametrize("is_filled", [True, False])
def test_only_what_is_read_from_kafka_waits_for_the_archive(is_filled: bool) -> None:
    """And once: a snapshot says itself which games are there, the list of a million names takes long, and the archive may be
    away."""
    learned: list[bool] = []

    class Source:
        def fill(self, *_: object) -> bool:
            return is_filled

    source = ArchiveFirst(Source(), lambda: learned.append(True))
    for _ in range(2):
        assert source.fill(cast("PartitionOfCopy", None), lambda: True) is is_filled
    assert learned == ([] if is_filled else [True])
