"""Writes all records of a batch of commands and their offsets as one Kafka transaction."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from confluent_kafka import KafkaError, KafkaException, Message, TopicPartition

from services.common.errors import SignalboxError
from services.common.kafka.bounded import BoundedCalls, CallTimedOut
from services.common.kafka.clients import ANSWER_SECONDS, KafkaUnreachable, new_transactional_producer
from services.common.kafka.consuming import is_fatal
from services.common.kafka.settings import KafkaSettings
from services.common.process.crashpoints import reach
from services.common.telemetry.record_bytes import note_bytes
from services.common.telemetry.tracing import Headers

TRANSACTION_TIMEOUT_MS = 10_000
# By then the coordinator has aborted the transaction. The client may hang where a broker went that was coordinator of the
# group: librdkafka issues 5511 and 5456.
FINISH_SECONDS = TRANSACTION_TIMEOUT_MS / 1000
TRY_AGAIN_SECONDS = 0.05
QUEUE_WAIT_SECONDS = 0.5
# Errors that a retry does not cure.
CONTENT_REFUSED = frozenset(
    (
        KafkaError.MSG_SIZE_TOO_LARGE,
        KafkaError.RECORD_LIST_TOO_LARGE,
        KafkaError.INVALID_MSG,
        KafkaError.INVALID_RECORD,
        KafkaError.POLICY_VIOLATION,
        KafkaError._INVALID_ARG,
        KafkaError._BAD_MSG,
    )
)


class WriterFenced(SignalboxError):
    """Another writer uses the transactional id, or the client failed permanently: nothing more can be written with it."""


class BatchAborted(SignalboxError):
    """Nothing of the batch was written. `blames_content`: Kafka rejected a record, and would again."""

    def __init__(self, problem: str, blames_content: bool) -> None:
        self.blames_content = blames_content
        super().__init__(problem)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A record to be written. `note_offset` is called with its offset, which counts once the transaction is committed."""

    topic: str
    partition: int
    key: bytes
    value: bytes | None
    headers: Headers = field(default_factory=list)
    note_offset: Callable[[int], None] | None = None


class TransactionalWriter:
    """A producer with a transactional id. `open` fences the previous user of the id and aborts its open transaction."""

    def __init__(self, kafka: KafkaSettings, transactional_id: str) -> None:
        timeout = {"transaction.timeout.ms": TRANSACTION_TIMEOUT_MS}
        self._producer = new_transactional_producer(kafka, transactional_id, **timeout)
        self._finishing = BoundedCalls("transactions")
        self._is_lost = False
        self.doing = "idle"
        """Its current step, for the log."""

    def open(self) -> None:
        """Take the id. Raises `KafkaUnreachable` when it cannot be had."""
        try:
            _again_while_retriable(lambda: self._producer.init_transactions(ANSWER_SECONDS), ANSWER_SECONDS)
        except KafkaException as error:
            raise KafkaUnreachable(f"no transactions: {error}") from error

    def write(
        self,
        records: Iterable[Outgoing],
        offsets: Sequence[TopicPartition],
        group: Any,
    ) -> None:
        """Write all records and, as a member of `group`, the offsets; all or nothing.

        Raises `BatchAborted`: nothing was written, or `WriterFenced`: whether it was written is unknown to this writer."""
        try:
            self.doing = "begin"
            self._producer.begin_transaction()
            reach("owner.after-begin")
            self.doing = "produce"
            for record in records:
                self._produce(record)
            reach("owner.after-produce")
            self.doing = "finish"
            self._bounded(lambda: self._finish(offsets, group))
            self.doing = "idle"
        except (KafkaException, ValueError, TypeError) as error:
            self._abort(error)

    def _finish(self, offsets: Sequence[TopicPartition], group: Any) -> None:
        _again_while_retriable(
            lambda: self._producer.send_offsets_to_transaction(list(offsets), group), ANSWER_SECONDS
        )
        reach("owner.before-commit")
        _again_while_retriable(self._producer.commit_transaction, ANSWER_SECONDS)

    def _produce(self, record: Outgoing) -> None:
        reported = None if record.note_offset is None else _reporting(record.note_offset)
        while True:
            try:
                self._producer.produce(
                    record.topic,
                    record.value,
                    record.key,
                    record.partition,
                    on_delivery=reported,
                    headers=record.headers,
                )
            except BufferError:
                self._producer.poll(QUEUE_WAIT_SECONDS)
            else:
                note_bytes("written", record.topic, record.key, record.value)
                return

    def _abort(self, error: Exception) -> None:
        self.doing = "abort"
        cause = error.args[0] if isinstance(error, KafkaException) else None
        if cause is not None and is_fatal(cause):
            raise WriterFenced(str(cause)) from error
        try:
            self._bounded(lambda: _again_while_retriable(self._producer.abort_transaction, ANSWER_SECONDS))
        except KafkaException as again:
            raise WriterFenced(f"{error}; and it could not be aborted: {again}") from error
        self.doing = "idle"
        raise BatchAborted(str(error), cause is None or cause.code() in CONTENT_REFUSED) from error

    def _bounded(self, step: Callable[[], None]) -> None:
        try:
            self._finishing.call(step, FINISH_SECONDS)
        except CallTimedOut as hung:
            self._is_lost = True
            raise WriterFenced(f"the client hangs: {hung}") from hung

    def close(self) -> None:
        """Abort an open transaction if possible, and release the producer. If it hangs, the next user of its
        transactional id does that."""
        self._finishing.close()
        if self._is_lost:
            return
        try:
            self._producer.purge()
            self._producer.abort_transaction(TRY_AGAIN_SECONDS)
        except KafkaException:
            # None was open, or it is not ours any more.
            return


def _reporting(note_offset: Callable[[int], None]) -> Callable[[KafkaError | None, Message], None]:
    def delivered(error: KafkaError | None, message: Message) -> None:
        offset = message.offset()
        # Of a record that was sent twice, since its first answer was lost, the broker may not say where it is.
        if error is None and offset is not None and offset >= 0:
            note_offset(offset)

    return delivered


def abort_transaction_of(kafka: KafkaSettings, transactional_id: str) -> None:
    """Abort the open transaction of a dead writer at once, and fence it in case it is alive. Raises `KafkaUnreachable`."""
    TransactionalWriter(kafka, transactional_id).open()


def _again_while_retriable(step: Callable[[], object], seconds: float) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            step()
        except KafkaException as error:
            if not error.args[0].retriable() or time.monotonic() > end:
                raise
            time.sleep(TRY_AGAIN_SECONDS)
        else:
            return
