"""Readers that stand still are found by what a real Kafka says about its topics."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pytest
from confluent_kafka import TopicPartition
from prometheus_client import CollectorRegistry

from services.common.kafka import offsets
from services.common.kafka.clients import new_consumer, new_producer
from services.common.kafka.progress import GroupReader, KafkaProgress, OwnReader, ProgressTiming
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS, EVENTS
from services.common.process.progress import Loop

pytestmark = pytest.mark.integration
SECONDS = 60.0
TIMING = ProgressTiming(look_seconds=0.2, stalled_seconds=1.0)
# Longer than a reader may stand still.
LONG_ENOUGH_SECONDS = 2 * TIMING.stalled_seconds
GROUP = "readers"


@dataclass
class Watching:
    """Progress of one reader, the figures that operators see of it, and when each look at it began."""

    progress: KafkaProgress
    registry: CollectorRegistry
    looks: list[float]

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait for what later looks bring about."""
        end = time.monotonic() + SECONDS
        while not holds():
            assert time.monotonic() < end, f"it did not come about in {len(self.looks)} looks"
            time.sleep(0.02)

    def stalled(self) -> str:
        """What is said to stand still, as soon as anything is."""
        self.until(lambda: bool(self.progress.stalled()))
        return self.progress.stalled()

    def until_well(self, holds: Callable[[], bool]) -> None:
        """Wait for this; nothing may count as stalled meanwhile."""

        def holds_and_well() -> bool:
            is_so = holds()
            assert self.progress.stalled() == ""
            return is_so

        self.until(holds_and_well)

    def stays_well(self) -> None:
        """Nothing counts as stalled in looks that lie so far apart that a reader which stands still would.

        When the second look begins the first has ended, and when the last begins the one before it has."""
        self.until_well(lambda: len(self.looks) > 2 and self.looks[-2] - self.looks[1] > LONG_ENOUGH_SECONDS)

    def figure(self, name: str, labels: Mapping[str, str] | None = None) -> float:
        """A metric."""
        return self.registry.get_sample_value(name, dict(labels or {})) or 0.0

    def stalled_seconds(self, reader: str) -> float:
        """The metric of how long this reader has stood still; it is set shortly after what `stalled` says."""
        return self.figure("signalbox_stalled_seconds", {"reader": reader})


@contextmanager
def watching(kafka: KafkaSettings, reader: OwnReader | GroupReader) -> Iterator[Watching]:
    """Progress of this reader."""
    registry = CollectorRegistry()
    looks: list[float] = []

    def is_waiting() -> bool:
        """Asked once in every look."""
        looks.append(time.monotonic())
        return reader.is_waiting()

    noted = replace(reader, is_waiting=is_waiting)
    progress = KafkaProgress(kafka, [noted], registry, timing=TIMING)
    progress.start()
    try:
        yield Watching(progress, registry, looks)
    finally:
        progress.close()


def write(kafka: KafkaSettings, partition: int, count: int = 1) -> None:
    """So many commands."""
    producer = new_producer(kafka)
    for _ in range(count):
        producer.produce(COMMANDS.name_in(kafka), b"command", b"game", partition)
    assert producer.flush(SECONDS) == 0


def write_events(kafka: KafkaSettings, is_aborted: bool = False) -> None:
    """One event, written in a transaction: a marker stands behind it."""
    producer = new_producer(kafka, **{"transactional.id": kafka.topic_prefix + "writer"})
    producer.init_transactions(SECONDS)
    producer.begin_transaction()
    producer.produce(EVENTS.name_in(kafka), b"event", b"game", 0)
    if is_aborted:
        producer.flush(SECONDS)
        producer.abort_transaction(SECONDS)
    else:
        producer.commit_transaction(SECONDS)


def commit(kafka: KafkaSettings, group: str, partition: int, offset: int, topic: str = "") -> None:
    """The group has done everything below this offset."""
    consumer = new_consumer(kafka, group)
    name = topic or COMMANDS.name_in(kafka)
    consumer.commit(offsets=[TopicPartition(name, partition, offset)], asynchronous=False)
    consumer.close()


def reads(offsets: Mapping[int, int]) -> OwnReader:
    """A reader of commands with these offsets."""
    return OwnReader("reader", COMMANDS, lambda: offsets)


def owns(*partitions: int, is_exact: bool = True) -> GroupReader:
    """A member of a group with these partitions of the commands."""
    return GroupReader("group", COMMANDS, GROUP, lambda: frozenset(partitions), is_exact)


