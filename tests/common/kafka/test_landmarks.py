"""A copy recognises the log that it was made from, by the last record of each partition, on a real Kafka."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from confluent_kafka import KafkaError
from prometheus_client import CollectorRegistry

from devtools.brokers.kafka import KafkaServers
from services.common.eventlog.port import NewRecord
from services.common.kafka.clients import new_producer
from services.common.kafka.commits import commit_message, read_commit
from services.common.kafka.copy import LogCopy
from services.common.kafka.copyaside import copies_set_aside
from services.common.kafka.copyfile import Batch, CopyFile
from services.common.kafka.landmarks import Landmark, landmark, lost_landmarks
from services.common.kafka.offsets import ends, identity_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS
from services.common.partitions import partition_of
from services.common.process import threads
from tests.brokers import own_topics
from tests.waiting import until

pytestmark = pytest.mark.integration
SECONDS = 60.0
METRIC = "signalbox_copy_set_aside"


@pytest.fixture
def kafka(kafka_servers: KafkaServers) -> Iterator[KafkaSettings]:
    """A Kafka with the events alone."""
    with own_topics(kafka_servers, topics=[EVENTS]) as kafka:
        yield kafka


class Game:
    """A game whose events are written past all owners."""

    def __init__(self, kafka: KafkaSettings) -> None:
        self.stream = f"game/{uuid4().hex}"
        self.place = EVENTS.name_in(kafka), partition_of(self.stream, EVENTS.partitions(kafka))
        self._kafka = kafka

    def commit(self, sequence: int, payload: bytes) -> bytes:
        """The record of one event."""
        records = [NewRecord("said", 1, payload)]
        return commit_message(self.stream, sequence - 1, records, None, 0, uuid4().hex).SerializeToString()

    def write(self, sequence: int, payload: bytes) -> bytes:
        """Put an event into Kafka; returns the record."""
        value = self.commit(sequence, payload)
        producer = new_producer(self._kafka)
        producer.produce(self.place[0], value, self.stream.encode(), self.place[1])
        assert producer.flush(SECONDS) == 0
        return value

    def read(self, copy: LogCopy) -> list[bytes]:
        """The events as a copy has them."""
        return [record.payload for record in copy.log.read(self.stream)]


def test_a_record_is_recognised_where_it_was(kafka: KafkaSettings) -> None:
    """Another one there, none yet, and one that is further on are not it."""
    game = Game(kafka)
    values = [game.write(number, b"same") for number in (1, 2)]
    place = game.place
    assert lost_landmarks(kafka, {}) == []
    for offset, value in enumerate(values):
        assert lost_landmarks(kafka, {place: landmark(offset, value)}) == []
    for wrong in (landmark(0, values[1]), landmark(2, values[1]), landmark(7, values[1]), Landmark(1, 0)):
        assert lost_landmarks(kafka, {place: wrong}) == [place]


def test_a_copy_of_what_kafka_has_lost_is_set_aside(kafka: KafkaSettings, tmp_path: Path) -> None:
    """Also where the log has grown past its end since then. Nothing else has those records, so the file is kept, and said."""
    game, path = Game(kafka), tmp_path / "copy.db"
    lost = game.commit(1, b"lost")
    file = CopyFile(path, identity_of(kafka, [EVENTS]), {})
    file.write(Batch([read_commit(lost, None)], [], {game.place: 1}, {game.place: landmark(0, lost)}))
    file.close()
    game.write(1, b"one")
    game.write(2, b"two")
    registry = CollectorRegistry()
    copy = LogCopy(kafka, EVENTS, path, registry=registry)
    copy.start()
    assert copy.wait_current(SECONDS)
    assert game.read(copy) == [b"one", b"two"]
    copy.close()
    assert registry.get_sample_value(METRIC, {"topic": EVENTS.name_in(kafka)}) == 1
    (aside,) = copies_set_aside(path)
    kept = CopyFile(aside, identity_of(kafka, [EVENTS]), {game.place: 1})
    assert [record.payload for record in kept.log.read(game.stream)] == [b"lost"]
    kept.close()
    again = LogCopy(kafka, EVENTS, path)
    assert game.read(again) == [b"one", b"two"]
    again.close()


def test_a_running_copy_compares_itself_when_brokers_are_back(
    kafka: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it takes anything over. Where they have lost records its thread ends, and with it the process."""
    monkeypatch.setattr(threads, "_failed", [])
    game = Game(kafka)
    copy = LogCopy(kafka, EVENTS, tmp_path / "copy.db")
    copy.start()
    game.write(1, b"one")
    assert copy.wait_current(SECONDS)
    copy._note_connection(KafkaError(KafkaError._TRANSPORT))
    game.write(2, b"two")
    assert copy.wait_current(SECONDS)
    copy._landmarks[game.place] = Landmark(1, 0)
    copy._note_connection(KafkaError(KafkaError._TRANSPORT))
    game.write(3, b"three")
    until(lambda: not copy.is_following)
    assert len(threads.failed_threads()) == 1
    assert game.read(copy) == [b"one", b"two"]
    assert ends(kafka, [EVENTS])[game.place] == 3
    copy.close()
