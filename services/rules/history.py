"""Which request caused which events of a game: for undo, which goes back to the end of a request, for readers, and for the
quota of each player."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from threading import Lock

import msgspec

from services.common.eventlog.port import EventLog, Record
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.rules.adapters.records import decoded, envelope
from services.rules.kernel.events import Event, Undone

STREAM_PREFIX = "game/"
# Sorts after every id of a request.
LAST_ID = "\U0010ffff"


class EventRange(msgspec.Struct, frozen=True, array_like=True):
    """First and last sequence of the events of an accepted request, as stored with the request."""

    first: int
    last: int

    @property
    def count(self) -> int:
        """How many events."""
        return self.last - self.first + 1


_decode_event_range = msgspec.msgpack.Decoder(EventRange).decode


def stream_of(game_id: str) -> str:
    """The stream of the log that holds a game."""
    return STREAM_PREFIX + game_id


def decode_event_range(stored: bytes) -> EventRange:
    """The range in its stored form."""
    return _decode_event_range(stored)


def encode_event_range(events: EventRange) -> bytes:
    """The stored form of a range."""
    return msgspec.msgpack.encode(events)


class History:
    """The accepted requests of one game, read from the log when first asked for. Safe to use from many threads."""

    def __init__(self, log: EventLog, game_id: str) -> None:
        self._log = log
        self._game_id = game_id
        self._ends: list[tuple[int, str]] = []
        self._written: Counter[str] = Counter()
        self._lock = Lock()

    def game_events(self, records: list[Record]) -> list[GameEvent]:
        """Stored events as readers get them, each with the id of its request."""
        if records:
            self._reach(records[-1].sequence)
        return [self._game_event(record) for record in records]

    def add(self, request_id: str, player: str, events: EventRange) -> None:
        """Add a request just accepted, if the older ones are loaded."""
        with self._lock:
            if self._ends and self._ends[-1][0] < events.last:
                self._ends.append((events.last, request_id))
                self._written[player] += events.count

    def written(self, player: str, sequence: int) -> int:
        """How many events a player's requests have written, up to this last event of the game; undone ones count."""
        self._reach(sequence)
        return self._written[player]

    def shown_until(self, sequence: int, moves: int, until_ms: int | None) -> int:
        """The last event of the game up to `sequence` that is older than the last `moves` requests and was recorded until then
        (None: whenever). The events that began the game are always shown."""
        self._reach(sequence)
        ends = [end for end, _ in self._ends[: bisect_right(self._ends, (sequence, LAST_ID))]]
        shown = max(1, len(ends) - moves)
        if until_ms is not None:
            shown = max(1, bisect_right(ends, until_ms, hi=shown, key=self._recorded_ms))
        return ends[shown - 1]

    def _recorded_ms(self, sequence: int) -> int:
        return next(iter(self._log.read(stream_of(self._game_id), sequence - 1, sequence))).recorded_time_ms

    def since(self, sequence: int) -> list[Event] | None:
        """The events after an accepted request that ended at `sequence`; `None` if none ended there or it was undone."""
        self._reach(sequence)
        if self._request_of(sequence)[0] != sequence:
            return None
        events = decoded(self._log.read(stream_of(self._game_id), sequence))
        is_undone = any(isinstance(event, Undone) and event.to_sequence < sequence for event in events)
        return None if is_undone else events

    def before_last(self, sequence: int) -> int:
        """Where the game stood before the latest request that was not taken back, if `sequence` is its last event; 0: nowhere."""
        self._reach(sequence)
        while isinstance(undone := self._event(sequence), Undone):
            sequence = undone.to_sequence
        ends = self._ends
        index = bisect_left(ends, (sequence, ""))
        return ends[index - 1][0] if index else 0

    def _event(self, sequence: int) -> Event:
        (event,) = decoded(self._log.read(stream_of(self._game_id), sequence - 1, sequence))
        return event

    def _game_event(self, record: Record) -> GameEvent:
        request_id = self._request_of(record.sequence)[1]
        return envelope(record, self._game_id, record.sequence, request_id, record.recorded_time_ms)

    def _request_of(self, sequence: int) -> tuple[int, str]:
        """Last sequence and id of the request of this event."""
        ends = self._ends
        return ends[bisect_left(ends, (sequence, ""))]

    def _reach(self, sequence: int) -> None:
        with self._lock:
            if not self._ends or self._ends[-1][0] < sequence:
                stored = self._log.requests(stream_of(self._game_id))
                ranges = [decode_event_range(each.outcome) for each in stored]
                self._ends = sorted(
                    (events.last, each.request_id) for events, each in zip(ranges, stored, strict=True)
                )
                self._written = Counter()
                for events, each in zip(ranges, stored, strict=True):
                    self._written[each.player] += events.count
