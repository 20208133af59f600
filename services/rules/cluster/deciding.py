"""From a record of rules.commands to everything that has to be written for it, without Kafka.

The commands of one transaction are decided one after another with the handlers of the embedded host. One that cannot be
carried out leaves nothing behind but its outcome: a bad record stops its own game at most, never its partition.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry

from services.common.clock import Clock, SystemClock
from services.common.eventlog.port import AppendResult, EventLog, LogClosed, SnapshotStore
from services.common.kafka.topics import partition_of
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.adapters.alarm import TelemetryAlarm
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.records import (
    GameIsParked,
    Hold,
    Outcome,
    PutAside,
    ReplyAddress,
    Stale,
    Unknown,
    UnreadableRecord,
    answer,
    parked_message,
    parsed,
    reply_address,
    request_in,
    routes_wanted,
    standing_message,
)
from services.rules.cluster.routes import AttachedRoutes
from services.rules.cluster.staging import RecordTooLarge, StagedLog, StagedSnapshots
from services.rules.domain.commands import CreateGame
from services.rules.domain.title import Title
from services.rules.handlers import CarriedOut, Request, Rules, StaleSequenceError, TurnedDown
from services.rules.history import STREAM_PREFIX
from services.rules.reading import standing_of
from services.rules.sessions import GameSessions, HotGame, UnknownGameError

GAMES_IN_MEMORY = 1000
STATES_IN_MEMORY = 8
EVENTS_AT_LEAVING = 50
# What is no fault of a game: these end the transaction, and it is tried again.
NOT_THE_GAMES_FAULT = (sqlite3.Error, OSError, MemoryError, LogClosed)
Place = tuple[str, int, int]


@dataclass(slots=True)
class Output:
    """What goes beside commits and snapshots: values for their topics, outcomes with the partition of their reader.

    `parked`: by game in their order, None where it goes on."""

    outcomes: list[tuple[int, pb.CommandOutcome]] = field(default_factory=list)
    standings: list[pb.Standing] = field(default_factory=list)
    wanted: list[pb.RoutesWanted] = field(default_factory=list)
    parked: list[tuple[str, pb.Parked | None]] = field(default_factory=list)
    finished: set[str] = field(default_factory=set)
    told: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Mark:
    """How much was staged before a command."""

    commits: int
    snapshots: int
    standings: int
    wanted: int


class CommandDesk:
    """Decides commands. One thread uses it; the copy's thread only tells it what the copy has met."""

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
    ) -> None:
        self._clock = clock or SystemClock()
        self._partitions = partitions
        self._metrics = metrics
        self._routes = AttachedRoutes()
        self._log = get_logger("owner")
        self._parked: dict[str, str] = {}
        self.staged = StagedLog(copy, self._clock)
        self.snapshots = StagedSnapshots(snapshots)
        self.sessions = GameSessions(
            self.staged, self.snapshots, titles, games_in_memory, EVENTS_AT_LEAVING, STATES_IN_MEMORY
        )
        self._rules = Rules(self.staged, self.sessions, titles, self._routes, TelemetryAlarm(registry))
        self.output = Output()

    def applied(self, commit: pb.Commit, result: AppendResult) -> None:
        """The copy has met this commit."""
        self.staged.applied(commit, result)

    def held(self, hold: Hold) -> None:
        """The ledger holds a game, or lets it go on."""
        if hold.held:
            self._rules.hold(hold.game_id, hold.reason)
        else:
            self._rules.release(hold.game_id)

    def carry_out(self, place: Place, value: bytes | None) -> None:
        """Decide one command and stage what it leads to, its outcome always, by its commit or beside it.

        Raises what is no fault of its game."""
        reply = reply_address(value, self._partitions)
        try:
            sent = parsed(pb.CommandSent, value)
            request = None if sent.HasField("release") else request_in(sent)
            self._check_partition(sent.game_id, place[1])
        except UnreadableRecord as problem:
            self._put_aside(place, value, reply, str(problem))
            return
        if request is None:
            self._let_go_on(sent.game_id)
            return
        self.staged.name_next(sent.reply_id if sent.follows_events else "")
        outcome = self._outcome(place, value, request, sent)
        is_told = sent.follows_events and isinstance(outcome, CarriedOut) and not outcome.repeated
        self._tell(request.game_id, request.request_id, None if is_told else reply, outcome)

    def park(self, place: Place, value: bytes | None, reason: str) -> None:
        """Decide nothing about this command: its game is parked for `reason`."""
        reply = reply_address(value, self._partitions)
        try:
            request = request_in(parsed(pb.CommandSent, value))
        except UnreadableRecord as problem:
            self._put_aside(place, value, reply, str(problem))
            return
        self._tell(
            request.game_id, request.request_id, reply, self._park(place, value, request.game_id, reason)
        )

    def committed(self) -> None:
        """Everything staged is written. Finished games leave the memory; their events stay where they are."""
        finished = self.output.finished
        for kind in self.output.told:
            self._metrics.commands.labels(kind).inc()
        self.staged.clear_staged()
        self.snapshots.staged.clear()
        self.output = Output()
        if finished:
            self.sessions.forget(finished.__contains__)

    def drop(self, is_dropped: Callable[[str], bool]) -> None:
        """Nothing staged was written, and others may own the games chosen by id: forget all of these."""
        self.output = Output()
        self.staged.clear_staged()
        self.snapshots.staged.clear()
        self.staged.drop(lambda stream: is_dropped(_game_of(stream)))
        self.sessions.forget(is_dropped)
        for game_id in [each for each in self._parked if is_dropped(each)]:
            del self._parked[game_id]
        self._metrics.parked.set(len(self._parked))

    def forget_diverged(self) -> None:
        """Games in which somebody else has written are read from the copy again."""
        diverged = {_game_of(stream) for stream in self.staged.diverged()}
        if diverged:
            self._log.error("somebody else has written", games=sorted(diverged))
            self.sessions.forget(diverged.__contains__)

    def _check_partition(self, game_id: str, partition: int) -> None:
        """A game has one owner only as long as all of its commands come in one partition."""
        right = partition_of(game_id, self._partitions)
        if partition != right:
            raise UnreadableRecord(
                f"CommandSent.game_id: {game_id!r} belongs to partition {right}, not {partition}"
            )

    def _outcome(self, place: Place, value: bytes | None, request: Request, sent: pb.CommandSent) -> Outcome:
        parked = self._parked.get(request.game_id)
        mark = self._mark()
        try:
            if parked is not None:
                return self._rules.earlier_outcome(request) or GameIsParked(parked)
            outcome = self._decided(request, sent)
            if isinstance(outcome, CarriedOut) and not outcome.repeated:
                self._follow(request.game_id)
        except NOT_THE_GAMES_FAULT:
            self._roll_back(mark, request.game_id)
            raise
        except Exception as problem:
            self._roll_back(mark, request.game_id)
            return self._park(place, value, request.game_id, f"{type(problem).__name__}: {problem}")
        return outcome

    def _decided(self, request: Request, sent: pb.CommandSent) -> Outcome:
        self._routes.attach(sent.best_runs if sent.HasField("best_runs") else None)
        try:
            if isinstance(request.command, CreateGame):
                return self._rules.create(request.game_id, request.command)
            return self._rules.execute(request)
        except StaleSequenceError as stale:
            return Stale(stale.actual)
        except UnknownGameError:
            return Unknown()
        except RecordTooLarge as problem:
            return PutAside(str(problem))

    def _follow(self, game_id: str) -> None:
        """Stage how the game stands now, and the question that its next run will ask."""
        hot = self.sessions.look(game_id)
        recorded_time_ms = self.staged.staged[-1].recorded_time_ms
        standing = standing_of(hot.title, hot.data, hot.game, recorded_time_ms)
        self.output.standings.append(standing_message(game_id, standing))
        if hot.game.finished:
            self.output.finished.add(game_id)
        else:
            self._want_routes(hot)

    def _want_routes(self, hot: HotGame) -> None:
        try:
            problem = hot.title.route_question(hot.game, hot.data, None)
        except Exception as error:
            # Only a hint to work ahead: who asks for the run is told what is wrong.
            self._log.warning("no question for the next run", game_id=hot.game_id, problem=repr(error))
            return
        if problem is not None:
            self.output.wanted.append(routes_wanted(hot.game_id, hot.game.sequence, problem))

    def _tell(self, game_id: str, request_id: str, reply: ReplyAddress | None, outcome: Outcome) -> None:
        self.output.told.append(_name_of(outcome))
        if reply is not None:
            message = answer(game_id, request_id, reply.reply_id, outcome)
            self.output.outcomes.append((reply.partition, message))

    def _put_aside(self, place: Place, value: bytes | None, reply: ReplyAddress | None, reason: str) -> None:
        self._log.error(
            "command put aside", topic=place[0], partition=place[1], offset=place[2], reason=reason
        )
        self._metrics.put_aside.inc()
        self.output.parked.append(("", parked_message("", place, reason, value, self._clock.now_ms())))
        self._tell("", "", reply, PutAside(reason))

    def _park(self, place: Place, value: bytes | None, game_id: str, reason: str) -> GameIsParked:
        self._log.error("game parked", game_id=game_id, partition=place[1], offset=place[2], reason=reason)
        self._parked[game_id] = reason
        self._metrics.parked.set(len(self._parked))
        parked = parked_message(game_id, place, reason, value, self._clock.now_ms())
        self.output.parked.append((game_id, parked))
        return GameIsParked(reason)

    def _let_go_on(self, game_id: str) -> None:
        """An operator says that the cause is mended, or wants it tried again."""
        self._log.info("game goes on", game_id=game_id)
        self._parked.pop(game_id, None)
        self._metrics.parked.set(len(self._parked))
        self.output.parked.append((game_id, None))
        self.output.told.append("released")

    def _mark(self) -> _Mark:
        return _Mark(
            len(self.staged.staged),
            len(self.snapshots.staged),
            len(self.output.standings),
            len(self.output.wanted),
        )

    def _roll_back(self, mark: _Mark, game_id: str) -> None:
        self.staged.roll_back(mark.commits)
        self.snapshots.roll_back(mark.snapshots)
        del self.output.standings[mark.standings :]
        del self.output.wanted[mark.wanted :]
        self.output.finished.discard(game_id)
        self.sessions.forget(lambda each: each == game_id)


def _game_of(stream: str) -> str:
    return stream.removeprefix(STREAM_PREFIX)


def _name_of(outcome: Outcome) -> str:
    match outcome:
        case CarriedOut(repeated=True):
            return "repeated"
        case CarriedOut():
            return "carried_out"
        case TurnedDown():
            return "rejected"
        case Stale():
            return "stale"
        case Unknown():
            return "unknown_game"
        case GameIsParked():
            return "parked"
        case PutAside():
            return "put_aside"
