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
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire, lobby_service_pb2_grpc, table_pb2
from services.lobby.clock_limits import clock_rules_message
from services.lobby.clock_messages import clocks_message, clocks_outcome, own_hours_message, windows_from
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.tables import TableState
from services.lobby.domain.visibility import Viewer, as_seen, sees_now
from services.lobby.handlers.api_tokens import ApiTokenHandlers
from services.lobby.handlers.clocks.requests import ClockHandlers
from services.lobby.handlers.directing import DirectingHandlers
from services.lobby.handlers.ending import EndingHandlers
from services.lobby.handlers.games import GameListHandlers, Listing
from services.lobby.handlers.importing import ImportHandlers
from services.lobby.handlers.inviting import InvitingHandlers
from services.lobby.handlers.players import PlayerHandlers
from services.lobby.handlers.table_watching import TableWatchHandlers
from services.lobby.handlers.tables import TableHandlers
from services.lobby.handlers.watching import GameWatchHandlers
from services.lobby.rejection_messages import rejection_message
from services.lobby.summary_codec import summary_message
from services.lobby.table_messages import (
    arranged_in,
    choices_of,
    import_of,
    player_message,
    table_message,
    table_outcome,
)

DIRECTORS: tuple[Kind, ...] = ("player", "operator")
STATE_FROM_WIRE = {table_pb2.TableState.Value(f"TABLE_STATE_{state.value}"): state for state in TableState}
LISTING_FROM_WIRE = {wire.GAME_LISTING_UNSPECIFIED: Listing.MINE} | {
    wire.GameListing.Value(f"GAME_LISTING_{listing.value}"): listing for listing in Listing
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
        inviting: InvitingHandlers,
        ending: EndingHandlers,
        clocks: ClockHandlers,
        api_tokens: ApiTokenHandlers,
        verifier: TokenVerifier,
        operators: Operators,
    ) -> None:
        self._imports = imports
        self._directing = directing
        self._inviting = inviting
        self._ending = ending
        self._clocks = clocks
        self._api_tokens = api_tokens
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

    def MakeApiToken(
        self, request: wire.MakeApiTokenRequest, context: grpc.ServicerContext
    ) -> wire.MakeApiTokenResponse:
        """See the contract."""
        wanted = request.scopes, request.lifetime_days, request.label
        made = self._api_tokens.make(self._caller(context), *wanted)
        return wire.MakeApiTokenResponse(**made._asdict())

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
            arranged=arranged_in(request),
            owner_organises=request.owner_organises,
            clock=request.clock,
        )
        return wire.CreateTableResponse(**table_outcome(result, caller))

    def JoinTable(
        self, request: wire.JoinTableRequest, context: grpc.ServicerContext
    ) -> wire.JoinTableResponse:
        """See the contract."""
        caller = self._caller(context)
        join = self._inviting.offer if request.as_substitute else self._tables.join
        result = join(caller, request.request_id, request.table_id, request.link_token)
        return wire.JoinTableResponse(**table_outcome(result, caller))

    def LeaveTable(
        self, request: wire.LeaveTableRequest, context: grpc.ServicerContext
    ) -> wire.LeaveTableResponse:
        """See the contract."""
        caller = self._caller(context)
        result = self._tables.leave(caller, request.request_id, request.table_id)
        return wire.LeaveTableResponse(**table_outcome(result, caller))

    def StartTable(
        self, request: wire.StartTableRequest, context: grpc.ServicerContext
    ) -> wire.StartTableResponse:
        """See the contract."""
        caller = self._caller(context)
        result = self._tables.start(caller, request.request_id, request.table_id, tuple(request.seats))
        return wire.StartTableResponse(**table_outcome(result, caller))

    def InvitePlayer(
        self, request: wire.InvitePlayerRequest, context: grpc.ServicerContext
    ) -> wire.InvitePlayerResponse:
        """See the contract."""
        caller = self._caller(context)
        if not request.WhichOneof("player"):
            raise InvalidRequest("a player is needed, by id or by name")
        result = self._inviting.invite(
            caller, request.request_id, request.table_id, request.player_id, request.player_name
        )
        return wire.InvitePlayerResponse(**table_outcome(result, caller))

    def WithdrawInvitation(
        self, request: wire.WithdrawInvitationRequest, context: grpc.ServicerContext
    ) -> wire.WithdrawInvitationResponse:
        """See the contract."""
        caller = self._caller(context)
        result = self._inviting.withdraw(caller, request.request_id, request.table_id, request.player_id)
        return wire.WithdrawInvitationResponse(**table_outcome(result, caller))

    def MakeInvitationLink(
        self, request: wire.MakeInvitationLinkRequest, context: grpc.ServicerContext
    ) -> wire.MakeInvitationLinkResponse:
        """See the contract."""
        caller = self._caller(context)
        result = self._inviting.make_link(caller, request.request_id, request.table_id)
        if isinstance(result, Rejection):
            return wire.MakeInvitationLinkResponse(rejected=rejection_message(result))
        return wire.MakeInvitationLinkResponse(link_token=result.guests.link_token)

    def RemovePlayer(
        self, request: wire.RemovePlayerRequest, context: grpc.ServicerContext
    ) -> wire.RemovePlayerResponse:
        """See the contract."""
        caller = self._caller(context)
        result = self._inviting.remove(caller, request.request_id, request.table_id, request.player_id)
        return wire.RemovePlayerResponse(**table_outcome(result, caller))

    def RematchTable(
        self, request: wire.RematchTableRequest, context: grpc.ServicerContext
    ) -> wire.RematchTableResponse:
        """See the contract."""
        caller = self._caller(context)
        result = self._inviting.rematch(caller, request.request_id, request.table_id)
        return wire.RematchTableResponse(**table_outcome(result, caller))

    def AgreeToEnd(
        self, request: wire.AgreeToEndRequest, context: grpc.ServicerContext
    ) -> wire.AgreeToEndResponse:
        """See the contract."""
        caller = self._caller(context)
        result = self._ending.agree(caller, request.request_id, request.table_id, request.does_agree)
        return wire.AgreeToEndResponse(**table_outcome(result, caller))

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
        return wire.ImportTableResponse(**table_outcome(result, caller))

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

    def ChooseHours(
        self, request: wire.ChooseHoursRequest, context: grpc.ServicerContext
    ) -> wire.ChooseHoursResponse:
        """See the contract."""
        caller, windows = self._caller(context), windows_from(request.windows)
        result = self._clocks.choose_hours(
            caller, request.request_id, request.table_id, request.zone, windows
        )
        return wire.ChooseHoursResponse(**clocks_outcome(result))

    def TakeVacation(
        self, request: wire.TakeVacationRequest, context: grpc.ServicerContext
    ) -> wire.TakeVacationResponse:
        """See the contract."""
        caller, days = self._caller(context), (request.first_date, request.last_date)
        result = self._clocks.take_vacation(caller, request.request_id, request.table_id, *days)
        return wire.TakeVacationResponse(**clocks_outcome(result))

    def EndVacation(
        self, request: wire.EndVacationRequest, context: grpc.ServicerContext
    ) -> wire.EndVacationResponse:
        """See the contract."""
        result = self._clocks.end_vacation(self._caller(context), request.request_id, request.table_id)
        return wire.EndVacationResponse(**clocks_outcome(result))

    def GetOwnHours(
        self, request: wire.GetOwnHoursRequest, context: grpc.ServicerContext
    ) -> wire.GetOwnHoursResponse:
        """See the contract."""
        plan = self._clocks.own_plan(self._caller(context).player_id)
        return wire.GetOwnHoursResponse(own_hours=own_hours_message(plan))

    def GrantTime(
        self, request: wire.GrantTimeRequest, context: grpc.ServicerContext
    ) -> wire.GrantTimeResponse:
        """See the contract."""
        result = self._clocks.grant(
            self._verifier.authenticate(context, DIRECTORS),
            self._operators(context),
            request.request_id,
            request.table_id,
            request.seat,
            request.seconds,
            request.reason,
        )
        return wire.GrantTimeResponse(**clocks_outcome(result))

    def GetClockRules(
        self, request: wire.GetClockRulesRequest, context: grpc.ServicerContext
    ) -> wire.GetClockRulesResponse:
        """See the contract."""
        return clock_rules_message(self._tables.clock_rules)

    def GetTable(self, request: wire.GetTableRequest, context: grpc.ServicerContext) -> wire.GetTableResponse:
        """See the contract."""
        wanted, viewer, seen = request.table_id, self._viewer(context), self._tables.seen
        table = seen(wanted, viewer) if wanted else self._clocks.table_of(request.game_id, viewer)
        clocks = self._clocks.now(table) if sees_now(table, viewer) else None
        return wire.GetTableResponse(
            table=table_message(as_seen(table, viewer)),
            clocks=None if clocks is None else clocks_message(clocks),
        )

    def ListTables(
        self, request: wire.ListTablesRequest, context: grpc.ServicerContext
    ) -> wire.ListTablesResponse:
        """See the contract."""
        if request.state not in (table_pb2.TABLE_STATE_UNSPECIFIED, *STATE_FROM_WIRE):
            raise InvalidRequest(f"state {request.state} is not known")
        state, viewer = STATE_FROM_WIRE.get(request.state), self._viewer(context)
        tables, token = self._tables.page(request.page_size, request.page_token, request.title, state, viewer)
        return wire.ListTablesResponse(
            tables=[table_message(as_seen(table, viewer)) for table in tables], next_page_token=token
        )

    async def WatchTables(
        self, request: wire.WatchTablesRequest, context: grpc.ServicerContext
    ) -> AsyncIterator[bytes]:
        """See the contract."""
        caller, viewer = caller_of(context).key, self._viewer(context)
        async for seen in self._table_watching.watch(
            request.after_position, request.table_id, caller, viewer
        ):
            yield seen.encoded

    def ListGames(
        self, request: wire.ListGamesRequest, context: grpc.ServicerContext
    ) -> wire.ListGamesResponse:
        """See the contract."""
        self._caller(context)
        if request.listing not in LISTING_FROM_WIRE:
            raise InvalidRequest(f"listing {request.listing} is not known")
        listing = LISTING_FROM_WIRE[request.listing]
        asked = self._viewer(context), listing, request.page_size, request.page_token
        page = self._games.page(*asked, request.game_ids, request.player_id)
        return wire.ListGamesResponse(
            games=[summary_message(each, self._clocks.turn_ends(each)) for each in page.summaries],
            next_page_token=page.next_token,
            incomplete=page.is_incomplete,
        )

    async def WatchGames(
        self, request: wire.WatchGamesRequest, context: grpc.ServicerContext
    ) -> AsyncIterator[wire.WatchGamesResponse]:
        """See the contract."""
        caller = await asyncio.to_thread(self._caller, context)
        async for summary in self._watching.watch(caller.player_id):
            ends = await asyncio.to_thread(self._clocks.turn_ends, summary) if summary.is_timed else {}
            yield wire.WatchGamesResponse(game=summary_message(summary, ends))

    def ListOnline(
        self, request: wire.ListOnlineRequest, context: grpc.ServicerContext
    ) -> wire.ListOnlineResponse:
        """See the contract."""
        self._caller(context)
        return wire.ListOnlineResponse(online_player_ids=self._games.online(request.player_ids))

    def ListPlayerNames(
        self, request: wire.ListPlayerNamesRequest, context: grpc.ServicerContext
    ) -> wire.ListPlayerNamesResponse:
        """See the contract."""
        if request.name and not self._viewer(context).sees_all:
            raise PermissionDenied("only operators look players up by name")
        players = self._players.looked_up(request.player_ids, request.name)
        return wire.ListPlayerNamesResponse(players=[player_message(player) for player in players])

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

    def _viewer(self, context: grpc.ServicerContext) -> Viewer:
        """Who looks at tables; for that nobody needs a token."""
        caller = caller_of(context).principal
        if caller is None:
            return Viewer()
        return Viewer(caller.player_id, caller.kind == "service" or self._operators.includes(caller))

    def _caller(self, context: grpc.ServicerContext) -> Principal:
        """The authenticated caller, who counts as online from now on."""
        caller = self._verifier.authenticate(context)
        self._games.seen(caller.player_id)
        return caller
