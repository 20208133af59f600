"""Health beside an encrypted server, for probes that cannot speak TLS."""

from __future__ import annotations

from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from msgspec.structs import replace

from devtools.brokers.certificates import make_certificates
from services.common.grpc.server import Guard, HostedService, create_server
from services.common.grpc.tls import TlsSettings
from services.common.process.stopping import StopFlag
from services.common.settings.service import Settings, load_settings
from services.common.telemetry.logs import Telemetry
from services.host.children import free_ports
from services.host.cluster.process import ServedAt, ServiceProcess

STATUS = health_pb2.HealthCheckResponse
CALL_SECONDS = 60.0


def health_at(port: int) -> health_pb2.HealthCheckResponse.ServingStatus:
    """What a plain client gets at this port."""
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        answer = health_pb2_grpc.HealthStub(channel).Check(
            health_pb2.HealthCheckRequest(), timeout=CALL_SECONDS
        )
    return answer.status


@pytest.fixture
def encrypted(tmp_path: Path) -> Settings:
    """Settings of a server that takes TLS connections only."""
    ours = make_certificates(tmp_path)
    tls = TlsSettings(certificate_file=ours.server.certificate, key_file=ours.server.key)
    return replace(Settings(), tls=tls)


def test_probes_are_answered_plainly(encrypted: Settings) -> None:
    """The port tells what the encrypted server tells, as it changes; after the end nobody answers."""
    server, _ = create_server([], encrypted, Telemetry())
    port = server.tell_health_at("127.0.0.1:0")
    server.start(is_ready=False)
    try:
        assert health_at(port) == STATUS.NOT_SERVING
        server.report_ready()
        assert health_at(port) == STATUS.SERVING
    finally:
        server.stop(0)
    with pytest.raises(grpc.RpcError) as gone:
        health_at(port)
    assert gone.value.code() is grpc.StatusCode.UNAVAILABLE


def test_nothing_but_health_is_answered(encrypted: Settings) -> None:
    """What else the server offers is not to be had without encryption."""
    server, _ = create_server([], encrypted, Telemetry())
    port = server.tell_health_at("127.0.0.1:0")
    server.start()
    try:
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            request = reflection_pb2.ServerReflectionRequest(list_services="")
            answers = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(
                iter([request]), timeout=CALL_SECONDS
            )
            with pytest.raises(grpc.RpcError) as refused:
                next(answers)
        assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED
    finally:
        server.stop(0)


class Idle:
    """A part of the cluster host that is ready at once and does nothing."""

    hosted = HostedService("signalbox.idle.v1.Idle", lambda _servicer, _server: None, object())
    also_hosted = ()
    guard = Guard()
    asks_for_token = True
    has_files = False
    is_ready = True
    progress = None

    def start(self, stop_event: StopFlag) -> None:
        """Nothing to start."""

    def end_streams(self) -> None:
        """Nobody stays."""

    def close(self) -> None:
        """Nothing to let go of."""


def test_a_process_serves_its_health_at_the_configured_port(encrypted: Settings) -> None:
    """`SIGNALBOX_HEALTH_PORT` opens the port in a service's process; without it there is none."""
    (port,) = free_ports(1)
    given = load_settings({"SIGNALBOX_HEALTH_PORT": str(port)})
    assert given.health_port == port
    assert load_settings({}).health_port is None
    settings = replace(encrypted, health_port=port, metrics_port=0, stop_grace_seconds=0.0)
    process = ServiceProcess("idle", settings, 0, lambda _settings, _telemetry: Idle())
    to_stop, seen = StopFlag(), []

    def when_ready(_at: ServedAt) -> None:
        seen.append(health_at(port))
        to_stop.set()

    process.run(to_stop, when_ready)
    assert seen == [STATUS.SERVING]
