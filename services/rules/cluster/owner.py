"""The owner of partitions of commands: the only writer of the games in them.

It takes commands in the order of their partition, decides the waiting ones one after another, and writes their events and
outcomes and the consumed offsets in one transaction. If that fails, nothing happened: it drops what it had
decided and takes the partitions over again, as if they had been another owner's.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from confluent_kafka import Consumer, KafkaException, Message, TopicPartition
from kafka.admin import MemberToRemove

from services.common.eventlog.sqlite_database import is_damaged
from services.common.kafka.clients import KafkaUnreachable, new_admin, new_consumer
from services.common.kafka.consuming import ClientFailed, poll_messages
from services.common.kafka.copy import LogCopy
from services.common.kafka.progress import GroupReader
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
    partition_of,
)
from services.common.process.crashpoints import reach
from services.common.process.progress import Loop
from services.common.process.threads import ServiceThread
from services.common.telemetry.logs import get_logger
from services.common.telemetry.tracing import Headers, from_headers, span
from services.rules.cluster.batch_traces import BatchTraces
from services.rules.cluster.deciding import NOT_THE_GAMES_FAULT, CommandProcessor
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.shares import PartitionShares
from services.rules.cluster.takeover import Takeovers
from services.rules.cluster.transactions import BatchAborted, Outgoing, TransactionalWriter, WriterFenced
from services.rules.history import STREAM_PREFIX

GROUP = "rules.owner"
ID_PREFIX = "rules."
COMMANDS_PER_TRANSACTION = 100
# Commands are decided for so long before they are written: the first of many must not wait for the last.
DECIDING_SECONDS = 0.03
# Where the last transaction had several commands the next waits for some more, for as long as that one took to write: a
# few large ones cost Kafka less than many small ones. A single command is written at once.
GATHERING_SECONDS_MAX = 0.025
POLL_SECONDS = 0.1
# A member learns of new partitions with a heartbeat: until then they have no owner.
HEARTBEAT_MS = 300
POLL_SECONDS_WHILE_TAKING_OVER = 0.01
BEGIN_AFRESH_SECONDS = 1.0
TROUBLE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class OwnerTiming:
    """`session_ms`: a member not heard of for so long has lost its partitions."""

    session_ms: int = 10_000
    poll_ms_max: int = 60_000


class Owner:
    """One member of the group of owners, in a thread of its own. After being fenced it restarts as a new member."""

    def __init__(
        self,
        kafka: KafkaSettings,
        processor: CommandProcessor,
        copy: LogCopy,
        metrics: OwnerMetrics,
        timing: OwnerTiming,
    ) -> None:
        """`processor` decides over `copy`, which reports what was committed."""
        self._kafka = kafka
        self._processor = processor
        self._copy = copy
        self._metrics = metrics
        self._timing = timing
        self._log = get_logger("owner")
        self._is_stopping = threading.Event()
        self._thread = ServiceThread("owner", self._live)
        self._last_turn = time.monotonic()
        self._membership: Membership | None = None
        self._can_join = True

    @property
    def partitions(self) -> frozenset[int]:
        """The partitions whose commands are carried out here just now."""
        membership = self._membership
        return frozenset() if membership is None else membership.shares.ready

    def progress_reader(self) -> GroupReader:
        """How far the owners' group is with the commands."""
        return GroupReader("owner", COMMANDS, GROUP, self._assigned, is_exact=True)

    def progress_loop(self) -> Loop:
        """The loop of its thread; a healthy one takes a fraction of a second per round."""
        return Loop("owner", lambda: self._last_turn if self._thread.is_alive() else time.monotonic())

    def state(self) -> Mapping[str, object]:
        """Its state, for the log."""
        membership = self._membership
        if membership is None:
            return {"member": False}
        return {"member": True, **membership.state()}

    def _assigned(self) -> frozenset[int]:
        membership = self._membership
        return frozenset() if membership is None else membership.shares.assigned_now

    def _turn(self) -> None:
        self._last_turn = time.monotonic()

    @property
    def is_alive(self) -> bool:
        """Whether it works, or will once Kafka answers; False while another error keeps it from joining,
        and for good when its copy is damaged."""
        return self._thread.is_alive() and self._can_join

    def start(self) -> None:
        """Join the owners."""
        self._turn()
        self._thread.start()

    def stop(self) -> None:
        """End the transaction at hand and leave the partitions to others. May be called again, and without `start`."""
        self._is_stopping.set()
        if self._thread.is_alive():
            self._thread.join()
            self._leave_group()

    def _leave_group(self) -> None:
        """A static member that only stops keeps its partitions for a session; this one does not come back soon."""
        try:
            admin = new_admin(self._kafka)
            try:
                member = MemberToRemove(group_instance_id=self._kafka.topic_prefix + self._kafka.instance)
                admin.remove_group_members(self._kafka.topic_prefix + GROUP, [member])
            finally:
                admin.close()
        except Exception as problem:
            self._log.warning("the group was not left", problem=repr(problem))

    def _live(self) -> None:
        while not self._is_stopping.is_set():
            self._turn()
            if not self._copy.is_writable:
                self._is_stopping.wait(BEGIN_AFRESH_SECONDS)
                continue
            try:
                self._join_and_work()
            except (WriterFenced, ClientFailed) as fenced:
                self._metrics.fenced.inc()
                self._log.error("fenced: everything is dropped, this owner restarts", problem=str(fenced))
            except Exception as problem:
                if isinstance(problem, sqlite3.Error) and is_damaged(problem):
                    self._log.critical("the copy is damaged: others carry on", problem=repr(problem))
                    self._leave_group()
                    return
                self._log.error("the owner restarts", problem=repr(problem))
            self._is_stopping.wait(BEGIN_AFRESH_SECONDS)

    def _join_and_work(self) -> None:
        self._membership = membership = self._new_membership()
        try:
            membership.work_until(
                lambda: self._is_stopping.is_set() or not self._copy.is_writable, self._turn
            )
        finally:
            self._membership = None
            membership.leave()
        if not self._copy.is_writable:
            self._log.error("no room for the copy: the partitions go to owners that have some")
            self._leave_group()

    def _new_membership(self) -> Membership:
        try:
            writer = TransactionalWriter(self._kafka, self._transactional_id)
            writer.open()
            made = Membership(self._kafka, self._processor, self._copy, self._metrics, self._timing, writer)
        except Exception as problem:
            self._can_join = isinstance(problem, KafkaUnreachable)
            raise
        self._can_join = True
        return made

    @property
    def _transactional_id(self) -> str:
        return self._kafka.topic_prefix + ID_PREFIX + self._kafka.instance


