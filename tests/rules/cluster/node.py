"""A replica that keeps a part of the log, with its gRPC server. As a program: SERVERS PREFIX NAME FOLDER PORT."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Event

import grpc
from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from services.common.auth.identity import service_id
from services.common.auth.tokens import (
    Principal,
    TokenIssuer,
    TokenVerifier,
    load_or_create_signing_key,
)
from services.common.clock import SystemClock
from services.common.grpc.loop import on_loop
from services.common.grpc.server import Guard, create_server
from services.common.kafka.settings import KafkaSettings
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry, configure_logging
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from services.rules.bootstrap import hosted
from services.rules.cluster.forwarding import Forwarder
from services.rules.cluster.holdings import HoldingTiming, Sharing
from services.rules.cluster.peers import Peers
from tests.rules.cluster.harness import PARTITIONS, SESSION_MS, new_replica
from tests.rules.tiny import LocalSolver

LOOK_SECONDS = 0.2


def issuer_in(folder: Path) -> TokenIssuer:
    """Signs with the key that all nodes of a test share."""
    return TokenIssuer(load_or_create_signing_key(folder / "key.pem"), 600, SystemClock())


class Node:
    """A replica and its server on a port of this machine. Between `start` and `close`."""

    def __init__(
        self,
        kafka: KafkaSettings,
        folder: Path,
        port: int,
        copies: int = 2,
        timing: HoldingTiming | None = None,
    ) -> None:
        issuer = issuer_in(folder)
        verifier = TokenVerifier(issuer.public_key, SystemClock())
        self.name = kafka.instance
        self.address = f"127.0.0.1:{port}"
        self.registry = CollectorRegistry()
        sharing = Sharing(copies, self.address, timing or HoldingTiming(look_seconds=LOOK_SECONDS))
        self.replica = new_replica(kafka, folder, LocalSolver(), SESSION_MS, self.registry, sharing=sharing)
        assert self.replica.holdings is not None
        self.holdings = self.replica.holdings
        rules = Principal(service_id("rules"), "rules", "service")
        self._forwarder = Forwarder(
            kafka.instance,
            PARTITIONS,
            self.holdings,
            Peers(),
            verifier,
            lambda: issuer.issue(rules).token,
            self.registry,
        )
        service = hosted(self.replica.rules, verifier, (), self._forwarder)
        self._server, _ = create_server([service], Settings(), Telemetry(), port, Guard(verifier))
        self._channel = grpc.insecure_channel(self.address)
        self.stub = RulesStub(self._channel)

    def start(self) -> None:
        """Serve."""
        self._server.start()
        self.replica.start()

    def forwarded(self, method: str, result: str) -> float:
        """How many calls were passed on with this result."""
        labels = {"method": method, "result": result}
        return self.registry.get_sample_value("signalbox_forwarded_calls_total", labels) or 0.0

    def copied(self) -> float:
        """How many commits were read from Kafka."""
        return sum(
            sample.value
            for metric in self.registry.collect()
            for sample in metric.samples
            if sample.name == "signalbox_copy_commits_total"
        )

    def close(self) -> None:
        """End everything."""
        self._channel.close()
        self.replica.rules.reader.end_watches()
        self._server.stop(1.0)
        on_loop(self._forwarder.close())
        self.replica.stop()


def main() -> None:
    """Say "ready" once it serves, and go on until killed."""
    servers, prefix, name, folder, port = sys.argv[1:]
    configure_logging("info")
    kafka = KafkaSettings(servers=tuple(servers.split(",")), topic_prefix=prefix, partitions=PARTITIONS)
    # Kept: a server that nobody refers to any more ends.
    node = Node(replace(kafka, instance=name), Path(folder), int(port))
    node.start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    Event().wait()


if __name__ == "__main__":
    main()
