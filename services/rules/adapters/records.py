"""Events as they are stored, read in one place: as events of the rules, and as the envelopes that readers get."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.rules.adapters.codec import decode_event, fill_body
from services.rules.kernel.events import Event


class StoredEvent(Protocol):
    """An event in a log, in a commit or about to be written."""

    @property
    def type(self) -> str:
        """The name under which it is stored."""

    @property
    def schema_version(self) -> int:
        """The schema version of its payload."""

    @property
    def payload(self) -> bytes:
        """Its bytes."""


def decoded(stored: Iterable[StoredEvent]) -> list[Event]:
    """The events of the rules. Raises `UnreadableEventError`."""
    return [decode_event(each.type, each.schema_version, each.payload) for each in stored]


def envelope(
    stored: StoredEvent,
    game_id: str = "",
    sequence: int = 0,
    request_id: str = "",
    recorded_time_ms: int = 0,
) -> GameEvent:
    """A stored event as readers get it; its payload is not decoded into an event of the rules."""
    event = GameEvent(
        game_id=game_id,
        sequence=sequence,
        request_id=request_id,
        recorded_time_ms=recorded_time_ms,
    )
    fill_body(event, stored.type, stored.schema_version, stored.payload)
    return event


def without_seed(event: GameEvent) -> GameEvent:
    """An event as everybody may read it. What is drawn later follows from the seed, also at other tables that play from it."""
    if not event.HasField("game_created"):
        return event
    shown = GameEvent()
    shown.CopyFrom(event)
    shown.game_created.ClearField("seed")
    return shown
