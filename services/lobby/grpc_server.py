"""The lobby over gRPC: decode, call a handler, answer."""

import asyncio
from collections.abc import AsyncIterator

import grpc
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from services.common.auth.jwks import ALGORITHM, jwks_document
from services.common.auth.operators import Operators
from services.common.auth.tokens import ANYBODY, Kind, Principal, TokenVerifier
from services.common.errors import InvalidRequest, PermissionDenied
from services.common.grpc.context import caller_of
from services.gen.signalbox.lobby.v1 import (
    lobby_service_pb2 as wire,
    lobby_service_pb2_grpc,
    player_pb2,
    table_pb2,
)
from services.lobby.domain.catalogue import TableChoices, UndoPolicy
from services.lobby.domain.directing import TableSeatTaken
from services.lobby.domain.imports import ImportSeat, ImportWanted
from services.lobby.domain.players import Player
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.tables import Table, TableState
from services.lobby.event_codec import (
    UNDO_POLICY_FROM_WIRE,
    UNDO_POLICY_TO_WIRE,
    origin_to_wire,
    rulings_from_wire,
    rulings_to_wire,
)
from services.lobby.handlers.directing import DirectingHandlers
from services.lobby.handlers.games import GameListHandlers, Listing
from services.lobby.handlers.importing import ImportHandlers
from services.lobby.handlers.players import PlayerHandlers
from services.lobby.handlers.table_watching import TableWatchHandlers
from services.lobby.handlers.tables import TableHandlers
from services.lobby.handlers.watching import GameWatchHandlers
from services.lobby.rejection_messages import rejection_message
from services.lobby.summary_codec import BEARER_KIND_TO_WIRE, results_to_wire, summary_message

DEFAULT_UNDO_POLICY: UndoPolicy = "own_turn"
DIRECTORS: tuple[Kind, ...] = ("player", "operator")
STATE_FROM_WIRE = {table_pb2.TableState.Value(f"TABLE_STATE_{state.value}"): state for state in TableState}
LISTING_FROM_WIRE = {
    wire.GAME_LISTING_UNSPECIFIED: Listing.MINE,
    wire.GAME_LISTING_MINE: Listing.MINE,
    wire.GAME_LISTING_WAITING_FOR_ME: Listing.WAITING_FOR_ME,
    wire.GAME_LISTING_ALL: Listing.ALL,
}


