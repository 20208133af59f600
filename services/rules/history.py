"""Which request led to which events of a game: for undo, which goes back to the end of a request, and for readers."""

from __future__ import annotations

from bisect import bisect_left
from threading import Lock

import msgspec

from services.common.eventlog.port import EventLog, Record
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.rules.adapters.codec import decode_event, fill_body
from services.rules.domain.events import Event, Undone

STREAM_PREFIX = "game/"


class Outcome(msgspec.Struct, frozen=True, array_like=True):
    """First and last sequence of what an accepted request led to, as stored beside its events."""

    first: int
    last: int


_decode_outcome = msgspec.msgpack.Decoder(Outcome).decode


def stream_of(game_id: str) -> str:
    """The stream of the log that holds a game."""
    return STREAM_PREFIX + game_id


def read_outcome(stored: bytes) -> Outcome:
    """An outcome from its stored form."""
    return _decode_outcome(stored)


def stored_outcome(outcome: Outcome) -> bytes:
    """The stored form of an outcome."""
    return msgspec.msgpack.encode(outcome)


class History:
    """The accepted requests of one game, read from the log when first asked for. Safe to use from many threads."""

    def __init__(self, log: EventLog, game_id: str) -> None:
        self._log = log
        self._game_id = game_id
        self._ends: list[tuple[int, str]] = []
        self._lock = Lock()

    def game_events(self, records: list[Record]) -> list[GameEvent]:
        """Stored events as readers get them, each with the id of its request."""
        if records:
            self._reach(records[-1].sequence)
        return [self._game_event(record) for record in records]

    def add(self, request_id: str, last: int) -> None:
        """Take note of a request accepted just now, where the older ones are known."""
        with self._lock:
            if self._ends and self._ends[-1][0] < last:
                self._ends.append((last, request_id))

    def since(self, sequence: int) -> list[Event] | None:
        """What happened after an accepted request that ended there; `None` when none did, or when it was taken back."""
        self._reach(sequence)
        if self._request_of(sequence)[0] != sequence:
            return None
        records = self._log.read(stream_of(self._game_id), sequence)
        events = [decode_event(record.type, record.payload) for record in records]
        taken_back = any(isinstance(event, Undone) and event.to_sequence < sequence for event in events)
        return None if taken_back else events

    def _game_event(self, record: Record) -> GameEvent:
        event = GameEvent(
            game_id=self._game_id,
            sequence=record.sequence,
            schema_version=record.schema_version,
            request_id=self._request_of(record.sequence)[1],
            recorded_time_ms=record.recorded_time_ms,
        )
        fill_body(event, record.type, record.payload)
        return event

    def _request_of(self, sequence: int) -> tuple[int, str]:
        """Last sequence and id of the request that led to this event."""
        ends = self._ends
        return ends[bisect_left(ends, (sequence, ""))]

    def _reach(self, sequence: int) -> None:
        with self._lock:
            if not self._ends or self._ends[-1][0] < sequence:
                stored = self._log.requests(stream_of(self._game_id))
                self._ends = sorted((read_outcome(each.outcome).last, each.request_id) for each in stored)
