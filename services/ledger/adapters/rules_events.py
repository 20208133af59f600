"""The event log of rules over gRPC."""

from __future__ import annotations

from collections.abc import Callable

import grpc

from services.common.errors import SignalboxError
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.rules.v1 import rules_pb2 as pb, rules_pb2_grpc

PAGE_SIZE = 1000
ANSWER_SECONDS = 5.0
NOT_FOUND_CODES = (grpc.StatusCode.NOT_FOUND, grpc.StatusCode.OUT_OF_RANGE)
FAILED_CODES = (
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.DATA_LOSS,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.UNIMPLEMENTED,
)


class SourceUnavailable(SignalboxError):
    """Rules does not answer; the message has its error."""


class SourceFailed(SourceUnavailable):
    """Rules answers with an error for this game, which may be temporary or permanent."""


class RulesEvents:
    """The ledger's `EventSource` from the rpc ListEvents of any rules replica."""

    def __init__(self, channel: grpc.Channel, token: Callable[[], str]) -> None:
        """`token` is called for a valid token before each call; a `SignalboxError` from it counts as unavailable."""
        self._stub = rules_pb2_grpc.RulesStub(channel)
        self._token = token

    def events(self, game_id: str, after: int, seconds: float = ANSWER_SECONDS) -> tuple[GameEvent, ...]:
        """All events after a sequence that the replica knows; none where it knows fewer events or no such game.

        Raises `SourceFailed`, and `SourceUnavailable` when a page takes longer than `seconds`."""
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
            raise SourceUnavailable(f"no token for rules: {problem}") from problem
        try:
            page: pb.ListEventsResponse = self._stub.ListEvents(request, timeout=seconds, metadata=metadata)
        except grpc.RpcError as error:
            if error.code() in NOT_FOUND_CODES:
                return None
            kind = SourceFailed if error.code() in FAILED_CODES else SourceUnavailable
            raise kind(f"rules, events of game {game_id}: {error.code().name}: {error.details()}") from error
        return page
