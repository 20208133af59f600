"""The producer of the client library as services use it, over the Kafka in memory.

A record may be sent late, or not at all by a process that dies.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from confluent_kafka import KafkaError, TopicPartition

from services.common.kafka.topics import PartitionName
from tests.wholesim.connection import (
    ANSWER_SECONDS,
    LATENCY_MAX,
    connected,
    kafka_error,
    latency,
    on_the_way,
)
from tests.wholesim.kafka_log import Transaction
from tests.wholesim.primitives import schedule
from tests.wholesim.schedule import Task

SENT_AT_ONCE_SHARE = 0.3
LOST_WITH_ITS_SENDER_SHARE = 0.5

Delivered: TypeAlias = "Callable[[KafkaError | None, Any], None] | None"


@dataclass(slots=True)
class _Unsent:
    place: PartitionName
    key: bytes
    value: bytes | None
    headers: Sequence[tuple[str, bytes]]
    delivered: Delivered = None


@dataclass(frozen=True, slots=True)
class _Report:
    """What a sender learns about its record."""

    at: int

    def offset(self) -> int:
        """See `Message`."""
        return self.at


class Producer:
    """As that of `confluent_kafka`, with and without transactions."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self._kafka = connected()
        self._process = schedule().current.process
        self._id: str = config.get("transactional.id", "")
        own_timeout = config.get("message.timeout.ms", config.get("delivery.timeout.ms", 300_000))
        self._timeout_seconds = own_timeout / 1000
        self._epoch = -1
        self._transaction: Transaction | None = None
        self._is_open = False
        self._unsent: list[_Unsent] = []
        self._under_way = 0
        self._last_arrival = 0.0
        self._answers: deque[tuple[KafkaError | None, Delivered]] = deque()
        self._waiters: list[Task] = []

    def produce(
        self,
        topic: str,
        value: bytes | None = None,
        key: bytes = b"",
        partition: int = 0,
        on_delivery: Delivered = None,
        headers: Sequence[tuple[str, bytes]] = (),
    ) -> None:
        """See `Producer`."""
        schedule().check_alive()
        unsent = _Unsent((topic, partition), key, value, headers or (), on_delivery)
        if self._id:
            self._unsent.append(unsent)
            if schedule().random.random() < SENT_AT_ONCE_SHARE:
                self._send_unsent()
        else:
            self._send_alone(unsent, on_delivery)

    def _send_alone(self, unsent: _Unsent, delivered: Delivered) -> None:
        running = schedule()
        self._under_way += 1
        arrival = max(self._last_arrival, running.now + latency())
        self._last_arrival = arrival
        end = running.now + self._timeout_seconds

        def arrive() -> None:
            away = self._kafka.away_seconds
            if away and running.now + away < end:
                running.call_later(away, arrive)
                return
            is_lost = self._process.is_dead and running.random.random() < LOST_WITH_ITS_SENDER_SHARE
            if not is_lost and not away:
                self._kafka.append(unsent.place, unsent.key, unsent.value, unsent.headers)
            problem = KafkaError(KafkaError._MSG_TIMED_OUT) if away else None
            running.call_later(running.random.uniform(0, LATENCY_MAX), lambda: answer(problem))

        def answer(problem: KafkaError | None) -> None:
            self._under_way -= 1
            self._answers.append((problem, delivered))
            running.wake_all(self._waiters)

        running.call_later(arrival - running.now, arrive)

    def poll(self, timeout: float = 0.0) -> int:
        """See `Producer`."""
        schedule().check_alive()
        if not self._answers and timeout > 0:
            schedule().wait(self._waiters, timeout)
        return self._report()

    def _report(self) -> int:
        count = 0
        while self._answers:
            problem, delivered = self._answers.popleft()
            count += 1
            if delivered is not None:
                delivered(problem, None)
        return count

    def flush(self, timeout: float = 60.0) -> int:
        """See `Producer`."""
        schedule().check_alive()
        end = schedule().now + timeout
        while self._under_way or self._answers:
            self._report()
            if self._under_way:
                if schedule().now >= end:
                    break
                schedule().wait(self._waiters, end - schedule().now)
        return self._under_way

    def purge(self) -> None:
        """See `Producer`."""
        self._unsent.clear()

    def init_transactions(self, timeout: float) -> None:
        """See `Producer`."""
        on_the_way()
        self._epoch = self._kafka.init_transactions(self._id)
        self._settle()

    def begin_transaction(self) -> None:
        """See `Producer`."""
        schedule().check_alive()
        self._unsent.clear()
        self._transaction = None
        self._is_open = True

    def _settle(self) -> None:
        """The transaction before must be known everywhere."""
        before = self._kafka.transactions.get(self._id)
        while before is not None and before.state != "open" and not before.is_settled:
            schedule().sleep(LATENCY_MAX / 4)

    def _check_not_fenced(self) -> None:
        transaction = self._transaction
        is_ended = transaction is not None and transaction.state != "open"
        if self._kafka.epochs.get(self._id) != self._epoch or is_ended:
            raise kafka_error(KafkaError._FENCED, "another producer has the transactional id", fatal=True)

    def _send_unsent(self) -> None:
        self._settle()
        self._check_not_fenced()
        if self._transaction is None:
            self._transaction = self._kafka.begin(self._id, self._epoch)
        for each in self._unsent:
            entry = self._kafka.append(each.place, each.key, each.value, each.headers, self._transaction)
            if each.delivered is not None:
                each.delivered(None, _Report(entry.offset))
        self._unsent.clear()

    def send_offsets_to_transaction(self, offsets: Iterable[TopicPartition], group: Any) -> None:
        """See `Producer`."""
        on_the_way()
        self._send_unsent()
        assert self._transaction is not None
        known, member = group
        if not known.is_current(member):
            raise kafka_error(KafkaError.ILLEGAL_GENERATION, "the membership is out of date")
        name = next(name for name, each in self._kafka.groups.items() if each is known)
        for each in offsets:
            self._transaction.offsets[name, (each.topic, each.partition)] = each.offset
            self._transaction.notes[name, (each.topic, each.partition)] = each.metadata or ""

    def commit_transaction(self) -> None:
        """See `Producer`."""
        on_the_way()
        self._send_unsent()
        assert self._transaction is not None
        self._kafka.end(self._transaction, "committed")
        self._is_open = False
        schedule().sleep(schedule().random.uniform(0, LATENCY_MAX))

    def abort_transaction(self, timeout: float = ANSWER_SECONDS) -> None:
        """See `Producer`."""
        if not self._is_open:
            raise kafka_error(KafkaError._STATE, "no transaction")
        self._unsent.clear()
        on_the_way()
        self._check_not_fenced()
        if self._transaction is not None:
            self._kafka.end(self._transaction, "aborted")
        self._is_open = False
