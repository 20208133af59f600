"""What operators do about players, over gRPC: decode, call a handler, answer."""

from __future__ import annotations

from typing import Any

import grpc

from services.common.auth.operators import Operators
from services.common.auth.tokens import ANYBODY, Principal, TokenVerifier
from services.common.errors import PermissionDenied
from services.gen.signalbox.lobby.v1 import staff_service_pb2 as wire, staff_service_pb2_grpc
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct
from services.lobby.domain.rejections import Rejection
from services.lobby.handlers.staff import StaffHandlers
from services.lobby.rejection_messages import rejection_message

NARROWING = ("author_id", "player_id", "game_id", "act")


class StaffServicer(staff_service_pb2_grpc.StaffServicer):
    """The rpcs of `Staff`."""

    def __init__(self, staff: StaffHandlers, verifier: TokenVerifier, operators: Operators) -> None:
        self._staff = staff
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

    def _operator(self, context: grpc.ServicerContext) -> Principal:
        if not self._operators(context):
            raise PermissionDenied("only operators may do this")
        return self._verifier.authenticate(context, ANYBODY)


def _outcome(result: StaffAct | Rejection) -> dict[str, Any]:
    if isinstance(result, Rejection):
        return {"rejected": rejection_message(result)}
    return {"act": result}
