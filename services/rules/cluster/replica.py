"""One replica of the rules service in a cluster: a copy of the log to read from, a way for commands, and a share of the games
whose commands it carries out."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from prometheus_client import CollectorRegistry

from services.common.archive.log import WithoutArchive
from services.common.kafka.copy import LogCopy
from services.common.kafka.copybatch import Applied
from services.common.kafka.filling import PartitionSource
from services.common.kafka.offsets import closed_topics
from services.common.kafka.progress import KafkaProgress, OwnReader, ProgressTiming
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS, EVENTS, SNAPSHOTS
from services.common.notifier import LocalNotifier
from services.common.partition_snapshots.writing import LOOK_SECONDS
from services.common.partitions import partition_of
from services.common.process.crashes import CrashRecord
from services.common.process.stopping import StopFlag
from services.common.settings.service import Settings
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.routing.convert import solution_from_message
from services.rules.archive.archived_games import ArchivedGames
from services.rules.archive.opening import RulesArchive
from services.rules.cluster.deciding import GAME_ARCHIVED, CommandProcessor
from services.rules.cluster.following import FollowingSessions
from services.rules.cluster.freshness import CopyFreshness
from services.rules.cluster.gateway import SECONDS_MAX, CommandGateway
from services.rules.cluster.group import OwnerTiming
from services.rules.cluster.holdings import Holdings, HoldingTiming, Sharing
from services.rules.cluster.holds import HoldsFollower
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.owner import Owner
from services.rules.cluster.partition_snapshots import ArchiveFirst, RulesSnapshots
from services.rules.cluster.recorded import Recorded
from services.rules.cluster.routes import best_runs_found
from services.rules.kernel.decide import asked_players
from services.rules.kernel.rejections import Rejected
from services.rules.kernel.title import Title
from services.rules.leastmove import asked_of_routing
from services.rules.parts.trains.bestruns import question_for
from services.rules.ports import RouteSolver, RoutingUnavailableError
from services.rules.reading import GameReader
from services.rules.requests import CommandRejected, CommandResult, Request, move_in
from services.rules.sessions import UnknownGameError
from services.rules.titles import TITLES

TIMEOUT_SECONDS = 2.0
LOOK_AROUND_SECONDS = 0.5
# How often an owner is asked whether a game is back from the archive.
BRINGING_BACK_SECONDS = 0.5
# A copy that restarts from nothing keeps nothing that is in the archive, if the archive says in this time what that is.
LISTING_SECONDS = 120.0


class ClusterRules:
    """Rules as callers meet it: `RulesService` over the gateway and the replica's own copy."""

    def __init__(
        self,
        gateway: CommandGateway,
        reader: GameReader,
        sessions: FollowingSessions,
        solver: RouteSolver,
        archived: ArchivedGames,
    ) -> None:
        self.reader = reader
        self._archived = archived
        self._gateway = gateway
        self._sessions = sessions
        self._solver = solver

    def execute(self, request: Request, seconds: float | None = None) -> CommandResult:
        """See `RulesService`."""
        end = time.monotonic() + (SECONDS_MAX if seconds is None else min(seconds, SECONDS_MAX))
        answered = self._archived.answer(request)
        if answered is not None:
            return answered
        best_runs = self._best_runs(request)
        result = self._gateway.execute(request, best_runs, end - time.monotonic())
        while _is_coming_back(result) and end - time.monotonic() > BRINGING_BACK_SECONDS:
            time.sleep(BRINGING_BACK_SECONDS)
            result = self._gateway.execute(request, best_runs, end - time.monotonic())
        if (
            isinstance(result, CommandRejected)
            and result.rejection.code == "route_not_best"
            and best_runs is not None
        ):
            return CommandRejected(result.rejection, solution_from_message(best_runs.solution))
        return result

    def _best_runs(self, request: Request) -> pb.BestRunsFound | None:
        """The best runs where the command needs them, by the game as this replica knows it; none when it knows another."""
        try:
            loaded = self._sessions.get(request.game_id)
        except UnknownGameError:
            return None
        game = loaded.game
        move = move_in(request, game)
        if move is None or not request.expects(game.sequence):
            return None
        if move.seat not in asked_players(loaded.title, loaded.data, game):
            return None
        try:
            question = question_for(loaded.title, game, loaded.data, asked_of_routing(move.command))
            return None if question is None else best_runs_found(question, self._solver.solve(question))
        except (Rejected, RoutingUnavailableError):
            return None


def _is_coming_back(result: CommandResult) -> bool:
    return isinstance(result, CommandRejected) and result.rejection.code == GAME_ARCHIVED


@dataclass(frozen=True, slots=True)
class ReplicaTiming:
    """How a replica behaves in time; tests shorten it."""

    owner: OwnerTiming = field(default_factory=OwnerTiming)
    timeout_seconds: float = TIMEOUT_SECONDS
    progress: ProgressTiming = field(default_factory=ProgressTiming)
    holding: HoldingTiming = field(default_factory=HoldingTiming)
    archive_after_ms: int | None = None
    """How long after its end a game is archived, in the place of the days that are set."""
    snapshots_look_seconds: float = LOOK_SECONDS
    """How often it is looked whether a snapshot of a partition is due."""


