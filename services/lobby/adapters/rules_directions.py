"""The lobby's `GameDirector` from the rpc Direct of any rules replica."""

from collections.abc import Callable
from typing import Any

import grpc

from services.common.errors import InvalidRequest, SignalboxError, Unavailable
from services.gen.signalbox.rules.v1 import rules_pb2 as pb, rules_pb2_grpc
from services.gen.signalbox.rules.v1.direction_pb2 import Direction
from services.lobby.ports import Directed, DirectionRefused, GameMovedOn

ANSWER_SECONDS = 8.0
SEQUENCE_KEY = "signalbox-sequence"


class RulesDirections:
    """Calls rules with a token of the lobby."""

    def __init__(self, channel: grpc.Channel, token: Callable[[], str]) -> None:
        """`token` is called for a valid token before each call."""
        self._stub = rules_pb2_grpc.RulesStub(channel)
        self._token = token

    def direct(
        self, game_id: str, author: str, request_id: str, expected_sequence: int, direction: Direction
    ) -> Directed:
        """See `GameDirector`."""
        request = pb.DirectRequest(
            game_id=game_id,
            request_id=request_id,
            expected_sequence=expected_sequence,
            author=author,
            direction=direction,
        )
        return _outcome(game_id, self._sent(request))

    def _sent(self, request: pb.DirectRequest) -> pb.DirectResponse:
        try:
            metadata = (("authorization", f"Bearer {self._token()}"),)
        except SignalboxError as problem:
            raise Unavailable(f"no token for rules: {problem}") from problem
        try:
            answer: pb.DirectResponse = self._stub.Direct(request, timeout=ANSWER_SECONDS, metadata=metadata)
        except grpc.RpcError as error:
            raise _failure(error) from error
        return answer


def _outcome(game_id: str, answer: pb.DirectResponse) -> Directed:
    if answer.WhichOneof("outcome") == "rejected":
        rejected = answer.rejected
        raise DirectionRefused(rejected.code, rejected.message, rejected.clause)
    return Directed(game_id, answer.accepted.first_sequence, answer.accepted.last_sequence)


def _failure(error: Any) -> SignalboxError:
    """What a failed call means to a director; `error` is a `grpc.RpcError`, whose stubs leave out what every failed call has."""
    match error.code():
        case grpc.StatusCode.ABORTED:
            trailing = {str(key): str(value) for key, value in error.trailing_metadata() or ()}
            return GameMovedOn(int(trailing.get(SEQUENCE_KEY, 0)))
        case grpc.StatusCode.INVALID_ARGUMENT:
            return InvalidRequest(error.details() or "")
    return Unavailable(f"rules: {error.code().name}: {error.details()}; the same request may be sent again")
