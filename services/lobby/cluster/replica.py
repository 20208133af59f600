"""One replica of the lobby in a cluster: local copies of the log and the summaries, and a share of the games to follow."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from prometheus_client import CollectorRegistry

from services.common.auth.token_keys import TokenKeys
from services.common.errors import Unavailable
from services.common.eventlog.port import LogClosed
from services.common.faust.dead_letters import DeadLetters
from services.common.faust.records import FollowedRecord, NewerVersion, NotYet
from services.common.faust.runner import FollowerApp
from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.copy import LogCopy
from services.common.kafka.event_log import KafkaEventLog
from services.common.kafka.progress import KafkaProgress, OwnReader
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import GAME_STATUSES, LOBBY_DEAD_LETTERS, LOBBY_EVENTS
from services.common.notifier import LocalNotifier
from services.common.process.stopping import StopFlag
from services.common.redis.connection import RedisConnection
from services.common.redis.notifier import RedisNotifier
from services.common.settings.service import Settings
from services.common.staff.log import StaffLog
from services.common.telemetry.logs import get_logger
from services.lobby.bootstrap import Lobby, bootstrap_lobby
from services.lobby.bootstrap_ports import GamePorts, LobbyPorts, SharedGames
from services.lobby.cluster.completing import Completing
from services.lobby.cluster.consumer_progress import ConsumerProgress
from services.lobby.cluster.freshness import CopyFreshness
from services.lobby.cluster.holds import HoldsFollower
from services.lobby.cluster.statuses import read_status
from services.lobby.cluster.summaries import ReplicaSummaries
from services.lobby.event_codec import UnknownRecord
from services.lobby.handlers.watching import POLL_SECONDS
from services.lobby.ports import (
    AttemptLimiter,
    GameLists,
    IsCancelled,
    PasswordHasher,
    Presence,
    WakeUps,
)
from services.lobby.queues import Queues
from services.lobby.turn_timer import CATCH_UP_SECONDS, CHECK_SECONDS, TurnTimer

FOLLOWERS = "lobby.results"
# Longer than a transaction of rules may stay open: after this a move that was made in time is committed or never will be.
GRACE_MS = 15_000
WAIT_SECONDS = 0.5


class SharedParts(msgspec.Struct, frozen=True):
    """What the replicas can share; where none is given, each replica uses its own in memory."""

    redis: RedisConnection | None = None
    """Caches lists of games and passes notifications between replicas."""
    wake_ups: WakeUps | None = None
    presence: Presence | None = None
    attempts: AttemptLimiter | None = None
    staff_log: StaffLog | None = None
    """See `bootstrap_lobby`."""
    queues: Queues | None = None
    """See `bootstrap_lobby`."""


class ReplicaTiming(msgspec.Struct, frozen=True):
    """Intervals of a replica; tests shorten them."""

    grace_ms: int = GRACE_MS
    check_seconds: float = CHECK_SECONDS
    catch_up_seconds: float = CATCH_UP_SECONDS
    watch_poll_seconds: float = POLL_SECONDS


class LobbyReplica:
    """Built by its constructor, runs from `start` to `stop`."""

    def __init__(
        self,
        settings: Settings,
        kafka: KafkaSettings,
        games: GamePorts,
        signing_key: TokenKeys | Ed25519PrivateKey,
        registry: CollectorRegistry,
        *,
        shared: SharedParts | None = None,
        passwords: PasswordHasher | None = None,
        timing: ReplicaTiming | None = None,
        readers: Sequence[OwnReader] = (),
        has_house_bots: bool = False,
    ) -> None:
        """Opens the copies. `readers`: consumers of this process to be checked too. `has_house_bots`: somebody moves for them.

        Raises `KafkaUnreachable`, `LogFileError`."""
        shared, timing = shared or SharedParts(), timing or ReplicaTiming()
        self._kafka, self._registry, self._readers = kafka, registry, readers
        self._logger = get_logger("lobby")
        self._copy = LogCopy(kafka, LOBBY_EVENTS, file_of(settings, kafka, "copy.db"), registry=registry)
        self._log = KafkaEventLog(kafka, LOBBY_EVENTS, self._copy)
        has_all, file = settings.lobby_summaries == "all", file_of(settings, kafka, "summaries.db")
        self._summaries = ReplicaSummaries(kafka, file, shared.redis, registry, has_all=has_all)
        self._shared_notifier = None if shared.redis is None else RedisNotifier(shared.redis)
        self._freshness = CopyFreshness(kafka, self._copy)
        self._consumer_progress = ConsumerProgress(kafka, FOLLOWERS)
        self.lobby: Lobby = bootstrap_lobby(
            LobbyPorts(
                log=self._log,
                games=games,
                signing_key=signing_key,
                settings=settings,
                passwords=passwords,
                summaries=self._summaries.kept,
                shared=self._shared_games(timing.grace_ms),
                notifier=self._shared_notifier or LocalNotifier(),
                watch_poll_seconds=timing.watch_poll_seconds,
                wake_ups=self._summaries.wake_ups(shared.wake_ups),
                presence=shared.presence,
                attempts=shared.attempts,
                freshen=self._freshness,
                has_house_bots=has_house_bots,
                registry=registry,
                staff_log=shared.staff_log,
                queues=shared.queues,
                file_of=partial(file_of, settings, kafka),
            )
        )
        self._follower = self._new_follower(file_of(settings, kafka, "faust"))
        followed = self.lobby.followed
        self._completing = Completing(
            kafka,
            FOLLOWERS,
            self._summaries,
            self._consumer_progress,
            self._dead_letters_until_now,
            followed.follow_status,
        )
        self._holds = HoldsFollower(kafka, followed.holds)
        self._turn_timer = TurnTimer(
            followed, self._catch_up, self._look, timing.check_seconds, timing.catch_up_seconds
        )
        self._is_current = threading.Event()
        self._is_stopping = threading.Event()
        self.progress: KafkaProgress | None = None
        """Whether its consumers keep up; set by `start`."""

    def _shared_games(self, grace_ms: int) -> SharedGames:
        return SharedGames(
            lists=self._summaries.lists,
            certain_lists=self._summaries.certain,
            grace_ms=grace_ms,
            consumed_until=self._consumed_until,
            follows=self._summaries.follows,
        )

    def _new_follower(self, folder: Path) -> FollowerApp:
        follower = FollowerApp(
            self._kafka,
            FOLLOWERS,
            folder,
            self._registry,
            before_reading=self._take_over,
            when_revoked=self._summaries.release,
        )
        follower.follow(GAME_STATUSES, LOBBY_DEAD_LETTERS, self._follow)
        return follower

    @property
    def lists(self) -> GameLists:
        """The summaries of all games, every change in the end."""
        return self._summaries.certain

    @property
    def is_ready(self) -> bool:
        """Whether it can serve: both copies have been complete once, and the log's copy keeps up."""
        return self._is_current.is_set() and self._freshness.is_current

    def start(self, stop: StopFlag | None = None) -> None:
        """Start all threads; blocks until both copies are complete and holds are known, or `stop` is set.

        Raises `KafkaUnreachable` and `TopicsDiffer`."""
        self._copy.start()
        self._holds.start()
        are_summaries_current = self._summaries.start(lambda: stop is not None and stop.is_set())
        while are_summaries_current and (stop is None or not stop.is_set()):
            if self._copy.wait_current(WAIT_SECONDS) and self._holds.is_current():
                self._is_current.set()
                break
        if self._shared_notifier is not None:
            self._shared_notifier.start()
        self._follower.start()
        self._turn_timer.start()
        self.progress = KafkaProgress(
            self._kafka,
            [
                *self._readers,
                *self._copy.progress_readers(),
                self._summaries.progress_reader(),
                self._holds.progress_reader(),
                *self._follower.progress_readers(),
            ],
            self._registry,
            [self._turn_timer.progress_loop()],
        )
        self.progress.start()

    def end_streams(self) -> None:
        """End all streams of games. May be repeated."""
        self.lobby.watching.end_watches()

    def stop(self) -> None:
        """Stop following, then close everything. May be called without `start`."""
        self._is_current.clear()
        self._is_stopping.set()
        self.end_streams()
        if self.progress is not None:
            self.progress.close()
        self._turn_timer.stop()
        self._holds.close()
        self._follower.stop()
        self._consumer_progress.close()
        self._freshness.close()
        self._summaries.close()
        self.lobby.close()
        self._log.close()

    def _follow(self, record: FollowedRecord) -> None:
        """Handles one record of `rules.game_statuses`; it is retried while Kafka is down or the disk is full."""
        if not record.value:
            return
        status = read_status(record.value, record.key)
        try:
            self.lobby.followed.follow_status(status)
        except UnknownRecord as problem:
            raise NewerVersion(str(problem)) from problem
        except (Unavailable, LogClosed, sqlite3.Error) as problem:
            raise NotYet(str(problem)) from problem

    def _catch_up(self, is_cancelled: IsCancelled) -> None:
        """Check that the copy keeps up, and do what was interrupted: begin games, publish rounds, end games by agreement."""
        self._freshness()
        resumed = self.lobby.tables.resume_starting_tables(is_cancelled)
        for table_id, problem in resumed.waiting.items():
            self._logger.warning("table cannot begin yet", table_id=table_id, problem=problem)
        for table_id, problem in resumed.refused.items():
            self._logger.warning("table closed", table_id=table_id, problem=problem)
        self.lobby.tournaments.publisher.catch_up(is_cancelled)
        self.lobby.ending.end_agreed(is_cancelled)
        self.lobby.followed.compare_holds(self._holds.held)
        self.lobby.tournaments.series.make_missing(is_cancelled)

    def _look(self, is_cancelled: IsCancelled) -> None:
        """Publish the rounds that are due, and complete the lists of games."""
        self.lobby.tournaments.publisher.publish_all_due(is_cancelled)
        self._completing.look(is_cancelled)

    def _consumed_until(self, game_id: str) -> int:
        """See `FollowedGames`. Waits for the summaries of other replicas; 0 for a game with dead letters."""
        until_ms = self._consumer_progress.of_game(game_id)
        if self._dead_letters_until_now().is_blocked(game_id):
            return 0
        self._summaries.require_current()
        return until_ms

    def _dead_letters_until_now(self) -> DeadLetters:
        """The dead letters of all replicas. Raises `Unavailable`."""
        dead_letters = self._follower.dead_letters
        try:
            dead_letters.wait_current()
        except KafkaUnreachable as problem:
            raise Unavailable(f"the dead letters cannot be read: {problem}") from problem
        return dead_letters

    def _take_over(self, partitions: Collection[int]) -> None:
        """Called before records of partitions are read: an undone end needs the table as it ended. Raises `Unavailable`."""
        self._freshness()
        self._summaries.follow(partitions, self._is_stopping.is_set)
        if not self._summaries.has_all:
            self.lobby.followed.reset_wake_ups()


def file_of(settings: Settings, kafka: KafkaSettings, kind: str) -> Path:
    """A file or folder of this replica, beside the embedded host's database file. All of them can be rebuilt."""
    return settings.database.parent / f"lobby-{kafka.topic_prefix}{kafka.instance}.{kind}"
