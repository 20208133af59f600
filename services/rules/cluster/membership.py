"""One membership of the group of owners: takes commands in the order of their partition, decides the waiting ones one after
another, and writes their events and outcomes and the consumed offsets in one transaction.

If that fails, nothing happened: it drops what it had decided and takes the partitions over again, as if they had been
another owner's.
"""

from __future__ import annotations

import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from confluent_kafka import Message, TopicPartition
from google.protobuf.message import Message as ProtobufMessage

from services.common.eventlog.sqlite_database import is_damaged
from services.common.kafka.consuming import poll_messages, position_of
from services.common.kafka.copy import LogCopy
from services.common.kafka.packing import value_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    COMMANDS,
    EVENTS,
    GAME_STATUSES,
    OUTCOMES,
    OWNER_DEAD_LETTERS,
    ROUTING_REQUESTS,
    SNAPSHOTS,
    Topic,
)
from services.common.kafka.unpacking import readable
from services.common.kafka.written import WrittenCommit
from services.common.partitions import partition_of
from services.common.process.crashpoints import reach
from services.common.telemetry.logs import get_logger
from services.common.telemetry.tracing import Headers, from_headers, span
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster.attempts import Attempt, Attempts, metadata_of
from services.rules.cluster.batch_traces import BatchTraces
from services.rules.cluster.deciding import NOT_THE_GAMES_FAULT, CommandProcessor
from services.rules.cluster.decision_limit import DecisionLimit
from services.rules.cluster.group import COMMANDS_PER_TRANSACTION, GROUP, OwnerTiming, new_member
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.recorded import Recorded
from services.rules.cluster.shares import PartitionShares
from services.rules.cluster.takeover import Takeovers
from services.rules.cluster.transactions import BatchAborted, Outgoing, TransactionalWriter
from services.rules.history import STREAM_PREFIX

ID_PREFIX = "rules."
# Commands are decided for so long before they are written: the first of many must not wait for the last.
DECIDING_SECONDS = 0.03
# Where the last transaction had several commands the next waits for some more, for as long as that one took to write: a
# few large ones cost Kafka less than many small ones. A single command is written at once.
GATHERING_SECONDS_MAX = 0.025
POLL_SECONDS = 0.1
POLL_SECONDS_WHILE_TAKING_OVER = 0.01
TROUBLE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class OwnerParts:
    """What the memberships of one owner share.

    `owner_id`: unlike any other's, also unlike that of the same replica before a restart. `address`: see `new_member`."""

    kafka: KafkaSettings
    processor: CommandProcessor
    copy: LogCopy
    recorded: Recorded
    metrics: OwnerMetrics
    timing: OwnerTiming
    limit: DecisionLimit
    owner_id: str
    address: str = ""

    @property
    def transactional_id(self) -> str:
        """The transactional id of this replica."""
        return self.kafka.topic_prefix + ID_PREFIX + self.kafka.instance


