"""The embedded host: all four services in one process over one SQLite file, each on a port of its own, and the web server."""

from __future__ import annotations

import dataclasses
import os
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from services.common.auth.identity import token_keys
from services.common.auth.operators import Operators
from services.common.auth.signatures import TrustedKeys
from services.common.auth.token_keys import TokenKeys
from services.common.auth.tokens import TokenVerifier
from services.common.clock import SystemClock
from services.common.eventlog.claim import FileClaim
from services.common.eventlog.port import EventLog, SnapshotStore
from services.common.eventlog.sqlite import open_sqlite
from services.common.grpc.callers import OWN_SOCKET
from services.common.grpc.channel import balanced_channel
from services.common.grpc.exposure import check_exposure
from services.common.grpc.rate_limit import MemoryRateLimit
from services.common.grpc.server import Guard, HostedService, SignalboxServer, create_server
from services.common.process.garbage import freeze_loaded_objects
from services.common.process.stopping import StopFlag, stop_signals
from services.common.settings.service import Settings
from services.common.staff.metrics import show_staff
from services.common.staff.stream import StreamStaffLog
from services.common.telemetry.logs import Telemetry, configure_logging, get_logger, start_metrics_server
from services.common.telemetry.stack_dumps import enable_stack_dumps
from services.common.telemetry.tracing import configure_tracing, ending
from services.host.addresses import Addresses
from services.host.directing import RulesDirector
from services.host.game_starting import RulesCatalogue, RulesStarter
from services.host.house_bots import HouseBots
from services.host.importing import RulesImporter
from services.host.in_process import HeldGames, LedgerFollower, LobbyFollower, OwnRouting, OwnSight, RulesLog
from services.host.positions import OwnPositions
from services.host.watchdog import Watchdog
from services.ledger.acts import OperatorActs
from services.ledger.bootstrap import hosted as hosted_ledger, open_ledger
from services.ledger.grpc_server import LedgerServicer
from services.ledger.handlers import Ledger
from services.lobby.adapters.sqlite_summaries import SqliteSummaries
from services.lobby.bootstrap import Lobby, bootstrap_lobby
from services.lobby.bootstrap_ports import GamePorts, LobbyPorts
from services.lobby.handlers.clocks.holds import HoldChanges
from services.lobby.kept_games import is_needed
from services.lobby.turn_timer import TurnTimer
from services.routing.bootstrap import SERVICE_NAME as ROUTING_NAME, RoutingRuntime
from services.rules.adapters.routing import GrpcRouteSolver
from services.rules.archive.opening import RulesArchive
from services.rules.bootstrap import bootstrap_rules, hosted
from services.rules.handlers import Rules
from services.rules.ports import RouteSolver
from services.rules.titles import TITLES
from services.web.server import WebServer

ROUTE_SECONDS = 8.0
# Of compiling on a slow machine; after that the host starts without routing, which follows when it is ready.
READY_SECONDS = 180.0
# After a service's full name: the health of its writes. The service itself serves as long as it answers reads.
WRITES = ".Writes"


