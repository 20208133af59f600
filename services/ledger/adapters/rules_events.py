"""The log of rules over gRPC."""

from __future__ import annotations

from collections.abc import Callable

import grpc

from services.common.errors import SignalboxError
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.rules.v1 import rules_pb2 as pb, rules_pb2_grpc

PAGE_SIZE = 1000
ANSWER_SECONDS = 5.0
NOTHING_THERE = (grpc.StatusCode.NOT_FOUND, grpc.StatusCode.OUT_OF_RANGE)
BROKEN = (
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.DATA_LOSS,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.UNIMPLEMENTED,
)


class SourceAway(SignalboxError):
    """Rules does not answer now; the message says what it said."""


class SourceBroken(SourceAway):
    """Rules answers that it cannot tell of this game, which may pass, or be so for ever."""


class RulesEvents:
    """The ledger's `EventSource` from the rpc ListEvents of any rules replica."""

    def __init__(self, channel: grpc.Channel, token: Callable[[], str]) -> None:
        """`token` is asked for a valid token before each call; where it raises a `SignalboxError`, rules is away."""
        self._stub = rules_pb2_grpc.RulesStub(channel)
        self._token = token

    def events(self, game_id: str, after: int, seconds: float = ANSWER_SECONDS) -> tuple[GameEvent, ...]:
        """All events after a sequence that the replica asked knows; none where it knows less or no such game.

        Raises `SourceBroken`, and `SourceAway` when it did not give them all within `seconds` for each page."""
        found: list[GameEvent] = []
        while True:
            page = self._page(game_id, after, seconds)
            if page is None:
                return tuple(found)
            found.extend(page.events)
            if not page.next_after_sequence:
                return tuple(found)
            after = page.next_after_sequence

    def _page(self, game_id: str, after: int, seconds: float) -> pb.ListEventsResponse | None:
        request = pb.ListEventsRequest(game_id=game_id, after_sequence=after, page_size=PAGE_SIZE)
        try:
            metadata = (("authorization", f"Bearer {self._token()}"),)
        except SignalboxError as problem:
            raise SourceAway(f"no token for rules: {problem}") from problem
        try:
            page: pb.ListEventsResponse = self._stub.ListEvents(request, timeout=seconds, metadata=metadata)
        except grpc.RpcError as error:
            if error.code() in NOTHING_THERE:
                return None
            kind = SourceBroken if error.code() in BROKEN else SourceAway
            raise kind(f"rules, events of game {game_id}: {error.code().name}: {error.details()}") from error
        return page
