"""A ledger replica in a cluster: books its share of the games into a file and answers for every game."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from prometheus_client import CollectorRegistry

from services.common.clock import Clock, SystemClock
from services.common.errors import Unavailable
from services.common.eventlog.sqlite_database import remove_database
from services.common.faust.records import FollowedRecord, NotYet, UnprocessableRecord
from services.common.faust.runner import FollowerApp
from services.common.kafka.administration import check_topics
from services.common.kafka.offsets import identity_of
from services.common.kafka.progress import KafkaProgress, OwnReader
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import BOOKS_DEAD_LETTERS, EVENTS, GAME_STATUSES, LEDGER_EVENTS
from services.common.settings.service import Settings
from services.common.telemetry.logs import get_logger
from services.ledger.adapters.alarm import TelemetryAlarm
from services.ledger.adapters.sqlite import SqliteBookStore
from services.ledger.cluster.holds import RebuildRequested, ReplicaStore, RulesFollowHolds, TopicHolds
from services.ledger.cluster.record_handlers import (
    UNAVAILABLE_ERRORS,
    KnownEventLog,
    RecordHandlers,
    RulesEventLog,
)
from services.ledger.handlers import Ledger
from services.ledger.ports import Hold

GROUP = "ledger.books"
REBUILD_WHY = "requested by an operator"


class LedgerReplica:
    """One of any number of replicas: each partition is booked by one of them, every one answers for all games.

    Its file may be lost: the books are rebuilt from the log of rules. Holds are in ledger.events."""

    def __init__(
        self,
        settings: Settings,
        kafka: KafkaSettings,
        source: RulesEventLog,
        registry: CollectorRegistry,
        clock: Clock | None = None,
        readers: Sequence[OwnReader] = (),
    ) -> None:
        """Opens nothing before `start`. `readers`: consumers of this process to be checked too."""
        self._other_readers = readers
        self._kafka = kafka
        self._source = KnownEventLog(source)
        self._registry = registry
        self._clock = clock or SystemClock()
        self._path = books_path(settings, kafka)
        self._pending_rebuilds: deque[RebuildRequested] = deque()
        self._rebuild_lock = Lock()
        self._holds = TopicHolds(kafka, self._clock, self._pending_rebuilds.append)
        self._follower = FollowerApp(kafka, GROUP, self._path.parent, registry, self._clock)
        self._follower.follow(EVENTS, BOOKS_DEAD_LETTERS, self._book)
        self._follower.follow(GAME_STATUSES, BOOKS_DEAD_LETTERS, self._audit, is_newest_enough=True)
        self._ledger: Ledger | None = None
        self.progress: KafkaProgress | None = None
        """Consumer progress on the log of rules; set by `start`."""

    def start(self) -> None:
        """Start consuming and answering. Raises `KafkaUnreachable`, `TopicsDiffer`, and what the file raises."""
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
        self._handlers = RecordHandlers(self._ledger, self._source)
        self._follower.start()
        own = [*self._follower.progress_readers(), self._holds.progress_reader()]
        readers = [*self._other_readers, *own]
        self.progress = KafkaProgress(self._kafka, readers, self._registry)
        self.progress.start()

    def stop(self) -> None:
        """Commit offsets, hand the partitions over and close the file. May be repeated."""
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
        """Whether it consumes its partitions."""
        return self._follower.is_ready

    @property
    def follower(self) -> FollowerApp:
        """The consumer of its records, with the dead letters."""
        return self._follower

    def catch_up(self, game_id: str, seconds: float) -> bool:
        """Before a read: book missing events; False when rules does not answer in time, so that the book may be behind.

        Raises `Unavailable` where a book with a pending rebuild cannot be dropped."""
        with _unavailable_if_down():
            self._apply_rebuilds()
        return self._handlers.catch_up(game_id, seconds)

    def hold_for_operator(self, game_id: str, why: str) -> Hold:
        """See `Ledger.hold_for_operator`. Raises `UnknownGameError` and `Unavailable`."""
        with _unavailable_if_down():
            return self.ledger.hold_for_operator(game_id, why)

    def release(self, game_id: str) -> None:
        """Release a held game. Raises `Unavailable`."""
        with _unavailable_if_down():
            self.ledger.release(game_id)

    def rebuild(self, game_id: str) -> int:
        """Rebuild the book from the log, here at once and on the other replicas soon; returns its last sequence.

        Raises `UnknownGameError` and `Unavailable`."""
        with _unavailable_if_down():
            sequence = self.ledger.rebuild(game_id)
            self._holds.request_rebuild(game_id)
            return sequence

    def _book(self, record: FollowedRecord) -> None:
        self._apply_rebuilds_first()
        self._handlers.book(record)

    def _audit(self, record: FollowedRecord) -> None:
        self._apply_rebuilds_first()
        self._handlers.audit(record)

    def _apply_rebuilds_first(self) -> None:
        """Apply pending rebuilds before a record. Raises `NotYet`."""
        try:
            self._apply_rebuilds()
        except UNAVAILABLE_ERRORS as away:
            raise NotYet(str(away)) from away

    def _apply_rebuilds(self) -> None:
        """Drop the books with pending rebuilds, each request once, also across restarts. One that fails, for example on a
        full disk, stays pending."""
        with self._rebuild_lock:
            while self._pending_rebuilds:
                request = self._pending_rebuilds[0]
                if request.time_ms > self._books.rebuilt_ms(request.game_id):
                    self.ledger.drop(request.game_id, REBUILD_WHY)
                    self._books.note_rebuilt(request.game_id, request.time_ms)
                self._pending_rebuilds.popleft()


def books_path(settings: Settings, kafka: KafkaSettings) -> Path:
    """The file of this replica's books."""
    return settings.database.parent / f"ledger-{kafka.topic_prefix}{kafka.instance}.db"


def open_books(path: Path, identity: str) -> SqliteBookStore:
    """The books in the file, built from the log of this identity.

    A file that cannot be read, or was built from another log (as after restoring Kafka), is deleted: its content can be
    rebuilt."""
    was_there = path.exists()
    try:
        books = SqliteBookStore(path, is_expendable=True)
    except sqlite3.DatabaseError as broken:
        if isinstance(broken, sqlite3.OperationalError):
            raise
        books = _recreated(path, str(broken))
        was_there = False
    source = books.source()
    if was_there and source != identity:
        books.close()
        books = _recreated(path, f"its books are of the log {source!r}, this is {identity!r}")
    books.note_source(identity)
    return books


def _recreated(path: Path, why: str) -> SqliteBookStore:
    get_logger("ledger").warning("books file dropped", file=str(path), why=why)
    remove_database(path)
    return SqliteBookStore(path, is_expendable=True)


@contextmanager
def _unavailable_if_down() -> Iterator[None]:
    try:
        yield
    except (*UNAVAILABLE_ERRORS, UnprocessableRecord) as away:
        raise Unavailable(str(away)) from away