class LobbyServicer(lobby_service_pb2_grpc.LobbyServiceServicer):
    """The rpcs of `LobbyService`."""

    def __init__(
        self,
        players: PlayerHandlers,
        tables: TableHandlers,
        games: GameListHandlers,
        watching: GameWatchHandlers,
        table_watching: TableWatchHandlers,
        imports: ImportHandlers,
        directing: DirectingHandlers,
        verifier: TokenVerifier,
        operators: Operators,
    ) -> None:
        self._imports = imports
        self._directing = directing
        self._operators = operators
        self._players = players
        self._tables = tables
        self._games = games
        self._watching = watching
        self._table_watching = table_watching
        self._verifier = verifier

    def RegisterPlayer(
        self, request: wire.RegisterPlayerRequest, context: grpc.ServicerContext
    ) -> wire.RegisterPlayerResponse:
        """See the contract."""
        result = self._players.register(
            request.request_id, request.name, request.password, address=caller_of(context).address
        )
        if isinstance(result, Rejection):
            return wire.RegisterPlayerResponse(rejected=rejection_message(result))
        return wire.RegisterPlayerResponse(player=player_message(result))

    def LogIn(self, request: wire.LogInRequest, context: grpc.ServicerContext) -> wire.LogInResponse:
        """See the contract."""
        result = self._players.log_in(request.name, request.password, address=caller_of(context).address)
        if isinstance(result, Rejection):
            return wire.LogInResponse(rejected=rejection_message(result))
        session = wire.Session(
            player=player_message(result.player),
            token=result.issued.token,
            expire_time_ms=result.issued.expire_time_ms,
        )
        return wire.LogInResponse(session=session)

    def CreateTable(
        self, request: wire.CreateTableRequest, context: grpc.ServicerContext
    ) -> wire.CreateTableResponse:
        """See the contract."""
        caller = self._caller(context)
        result = self._tables.create(
            caller,
            request.request_id,
            choices_of(request),
            request.turn_seconds,
            owner_directs=request.owner_directs,
        )
        if isinstance(result, Rejection):
            return wire.CreateTableResponse(rejected=rejection_message(result))
        return wire.CreateTableResponse(table=table_message(result))

    def JoinTable(
        self, request: wire.JoinTableRequest, context: grpc.ServicerContext
    ) -> wire.JoinTableResponse:
        """See the contract."""
        caller = self._caller(context)
        result = self._tables.join(caller, request.request_id, request.table_id)
        if isinstance(result, Rejection):
            return wire.JoinTableResponse(rejected=rejection_message(result))
        return wire.JoinTableResponse(table=table_message(result))

    def LeaveTable(
        self, request: wire.LeaveTableRequest, context: grpc.ServicerContext
    ) -> wire.LeaveTableResponse:
        """See the contract."""
        caller = self._caller(context)
        result = self._tables.leave(caller, request.request_id, request.table_id)
        if isinstance(result, Rejection):
            return wire.LeaveTableResponse(rejected=rejection_message(result))
        return wire.LeaveTableResponse(table=table_message(result))

    def StartTable(
        self, request: wire.StartTableRequest, context: grpc.ServicerContext
    ) -> wire.StartTableResponse:
        """See the contract."""
        caller = self._caller(context)
        result = self._tables.start(caller, request.request_id, request.table_id)
        if isinstance(result, Rejection):
            return wire.StartTableResponse(rejected=rejection_message(result))
        return wire.StartTableResponse(table=table_message(result))

    def ImportTable(
        self, request: wire.ImportTableRequest, context: grpc.ServicerContext
    ) -> wire.ImportTableResponse:
        """See the contract."""
        if not self._operators(context):
            raise PermissionDenied("only operators may import games")
        caller = self._verifier.authenticate(context, ANYBODY)
        result = self._imports.import_table(
            caller, request.request_id, import_of(request), lambda: not context.is_active()
        )
        if isinstance(result, Rejection):
            return wire.ImportTableResponse(rejected=rejection_message(result))
        return wire.ImportTableResponse(table=table_message(result))

    def DirectTable(
        self, request: wire.DirectTableRequest, context: grpc.ServicerContext
    ) -> wire.DirectTableResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context, DIRECTORS)
        result = self._directing.direct(
            caller,
            self._operators(context),
            request.request_id,
            request.table_id,
            request.expected_sequence,
            request.direction,
            request.bearer_name,
        )
        if isinstance(result, Rejection):
            return wire.DirectTableResponse(rejected=rejection_message(result))
        directed = wire.Directed(
            game_id=result.game_id, first_sequence=result.first, last_sequence=result.last
        )
        return wire.DirectTableResponse(directed=directed)

    def GetTable(self, request: wire.GetTableRequest, context: grpc.ServicerContext) -> wire.GetTableResponse:
        """See the contract."""
        return wire.GetTableResponse(table=table_message(self._tables.get(request.table_id)))

    def ListTables(
        self, request: wire.ListTablesRequest, context: grpc.ServicerContext
    ) -> wire.ListTablesResponse:
        """See the contract."""
        if request.state not in (table_pb2.TABLE_STATE_UNSPECIFIED, *STATE_FROM_WIRE):
            raise InvalidRequest(f"state {request.state} is not known")
        tables, token = self._tables.page(
            request.page_size, request.page_token, request.title, STATE_FROM_WIRE.get(request.state)
        )
        return wire.ListTablesResponse(
            tables=[table_message(table) for table in tables], next_page_token=token
        )

    async def WatchTables(
        self, request: wire.WatchTablesRequest, context: grpc.ServicerContext
    ) -> AsyncIterator[bytes]:
        """See the contract."""
        caller = caller_of(context).key
        async for seen in self._table_watching.watch(request.after_position, request.table_id, caller):
            yield seen.encoded

    def ListGames(
        self, request: wire.ListGamesRequest, context: grpc.ServicerContext
    ) -> wire.ListGamesResponse:
        """See the contract."""
        caller = self._caller(context)
        if request.listing not in LISTING_FROM_WIRE:
            raise InvalidRequest(f"listing {request.listing} is not known")
        listing = LISTING_FROM_WIRE[request.listing]
        page = self._games.page(caller.player_id, listing, request.page_size, request.page_token)
        return wire.ListGamesResponse(
            games=[summary_message(summary) for summary in page.summaries],
            next_page_token=page.next_token,
            incomplete=page.is_incomplete,
        )

    async def WatchGames(
        self, request: wire.WatchGamesRequest, context: grpc.ServicerContext
    ) -> AsyncIterator[wire.WatchGamesResponse]:
        """See the contract."""
        caller = await asyncio.to_thread(self._caller, context)
        async for summary in self._watching.watch(caller.player_id):
            yield wire.WatchGamesResponse(game=summary_message(summary))

    def ListOnline(
        self, request: wire.ListOnlineRequest, context: grpc.ServicerContext
    ) -> wire.ListOnlineResponse:
        """See the contract."""
        self._caller(context)
        return wire.ListOnlineResponse(online_player_ids=self._games.online(request.player_ids))

    def GetPublicKey(
        self, request: wire.GetPublicKeyRequest, context: grpc.ServicerContext
    ) -> wire.GetPublicKeyResponse:
        """See the contract."""
        keys = [
            wire.VerifyingKey(key_id=key_id, public_key=key)
            for key_id, key in self._players.public_keys.items()
        ]
        return wire.GetPublicKeyResponse(
            algorithm=ALGORITHM,
            public_key=self._players.public_key,
            verifying_keys=keys,
            jwks=jwks_document(
                {each.key_id: Ed25519PublicKey.from_public_bytes(each.public_key) for each in keys}
            ),
        )

    def _caller(self, context: grpc.ServicerContext) -> Principal:
        """The authenticated caller, who counts as online from now on."""
        caller = self._verifier.authenticate(context)
        self._games.seen(caller.player_id)
        return caller


