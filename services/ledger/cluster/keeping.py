"""What a replica does with the records of rules, and how it brings a book up to the log of rules.

A commit counts only where it continues its game, as everybody who reads the log has it. Whatever this module cannot know
yet waits; whatever it can never know parks the game; a game is held only over figures that differ at the same sequence,
also in a book made again from the log of rules.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn, Protocol

from services.common.errors import Unavailable
from services.common.faust.records import FollowedRecord, NotYet, Unworkable
from services.common.kafka.clients import KafkaUnreachable
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.ledger.adapters.rules_events import ANSWER_SECONDS, SourceAway, SourceBroken
from services.ledger.cluster.records import check_known, game_events, report_of
from services.ledger.convert import fact_of
from services.ledger.domain import booking
from services.ledger.domain.audit import RulesReport, audit
from services.ledger.domain.book import Book
from services.ledger.domain.errors import LedgerError
from services.ledger.handlers import Ledger, LogBehindError
from services.ledger.ports import StaleBookError

# How long a standing waits for the commit it came with before the log of rules is asked.
TOGETHER_SECONDS = 2.0
# How long the log of rules may lack what a record tells of, or be broken for its game, before the game is parked.
BELIEVED_SECONDS = 60.0
# A book is stale after its file was begun anew under it; it is read again.
AWAY = (SourceAway, KafkaUnreachable, LogBehindError, StaleBookError, sqlite3.DatabaseError, OSError)


class LogOfRules(Protocol):
    """The log of rules, asked with a bound of time. Raises `SourceAway`, as `SourceBroken` where it cannot tell of a game."""

    def events(self, game_id: str, after: int, seconds: float = ANSWER_SECONDS) -> Sequence[GameEvent]:
        """All committed events of the game after a sequence; none for an unknown game."""


class KnownLog:
    """The log of rules without events of a newer platform. Raises `NewerVersion` for a game that has any."""

    def __init__(self, source: LogOfRules) -> None:
        self._source = source

    def events(self, game_id: str, after: int, seconds: float = ANSWER_SECONDS) -> Sequence[GameEvent]:
        """See `LogOfRules`."""
        events = self._source.events(game_id, after, seconds)
        check_known(events)
        return events


class BookKeeping:
    """Handlers of rules.events and rules.standings, one at a time, and reads beside them from any thread."""

    def __init__(self, ledger: Ledger, source: KnownLog, clock: Callable[[], float] = time.monotonic) -> None:
        self._ledger = ledger
        self._source = source
        self._clock = clock
        self._waiting: dict[tuple[str, str], tuple[int, float]] = {}

    def book(self, record: FollowedRecord) -> None:
        """Book a commit. Raises `NotYet` and `Unworkable`."""
        events = game_events(record)
        check_known(events)
        with self._patience(record, events[-1].sequence):
            self._book(record, events)

    def audit(self, record: FollowedRecord) -> None:
        """Compare the book with a standing at its very sequence. Raises `NotYet` and `Unworkable`."""
        report = report_of(record)
        with self._patience(record, report.sequence):
            self._audit(record, report)

    def catch_up(self, game_id: str, seconds: float) -> bool:
        """Book what rules has and the book has not; False when rules does not answer in time.

        Raises `Unavailable` where rules has what only a newer ledger can book."""
        try:
            self._fetch(game_id, seconds)
        except Unworkable as unworkable:
            raise Unavailable(str(unworkable)) from unworkable
        except AWAY:
            return False
        return True

    @contextmanager
    def _patience(self, record: FollowedRecord, sequence: int) -> Iterator[None]:
        """Whoever is away is waited for without end; a rules that answers, but not about this game, for some time only:
        the other games of the partition wait as well."""
        try:
            yield
        except SourceBroken as broken:
            self._wait(record, sequence, str(broken))
        except AWAY as away:
            raise NotYet(str(away)) from away

    def _book(self, record: FollowedRecord, events: Sequence[GameEvent]) -> None:
        game_id, first, last = record.key, events[0].sequence, events[-1].sequence
        if not self._continues(game_id, first, last):
            if self._is_held(game_id):
                return
            self._fetch(game_id)
            if not self._continues(game_id, first, last):
                booked = self._ledger.sequence_of(game_id)
                self._wait(
                    record, last, f"commit of {first} to {last}, {booked} is the last that rules tells of"
                )
        self._waiting.pop((record.topic, game_id), None)
        self._ledger.handle(game_id, events)

    def _continues(self, game_id: str, first: int, last: int) -> bool:
        """Whether events continue the book or are in it already."""
        booked = self._ledger.sequence_of(game_id)
        return first == booked + 1 or last <= booked

    def _audit(self, record: FollowedRecord, report: RulesReport) -> None:
        game_id, sequence = record.key, report.sequence
        if self._ledger.sequence_of(game_id) < sequence:
            if self._waited(record, sequence) > TOGETHER_SECONDS:
                self._fetch(game_id)
            booked = self._ledger.sequence_of(game_id)
            if booked < sequence:
                if self._is_held(game_id):
                    return
                self._wait(record, sequence, f"standing at {sequence}, {booked} is booked")
        with self._ledger.reading(game_id) as book:
            differs = bool(audit(book, report).differences)
        if differs and self._is_made_anew_equal(record, report):
            self._ledger.rebuild(game_id)
        self._ledger.audit(game_id, report)
        self._waiting.pop((record.topic, game_id), None)

    def _is_made_anew_equal(self, record: FollowedRecord, report: RulesReport) -> bool:
        """Whether a book made from the log of rules agrees where the one kept does not."""
        events = self._source.events(record.key, 0)
        if len(events) < report.sequence and self._waited(record, report.sequence) < BELIEVED_SECONDS:
            raise NotYet(
                f"game {record.key}: rules tells of {len(events)}, the standing is at {report.sequence}"
            )
        fresh = Book(record.key)
        try:
            for event in events:
                booking.apply(fresh, fact_of(event))
            return not audit(fresh, report).differences
        except LedgerError:
            return False

    def _fetch(self, game_id: str, seconds: float = ANSWER_SECONDS) -> None:
        events = self._source.events(game_id, self._ledger.sequence_of(game_id), seconds)
        if events:
            self._ledger.handle(game_id, events)

    def _is_held(self, game_id: str) -> bool:
        """A game held for what cannot be booked stands still in the books; nothing waits for it."""
        return self._ledger.hold_of(game_id) is not None

    def _wait(self, record: FollowedRecord, sequence: int, why: str) -> NoReturn:
        if self._waited(record, sequence) > BELIEVED_SECONDS:
            raise Unworkable(why)
        raise NotYet(f"game {record.key}: {why}")

    def _waited(self, record: FollowedRecord, sequence: int) -> float:
        """Seconds since this record was first found too early."""
        key, now = (record.topic, record.key), self._clock()
        known, since = self._waiting.get(key, (sequence, now))
        if known != sequence:
            since = now
        self._waiting[key] = (sequence, since)
        return now - since
