"""A client of the lobby for organisers: tables with guests of their choice."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message

from services.client.calls import Caller, new_request_id
from services.client.lobby import LOBBY, raise_rejection
from services.client.retries import RIDE_OVER, Retries
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as pb, table_pb2
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub


class TableGuests:
    """The tables of one signed-in player. All methods raise `Rejected` and `NotAnsweredError`."""

    def __init__(self, address: str, token: str, retries: Retries = RIDE_OVER) -> None:
        self._caller = Caller(address, LOBBY, token, retries=retries)
        self._stub = LobbyServiceStub(self._caller.channel)

    def open(self, request: pb.CreateTableRequest) -> table_pb2.Table:
        """Open a table; the request needs no id."""
        return self._table(self._stub.CreateTable, request, pb.CreateTableResponse)

    def invite(self, table_id: str, player_name: str) -> table_pb2.Table:
        """Invite a player by name."""
        request = pb.InvitePlayerRequest(table_id=table_id, player_name=player_name)
        return self._table(self._stub.InvitePlayer, request, pb.InvitePlayerResponse)

    def withdraw(self, table_id: str, player_id: str) -> table_pb2.Table:
        """Take an invitation back."""
        request = pb.WithdrawInvitationRequest(table_id=table_id, player_id=player_id)
        return self._table(self._stub.WithdrawInvitation, request, pb.WithdrawInvitationResponse)

    def remove(self, table_id: str, player_id: str) -> table_pb2.Table:
        """Take a player's chair before the start."""
        request = pb.RemovePlayerRequest(table_id=table_id, player_id=player_id)
        return self._table(self._stub.RemovePlayer, request, pb.RemovePlayerResponse)

    def link(self, table_id: str) -> str:
        """The token of a new invitation link."""
        request = pb.MakeInvitationLinkRequest(request_id=new_request_id(), table_id=table_id)
        answer = self._caller.call(self._stub.MakeInvitationLink, request, pb.MakeInvitationLinkResponse)
        raise_rejection(answer)
        return answer.link_token

    def join(self, table_id: str, link_token: str = "", as_substitute: bool = False) -> table_pb2.Table:
        """Join a table, perhaps by an invitation link, or offer to take a seat of its game."""
        request = pb.JoinTableRequest(table_id=table_id, link_token=link_token, as_substitute=as_substitute)
        return self._table(self._stub.JoinTable, request, pb.JoinTableResponse)

    def leave(self, table_id: str) -> table_pb2.Table:
        """Leave a table; it closes where this player is its owner."""
        request = pb.LeaveTableRequest(table_id=table_id)
        return self._table(self._stub.LeaveTable, request, pb.LeaveTableResponse)

    def start(self, table_id: str, seats: tuple[str, ...] = ()) -> table_pb2.Table:
        """Begin the game; `seats`: player ids in the order of seats, where the owner gives them."""
        request = pb.StartTableRequest(table_id=table_id, seats=seats)
        return self._table(self._stub.StartTable, request, pb.StartTableResponse)

    def rematch(self, table_id: str) -> table_pb2.Table:
        """Open or join the table that follows one whose game is over."""
        request = pb.RematchTableRequest(table_id=table_id)
        return self._table(self._stub.RematchTable, request, pb.RematchTableResponse)

    def agree_to_end(self, table_id: str, does_agree: bool = True) -> table_pb2.Table:
        """Agree to end the game as it stands once all who play do, or take that back."""
        request = pb.AgreeToEndRequest(table_id=table_id, does_agree=does_agree)
        return self._table(self._stub.AgreeToEnd, request, pb.AgreeToEndResponse)

    def close(self) -> None:
        """Close the connection."""
        self._caller.close()

    def _table(self, call: Any, request: Any, kind: type[Message]) -> table_pb2.Table:
        """The table in the answer to a request, which gets an id of its own."""
        request.request_id = new_request_id()
        answer: Any = self._caller.call(call, request, kind)
        raise_rejection(answer)
        table: table_pb2.Table = answer.table
        return table
