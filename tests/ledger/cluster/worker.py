"""A ledger replica as a process of its own, for tests that kill it: started with a JSON object of `WorkerConfig`, it prints its
port and serves until it is ended."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import msgspec
from prometheus_client import CollectorRegistry

from services.common.grpc.channel import balanced_channel
from services.common.kafka.settings import KafkaSettings
from services.common.process.exit_on_timeout import exit_on_timeout
from services.common.process.stopping import stop_signals
from services.common.settings.service import Settings
from services.common.telemetry.logs import configure_logging
from services.gen.signalbox.ledger.v1.ledger_pb2_grpc import add_LedgerServicer_to_server
from services.ledger.adapters.rules_events import RulesEvents
from services.ledger.cluster.replica import LedgerReplica
from services.ledger.grpc_server import LedgerServicer


class WorkerConfig(msgspec.Struct):
    """Where everything is. `is_operator`: whether every caller may do what operators may."""

    kafka: KafkaSettings
    folder: str
    rules: str
    token: str
    is_operator: bool = False


def serve(config: WorkerConfig) -> None:
    """Until SIGTERM."""
    configure_logging("info")
    channel = balanced_channel([config.rules], "signalbox.rules.v1.Rules")
    source = RulesEvents(channel, lambda: config.token)
    settings = Settings(database=Path(config.folder) / "signalbox.db")
    replica = LedgerReplica(settings, config.kafka, source, CollectorRegistry())
    with stop_signals() as stop_event:
        replica.start()
        server = grpc.server(ThreadPoolExecutor(8))
        servicer = LedgerServicer(replica.ledger, lambda _context: config.is_operator, replica)
        add_LedgerServicer_to_server(servicer, server)
        port = server.add_insecure_port("127.0.0.1:0")
        with exit_on_timeout("starting to listen", 20):
            server.start()
        print(port, flush=True)  # noqa: T201
        stop_event.wait()
        server.stop(1).wait()
        replica.stop()


if __name__ == "__main__":
    serve(msgspec.json.decode(sys.argv[1], type=WorkerConfig))
