"""The way to Redis: nobody waits for it, nobody fails by it, and it comes back by itself."""

from __future__ import annotations

import io
import json
import socket
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from devtools.brokers.certificates import make_certificates
from devtools.brokers.opening import open_redis
from devtools.brokers.redis import RedisServer
from services.common.redis.client import RedisAccessDenied, RedisUnavailable, connect
from services.common.redis.connection import RedisConnection
from services.common.redis.settings import RedisSettings
from services.common.telemetry.logs import configure_logging
from services.host.children import free_ports
from tests.redis_connections import PATIENT_SECONDS, connected, wait_until

TIMEOUT_SECONDS = 0.5
CALLS = 1_000
# Of a call that meets a dead or slow Redis, and of all those after it, on a machine with much else to do: far less than
# if each call waited for the time-out.
DELAY_SECONDS = 30.0


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis to be killed."""
    with open_redis(tmp_path / "redis", is_own=True) as server:
        yield server


def ping(connection: RedisConnection) -> bool:
    """Whether Redis answers."""
    return connection.ask(lambda redis: bool(redis.ping()), otherwise=False)


@pytest.mark.integration
@pytest.mark.parametrize("fault", ["pause", "kill"])
def test_a_slow_or_dead_redis_delays_one_call_a_little(own_redis: RedisServer, fault: str) -> None:
    """The first call does without after the time-out, all others at once, until Redis is back."""
    registry = CollectorRegistry()
    with connected(own_redis.address, "x:", TIMEOUT_SECONDS, registry) as connection:
        wait_until(lambda: ping(connection))
        getattr(own_redis, fault)()
        began = time.perf_counter()
        assert not ping(connection)
        assert time.perf_counter() - began < DELAY_SECONDS
        began = time.perf_counter()
        assert not any(ping(connection) for _ in range(CALLS))
        assert time.perf_counter() - began < DELAY_SECONDS
        assert registry.get_sample_value("signalbox_redis_up") == 0
        own_redis.resume() if fault == "pause" else own_redis.start()
        wait_until(lambda: ping(connection))
        wait_until(lambda: registry.get_sample_value("signalbox_redis_up") == 1)


@pytest.mark.integration
def test_each_change_is_reported_once(own_redis: RedisServer) -> None:
    """The log tells when Redis goes and when it comes back, not every question that it leaves unanswered."""
    lines = io.StringIO()
    configure_logging("info", lines)
    with connected(own_redis.address, "x:") as connection:
        own_redis.kill()
        for _ in range(100):
            ping(connection)
        wait_until(lambda: not connection.is_up)
        own_redis.start()
        wait_until(lambda: ping(connection))
    events = [json.loads(line)["event"] for line in lines.getvalue().splitlines()]
    assert events == ["Redis answers", "doing without Redis", "Redis answers"]


def test_a_redis_that_is_away_at_start_is_waited_for() -> None:
    """Nothing fails: the process goes on without it."""
    with connected(f"127.0.0.1:{free_ports(1)[0]}", "x:") as connection:
        assert not connection.is_up
        assert not ping(connection)


@pytest.mark.integration
def test_what_redis_refuses_is_done_without(redis_address: str, redis_prefix: str) -> None:
    """A command that Redis says no to gives the substitute and leaves the way open."""
    registry = CollectorRegistry()
    with connected(redis_address, redis_prefix, registry=registry) as connection:
        place = connection.key("list")
        connection.ask(lambda redis: redis.lpush(place, "x"), otherwise=None)
        assert connection.ask(lambda redis: bool(redis.get(place)), otherwise=None) is None
        assert connection.is_up
        assert registry.get_sample_value("signalbox_redis_failures_total", {"kind": "refused"}) == 1


@pytest.mark.integration
def test_faults_of_our_own_are_not_hidden(redis_address: str, redis_prefix: str) -> None:
    """Only what Redis does is done without; a bug in what is asked shows itself, and the way opens again."""

    def broken(_: object) -> None:
        raise ZeroDivisionError

    with connected(redis_address, redis_prefix) as connection:
        with pytest.raises(ZeroDivisionError):
            connection.ask(broken, otherwise=None)
        wait_until(lambda: ping(connection))


@pytest.mark.integration
def test_a_loss_that_is_reported_late_is_reported_once(redis_address: str, redis_prefix: str) -> None:
    """Reported after the reconnect it blocks nobody, and the next loss is noticed."""

    def broken(_: object) -> None:
        raise ZeroDivisionError

    with connected(redis_address, redis_prefix) as connection:
        connection._lost.set()
        wait_until(lambda: not connection._lost.is_set())
        assert ping(connection)
        with pytest.raises(ZeroDivisionError):
            connection.ask(broken, otherwise=None)
        wait_until(lambda: ping(connection))


@pytest.mark.integration
def test_passwords_and_certificates_are_checked_at_start(tmp_path: Path) -> None:
    """The right ones let us in; a wrong or missing password and an authority we do not trust are named."""
    with open_redis(tmp_path / "redis", has_password=True, has_tls=True) as server:
        certificates, password_file = server.access.certificates, server.access.password_file
        assert certificates is not None
        right = RedisSettings(
            address=server.address,
            password_file=password_file,
            tls=True,
            ca_file=certificates.authority,
            timeout_seconds=PATIENT_SECONDS,
        )
        wrong = tmp_path / "wrong"
        wrong.write_text("guess")
        connection = RedisConnection(right)
        connection.start()
        assert connection.is_up
        connection.close()
        others = make_certificates(tmp_path / "others")
        faults: dict[str, dict[str, Path | None]] = {
            "invalid username-password|WRONGPASS": {"password_file": wrong},
            "uthentication required": {"password_file": None},
            "CERTIFICATE_VERIFY_FAILED": {"ca_file": others.authority},
        }
        for message, change in faults.items():
            settings = replace(right, **change)
            with pytest.raises(RedisAccessDenied, match=message) as caught:
                RedisConnection(settings).start()
            assert str(caught.value).startswith(f"Redis at {server.address}: ")
            assert "guess" not in str(caught.value)


@pytest.mark.integration
def test_a_certificate_that_has_ended_is_done_without(tmp_path: Path) -> None:
    """A process starts without a Redis whose certificate has ended, and has it as soon as that is renewed."""
    with open_redis(tmp_path / "redis", has_tls=True) as server:
        certificates = server.access.certificates
        assert certificates is not None
        settings = RedisSettings(
            address=server.address, tls=True, ca_file=certificates.authority, timeout_seconds=PATIENT_SECONDS
        )
        server.kill()
        make_certificates(tmp_path / "redis" / "certificates", server_lifetime=timedelta(minutes=-1))
        server.start()
        connection = RedisConnection(settings)
        connection.start()
        try:
            assert not connection.is_up
            server.kill()
            make_certificates(tmp_path / "redis" / "certificates")
            server.start()
            wait_until(lambda: connection.is_up)
        finally:
            connection.close()


@pytest.mark.parametrize(
    ("said", "raised"),
    [
        (
            b"-MISCONF Redis is configured to save RDB snapshots, but it is unable to persist to disk.",
            RedisUnavailable,
        ),
        (b"-NOAUTH Authentication required.", RedisAccessDenied),
    ],
)
def test_a_redis_that_is_not_well_is_done_without(said: bytes, raised: type[Exception]) -> None:
    """A full disk of an optional Redis keeps nobody from starting; a password that is missing does."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            connection, _ = listener.accept()
            with connection:
                while connection.recv(4096):
                    connection.sendall(said + b"\r\n")

        answering = threading.Thread(target=answer)
        answering.start()
        settings = RedisSettings(address=f"127.0.0.1:{listener.getsockname()[1]}")
        with pytest.raises(raised, match=said.split()[-1].decode()):
            connect(settings, PATIENT_SECONDS)
        answering.join()
