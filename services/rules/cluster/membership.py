"""One membership of the group of owners: takes commands in the order of their partition, decides the waiting ones one after
another, and writes their events and outcomes and the consumed offsets in one transaction.

If that fails, nothing happened: it drops what it had decided and takes the partitions over again, as if they had been
another owner's.

Commands that senders in this process hand over are carried out in the same way by a second thread. The two take turns, so that
one transaction is under way at a time; their partitions' offsets are written again as they are, for the sake of the fence.
"""

from __future__ import annotations

import sqlite3
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from confluent_kafka import Consumer, Message, TopicPartition

from services.common.eventlog.sqlite_database import is_damaged
from services.common.kafka.consuming import poll_messages, position_of
from services.common.kafka.copy import LogCopy
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    COMMANDS,
)
from services.common.kafka.unpacking import readable
from services.common.partitions import partition_of
from services.common.process.crashpoints import reach
from services.common.telemetry.logs import get_logger
from services.common.telemetry.tracing import from_headers, span
from services.rules.cluster.attempts import Attempt, Attempts, metadata_of
from services.rules.cluster.batch_traces import BatchTraces
from services.rules.cluster.batch_writer import BatchWriter
from services.rules.cluster.deciding import NOT_THE_GAMES_FAULT, CommandProcessor
from services.rules.cluster.decision_limit import DecisionLimit
from services.rules.cluster.group import COMMANDS_PER_TRANSACTION, GROUP, OwnerTiming, new_member
from services.rules.cluster.handed import Handed, HandedCommands, Turns
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.recorded import Recorded
from services.rules.cluster.shares import PartitionShares
from services.rules.cluster.takeover import Takeovers
from services.rules.cluster.transactions import BatchAborted, TransactionalWriter

ID_PREFIX = "rules."
# Commands are decided for so long before they are written: the first of many must not wait for the last.
DECIDING_SECONDS = 0.03
POLL_SECONDS = 0.1
POLL_SECONDS_WHILE_TAKING_OVER = 0.01
TROUBLE_SECONDS = 0.5

