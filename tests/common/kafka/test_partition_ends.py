"""Asking again and again where a partition ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from confluent_kafka import OFFSET_INVALID, Consumer, KafkaError, KafkaException

from devtools.brokers.kafka import KafkaServers
from services.common.kafka import partition_ends
from services.common.kafka.clients import KafkaUnreachable, new_consumer, new_producer
from services.common.kafka.partition_ends import PartitionEnds
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import LOBBY_EVENTS
from tests.brokers import own_topics

SECONDS = 60.0


class KnowsOldLeaders:
    """A consumer that has heard of no leader and does not ask again."""

    def get_watermark_offsets(self, *_: object) -> None:
        raise KafkaException(KafkaError(KafkaError._UNKNOWN_PARTITION))

    def close(self) -> None:
        return


@pytest.fixture
def kafka(kafka_servers: KafkaServers) -> Iterator[KafkaSettings]:
    """A Kafka with one topic."""
    with own_topics(kafka_servers, topics=(LOBBY_EVENTS,)) as settings:
        yield settings


@pytest.mark.integration
def test_after_a_failure_another_client_asks(kafka: KafkaSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """One whose knowledge of leaders is old is not asked for ever; `close` may be called again."""
    made: list[Consumer | KnowsOldLeaders] = []

    def first_old(settings: KafkaSettings, group: str, **options: Any) -> Consumer | KnowsOldLeaders:
        made.append(new_consumer(settings, group, **options) if made else KnowsOldLeaders())
        return made[-1]

    monkeypatch.setattr(partition_ends, "new_consumer", first_old)
    producer = new_producer(kafka)
    producer.produce(LOBBY_EVENTS.name_in(kafka), b"x", b"k", 0)
    assert producer.flush(SECONDS) == 0
    asked = PartitionEnds(kafka, LOBBY_EVENTS, "test")
    with pytest.raises(KafkaUnreachable, match=r"lobby\.events partition 0"):
        asked.of(0, SECONDS)
    assert [asked.of(0, SECONDS) for _ in range(2)] == [1, 1]
    assert len(made) == 2
    asked.close()
    asked.close()


def test_a_kafka_that_is_away_is_named() -> None:
    """Within the time given."""
    asked = PartitionEnds(KafkaSettings(servers=("127.0.0.1:9",), instance="test"), LOBBY_EVENTS, "test")
    with pytest.raises(KafkaUnreachable, match=r"lobby\.events partition 0"):
        asked.of(0, 0.3)
    asked.close()


class Unreached:
    """A consumer of a Kafka that is away: it says so when the time given is over."""

    def get_watermark_offsets(self, _: object, seconds: float) -> None:
        time.sleep(seconds)
        raise KafkaException(KafkaError(KafkaError._TRANSPORT))

    def close(self) -> None:
        return


def test_nobody_waits_longer_for_having_to_wait_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many callers of a Kafka that is down all get the error within their own time, not one after another."""
    monkeypatch.setattr(partition_ends, "new_consumer", lambda *_, **__: Unreached())
    asked = PartitionEnds(KafkaSettings(servers=("127.0.0.1:9",), instance="test"), LOBBY_EVENTS, "test")
    callers, seconds = 100, 2.0
    together = threading.Barrier(callers)

    def ask(_: int) -> None:
        together.wait()
        with pytest.raises(KafkaUnreachable, match=r"lobby\.events partition 0"):
            asked.of(0, seconds)

    began = time.monotonic()
    with ThreadPoolExecutor(callers) as pool:
        list(pool.map(ask, range(callers)))
    assert time.monotonic() - began < callers * seconds / 4
    asked.close()


class NamesNoEnd:
    """A consumer whose answer says nothing."""

    def get_watermark_offsets(self, *_: object) -> tuple[int, int]:
        return OFFSET_INVALID, OFFSET_INVALID

    def close(self) -> None:
        return


def test_an_answer_that_names_no_end_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Taken for an end, it would say that the copy of the client that asks is up to date."""
    monkeypatch.setattr(partition_ends, "new_consumer", lambda *_, **__: NamesNoEnd())
    asked = PartitionEnds(KafkaSettings(servers=("127.0.0.1:9",), instance="test"), LOBBY_EVENTS, "test")
    with pytest.raises(KafkaUnreachable, match=r"lobby\.events partition 0"):
        asked.of(0, SECONDS)
    asked.close()
