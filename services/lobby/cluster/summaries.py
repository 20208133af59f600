"""The summaries of a replica: those that it keeps for the games it follows or for all, and the lists that it answers with.

By `SIGNALBOX_LOBBY_SUMMARIES`. `all`: every replica keeps the summaries of all games, and Redis, if there is one, is a cache;
what the copies cost grows with the replicas. `followed`: a replica keeps those of the games that it follows, and lists are in
Redis alone."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from prometheus_client import CollectorRegistry, Gauge

from services.common.errors import Unavailable
from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.progress import OwnReader
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import LOBBY_SUMMARIES
from services.common.partitions import partition_of
from services.common.redis.connection import RedisConnection
from services.lobby.adapters.redis_lists import CachedLists, RedisPages, SharedLists
from services.lobby.adapters.redis_summaries import RedisSummaries
from services.lobby.cluster.completeness import Completeness
from services.lobby.cluster.kafka_summaries import KafkaSummaries
from services.lobby.ports import GameLists, GameSummaries, WakeUps

WAIT_SECONDS = 0.5
# Of reading the summaries of partitions that this replica did not keep before.
TAKE_OVER_SECONDS = 120.0


class ReplicaSummaries:
    """Between `start` and `close`."""

    def __init__(
        self,
        kafka: KafkaSettings,
        path: Path,
        redis: RedisConnection | None,
        registry: CollectorRegistry,
        *,
        has_all: bool,
    ) -> None:
        """`path`: of the file in which they are kept. `has_all`: whether those of all games are, as without Redis they must.
        Raises `KafkaUnreachable`."""
        if redis is None and not has_all:
            raise ValueError("neither Redis nor this replica would have all games")
        self.partitions = LOBBY_SUMMARIES.partitions(kafka)
        self.has_all = has_all
        """Whether the summaries of all games are kept here."""
        self.completeness = Completeness(kafka)
        """Of which partitions every game has its summary."""
        self.followed: frozenset[int] = frozenset()
        """The partitions whose games this replica follows."""
        self.stored = KafkaSummaries(kafka, path, has_all=has_all)
        """What is kept here, without Redis."""
        self.kept: GameSummaries = self.stored
        """The summaries of the games that are followed; what is put into them is on the lists."""
        self.lists: GameLists = self.stored
        """The lists of all games."""
        self.certain: GameLists = self.stored
        """Lists that have every change in the end."""
        self._in_redis: RedisSummaries | None = None
        if redis is not None:
            self._in_redis = RedisSummaries(redis, self.stored, self.partitions, self._complete_here)
            pages = RedisPages(redis, self.partitions)
            self.kept = self._in_redis
            self.lists = CachedLists(pages, self.stored) if has_all else SharedLists(pages)
            self.certain = self.stored if has_all else self.lists
        complete = Gauge(
            "signalbox_lobby_lists_complete", "1 while lists of games have every game", registry=registry
        )
        complete.set_function(lambda: self.lists.is_complete)

    def start(self, is_stopping: Callable[[], bool]) -> bool:
        """Begin to copy; blocks until the copy is current or `is_stopping`, and returns which."""
        self.stored.start()
        while not self.is_current():
            if is_stopping():
                return False
        if self._in_redis is not None:
            self._in_redis.start()
        return True

    def close(self) -> None:
        """Stop and close the file. May be called again."""
        if self._in_redis is not None:
            self._in_redis.close()
        self.stored.close()

    def progress_reader(self) -> OwnReader:
        """The progress of the copy."""
        return self.stored.progress_reader()

    def wake_ups(self, shared: WakeUps | None) -> WakeUps | None:
        """Those that all replicas share where each of them can act for every game; its own elsewhere."""
        return shared if self.has_all else None

    def follows(self, game_id: str) -> bool:
        """Whether this replica acts for a game. With all summaries it does for each, also for those that others follow."""
        return self.has_all or partition_of(game_id, self.partitions) in self.followed

    def follow(self, partitions: Collection[int], is_stopping: Callable[[], bool]) -> None:
        """Take over the games of these partitions: returns when everything is here that others have put. Raises `Unavailable`."""
        try:
            self.stored.keep(partitions)
        except KafkaUnreachable as problem:
            raise Unavailable(f"the summaries cannot be read: {problem}") from problem
        for _ in range(1 if self.has_all else round(TAKE_OVER_SECONDS / WAIT_SECONDS)):
            if self.is_current():
                self.followed = frozenset(partitions)
                return
            if is_stopping():
                break
        raise Unavailable("the summaries are not up to date yet")

    def release(self) -> None:
        """Others may follow the games from now on."""
        self.followed = frozenset()

    def is_current(self) -> bool:
        """Wait a moment for the summaries that other replicas have put until now; whether they are here."""
        return self.stored.wait_current(WAIT_SECONDS)

    def require_current(self) -> None:
        """As `is_current`. Raises `Unavailable`."""
        if not self.is_current():
            raise Unavailable("the summaries are not up to date yet")

    def _complete_here(self) -> frozenset[int]:
        return self.followed & self.completeness.partitions
