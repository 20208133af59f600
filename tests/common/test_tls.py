"""Encrypted gRPC connections: who gets in, what is named at start, and certificates replaced while running."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from msgspec.structs import replace

from devtools.brokers.certificates import Certificates, make_certificates
from services.client.calls import channel_to
from services.common.grpc import renewed as grpc_renewed
from services.common.grpc.channel import balanced_channel, single_channel
from services.common.grpc.server import HostedService, create_server
from services.common.grpc.tls import PLAIN, TlsSettings, load_tls_settings
from services.common.settings.service import Settings, SettingsError, load_settings
from services.common.telemetry.logs import Telemetry
from services.host.processes import environment_of
from tests.redis_connections import wait_until

CALL_SECONDS = 60.0


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """Certificates that we trust."""
    return make_certificates(tmp_path_factory.mktemp("ours"))


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """Certificates of an authority that we do not know."""
    return make_certificates(tmp_path_factory.mktemp("others"))


@contextmanager
def serving(tls: TlsSettings, *services: HostedService) -> Iterator[str]:
    """The address of a server that answers for its health and for these services."""
    server, port = create_server(services, replace(Settings(), tls=tls), Telemetry())
    server.start()
    try:
        yield f"localhost:{port}"
    finally:
        server.stop(0)


def answers(channel: grpc.Channel) -> bool:
    """Whether the server on the other side says that it serves."""
    with channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(
                health_pb2.HealthCheckRequest(), timeout=CALL_SECONDS
            )
        except grpc.RpcError as error:
            assert error.code() is grpc.StatusCode.UNAVAILABLE
            return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def test_only_encrypted_calls_come_in(ours: Certificates, others: Certificates) -> None:
    """A client that trusts our authority is answered, alone or balanced; a plain one and a distrustful one are not."""
    served = TlsSettings(certificate_file=ours.server.certificate, key_file=ours.server.key)
    trusting = TlsSettings(ca_file=ours.authority)
    with serving(served) as address:
        assert answers(single_channel(address, trusting))
        assert answers(balanced_channel([address], "", trusting))
        assert answers(balanced_channel([address, address], "", trusting))
        assert not answers(single_channel(address, PLAIN))
        assert not answers(single_channel(address, TlsSettings(ca_file=others.authority)))


def test_mutual_tls_asks_who_calls(ours: Certificates, others: Certificates) -> None:
    """With authorities for clients only a certificate that one of them signed gets in."""
    served = TlsSettings(
        certificate_file=ours.server.certificate, key_file=ours.server.key, client_ca_file=ours.authority
    )
    nobody = TlsSettings(ca_file=ours.authority)
    known = replace(nobody, certificate_file=ours.client.certificate, key_file=ours.client.key)
    stranger = replace(nobody, certificate_file=others.client.certificate, key_file=others.client.key)
    with serving(served) as address:
        assert answers(single_channel(address, known))
        assert not answers(single_channel(address, nobody))
        assert not answers(single_channel(address, stranger))


def test_a_replaced_certificate_counts_at_once(
    ours: Certificates, others: Certificates, tmp_path: Path
) -> None:
    """New files serve the next connection; a half replaced pair leaves the old one in place."""
    certificate, key = tmp_path / "tls.crt", tmp_path / "tls.key"
    shutil.copy(ours.server.certificate, certificate)
    shutil.copy(ours.server.key, key)
    with serving(TlsSettings(certificate_file=certificate, key_file=key)) as address:
        trusting, trusting_others = (TlsSettings(ca_file=each.authority) for each in (ours, others))
        assert answers(single_channel(address, trusting))
        shutil.copy(others.server.certificate, certificate)
        assert answers(single_channel(address, trusting))
        shutil.copy(others.server.key, key)
        wait_until(lambda: answers(single_channel(address, trusting_others)))
        assert not answers(single_channel(address, trusting))


class WhoCalls:
    """A service whose only rpc answers with the name in the caller's certificate."""

    def called(self, _request: bytes, context: Any) -> bytes:
        """The common name."""
        return bytes(context.auth_context()["x509_common_name"][0])


def add_who_calls(servicer: WhoCalls, server: Any) -> None:
    """What generated code does for a service."""
    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "called": grpc.unary_unary_rpc_method_handler(servicer.called)
    }
    server.add_registered_method_handlers("WhoCalls", handlers)


