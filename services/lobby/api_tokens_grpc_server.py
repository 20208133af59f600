"""A player's own tokens for programs, over gRPC: decode, call a handler, answer."""

from __future__ import annotations

from collections.abc import Iterable

import grpc

from services.common.auth.tokens import TokenVerifier
from services.gen.signalbox.lobby.v1 import (
    api_token_pb2,
    api_tokens_service_pb2 as wire,
    api_tokens_service_pb2_grpc,
)
from services.lobby.domain.api_tokens import ApiTokenMade
from services.lobby.domain.rejections import Rejection
from services.lobby.handlers.api_tokens import ApiTokenHandlers
from services.lobby.rejection_messages import rejection_message
from services.lobby.struct_messages import message_of


class ApiTokensServicer(api_tokens_service_pb2_grpc.ApiTokensServicer):
    """The rpcs of `ApiTokens`."""

    def __init__(self, tokens: ApiTokenHandlers, verifier: TokenVerifier) -> None:
        self._tokens = tokens
        self._verifier = verifier

    def ListApiTokens(
        self, request: wire.ListApiTokensRequest, context: grpc.ServicerContext
    ) -> wire.ListApiTokensResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        good = self._tokens.good(caller.player_id)
        return wire.ListApiTokensResponse(tokens=token_messages(good))

    def RevokeApiToken(
        self, request: wire.RevokeApiTokenRequest, context: grpc.ServicerContext
    ) -> wire.RevokeApiTokenResponse:
        """See the contract."""
        result = self._tokens.revoke(self._verifier.authenticate(context), request.token_id)
        if isinstance(result, Rejection):
            return wire.RevokeApiTokenResponse(rejected=rejection_message(result))
        return wire.RevokeApiTokenResponse(token=message_of(result, api_token_pb2.ApiToken))


def token_messages(tokens: Iterable[ApiTokenMade]) -> list[api_token_pb2.ApiToken]:
    """Tokens as they are listed."""
    return [message_of(each, api_token_pb2.ApiToken) for each in tokens]