class EmbeddedHost:
    """Four services, started together and stopped together. What they acknowledged is in the file."""

    def __init__(self, settings: Settings, has_web: bool = False) -> None:
        """Opens the file and puts the services together, with a web server before them if wanted; nothing answers before
        `start`.

        Raises `SettingsError`, `LogFileError`, `AddressInUse` and `WebAddressInUse`."""
        check_exposure("host", settings)
        self._settings = settings
        self._registry = CollectorRegistry()
        self._telemetry = Telemetry(self._registry)
        self._log = get_logger("host")
        self._limit = MemoryRateLimit()
        self._servers: list[SignalboxServer] = []
        self._writers: list[tuple[SignalboxServer, str]] = []
        self._closers: list[Callable[[], object]] = []
        self._is_stopping = StopFlag()
        self._routing: tuple[RoutingRuntime, SignalboxServer] | None = None
        self._sockets: Path | None = None
        self._web: WebServer | None = None
        try:
            if has_web:
                self._sockets = self._own_folder()
            addresses = self._put_together()
            self.addresses = self._with_web(addresses) if has_web else addresses
        except BaseException:
            self._close()
            raise

    def _put_together(self) -> Addresses:
        settings = self._settings
        self._closers.append(FileClaim(settings.database).close)
        log, snapshots = open_sqlite(settings.database)
        self._closers.append(log.close)
        self._event_log = log
        keys = token_keys(settings, SystemClock())
        staff = StreamStaffLog(log, SystemClock())
        show_staff(self._registry, staff)
        self._verifier = TokenVerifier(keys, SystemClock(), staff.revocations)
        solver, routing_addresses = self._route_solver()
        self._archive = RulesArchive(settings, log, self._registry)
        self._closers.append(self._archive.close)
        self.rules = self._new_rules(self._archive, snapshots, solver)
        holds = HoldChanges()
        ledger = self._new_ledger(holds)
        summaries = SqliteSummaries(settings.database)
        self._closers.append(summaries.close)
        self._lobby = self._new_lobby(log, keys, staff, holds, summaries)
        self._archive.keep_games_with(lambda _: True, self._is_kept)
        staff.start()
        self._turn_timer = self._new_turn_timer()
        seats_max = max(max(title.all_player_counts) for title in TITLES.values())
        self._house_bots = HouseBots(self.rules, summaries, seats_max)
        self.rules.add_follower(self._house_bots)
        self._closers.append(self._house_bots.stop)
        return self._served(ledger, staff, routing_addresses)

    def _new_ledger(self, holds: HoldChanges) -> Ledger:
        rules = self.rules
        held_games = HeldGames(rules, holds, SystemClock())
        ledger = open_ledger(self._settings.database, RulesLog(rules), held_games, self._registry)
        self._closers.append(ledger.close)
        rules.add_follower(LedgerFollower(ledger))
        return ledger

    def _new_lobby(
        self,
        log: EventLog,
        keys: TokenKeys,
        staff: StreamStaffLog,
        holds: HoldChanges,
        summaries: SqliteSummaries,
    ) -> Lobby:
        settings = self._settings
        lobby = bootstrap_lobby(
            LobbyPorts(
                log=log,
                games=GamePorts(
                    RulesCatalogue(TITLES),
                    RulesStarter(self.rules, TITLES),
                    importer=RulesImporter(TITLES, TrustedKeys(keys, settings.import_keys)),
                    director=RulesDirector(self.rules),
                    positions=OwnPositions(self.rules),
                ),
                signing_key=keys,
                settings=settings,
                summaries=summaries,
                has_house_bots=True,
                registry=self._registry,
                staff_log=staff,
                holds=holds,
                file_of=partial(file_beside, settings.database),
            )
        )
        self._closers.append(lobby.close)
        return lobby

    def _new_turn_timer(self) -> TurnTimer:
        lobby, rules = self._lobby, self.rules
        follower = LobbyFollower(self._archive.log, rules, lobby.followed)
        rules.add_follower(follower)

        def catch_up(is_cancelled: Callable[[], bool]) -> None:
            follower.catch_up(is_cancelled)
            lobby.tournaments.publisher.catch_up(is_cancelled)
            lobby.ending.end_agreed(is_cancelled)
            lobby.followed.compare_holds(lambda: rules.held)
            lobby.tournaments.series.make_missing(is_cancelled)

        timer = TurnTimer(lobby.followed, catch_up, lobby.tournaments.publisher.publish_all_due)
        self._closers.append(timer.stop)
        return timer

    def _served(self, ledger: Ledger, staff: StreamStaffLog, routing_addresses: tuple[str, ...]) -> Addresses:
        settings, rules, lobby, verifier = self._settings, self.rules, self._lobby, self._verifier
        operators = Operators(verifier, settings.operators)
        acts = OperatorActs(staff, verifier)
        books = hosted_ledger(LedgerServicer(ledger, operators, sight=OwnSight(rules), acts=acts))
        games = hosted(rules, verifier, settings.operators)
        return Addresses(
            lobby=self._serve("lobby", lobby.hosted, settings.lobby_port, lobby.also_hosted),
            rules=self._serve("rules", games, settings.rules_port),
            routing=",".join(routing_addresses),
            ledger=self._serve("ledger", books, settings.ledger_port),
            metrics=self._serve_metrics(),
        )

    def _serve_metrics(self) -> str:
        settings = self._settings
        stop, port = start_metrics_server(self._telemetry, settings.host, settings.metrics_port)
        self._closers.append(stop)
        return f"{settings.host}:{port}"

    def _new_rules(self, archive: RulesArchive, snapshots: SnapshotStore, solver: RouteSolver) -> Rules:
        rules, sessions = bootstrap_rules(
            log=archive.log,
            snapshots=snapshots,
            solver=solver,
            registry=self._registry,
            quota=self._settings.quota,
        )
        rules.before_roll_backs(archive.bring_back)
        self._closers.append(sessions.close)
        return rules

    def _is_kept(self, game_id: str) -> bool:
        """Whether a finished game is not to be archived: it is held, or a tournament needs it."""
        tables, tournaments = self._lobby.followed.directory, self._lobby.tournaments.directory
        return self.rules.is_held(game_id) or is_needed(tables, tournaments, game_id)

    def _own_folder(self) -> Path:
        """A folder that nobody else may enter, for the sockets over which the web server calls the services."""
        folder = TemporaryDirectory(prefix="signalbox-")
        self._closers.append(folder.cleanup)
        return Path(folder.name)

    def _own_address(self, service: str) -> str:
        return f"{OWN_SOCKET}{self._sockets / service}" if self._sockets else ""

    def _with_web(self, addresses: Addresses) -> Addresses:
        settings = replace(
            self._settings,
            lobby_addresses=(self._own_address("lobby"),),
            rules_addresses=(self._own_address("rules"),),
            # Servers elsewhere ask for no token.
            routing_addresses=(self._own_address("routing"),) if self._routing is not None else (),
            ledger_addresses=(self._own_address("ledger"),),
        )
        self._web = WebServer(settings, self._telemetry)
        self._closers.append(self._web.stop)
        return dataclasses.replace(addresses, web=self._web.address)

    def _route_solver(self) -> tuple[RouteSolver, tuple[str, ...]]:
        """What finds best runs for rules, and where routing answers others."""
        elsewhere = self._settings.routing_addresses
        if not elsewhere:
            return self._own_routing()
        channel = balanced_channel(elsewhere, ROUTING_NAME, self._settings.tls)
        self._closers.append(channel.close)
        return GrpcRouteSolver(channel, ROUTE_SECONDS), elsewhere

    def _own_routing(self) -> tuple[RouteSolver, tuple[str, ...]]:
        service = RoutingRuntime(self._settings, self._registry, serves_players=True)
        self._closers.append(service.close)
        guard = Guard(self._verifier, self._limit, service.admission)
        server, address = self._listen("routing", [service.hosted], self._settings.routing_port, guard)
        self._routing = (service, server)
        return OwnRouting(service.service, ROUTE_SECONDS), (address,)

    def _serve(
        self, name: str, service: HostedService, port: int, beside: tuple[HostedService, ...] = ()
    ) -> str:
        services = (service, *beside)
        server, address = self._listen(name, services, port, Guard(self._verifier, self._limit))
        self._servers.append(server)
        self._writers += [(server, each.full_name + WRITES) for each in services]
        return address

    def _listen(
        self, name: str, services: Sequence[HostedService], port: int, guard: Guard
    ) -> tuple[SignalboxServer, str]:
        own_address = self._own_address(name)
        server, bound = create_server(services, self._settings, self._telemetry, port, guard, own_address)
        return server, f"{self._settings.host}:{bound}"

    def start(self, stop_event: StopFlag | None = None) -> None:
        """Begin to answer; tables whose start was cut off are started.

        Blocks until the routing workers are warm, as long as that is reasonable and not `stop_event`.
        """
        for server in self._servers:
            server.start()
        if self._web is not None:
            self._web.start()
        self._report_writable(self._event_log.is_writable)
        self._event_log.when_writable_changes(self._report_writable)
        self._turn_timer.start()
        self._archive.start()
        self._start_routing(stop_event)
        self._house_bots.start()
        resumed = self._lobby.tables.resume_starting_tables()
        for table_id, problem in resumed.waiting.items():
            self._log.error("table cannot begin", table_id=table_id, problem=problem)
        for table_id, problem in resumed.refused.items():
            self._log.warning("table closed", table_id=table_id, problem=problem)
        self._log.info("started", resumed_tables=len(resumed.begun), **_as_fields(self.addresses))

    def _start_routing(self, stop_event: StopFlag | None) -> None:
        if self._routing is None:
            return
        service, server = self._routing
        server.start(is_ready=False)
        service.start()
        if service.wait_ready(READY_SECONDS, stop_event):
            server.report_ready()
        elif stop_event is None or not stop_event.is_set():
            self._log.error("routing is not ready", seconds=READY_SECONDS)
            threading.Thread(target=self._report_late, daemon=True).start()

    def _report_writable(self, is_writable: bool) -> None:
        for server, health_name in self._writers:
            server.set_serving(health_name, is_writable)

    def _report_late(self) -> None:
        if self._routing is not None and self._routing[0].wait_ready(stop=self._is_stopping):
            self._routing[1].report_ready()

    def stop(self) -> None:
        """Send watchers away, let running calls end, then close everything, newest first."""
        self._is_stopping.set()
        if self._web is not None:
            self._web.stop()
        self.rules.reader.end_watches()
        self._lobby.watching.end_watches()
        for server in reversed(self._servers):
            server.stop(self._settings.stop_grace_seconds)
        self._servers.clear()
        if self._routing is not None:
            self._routing[1].stop(self._settings.stop_grace_seconds)
        self._close()
        self._log.info("stopped")

    def _close(self) -> None:
        while self._closers:
            self._closers.pop()()


def file_beside(database: Path, kind: str) -> Path:
    """Where the lobby keeps a projection of the log, beside it. It can be made anew."""
    return database.with_name(f"{database.stem}.lobby-{kind}")


def _as_fields(addresses: Addresses) -> dict[str, str]:
    return {name: getattr(addresses, name) for name in Addresses.__slots__}


def serve_until_stopped(settings: Settings, when_started: Callable[[Addresses], None]) -> None:
    """Run the embedded host until SIGINT or SIGTERM, or until one of its threads fails."""
    enable_stack_dumps()
    configure_logging(settings.log_level)
    with ending(configure_tracing("signalbox", os.environ)):
        host = EmbeddedHost(settings, has_web=True)
        watchdog = Watchdog(lambda: None)
        with stop_signals() as stop_event:
            watchdog.start()
            try:
                host.start(stop_event)
                freeze_loaded_objects()
                if not stop_event.is_set():
                    when_started(host.addresses)
                stop_event.wait()
            finally:
                watchdog.stop()
                host.stop()
