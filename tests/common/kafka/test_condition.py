"""What is seen of Kafka itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pytest
from kafka import KafkaAdminClient
from kafka.errors import ClusterAuthorizationFailedError, KafkaTimeoutError
from prometheus_client import CollectorRegistry

from services.common.kafka.clients import new_producer
from services.common.kafka.condition import LEADERLESS, Controllers, DiskRoom, KafkaObserver, kafka_state
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS
from tests.waiting import until

SECONDS = 60.0
THREE_COPIES = KafkaSettings(servers=("127.0.0.1:9",), topic_prefix="p.", replication=3)


def partition(leader: int, *in_step: int) -> dict[str, Any]:
    """A partition of three copies."""
    return {"leader_id": leader, "replica_nodes": [1, 2, 3], "isr_nodes": list(in_step)}


class Answers:
    """An administrator's client with the answers of three brokers."""

    def __init__(self, leader_id: int = 11, refusal: Exception | None = None) -> None:
        self._leader_id, self._refusal = leader_id, refusal

    def describe_metadata_quorum(self) -> dict[str, Any]:
        """Of four controllers one has been silent for a minute, and one has not asked since the leader leads."""
        if self._refusal is not None:
            raise self._refusal
        asked = {11: 1_000_000, 12: 999_900, 13: 940_000, 14: -1}
        voters = [{"replica_id": voter, "last_fetch_timestamp": time_ms} for voter, time_ms in asked.items()]
        return {"topics": [{"partitions": [{"leader_id": self._leader_id, "current_voters": voters}]}]}

    def describe_topics(self) -> list[Any]:
        """One partition is whole, one has lost a copy, one has too few, one has no leader."""
        healthy, lagging = partition(1, 1, 2, 3), partition(1, 1, 2)
        alone, lost = partition(2, 2), partition(-1, 3)
        return [{"partitions": [healthy, lagging]}, {"partitions": [alone, lost]}]

    def describe_log_dirs(self) -> list[Any]:
        """The third is too old to know its disk."""

        def sized(size: int) -> list[Any]:
            return [
                {"name": "p.rules.events", "partitions": [{"partition_size": size}, {"partition_size": 1}]}
            ]

        whole = {"total_bytes": 100, "usable_bytes": 40}
        return [
            {"broker": 1, "log_dirs": [{"topics": sized(10), **whole}, {"topics": [], **whole}]},
            {"broker": 2, "log_dirs": [{"topics": sized(9), "total_bytes": 50, "usable_bytes": 5}]},
            {"broker": 3, "log_dirs": [{"topics": [], "total_bytes": -1, "usable_bytes": -1}]},
        ]


def test_what_is_out_of_step_cannot_be_written_or_has_no_room() -> None:
    """Counted over all topics; of a broker with two disks both count."""
    state = kafka_state(cast(KafkaAdminClient, Answers()), THREE_COPIES)
    assert (state.partitions, state.out_of_step, state.unwritable) == (4, 3, 2)
    assert state.disks == {1: DiskRoom(200, 80), 2: DiskRoom(50, 5)}
    assert state.topic_bytes == {"rules.events": 21}


def test_controllers_that_do_not_follow_are_silent() -> None:
    """All of them without a leader. Where Kafka does not say, nothing is known, and all else is."""

    def controllers(answers: Answers) -> Controllers | None:
        return kafka_state(cast(KafkaAdminClient, answers), THREE_COPIES).controllers

    assert controllers(Answers()) == Controllers(4, 2)
    assert controllers(Answers(leader_id=-1)) == Controllers(4, 4)
    assert controllers(Answers(refusal=KafkaTimeoutError())) == LEADERLESS
    assert controllers(Answers(refusal=ClusterAuthorizationFailedError())) is None


@pytest.mark.integration
def test_a_real_kafka_is_observed(kafka: KafkaSettings) -> None:
    """All partitions, the disk of the broker, and a topic that grows."""
    registry = CollectorRegistry()
    observer = KafkaObserver(kafka, registry, look_seconds=0.2)

    def value(name: str, labels: Mapping[str, str]) -> float:
        return registry.get_sample_value(name, dict(labels)) or 0.0

    def size() -> float:
        return value("signalbox_kafka_topic_bytes", {"topic": EVENTS.name})

    observer.start()
    try:
        until(lambda: value("signalbox_kafka_partitions", {"state": "all"}) >= kafka.partitions)
        assert value("signalbox_kafka_partitions", {"state": "unwritable"}) == 0
        assert value("signalbox_kafka_controllers", {"state": "all"}) == 1
        assert value("signalbox_kafka_controllers", {"state": "silent"}) == 0
        before = size()
        producer = new_producer(kafka)
        producer.produce(EVENTS.name_in(kafka), b"x" * 5000, b"g", 0)
        assert producer.flush(SECONDS) == 0
        until(lambda: size() > before)
        found = [
            (sample.labels["broker"], sample.value)
            for metric in registry.collect()
            for sample in metric.samples
            if sample.name == "signalbox_kafka_disk_free_bytes"
        ]
        assert found and all(free > 0 for _, free in found)
        for broker, free in found:
            assert free <= value("signalbox_kafka_disk_bytes", {"broker": broker})
        assert value("signalbox_kafka_unknown_seconds", {}) < SECONDS
    finally:
        observer.close()
