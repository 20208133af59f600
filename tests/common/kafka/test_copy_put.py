"""A copy that is given commits by their writer before it reads them, on a real Kafka."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from confluent_kafka import Consumer
from prometheus_client import CollectorRegistry

from devtools.brokers.kafka import KafkaServers
from services.common.eventlog.port import Appended, NewRecord, RequestRecord
from services.common.kafka.clients import new_producer
from services.common.kafka.commits import commit_message
from services.common.kafka.copy import LogCopy
from services.common.kafka.copybatch import Applied
from services.common.kafka.copyfile import OFFSETS, CopyFile
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS
from services.common.kafka.written import WrittenCommit
from services.common.partitions import partition_of
from services.gen.signalbox.log.v1 import log_pb2 as pb
from tests.brokers import own_topics
from tests.waiting import until

pytestmark = pytest.mark.integration
SECONDS = 60.0
STREAM = "game/g"
TABLES = ("stream", "record", "request", "consumer")


@pytest.fixture
def kafka(kafka_servers: KafkaServers) -> Iterator[KafkaSettings]:
    """A Kafka with the events alone."""
    with own_topics(kafka_servers, topics=[EVENTS]) as kafka:
        yield kafka


class Writer:
    """Writes events of one game in transactions, and knows where they are."""

    def __init__(self, kafka: KafkaSettings) -> None:
        self._topic = EVENTS.name_in(kafka)
        self.partition = partition_of("g", EVENTS.partitions(kafka))
        self._producer = new_producer(kafka, **{"transactional.id": uuid4().hex})
        self._producer.init_transactions(SECONDS)
        self._sequence = 0

    def write(self, count: int = 1, is_committed: bool = True) -> list[WrittenCommit]:
        """One transaction of so many commits."""
        written: list[WrittenCommit] = []
        self._producer.begin_transaction()
        for sequence in range(self._sequence + 1, self._sequence + count + 1):
            name = uuid4().hex
            records, request = [NewRecord("said", 1, name.encode())], RequestRecord(name, "ann", b"h", b"o")
            commit = commit_message(STREAM, sequence - 1, records, request, 1, name)
            value = commit.SerializeToString()

            def delivered(_: object, message: Any, commit: pb.Commit = commit, value: bytes = value) -> None:
                written.append(WrittenCommit(commit, value, self.partition, message.offset()))

            self._producer.produce(self._topic, value, b"g", self.partition, on_delivery=delivered)
        if is_committed:
            self._producer.commit_transaction(SECONDS)
            self._sequence += count
        else:
            self._producer.flush(SECONDS)
            self._producer.abort_transaction(SECONDS)
        assert len(written) == count
        return written


class HeldBack:
    """A copy that reads nothing as long as it is held back."""

    def __init__(self, kafka: KafkaSettings, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.may_read = threading.Event()
        self.registry = CollectorRegistry()
        self.copy = LogCopy(kafka, EVENTS, path, registry=self.registry)
        self.heard: list[Applied] = []
        self.copy.listen(self.heard.append)
        copy_next = self.copy._copy_next

        def wait_and_copy(consumer: Consumer) -> None:
            if self.may_read.wait(0.05):
                copy_next(consumer)

        monkeypatch.setattr(self.copy, "_copy_next", wait_and_copy)
        self.copy.start()

    def sequences(self) -> list[int]:
        """The events that it has."""
        return [record.sequence for record in self.copy.log.read(STREAM)]

    def read(self) -> None:
        """Let it read to the end."""
        self.may_read.set()
        assert self.copy.wait_current(SECONDS)


@pytest.fixture
def held(kafka: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HeldBack]:
    """A copy that is held back."""
    held = HeldBack(kafka, tmp_path / "held.db", monkeypatch)
    yield held
    held.may_read.set()
    held.copy.close()


def content(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Everything in the file of a copy, but whether the marks behind the last records are noted already."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM consumer WHERE name LIKE ?", (f"{OFFSETS}%",))
        return {name: sorted(connection.execute(f"SELECT * FROM {name}")) for name in TABLES}


def test_what_was_put_is_there_at_once_and_what_is_read_later_is_passed_over(
    kafka: KafkaSettings, held: HeldBack, tmp_path: Path
) -> None:
    """Listeners hear of each commit once. In the end the file is as that of a copy that has read everything."""
    writer = Writer(kafka)
    for count, expected in ((1, 1), (3, 4), (1, 5)):
        held.copy.put(writer.write(count))
        assert held.sequences() == list(range(1, expected + 1))
    assert [(each.result, each.was_read) for each in held.heard] == [
        (Appended(number, number, 1), False) for number in range(1, 6)
    ]
    held.read()
    other = LogCopy(kafka, EVENTS, tmp_path / "other.db")
    other.start()
    assert other.wait_current(SECONDS)
    other.close()
    held.copy.close()
    assert len(held.heard) == 5
    assert content(tmp_path / "held.db") == content(tmp_path / "other.db")


def test_a_copy_that_was_given_commits_goes_on_after_a_restart(
    kafka: KafkaSettings, held: HeldBack, tmp_path: Path
) -> None:
    """Its offsets and its landmarks are those of what it has: it is the copy of this log."""
    writer = Writer(kafka)
    held.copy.put(writer.write(2))
    held.copy.close()
    writer.write()
    again = LogCopy(kafka, EVENTS, tmp_path / "held.db", registry=(registry := CollectorRegistry()))
    assert [record.sequence for record in again.log.read(STREAM)] == [1, 2]
    again.start()
    assert again.wait_current(SECONDS)
    assert [record.sequence for record in again.log.read(STREAM)] == [1, 2, 3]
    again.close()
    assert registry.get_sample_value("signalbox_copy_set_aside", {"topic": EVENTS.name_in(kafka)}) == 0


def test_what_does_not_follow_is_read_in_its_order(kafka: KafkaSettings, held: HeldBack) -> None:
    """A commit before it is not here yet, so the ones after it wait."""
    writer = Writer(kafka)
    writer.write()
    later = [writer.write(), writer.write()]
    for each in later:
        held.copy.put(each)
    assert held.sequences() == []
    held.read()
    assert held.sequences() == [1, 2, 3]
    assert all(each.was_read and isinstance(each.result, Appended) for each in held.heard)
    held.copy.put(writer.write())
    assert held.sequences() == [1, 2, 3, 4]
    assert len(held.heard) == 4


def test_behind_an_aborted_transaction_is_read(kafka: KafkaSettings, held: HeldBack) -> None:
    """Nobody knows here what lies between; what was aborted is never shown."""
    writer = Writer(kafka)
    held.copy.put(writer.write())
    writer.write(is_committed=False)
    held.copy.put(writer.write())
    assert held.sequences() == [1]
    held.read()
    assert held.sequences() == [1, 2]


def test_partitions_that_are_not_followed_are_not_put(kafka: KafkaSettings, held: HeldBack) -> None:
    """Their games belong to other replicas."""
    writer = Writer(kafka)
    others = frozenset(range(EVENTS.partitions(kafka))) - {writer.partition}
    held.copy.follow(others)
    held.may_read.set()
    until(lambda: writer.partition not in held.copy._offsets_in(EVENTS.name_in(kafka)))
    held.copy.put(writer.write())
    assert held.sequences() == []
    assert held.heard == []


def test_what_cannot_be_put_is_read(
    kafka: KafkaSettings, held: HeldBack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full for a moment: its writer goes on, since it is committed."""
    write, problems = CopyFile.write, [sqlite3.OperationalError("disk is full")]

    def sometimes(file: CopyFile, batch: Any) -> Sequence[Any]:
        if problems:
            raise problems.pop()
        return write(file, batch)

    monkeypatch.setattr(CopyFile, "write", sometimes)
    writer = Writer(kafka)
    held.copy.put(writer.write())
    assert held.sequences() == []
    held.copy.put(writer.write())
    assert held.sequences() == []
    held.read()
    assert held.sequences() == [1, 2]
    held.copy.close()
    held.copy.put(writer.write())


def test_a_writer_waits_for_no_batch_that_is_being_copied(kafka: KafkaSettings, held: HeldBack) -> None:
    """Of other partitions, for example, that are read from their beginning. What it would have put is read."""
    writer = Writer(kafka)
    with held.copy._taking:
        held.copy.put(writer.write())
    assert held.sequences() == []
    held.read()
    assert held.sequences() == [1]
