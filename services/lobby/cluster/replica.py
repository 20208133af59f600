"""One replica of the lobby in a cluster: a copy of its log and of the cards, and its share of the games that it follows."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from prometheus_client import CollectorRegistry

from services.common.auth.token_keys import TokenKeys
from services.common.clock import SystemClock
from services.common.errors import Unavailable
from services.common.eventlog.port import LogClosed
from services.common.faust.parking import ParkedGames
from services.common.faust.records import FollowedRecord, NewerVersion, NotYet, Unworkable
from services.common.faust.runner import FollowerApp
from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.copy import LogCopy
from services.common.kafka.event_log import KafkaEventLog
from services.common.kafka.progress import KafkaProgress, OwnReader
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import LOBBY_EVENTS, LOBBY_PARKED, STANDINGS
from services.common.notifier import LocalBell
from services.common.process.stopping import StopFlag
from services.common.redis.bell import RedisBell
from services.common.redis.connection import RedisConnection
from services.common.settings.service import Settings
from services.common.telemetry.logs import get_logger
from services.lobby.adapters.redis_cards import RedisCards
from services.lobby.bootstrap import Lobby, bootstrap_lobby
from services.lobby.cluster.followed_before import followed_before
from services.lobby.cluster.freshness import CopyFreshness
from services.lobby.cluster.kafka_cards import KafkaCards
from services.lobby.cluster.standings import read_standing
from services.lobby.cluster.told_until import ToldUntil
from services.lobby.event_codec import UnknownRecord
from services.lobby.handlers.watching import LOOK_SECONDS as WATCH_SECONDS
from services.lobby.ports import (
    AttemptLimiter,
    GameCards,
    GameStarter,
    IsUnwanted,
    PasswordHasher,
    Presence,
    TitleCatalogue,
    WakeUps,
)
from services.lobby.watchman import LOOK_SECONDS, ROUND_SECONDS, Watchman

FOLLOWERS = "lobby.results"
# Longer than a transaction of the rules may stay open: a move decided in time is committed by then or never.
GRACE_MS = 15_000
LOOK_AROUND_SECONDS = 0.5


class SharedParts(msgspec.Struct, frozen=True):
    """What all replicas may share; each replica has its own where none is given."""

    redis: RedisConnection | None = None
    """Serves lists of games faster, what it forgets is filled in again; tells replicas of games that others followed."""
    wake_ups: WakeUps | None = None
    presence: Presence | None = None
    attempts: AttemptLimiter | None = None


class ReplicaTiming(msgspec.Struct, frozen=True):
    """How a replica behaves in time; tests shorten it."""

    grace_ms: int = GRACE_MS
    look_seconds: float = LOOK_SECONDS
    round_seconds: float = ROUND_SECONDS
    watch_seconds: float = WATCH_SECONDS


class LobbyReplica:
    """Put together by its constructor, working from `start` to `stop`."""

    def __init__(
        self,
        settings: Settings,
        kafka: KafkaSettings,
        *,
        catalogue: TitleCatalogue,
        starter: GameStarter,
        signing_key: TokenKeys | Ed25519PrivateKey,
        registry: CollectorRegistry,
        shared: SharedParts | None = None,
        passwords: PasswordHasher | None = None,
        timing: ReplicaTiming | None = None,
        readers: Sequence[OwnReader] = (),
    ) -> None:
        """Opens the copies. `readers`: what else of this process has to keep up with Kafka.

        Raises `KafkaUnreachable`, `LogFileError`."""
        shared, timing = shared or SharedParts(), timing or ReplicaTiming()
        self._kafka = kafka
        self._logger = get_logger("lobby")
        self._copy = LogCopy(kafka, LOBBY_EVENTS, file_of(settings, kafka, "copy.db"), registry=registry)
        self._log = KafkaEventLog(kafka, LOBBY_EVENTS, self._copy)
        self._kept = KafkaCards(kafka, file_of(settings, kafka, "cards.db"))
        self._shortcut = (
            None if shared.redis is None else RedisCards(shared.redis, self._kept, self._knows_cards)
        )
        self._cards: GameCards = self._shortcut or self._kept
        self._shared_bell = None if shared.redis is None else RedisBell(shared.redis)
        self._freshness = CopyFreshness(kafka, self._copy)
        self._told_until = ToldUntil(kafka, FOLLOWERS)
        self.lobby: Lobby = bootstrap_lobby(
            log=self._log,
            catalogue=catalogue,
            starter=starter,
            signing_key=signing_key,
            settings=settings,
            passwords=passwords,
            cards=self._cards,
            kept=self._kept,
            bell=self._shared_bell or LocalBell(),
            watch_seconds=timing.watch_seconds,
            wake_ups=shared.wake_ups,
            presence=shared.presence,
            attempts=shared.attempts,
            freshen=self._freshness,
            grace_ms=timing.grace_ms,
            told_until=self._is_told_until,
        )
        folder = file_of(settings, kafka, "faust")
        self._follower = FollowerApp(kafka, FOLLOWERS, folder, registry, before_reading=self._know_all)
        self._follower.follow(STANDINGS, LOBBY_PARKED, self._follow)
        self._watchman = Watchman(
            self.lobby.followed, self._catch_up, timing.look_seconds, timing.round_seconds
        )
        self._is_current = threading.Event()
        self._registry = registry
        self._readers = readers
        self.progress: KafkaProgress | None = None
        """Whether it keeps up with its topics; after `start`."""

    @property
    def is_ready(self) -> bool:
        """Whether callers are well served: the copies had everything once, and that of the log keeps up."""
        return self._is_current.is_set() and self._freshness.is_current

    def start(self, is_unwanted: StopFlag | None = None) -> None:
        """Begin to work; blocks until the copies have everything or it is unwanted.

        Raises `KafkaUnreachable` and `TopicsDiffer`."""
        self._copy.start()
        self._kept.start()
        while is_unwanted is None or not is_unwanted.is_set():
            if self._copy.wait_current(LOOK_AROUND_SECONDS) and self._kept.wait_current(LOOK_AROUND_SECONDS):
                self._is_current.set()
                break
        if self._shortcut is not None:
            self._shortcut.start()
        if self._shared_bell is not None:
            self._shared_bell.start()
        self._follower.start()
        self._watchman.start()
        self.progress = KafkaProgress(
            self._kafka,
            [
                *self._readers,
                *self._copy.progress_readers(),
                self._kept.progress_reader(),
                *self._follower.progress_readers(),
            ],
            self._registry,
            [self._watchman.progress_loop()],
        )
        self.progress.start()

    def end_streams(self) -> None:
        """Let go whoever watches games. May be repeated."""
        self.lobby.watching.end_watches()

    def stop(self) -> None:
        """Stop following, then let go of everything. May be called without `start`."""
        self._is_current.clear()
        self.end_streams()
        if self.progress is not None:
            self.progress.close()
        self._watchman.stop()
        self._follower.stop()
        if self._shortcut is not None:
            self._shortcut.close()
        self._told_until.close()
        self._freshness.close()
        self._kept.close()
        self._log.close()

    def _follow(self, record: FollowedRecord) -> None:
        """One standing of `rules.standings`. Where Kafka is away or the disk is full, it waits."""
        if not record.value:
            return
        standing = read_standing(record.value)
        try:
            self.lobby.followed.follow_standing(standing)
        except UnknownRecord as problem:
            raise NewerVersion(str(problem)) from problem
        except (Unavailable, LogClosed, sqlite3.Error) as problem:
            raise NotYet(str(problem)) from problem

    def _catch_up(self, is_unwanted: IsUnwanted) -> None:
        """See whether the copy keeps up, and begin games whose start was cut off.

        Lists are complete once all standings from before the start have been followed, by whichever replica, and what is
        missing nevertheless was made again from the latest ones."""
        began_ms = SystemClock().now_ms()
        self._freshness()
        resumed = self.lobby.tables.resume_starting_tables(is_unwanted)
        for table_id, problem in resumed.waiting.items():
            self._logger.warning("table cannot begin yet", table_id=table_id, problem=problem)
        if self._cards.is_complete:
            return
        self.lobby.followed.set_wake_ups_anew()
        while self._told_until.of_all() < began_ms:
            if is_unwanted():
                return
            # One partition that stands still must not stop the clocks of all games.
            self.lobby.followed.look_at_clocks(is_unwanted)
            time.sleep(LOOK_AROUND_SECONDS)
        parked = self._parked_until_now()
        for value in followed_before(self._kafka, FOLLOWERS):
            if is_unwanted():
                return
            self._follow_again(value, parked)
        self._cards.mark_complete()

    def _follow_again(self, value: bytes, parked: ParkedGames) -> None:
        """A game that is parked is passed over: whoever releases it has its standings followed in their order. So is one
        whose table cannot be read: its next standing parks it."""
        try:
            standing = read_standing(value)
        except Unworkable:
            return
        if parked.is_parked(standing.game_id):
            return
        card = self._kept.get(standing.game_id)
        if card is None or card.sequence < standing.sequence:
            with suppress(UnknownRecord):
                self.lobby.followed.follow_standing(standing)

    def _is_told_until(self, game_id: str) -> int:
        """See `FollowedGames`: what another replica followed counts once its cards are here, and what was parked does not."""
        until_ms = self._told_until.of_game(game_id)
        if self._parked_until_now().is_parked(game_id):
            return 0
        self._know_cards()
        return until_ms

    def _parked_until_now(self) -> ParkedGames:
        """The games put aside, by whichever replica. Raises `Unavailable`."""
        parked = self._follower.parked
        try:
            parked.wait_current()
        except KafkaUnreachable as problem:
            raise Unavailable(f"Kafka does not tell which games are parked: {problem}") from problem
        return parked

    def _know_all(self) -> None:
        """Before games are taken over: an end that is taken back must meet the table as it ended. Raises `Unavailable`."""
        self._freshness()
        self._know_cards()

    def _knows_cards(self) -> bool:
        return self._kept.wait_current(LOOK_AROUND_SECONDS)

    def _know_cards(self) -> None:
        """Wait for the cards that others have kept until now. Raises `Unavailable`."""
        if not self._knows_cards():
            raise Unavailable("the cards are not read up to date yet")


def file_of(settings: Settings, kafka: KafkaSettings, kind: str) -> Path:
    """A file or folder of this replica: in the folder of the embedded host's file, named for the replica. All may be lost."""
    return settings.database.parent / f"lobby-{kafka.topic_prefix}{kafka.instance}.{kind}"
