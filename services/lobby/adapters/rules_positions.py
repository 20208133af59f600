"""The lobby's `GamePositions` from the rpcs GetGame and ListEvents of any rules replica."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import grpc

from services.common.errors import SignalboxError, Unavailable
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.rules.v1 import rules_pb2 as pb, rules_pb2_grpc
from services.lobby.adapters.positions import position_of, rulings_of
from services.lobby.domain.positions import GameRuling, Position

ANSWER_SECONDS = 8.0
PAGE_SIZE = 1000

Metadata = tuple[tuple[str, str], ...]


@contextmanager
def _answering() -> Iterator[None]:
    try:
        yield
    except grpc.RpcError as error:
        raise Unavailable(f"rules: {error}") from error


class RulesPositions:
    """Calls rules with a token of the lobby, which sees every game."""

    def __init__(self, channel: grpc.Channel, token: Callable[[], str]) -> None:
        """`token` is called for a valid token before each position."""
        self._stub = rules_pb2_grpc.RulesStub(channel)
        self._token = token

    def position(self, game_id: str, at_sequence: int = 0) -> Position:
        """See `GamePositions`."""
        metadata = self._metadata()
        request = pb.GetGameRequest(game_id=game_id, at_sequence=at_sequence, at_least_sequence=at_sequence)
        with _answering():
            view = self._stub.GetGame(request, timeout=ANSWER_SECONDS, metadata=metadata).game
            return position_of(view, self._events(game_id, view.sequence, metadata))

    def rulings(self, game_id: str) -> tuple[GameRuling, ...]:
        """See `GamePositions`."""
        metadata = self._metadata()
        with _answering():
            view = self._stub.GetGame(
                pb.GetGameRequest(game_id=game_id), timeout=ANSWER_SECONDS, metadata=metadata
            ).game
            return rulings_of(self._events(game_id, view.sequence, metadata))

    def _metadata(self) -> Metadata:
        try:
            return (("authorization", f"Bearer {self._token()}"),)
        except SignalboxError as problem:
            raise Unavailable(f"no token for rules: {problem}") from problem

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
