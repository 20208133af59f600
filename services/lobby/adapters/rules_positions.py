"""The lobby's `GamePositions` from the rpcs GetGame and ListEvents of any rules replica."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import grpc

from services.common.errors import SignalboxError, Unavailable
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.rules.v1 import rules_pb2 as pb, rules_pb2_grpc
from services.lobby.adapters.positions import position_of
from services.lobby.domain.positions import Position

ANSWER_SECONDS = 8.0
PAGE_SIZE = 1000

Metadata = tuple[tuple[str, str], ...]


class RulesPositions:
    """Calls rules with a token of the lobby, which sees every game."""

    def __init__(self, channel: grpc.Channel, token: Callable[[], str]) -> None:
        """`token` is called for a valid token before each position."""
        self._stub = rules_pb2_grpc.RulesStub(channel)
        self._token = token

    def position(self, game_id: str) -> Position:
        """See `GamePositions`."""
        try:
            metadata = (("authorization", f"Bearer {self._token()}"),)
        except SignalboxError as problem:
            raise Unavailable(f"no token for rules: {problem}") from problem
        try:
            request = pb.GetGameRequest(game_id=game_id)
            view = self._stub.GetGame(request, timeout=ANSWER_SECONDS, metadata=metadata).game
            return position_of(view, self._events(game_id, view.sequence, metadata))
        except grpc.RpcError as error:
            raise Unavailable(f"rules: {error}") from error

    def _events(self, game_id: str, up_to: int, metadata: Metadata) -> Iterator[GameEvent]:
        """The events until a sequence, which another replica may still have to read."""
        after, more = 0, True
        while more:
            request = pb.ListEventsRequest(
                game_id=game_id, after_sequence=after, page_size=PAGE_SIZE, at_least_sequence=up_to
            )
            page = self._stub.ListEvents(request, timeout=ANSWER_SECONDS, metadata=metadata)
            yield from page.events
            after = page.next_after_sequence
            more = 0 < after < up_to