class RulesReplica:
    """Put together by its constructor, working from `start` to `stop`."""

    def __init__(
        self,
        settings: Settings,
        kafka: KafkaSettings,
        solver: RouteSolver,
        registry: CollectorRegistry,
        timing: ReplicaTiming | None = None,
        titles: Mapping[str, Title] = TITLES,
        readers: Sequence[OwnReader] = (),
    ) -> None:
        """Opens the copy. `readers`: consumers of this process to be checked too. Raises `KafkaUnreachable`, `LogFileError`."""
        timing = timing or ReplicaTiming(
            OwnerTiming(
                kafka.session_seconds * 1000, direct_after_seconds=settings.rules_direct_after_seconds
            )
        )
        self._log = get_logger("rules")
        self._kafka = kafka
        self._snapshots = RulesSnapshots(settings, kafka, registry)
        self._snapshots_look_seconds = timing.snapshots_look_seconds
        self._copy = self._new_copy(settings, registry)
        self.holdings = self._new_holdings(settings, timing)
        """What it keeps of the log, where replicas share that; None where it keeps all."""
        watched = None if self.holdings is None else self.holdings.read_partitions
        self._freshness = CopyFreshness(kafka, self._copy, timing.timeout_seconds, watched)
        notifier = LocalNotifier()
        self._archive = RulesArchive(settings, self._copy.log, registry, after_ms=timing.archive_after_ms)
        log = self._archive.log
        sessions = FollowingSessions(
            log,
            self._copy.snapshots,
            titles,
            notifier,
            self._freshness.catch_up,
            settings.games_in_memory,
        )
        reader = GameReader(log, sessions, solver, notifier, timing.timeout_seconds)
        metrics = OwnerMetrics(registry)
        metrics.to_own.set(COMMANDS.partitions(kafka))
        self._processor = self._new_processor(settings, titles, registry, metrics)
        self._archive.keep_games_with(self._owns, self._processor.is_kept)
        self._holds = HoldsFollower(kafka, self._processor.held)
        self._recorded = Recorded.of(kafka)
        self._owner = self._new_owner(settings, metrics, timing)
        self._gateway = CommandGateway(
            kafka, registry, follows_events=lambda: self._copy.is_writable, hand=self._owner.hand
        )
        self._copy.listen(self._note)
        self._following = sessions
        self.progress = self._new_progress(readers, registry, timing.progress)
        self.rules = ClusterRules(self._gateway, reader, sessions, solver, ArchivedGames(log, sessions))
        self._is_ready = False
        self._is_stopping = StopFlag()

    def _new_copy(self, settings: Settings, registry: CollectorRegistry) -> LogCopy:
        return LogCopy(
            self._kafka,
            EVENTS,
            copy_path(settings, self._kafka),
            snapshots=SNAPSHOTS,
            registry=registry,
            source=self._source(),
        )

    def _source(self) -> PartitionSource | None:
        """What the copy is filled from, where there are snapshots."""
        source = self._snapshots.source
        return None if source is None else ArchiveFirst(source, self._learn_archive)

    def _new_holdings(self, settings: Settings, timing: ReplicaTiming) -> Holdings | None:
        if not settings.rules_copies:
            return None
        sharing = Sharing(settings.rules_copies, settings.rules_peer_address, timing.holding)
        return Holdings(
            self._kafka,
            sharing,
            self._copy,
            lambda: self._owner.assigned(),
            self._forget,
            lambda partition: self._freshness.is_fresh(partition),
        )

    def _new_processor(
        self,
        settings: Settings,
        titles: Mapping[str, Title],
        registry: CollectorRegistry,
        metrics: OwnerMetrics,
    ) -> CommandProcessor:
        return CommandProcessor(
            WithoutArchive(self._copy.log),
            self._copy.snapshots,
            titles,
            COMMANDS.partitions(self._kafka),
            registry,
            metrics,
            games_in_memory=settings.games_in_memory,
            quota=settings.quota,
            bring_back=self._archive.want,
            # The gateway is made later, and no command is decided before both are at work.
            answered=lambda outcome: self._gateway.answered(outcome),
        )

    def _new_owner(self, settings: Settings, metrics: OwnerMetrics, timing: ReplicaTiming) -> Owner:
        return Owner(
            self._kafka,
            self._processor,
            self._copy,
            self._recorded,
            CrashRecord(copy_path(settings, self._kafka).with_suffix(".starts")),
            metrics,
            timing.owner,
            # Who keeps all of the log is asked for nothing.
            address=settings.rules_peer_address if settings.rules_copies else "",
        )

    def _new_progress(
        self, readers: Sequence[OwnReader], registry: CollectorRegistry, timing: ProgressTiming
    ) -> KafkaProgress:
        return KafkaProgress(
            self._kafka,
            [
                *readers,
                *self._copy.progress_readers(),
                self._holds.progress_reader(),
                *self._recorded.progress_readers(),
                self._gateway.progress_reader(),
                self._owner.progress_reader(),
            ],
            registry,
            [self._owner.progress_loop()],
            timing,
        )

    def _owns(self, game_id: str) -> bool:
        return partition_of(game_id, COMMANDS.partitions(self._kafka)) in self._owner.partitions

    def _note(self, applied: Applied) -> None:
        commit, result, was_read = applied.commit, applied.result, applied.was_read
        self._processor.applied(commit, result)
        # What the owner has in memory need not be read from the copy again.
        decided = None if was_read else self._processor.decided(commit)
        self._following.applied(applied, None if decided is None else decided.game)
        self._gateway.applied(commit, result, was_read, () if decided is None else decided.events)

    def _forget(self, partitions: Collection[int]) -> None:
        """The copy of these partitions will be deleted: their games are read anew, should they come back."""
        count = COMMANDS.partitions(self._kafka)
        self._following.forget(lambda game_id: partition_of(game_id, count) in partitions)

    @property
    def is_ready(self) -> bool:
        """Whether callers are well served: the copy keeps up, the holds are known, and all threads are at work.

        Where the disk has no room for the copy, callers are served as well as can be: from what is in it."""
        return (
            self._is_ready
            and (self._freshness.is_current or not self._copy.is_writable)
            and self._gateway.is_listening
            and self._owner.is_alive
        )

    @property
    def owned(self) -> frozenset[int]:
        """The partitions whose commands are carried out here just now."""
        return self._owner.partitions

    def start(self, stop_event: StopFlag | None = None) -> None:
        """Copy, learn the holds, then join the owners; in topics that a platform moves into, when they take commands. Blocks
        until that is done or it `stop_event`.

        Raises `KafkaUnreachable`."""
        self._choose_holdings(stop_event)
        if self._snapshots.source is None and not self._copy.saved_partitions():
            self._learn_archive(stop_event)
        self._copy.start()
        self._holds.start()
        self._recorded.start()
        self._gateway.start()
        self.progress.start()
        if self._until(self._is_copied, stop_event) and not self._is_open(0.0):
            self._log.info("the copy is filled, and these topics take no commands yet")
        in_order = (self._is_open, self._is_copied, self._holds.wait_current)
        if all(self._until(is_so, stop_event) for is_so in in_order):
            self._owner.start()
            self._freshness.start()
            self._snapshots.start(self._copy, lambda: self._owner.partitions, self._snapshots_look_seconds)
            if self.holdings is not None:
                self.holdings.start()
                if not self._until(self.holdings.has_all, stop_event):
                    return
            self._is_ready = True
            self._log.info("rules replica is ready")
            # Only now: a list of a million names takes the processor for long.
            self._archive.start()

    def _learn_archive(self, stop_event: StopFlag | None = None) -> None:
        """Before commits are written that may be in the archive."""
        self._archive.start()
        self._archive.wait_listed(LISTING_SECONDS, stop_event or self._is_stopping)

    def _choose_holdings(self, stop_event: StopFlag | None) -> None:
        if self.holdings is not None and self._is_open(0.0):
            self.holdings.foresee(stop_event)
        elif self.holdings is not None:
            # Nobody knows who will have what when these topics open; the group divides them then, and what goes to others goes.
            self.holdings.hold_all()

    def _is_open(self, seconds: float) -> bool:
        """Whether commands are taken in these topics: before that the platform plays in others."""
        is_open = not closed_topics(self._kafka, [COMMANDS])
        if not is_open:
            time.sleep(seconds)
        return is_open

    def _is_copied(self, seconds: float) -> bool:
        """Whether the copy has everything, or everything that it has room for."""
        return self._copy.wait_current(seconds) or not self._copy.is_writable

    @staticmethod
    def _until(is_current: Callable[[float], bool], stop_event: StopFlag | None) -> bool:
        while stop_event is None or not stop_event.is_set():
            if is_current(LOOK_AROUND_SECONDS):
                return True
        return False

    def stop(self) -> None:
        """Leave the games to the other replicas, then everything else. May be called again."""
        self._is_ready = False
        self._is_stopping.set()
        self.progress.close()
        self._owner.stop()
        if self.holdings is not None:
            self.holdings.close()
        self._freshness.close()
        self._gateway.close()
        self._holds.close()
        self._recorded.close()
        self._archive.close()
        self._snapshots.close()
        self._copy.close()


def copy_path(settings: Settings, kafka: KafkaSettings) -> Path:
    """The file of this replica's copy: beside the embedded host's file, of the same folder, named for the replica."""
    return settings.database.parent / f"rules-{kafka.topic_prefix}{kafka.instance}.copy.db"
