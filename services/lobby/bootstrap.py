"""Builds the lobby from its handlers and adapters."""

from collections.abc import Callable
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from prometheus_client import CollectorRegistry

from services.common.auth.operators import Operators
from services.common.auth.token_keys import TokenKeys
from services.common.auth.tokens import TokenVerifier
from services.common.clock import Clock, SystemClock
from services.common.eventlog.port import EventLog
from services.common.grpc.methods import method_limits
from services.common.grpc.server import HostedService
from services.common.notifier import LocalNotifier, Notifier
from services.common.settings.service import Settings
from services.common.staff.log import StaffLog
from services.gen.signalbox.lobby.v1 import lobby_service_pb2
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import add_LobbyServiceServicer_to_server
from services.lobby.adapters.lobby_metrics import observe_lobby
from services.lobby.adapters.memory_presence import MemoryPresence
from services.lobby.adapters.memory_summaries import MemorySummaries
from services.lobby.adapters.memory_wake_ups import MemoryWakeUps
from services.lobby.adapters.no_director import NoDirector
from services.lobby.adapters.no_importer import NoImporter
from services.lobby.adapters.no_positions import NoPositions
from services.lobby.adapters.random_ids import random_player_id
from services.lobby.adapters.system_seeds import SystemSeeds
from services.lobby.bootstrap_accounts import bootstrap_accounts
from services.lobby.bootstrap_clocks import bootstrap_clocks, clock_rules
from services.lobby.bootstrap_staff import Staff, hosted_staff
from services.lobby.bootstrap_tournaments import Tournaments, bootstrap_tournaments
from services.lobby.directory import TableDirectory
from services.lobby.domain.quotas import Quotas
from services.lobby.grpc_server import LobbyServicer
from services.lobby.handlers.clocks.holds import HoldChanges
from services.lobby.handlers.clocks.own_hours import HOURS_STREAM
from services.lobby.handlers.clocks.streams import ClockStreams
from services.lobby.handlers.directing import DirectingHandlers, names_of_bearers
from services.lobby.handlers.ending import EndingHandlers
from services.lobby.handlers.following import GRACE_MS, FollowedGames, follows_all
from services.lobby.handlers.games import GameListHandlers
from services.lobby.handlers.importing import ImportHandlers
from services.lobby.handlers.inviting import InvitingHandlers
from services.lobby.handlers.players import PlayerHandlers
from services.lobby.handlers.table_watching import TableWatchHandlers
from services.lobby.handlers.tables import TableHandlers
from services.lobby.handlers.watching import POLL_SECONDS, GameWatchHandlers
from services.lobby.ports import (
    AttemptLimiter,
    Freshness,
    GameDirector,
    GameImporter,
    GameLists,
    GamePositions,
    GameStarter,
    GameSummaries,
    PasswordHasher,
    Presence,
    SeedSource,
    TitleCatalogue,
    WakeUps,
    always_fresh,
)
from services.lobby.queues import Queues
from services.lobby.table_messages import encode_watched

SERVICE = lobby_service_pb2.DESCRIPTOR.services_by_name["LobbyService"]
METHODS = method_limits(Path(__file__).with_name("methods.toml"), SERVICE)
SERVICE_NAME: str = SERVICE.full_name


Projections = tuple[TableDirectory, ClockStreams, ClockStreams]
"""Tables, their clocks, and the playing hours of accounts."""


class Lobby(msgspec.Struct, frozen=True):
    """The lobby, ready to be served."""

    players: PlayerHandlers
    tables: TableHandlers
    imports: ImportHandlers
    directing: DirectingHandlers
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
    projections: Projections

    def close(self) -> None:
        """Keep what is folded of the log; no question is answered after that."""
        for each in self.projections:
            each.close()


class SharedGames(msgspec.Struct, frozen=True):
    """What is otherwise in a process that shares the games with others. `grace_ms`, `consumed_until`, `follows`: see
    `FollowedGames`."""

    lists: GameLists | None = None
    """Of all games; the summaries of this process unless given."""
    certain_lists: GameLists | None = None
    """See `GameWatchHandlers`; `lists` unless given."""
    grace_ms: int = GRACE_MS
    consumed_until: Callable[[str], int] | None = None
    follows: Callable[[str], bool] = follows_all


ALONE = SharedGames()


def in_memory(kind: str) -> None:
    """For a lobby that keeps no projection."""


