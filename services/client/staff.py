"""A client of the lobby's service for operators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from services.client.calls import Caller, new_request_id
from services.client.lobby import raise_rejection
from services.client.retries import RIDE_OVER, Retries
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as lobby, staff_service_pb2 as pb
from services.gen.signalbox.lobby.v1.api_token_pb2 import ApiToken
from services.gen.signalbox.lobby.v1.blocked_pb2 import BlockedGame
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct
from services.gen.signalbox.lobby.v1.staff_service_pb2_grpc import StaffStub

_Response: TypeAlias = (
    pb.BanPlayerResponse | pb.UnbanPlayerResponse | pb.EndSessionsResponse | pb.RevokePlayerTokenResponse
)
STAFF = pb.DESCRIPTOR.services_by_name["Staff"]


class Staff:
    """Bans, sessions, what is held up, and the log of staff acts, for one operator. What is rejected raises `Rejected`."""

    def __init__(self, address: str, token: str, retries: Retries = RIDE_OVER) -> None:
        self._caller = Caller(address, STAFF, token, retries=retries)
        self._stub = StaffStub(self._caller.channel)
        self._lobby = LobbyServiceStub(self._caller.channel)

    def player_id(self, name_or_id: str) -> str:
        """The id of a player; the text itself where no player has this name."""
        request = lobby.ListPlayerNamesRequest(name=name_or_id)
        found = self._caller.call(self._lobby.ListPlayerNames, request, lobby.ListPlayerNamesResponse)
        return next((each.player_id for each in found.players), name_or_id)

    def ban(self, player_id: str, reason: str, until_ms: int = 0) -> StaffAct:
        """Ban a player until a time, or for good (0)."""
        request = pb.BanPlayerRequest(
            request_id=new_request_id(), player_id=player_id, reason=reason, until_time_ms=until_ms
        )
        return self._done(self._caller.call(self._stub.BanPlayer, request, pb.BanPlayerResponse))

    def unban(self, player_id: str, reason: str) -> StaffAct:
        """End a ban."""
        request = pb.UnbanPlayerRequest(request_id=new_request_id(), player_id=player_id, reason=reason)
        return self._done(self._caller.call(self._stub.UnbanPlayer, request, pb.UnbanPlayerResponse))

    def end_sessions(self, player_id: str, reason: str) -> StaffAct:
        """End all sessions of a player."""
        request = pb.EndSessionsRequest(request_id=new_request_id(), player_id=player_id, reason=reason)
        return self._done(self._caller.call(self._stub.EndSessions, request, pb.EndSessionsResponse))

    def bans(self) -> Iterator[StaffAct]:
        """The bans in force, newest first."""
        token, more = "", True
        while more:
            request = pb.ListBansRequest(page_token=token)
            page = self._caller.call(self._stub.ListBans, request, pb.ListBansResponse)
            yield from page.bans
            token = page.next_page_token
            more = bool(token)

    def acts(
        self, *, author_id: str = "", player_id: str = "", game_id: str = "", act: str = ""
    ) -> Iterator[StaffAct]:
        """What operators have done, newest first; what is given narrows it."""
        token, more = "", True
        while more:
            request = pb.ListStaffActsRequest(
                page_token=token, author_id=author_id, player_id=player_id, game_id=game_id, act=act
            )
            page = self._caller.call(self._stub.ListStaffActs, request, pb.ListStaffActsResponse)
            yield from page.acts
            token = page.next_page_token
            more = bool(token)

    def tokens(self, player_id: str) -> Sequence[ApiToken]:
        """The tokens for programs of a player that are good, the newest first."""
        request = pb.ListPlayerTokensRequest(player_id=player_id)
        return self._caller.call(self._stub.ListPlayerTokens, request, pb.ListPlayerTokensResponse).tokens

    def revoke_token(self, player_id: str, token_id: str, reason: str) -> StaffAct:
        """Take a player's token for programs back."""
        request = pb.RevokePlayerTokenRequest(
            request_id=new_request_id(), player_id=player_id, token_id=token_id, reason=reason
        )
        return self._done(
            self._caller.call(self._stub.RevokePlayerToken, request, pb.RevokePlayerTokenResponse)
        )

    def blocked(self) -> pb.ListBlockedGamesResponse:
        """The games that readers of the log hold back."""
        request = pb.ListBlockedGamesRequest()
        return self._caller.call(self._stub.ListBlockedGames, request, pb.ListBlockedGamesResponse)

    def blocked_game(self, reader: str, game_id: str) -> BlockedGame:
        """One of them with its first dead letters."""
        request = pb.GetBlockedGameRequest(reader=reader, game_id=game_id)
        response = self._caller.call(self._stub.GetBlockedGame, request, pb.GetBlockedGameResponse)
        raise_rejection(response)
        return response.game

    def release(self, reader: str, game_id: str, reason: str) -> pb.SettledAct:
        """Have a reader go on with a blocked game."""
        request = pb.ReleaseBlockedGameRequest(
            request_id=new_request_id(), reader=reader, game_id=game_id, reason=reason
        )
        response = self._caller.call(self._stub.ReleaseBlockedGame, request, pb.ReleaseBlockedGameResponse)
        raise_rejection(response)
        return response.done

    def waiting(self) -> pb.ListWaitingCommandsResponse:
        """The next command of each partition where one waits for its owner."""
        request = pb.ListWaitingCommandsRequest()
        return self._caller.call(self._stub.ListWaitingCommands, request, pb.ListWaitingCommandsResponse)

    def skip(self, partition: int, offset: int, reason: str) -> pb.SettledAct:
        """Have the owner pass over a waiting command."""
        request = pb.SkipCommandRequest(
            request_id=new_request_id(), partition=partition, offset=offset, reason=reason
        )
        response = self._caller.call(self._stub.SkipCommand, request, pb.SkipCommandResponse)
        raise_rejection(response)
        return response.done

    def close(self) -> None:
        """Close the channel."""
        self._caller.close()

    def _done(self, response: _Response) -> StaffAct:
        raise_rejection(response)
        return response.act
