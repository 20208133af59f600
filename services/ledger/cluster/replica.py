"""A replica of the ledger in a cluster: it follows rules, keeps the books of its games in a file, and reads any game."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from prometheus_client import CollectorRegistry

from services.common.clock import Clock, SystemClock
from services.common.errors import Unavailable
from services.common.eventlog.sqlite_database import remove_database
from services.common.faust.records import FollowedRecord, NotYet, Unworkable
from services.common.faust.runner import FollowerApp
from services.common.kafka.administration import check_topics
from services.common.kafka.places import identity_of
from services.common.kafka.progress import KafkaProgress
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import BOOKS_PARKED, EVENTS, LEDGER_EVENTS, STANDINGS
from services.common.settings.service import Settings
from services.common.telemetry.logs import get_logger
from services.ledger.adapters.alarm import TelemetryAlarm
from services.ledger.adapters.sqlite import SqliteBookStore
from services.ledger.cluster.holds import RebuildAsked, ReplicaStore, RulesFollowHolds, TopicHolds
from services.ledger.cluster.keeping import AWAY, BookKeeping, KnownLog, LogOfRules
from services.ledger.handlers import Ledger

GROUP = "ledger.books"
REBUILD_WHY = "asked for by an operator"


class LedgerReplica:
    """One of any number of replicas; each partition's games are booked by one of them, every one answers for all games.

    Its file may be lost: the books are made again from the log of rules. Holds stand in ledger.events."""

    def __init__(
        self,
        settings: Settings,
        kafka: KafkaSettings,
        source: LogOfRules,
        registry: CollectorRegistry,
        clock: Clock | None = None,
    ) -> None:
        """Opens nothing before `start`."""
        self._kafka = kafka
        self._source = KnownLog(source)
        self._registry = registry
        self._clock = clock or SystemClock()
        self._path = books_path(settings, kafka)
        self._wishes: deque[RebuildAsked] = deque()
        self._meeting = Lock()
        self._holds = TopicHolds(kafka, self._clock, self._wishes.append)
        self._follower = FollowerApp(kafka, GROUP, self._path.parent, registry, self._clock)
        self._follower.follow(EVENTS, BOOKS_PARKED, self._book)
        self._follower.follow(STANDINGS, BOOKS_PARKED, self._audit, is_newest_enough=True)
        self._ledger: Ledger | None = None
        self.progress: KafkaProgress | None = None
        """Whether it keeps up with the log of rules; after `start`."""

    def start(self) -> None:
        """Begin to follow and to answer. Raises `KafkaUnreachable`, `TopicsDiffer`, and what the file raises."""
        check_topics(self._kafka, [LEDGER_EVENTS])
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._holds.start()
        self._books = open_books(self._path, identity_of(self._kafka, [EVENTS]))
        self._ledger = Ledger(
            ReplicaStore(self._books, self._holds),
            self._source,
            RulesFollowHolds(),
            TelemetryAlarm(self._registry),
            reads_log_when_opened=False,
        )
        self._keeping = BookKeeping(self._ledger, self._source)
        self._follower.start()
        readers = [*self._follower.progress_readers(), self._holds.progress_reader()]
        self.progress = KafkaProgress(self._kafka, readers, self._registry)
        self.progress.start()

    def stop(self) -> None:
        """Commit what was done, leave the games to the others and close the file. May be called again."""
        if self.progress is not None:
            self.progress.close()
        self._follower.stop()
        self._holds.close()
        if self._ledger is not None:
            self._ledger.close()

    @property
    def ledger(self) -> Ledger:
        """The books; after `start`."""
        if self._ledger is None:
            raise ValueError("the ledger was not started")
        return self._ledger

    @property
    def is_ready(self) -> bool:
        """Whether it follows its share of the games."""
        return self._follower.is_ready

    @property
    def follower(self) -> FollowerApp:
        """What brings it the records; its `parked` games."""
        return self._follower

    def catch_up(self, game_id: str, seconds: float) -> bool:
        """Before a read: book what rules has by now; False when rules does not answer in time, so that the book may be
        behind. Raises `Unavailable` where a book that an operator wants made again cannot be dropped."""
        with _within_reach():
            self._meet_wishes()
        return self._keeping.catch_up(game_id, seconds)

    def release(self, game_id: str) -> None:
        """Let a held game go on. Raises `Unavailable`."""
        with _within_reach():
            self.ledger.release(game_id)

    def rebuild(self, game_id: str) -> int:
        """Make the book again from the log, here at once and on the other replicas soon; returns its last sequence.

        Raises `UnknownGameError` and `Unavailable`."""
        with _within_reach():
            sequence = self.ledger.rebuild(game_id)
            self._holds.ask_rebuild(game_id)
            return sequence

    def _book(self, record: FollowedRecord) -> None:
        self._meet_wishes_first()
        self._keeping.book(record)

    def _audit(self, record: FollowedRecord) -> None:
        self._meet_wishes_first()
        self._keeping.audit(record)

    def _meet_wishes_first(self) -> None:
        """For records. Raises `NotYet`."""
        try:
            self._meet_wishes()
        except AWAY as away:
            raise NotYet(str(away)) from away

    def _meet_wishes(self) -> None:
        """Drop the books that operators want made again; each wish once, also over restarts. One that cannot be met, as
        with a full disk, stays the next."""
        with self._meeting:
            while self._wishes:
                wish = self._wishes[0]
                if wish.time_ms > self._books.rebuilt_ms(wish.game_id):
                    self.ledger.drop(wish.game_id, REBUILD_WHY)
                    self._books.note_rebuilt(wish.game_id, wish.time_ms)
                self._wishes.popleft()


def books_path(settings: Settings, kafka: KafkaSettings) -> Path:
    """The file of this replica's books."""
    return settings.database.parent / f"ledger-{kafka.topic_prefix}{kafka.instance}.db"


def open_books(path: Path, identity: str) -> SqliteBookStore:
    """The books in the file, made from the log of this identity.

    A file that cannot be read, or whose books are of another log, as before Kafka was restored, is done away with:
    everything in it can be made again."""
    was_there = path.exists()
    try:
        books = SqliteBookStore(path, is_expendable=True)
    except sqlite3.DatabaseError as broken:
        if isinstance(broken, sqlite3.OperationalError):
            raise
        books = _begun_anew(path, str(broken))
        was_there = False
    source = books.source()
    if was_there and source != identity:
        books.close()
        books = _begun_anew(path, f"its books are of the log {source!r}, this is {identity!r}")
    books.note_source(identity)
    return books


def _begun_anew(path: Path, why: str) -> SqliteBookStore:
    get_logger("ledger").warning("books file dropped", file=str(path), why=why)
    remove_database(path)
    return SqliteBookStore(path, is_expendable=True)


@contextmanager
def _within_reach() -> Iterator[None]:
    try:
        yield
    except (*AWAY, Unworkable) as away:
        raise Unavailable(str(away)) from away
