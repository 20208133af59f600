"""Books the events of rules, audits the books, and holds a game whose figures do not agree.

The embedded host calls `handle` after every command, the cluster host for every record; both may repeat or
skip events.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock

from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.ledger.convert import fact_of
from services.ledger.domain import booking
from services.ledger.domain.audit import Audit, ReportedBalances, audit, broken_laws
from services.ledger.domain.book import Book
from services.ledger.domain.errors import GapError, LedgerError, MalformedFactError
from services.ledger.ports import (
    OPERATOR,
    Alarm,
    BookStore,
    BrokenBookError,
    EventSource,
    GameHold,
    Hold,
    StaleBookError,
    UnwritableStoreError,
)

BOOKS_IN_MEMORY = 1000
# An entry takes about 0.5 KiB, so at most about 200 MiB.
ENTRIES_IN_MEMORY = 400_000


class UnknownGameError(LookupError):
    """No event of this game was ever booked."""


class LogBehindError(Exception):
    """Events are missing and the log does not have them yet; later events were not booked."""


@dataclass(slots=True)
class _OpenBook:
    """A book in memory, how much of it the store has, and the latest comparison with rules."""

    book: Book
    stored_sequence: int = 0
    stored_entries: int = 0
    compared: Audit | None = None
    counted_entries: int = 0


class Ledger:
    """Keeps the books of all games. Safe to use from several threads; one ledger writes to a store at a
    time."""

    def __init__(
        self,
        store: BookStore,
        log: EventSource,
        game_hold: GameHold,
        alarm: Alarm,
        books_in_memory: int = BOOKS_IN_MEMORY,
        reads_log_when_opened: bool = True,
        entries_in_memory: int = ENTRIES_IN_MEMORY,
    ) -> None:
        """`reads_log_when_opened`: whether loading a book also reads new events from the log. A host that catches up
        itself, without blocking other games, passes False; a gap that the log cannot fill yet raises `LogBehindError`
        then, and a book that breaks a law `StaleBookError`: it is made anew before its game is held. The most recently used
        book stays in memory whatever its size."""
        self._store = store
        self._log = log
        self._game_hold = game_hold
        self._alarm = alarm
        self._books_in_memory = books_in_memory
        self._entries_in_memory = entries_in_memory
        self._entries = 0
        self._made_anew: set[str] = set()
        self._open: OrderedDict[str, _OpenBook] = OrderedDict()
        self._lock = RLock()
        self._reads_log_when_opened = reads_log_when_opened
        for hold in store.holds():
            game_hold.hold(hold.game_id, hold.shown)

    def handle(self, game_id: str, events: Sequence[GameEvent]) -> int:
        """Book committed events and return the last sequence booked.

        Events booked before are dropped, missing ones are fetched from the log. What cannot be booked, and
        a broken law, holds the game instead of raising: the events are facts already. Raises only what the
        store and the log raise, `LogBehindError` and `StaleBookError`."""
        with self._lock:
            opened = self._opened(game_id)
            self._book_all(opened.book, events)
            self._keep(game_id, opened)
            self._evict_oldest(opened)
            self._hold_for_broken_laws(opened.book)
            self._made_anew.discard(game_id)
            return opened.book.sequence

    def audit(self, game_id: str, status: ReportedBalances) -> Audit:
        """Compare the books with what rules reports and hold the game on a difference.

        Raises `UnknownGameError`, and `SequenceOutOfRangeError` for a status at a sequence not booked
        yet."""
        with self._lock:
            opened = self._known(game_id)
            found = audit(opened.book, status)
            if not found.differences:
                self.agreed(game_id, status.sequence)
            else:
                opened.compared = found
                self.hold(game_id, "; ".join(map(str, found.differences)))
                self._hold_for_broken_laws(opened.book)
            return found

    def agreed(self, game_id: str, sequence: int) -> None:
        """The books after `sequence` have no difference to what rules reports. Raises `UnknownGameError`."""
        with self._lock:
            opened = self._known(game_id)
            opened.compared = Audit(sequence, (), broken_laws(opened.book))
            with self._storing():
                self._store.note_agreed(game_id, sequence)
            self._hold_for_broken_laws(opened.book)

    def hold(self, game_id: str, detail: str) -> None:
        """Hold a game for a difference between books and rules. Raises `UnknownGameError`."""
        with self._lock:
            self._hold(Hold(game_id, "difference", detail, self._known(game_id).book.sequence))

    def hold_for_operator(self, game_id: str, why: str) -> Hold:
        """Hold a game because an operator wants it, and return its hold: the first one stays. Raises `UnknownGameError`."""
        with self._lock:
            known = self._store.hold_of(game_id)
            if known is not None:
                return known
            hold = Hold(game_id, OPERATOR, why, self._known(game_id).book.sequence)
            self._store.put_hold(hold)
            self._game_hold.hold(game_id, hold.shown)
            return hold

    @contextmanager
    def reading(self, game_id: str) -> Iterator[Book]:
        """The book of a game, locked meanwhile. `UnknownGameError` when nothing was ever booked."""
        with self._lock:
            yield self._known(game_id).book

    def compared(self, game_id: str) -> Audit | None:
        """The latest comparison with rules, None when there was none; for a reloaded book the latest stored one, which
        had no difference. `UnknownGameError` as in `reading`."""
        with self._lock:
            return self._known(game_id).compared

    def holds(self) -> tuple[Hold, ...]:
        """All games held, by game id."""
        with self._lock:
            return self._store.holds()

    def hold_of(self, game_id: str) -> Hold | None:
        """The hold on a game, if any."""
        with self._lock:
            return self._store.hold_of(game_id)

    def release(self, game_id: str) -> None:
        """Release a held game; an operator's decision after the cause was removed."""
        with self._lock:
            self._store.remove_hold(game_id)
            self._game_hold.release(game_id)

    def rebuild(self, game_id: str) -> int:
        """Rebuild the book from the log and return its last sequence; a hold stays until it is released.
        `UnknownGameError` when the log has no events of the game; the book stays then."""
        events = self._log.events(game_id, 0)
        if not events:
            raise UnknownGameError(game_id)
        with self._lock:
            self._discard(game_id, "requested by an operator")
            self._made_anew.add(game_id)
            opened = self._open[game_id] = _OpenBook(Book(game_id))
            self._book_all(opened.book, events)
            self._keep(game_id, opened)
            self._evict_oldest(opened)
            return opened.book.sequence

    def drop(self, game_id: str, why: str) -> None:
        """Delete the book of a game; it is rebuilt at the next read or event. Its hold stays."""
        with self._lock:
            self._discard(game_id, why)

    def sequence_of(self, game_id: str) -> int:
        """The last sequence booked, 0 without a book."""
        with self._lock:
            opened = self._opened(game_id)
            if opened.book.sequence == 0:
                self._evict(game_id)
            return opened.book.sequence

    def close(self) -> None:
        """Close the store; everything booked is in it."""
        with self._lock:
            self._open.clear()
            self._entries = 0
            self._store.close()

    def _known(self, game_id: str) -> _OpenBook:
        opened = self._opened(game_id)
        if opened.book.sequence == 0:
            self._evict(game_id)
            raise UnknownGameError(game_id)
        return opened

    def _opened(self, game_id: str) -> _OpenBook:
        opened = self._open.get(game_id)
        if opened is None:
            opened = self._loaded(game_id)
            if self._reads_log_when_opened:
                self._book_all(opened.book, self._log.events(game_id, opened.book.sequence))
                self._keep(game_id, opened)
            self._open[game_id] = opened
            self._evict_oldest(opened)
        self._open.move_to_end(game_id)
        return opened

    def _evict_oldest(self, opened: _OpenBook) -> None:
        """Count the growth of this book, the latest, and evict the least recently used ones over the limits."""
        self._entries += len(opened.book.entries) - opened.counted_entries
        opened.counted_entries = len(opened.book.entries)
        while len(self._open) > 1 and (
            len(self._open) > self._books_in_memory or self._entries > self._entries_in_memory
        ):
            self._evict(next(iter(self._open)))

    def _evict(self, game_id: str) -> None:
        opened = self._open.pop(game_id, None)
        if opened is not None:
            self._entries -= opened.counted_entries

    def _loaded(self, game_id: str) -> _OpenBook:
        try:
            stored = self._store.load(game_id)
        except BrokenBookError as broken:
            self._discard(game_id, str(broken))
            stored = None
        if stored is None:
            return _OpenBook(Book(game_id))
        book = Book.restored(game_id, stored.sequence, stored.entries)
        agreed = Audit(stored.agreed_sequence, (), ()) if stored.agreed_sequence else None
        return _OpenBook(book, stored.sequence, len(stored.entries), agreed)

    def _discard(self, game_id: str, why: str) -> None:
        self._alarm.rebuilt(game_id, why)
        self._store.forget(game_id)
        self._evict(game_id)

    def _book_all(self, book: Book, events: Sequence[GameEvent]) -> None:
        before = book.sequence
        try:
            try:
                _apply_new(book, events)
            except GapError:
                _apply_new(book, self._log.events(book.game_id, book.sequence))
                self._apply_after_reading(book, events)
        except LedgerError as refused:
            self._hold(Hold(book.game_id, refused.code, str(refused), book.sequence))
        self._alarm.booked(book.sequence - before)

    def _apply_after_reading(self, book: Book, events: Sequence[GameEvent]) -> None:
        try:
            _apply_new(book, events)
        except GapError as gap:
            if self._reads_log_when_opened:
                raise
            raise LogBehindError(str(gap)) from gap

    def _keep(self, game_id: str, opened: _OpenBook) -> None:
        book = opened.book
        if book.sequence == opened.stored_sequence:
            return
        try:
            with self._storing():
                self._store.append(
                    game_id, opened.stored_sequence, book.sequence, book.entries[opened.stored_entries :]
                )
                opened.stored_sequence, opened.stored_entries = book.sequence, len(book.entries)
        except Exception:
            self._evict(game_id)
            raise

    @contextmanager
    def _storing(self) -> Iterator[None]:
        """Where a book reads what it lacks from the log when it is opened, it need not be stored now: a store that cannot be
        written delays nobody, and the next entries are stored with these."""
        try:
            yield
        except UnwritableStoreError:
            if not self._reads_log_when_opened:
                raise

    def _hold_for_broken_laws(self, book: Book) -> None:
        broken = broken_laws(book)
        if not broken:
            return
        game_id, detail = book.game_id, "; ".join(broken)
        if not self._reads_log_when_opened and game_id not in self._made_anew:
            # The book may be wrong alone: of a log that was put back to an earlier state it has events that are no more.
            self._made_anew.add(game_id)
            self._discard(game_id, detail)
            raise StaleBookError(f"game {game_id}: its book is made anew, {detail}")
        self._made_anew.discard(game_id)
        self._hold(Hold(game_id, "broken_law", detail, book.sequence))

    def _hold(self, hold: Hold) -> None:
        """Hold a game. Its first finding stays the reason; the alarm is raised for each."""
        self._alarm.raised(hold)
        if self._store.hold_of(hold.game_id) is None:
            with self._storing():
                self._store.put_hold(hold)
        self._game_hold.hold(hold.game_id, hold.reason)


def _apply_new(book: Book, events: Sequence[GameEvent]) -> None:
    for event in events:
        if event.game_id != book.game_id:
            raise MalformedFactError(
                book.game_id, event.sequence, f"the event belongs to game {event.game_id!r}"
            )
        if event.sequence > book.sequence:
            booking.apply(book, fact_of(event))
