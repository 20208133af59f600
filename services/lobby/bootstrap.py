"""Builds the lobby from its handlers and adapters."""

from __future__ import annotations

from pathlib import Path

import msgspec

from services.common.auth.tokens import TokenVerifier
from services.common.grpc.methods import method_limits
from services.common.grpc.server import HostedService
from services.gen.signalbox.lobby.v1 import lobby_service_pb2
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import add_LobbyServiceServicer_to_server
from services.lobby.adapters.lobby_metrics import observe_lobby
from services.lobby.adapters.memory_presence import MemoryPresence
from services.lobby.adapters.memory_wake_ups import MemoryWakeUps
from services.lobby.bootstrap_accounts import Accounts, bootstrap_accounts
from services.lobby.bootstrap_clocks import Clocks, bootstrap_clocks
from services.lobby.bootstrap_ports import LobbyPorts
from services.lobby.bootstrap_staff import Staff, hosted_staff
from services.lobby.bootstrap_tables import Tables, bootstrap_table_requests, bootstrap_tables
from services.lobby.bootstrap_tournaments import Tournaments, bootstrap_tournaments, hosted_tournaments
from services.lobby.grpc_server import LobbyServicer
from services.lobby.handlers.directing import DirectingHandlers, names_of_bearers
from services.lobby.handlers.ending import EndingHandlers
from services.lobby.handlers.following import FollowedGames
from services.lobby.handlers.games import GameListHandlers
from services.lobby.handlers.importing import ImportHandlers
from services.lobby.handlers.inviting import InvitingHandlers
from services.lobby.handlers.players import PlayerHandlers
from services.lobby.handlers.table_watching import TableWatchHandlers
from services.lobby.handlers.tables import TableHandlers
from services.lobby.handlers.watching import GameWatchHandlers
from services.lobby.table_messages import encode_watched

SERVICE = lobby_service_pb2.DESCRIPTOR.services_by_name["LobbyService"]
METHODS = method_limits(Path(__file__).with_name("methods.toml"), SERVICE)
SERVICE_NAME: str = SERVICE.full_name


class Lobby(msgspec.Struct, frozen=True):
    """The lobby, ready to be served."""

    players: PlayerHandlers
    tables: TableHandlers
    imports: ImportHandlers
    directing: DirectingHandlers
    inviting: InvitingHandlers
    ending: EndingHandlers
    followed: FollowedGames
    watching: GameWatchHandlers
    table_watching: TableWatchHandlers
    verifier: TokenVerifier
    hosted: HostedService
    tournaments: Tournaments
    staff: Staff
    also_hosted: tuple[HostedService, ...]
    """The services beside `hosted` on the same server."""
    kept: Tables

    def close(self) -> None:
        """Keep what is folded of the log; no question is answered after that."""
        self.kept.close()


def bootstrap_lobby(ports: LobbyPorts) -> Lobby:
    """The lobby over the log. Once the starter answers, call `tables.resume_starting_tables()`."""
    accounts, tables = bootstrap_accounts(ports), bootstrap_tables(ports)
    tournaments = bootstrap_tournaments(ports, accounts, tables)
    reject_direction = tournaments.directing.reject_direction
    requests = bootstrap_table_requests(ports, accounts, tables, tournaments.directing)
    clocks = bootstrap_clocks(ports, tables, reject_direction, accounts.staff.handlers.note)
    observe_lobby(ports.registry, tables.directory, tournaments.directory, tables.clocks.counts)
    watching = GameWatchHandlers(
        ports.lists, ports.shared.certain_lists or ports.lists, ports.notifier, ports.watch_poll_seconds
    )
    table_watching = TableWatchHandlers(
        ports.log, tables.directory, tables.handlers.get, tables.handlers.seen, encode_watched
    )
    servicer = LobbyServicer(
        players=accounts.players,
        tables=tables.handlers,
        games=GameListHandlers(ports.lists, ports.presence or MemoryPresence(ports.clock)),
        watching=watching,
        table_watching=table_watching,
        imports=requests.imports,
        directing=requests.directing,
        inviting=requests.inviting,
        ending=requests.ending,
        clocks=clocks.requests,
        api_tokens=accounts.staff.tokens,
        verifier=accounts.verifier,
        operators=accounts.operators,
    )
    return Lobby(
        players=accounts.players,
        tables=tables.handlers,
        imports=requests.imports,
        directing=requests.directing,
        inviting=requests.inviting,
        ending=requests.ending,
        followed=_followed(ports, accounts, tables, tournaments, clocks),
        watching=watching,
        table_watching=table_watching,
        verifier=accounts.verifier,
        hosted=HostedService(SERVICE_NAME, add_LobbyServiceServicer_to_server, servicer, METHODS),
        tournaments=tournaments,
        staff=accounts.staff,
        also_hosted=(
            *hosted_tournaments(tournaments, accounts.verifier),
            *hosted_staff(accounts.staff, accounts.verifier, accounts.operators),
        ),
        kept=tables,
    )


def _followed(
    ports: LobbyPorts, accounts: Accounts, tables: Tables, tournaments: Tournaments, clocks: Clocks
) -> FollowedGames:
    shared = ports.shared
    return FollowedGames(
        log=ports.log,
        directory=tables.directory,
        summaries=ports.summaries,
        wake_ups=ports.wake_ups or MemoryWakeUps(),
        clock=ports.clock,
        clocks=clocks.followed,
        grace_ms=shared.grace_ms,
        consumed_until=shared.consumed_until,
        notifier=ports.notifier,
        freshen=ports.freshen,
        name_of=names_of_bearers(accounts.players.with_id),
        when_result=tournaments.publisher.follow_table,
        holds=ports.holds,
        follows=shared.follows,
    )
