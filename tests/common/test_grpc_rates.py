"""Rate limits of calls: who is counted, by what address, and what a caller gets."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from concurrent import futures
from contextlib import contextmanager
from typing import Any

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.common.auth.tokens import Kind, Principal, TokenIssuer, TokenVerifier
from services.common.clock import SystemClock
from services.common.grpc.callers import caller_address
from services.common.grpc.rate_limit import MemoryRateLimit
from services.common.grpc.rate_settings import RateSettings, load_rate_settings
from services.common.grpc.server import Guard, HostedService, create_server
from services.common.settings.service import Settings, SettingsError
from services.common.telemetry.logs import Telemetry

SERVICE = "signalbox.test.v1.Echo"
KEY = Ed25519PrivateKey.generate()


def add_echo(servicer: object, server: Any) -> None:
    """Adds two methods: one answers with the request, the other does so twice."""

    def once(request: bytes, _: grpc.ServicerContext) -> bytes:
        return request

    def twice(request: bytes, _: grpc.ServicerContext) -> Iterator[bytes]:
        yield request
        yield request

    methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Once": grpc.unary_unary_rpc_method_handler(once),
        "Twice": grpc.unary_stream_rpc_method_handler(twice),
    }
    server.add_registered_method_handlers(SERVICE, methods)


@contextmanager
def serving(rates: RateSettings) -> Iterator[grpc.Channel]:
    """A channel to a server whose calls are counted."""
    clock = SystemClock()
    verifier = TokenVerifier(TokenIssuer(KEY, 60, clock).keys, clock)
    guard = Guard(verifier, MemoryRateLimit())
    hosted = HostedService(SERVICE, add_echo, object())
    server, port = create_server([hosted], Settings(rate=rates), Telemetry(), guard=guard)
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield channel
    server.stop(0)


def token(player_id: str, kind: Kind = "player") -> str:
    """A token that the server believes."""
    return TokenIssuer(KEY, 60, SystemClock()).issue(Principal(player_id, player_id, kind)).token


def refusal(channel: grpc.Channel, bearer: str = "", method: str = "Once") -> grpc.RpcError | None:
    """How a call was refused, None if it was answered."""
    metadata = [("authorization", f"Bearer {bearer}")] if bearer else []
    path = f"/{SERVICE}/{method}"
    call: Any = channel.unary_unary(path) if method == "Once" else channel.unary_stream(path)
    try:
        answer = call(b"x", metadata=metadata, timeout=60)
        assert (answer if method == "Once" else b"".join(answer)) in (b"x", b"xx")
    except grpc.RpcError as error:
        return error
    return None


def test_a_player_gets_the_time_of_the_next_try() -> None:
    """Calls beyond the allowance end RESOURCE_EXHAUSTED with the milliseconds to wait; others' calls go on."""
    rates = RateSettings(player_per_second=0.01, player_burst=3, address_per_second=0)
    with serving(rates) as channel:
        ann = token("ann")
        assert [refusal(channel, ann, method) for method in ("Once", "Twice", "Once")] == [None] * 3
        for method in ("Once", "Twice"):
            refused = refusal(channel, ann, method)
            assert isinstance(refused, grpc.Call)
            assert refused.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert "too many calls of this player" in (refused.details() or "")
            hint = dict(refused.trailing_metadata() or ())["grpc-retry-pushback-ms"]
            assert 90_000 < int(hint) <= 100_000
        assert refusal(channel, token("bob")) is None
        assert refusal(channel) is None


def test_an_address_is_counted_for_every_caller() -> None:
    """Players and nobodies share what their address may do; forged tokens give nothing; health stays open."""
    rates = RateSettings(player_per_second=0, address_per_second=0.01, address_burst=3)
    with serving(rates) as channel:
        assert refusal(channel, token("ann")) is None
        assert refusal(channel) is None
        assert refusal(channel, "forged") is None
        for bearer in (token("ann"), token("bob"), "", "forged"):
            refused = refusal(channel, bearer)
            assert isinstance(refused, grpc.Call)
            assert "too many calls from 127.0.0.1" in (refused.details() or "")
        health = health_pb2_grpc.HealthStub(channel)
        for _ in range(10):
            assert health.Check(health_pb2.HealthCheckRequest(), timeout=60).status


