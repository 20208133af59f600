"""The event log port on Kafka: anybody may append, and the order of the log decides who was first.

An append is one record that names the sequence it expects. Every reader passes over a record whose expectation does not
hold at that offset, so all of them agree on what counts, and the writer learns it from its own copy. For streams with
one writer at a time, as games have, see the owner in services/rules/cluster.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from uuid import uuid4

from confluent_kafka import KafkaError, KafkaException, Message

from services.common.clock import Clock, SystemClock
from services.common.eventlog.port import (
    AppendResult,
    Conflict,
    LogClosed,
    LogUnavailable,
    NewRecord,
    Record,
    Repeated,
    RequestRecord,
)
from services.common.eventlog.subscription import LogSubscription
from services.common.kafka.clients import ANSWER_SECONDS
from services.common.kafka.commits import aggregate_of, commit_message
from services.common.kafka.copy import LogCopy
from services.common.kafka.copybatch import Applied
from services.common.kafka.packing import value_of
from services.common.kafka.renewed import RenewedProducer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import Topic
from services.common.partitions import partition_of
from services.common.process import crashpoints
from services.common.process.threads import ServiceThread
from services.gen.signalbox.log.v1 import log_pb2 as pb

POLL_SECONDS = 0.1


class KafkaEventLog:
    """The `EventLog` port: appends go to Kafka, reads to the copy. Closing it closes the copy."""

    def __init__(
        self,
        kafka: KafkaSettings,
        topic: Topic,
        copy: LogCopy,
        clock: Clock | None = None,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        """Make it before the copy is started."""
        self._kafka = kafka
        self._topic = topic.name_in(kafka)
        self._partitions = topic.partitions(kafka)
        self._copy = copy
        self._clock = clock or SystemClock()
        self._answer_seconds = answer_seconds
        self._waiting: dict[str, Future[AppendResult]] = {}
        self._is_closed = threading.Event()
        self._producer = RenewedProducer(kafka, **{"delivery.timeout.ms": int(answer_seconds * 1000)})
        self._poller = ServiceThread(f"append {self._topic}", self._poll)
        self._poller.start()
        copy.listen(self._applied)

    def append(
        self, stream: str, expected: int, records: Sequence[NewRecord], request: RequestRecord | None = None
    ) -> AppendResult:
        """See `EventLog.append`. Raises `LogUnavailable` when the outcome is unknown."""
        if not records:
            raise ValueError("an append needs at least one record")
        self._check_open()
        lost = self._lost_already(stream, expected, request)
        if lost is not None:
            return lost
        append_id = uuid4().hex
        future: Future[AppendResult] = Future()
        self._waiting[append_id] = future
        try:
            commit = commit_message(stream, expected, records, request, self._clock.now_ms(), append_id)
            crashpoints.reach("append.before-send")
            self._send(aggregate_of(stream), commit, future)
            result = future.result(self._answer_seconds)
            crashpoints.reach("append.before-answer")
            return result
        except TimeoutError:
            raise LogUnavailable("the log does not answer; the same request may be sent again") from None
        finally:
            self._waiting.pop(append_id, None)

    def _lost_already(self, stream: str, expected: int, request: RequestRecord | None) -> AppendResult | None:
        """What the copy knows already to become of the append."""
        further = self._copy.log.read(stream, after=expected)
        # Asked last: if the copy advances in between, the writer of the new records must not get a conflict with them.
        known = self._copy.log.outcome(stream, request.request_id) if request else None
        if request and known:
            same = (known.player, known.content_hash) == (request.player, request.content_hash)
            return Repeated(known.outcome, same)
        return Conflict(further[-1].sequence) if further else None

    def _send(self, key: str, commit: pb.Commit, future: Future[AppendResult]) -> None:
        def delivered(error: KafkaError | None, _message: Message) -> None:
            if error is not None:
                _fail(future, LogUnavailable(f"the log does not answer: {error.str()}"))

        try:
            self._producer.produce(
                self._topic,
                value_of(self._kafka, key, commit),
                key.encode(),
                partition_of(key, self._partitions),
                on_delivery=delivered,
            )
        except (BufferError, KafkaException) as error:
            raise LogUnavailable(f"the log takes nothing now: {error}") from error

    def _applied(self, applied: Applied) -> None:
        future = self._waiting.get(applied.commit.append_id)
        if future is not None:
            with suppress(InvalidStateError):
                future.set_result(applied.result)

    def _poll(self) -> None:
        while not self._is_closed.is_set():
            self._producer.poll(POLL_SECONDS)

    def read(self, stream: str, after: int = 0, up_to: int | None = None) -> list[Record]:
        """See `EventLog.read`."""
        return self._copy.log.read(stream, after, up_to)

    def read_all(self, after_position: int = 0, limit: int = 1000, prefix: str = "") -> list[Record]:
        """See `EventLog.read_all`."""
        return self._copy.log.read_all(after_position, limit, prefix)

    def last_position(self) -> int:
        """See `EventLog.last_position`."""
        return self._copy.log.last_position()

    def outcome(self, stream: str, request_id: str) -> RequestRecord | None:
        """See `EventLog.outcome`."""
        return self._copy.log.outcome(stream, request_id)

    def requests(self, stream: str) -> list[RequestRecord]:
        """See `EventLog.requests`."""
        return self._copy.log.requests(stream)

    def subscribe(self, after_position: int = 0, prefix: str = "") -> LogSubscription:
        """See `EventLog.subscribe`."""
        return self._copy.log.subscribe(after_position, prefix)

    def streams(self, prefix: str = "") -> list[str]:
        """See `EventLog.streams`."""
        return self._copy.log.streams(prefix)

    def save_position(self, consumer: str, position: int) -> None:
        """See `EventLog.save_position`: kept in the copy, whose positions are its own."""
        self._copy.log.save_position(consumer, position)

    def position(self, consumer: str) -> int:
        """See `EventLog.position`."""
        return self._copy.log.position(consumer)

    def close(self) -> None:
        """See `EventLog.close`."""
        if self._is_closed.is_set():
            return
        self._is_closed.set()
        self._poller.join()
        self._producer.flush(self._answer_seconds)
        for future in list(self._waiting.values()):
            _fail(future, LogClosed("the event log is closed"))
        self._copy.close()

    def _check_open(self) -> None:
        if self._is_closed.is_set():
            raise LogClosed("the event log is closed")


def _fail(future: Future[AppendResult], problem: Exception) -> None:
    """Unless its outcome is already known: the threads that report it do not wait for each other."""
    with suppress(InvalidStateError):
        future.set_exception(problem)