class Membership:
    """One membership of the group: from joining until it is stopped or fenced."""

    def __init__(self, parts: OwnerParts, writer: TransactionalWriter) -> None:
        kafka = parts.kafka
        self._kafka = kafka
        self._processor = parts.processor
        self._copy = parts.copy
        self._metrics = parts.metrics
        self._skips = parts.recorded.skips
        self._limit = parts.limit
        self._writer = writer
        self._gathering_seconds = 0.0
        self._traces = BatchTraces()
        self._log = get_logger("owner")
        self._topic = COMMANDS.name_in(kafka)
        self._consumer = new_member(kafka, parts.timing, parts.address)
        self._takeovers = Takeovers(
            kafka,
            self._topic,
            GROUP,
            parts.copy,
            parts.recorded,
            kafka.topic_prefix + ID_PREFIX,
            parts.transactional_id,
            parts.metrics,
        )
        attempts = Attempts(parts.owner_id, COMMANDS_PER_TRANSACTION)
        self.shares = PartitionShares(
            self._topic,
            self._consumer,
            self._takeovers,
            self._dropped,
            self._processor.keep_blocked,
            parts.metrics,
            attempts,
        )

    def state(self) -> Mapping[str, object]:
        """Its state, for the log."""
        return {
            "ready": sorted(self.shares.ready),
            "assigned": sorted(self.shares.assigned_now),
            "takeover": self._takeovers.doing,
            "writer": self._writer.doing,
        }

    def work_until(self, is_over: Callable[[], bool], turn: Callable[[], None]) -> None:
        """Carry out commands; `turn` is called in each turn of the loop. Raises `WriterFenced` and `ClientFailed`."""
        self._consumer.subscribe(
            [self._topic],
            on_assign=self.shares.assigned,
            on_revoke=self.shares.revoked,
            on_lost=self.shares.lost,
        )
        while not is_over():
            turn()
            self.shares.finish_takeovers()
            self._processor.forget_diverged()
            waiting = deque(self._next_messages())
            while waiting:
                turn()
                # Who waits for a partition that was just taken over does not wait for all the others too.
                self.shares.finish_takeovers()
                self._carry_out(waiting)

    def leave(self) -> None:
        """Drop everything staged: what is not written is decided again."""
        self._takeovers.close()
        self._dropped(frozenset(range(COMMANDS.partitions(self._kafka))))
        self._writer.close()
        self._consumer.close()

    def _next_messages(self) -> list[Message]:
        timeout = POLL_SECONDS_WHILE_TAKING_OVER if self.shares.is_taking_over else POLL_SECONDS
        return poll_messages(self._consumer, timeout, COMMANDS_PER_TRANSACTION - 1, self._gathering_seconds)

    def _carry_out(self, waiting: deque[Message]) -> None:
        """Decide as many of the messages as one transaction takes, and write it."""
        begun = time.monotonic()
        self._traces = BatchTraces()
        reached: dict[int, int] = {}
        decided: list[Message] = []
        try:
            while waiting and time.monotonic() - begun < DECIDING_SECONDS:
                message = waiting.popleft()
                if not self.shares.is_next(message, reached):
                    continue
                is_alone = self.shares.is_suspect(message)
                if is_alone and decided:
                    waiting.appendleft(message)
                    break
                reach("owner.after-consume")
                _, partition, offset = position_of(message)
                self._decide(message, is_first=partition not in reached)
                reach("owner.after-decide")
                decided.append(message)
                reached[partition] = offset + 1
                if is_alone:
                    break
            if decided:
                self._metrics.deciding_seconds.observe(time.monotonic() - begun)
                self._write(reached, len(decided))
        except BatchAborted as aborted:
            self._metrics.aborted.inc()
            self._log.warning("transaction aborted", problem=str(aborted), commands=len(decided))
            waiting.clear()
            self.shares.undone(reached, aborted.blames_content, len(decided))
        except NOT_THE_GAMES_FAULT as problem:
            if isinstance(problem, sqlite3.Error) and is_damaged(problem):
                raise
            self._log.error("commands wait", problem=repr(problem))
            waiting.clear()
            self.shares.undone(reached, False, len(decided))
            time.sleep(TROUBLE_SECONDS)

    def _decide(self, message: Message, is_first: bool) -> None:
        """Stage what the command leads to. `is_first`: nothing of its partition is staged."""
        position, value = position_of(message), readable(message.value(), message.key())
        _, partition, offset = position
        game_id = (message.key() or b"").decode("utf-8", "replace")
        skipped, verdict = self._skips.reason(partition, offset), self.shares.verdict(message)
        with span("rules.owner decide", "consumer", from_headers(message.headers()), game_id=game_id):
            if skipped is not None:
                self._metrics.given_up.labels("skipped").inc()
                self._processor.skip(position, value, skipped)
            elif verdict is not None:
                self._metrics.given_up.labels("failures").inc()
                self._processor.dead_letter(position, value, verdict)
            else:
                if is_first:
                    self._note_attempt(partition, offset)
                with self._limit.over(partition, offset):
                    self._processor.execute(position, value)
            self._traces.decided(game_id, len(self._processor.staged.staged))

    def _note_attempt(self, partition: int, offset: int) -> None:
        """Note that this command is begun, where a successor would have to know."""
        attempt = self.shares.attempts.begin(partition, offset)
        if attempt is not None:
            self._write_attempt(partition, offset, attempt)
            self.shares.attempts.noted(partition, attempt)

    def note_hung(self, partition: int, offset: int) -> None:
        """Warn the next owner of a command that comes to no end. For another thread, while the command is being decided."""
        next_offset = self.shares.next_offset(partition)
        self._write_attempt(partition, next_offset, self.shares.attempts.hung(offset))

    def _write_attempt(self, partition: int, next_offset: int, attempt: Attempt) -> None:
        place = TopicPartition(self._topic, partition, next_offset, metadata_of(attempt))
        self._writer.write((), [place], self._consumer.consumer_group_metadata())

    def _write(self, reached: dict[int, int], commands: int) -> None:
        begun = time.monotonic()
        written: list[WrittenCommit] = []
        offsets = [
            TopicPartition(
                self._topic, partition, offset, metadata_of(self.shares.attempts.kept(partition, offset))
            )
            for partition, offset in reached.items()
        ]
        with self._traces.writing(commands):
            self._writer.write(self._outgoing(written), offsets, self._consumer.consumer_group_metadata())
        reach("owner.after-commit")
        seconds = time.monotonic() - begun
        self._metrics.transaction_seconds.observe(seconds)
        self._metrics.batch.observe(commands)
        self._gathering_seconds = min(seconds, GATHERING_SECONDS_MAX) if commands > 1 else 0.0
        # The copy answers what was accepted; the answer may be followed by a read.
        self._copy.put(written)
        self._processor.committed()
        self.shares.done(reached)

    def _outgoing(self, written: list[WrittenCommit]) -> Iterator[Outgoing]:
        """All that is staged; a commit is added to `written` when the broker says where it is."""
        processor, traces = self._processor, self._traces
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

    def _dropped(self, partitions: frozenset[int]) -> None:
        """These partitions may have another owner: drop what is known here of their games."""
        count = COMMANDS.partitions(self._kafka)
        self._processor.drop(lambda game_id: partition_of(game_id, count) in partitions)


def _note_written(written: list[WrittenCommit], commit: pb.Commit, record: Outgoing, offset: int) -> None:
    written.append(WrittenCommit(commit, record.value or b"", record.partition, offset))
