"""The event log of rules over gRPC."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import grpc
from google.protobuf.message import Message

from services.common.balances import Balances
from services.common.errors import SignalboxError
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.rules.v1 import game_pb2, rules_pb2 as pb, rules_pb2_grpc
from services.ledger.domain.accounts import BANK

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
Answer = TypeVar("Answer", bound=Message)


class SourceUnavailable(SignalboxError):
    """Rules does not answer; the message has its error."""


class SourceFailed(SourceUnavailable):
    """Rules answers with an error for this game, which may be temporary or permanent."""


class RulesEvents:
    """The ledger's `RulesEventLog` from the rpcs ListEvents and GetGame of any rules replica."""

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

    def balances(self, game_id: str, sequence: int) -> Balances:
        """What players, companies and the bank have after a sequence.

        Raises `SourceFailed`, and `SourceUnavailable` when rules does not answer or is not at this sequence yet."""
        request = pb.GetGameRequest(game_id=game_id, at_sequence=sequence, at_least_sequence=sequence)
        answer = self._asked(self._stub.GetGame, request, f"game {game_id} at {sequence}", ANSWER_SECONDS)
        if answer is None:
            raise SourceUnavailable(f"rules does not know game {game_id} at {sequence}")
        return balances_in(answer.game)

    def _page(self, game_id: str, after: int, seconds: float) -> pb.ListEventsResponse | None:
        request = pb.ListEventsRequest(game_id=game_id, after_sequence=after, page_size=PAGE_SIZE)
        return self._asked(self._stub.ListEvents, request, f"events of game {game_id}", seconds)

    def _asked(
        self, method: Callable[..., Answer], request: Message, what: str, seconds: float
    ) -> Answer | None:
        """The answer of rules, `None` where it knows no such game or not so many events."""
        try:
            metadata = (("authorization", f"Bearer {self._token()}"),)
        except SignalboxError as problem:
            raise SourceUnavailable(f"no token for rules: {problem}") from problem
        try:
            return method(request, timeout=seconds, metadata=metadata)
        except grpc.RpcError as error:
            if error.code() in NOT_FOUND_CODES:
                return None
            kind = SourceFailed if error.code() in FAILED_CODES else SourceUnavailable
            raise kind(f"rules, {what}: {error.code().name}: {error.details()}") from error


def balances_in(view: game_pb2.GameView) -> Balances:
    """What players, companies and the bank have in a game as it is shown."""
    cash = {each.player: each.cash for each in view.players}
    cash |= {each.company: each.cash for each in view.companies}
    return Balances(
        cash={**cash, BANK: view.bank_cash},
        shares={(each.holder, each.company): each.shares for each in view.holdings},
        debts={each.player: each.debt for each in view.players}
        | {each.company: each.debt for each in view.companies},
    )
