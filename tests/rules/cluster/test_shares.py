"""What a member does with records that are not those it looks for."""

from __future__ import annotations

import queue
from collections.abc import Collection
from typing import Any, cast

import pytest
from confluent_kafka import Consumer, Message, TopicPartition
from prometheus_client import CollectorRegistry

from services.rules.cluster.attempts import Attempts
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.shares import PartitionShares
from services.rules.cluster.takeover import TakenOver, Takeovers

TOPIC = "rules.commands"


class Seeker:
    """A consumer that remembers where it was sent."""

    def __init__(self) -> None:
        self.sought: list[int] = []

    def seek(self, place: TopicPartition) -> None:
        self.sought.append(place.offset)

    def incremental_assign(self, _: object) -> None:
        return

    def pause(self, _: object) -> None:
        return

    def resume(self, _: object) -> None:
        return


class AtOnce:
    """Takes over what is ordered from offset 0, at once."""

    def __init__(self) -> None:
        self.finished: queue.SimpleQueue[TakenOver] = queue.SimpleQueue()
        self.left: list[int] = []

    def order(self, token: int, partitions: frozenset[int]) -> None:
        self.finished.put(TakenOver(token, dict.fromkeys(partitions, 0)))

    def let_go(self, partitions: Collection[int]) -> None:
        self.left += partitions


class Met:
    """A record at an offset of partition 0."""

    def __init__(self, offset: int) -> None:
        self._offset = offset

    def error(self) -> None:
        return

    def partition(self) -> int:
        return 0

    def offset(self) -> int:
        return self._offset


@pytest.mark.parametrize(
    ("offsets", "is_next", "seeks"),
    [
        ((0,), [True], 0),
        ((5, 6, 0), [False, False, True], 2),
        ((5, 6, 5), [False, False, True], 2),
        ((5, 6, 7, 6), [False, False, False, True], 3),
        ((5, 8, 9, 9), [False, False, False, True], 3),
    ],
    ids=["at hand", "found again", "missing", "more is missing", "nearly all is missing"],
)
def test_after_a_jump_nothing_is_passed_over_that_can_be_had(
    offsets: tuple[int, ...], is_next: list[bool], seeks: int
) -> None:
    """What came with the first record beyond the gap is no proof that the gap stays; a record met again is."""
    consumer: Any = Seeker()
    metrics, attempts = OwnerMetrics(CollectorRegistry()), Attempts("me", 100)
    nothing: Any = lambda _: None  # noqa: E731
    shares = PartitionShares(
        TOPIC, consumer, cast("Takeovers", AtOnce()), nothing, nothing, metrics, attempts, 300.0
    )
    shares.assigned(cast("Consumer", consumer), [TopicPartition(TOPIC, 0)])
    shares.finish_takeovers()
    consumer.sought.clear()
    assert [shares.is_next(cast("Message", Met(each)), {}) for each in offsets] == is_next
    assert consumer.sought == [0] * seeks


def test_what_goes_to_others_is_taken_over_no_longer() -> None:
    """Whether it is revoked or lost, ready or not."""
    consumer, takeovers = Seeker(), AtOnce()
    nothing: Any = lambda *_: None  # noqa: E731
    shares = PartitionShares(
        TOPIC,
        cast("Consumer", consumer),
        cast("Takeovers", takeovers),
        nothing,
        nothing,
        OwnerMetrics(CollectorRegistry()),
        Attempts("me", 100),
        300.0,
    )
    one, two = TopicPartition(TOPIC, 1), TopicPartition(TOPIC, 2)
    shares.assigned(cast("Consumer", consumer), [one, two])
    shares.revoked(cast("Consumer", consumer), [one])
    shares.finish_takeovers()
    shares.lost(cast("Consumer", consumer), [two])
    assert takeovers.left == [1, 2] and not shares.assigned_now
