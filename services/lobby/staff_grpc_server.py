"""What operators do, over gRPC: decode, call a handler, answer."""

from __future__ import annotations

from typing import Any

import grpc

from services.common.auth.operators import Operators
from services.common.auth.tokens import ANYBODY, Principal, TokenVerifier
from services.common.errors import PermissionDenied
from services.gen.signalbox.lobby.v1 import blocked_pb2, staff_service_pb2 as wire, staff_service_pb2_grpc
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct
from services.lobby.api_tokens_grpc_server import token_messages
from services.lobby.domain.rejections import Rejection
from services.lobby.handlers.queues import QueueHandlers, Settled
from services.lobby.handlers.staff import StaffHandlers
from services.lobby.rejection_messages import rejection_message
from services.lobby.struct_messages import message_of

NARROWING = ("author_id", "player_id", "game_id", "act")


class StaffServicer(staff_service_pb2_grpc.StaffServicer):
    """The rpcs of `Staff`."""

    def __init__(
        self, staff: StaffHandlers, queues: QueueHandlers, verifier: TokenVerifier, operators: Operators
    ) -> None:
        self._staff = staff
        self._queues = queues
        self._verifier = verifier
        self._operators = operators

    def BanPlayer(
        self, request: wire.BanPlayerRequest, context: grpc.ServicerContext
    ) -> wire.BanPlayerResponse:
        """See the contract."""
        caller, about = self._operator(context), (request.request_id, request.player_id, request.reason)
        return wire.BanPlayerResponse(**_outcome(self._staff.ban(caller, *about, request.until_time_ms)))

    def UnbanPlayer(
        self, request: wire.UnbanPlayerRequest, context: grpc.ServicerContext
    ) -> wire.UnbanPlayerResponse:
        """See the contract."""
        caller, about = self._operator(context), (request.request_id, request.player_id, request.reason)
        return wire.UnbanPlayerResponse(**_outcome(self._staff.unban(caller, *about)))

    def EndSessions(
        self, request: wire.EndSessionsRequest, context: grpc.ServicerContext
    ) -> wire.EndSessionsResponse:
        """See the contract."""
        caller, about = self._operator(context), (request.request_id, request.player_id, request.reason)
        return wire.EndSessionsResponse(**_outcome(self._staff.end_sessions(caller, *about)))

    def ListBans(self, request: wire.ListBansRequest, context: grpc.ServicerContext) -> wire.ListBansResponse:
        """See the contract."""
        self._operator(context)
        bans, token = self._staff.bans(request.player_id, request.page_token, request.page_size)
        return wire.ListBansResponse(bans=bans, next_page_token=token)

    def ListStaffActs(
        self, request: wire.ListStaffActsRequest, context: grpc.ServicerContext
    ) -> wire.ListStaffActsResponse:
        """See the contract."""
        self._operator(context)
        narrowed = {field: getattr(request, field) for field in NARROWING}
        acts, token = self._staff.acts(narrowed, request.page_token, request.page_size)
        return wire.ListStaffActsResponse(acts=acts, next_page_token=token)

    def ListPlayerTokens(
        self, request: wire.ListPlayerTokensRequest, context: grpc.ServicerContext
    ) -> wire.ListPlayerTokensResponse:
        """See the contract."""
        self._operator(context)
        return wire.ListPlayerTokensResponse(tokens=token_messages(self._staff.api_tokens(request.player_id)))

    def RevokePlayerToken(
        self, request: wire.RevokePlayerTokenRequest, context: grpc.ServicerContext
    ) -> wire.RevokePlayerTokenResponse:
        """See the contract."""
        caller, about = self._operator(context), (request.player_id, request.token_id, request.reason)
        return wire.RevokePlayerTokenResponse(
            **_outcome(self._staff.revoke_token(caller, request.request_id, *about))
        )

    def ListBlockedGames(
        self, request: wire.ListBlockedGamesRequest, context: grpc.ServicerContext
    ) -> wire.ListBlockedGamesResponse:
        """See the contract."""
        self._operator(context)
        queues = self._queues.queues
        games = [message_of(each, blocked_pb2.BlockedGame) for each in queues.blocked()]
        return wire.ListBlockedGamesResponse(games=games, can_be_blocked=queues.are_there)

    def GetBlockedGame(
        self, request: wire.GetBlockedGameRequest, context: grpc.ServicerContext
    ) -> wire.GetBlockedGameResponse:
        """See the contract."""
        self._operator(context)
        found = self._queues.blocked_game(request.reader, request.game_id)
        if isinstance(found, Rejection):
            return wire.GetBlockedGameResponse(rejected=rejection_message(found))
        return wire.GetBlockedGameResponse(game=message_of(found, blocked_pb2.BlockedGame))

    def ReleaseBlockedGame(
        self, request: wire.ReleaseBlockedGameRequest, context: grpc.ServicerContext
    ) -> wire.ReleaseBlockedGameResponse:
        """See the contract."""
        caller, about = self._operator(context), (request.reader, request.game_id, request.reason)
        return wire.ReleaseBlockedGameResponse(
            **_settled(self._queues.release(caller, request.request_id, *about))
        )

    def ListWaitingCommands(
        self, request: wire.ListWaitingCommandsRequest, context: grpc.ServicerContext
    ) -> wire.ListWaitingCommandsResponse:
        """See the contract."""
        self._operator(context)
        queues = self._queues.queues
        commands = [message_of(each, blocked_pb2.WaitingCommand) for each in queues.waiting()]
        return wire.ListWaitingCommandsResponse(commands=commands, can_wait=queues.are_there)

    def SkipCommand(
        self, request: wire.SkipCommandRequest, context: grpc.ServicerContext
    ) -> wire.SkipCommandResponse:
        """See the contract."""
        caller, about = self._operator(context), (request.partition, request.offset, request.reason)
        return wire.SkipCommandResponse(**_settled(self._queues.skip(caller, request.request_id, *about)))

    def _operator(self, context: grpc.ServicerContext) -> Principal:
        if not self._operators(context):
            raise PermissionDenied("only operators may do this")
        return self._verifier.authenticate(context, ANYBODY)


def _outcome(result: StaffAct | Rejection) -> dict[str, Any]:
    if isinstance(result, Rejection):
        return {"rejected": rejection_message(result)}
    return {"act": result}


def _settled(result: Settled | Rejection) -> dict[str, Any]:
    if isinstance(result, Rejection):
        return {"rejected": rejection_message(result)}
    return {"done": wire.SettledAct(act=result.act, is_settled=result.is_settled)}
