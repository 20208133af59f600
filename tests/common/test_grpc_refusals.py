"""Calls that are refused in masses: they end in turn, and what callers at one address hold is bounded."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.common.auth.tokens import Principal, TokenIssuer, TokenVerifier
from services.common.clock import SystemClock
from services.common.errors import Overloaded
from services.common.grpc import refusals
from services.common.grpc.callers import Caller
from services.common.grpc.in_flight import CallsInFlight
from services.common.grpc.limit_settings import LimitSettings
from services.common.grpc.loop import on_loop
from services.common.grpc.methods import MethodLimits
from services.common.grpc.rate_limit import Allowance, MemoryRateLimit
from services.common.grpc.rate_settings import RateSettings
from services.common.grpc.rates import CallRates
from services.common.grpc.refusals import LONGEST_SECONDS, RefusalPace
from services.common.grpc.server import Guard, HostedService, SignalboxServer, create_server
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from tests.attack.raw_calls import RawConnection
from tests.common.test_grpc_rates import SERVICE, add_echo, refusal

HERE = "127.0.0.1"
CONNECTIONS = 3
PER_SECOND = 50.0
FLOOD_SECONDS = 2.0
SECONDS = 60.0
STRANGER = Caller("192.0.2.1")
REFUSED = grpc.StatusCode.UNAUTHENTICATED


def player(name: str, address: str = HERE) -> Caller:
    """A player at an address."""
    return Caller(address, Principal(name, name))


def test_refused_calls_of_a_caller_end_in_turn() -> None:
    """A single one at once, others as many in a second as there may be, none later than after the longest pause."""
    now = 100.0
    pace = RefusalPace(10.0, clock=lambda: now)
    pauses = [pace.pause_seconds(STRANGER, REFUSED) for _ in range(80)]
    assert pauses[:3] == pytest.approx([0.0, 0.1, 0.2])
    assert max(pauses) == pauses[-1] == LONGEST_SECONDS
    assert pace.pause_seconds(player("Ann", STRANGER.address), REFUSED) == 0.0
    now += LONGEST_SECONDS + 1
    assert pace.pause_seconds(STRANGER, REFUSED) == 0.0


@pytest.mark.parametrize(
    ("caller", "code"),
    [
        (Caller("192.0.2.1", is_forwarded=True), REFUSED),
        (Caller("192.0.2.1", Principal("ledger", "ledger", "service")), REFUSED),
        (STRANGER, grpc.StatusCode.UNAVAILABLE),
        (STRANGER, grpc.StatusCode.OK),
    ],
)
def test_who_never_waits(caller: Caller, code: grpc.StatusCode) -> None:
    """Callers behind a proxy, whose connections others use too; our own; and what is not the caller's doing."""
    pace = RefusalPace(10.0)
    assert [pace.pause_seconds(caller, code) for _ in range(20)] == [0.0] * 20


KEY = Ed25519PrivateKey.generate()
GUARD = Guard(TokenVerifier(TokenIssuer(KEY, 60, SystemClock()).keys, SystemClock()), MemoryRateLimit())
LIMITS = {"Once": MethodLimits(), "Twice": MethodLimits(caller="player")}


@contextmanager
def serving(per_second: float = PER_SECOND) -> Iterator[tuple[SignalboxServer, int]]:
    """A server with a method for everybody and one for players, and its port."""
    rates = RateSettings(refusals_per_second=per_second)
    settings = Settings(
        rate=rates, default_deadline_seconds=10 * SECONDS, default_stream_seconds=10 * SECONDS
    )
    hosted = HostedService(SERVICE, add_echo, object(), LIMITS)
    server, port = create_server([hosted], settings, Telemetry(), guard=GUARD)
    server.start()
    try:
        yield server, port
    finally:
        server.stop(0)


async def opened(port: int, method: str) -> list[RawConnection]:
    """Connections of one address."""
    connections = [RawConnection(f"{HERE}:{port}", f"/{SERVICE}/{method}", HERE) for _ in range(CONNECTIONS)]
    await asyncio.gather(*(each.open() for each in connections))
    return connections


async def flood(connections: list[RawConnection], at_least: float = 0) -> tuple[int, float]:
    """Begin calls whenever one may begin, until so many were answered; how many were, and in how many seconds."""
    began = time.monotonic()
    answered, seconds = 0, 0.0
    while seconds < FLOOD_SECONDS or answered <= at_least:
        for each in connections:
            while each.begin():
                pass
        await asyncio.sleep(0.01)
        answered, seconds = sum(each.answered for each in connections), time.monotonic() - began
        assert seconds < SECONDS
    return answered, seconds


@pytest.mark.parametrize("method", ["Twice", "Unknown"])
def test_a_flood_of_refused_calls_is_answered_in_turn(method: str) -> None:
    """Without a token, or of a method that does not exist; a server that refuses at once answers thousands in a second."""

    async def attack(port: int) -> tuple[int, float]:
        connections = await opened(port, method)
        result = await flood(connections, at_least=PER_SECOND)
        for each in connections:
            await each.close()
        return result

    with serving() as (_, port):
        answered, seconds = on_loop(attack(port))
        assert answered < 2 * PER_SECOND * seconds
        with grpc.insecure_channel(f"{HERE}:{port}") as channel:
            assert refusal(channel) is None


def test_a_stop_does_not_wait_for_their_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is refused ends with the server."""
    monkeypatch.setattr(refusals, "LONGEST_SECONDS", 2 * SECONDS)
    with serving(per_second=0.01) as (server, port):

        async def begun() -> list[RawConnection]:
            connections = await opened(port, "Twice")
            await flood(connections)
            return connections

        connections = on_loop(begun())
        began = time.monotonic()
        server.stop(2 * SECONDS)
        assert time.monotonic() - began < SECONDS
        for each in connections:
            on_loop(each.close())


def test_an_address_has_a_share_of_calls_and_bytes() -> None:
    """However many players call from there; our own services have no shares."""
    limits = LimitSettings(
        calls=100, caller_calls=2, address_calls=5, caller_bytes=2_000, address_bytes=5_000
    )
    calls = CallsInFlight(limits)
    held = [calls.enter(player(name), 1_000) for name in "AABBC"]
    with pytest.raises(Overloaded, match="too many calls of one caller"):
        calls.enter(player("A"), 1)
    with pytest.raises(Overloaded, match="too many calls from one address"):
        calls.enter(player("D"), 1)
    calls.enter(player("E", "192.0.2.1"), 1_000)
    calls.enter(Caller("192.0.2.2", Principal("ledger", "ledger", "service")), 50_000)
    held[0].release()
    with pytest.raises(Overloaded, match="too many bytes of requests from one address"):
        calls.enter(player("D"), 1_001)
    calls.enter(player("D"), 1_000)


def test_a_flood_does_not_reach_what_processes_share() -> None:
    """Where they count together a process counts for itself first."""

    class Shared(MemoryRateLimit):
        """That of all processes, which never refuses."""

        may_block = True
        asked = 0

        def take(self, key: str, allowance: Allowance) -> float:
            """Counts how often it is asked."""
            self.asked += 1
            return 0.0

    shared = Shared()
    rates = CallRates(RateSettings(address_per_second=0.01, address_burst=3), shared)
    for _ in range(3):
        rates.count(STRANGER)
    with pytest.raises(Overloaded, match="too many calls from 192"):
        rates.count(STRANGER)
    assert (rates.are_shared, shared.asked) == (True, 0)
    rates.count_together(STRANGER)
    assert shared.asked == 1