def import_of(request: wire.ImportTableRequest) -> ImportWanted:
    """What a request wants imported. Raises `InvalidRequest` for an undo policy that is not known and a seat without account."""
    seats = tuple(
        ImportSeat(each.recorded, player_name=each.player_name, player_id=each.player_id)
        for each in request.seats
    )
    for index, seat in enumerate(seats):
        if not seat.recorded or not (seat.player_name or seat.player_id):
            raise InvalidRequest(f"seats[{index}] needs a player of the file and an account")
    policy = _undo_policy(request.undo_policy)
    return ImportWanted(request.file, seats, policy, request.turn_seconds, request.as_recorded)


def _undo_policy(number: table_pb2.UndoPolicy) -> UndoPolicy:
    if number == table_pb2.UNDO_POLICY_UNSPECIFIED:
        return DEFAULT_UNDO_POLICY
    if number not in UNDO_POLICY_FROM_WIRE:
        raise InvalidRequest(f"undo_policy {number} is not known")
    return UNDO_POLICY_FROM_WIRE[number]


def choices_of(request: wire.CreateTableRequest) -> TableChoices:
    """What a request chooses. Raises `InvalidRequest` for an undo policy that is not known."""
    return TableChoices(
        title=request.title,
        player_count=request.player_count,
        options=tuple(request.options),
        rulings=rulings_from_wire(request.ruling_profile, request.rulings),
        undo_policy=_undo_policy(request.undo_policy),
        seed=request.seed if request.HasField("seed") else None,
    )


def player_message(player: Player) -> player_pb2.Player:
    """A player as a message."""
    return player_pb2.Player(player_id=player.player_id, name=player.name)


def encode_watched(table: Table, position: int) -> bytes:
    """A table that changed as a message of `WatchTables`."""
    return wire.WatchTablesResponse(table=table_message(table), position=position).SerializeToString()


def _taker_message(taker: TableSeatTaken) -> table_pb2.SeatTaker:
    return table_pb2.SeatTaker(
        seat=taker.seat,
        bearer=player_message(taker.bearer),
        kind=BEARER_KIND_TO_WIRE[taker.kind],
        sequence=taker.sequence,
    )


def table_message(table: Table) -> table_pb2.Table:
    """A table as a message."""
    return table_pb2.Table(
        table_id=table.table_id,
        title=table.title,
        player_count=table.player_count,
        options=table.options,
        ruling_profile=table.rulings.profile,
        rulings=rulings_to_wire(table.rulings.single),
        undo_policy=UNDO_POLICY_TO_WIRE[table.undo_policy],
        seed_chosen_by_owner=table.seed_chosen_by_owner,
        owner_id=table.owner_id,
        players=[player_message(player) for player in table.players],
        state=f"TABLE_STATE_{table.state.value}",
        seats=table.seats,
        game_id=table.game_id,
        version=table.version,
        create_time_ms=table.create_time_ms,
        turn_seconds=table.turn_seconds,
        ending=table.ending,
        results=results_to_wire(table.results),
        overdue=[
            table_pb2.OverduePlayer(
                player_id=each.player_id, turn_count=each.turn_count, since_time_ms=each.since_ms
            )
            for each in table.overdue
        ],
        start_refusal=None if table.start_refusal is None else rejection_message(table.start_refusal),
        origin=None if table.origin is None else origin_to_wire(table.origin),
        director_id=table.director_id,
        seat_takers=[_taker_message(taker) for taker in table.seat_takers],
        round_id=table.round_id,
        round_table=table.round_table,
    )
