"""The ledger's `GameSight` from any rules replica, which is asked with the caller's own token."""

from __future__ import annotations

import grpc

from services.common.auth.tokens import METADATA_KEY, Principal
from services.common.errors import Unavailable
from services.gen.signalbox.rules.v1 import rules_pb2 as pb, rules_pb2_grpc
from services.ledger.handlers import UnknownGameError

ANSWER_SECONDS = 3.0


class RulesSight:
    """Calls rules as the caller: what it answers is what the caller may see."""

    def __init__(self, channel: grpc.Channel) -> None:
        self._stub = rules_pb2_grpc.RulesStub(channel)

    def seen_by(self, game_id: str, caller: Principal, authorization: str) -> int | None:
        """See `GameSight`."""
        request = pb.ListEventsRequest(game_id=game_id, page_size=1)
        metadata = ((METADATA_KEY, authorization),)
        try:
            return int(self._stub.ListEvents(request, timeout=ANSWER_SECONDS, metadata=metadata).sequence)
        except grpc.RpcError as error:
            if error.code() is grpc.StatusCode.NOT_FOUND:
                raise UnknownGameError(game_id) from error
            raise Unavailable(f"rules, game {game_id}: {error.code().name}: {error.details()}") from error
