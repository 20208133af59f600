"""Builds the rules service from its handlers and adapters."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from prometheus_client import CollectorRegistry

from services.common.auth.operators import Operators
from services.common.auth.tokens import TokenVerifier
from services.common.eventlog.port import EventLog, SnapshotStore
from services.common.grpc.methods import method_limits
from services.common.grpc.relay import Relay
from services.common.grpc.server import HostedService
from services.common.settings.accounts import QuotaSettings
from services.gen.signalbox.rules.v1 import rules_pb2
from services.gen.signalbox.rules.v1.rules_pb2_grpc import add_RulesServicer_to_server
from services.rules.adapters.alarm import TelemetryAlarm
from services.rules.grpc_server import RulesServicer
from services.rules.handlers import Rules
from services.rules.moves import move_feeds
from services.rules.pictures import PictureReader
from services.rules.ports import RouteSolver
from services.rules.service import RulesService
from services.rules.sessions import GameSessions
from services.rules.titlereader import TitleReader
from services.rules.titles import TITLES
from services.rules.watching import game_feeds

SERVICE = rules_pb2.DESCRIPTOR.services_by_name["Rules"]
METHODS = method_limits(Path(__file__).with_name("methods.toml"), SERVICE)
SERVICE_NAME: str = SERVICE.full_name


def bootstrap_rules(
    *,
    log: EventLog,
    snapshots: SnapshotStore,
    solver: RouteSolver,
    registry: CollectorRegistry,
    quota: QuotaSettings = QuotaSettings(),  # noqa: B008  # frozen
) -> tuple[Rules, GameSessions]:
    """Rules over `log` with all installed titles. Close the sessions before the log."""
    sessions = GameSessions(log, snapshots, TITLES)
    return Rules(log, sessions, TITLES, solver, TelemetryAlarm(registry), quota=quota), sessions


def hosted(
    rules: RulesService,
    verifier: TokenVerifier,
    operators: Collection[str] = (),
    relay: Relay | None = None,
) -> HostedService:
    """`rules` as a gRPC service, for a server. `operators`: the players who see every game. `relay`: passes on what is about
    games of other replicas."""
    reader = rules.reader
    servicer = RulesServicer(
        rules,
        game_feeds(reader),
        move_feeds(reader),
        verifier,
        TitleReader(TITLES),
        PictureReader(reader),
        Operators(verifier, operators),
    )
    return HostedService(SERVICE_NAME, add_RulesServicer_to_server, servicer, METHODS, relay)