def test_a_reader_before_waiting_records_is_stalled(kafka: KafkaSettings) -> None:
    """It is named with its partition, operators see for how long, and it is well again when it reads on."""
    offsets = {0: 0, 1: 0, 2: 0}
    write(kafka, 1)
    with watching(kafka, reads(offsets)) as seen:
        assert "reader has read nothing in partition 1" in seen.stalled()
        seen.until(lambda: seen.stalled_seconds("reader") > TIMING.stalled_seconds)
        assert seen.progress.state()["reader"] == {0: (0, 0), 1: (0, 1), 2: (0, 0)}
        offsets[1] = 1
        seen.until(lambda: not seen.progress.stalled())


def test_a_reader_at_the_end_is_not_stalled(kafka: KafkaSettings) -> None:
    """Nothing waits for it."""
    write(kafka, 1)
    with watching(kafka, reads({0: 0, 1: 1, 2: 0})) as seen:
        seen.stays_well()
        assert seen.figure("signalbox_progress_unknown_seconds") < SECONDS


def test_a_reader_that_waits_for_another_service_is_not_stalled(kafka: KafkaSettings) -> None:
    """It is not its own fault, and starting it again would not help."""
    write(kafka, 1)
    reader = OwnReader("reader", COMMANDS, lambda: {1: 0}, is_waiting=lambda: True)
    with watching(kafka, reader) as seen:
        seen.stays_well()


def test_a_member_answers_for_its_own_partitions(kafka: KafkaSettings) -> None:
    """What the group has not done in a partition of another member is that member's fault."""
    write(kafka, 1)
    with watching(kafka, owns(0)) as seen:
        seen.until_well(lambda: seen.stalled_seconds("group") > TIMING.stalled_seconds)
    with watching(kafka, owns(1)) as seen:
        assert "partition 1" in seen.stalled()


def test_a_member_without_partitions_notices_that_nobody_works(kafka: KafkaSettings) -> None:
    """Later than a member with partitions would, which may recover."""
    write(kafka, 1)
    with watching(kafka, owns()) as seen:
        assert "partition 1" in seen.stalled()
        seen.until(lambda: seen.stalled_seconds("group") > 2 * TIMING.stalled_seconds)


def test_a_group_that_has_done_everything_is_well(kafka: KafkaSettings) -> None:
    """By the offsets that it has committed."""
    write(kafka, 1, count=3)
    commit(kafka, GROUP, 1, 3)
    with watching(kafka, owns(0, 1, 2)) as seen:
        seen.stays_well()


def test_markers_of_transactions_do_not_wait_to_be_read(kafka: KafkaSettings) -> None:
    """A group commits what is behind its last record; a marker stands there. What comes later does wait."""
    write_events(kafka)
    commit(kafka, GROUP, 0, 1, EVENTS.name_in(kafka))
    reader = GroupReader("group", EVENTS, GROUP, lambda: frozenset({0}), is_exact=False)
    with watching(kafka, reader) as seen:
        seen.stays_well()
        write_events(kafka)
        assert "partition 0" in seen.stalled()


def test_aborted_transactions_do_not_wait_to_be_read(kafka: KafkaSettings) -> None:
    """An owner that dies leaves records that nobody gets, and no group ever commits an offset behind them. Its follower must
    not be taken for one that stands still, and ended."""
    write_events(kafka)
    commit(kafka, GROUP, 0, 1, EVENTS.name_in(kafka))
    reader = GroupReader("group", EVENTS, GROUP, lambda: frozenset({0}), is_exact=False)
    with watching(kafka, reader) as seen:
        seen.until_well(lambda: len(seen.looks) > 2)
        write_events(kafka, is_aborted=True)
        seen.looks.clear()
        seen.stays_well()
        write_events(kafka)
        assert "partition 0" in seen.stalled()


def test_nothing_is_stalled_while_kafka_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then nothing can be shown, and an alarm of its own says that nothing is known."""
    monkeypatch.setattr(offsets, "ANSWER_SECONDS", 1.0)
    away = KafkaSettings(servers=("127.0.0.1:9",), instance="test")
    with watching(away, reads({0: 0})) as seen:
        seen.until_well(lambda: seen.figure("signalbox_progress_unknown_seconds") > 1.0)


@pytest.mark.parametrize("age, is_stalled", [(0.0, False), (100.0, True)])
def test_a_loop_must_come_round(kafka: KafkaSettings, age: float, is_stalled: bool) -> None:
    """Whether there is work or not."""
    began = time.monotonic() - age
    loop = Loop("owner", lambda: began, 60.0)
    progress = KafkaProgress(kafka, [], CollectorRegistry(), [loop])
    assert bool(progress.stalled()) is is_stalled
    assert "last turn" in str(progress.state()["owner"])