class Membership:
    """One membership of the group: from joining until it is stopped or fenced."""

    def __init__(
        self,
        kafka: KafkaSettings,
        processor: CommandProcessor,
        copy: LogCopy,
        metrics: OwnerMetrics,
        timing: OwnerTiming,
        writer: TransactionalWriter,
    ) -> None:
        self._kafka = kafka
        self._processor = processor
        self._metrics = metrics
        self._writer = writer
        self._gathering_seconds = 0.0
        self._traces = BatchTraces()
        self._log = get_logger("owner")
        self._topic = COMMANDS.name_in(kafka)
        self._consumer = _consumer(kafka, timing)
        id_prefix = kafka.topic_prefix + ID_PREFIX
        self._takeovers = Takeovers(
            kafka, self._topic, GROUP, copy, id_prefix, id_prefix + kafka.instance, metrics
        )
        self.shares = PartitionShares(self._topic, self._consumer, self._takeovers, self._dropped, metrics)

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
                self._decide(message)
                reach("owner.after-decide")
                decided.append(message)
                reached[_partition(message)] = _offset(message) + 1
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

    def _decide(self, message: Message) -> None:
        position = (self._topic, _partition(message), _offset(message))
        game_id = (message.key() or b"").decode("utf-8", "replace")
        reason = self.shares.verdict(message)
        with span("rules.owner decide", "consumer", from_headers(message.headers()), game_id=game_id):
            if reason is None:
                self._processor.execute(position, message.value())
            else:
                self._processor.dead_letter(position, message.value(), reason)
            self._traces.decided(game_id, len(self._processor.staged.staged))

    def _write(self, reached: dict[int, int], commands: int) -> None:
        begun = time.monotonic()
        offsets = [TopicPartition(self._topic, partition, offset) for partition, offset in reached.items()]
        with self._traces.writing(commands):
            self._writer.write(self._outgoing(), offsets, self._consumer.consumer_group_metadata())
        reach("owner.after-commit")
        seconds = time.monotonic() - begun
        self._metrics.transaction_seconds.observe(seconds)
        self._metrics.batch.observe(commands)
        self._gathering_seconds = min(seconds, GATHERING_SECONDS_MAX) if commands > 1 else 0.0
        self._processor.committed()
        self.shares.done(reached)

    def _outgoing(self) -> Iterator[Outgoing]:
        processor, traces = self._processor, self._traces
        for index, commit in enumerate(processor.staged.staged):
            game_id = commit.stream.removeprefix(STREAM_PREFIX)
            yield self._keyed(EVENTS, game_id, commit.SerializeToString(), traces.of_commit(index))
        for snapshot in processor.snapshots.staged:
            yield self._keyed(
                SNAPSHOTS, snapshot.stream.removeprefix(STREAM_PREFIX), snapshot.SerializeToString()
            )
        for status in processor.output.statuses:
            headers = traces.of_game(status.game_id)
            yield self._keyed(GAME_STATUSES, status.game_id, status.SerializeToString(), headers)
        for wanted in processor.output.wanted:
            headers = traces.of_game(wanted.game_id)
            yield self._keyed(ROUTING_REQUESTS, wanted.game_id, wanted.SerializeToString(), headers)
        for game_id, letter in processor.output.dead_letters:
            yield self._keyed(
                OWNER_DEAD_LETTERS, game_id, None if letter is None else letter.SerializeToString()
            )
        for partition, outcome in processor.output.outcomes:
            name = OUTCOMES.name_in(self._kafka)
            yield Outgoing(name, partition, outcome.game_id.encode(), outcome.SerializeToString())

    def _keyed(self, topic: Topic, key: str, value: bytes | None, headers: Headers | None = None) -> Outgoing:
        partition = partition_of(key, topic.partitions(self._kafka))
        return Outgoing(topic.name_in(self._kafka), partition, key.encode(), value, headers or [])

    def _dropped(self, partitions: frozenset[int]) -> None:
        """These partitions may have another owner: drop what is known here of their games."""
        count = COMMANDS.partitions(self._kafka)
        self._processor.drop(lambda game_id: partition_of(game_id, count) in partitions)


def _consumer(kafka: KafkaSettings, timing: OwnerTiming) -> Consumer:
    return new_consumer(
        kafka,
        GROUP,
        **{
            "group.instance.id": kafka.topic_prefix + kafka.instance,
            "partition.assignment.strategy": "cooperative-sticky",
            "session.timeout.ms": timing.session_ms,
            "heartbeat.interval.ms": HEARTBEAT_MS,
            # The library takes no session that is longer than this.
            "max.poll.interval.ms": max(timing.poll_ms_max, timing.session_ms),
            "queued.min.messages": COMMANDS_PER_TRANSACTION * 10,
        },
    )


def _partition(message: Message) -> int:
    partition = message.partition()
    if partition is None:
        raise KafkaException("a message without a partition")
    return partition


def _offset(message: Message) -> int:
    offset = message.offset()
    if offset is None:
        raise KafkaException("a message without an offset")
    return offset
