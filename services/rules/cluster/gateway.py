"""Sends a command to the owner of its game and returns the outcome to the caller."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError, TimeoutError as FutureTimeout
from contextlib import suppress
from itertools import count
from secrets import token_urlsafe

import grpc
from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition
from prometheus_client import CollectorRegistry

from services.common.clock import Clock, SystemClock
from services.common.errors import CallError, DeadlineExceeded, InvalidRequest, Overloaded, Unavailable
from services.common.eventlog.port import Appended, AppendResult
from services.common.kafka.clients import new_consumer
from services.common.kafka.consuming import ClientFailed, poll_messages
from services.common.kafka.offsets import ends
from services.common.kafka.packing import value_of
from services.common.kafka.progress import OwnReader
from services.common.kafka.renewed import RenewedProducer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS, OUTCOMES, PartitionName
from services.common.partitions import partition_of
from services.common.process.crashpoints import reach
from services.common.process.threads import ServiceThread
from services.common.settings.service import SettingsError
from services.common.shown import shown
from services.common.telemetry.logs import get_logger
from services.common.telemetry.tracing import inject_headers, span
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster.handed import Handed
from services.rules.cluster.metrics import GatewayMetrics
from services.rules.cluster.records import (
    Blocked,
    DeadLettered,
    Expired,
    Outcome,
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
NAME_BYTES = 6
# By which way a command went, and an answer came.
DIRECT, LOG = "direct", "log"


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
        hand: Callable[[Handed], bool] = lambda _: False,
    ) -> None:
        """`service`: prefix of its consumer groups. `follows_events`: whether `applied` is called for every
        commit of rules.events just now, so that accepted commands need no other answer. `hand`: `Owner.hand` of this process."""
        self._kafka = kafka
        self._clock = clock or SystemClock()
        self._metrics = GatewayMetrics(registry or CollectorRegistry())
        self._log = get_logger("gateway")
        self._commands = COMMANDS.name_in(kafka)
        self._partitions = COMMANDS.partitions(kafka)
        self._group = f"{service}.outcomes.{kafka.instance}"
        self._follows_events = follows_events
        self._hand = hand
        self._sendings = count(1)
        self._name = token_urlsafe(NAME_BYTES)
        self._waiting: dict[str, Future[Outcome]] = {}
        self._producer = RenewedProducer(kafka, **{"message.timeout.ms": int(DELIVERY_SECONDS * 1000)})
        self._is_closing = threading.Event()
        self._thread: ServiceThread | None = None
        self._next: dict[PartitionName, int] = {}

    def start(self) -> None:
        """Read outcomes from now on. Raises `KafkaUnreachable`."""
        self._next = ends(self._kafka, [OUTCOMES])
        self._thread = ServiceThread("gateway", self._listen)
        self._thread.start()

    @property
    def is_listening(self) -> bool:
        """Whether outcomes are read."""
        return self._thread is not None and self._thread.is_alive()

    def progress_reader(self) -> OwnReader:
        """How far the outcomes are read."""
        return OwnReader(
            "outcomes", OUTCOMES, lambda: {number: offset for (_, number), offset in self._next.items()}
        )

    def close(self) -> None:
        """Fail the commands that still wait. May be called again."""
        self._is_closing.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._producer.flush(DELIVERY_SECONDS)
        for future in list(self._waiting.values()):
            _fail(future, Unavailable("the service stops; the same request may be sent again"))

    def applied(
        self, commit: pb.Commit, result: AppendResult, was_read: bool = True, events: Sequence[GameEvent] = ()
    ) -> None:
        """The copy of rules.events has this commit: it is the outcome of a command that waits for it. `was_read` False: from the
        owner in this process, who may give its events as well."""
        future = self._waiting.get(commit.append_id)
        if future is not None and isinstance(result, Appended):
            outcome = CommandAccepted(result.first, result.last, events=events)
            self._settle(future, outcome, LOG if was_read else DIRECT)

    def answered(self, outcome: pb.CommandOutcome) -> None:
        """The owner in this process has committed the outcome of a command; other senders hear of it by the log."""
        future = self._waiting.get(outcome.reply_id)
        if future is not None:
            self._settle(future, read_outcome(outcome), DIRECT)

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
        sent = command_sent(request, "", best_runs, self._follows_events())
        if sent.ByteSize() > VALUE_BYTES_MAX:
            raise InvalidRequest(f"the command takes {sent.ByteSize()} bytes, more than {VALUE_BYTES_MAX}")
        self._metrics.waiting.inc()
        try:
            return _result(self._outcome(request, sent, seconds), request)
        finally:
            self._metrics.waiting.dec()

    def _outcome(self, request: Request, sent: pb.CommandSent, seconds: float | None) -> Outcome:
        begun = time.monotonic()
        end = begun + (SECONDS_MAX if seconds is None else min(seconds, SECONDS_MAX))
        sent.deadline_ms = self._clock.now_ms() + _milliseconds(end - begun)
        outcome = self._answer(request, sent, end)
        if isinstance(outcome, Expired) and (left := end - time.monotonic()) > 0:
            # There is time left by this clock, so the owner's differs: the deadline is sent again by the owner's.
            self._note_clocks(sent, outcome.owner_time_ms)
            sent.deadline_ms = outcome.owner_time_ms + _milliseconds(left)
            outcome = self._answer(request, sent, end)
        self._metrics.seconds.observe(time.monotonic() - begun)
        reach("gateway.before-answer")
        return outcome

    def _note_clocks(self, sent: pb.CommandSent, owner_time_ms: int) -> None:
        self._metrics.expired_early.inc()
        self._log.warning(
            "clocks differ", game_id=sent.game_id, own_ms=self._clock.now_ms(), owner_ms=owner_time_ms
        )

    def _answer(self, request: Request, sent: pb.CommandSent, end: float) -> Outcome:
        """Send it and wait until `end`, in monotonic time."""
        future: Future[Outcome] = Future()
        sent.reply_id = f"{self._name}.{next(self._sendings)}"
        self._waiting[sent.reply_id] = future
        try:
            reach("gateway.before-send")
            with span("rules.commands send", "producer", game_id=sent.game_id):
                if not self._is_handed(future, request, sent):
                    self._send(future, sent)
            reach("gateway.after-send")
            return future.result(max(0.0, end - time.monotonic()))
        except FutureTimeout:
            self._metrics.unanswered.inc()
            raise _not_in_time() from None
        finally:
            del self._waiting[sent.reply_id]

    def _is_handed(self, future: Future[Outcome], request: Request, sent: pb.CommandSent) -> bool:
        """Whether the owner is in this process, and has taken the command."""

        def send_by_log() -> None:
            try:
                self._send(future, sent)
            except Unavailable as problem:
                _fail(future, problem)

        partition = partition_of(sent.game_id, self._partitions)
        is_taken = self._hand(Handed(request, sent, partition, send_by_log, inject_headers()))
        if is_taken:
            self._metrics.sent.labels(DIRECT).inc()
        return is_taken

    def _send(self, future: Future[Outcome], sent: pb.CommandSent) -> None:
        def delivered(error: KafkaError | None, _message: Message) -> None:
            if error is not None:
                _fail(future, _unavailable(error.str()))

        try:
            self._producer.produce(
                self._commands,
                value_of(self._kafka, sent.game_id, sent),
                sent.game_id.encode(),
                partition_of(sent.game_id, self._partitions),
                on_delivery=delivered,
                headers=inject_headers(),
            )
        except (BufferError, KafkaException) as error:
            raise _unavailable(str(error)) from error
        self._metrics.sent.labels(LOG).inc()

    def _listen(self) -> None:
        """Read outcomes, with a new consumer whenever one fails."""
        while not self._is_closing.is_set():
            try:
                self._listen_with_one_consumer()
            except (KafkaException, ClientFailed, SettingsError) as problem:
                self._log.error("outcomes cannot be read: restarting", problem=str(problem))
                self._is_closing.wait(RETRY_SECONDS)

    def _listen_with_one_consumer(self) -> None:
        options = {"auto.offset.reset": "latest", "enable.partition.eof": True}
        consumer = new_consumer(self._kafka, self._group, **options)
        try:
            consumer.assign([TopicPartition(*name, offset) for name, offset in self._next.items()])
            while not self._is_closing.is_set():
                self._take_next(consumer)
        finally:
            consumer.close()

    def _take_next(self, consumer: Consumer) -> None:
        self._producer.poll(0)
        for message in poll_messages(consumer, POLL_SECONDS, OUTCOMES_AT_ONCE):
            error = message.error()
            if error is not None and error.code() != KafkaError._PARTITION_EOF:
                self._log.warning("kafka", problem=str(error))
                continue
            if error is None:
                self._take(message)
            name = (message.topic() or "", message.partition() or 0)
            self._next[name] = (message.offset() or 0) + (error is None)

    def _take(self, message: Message) -> None:
        try:
            record = parsed(pb.CommandOutcome, message.value())
            future = self._waiting.get(record.reply_id)
            if future is not None:
                self._settle(future, read_outcome(record), LOG)
        except UnreadableRecord as problem:
            self._log.error(
                "unreadable record",
                topic=message.topic(),
                partition=message.partition(),
                offset=message.offset(),
                problem=str(problem),
            )

    def _settle(self, future: Future[Outcome], outcome: Outcome, path: str) -> None:
        """The first answer counts, from whichever thread it comes."""
        with suppress(InvalidStateError):
            future.set_result(outcome)
            self._metrics.answers.labels(path).inc()


def _unavailable(problem: str) -> Unavailable:
    return Unavailable(f"Kafka does not take the command: {problem}; the same request may be sent again")


def _fail(future: Future[Outcome], problem: Exception) -> None:
    with suppress(InvalidStateError):
        future.set_exception(problem)


def _milliseconds(seconds: float) -> int:
    return max(1, int(seconds * 1000))


def _not_in_time() -> DeadlineExceeded:
    return DeadlineExceeded("the outcome is not known in time; the same request may be sent again")


def _result(outcome: Outcome, request: Request) -> CommandResult:
    match outcome:
        case Expired():
            raise _not_in_time()
        case Stale(actual):
            raise StaleSequenceError(request.expected_sequence, actual)
        case Unknown():
            raise UnknownGameError(f"no game has the id {shown(request.game_id)}")
        case Blocked(reason):
            raise GameBlocked(f"the game is blocked until an operator releases it: {reason}")
        case DeadLettered(reason):
            raise InvalidRequest(f"the command was dead-lettered: {reason}")
    return outcome