RebalanceListener: TypeAlias = Callable[[Consumer, list[TopicPartition]], None]


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
        self._metrics = parts.metrics
        self._skips = parts.recorded.skips
        self._limit = parts.limit
        self._writer = writer
        self._batches = BatchWriter(kafka, parts.processor, parts.copy, parts.metrics, writer)
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
            parts.timing.direct_after_seconds,
        )
        self._turns = Turns()
        # What Kafka knows this membership by; None from the moment in which that changes. The client answers that while nobody
        # polls, so only the thread that polls may ask.
        self._group: Any = None
        self._failure: Exception | None = None
        self._is_undone = False
        self._handed = HandedCommands(self._carry_out_handed, COMMANDS_PER_TRANSACTION)

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
            on_assign=self._in_turn(self.shares.assigned),
            on_revoke=self._in_turn(self.shares.revoked),
            on_lost=self._in_turn(self.shares.lost),
        )
        while not is_over():
            turn()
            with self._turns:
                self._look_around()
                self._processor.forget_diverged()
                self._group = self._consumer.consumer_group_metadata()
            waiting = deque(self._next_messages())
            while waiting:
                turn()
                with self._turns:
                    # Who waits for a partition that was just taken over does not wait for all the others too.
                    self._look_around()
                    self._carry_out(waiting)

    def hand(self, command: Handed) -> bool:
        """See `Owner.hand`."""
        return self._takes(command) and self._handed.offer(command)

    def _takes(self, command: Handed) -> bool:
        """Whether it need not go by the log, as far as any thread can tell."""
        is_working = self._group is not None and self._failure is None and not self._is_undone
        return is_working and self.shares.takes_directly(command.partition)

    def _look_around(self) -> None:
        """Do what the thread of handed commands left to this one, which alone may use the consumer."""
        if self._failure is not None:
            raise self._failure
        if self._is_undone:
            self._is_undone = False
            self.shares.undone({}, False, 0)
        self.shares.finish_takeovers()

    def leave(self) -> None:
        """Drop everything staged: what is not written is decided again."""
        self._handed.close()
        self._takeovers.close()
        self._dropped(frozenset(range(COMMANDS.partitions(self._kafka))))
        self._writer.close()
        self._consumer.close()

    def _in_turn(self, listener: RebalanceListener) -> RebalanceListener:
        def listen(consumer: Consumer, partitions: list[TopicPartition]) -> None:
            with self._turns:
                self._group = None
                listener(consumer, partitions)

        return listen

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
                group = self._consumer.consumer_group_metadata()
                self._gathering_seconds = self._write(reached, group, len(decided))
                self.shares.done(reached)
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

    def _carry_out_handed(self, given: deque[Handed]) -> float:
        """Carry out or give back all of these, in the thread of handed commands; the seconds to wait for more."""
        seconds: float | None = 0.0
        while given:
            taken: list[Handed] = []
            with self._turns:
                seconds = self._try_batch(given, taken)
            if seconds is None:
                for command in (*taken, *given):
                    command.give_back()
                given.clear()
        return seconds or 0.0

    def _try_batch(self, given: deque[Handed], taken: list[Handed]) -> float | None:
        """As `_decide_and_write`; None where nothing is known to be written."""
        try:
            return self._decide_and_write(given, taken)
        except BatchAborted as aborted:
            self._metrics.aborted.inc()
            self._log.warning("transaction aborted", problem=str(aborted), commands=len(taken))
        except NOT_THE_GAMES_FAULT as problem:
            if isinstance(problem, sqlite3.Error) and is_damaged(problem):
                self._failure = problem
            self._log.error("commands wait", problem=repr(problem))
        except Exception as problem:
            self._failure = problem
        self._dropped(frozenset(range(COMMANDS.partitions(self._kafka))))
        self._is_undone = True
        return None

    def _decide_and_write(self, given: deque[Handed], taken: list[Handed]) -> float:
        """Decide as many as one transaction takes, and write it; `taken`: those that are in it."""
        begun = time.monotonic()
        self._traces = BatchTraces()
        self._processor.forget_diverged()
        while given and time.monotonic() - begun < DECIDING_SECONDS:
            command = given.popleft()
            taken.append(command)
            if not self._is_decided(command):
                taken.pop().give_back()
        if not taken:
            return 0.0
        self._metrics.deciding_seconds.observe(time.monotonic() - begun)
        partitions = {command.partition for command in taken}
        offsets = {number: self.shares.next_offset(number) for number in partitions}
        return self._write(offsets, self._group, len(taken))

    def _write(self, next_offsets: Mapping[int, int], group: Any, commands: int) -> float:
        """Write what is staged, with notes about later commands as they are; see `BatchWriter.write`."""
        offsets = [
            TopicPartition(
                self._topic, number, offset, metadata_of(self.shares.attempts.kept(number, offset))
            )
            for number, offset in next_offsets.items()
        ]
        return self._batches.write(offsets, group, commands, self._traces)

    def _is_decided(self, command: Handed) -> bool:
        """Stage what this command leads to; False if it has to go by the log."""
        if not self._takes(command):
            return False
        reach("owner.after-consume")
        game_id = command.request.game_id
        with span("rules.owner decide", "consumer", from_headers(command.headers), game_id=game_id):
            with self._limit.over(command.partition, None):
                is_decided = self._processor.execute_handed(command.request, command.sent)
            self._traces.decided(game_id, len(self._processor.staged.staged))
        reach("owner.after-decide")
        return is_decided

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

    def _dropped(self, partitions: frozenset[int]) -> None:
        """These partitions may have another owner: drop what is known here of their games."""
        count = COMMANDS.partitions(self._kafka)
        self._processor.drop(lambda game_id: partition_of(game_id, count) in partitions)
