"""Handlers for the records of rules, which also bring a book up to date from the event log of rules.

A commit counts only where it continues its game, as for every reader of the log. A record that cannot be handled yet is
retried; one that can never be handled is dead-lettered with its game. A game is held only when rules and a book rebuilt from
the log differ at the same sequence.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn, Protocol

from services.common.balances import Balances
from services.common.errors import Unavailable
from services.common.faust.records import FollowedRecord, NotYet, UnprocessableRecord
from services.common.kafka.clients import KafkaUnreachable
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.ledger.adapters.rules_events import ANSWER_SECONDS, SourceFailed, SourceUnavailable
from services.ledger.cluster.records import ReportedDigest, check_known, digest_of, game_events
from services.ledger.convert import booked_balances, fact_of, reported_balances
from services.ledger.domain import booking
from services.ledger.domain.book import Book
from services.ledger.domain.errors import LedgerError
from services.ledger.handlers import Ledger, LogBehindError
from services.ledger.ports import StaleBookError, UnwritableStoreError

# How long a status waits for the commit it came with before the commit is fetched from rules.
COMMIT_WAIT_SECONDS = 2.0
# How long a record is retried while rules lacks its events, or fails for its game, before it is dead-lettered.
RETRY_SECONDS = 60.0
# Retried without limit. A book is stale after its file was recreated; it is read again.
UNAVAILABLE_ERRORS = (
    SourceUnavailable,
    KafkaUnreachable,
    LogBehindError,
    StaleBookError,
    UnwritableStoreError,
    sqlite3.DatabaseError,
    OSError,
)


class RulesEventLog(Protocol):
    """The events of rules, read within a time limit. Raises `SourceUnavailable`, or `SourceFailed` for one game only."""

    def events(self, game_id: str, after: int, seconds: float = ANSWER_SECONDS) -> Sequence[GameEvent]:
        """All committed events of the game after a sequence; none for an unknown game."""

    def balances(self, game_id: str, sequence: int) -> Balances:
        """What holders have in the game after a sequence."""


class KnownEventLog:
    """The event log of rules. Raises `NewerVersion` for a game with events of a newer version."""

    def __init__(self, source: RulesEventLog) -> None:
        self._source = source

    def events(self, game_id: str, after: int, seconds: float = ANSWER_SECONDS) -> Sequence[GameEvent]:
        """See `RulesEventLog`."""
        events = self._source.events(game_id, after, seconds)
        check_known(events)
        return events

    def balances(self, game_id: str, sequence: int) -> Balances:
        """See `RulesEventLog`."""
        return self._source.balances(game_id, sequence)


class RecordHandlers:
    """Handles rules.events and rules.game_statuses, one record at a time; `catch_up` may be called from any thread."""

    def __init__(
        self, ledger: Ledger, source: KnownEventLog, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._ledger = ledger
        self._source = source
        self._clock = clock
        self._waiting: dict[tuple[str, str], tuple[int, float]] = {}

    def book(self, record: FollowedRecord) -> None:
        """Book a commit. Raises `NotYet` and `UnprocessableRecord`."""
        events = game_events(record)
        check_known(events)
        with self._retrying(record, events[-1].sequence):
            self._book(record, events)

    def audit(self, record: FollowedRecord) -> None:
        """Compare the book with a status at the same sequence. Raises `NotYet` and `UnprocessableRecord`."""
        status = digest_of(record)
        if status is not None:
            with self._retrying(record, status.sequence):
                self._audit(record, status)

    def catch_up(self, game_id: str, seconds: float) -> bool:
        """Book events that are missing in the book; False when rules does not answer in time.

        Raises `Unavailable` for events that only a newer ledger can book."""
        try:
            self._fetch(game_id, seconds)
        except UnprocessableRecord as unprocessable:
            raise Unavailable(str(unprocessable)) from unprocessable
        except UNAVAILABLE_ERRORS:
            return False
        return True

    @contextmanager
    def _retrying(self, record: FollowedRecord, sequence: int) -> Iterator[None]:
        """Retries without limit while a dependency is down. When rules answers with an error for this game, retries for
        `RETRY_SECONDS`, then dead-letters the record, since the other games of the partition wait meanwhile."""
        try:
            yield
        except SourceFailed as broken:
            self._wait(record, sequence, str(broken))
        except UNAVAILABLE_ERRORS as away:
            raise NotYet(str(away)) from away

    def _book(self, record: FollowedRecord, events: Sequence[GameEvent]) -> None:
        game_id, first, last = record.key, events[0].sequence, events[-1].sequence
        if not self._continues(game_id, first, last):
            if self._is_held(game_id):
                return
            self._fetch(game_id)
            if not self._continues(game_id, first, last):
                booked = self._ledger.sequence_of(game_id)
                self._wait(record, last, f"commit of {first} to {last}, {booked} is the last that rules has")
        self._waiting.pop((record.topic, game_id), None)
        self._ledger.handle(game_id, events)

    def _continues(self, game_id: str, first: int, last: int) -> bool:
        """Whether the events continue the book or are in it already."""
        booked = self._ledger.sequence_of(game_id)
        return first == booked + 1 or last <= booked

    def _audit(self, record: FollowedRecord, status: ReportedDigest) -> None:
        game_id, sequence = record.key, status.sequence
        if self._ledger.sequence_of(game_id) < sequence:
            if self._waited(record, sequence) > COMMIT_WAIT_SECONDS:
                self._fetch(game_id)
            booked = self._ledger.sequence_of(game_id)
            if booked < sequence:
                if self._is_held(game_id):
                    return
                self._wait(record, sequence, f"status at {sequence}, {booked} is booked")
        with self._ledger.reading(game_id) as book:
            agrees = _agrees(book, status)
        if not agrees and self._agrees_when_rebuilt(record, status):
            self._ledger.rebuild(game_id)
            agrees = True
        if agrees:
            self._ledger.agreed(game_id, sequence)
        else:
            self._hold(game_id, status)
        self._waiting.pop((record.topic, game_id), None)

    def _hold(self, game_id: str, status: ReportedDigest) -> None:
        """Hold a game whose digest is another; rules is asked which balances it has."""
        reported = self._source.balances(game_id, status.sequence)
        found = self._ledger.audit(game_id, reported_balances(status.sequence, reported))
        if not found.differences:
            detail = f"at {status.sequence} the owner reported other balances than rules has from its log"
            self._ledger.hold(game_id, detail)

    def _agrees_when_rebuilt(self, record: FollowedRecord, status: ReportedDigest) -> bool:
        """Whether a book rebuilt from the log of rules agrees, so that only the stored one is wrong."""
        events = self._source.events(record.key, 0)
        if len(events) < status.sequence and self._waited(record, status.sequence) < RETRY_SECONDS:
            raise NotYet(
                f"game {record.key}: rules has {len(events)} events, the status is at {status.sequence}"
            )
        fresh = Book(record.key)
        try:
            for event in events:
                booking.apply(fresh, fact_of(event))
            return _agrees(fresh, status)
        except LedgerError:
            return False

    def _fetch(self, game_id: str, seconds: float = ANSWER_SECONDS) -> None:
        events = self._source.events(game_id, self._ledger.sequence_of(game_id), seconds)
        if events:
            self._ledger.handle(game_id, events)

    def _is_held(self, game_id: str) -> bool:
        """The book of a held game makes no progress, so records must not wait for it."""
        return self._ledger.hold_of(game_id) is not None

    def _wait(self, record: FollowedRecord, sequence: int, why: str) -> NoReturn:
        if self._waited(record, sequence) > RETRY_SECONDS:
            raise UnprocessableRecord(why)
        raise NotYet(f"game {record.key}: {why}")

    def _waited(self, record: FollowedRecord, sequence: int) -> float:
        """Seconds since the first attempt at this record."""
        key, now = (record.topic, record.key), self._clock()
        known, since = self._waiting.get(key, (sequence, now))
        if known != sequence:
            since = now
        self._waiting[key] = (sequence, since)
        return now - since


def _agrees(book: Book, status: ReportedDigest) -> bool:
    return booked_balances(book, status.sequence).agree_with(status.digest)
