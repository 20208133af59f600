"""A client of the lobby: registration, sign-in, tables and lists of games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from services.client.calls import Caller, Rejected, new_request_id
from services.client.retries import RIDE_OVER, Retries
from services.gen.signalbox.lobby.v1 import (
    game_summary_pb2,
    lobby_service_pb2 as pb,
    rejection_pb2,
    table_clock_pb2,
    table_pb2,
)
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.rules.adapters.directions import direction_message
from services.rules.kernel.directing.commands import Direct

LOBBY = pb.DESCRIPTOR.services_by_name["LobbyService"]
REASON_PREFIX = "REJECTION_REASON_"


class ImportRejected(Rejected):
    """A file is refused; `fault` says what in it."""

    def __init__(self, rejection: rejection_pb2.Rejection) -> None:
        self.fault = rejection.import_fault
        super().__init__(self.fault.code, rejection.sentence, rejection.clause)


def register(address: str, name: str, password: str, retries: Retries = RIDE_OVER) -> str:
    """Register a player; returns the new player's id. `Rejected` with `NAME_TAKEN` and others."""
    caller = Caller(address, LOBBY, retries=retries)
    stub = LobbyServiceStub(caller.channel)
    request = pb.RegisterPlayerRequest(request_id=new_request_id(), name=name, password=password)
    try:
        response = caller.call(stub.RegisterPlayer, request, pb.RegisterPlayerResponse)
    finally:
        caller.close()
    raise_rejection(response)
    return response.player.player_id


def sign_in(address: str, name: str, password: str, retries: Retries = RIDE_OVER) -> pb.Session:
    """Sign in; the session holds the player and the token for all other calls. `Rejected`: `CREDENTIALS_WRONG`."""
    caller = Caller(address, LOBBY, retries=retries)
    stub = LobbyServiceStub(caller.channel)
    try:
        response = caller.call(stub.LogIn, pb.LogInRequest(name=name, password=password), pb.LogInResponse)
    finally:
        caller.close()
    raise_rejection(response)
    return response.session