def bootstrap_lobby(
    *,
    log: EventLog,
    catalogue: TitleCatalogue,
    starter: GameStarter,
    importer: GameImporter | None = None,
    director: GameDirector | None = None,
    positions: GamePositions | None = None,
    signing_key: TokenKeys | Ed25519PrivateKey,
    settings: Settings,
    clock: Clock | None = None,
    seeds: SeedSource | None = None,
    passwords: PasswordHasher | None = None,
    summaries: GameSummaries | None = None,
    shared: SharedGames = ALONE,
    notifier: Notifier | None = None,
    watch_poll_seconds: float = POLL_SECONDS,
    wake_ups: WakeUps | None = None,
    presence: Presence | None = None,
    attempts: AttemptLimiter | None = None,
    freshen: Freshness | None = None,
    has_house_bots: bool = False,
    registry: CollectorRegistry | None = None,
    staff_log: StaffLog | None = None,
    queues: Queues | None = None,
    holds: HoldChanges | None = None,
    file_of: Callable[[str], Path | None] = in_memory,
) -> Lobby:
    """The lobby over `log`. Ports not given: the system's clock and seeds, argon2id, adapters in memory. Without `director`
    games are not directed, without `positions` nobody sees worths. `freshen` is needed where `log` reads a copy. `summaries`,
    `holds`: see `FollowedGames`. `notifier`, `watch_poll_seconds`: see `GameWatchHandlers`. `has_house_bots`: see
    `DirectingHandlers`. `staff_log`: a stream of `log` unless given. `queues`: see `bootstrap_staff`. `file_of`: where a
    projection is kept. Once the starter answers, call `tables.resume_starting_tables()`."""
    clock, seeds, registry = clock or SystemClock(), seeds or SystemSeeds(), registry or CollectorRegistry()
    director, importer, freshen = director or NoDirector(), importer or NoImporter(), freshen or always_fresh
    notifier, positions = notifier or LocalNotifier(), positions or NoPositions()
    summaries, holds = summaries or MemorySummaries(), holds or HoldChanges()
    directory, clock_streams, own_hours = projections = _projections(log, freshen, file_of)
    lists = shared.lists or summaries
    watching = GameWatchHandlers(lists, shared.certain_lists or lists, notifier, watch_poll_seconds)
    own = random_player_id, signing_key, passwords, attempts, staff_log, queues
    players, verifier, staff = bootstrap_accounts(log, settings, clock, freshen, *own)
    quotas = Quotas(**{name: getattr(settings.quota, name) for name in Quotas.__struct_fields__})
    rules, note_act = clock_rules(has_house_bots), staff.handlers.note
    tables = TableHandlers(log, directory, catalogue, starter, seeds, clock, freshen, quotas, rules)
    stored_here = log, freshen, tables, directory, lists, players
    served = seeds, clock, verifier, settings, has_house_bots, note_act
    tournaments = bootstrap_tournaments(*stored_here, clock_streams, director, positions, *served)
    name_of, when_result = names_of_bearers(players.with_id), tournaments.publisher.follow_table
    accounts, reject_direction = (players.named, players.with_id), tournaments.directing.reject_direction
    directed = directory, tables.seen, reject_direction, director, positions, clock, note_act, registry
    clocks = bootstrap_clocks(clock_streams, own_hours, *directed)
    observe_lobby(registry, directory, tournaments.directory, clock_streams.counts)
    known = notifier, freshen, name_of, when_result, holds, shared.follows
    following = clocks.followed, shared.grace_ms, shared.consumed_until, *known
    followed = FollowedGames(log, directory, summaries, wake_ups or MemoryWakeUps(), clock, *following)
    games = GameListHandlers(lists, presence or MemoryPresence(clock))
    table_watching = TableWatchHandlers(log, directory, tables.get, tables.seen, encode_watched)
    imports = ImportHandlers(log, directory, tables, importer, *accounts, clock, freshen, quotas, note_act)
    decided = director, reject_direction, *accounts, freshen, quotas, has_house_bots, note_act
    directing = DirectingHandlers(directory, tables.get, *decided)
    inviting = InvitingHandlers(tables, directory, *accounts, seeds, freshen, quotas)
    ending = EndingHandlers(tables, directory, positions, director, quotas)
    handlers = players, tables, games, watching, table_watching, imports, directing, inviting, ending
    rights = verifier, Operators(verifier, settings.operators)
    servicer = LobbyServicer(*handlers, clocks.requests, staff.tokens, *rights)
    hosted = HostedService(SERVICE_NAME, add_LobbyServiceServicer_to_server, servicer, METHODS)
    changing, watched = (tables, imports, directing, ending), (followed, watching, table_watching)
    beside = *tournaments.hosted, *hosted_staff(staff, *rights)
    return Lobby(players, *changing, *watched, verifier, hosted, tournaments, staff, beside, projections)


def _projections(log: EventLog, freshen: Freshness, file_of: Callable[[str], Path | None]) -> Projections:
    return (
        TableDirectory(log, file_of("tables.db")),
        ClockStreams(log, freshen, path=file_of("clocks.db")),
        ClockStreams(log, freshen, HOURS_STREAM, file_of("hours.db")),
    )
