"""Sends a command to the owner of its game and returns the outcome to the caller."""

from __future__ import annotations

import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError, TimeoutError as FutureTimeout
from contextlib import suppress
from itertools import count
from uuid import uuid4

import grpc
from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition
from prometheus_client import CollectorRegistry

from services.common.clock import Clock, SystemClock
from services.common.errors import CallError, DeadlineExceeded, InvalidRequest, Overloaded, Unavailable
from services.common.eventlog.port import Appended, AppendResult
from services.common.kafka.clients import new_consumer
from services.common.kafka.consuming import ClientFailed, poll_messages
from services.common.kafka.offsets import ends
from services.common.kafka.progress import OwnReader
from services.common.kafka.renewed import RenewedProducer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS, OUTCOMES, PartitionName, partition_of
from services.common.process.crashpoints import reach
from services.common.process.threads import ServiceThread
from services.common.settings.service import SettingsError
from services.common.shown import shown
from services.common.telemetry.logs import get_logger
from services.common.telemetry.tracing import inject_headers, span
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster.metrics import GatewayMetrics
from services.rules.cluster.records import (
    Blocked,
    DeadLettered,
    Outcome,
    ReplyAddress,
    Stale,
    Unknown,
    UnreadableRecord,
    command_sent,
    parsed,
    read_outcome,
)
from services.rules.cluster.staging import VALUE_BYTES_MAX
from services.rules.kernel.commands import CreateGame
from services.rules.requests import (
    CREATION_REQUEST,
    CommandAccepted,
    CommandResult,
    ImportGame,
    Request,
    StaleSequenceError,
)
from services.rules.sessions import UnknownGameError

IN_FLIGHT_MAX = 1000
SECONDS_MAX = 30.0
DELIVERY_SECONDS = 5.0
POLL_SECONDS = 0.1
OUTCOMES_AT_ONCE = 500
RETRY_SECONDS = 0.5
# Of a name that no other gateway has: it stands in every command and in every commit.
NAME_BYTES = 9


class GameBlocked(CallError):
    """The game takes no commands until an operator releases it; the message has the reason."""

    code = grpc.StatusCode.FAILED_PRECONDITION