class Lobby:
    """The lobby for one signed-in player."""

    def __init__(self, address: str, token: str, retries: Retries = RIDE_OVER) -> None:
        self._caller = Caller(address, LOBBY, token, retries=retries)
        self._stub = LobbyServiceStub(self._caller.channel)

    def create_table(
        self,
        title: str,
        player_count: int,
        options: Sequence[str] = (),
        ruling_profile: str = "",
        rulings: Mapping[str, str] | None = None,
        undo_policy: table_pb2.UndoPolicy = table_pb2.UNDO_POLICY_OWN_TURN,
        seed: int | None = None,
        turn_seconds: int = 0,
        owner_directs: bool = False,
    ) -> table_pb2.Table:
        """Open a table and join it; without `seed` the server draws one, without `turn_seconds` turns have no limit.

        `owner_directs`: this player directs the game, see `direct`."""
        request = pb.CreateTableRequest(
            request_id=new_request_id(),
            title=title,
            player_count=player_count,
            options=options,
            ruling_profile=ruling_profile,
            rulings=[
                table_pb2.RulingChoice(ruling_id=name, value=value) for name, value in (rulings or {}).items()
            ],
            undo_policy=undo_policy,
            seed=seed,
            turn_seconds=turn_seconds,
            owner_directs=owner_directs,
        )
        response = self._caller.call(self._stub.CreateTable, request, pb.CreateTableResponse)
        raise_rejection(response)
        return response.table

    def join_table(self, table_id: str) -> table_pb2.Table:
        """Join a table."""
        request = pb.JoinTableRequest(request_id=new_request_id(), table_id=table_id)
        response = self._caller.call(self._stub.JoinTable, request, pb.JoinTableResponse)
        raise_rejection(response)
        return response.table

    def start_table(self, table_id: str) -> table_pb2.Table:
        """Start the game of one's own full table; the answer names game and seats."""
        request = pb.StartTableRequest(request_id=new_request_id(), table_id=table_id)
        response = self._caller.call(self._stub.StartTable, request, pb.StartTableResponse)
        raise_rejection(response)
        return response.table

    def import_table(
        self,
        file: bytes,
        seats: Mapping[str, str],
        undo_policy: table_pb2.UndoPolicy = table_pb2.UNDO_POLICY_OWN_TURN,
        turn_seconds: int = 0,
        as_recorded: bool = False,
        request_id: str = "",
    ) -> table_pb2.Table:
        """Make a table of a game begun elsewhere; for operators. `seats`: names of accounts by player in the file.

        Raises `ImportRejected` for a file that is refused."""
        request = pb.ImportTableRequest(
            request_id=request_id or new_request_id(),
            file=file,
            seats=[pb.ImportSeat(recorded=player, player_name=name) for player, name in seats.items()],
            undo_policy=undo_policy,
            turn_seconds=turn_seconds,
            as_recorded=as_recorded,
        )
        response = self._caller.call(self._stub.ImportTable, request, pb.ImportTableResponse)
        if response.rejected.HasField("import_fault"):
            raise ImportRejected(response.rejected)
        raise_rejection(response)
        return response.table

    def clocks(self, table_id: str) -> pb.GetTableResponse:
        """A table with its clocks; those are not set for a table without clocks."""
        response: pb.GetTableResponse = self._caller.call(
            self._stub.GetTable, pb.GetTableRequest(table_id=table_id), pb.GetTableResponse
        )
        return response

    def choose_hours(
        self, table_id: str, zone: str, windows: Sequence[table_clock_pb2.WeekWindow]
    ) -> table_clock_pb2.TableClocks:
        """Choose the playing hours of one's own seat, from tomorrow on."""
        request = pb.ChooseHoursRequest(
            request_id=new_request_id(), table_id=table_id, zone=zone, windows=windows
        )
        response = self._caller.call(self._stub.ChooseHours, request, pb.ChooseHoursResponse)
        raise_rejection(response)
        return response.clocks

    def take_vacation(self, table_id: str, first: str, last: str) -> table_clock_pb2.TableClocks:
        """Take a vacation of one's own seat; days as 2026-12-24."""
        request = pb.TakeVacationRequest(
            request_id=new_request_id(), table_id=table_id, first_date=first, last_date=last
        )
        response = self._caller.call(self._stub.TakeVacation, request, pb.TakeVacationResponse)
        raise_rejection(response)
        return response.clocks

    def end_vacation(self, table_id: str) -> table_clock_pb2.TableClocks:
        """End the vacation of one's own seat, or take back the next one."""
        request = pb.EndVacationRequest(request_id=new_request_id(), table_id=table_id)
        response = self._caller.call(self._stub.EndVacation, request, pb.EndVacationResponse)
        raise_rejection(response)
        return response.clocks

    def own_hours(self) -> table_clock_pb2.OwnHours:
        """The playing hours and vacations that one has chosen for all tables that begin later."""
        response = self._caller.call(self._stub.GetOwnHours, pb.GetOwnHoursRequest(), pb.GetOwnHoursResponse)
        found: table_clock_pb2.OwnHours = response.own_hours
        return found

    def grant_time(self, table_id: str, seat: str, seconds: int, reason: str) -> table_clock_pb2.TableClocks:
        """Add time to the bank of a seat; for the director of the table and for operators."""
        request = pb.GrantTimeRequest(
            request_id=new_request_id(), table_id=table_id, seat=seat, seconds=seconds, reason=reason
        )
        response = self._caller.call(self._stub.GrantTime, request, pb.GrantTimeResponse)
        raise_rejection(response)
        return response.clocks

    def direct(
        self,
        table_id: str,
        command: Direct,
        expected_sequence: int = 0,
        bearer_name: str = "",
        request_id: str = "",
    ) -> pb.Directed:
        """Decide something about the game of a table; for its director and for operators.

        `expected_sequence`: of the position that was looked at; 0 where it does not matter. `bearer_name`: who takes a seat,
        where the command leaves that open. Raises `Rejected`, for a refusal of the rules with their code."""
        request = pb.DirectTableRequest(
            request_id=request_id or new_request_id(),
            table_id=table_id,
            expected_sequence=expected_sequence,
            direction=direction_message(command),
            bearer_name=bearer_name,
        )
        response = self._caller.call(self._stub.DirectTable, request, pb.DirectTableResponse)
        if response.rejected.rules_code:
            rejected = response.rejected
            raise Rejected(rejected.rules_code, rejected.sentence, rejected.clause)
        raise_rejection(response)
        return response.directed

    def table(self, table_id: str) -> table_pb2.Table:
        """A table as it is now. `NotAnsweredError` with NOT_FOUND when there is none."""
        request = pb.GetTableRequest(table_id=table_id)
        return self._caller.call(self._stub.GetTable, request, pb.GetTableResponse).table

    def watch_table(self, table_id: str, seconds: float | None = None) -> Iterator[table_pb2.Table]:
        """The table now and after each change, for `seconds`; through restarts of the service."""
        position = 0

        def next_request() -> pb.WatchTablesRequest:
            return pb.WatchTablesRequest(table_id=table_id, after_position=position)

        for answer in self._caller.stream(
            self._stub.WatchTables, next_request, pb.WatchTablesResponse, seconds
        ):
            position = answer.position
            yield answer.table

    def games(
        self,
        listing: pb.GameListing = pb.GAME_LISTING_MINE,
        page_token: str = "",
        page_size: int = 0,
    ) -> pb.ListGamesResponse:
        """Games, the one that moved on last first: own ones, those that wait for this player, or all.

        The answer says whether it is incomplete and holds the token of the next page, empty on the last."""
        request = pb.ListGamesRequest(listing=listing, page_token=page_token, page_size=page_size)
        return self._caller.call(self._stub.ListGames, request, pb.ListGamesResponse)

    def watch_games(self, seconds: float | None = None) -> Iterator[game_summary_pb2.GameSummary]:
        """Own games as they are and then each whenever it has moved on, for so many seconds; through restarts of the service,
        after which each game comes once more as it is."""
        for answer in self._caller.stream(
            self._stub.WatchGames, pb.WatchGamesRequest, pb.WatchGamesResponse, seconds
        ):
            yield answer.game

    def names(self, player_ids: Sequence[str]) -> dict[str, str]:
        """The names of up to 100 players by id; ids that nobody has are left out."""
        request = pb.ListPlayerNamesRequest(player_ids=player_ids)
        found = self._caller.call(self._stub.ListPlayerNames, request, pb.ListPlayerNamesResponse).players
        return {player.player_id: player.name for player in found}

    def online(self, player_ids: Sequence[str]) -> tuple[str, ...]:
        """Those of up to 100 players who are online."""
        request = pb.ListOnlineRequest(player_ids=player_ids)
        return tuple(
            self._caller.call(self._stub.ListOnline, request, pb.ListOnlineResponse).online_player_ids
        )

    def close(self) -> None:
        """Close the channel."""
        self._caller.close()


def raise_rejection(response: Any) -> None:
    """Raises `Rejected` for an answer that is a rejection."""
    if response.WhichOneof("outcome") == "rejected":
        name = rejection_pb2.RejectionReason.Name(response.rejected.reason)
        raise Rejected(name.removeprefix(REASON_PREFIX), response.rejected.sentence)
