"""Backups of a real Kafka: each committed record once, whatever is killed; no point has a fact that refers to a missing one."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from uuid import uuid4

import pytest
from msgspec.structs import replace

from services.backup import reading
from services.backup.backup import BackedUp, Backup, OtherLog
from services.backup.catalogue import SEGMENTS, BackupReplaced, Catalogue, NoPoint
from services.backup.contents import names_in
from services.backup.cut import Cut, NoConsistentPoint, consistent_cut
from services.backup.format import Point, UnusableBackup
from services.backup.run import Run
from services.common.kafka.administration import apply_topics
from services.common.kafka.clients import KafkaUnreachable, new_admin, new_producer
from services.common.kafka.offsets import OffsetReader, ends, identity_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, GAME_STATUSES, LOBBY_EVENTS, TOPICS
from services.common.objectstore.folder import FolderStore
from services.common.partitions import partition_of
from tests.backup.killing import Killed, killing
from tests.backup.records import Writer, command, in_kafka, in_store

pytestmark = pytest.mark.integration

SMALL = 200
WRITING_SECONDS = 4.0
LEAST_POINTS = 5
SOON_SECONDS = 20.0


@contextmanager
def backing_up(kafka: KafkaSettings, store: FolderStore) -> Iterator[Backup]:
    """A process that backs up in small segments."""
    with closing(Backup(kafka, store, segment_bytes=SMALL)) as backup:
        yield backup


def write_some(kafka: KafkaSettings, number: int) -> None:
    """Records of several topics and partitions."""
    writer = Writer(kafka)
    for each in range(10):
        writer.write(EVENTS, f"g{each % 4}", b"%d" % number * 40, [("traceparent", b"x")])
    writer.write(LOBBY_EVENTS, "t1", b"%d" % number)
    writer.write(GAME_STATUSES, "g1", None)


def test_an_end_that_goes_back_leaves_the_next_record_where_it_is(
    kafka: KafkaSettings, store: FolderStore
) -> None:
    """A new leader may report less than was read before: nothing comes into the store twice, and the next run goes on."""
    write_some(kafka, 1)
    with backing_up(kafka, store) as backup:
        before = backup.run().point
    cut = Cut(int(time.time() * 1000), dict.fromkeys(names_in(kafka), 0))
    again = Run(kafka, Catalogue(store), before, SMALL).copy(cut)
    assert (again.partitions, again.records) == (before.partitions, before.records)


@pytest.mark.parametrize(
    ("point", "count"),
    [
        ("backup.after-begin", 1),
        ("backup.before-segment", 2),
        ("backup.after-segment", 1),
        ("backup.before-point", 2),
        ("backup.after-point", 1),
    ],
)
def test_a_killed_backup_goes_on(
    kafka_module: KafkaSettings, store: FolderStore, monkeypatch: pytest.MonkeyPatch, point: str, count: int
) -> None:
    """At each step of the first or a later run: the next process has each record once and in order."""
    killing(monkeypatch, point, count)
    is_killed = False
    for number in range(3):
        write_some(kafka_module, number)
        try:
            with backing_up(kafka_module, store) as backup:
                backup.run()
        except Killed:
            is_killed = True
    assert is_killed
    with backing_up(kafka_module, store) as backup:
        done = backup.run()
    assert in_store(store, done.point) == in_kafka(kafka_module)
    assert len(list(store.names(SEGMENTS))) == done.point.segments


def test_a_process_that_is_killed_for_good_is_replaced(kafka: KafkaSettings, store: FolderStore) -> None:
    """kill -9 of the command, then the command again, once more with nothing new."""
    write_some(kafka, 1)
    command(kafka, "backup", "--store", str(store), crash_at="backup.after-segment")
    ended = command(kafka, "backup", "--store", str(store))
    assert (ended.returncode, ": 12 records, " in ended.stdout) == (0, True), ended
    with backing_up(kafka, store) as backup:
        assert (done := backup.run()).records == 0
    assert in_store(store, done.point) == in_kafka(kafka)
    listed = command(kafka, "restore", "--store", str(store), "--list")
    assert [line.split()[2:4] for line in listed.stdout.splitlines()] == [["12", "records"]] * 3


def test_a_later_process_replaces_an_earlier_one(kafka_module: KafkaSettings, store: FolderStore) -> None:
    """The earlier one can do no harm, even in the midst of a run."""
    write_some(kafka_module, 1)
    with backing_up(kafka_module, store) as earlier, backing_up(kafka_module, store) as later:
        earlier.run()
        write_some(kafka_module, 2)
        later.run()
        with pytest.raises(BackupReplaced, match="another process backs up into folder:"):
            earlier.run()
        write_some(kafka_module, 3)
        done = later.run()
    assert in_store(store, done.point) == in_kafka(kafka_module)


def test_only_committed_records_count(kafka_module: KafkaSettings, store: FolderStore) -> None:
    """What an open transaction has written is waited for; what was aborted is left out."""
    producers = [
        new_producer(kafka_module, **{"transactional.id": uuid4().hex, "transaction.timeout.ms": 60_000})
        for _ in "ab"
    ]
    with backing_up(kafka_module, store) as backup:
        backup.run()
    for producer in producers:
        producer.init_transactions(60)
        producer.begin_transaction()
        producer.produce(
            EVENTS.name_in(kafka_module),
            b"in a transaction",
            b"g1",
            partition_of("g1", EVENTS.partitions(kafka_module)),
        )
        producer.flush(60)
    Writer(kafka_module).write(EVENTS, "g1", b"after it")
    ended: list[BackedUp] = []
    with backing_up(kafka_module, store) as backup:
        running = threading.Thread(target=lambda: ended.append(backup.run()))
        running.start()
        time.sleep(1.0)
        assert running.is_alive()
        producers[0].abort_transaction(60)
        producers[1].commit_transaction(60)
        running.join()
        assert ended[0].records == 2
        assert in_store(store, ended[0].point) == in_kafka(kafka_module)


def test_no_fact_refers_to_a_missing_one(kafka: KafkaSettings, store: FolderStore) -> None:
    """Tables that begin games and games that end in tables' results, written all the time: each point has all that its facts
    rest on, and never a status that its events do not bear."""
    stopping = threading.Event()

    def write_on() -> None:
        number, writer = 0, Writer(kafka)
        while not stopping.is_set():
            number += 1
            name = b"%d" % number
            writer.write(LOBBY_EVENTS, "t", name)
            writer.write(EVENTS, f"g{number}", name)
            writer.write(GAME_STATUSES, f"g{number}", name)
            writer.write(LOBBY_EVENTS, "t", name)

    writing = threading.Thread(target=write_on)
    writing.start()
    points: list[Point] = []
    deadline = time.monotonic() + WRITING_SECONDS
    with backing_up(kafka, store) as backup:
        while time.monotonic() < deadline or len(points) < LEAST_POINTS:
            points.append(backup.run().point)
        stopping.set()
        writing.join()
    for point in points:
        values: dict[str, list[int]] = {topic.name: [] for topic in TOPICS}
        for (topic, _), records in in_store(store, point).items():
            values[topic] += [int(value or 0) for _, _, value, _ in records]
        tables, games = values[LOBBY_EVENTS.name], sorted(values[EVENTS.name])
        begun = len(set(tables))
        ended = len(tables) - begun
        assert games == list(range(1, len(games) + 1))
        assert ended <= len(games) <= begun, point.number
        assert set(values[GAME_STATUSES.name]) <= set(games)
    assert points[-1].segments > 1


def test_a_moment_that_does_not_come_is_not_waited_for_without_end(kafka_module: KafkaSettings) -> None:
    """Topics around the games that get records at each try."""

    writer = Writer(kafka_module)

    class Busy(OffsetReader):
        def ends(self, topics):  # type: ignore[no-untyped-def]
            if LOBBY_EVENTS in topics:
                writer.write(LOBBY_EVENTS, "t", b"")
            return super().ends(topics)

    with closing(Busy(kafka_module)) as reader, pytest.raises(NoConsistentPoint, match=r"lobby\.events"):
        consistent_cut(reader, trying_seconds=0.5)


def test_what_follows_from_games_is_never_ahead_of_them(kafka_module: KafkaSettings) -> None:
    """A game that moves just after the ends of the games were read: neither its event nor its status is in the point."""
    writer = Writer(kafka_module)

    class Moving(OffsetReader):
        def ends(self, topics):  # type: ignore[no-untyped-def]
            found = super().ends(topics)
            if EVENTS in topics:
                writer.write(EVENTS, "g1", b"moved")
                writer.write(GAME_STATUSES, "g1", b"moved")
            return found

    with closing(Moving(kafka_module)) as reader:
        before = reader.committed_ends([EVENTS, GAME_STATUSES])
        cut = consistent_cut(reader)
    assert {name: end for name, end in cut.ends.items() if name in before} == before


def recreated(kafka: KafkaSettings) -> None:
    """Delete all topics and create them again; all partitions of the new ones have leaders."""
    before = identity_of(kafka, TOPICS)
    admin = new_admin(kafka)
    admin.delete_topics([topic.name_in(kafka) for topic in TOPICS])
    admin.close()
    deadline = time.monotonic() + 60
    while True:
        assert time.monotonic() < deadline
        with suppress(Exception):
            apply_topics(kafka)
            if identity_of(kafka, TOPICS) != before and ends(kafka, TOPICS):
                return
        time.sleep(0.5)


def test_topics_that_were_created_anew_need_another_store(kafka: KafkaSettings, store: FolderStore) -> None:
    """What was backed up stays as it was."""
    write_some(kafka, 1)
    with backing_up(kafka, store) as backup:
        done = backup.run()
    before = in_store(store, done.point)
    recreated(kafka)
    write_some(kafka, 2)
    with (
        backing_up(kafka, store) as backup,
        pytest.raises(OtherLog, match="of other topics; back up into another place"),
    ):
        backup.run()
    assert in_store(store, Catalogue(store).newest_consistent()) == before


def test_records_that_kafka_has_lost_are_not_mixed_with_later_ones(
    kafka_module: KafkaSettings, store: FolderStore
) -> None:
    """Brokers put back to an earlier state: they end before the backup does, or have another record where it ends."""
    write_some(kafka_module, 1)
    with backing_up(kafka_module, store) as backup:
        done = backup.run()
    partition = partition_of("g1", EVENTS.partitions(kafka_module))
    for change in ({"next": 1000}, {"last_digest": 1}):
        partitions = [
            replace(each, **change) if (each.topic, each.partition) == (EVENTS.name, partition) else each
            for each in done.point.partitions
        ]
        number = Catalogue(store).point_numbers()[-1] + 1
        Catalogue(store).add_point(replace(done.point, number=number, partitions=partitions))
        with (
            backing_up(kafka_module, store) as backup,
            pytest.raises(OtherLog, match=rf"rules\.events {partition},"),
        ):
            backup.run()


def test_a_damaged_backup_is_refused(kafka_module: KafkaSettings, store: FolderStore) -> None:
    """A segment that was changed, one that is gone, a point that is none."""
    write_some(kafka_module, 1)
    with backing_up(kafka_module, store) as backup:
        point = backup.run().point
    name = next(store.names(SEGMENTS))
    whole = store.get(name)
    store.delete(name)
    with pytest.raises(UnusableBackup, match="some are missing"):
        in_store(store, point)
    store.put(name, whole[:-1])
    with pytest.raises(UnusableBackup, match="was changed"):
        in_store(store, point)
    store.put("points/000000000099", b"{}")
    with pytest.raises(UnusableBackup, match="no point"):
        Catalogue(store).newest_consistent()
    with pytest.raises(NoPoint):
        Catalogue(FolderStore(store._folder / "other")).newest_consistent()


def test_a_kafka_that_is_gone_is_not_waited_for_without_end(
    kafka_module: KafkaSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while the client says again and again that it finds no broker."""
    monkeypatch.setattr(reading, "STILL_SECONDS", 2.0)
    away = replace(kafka_module, servers=("127.0.0.1:1",))
    began = time.monotonic()
    with pytest.raises(KafkaUnreachable, match=r"no record in 2 s"):
        list(reading.read_between(away, {}, {(EVENTS.name_in(away), 0): 1}))
    assert time.monotonic() - began < SOON_SECONDS
