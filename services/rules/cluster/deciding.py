"""Turns a record of rules.commands into the records to be written for it, without Kafka.

The commands of one transaction are decided one after another with the handlers of the embedded host. One that fails
leaves only its outcome: a bad record blocks its own game at most, never its partition.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from prometheus_client import CollectorRegistry

from services.common.archive.errors import DeletedFromArchive, InArchive
from services.common.clock import Clock, SystemClock
from services.common.eventlog.port import AppendResult, EventLog, LogClosed, SnapshotStore
from services.common.kafka.topics import RecordPosition
from services.common.partitions import partition_of
from services.common.settings.accounts import QuotaSettings
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.adapters.alarm import TelemetryAlarm
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.output import Decided, Output
from services.rules.cluster.records import (
    Blocked,
    DeadLettered,
    Expired,
    Hold,
    Outcome,
    ReplyAddress,
    Stale,
    Unknown,
    UnreadableRecord,
    answer,
    dead_letter_message,
    parsed,
    reply_address,
    request_in,
    routes_wanted,
)
from services.rules.cluster.routes import AttachedRoutes
from services.rules.cluster.staging import RecordTooLarge, StagedLog, StagedSnapshots
from services.rules.handlers import Rules
from services.rules.history import STREAM_PREFIX
from services.rules.kernel.commands import CreateGame
from services.rules.kernel.rejections import Rejected
from services.rules.kernel.title import Title
from services.rules.parts.trains.bestruns import question_for
from services.rules.requests import (
    CommandAccepted,
    CommandRejected,
    ImportGame,
    Request,
    StaleSequenceError,
)
from services.rules.sessions import GameSessions, LoadedGame, UnknownGameError
from services.rules.status import shortened, status_of

GAMES_IN_MEMORY = 1000
STATES_IN_MEMORY = 8
EVENTS_AT_EVICTION = 50
GAME_ARCHIVED = "game_archived"
# Errors that a game did not cause: these end the transaction, and it is retried.
NOT_THE_GAMES_FAULT = (sqlite3.Error, OSError, MemoryError, LogClosed)


@dataclass(frozen=True, slots=True)
class _Mark:
    """Sizes of the staged lists before a command."""

    commits: int
    snapshots: int
    statuses: int
    wanted: int


class CommandProcessor:
    """Decides commands. Used by one thread; the thread of the copy calls only `applied`."""

    def __init__(
        self,
        copy: EventLog,
        snapshots: SnapshotStore,
        titles: Mapping[str, Title],
        partitions: int,
        registry: CollectorRegistry,
        metrics: OwnerMetrics,
        clock: Clock | None = None,
        games_in_memory: int = GAMES_IN_MEMORY,
        quota: QuotaSettings = QuotaSettings(),  # noqa: B008  # frozen
        bring_back: Callable[[str], None] = lambda _: None,
        answered: Callable[[pb.CommandOutcome], None] = lambda _: None,
    ) -> None:
        """`bring_back` is called with the id of a game in the archive that got a command, `answered` with each outcome once that
        is committed; both return at once."""
        self._bring_back = bring_back
        self._answered = answered
        self._clock = clock or SystemClock()
        self._partitions = partitions
        self._metrics = metrics
        self._routes = AttachedRoutes()
        self._log = get_logger("owner")
        self._blocked: dict[str, str] = {}
        self.staged = StagedLog(copy, self._clock)
        self.snapshots = StagedSnapshots(snapshots)
        self.sessions = GameSessions(
            self.staged, self.snapshots, titles, games_in_memory, EVENTS_AT_EVICTION, STATES_IN_MEMORY
        )
        alarm = TelemetryAlarm(registry)
        self._rules = Rules(self.staged, self.sessions, titles, self._routes, alarm, quota=quota)
        self.output = Output()

    def applied(self, commit: pb.Commit, result: AppendResult) -> None:
        """The copy has this commit."""
        self.staged.applied(commit, result)

    def decided(self, commit: pb.Commit) -> Decided | None:
        """What this commit led to, from its decision until `committed`. For the owner's thread."""
        return self.output.decided.get(commit.append_id)

    def held(self, hold: Hold) -> None:
        """The ledger holds or releases a game."""
        if hold.held:
            self._rules.hold(hold.game_id, hold.reason)
        else:
            self._rules.release(hold.game_id)

    def is_kept(self, game_id: str) -> bool:
        """Whether the game is held or blocked, so that people have to look at it."""
        return self._rules.is_held(game_id) or game_id in self._blocked

    def execute(self, at: RecordPosition, value: bytes | None) -> None:
        """Decide one command and stage its events and, by its commit or separately, its outcome.

        Raises errors that the game did not cause."""
        reply = reply_address(value, at[1], self._partitions)
        try:
            sent = parsed(pb.CommandSent, value)
            request = None if sent.HasField("release") else request_in(sent)
            self._check_partition(sent.game_id, at[1])
        except UnreadableRecord as problem:
            self._dead_letter_command(at, value, reply, str(problem))
            return
        if request is None:
            self._release(sent.game_id)
            return
        try:
            outcome = self._outcome(request, sent)
        except NOT_THE_GAMES_FAULT:
            raise
        except Exception as problem:
            outcome = self._block(at, value, request.game_id, f"{type(problem).__name__}: {problem}")
        is_answered = _is_answered_by_commit(sent, outcome)
        self._answer(request.game_id, request.request_id, None if is_answered else reply, outcome)

    def execute_handed(self, request: Request, sent: pb.CommandSent) -> bool:
        """Decide a command that its sender in this process gave to the owner, `sent` being how it would go by the log.

        False: nothing is staged, and it has to go by the log, since it blocks its game, or what it leads to cannot be written.
        Raises errors that the game did not cause."""
        try:
            outcome = self._outcome(request, sent)
        except NOT_THE_GAMES_FAULT:
            raise
        except Exception:
            # Decided again where it has an offset, it will break its game again, and is reported with that.
            return False
        if isinstance(outcome, Blocked | DeadLettered):
            return False
        self.output.outcome_kinds.append(_name_of(outcome))
        if not _is_answered_by_commit(sent, outcome):
            message = answer(request.game_id, request.request_id, sent.reply_id, outcome)
            self.output.answers.append(message)
        return True

    def dead_letter(self, at: RecordPosition, value: bytes | None, reason: str) -> None:
        """Decide nothing about this command, over which owners failed: its game is blocked for `reason` until it is released,
        for later owners as well."""
        reply = reply_address(value, at[1], self._partitions)
        try:
            request = request_in(parsed(pb.CommandSent, value))
        except UnreadableRecord as problem:
            self._dead_letter_command(at, value, reply, str(problem))
            return
        outcome = self._block(at, value, request.game_id, reason, outlives_owner=True)
        self._answer(request.game_id, request.request_id, reply, outcome)

    def keep_blocked(self, reasons: Mapping[str, str]) -> None:
        """Former owners blocked these games, whose partition is taken over now."""
        self._blocked.update(reasons)
        self._metrics.blocked_games.set(len(self._blocked))

    def skip(self, at: RecordPosition, value: bytes | None, reason: str) -> None:
        """Decide nothing about this command, since an operator wants it so; its game goes on."""
        self._log.warning("command skipped", topic=at[0], partition=at[1], offset=at[2], reason=reason)
        self._answer("", "", reply_address(value, at[1], self._partitions), DeadLettered(reason))

    def committed(self) -> None:
        """Everything staged is written: senders in this process hear of it at once. Finished games are evicted from memory."""
        for outcome in (*self.output.answers, *(written for _, written in self.output.outcomes)):
            self._answered(outcome)
        finished = self.output.finished
        for kind in self.output.outcome_kinds:
            self._metrics.commands.labels(kind).inc()
        self.staged.clear_staged()
        self.snapshots.staged.clear()
        self.output = Output()
        if finished:
            self.sessions.forget(finished.__contains__)

    def drop(self, is_dropped: Callable[[str], bool]) -> None:
        """Nothing staged was written, and other owners may have the games chosen by id: forget them."""
        self.output = Output()
        self.staged.clear_staged()
        self.snapshots.staged.clear()
        self.staged.drop(lambda stream: is_dropped(_game_of(stream)))
        self.sessions.forget(is_dropped)
        for game_id in [each for each in self._blocked if is_dropped(each)]:
            del self._blocked[game_id]
        self._metrics.blocked_games.set(len(self._blocked))

    def forget_diverged(self) -> None:
        """Games with a commit by another writer are loaded from the copy again."""
        diverged = {_game_of(stream) for stream in self.staged.diverged()}
        if diverged:
            self._log.error("commit by another writer", games=sorted(diverged))
            self.sessions.forget(diverged.__contains__)

    def _check_partition(self, game_id: str, partition: int) -> None:
        """A game has one owner only if all its commands are in one partition."""
        right = partition_of(game_id, self._partitions)
        if partition != right:
            raise UnreadableRecord(
                f"CommandSent.game_id: {game_id!r} belongs to partition {right}, not {partition}"
            )

    def _outcome(self, request: Request, sent: pb.CommandSent) -> Outcome:
        """Stage what the command leads to. Where an error is raised nothing of it is staged."""
        self.staged.name_next(sent.reply_id if sent.follows_events else "")
        reason = self._blocked.get(request.game_id)
        mark = self._mark()
        try:
            if reason is not None:
                return self._rules.earlier_result(request) or Blocked(reason)
            outcome = self._decided(request, sent)
            if isinstance(outcome, CommandAccepted) and not outcome.repeated:
                # A late command is decided all the same: one that breaks its game, or its owner, must not be passed over
                # and come back under the same request id.
                if self._is_late(sent):
                    self._roll_back(mark, request.game_id)
                    return Expired(self._clock.now_ms())
                self._follow(request.game_id, outcome.events)
        except InArchive:
            self._roll_back(mark, request.game_id)
            self._bring_back(request.game_id)
            return CommandRejected(Rejected(GAME_ARCHIVED, retryable=True).rejection())
        except DeletedFromArchive:
            self._roll_back(mark, request.game_id)
            return Unknown()
        except Exception:
            self._roll_back(mark, request.game_id)
            raise
        return outcome

    def _is_late(self, sent: pb.CommandSent) -> bool:
        return bool(sent.deadline_ms) and self._clock.now_ms() > sent.deadline_ms

    def _decided(self, request: Request, sent: pb.CommandSent) -> Outcome:
        self._routes.attach(sent.best_runs if sent.HasField("best_runs") else None)
        try:
            if isinstance(request.command, CreateGame | ImportGame):
                return self._rules.create(request.game_id, request.command)
            return self._rules.execute(request)
        except StaleSequenceError as stale:
            return Stale(stale.actual)
        except UnknownGameError:
            return Unknown()
        except RecordTooLarge as problem:
            return DeadLettered(str(problem))

    def _follow(self, game_id: str, events: Sequence[GameEvent]) -> None:
        """Stage the game's status, and the route problem of its next run."""
        loaded = self.sessions.get(game_id)
        commit = self.staged.staged[-1]
        self.output.decided[commit.append_id] = Decided(loaded.game, events)
        status = status_of(game_id, loaded.title, loaded.data, loaded.game, commit.recorded_time_ms)
        # Later on readers know title and players: they took the game's first status, or have its table.
        self.output.statuses.append(status if commit.first_sequence == 1 else shortened(status))
        if loaded.game.finished:
            self.output.finished.add(game_id)
        else:
            self._want_routes(loaded)

    def _want_routes(self, loaded: LoadedGame) -> None:
        try:
            problem = question_for(loaded.title, loaded.game, loaded.data, None)
        except Exception as error:
            # Only a hint to solve ahead: the command of the run itself will report the error.
            self._log.warning("no question for the next run", game_id=loaded.game_id, problem=repr(error))
            return
        if problem is not None:
            self.output.wanted.append(routes_wanted(loaded.game_id, loaded.game.sequence, problem))

    def _answer(self, game_id: str, request_id: str, reply: ReplyAddress | None, outcome: Outcome) -> None:
        self.output.outcome_kinds.append(_name_of(outcome))
        if reply is not None:
            message = answer(game_id, request_id, reply.reply_id, outcome)
            self.output.outcomes.append((reply.partition, message))

    def _dead_letter_command(
        self, at: RecordPosition, value: bytes | None, reply: ReplyAddress | None, reason: str
    ) -> None:
        self._log.error(
            "command dead-lettered",
            topic=at[0],
            partition=at[1],
            offset=at[2],
            reason=reason,
        )
        self._metrics.dead_letters.inc()
        self.output.dead_letters.append(
            ("", dead_letter_message("", at, reason, value, self._clock.now_ms()))
        )
        self._answer("", "", reply, DeadLettered(reason))

    def _block(
        self, at: RecordPosition, value: bytes | None, game_id: str, reason: str, outlives_owner: bool = False
    ) -> Blocked:
        self._log.error("game blocked", game_id=game_id, partition=at[1], offset=at[2], reason=reason)
        self._blocked[game_id] = reason
        self._metrics.blocked_games.set(len(self._blocked))
        letter = dead_letter_message(game_id, at, reason, value, self._clock.now_ms(), outlives_owner)
        self.output.dead_letters.append((game_id, letter))
        return Blocked(reason)

    def _release(self, game_id: str) -> None:
        """An operator releases the game."""
        self._log.info("game released", game_id=game_id)
        self._blocked.pop(game_id, None)
        self._metrics.blocked_games.set(len(self._blocked))
        self.output.dead_letters.append((game_id, None))
        self.output.outcome_kinds.append("released")

    def _mark(self) -> _Mark:
        return _Mark(
            len(self.staged.staged),
            len(self.snapshots.staged),
            len(self.output.statuses),
            len(self.output.wanted),
        )

    def _roll_back(self, mark: _Mark, game_id: str) -> None:
        self.staged.roll_back(mark.commits)
        self.snapshots.roll_back(mark.snapshots)
        del self.output.statuses[mark.statuses :]
        del self.output.wanted[mark.wanted :]
        self.output.finished.discard(game_id)
        self.sessions.forget(lambda each: each == game_id)


def _is_answered_by_commit(sent: pb.CommandSent, outcome: Outcome) -> bool:
    """Whether the sender takes the commit for the outcome."""
    return sent.follows_events and isinstance(outcome, CommandAccepted) and not outcome.repeated


def _game_of(stream: str) -> str:
    return stream.removeprefix(STREAM_PREFIX)


def _name_of(outcome: Outcome) -> str:
    match outcome:
        case CommandAccepted(repeated=True):
            return "repeated"
        case CommandAccepted():
            return "carried_out"
        case CommandRejected():
            return "rejected"
        case Stale():
            return "stale"
        case Unknown():
            return "unknown_game"
        case Blocked():
            return "blocked"
        case DeadLettered():
            return "dead_lettered"
        case Expired():
            return "expired"
