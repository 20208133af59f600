"""A backup of a platform on a real Kafka, restored into an empty one."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from confluent_kafka import TopicPartition
from msgspec.structs import replace

from services.audit.kafka_check import check_kafka
from services.backup.backup import Backup
from services.backup.contents import DERIVED, TOPICS
from services.backup.cut import Cut
from services.backup.restore import OtherPartitions, restore
from services.backup.target import NotEmpty
from services.common.kafka.clients import new_admin, new_consumer
from services.common.kafka.offsets import committed_ends
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS, FACTS, GAME_STATUSES, LEDGER_EVENTS, LOBBY_EVENTS
from services.common.objectstore.folder import FolderStore
from tests.backup.conftest import with_platform
from tests.backup.records import Writer, command, in_kafka, in_store

pytestmark = pytest.mark.integration

SMALL = 2_000


def back_up(kafka: KafkaSettings, store: FolderStore) -> int:
    """One run; the number of its point."""
    with closing(Backup(kafka, store, segment_bytes=SMALL)) as backup:
        return backup.run().point.number


def findings(kafka: KafkaSettings) -> list[tuple[str, str]]:
    """What the checker finds on a platform of three games."""
    report = check_kafka(kafka)
    assert (report.titles["1824"].games, report.titles["1824"].statuses) == (3, 3)
    return [(each.kind, each.stream) for each in report.findings]


@pytest.fixture(scope="module")
def platform_module(platform_file: Path, kafka_module: KafkaSettings) -> KafkaSettings:
    """A Kafka with the platform, which nobody changes."""
    return with_platform(platform_file, kafka_module)


@pytest.fixture(scope="module")
def store_module(platform_module: KafkaSettings, tmp_path_factory: pytest.TempPathFactory) -> FolderStore:
    """A store with its backup."""
    store = FolderStore(tmp_path_factory.mktemp("store"))
    back_up(platform_module, store)
    return store


def test_everything_comes_back(
    platform: KafkaSettings, target: KafkaSettings, store: FolderStore, tmp_path: Path
) -> None:
    """Facts record by record in their order, the newest of what is derived; the checker finds what it found before."""
    backup = Backup(platform, store, segment_bytes=SMALL)
    done = backup.run()
    backup.close()
    assert done.point.segments > 3
    there = in_kafka(platform)
    assert in_store(store, done.point) == there
    restored = restore(target, store)
    assert (restored.point, restored.brought.games, restored.brought.statuses_computed) == (done.point, 3, 0)
    assert in_kafka(target, FACTS) == in_kafka(platform, FACTS)
    for source, records in in_kafka(target, DERIVED).items():
        assert records == list({record[1]: record for record in there[source]}.values())
    assert findings(target) == findings(platform) == [("hold", "g2")]


def test_statuses_that_are_behind_are_computed(
    platform: KafkaSettings, target: KafkaSettings, store: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of games that moved while the ends were read: one has an older status in the backup, one none at all."""
    there = {
        # The last status of a partition, and the marker of its transaction.
        name: max(end - 2, 0) if name[0] == GAME_STATUSES.name_in(platform) else end
        for name, end in committed_ends(platform, TOPICS).items()
    }
    monkeypatch.setattr("services.backup.backup.consistent_cut", lambda _reader: Cut(1, there))
    back_up(platform, store)
    assert restore(target, store).brought.statuses_computed > 0
    assert findings(target) == [("hold", "g2")]
    newest = {
        record[1]: record[2] for records in in_kafka(platform, [GAME_STATUSES]).values() for record in records
    }
    assert {
        record[1]: record[2] for records in in_kafka(target, [GAME_STATUSES]).values() for record in records
    } == newest


@pytest.mark.parametrize("point", ["restore.before-write:30", "restore.after-facts", "restore.after-derived"])
def test_a_killed_restore_goes_on(
    platform_module: KafkaSettings, store_module: FolderStore, target: KafkaSettings, point: str
) -> None:
    """kill -9: every record is there once, whatever the first run had written."""
    command(target, "restore", "--store", str(store_module), crash_at=point)
    restore(target, store_module)
    assert in_kafka(target, FACTS) == in_kafka(platform_module, FACTS)
    restore(target, store_module)
    assert findings(target) == [("hold", "g2")]


def test_nothing_is_written_over_another_platform(
    platform_module: KafkaSettings, store_module: FolderStore, target: KafkaSettings
) -> None:
    """Other records, commands that wait, groups that services left, services that run, another number of partitions."""
    writer = Writer(target)
    consumer = new_consumer(target, "rules.owner")
    consumer.commit(offsets=[TopicPartition(COMMANDS.name_in(target), 0, 5)], asynchronous=False)
    consumer.close()
    with pytest.raises(NotEmpty, match=r"consumer group .*rules\.owner"):
        restore(target, store_module)
    new_admin(target).delete_groups([f"{target.topic_prefix}rules.owner"])
    with pytest.raises(OtherPartitions, match=r"rules\.events had 3 partitions, the settings say 4"):
        restore(replace(target, partitions=4), store_module)
    writer.write(LEDGER_EVENTS, "g9", b"other")
    with pytest.raises(NotEmpty, match=r"ledger\.events, partition \d, has other records than the backup"):
        restore(target, store_module)
    writer.write(COMMANDS, "g9", b"a command")
    with pytest.raises(NotEmpty, match=r"topic .*rules\.commands has records"):
        restore(target, store_module)
    assert in_kafka(target, [GAME_STATUSES, LOBBY_EVENTS]) == {}


def test_an_earlier_point_can_be_restored(
    platform: KafkaSettings, target: KafkaSettings, store: FolderStore
) -> None:
    """By its number, as from before a mistake; by the command, which says what it did."""
    number = back_up(platform, store)
    before = in_kafka(platform, FACTS)
    Writer(platform).write(LEDGER_EVENTS, "g1", b"a mistake")
    assert back_up(platform, store) > number
    ended = command(target, "restore", "--store", str(store), "--point", str(number))
    assert (ended.returncode, f"point {number}, " in ended.stdout, " of 3 games" in ended.stdout) == (
        0,
        True,
        True,
    ), ended
    assert in_kafka(target, FACTS) == before
    missing = command(target, "restore", "--store", str(store), "--point", "77")
    assert (missing.returncode, missing.stderr.startswith("signalbox restore: ")) == (1, True), missing
