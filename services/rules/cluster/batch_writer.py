"""Writes what a batch of commands led to as one transaction, and gives it to the copy of this process."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from confluent_kafka import TopicPartition
from google.protobuf.message import Message as ProtobufMessage

from services.common.kafka.copy import LogCopy
from services.common.kafka.packing import value_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    EVENTS,
    GAME_STATUSES,
    OUTCOMES,
    OWNER_DEAD_LETTERS,
    ROUTING_REQUESTS,
    SNAPSHOTS,
    Topic,
)
from services.common.kafka.written import WrittenCommit
from services.common.partitions import partition_of
from services.common.process.crashpoints import reach
from services.common.telemetry.tracing import Headers
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster.batch_traces import BatchTraces
from services.rules.cluster.deciding import CommandProcessor
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.transactions import Outgoing, TransactionalWriter
from services.rules.history import STREAM_PREFIX

# Where the last transaction had several commands the next waits for some more, for as long as that one took to write: a
# few large ones cost Kafka less than many small ones. A single command is written at once.
GATHERING_SECONDS_MAX = 0.025


class BatchWriter:
    """Of one membership; used in the turn of one of its threads."""

    def __init__(
        self,
        kafka: KafkaSettings,
        processor: CommandProcessor,
        copy: LogCopy,
        metrics: OwnerMetrics,
        writer: TransactionalWriter,
    ) -> None:
        """`processor` has decided what is to be written."""
        self._kafka = kafka
        self._processor = processor
        self._copy = copy
        self._metrics = metrics
        self._writer = writer

    def write(
        self, offsets: Sequence[TopicPartition], group: Any, commands: int, traces: BatchTraces
    ) -> float:
        """Write all that is staged, and the offsets as a member of `group`. Returns for how many seconds to gather commands for
        the next transaction.

        Raises what `TransactionalWriter.write` raises."""
        begun = time.monotonic()
        written: list[WrittenCommit] = []
        with traces.writing(commands):
            self._writer.write(self._outgoing(written, traces), offsets, group)
        reach("owner.after-commit")
        seconds = time.monotonic() - begun
        self._metrics.transaction_seconds.observe(seconds)
        self._metrics.batch.observe(commands)
        # The copy answers what was accepted; the answer may be followed by a read.
        self._copy.put(written)
        self._processor.committed()
        return min(seconds, GATHERING_SECONDS_MAX) if commands > 1 else 0.0

    def _outgoing(self, written: list[WrittenCommit], traces: BatchTraces) -> Iterator[Outgoing]:
        """All that is staged; a commit is added to `written` when the broker says where it is."""
        processor = self._processor
        for index, commit in enumerate(processor.staged.staged):
            game_id = commit.stream.removeprefix(STREAM_PREFIX)
            record = self._packed(EVENTS, game_id, commit, traces.of_commit(index))
            yield replace(record, note_offset=partial(_note_written, written, commit, record))
        for snapshot in processor.snapshots.staged:
            yield self._keyed(
                SNAPSHOTS, snapshot.stream.removeprefix(STREAM_PREFIX), snapshot.SerializeToString()
            )
        for status in processor.output.statuses:
            yield self._packed(GAME_STATUSES, status.game_id, status, traces.of_game(status.game_id))
        for wanted in processor.output.wanted:
            yield self._packed(ROUTING_REQUESTS, wanted.game_id, wanted, traces.of_game(wanted.game_id))
        for game_id, letter in processor.output.dead_letters:
            yield self._keyed(
                OWNER_DEAD_LETTERS, game_id, None if letter is None else letter.SerializeToString()
            )
        for partition, outcome in processor.output.outcomes:
            name = OUTCOMES.name_in(self._kafka)
            yield Outgoing(name, partition, outcome.game_id.encode(), outcome.SerializeToString())

    def _packed(self, topic: Topic, key: str, message: ProtobufMessage, headers: Headers) -> Outgoing:
        return self._keyed(topic, key, value_of(self._kafka, key, message), headers)

    def _keyed(self, topic: Topic, key: str, value: bytes | None, headers: Headers | None = None) -> Outgoing:
        partition = partition_of(key, topic.partitions(self._kafka))
        return Outgoing(topic.name_in(self._kafka), partition, key.encode(), value, headers or [])


def _note_written(written: list[WrittenCommit], commit: pb.Commit, record: Outgoing, offset: int) -> None:
    written.append(WrittenCommit(commit, record.value or b"", record.partition, offset))
