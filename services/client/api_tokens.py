"""A client of the lobby for one's own tokens for programs."""

from __future__ import annotations

from collections.abc import Sequence

from services.client.calls import Caller
from services.client.lobby import raise_rejection
from services.client.retries import RIDE_OVER, Retries
from services.gen.signalbox.lobby.v1 import api_tokens_service_pb2 as pb, lobby_service_pb2 as lobby
from services.gen.signalbox.lobby.v1.api_token_pb2 import ApiToken
from services.gen.signalbox.lobby.v1.api_tokens_service_pb2_grpc import ApiTokensStub
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub

API_TOKENS = pb.DESCRIPTOR.services_by_name["ApiTokens"]


class ApiTokens:
    """For one player who is signed in. What is rejected raises `Rejected`."""

    def __init__(self, address: str, token: str, retries: Retries = RIDE_OVER) -> None:
        self._caller = Caller(address, API_TOKENS, token, retries=retries)
        self._stub = ApiTokensStub(self._caller.channel)
        self._lobby = LobbyServiceStub(self._caller.channel)

    def make(
        self, scopes: Sequence[str], label: str = "", lifetime_days: int = 0
    ) -> lobby.MakeApiTokenResponse:
        """A token for a program; 0 days: as long as the lobby chooses. A repeat after a lost answer makes another one."""
        request = lobby.MakeApiTokenRequest(scopes=scopes, label=label, lifetime_days=lifetime_days)
        return self._caller.call(self._lobby.MakeApiToken, request, lobby.MakeApiTokenResponse)

    def good(self) -> Sequence[ApiToken]:
        """Those that are good, the newest first."""
        request = pb.ListApiTokensRequest()
        return self._caller.call(self._stub.ListApiTokens, request, pb.ListApiTokensResponse).tokens

    def revoke(self, token_id: str) -> ApiToken:
        """Take a token back. `Rejected`: `API_TOKEN_UNKNOWN`."""
        request = pb.RevokeApiTokenRequest(token_id=token_id)
        response = self._caller.call(self._stub.RevokeApiToken, request, pb.RevokeApiTokenResponse)
        raise_rejection(response)
        return response.token

    def close(self) -> None:
        """Close the channel."""
        self._caller.close()
