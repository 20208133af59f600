"""A game lived again on another host by the very requests that made it, and its two logs side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from services.common.errors import SignalboxError
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.log.v1 import log_pb2
from services.rules.adapters.codec import fill_body
from services.rules.domain.commands import CreateGame
from services.rules.handlers import CarriedOut, Request, Result, Rules, StaleSequenceError


class OtherOutcome(SignalboxError):
    """A request that was carried out once is not carried out here; the message says what it is answered."""


def relive(rules: Rules, game_id: str, requests: Sequence[Request]) -> list[GameEvent]:
    """Carry out the setting up of a game and all its commands; gives the events. Raises `OtherOutcome`."""
    for request in requests:
        try:
            result = _carried_out(rules, request)
        except StaleSequenceError as stale:
            raise OtherOutcome(f"request {request.request_id}: {stale}") from stale
        if not isinstance(result, CarriedOut):
            raise OtherOutcome(f"request {request.request_id}: {result.rejection.message}")
    return list(rules.reader.events(game_id, 0))


def _carried_out(rules: Rules, request: Request) -> Result:
    if isinstance(request.command, CreateGame):
        return rules.create(request.game_id, request.command)
    return rules.execute(request)


def first_difference(facts: Sequence[log_pb2.Fact], events: Sequence[GameEvent]) -> int | None:
    """Sequence of the first event that differs in schema, type or payload; None when all are equal."""
    for sequence, (fact, event) in enumerate(zip_longest(_as_events(facts), events), start=1):
        if fact is None or event is None or _content(fact) != _content(event):
            return sequence
    return None


def _as_events(facts: Sequence[log_pb2.Fact]) -> Iterator[GameEvent]:
    for fact in facts:
        event = GameEvent(schema_version=fact.schema_version)
        fill_body(event, fact.type, fact.payload)
        yield event


def _content(event: GameEvent) -> tuple[int, str, bytes]:
    """Schema, type and payload, whatever the time and the request."""
    name = event.WhichOneof("body") or ""
    return event.schema_version, name, getattr(event, name).SerializeToString(deterministic=True)
