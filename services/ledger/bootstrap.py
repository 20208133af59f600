"""Wires the ledger of the embedded host."""

from __future__ import annotations

from pathlib import Path

from prometheus_client import REGISTRY, CollectorRegistry

from services.gen.signalbox.ledger.v1 import ledger_pb2
from services.ledger.adapters.alarm import TelemetryAlarm
from services.ledger.adapters.sqlite import SqliteBookStore
from services.ledger.handlers import Ledger
from services.ledger.ports import EventSource, GameHold

SERVICE_NAME = ledger_pb2.DESCRIPTOR.services_by_name["Ledger"].full_name


def open_ledger(
    path: Path, log: EventSource, game_hold: GameHold, registry: CollectorRegistry = REGISTRY
) -> Ledger:
    """The ledger over the SQLite file at `path`, which may be the host's own. Holds stored earlier are set
    again.

    Call once per registry: metrics register themselves. `Ledger.close` closes the file."""
    return Ledger(SqliteBookStore(path), log, game_hold, TelemetryAlarm(registry))
