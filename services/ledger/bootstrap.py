"""Wires the ledger of the embedded host."""

from __future__ import annotations

from pathlib import Path

from prometheus_client import REGISTRY, CollectorRegistry

from services.common.grpc.methods import method_limits
from services.common.grpc.server import HostedService
from services.gen.signalbox.ledger.v1 import ledger_pb2
from services.gen.signalbox.ledger.v1.ledger_pb2_grpc import add_LedgerServicer_to_server
from services.ledger.adapters.alarm import TelemetryAlarm
from services.ledger.adapters.sqlite import SqliteBookStore
from services.ledger.grpc_server import LedgerServicer
from services.ledger.handlers import Ledger
from services.ledger.ports import EventSource, GameHold

METHODS = method_limits(Path(__file__).with_name("methods.toml"))
SERVICE_NAME: str = ledger_pb2.DESCRIPTOR.services_by_name["Ledger"].full_name


def open_ledger(
    path: Path, log: EventSource, game_hold: GameHold, registry: CollectorRegistry = REGISTRY
) -> Ledger:
    """The ledger over the SQLite file at `path`, which may be the host's own. Holds stored earlier are set
    again.

    Call once per registry: metrics register themselves. `Ledger.close` closes the file."""
    return Ledger(SqliteBookStore(path), log, game_hold, TelemetryAlarm(registry))


def hosted(servicer: LedgerServicer) -> HostedService:
    """The ledger as a gRPC service, for a server."""
    return HostedService(SERVICE_NAME, add_LedgerServicer_to_server, servicer, METHODS)
