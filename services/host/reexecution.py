"""Re-execution of a game's requests on another host, and comparison of the two logs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from services.common.errors import SignalboxError
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.log.v1 import log_pb2
from services.rules.adapters.codec import stored_body
from services.rules.handlers import Rules
from services.rules.kernel.commands import CreateGame
from services.rules.requests import CommandAccepted, CommandResult, ImportGame, Request, StaleSequenceError


class OtherOutcome(SignalboxError):
    """A request that was accepted is not accepted here; the message has the answer."""


def reexecute(rules: Rules, game_id: str, requests: Sequence[Request]) -> list[GameEvent]:
    """Create the game and execute all its commands; returns the events. Raises `OtherOutcome`."""
    for request in requests:
        try:
            result = _execute(rules, request)
        except StaleSequenceError as stale:
            raise OtherOutcome(f"request {request.request_id}: {stale}") from stale
        if not isinstance(result, CommandAccepted):
            raise OtherOutcome(f"request {request.request_id}: {result.rejection.message}")
    return list(rules.reader.events(game_id, 0))


def _execute(rules: Rules, request: Request) -> CommandResult:
    if isinstance(request.command, CreateGame | ImportGame):
        return rules.create(request.game_id, request.command)
    return rules.execute(request)


def first_difference(facts: Sequence[log_pb2.Fact], events: Sequence[GameEvent]) -> int | None:
    """Sequence of the first event that differs in schema, type or payload; None when all are equal."""
    for sequence, (fact, event) in enumerate(zip_longest(facts, events), start=1):
        if fact is None or event is None:
            return sequence
        if (fact.type, fact.schema_version, fact.payload) != stored_body(event):
            return sequence
    return None