class CommandGateway:
    """Sends commands and waits for their outcomes. Safe to use from many threads. Between `start` and `close`."""

    def __init__(
        self,
        kafka: KafkaSettings,
        registry: CollectorRegistry | None = None,
        clock: Clock | None = None,
        service: str = "rules",
        follows_events: Callable[[], bool] = lambda: False,
    ) -> None:
        """`service`: prefix of its consumer groups. `follows_events`: whether `applied` is called for every
        commit of rules.events just now, so that accepted commands need no other answer."""
        self._kafka = kafka
        self._clock = clock or SystemClock()
        self._metrics = GatewayMetrics(registry or CollectorRegistry())
        self._log = get_logger("gateway")
        self._commands = COMMANDS.name_in(kafka)
        self._partitions = COMMANDS.partitions(kafka)
        self._reply_partition = partition_of(kafka.instance, OUTCOMES.partitions(kafka))
        self._group = f"{service}.outcomes.{kafka.instance}"
        self._follows_events = follows_events
        self._sendings = count(1)
        self._name = urlsafe_b64encode(uuid4().bytes[:NAME_BYTES]).decode()
        self._waiting: dict[str, Future[Outcome]] = {}
        self._producer = RenewedProducer(kafka, **{"message.timeout.ms": int(DELIVERY_SECONDS * 1000)})
        self._is_closing = threading.Event()
        self._thread: ServiceThread | None = None
        self._next_offset = 0

    def start(self) -> None:
        """Read outcomes from now on. Raises `KafkaUnreachable`."""
        partition = (OUTCOMES.name_in(self._kafka), self._reply_partition)
        self._next_offset = ends(self._kafka, [OUTCOMES])[partition]
        self._thread = ServiceThread("gateway", self._listen, partition)
        self._thread.start()

    @property
    def is_listening(self) -> bool:
        """Whether outcomes are read."""
        return self._thread is not None and self._thread.is_alive()

    def progress_reader(self) -> OwnReader:
        """How far the outcomes for this process are read."""
        return OwnReader("outcomes", OUTCOMES, lambda: {self._reply_partition: self._next_offset})

    def close(self) -> None:
        """Fail the commands that still wait. May be called again."""
        self._is_closing.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._producer.flush(DELIVERY_SECONDS)
        for future in list(self._waiting.values()):
            _fail(future, Unavailable("the service stops; the same request may be sent again"))

    def applied(self, commit: pb.Commit, result: AppendResult) -> None:
        """The copy of rules.events has this commit: it is the outcome of a command that waits for it."""
        future = self._waiting.get(commit.append_id)
        if future is not None and isinstance(result, Appended):
            _settle(future, CommandAccepted(result.first, result.last))

    def create(
        self, game_id: str, command: CreateGame | ImportGame, seconds: float | None = None
    ) -> CommandResult:
        """Set a game up or import it, as `Rules.create`."""
        return self.execute(Request(game_id, "", CREATION_REQUEST, 0, command), None, seconds)

    def execute(
        self, request: Request, best_runs: pb.BestRunsFound | None = None, seconds: float | None = None
    ) -> CommandResult:
        """Have a command carried out, as `Rules.execute`; `best_runs` go with it where it needs them.

        Raises also `Unavailable` and `DeadlineExceeded` when its outcome is unknown: the same request may be
        sent again and gets the first outcome; `Overloaded`, `InvalidRequest` and `GameBlocked` when nothing changed."""
        if self._is_closing.is_set():
            raise Unavailable("the service stops; the same request may be sent again")
        if len(self._waiting) >= IN_FLIGHT_MAX:
            raise Overloaded(f"{IN_FLIGHT_MAX} commands are waiting already")
        reply = ReplyAddress(self._reply_partition, f"{self._name}.{next(self._sendings)}")
        sent = command_sent(request, reply, self._clock.now_ms(), best_runs, self._follows_events())
        if sent.ByteSize() > VALUE_BYTES_MAX:
            raise InvalidRequest(f"the command takes {sent.ByteSize()} bytes, more than {VALUE_BYTES_MAX}")
        future: Future[Outcome] = Future()
        self._waiting[reply.reply_id] = future
        self._metrics.waiting.inc()
        try:
            return _result(self._answer(future, sent, seconds), request)
        finally:
            del self._waiting[reply.reply_id]
            self._metrics.waiting.dec()

    def _answer(self, future: Future[Outcome], sent: pb.CommandSent, seconds: float | None) -> Outcome:
        begun = time.monotonic()
        reach("gateway.before-send")
        with span("rules.commands send", "producer", game_id=sent.game_id):
            self._send(future, sent)
        reach("gateway.after-send")
        try:
            outcome = future.result(SECONDS_MAX if seconds is None else min(seconds, SECONDS_MAX))
        except FutureTimeout:
            self._metrics.unanswered.inc()
            raise DeadlineExceeded(
                "the outcome is not known in time; the same request may be sent again"
            ) from None
        self._metrics.seconds.observe(time.monotonic() - begun)
        reach("gateway.before-answer")
        return outcome

    def _send(self, future: Future[Outcome], sent: pb.CommandSent) -> None:
        def delivered(error: KafkaError | None, _message: Message) -> None:
            if error is not None:
                _fail(future, _unavailable(error.str()))

        try:
            self._producer.produce(
                self._commands,
                sent.SerializeToString(),
                sent.game_id.encode(),
                partition_of(sent.game_id, self._partitions),
                on_delivery=delivered,
                headers=inject_headers(),
            )
        except (BufferError, KafkaException) as error:
            raise _unavailable(str(error)) from error

    def _listen(self, partition: PartitionName) -> None:
        """Read outcomes, with a new consumer whenever one fails."""
        while not self._is_closing.is_set():
            try:
                self._listen_with_one_consumer(partition)
            except (KafkaException, ClientFailed, SettingsError) as problem:
                self._log.error("outcomes cannot be read: restarting", problem=str(problem))
                self._is_closing.wait(RETRY_SECONDS)

    def _listen_with_one_consumer(self, partition: PartitionName) -> None:
        options = {"auto.offset.reset": "latest", "enable.partition.eof": True}
        consumer = new_consumer(self._kafka, self._group, **options)
        try:
            consumer.assign([TopicPartition(*partition, self._next_offset)])
            while not self._is_closing.is_set():
                self._take_next(consumer)
        finally:
            consumer.close()

    def _take_next(self, consumer: Consumer) -> None:
        self._producer.poll(0)
        for message in poll_messages(consumer, POLL_SECONDS, OUTCOMES_AT_ONCE):
            error, offset = message.error(), message.offset() or 0
            if error is None:
                self._take(message)
                self._next_offset = offset + 1
            elif error.code() == KafkaError._PARTITION_EOF:
                self._next_offset = offset
            else:
                self._log.warning("kafka", problem=str(error))

    def _take(self, message: Message) -> None:
        try:
            record = parsed(pb.CommandOutcome, message.value())
            future = self._waiting.get(record.reply_id)
            if future is not None:
                _settle(future, read_outcome(record))
        except UnreadableRecord as problem:
            self._log.error(
                "unreadable record",
                topic=message.topic(),
                partition=message.partition(),
                offset=message.offset(),
                problem=str(problem),
            )


def _unavailable(problem: str) -> Unavailable:
    return Unavailable(f"Kafka does not take the command: {problem}; the same request may be sent again")


def _settle(future: Future[Outcome], outcome: Outcome) -> None:
    """The first answer counts, from whichever thread it comes."""
    with suppress(InvalidStateError):
        future.set_result(outcome)


def _fail(future: Future[Outcome], problem: Exception) -> None:
    with suppress(InvalidStateError):
        future.set_exception(problem)


def _result(outcome: Outcome, request: Request) -> CommandResult:
    match outcome:
        case Stale(actual):
            raise StaleSequenceError(request.expected_sequence, actual)
        case Unknown():
            raise UnknownGameError(f"no game has the id {shown(request.game_id)}")
        case Blocked(reason):
            raise GameBlocked(f"the game is blocked until an operator releases it: {reason}")
        case DeadLettered(reason):
            raise InvalidRequest(f"the command was dead-lettered: {reason}")
    return outcome
