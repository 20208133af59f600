"""What `python -m tests.bench.serving` measures with a million games, with some: a replica of rules with an empty volume answers
for all of them, and what was made is what a platform would have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from devtools.brokers.kafka import KafkaServers
from services.common.eventlog.whole_streams import WholeStream, whole_streams
from services.common.kafka.copy import LogCopy
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, SNAPSHOTS
from services.common.objectstore.folder import FolderStore
from services.common.partition_snapshots.restoring import SnapshotSource
from services.common.partition_snapshots.store import PartitionSnapshots
from services.common.redis.settings import RedisSettings
from services.common.settings.service import Settings
from services.rules.archive.opening import RulesArchive
from tests.bench.making import ARCHIVE, STORE, TOPICS, Made, log_of, make
from tests.bench.serving import OneReplica
from tests.brokers import own_topics

pytestmark = pytest.mark.integration
FINISHED, LIVE, SAMPLE, SECONDS = 200, 50, 40, 300.0


@pytest.fixture(scope="module")
def stocked(
    kafka_servers: KafkaServers, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, KafkaSettings, Made]]:
    """Some games, and where they are."""
    folder = tmp_path_factory.mktemp("made")
    with own_topics(kafka_servers) as kafka:
        yield folder, kafka, make(folder, kafka, FINISHED, LIVE)


def test_a_replica_serves_all_of_them_from_nothing(
    stocked: tuple[Path, KafkaSettings, Made], redis_address: str, redis_prefix: str, tmp_path: Path
) -> None:
    """Its health check, a read of a game in play and of one in the archive, a command; games as they were; and once more with
    its file."""
    folder, kafka, made = stocked
    redis = RedisSettings(address=redis_address, key_prefix=redis_prefix)
    replica = OneReplica(tmp_path, f"folder:{folder}", made, kafka, redis)
    try:
        first = replica.start()
        assert 0 < first.serving < first.answered
        assert first.restored > 0 and first.file > 0
        assert replica.check_samples(SAMPLE) == 2 * SAMPLE
        replica.stop()
        assert replica.start().restored == 0
    finally:
        replica.stop()


def test_what_was_made_is_what_an_owner_would_have(
    stocked: tuple[Path, KafkaSettings, Made], tmp_path: Path
) -> None:
    """Restored from the snapshots, a copy has what another has that knows the archive and read all of Kafka; but for the states,
    which are in no topic here."""
    folder, kafka, _ = stocked
    store = PartitionSnapshots(FolderStore(folder / STORE), log_of(kafka))
    registry = CollectorRegistry()
    source = SnapshotSource(kafka, TOPICS, store, registry)
    restored = copied(LogCopy(kafka, EVENTS, tmp_path / "restored.db", snapshots=SNAPSHOTS, source=source))
    count = registry.get_sample_value("signalbox_partition_restores_total", {"result": "restored"})
    assert count == kafka.partitions
    read = LogCopy(kafka, EVENTS, tmp_path / "read.db", snapshots=SNAPSHOTS)
    archive = RulesArchive(Settings(archive=f"folder:{folder / ARCHIVE}"), read.log, CollectorRegistry())
    assert archive.archiver.learn() == FINISHED
    assert copied(read) == [replace(each, snapshot=None) for each in restored]
    archive.close()


def copied(copy: LogCopy) -> list[WholeStream]:
    """All that a copy has once it has everything."""
    copy.start()
    try:
        assert copy.wait_current(SECONDS)
        with copy.log.database.reader() as connection:
            return sorted(whole_streams(connection, lambda _: True), key=lambda each: each.stream)
    finally:
        copy.close()