def put(source: Path, place: Path) -> None:
    """Replace a file, as a mounted secret is."""
    fresh = place.with_suffix(".new")
    shutil.copy(source, fresh)
    fresh.rename(place)


def test_a_client_shows_its_replaced_certificate(
    ours: Certificates, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A channel in use shows new files from the next call on; a half replaced pair leaves the old ones in place, and a
    stream goes on."""
    monkeypatch.setattr(grpc_renewed, "LOOK_EVERY_SECONDS", 0.0)
    certificate, key = tmp_path / "tls.crt", tmp_path / "tls.key"
    put(ours.client.certificate, certificate)
    put(ours.client.key, key)
    served = TlsSettings(
        certificate_file=ours.server.certificate, key_file=ours.server.key, client_ca_file=ours.authority
    )
    known = TlsSettings(ca_file=ours.authority, certificate_file=certificate, key_file=key)
    who_calls = HostedService("WhoCalls", add_who_calls, WhoCalls())
    with serving(served, who_calls) as address, balanced_channel([address], "WhoCalls", known) as channel:
        asked: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/WhoCalls/called")
        watched = health_pb2_grpc.HealthStub(channel).Watch(
            health_pb2.HealthCheckRequest(), timeout=10 * CALL_SECONDS
        )
        assert next(watched).status == health_pb2.HealthCheckResponse.SERVING
        assert asked(b"", timeout=CALL_SECONDS) == b"client"
        put(ours.server.certificate, certificate)
        assert asked(b"", timeout=CALL_SECONDS) == b"client"
        put(ours.server.key, key)
        assert asked(b"", timeout=CALL_SECONDS) == b"server"
        assert asked.future(b"", timeout=CALL_SECONDS).result() == b"server"
        assert asked.with_call(b"", timeout=CALL_SECONDS)[0] == b"server"
        assert watched.is_active()


def test_clients_read_the_environment(ours: Certificates, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client library and the commands call over TLS once an authority is named."""
    served = TlsSettings(certificate_file=ours.server.certificate, key_file=ours.server.key)
    with serving(served) as address:
        assert not answers(channel_to(address, ""))
        monkeypatch.setenv("SIGNALBOX_TLS_CA_FILE", str(ours.authority))
        assert answers(channel_to(address, ""))


def test_settings_reach_the_server_and_other_processes(ours: Certificates) -> None:
    """They are read with the rest, and passed to our own processes."""
    tls = TlsSettings(
        certificate_file=ours.server.certificate,
        key_file=ours.server.key,
        client_ca_file=ours.authority,
        ca_file=ours.authority,
    )
    environment = environment_of(replace(Settings(), tls=tls), "SIGNALBOX_")
    assert environment["SIGNALBOX_TLS_KEY_FILE"] == str(ours.server.key)
    assert load_settings(environment).tls == tls
    assert load_settings({}).tls == PLAIN


def test_what_is_wrong_is_named_at_start(ours: Certificates, others: Certificates, tmp_path: Path) -> None:
    """A missing file, half a pair, a key of another certificate and what is no certificate at all."""
    soap = tmp_path / "soap.pem"
    soap.write_text("soap")
    certificate = {"SIGNALBOX_TLS_CERTIFICATE_FILE": str(ours.server.certificate)}
    wrong = {
        "SIGNALBOX_TLS_CA_FILE: '/no/ca' is no file": {"SIGNALBOX_TLS_CA_FILE": "/no/ca"},
        "SIGNALBOX_TLS_KEY_FILE: belong together": certificate,
        "KEY_VALUES_MISMATCH": {**certificate, "SIGNALBOX_TLS_KEY_FILE": str(others.server.key)},
        f"SIGNALBOX_TLS_CA_FILE: {soap}": {"SIGNALBOX_TLS_CA_FILE": str(soap)},
        "CLIENT_CA_FILE: needs SIGNALBOX_TLS_CERTIFICATE_FILE": {
            "SIGNALBOX_TLS_CLIENT_CA_FILE": str(ours.authority)
        },
    }
    for message, variables in wrong.items():
        with pytest.raises(SettingsError, match=message):
            load_tls_settings(variables)