@pytest.mark.parametrize("kind", ["service", "operator"])
def test_our_own_are_not_counted(kind: Kind) -> None:
    """Services and operators call as often as they need to."""
    rates = RateSettings(player_per_second=0.01, player_burst=1, address_per_second=0.01, address_burst=1)
    with serving(rates) as channel:
        bearer = token("x", kind)
        assert [refusal(channel, bearer) for _ in range(5)] == [None] * 5


def test_a_forged_token_uses_up_nobodys_allowance() -> None:
    """Only verified tokens are counted for a player."""
    rates = RateSettings(player_per_second=0.01, player_burst=1, address_per_second=0)
    forged = TokenIssuer(Ed25519PrivateKey.generate(), 60, SystemClock()).issue(Principal("ann", "Ann")).token
    with serving(rates) as channel:
        for _ in range(5):
            assert refusal(channel, forged) is None
        assert refusal(channel, token("ann")) is None


def test_generous_defaults_hold_up_no_bot() -> None:
    """Four threads of one player calling as fast as they can for 400 calls are not refused."""
    with serving(RateSettings()) as channel, futures.ThreadPoolExecutor(4) as threads:
        ann = token("ann")
        assert set(threads.map(lambda _: refusal(channel, ann), range(400))) == {None}


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("ipv4:203.0.113.9:5000", "", "203.0.113.9"),
        ("ipv4:203.0.113.9:5000", "198.51.100.1", "203.0.113.9"),
        ("ipv4:10.0.0.5:5000", "", "10.0.0.5"),
        ("ipv4:10.0.0.5:5000", "198.51.100.1", "198.51.100.1"),
        ("ipv4:10.0.0.5:5000", "1.2.3.4, 198.51.100.1", "198.51.100.1"),
        ("ipv4:10.0.0.5:5000", "198.51.100.1, 10.0.0.7", "198.51.100.1"),
        ("ipv4:10.0.0.5:5000", "10.0.0.8,10.0.0.7", "10.0.0.8"),
        ("ipv4:10.0.0.5:5000", "soap", "unknown"),
        ("ipv6:%5B2001:db8:1:2:3::4%5D:5000", "", "2001:db8:1:2::/64"),
        ("ipv6:[::ffff:203.0.113.9]:5000", "", "203.0.113.9"),
        ("unix:/run/socket", "", "unknown"),
        ("unix:/run/socket", "198.51.100.1", "198.51.100.1"),
        ("unix:/run/socket", "1.2.3.4, 198.51.100.1", "198.51.100.1"),
    ],
)
def test_whose_address_counts(peer: str, forwarded: str, address: str) -> None:
    """The other end of the connection; only a trusted proxy and our own web server are believed whom they
    speak for, the last stranger named."""
    metadata = (("x-forwarded-for", forwarded),) if forwarded else ()
    assert caller_address(peer, metadata, [ipaddress.ip_network("10.0.0.0/8")]) == address


def test_settings_are_read_and_faults_named() -> None:
    """Every variable reaches its field; a wrong one is named."""
    assert load_rate_settings({}) == RateSettings()
    assert load_rate_settings(
        {
            "SIGNALBOX_RATE_PLAYER_PER_SECOND": "2.5",
            "SIGNALBOX_RATE_PLAYER_BURST": "10",
            "SIGNALBOX_RATE_ADDRESS_PER_SECOND": "0",
            "SIGNALBOX_RATE_TRUSTED_PROXIES": "10.0.0.0/8, ::1/128",
            "SIGNALBOX_RATE_SHARED": "on",
        }
    ) == RateSettings(
        player_per_second=2.5,
        player_burst=10,
        address_per_second=0,
        trusted_proxies=("10.0.0.0/8", "::1/128"),
        shared=True,
    )
    for name, text in {
        "PLAYER_PER_SECOND": "-1",
        "ADDRESS_BURST": "0",
        "TRUSTED_PROXIES": "10.0.0.1/8",
        "SHARED": "yes",
    }.items():
        with pytest.raises(SettingsError, match=f"SIGNALBOX_RATE_{name}: "):
            load_rate_settings({f"SIGNALBOX_RATE_{name}": text})
