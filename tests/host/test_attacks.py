"""Attacks on a host from outside, and players who play on meanwhile: docs/security.md lists them."""

from __future__ import annotations

import asyncio
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from msgspec.structs import replace

from services.common.grpc.limit_settings import LimitSettings
from services.common.grpc.loop import on_loop
from services.gen.signalbox.rules.v1 import command_pb2, rules_pb2 as pb
from services.host.embedded import EmbeddedHost
from tests.host.signed_in_players import Metadata, Party
from tests.hosting import Host, channel_to, settings_in

pytestmark = pytest.mark.integration

EXECUTE = "/signalbox.rules.v1.Rules/Execute"
CONNECTIONS = 20
CALLS = 1_000
# A call without a thread waits for as long as the attacker stays.
SECONDS = 60.0
FAR = 1_000_000
# So long a replica waits for a sequence that it may get.
WAITED_SECONDS = 2.0


class HalfOpenCalls:
    """Calls whose message never comes, over several connections."""

    def __init__(self, address: str, method: str, metadata: Metadata = ()) -> None:
        on_loop(self._open(address, method, metadata))

    async def _open(self, address: str, method: str, metadata: Metadata) -> None:
        options = [("grpc.use_local_subchannel_pool", 1)]
        self._channels = [grpc.aio.insecure_channel(address, options) for _ in range(CONNECTIONS)]
        callables: list[Any] = [channel.stream_unary(method) for channel in self._channels]
        self._calls = [callables[number % CONNECTIONS](metadata=metadata) for number in range(CALLS)]
        await asyncio.gather(*(each.channel_ready() for each in self._channels))

    def endings(self) -> Counter[str]:
        """How all of them ended, once they have."""

        async def codes() -> list[grpc.StatusCode]:
            return list(await asyncio.gather(*(call.code() for call in self._calls)))

        return Counter(code.name for code in on_loop(codes()))

    def close(self) -> None:
        """Disconnect."""

        async def closing() -> None:
            await asyncio.gather(*(channel.close() for channel in self._channels))

        on_loop(closing())


@contextmanager
def half_open(address: str, method: str, metadata: Metadata = ()) -> Iterator[HalfOpenCalls]:
    """Such calls during a block."""
    calls = HalfOpenCalls(address, method, metadata)
    try:
        yield calls
    finally:
        calls.close()


def one(addresses: str) -> str:
    """One replica of several."""
    return addresses.split(",")[0]


def is_serving(address: str) -> bool:
    """What health says."""
    with channel_to(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=SECONDS)
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


@pytest.mark.parametrize("has_token", [False, True], ids=["nobody", "another player"])
def test_half_open_calls_hold_up_nobody(host: Host, party: Party, game_id: str, has_token: bool) -> None:
    """A thousand calls without a message: a player plays on, health answers, and all of them end by themselves."""
    address = one(host.addresses.rules)
    if has_token:
        party.sign_in("Mallory", party.register("Mallory"))
    with half_open(address, EXECUTE, party.tokens["Mallory"] if has_token else ()) as attack:
        for _ in range(5):
            party.move(game_id)
        assert is_serving(address)
        endings = attack.endings()
    if has_token:
        assert endings.keys() == {"RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED"}
        # On a busy machine some come after the first have ended, and are let in.
        assert endings["DEADLINE_EXCEEDED"] < CALLS / 2
    else:
        assert endings == {"UNAUTHENTICATED": CALLS}


def test_half_open_health_checks_keep_no_probe_out(host: Host) -> None:
    """Health answers every caller, however many there are."""
    address = one(host.addresses.ledger)
    with half_open(address, "/grpc.health.v1.Health/Check"):
        assert is_serving(address)


def test_a_stop_waits_for_no_half_open_call(tmp_path: Path) -> None:
    """The lobby takes sign-ins of nobody known: a thousand that never come end when the host stops."""
    limit = LimitSettings(receive_seconds=600.0, caller_calls=CALLS, caller_bytes=64 * 1024 * 1024)
    settings = replace(settings_in(tmp_path), limit=limit, default_deadline_seconds=600.0)
    host = EmbeddedHost(replace(settings, stop_grace_seconds=2 * SECONDS))
    host.start()
    with half_open(host.addresses.lobby, "/signalbox.lobby.v1.LobbyService/LogIn") as attack:
        assert is_serving(host.addresses.lobby)
        began = time.monotonic()
        host.stop()
        assert time.monotonic() - began < SECONDS
        assert attack.endings().keys() <= {"UNAVAILABLE", "CANCELLED"}


@cache
def giant_command(hops: int) -> bytes:
    """The part of a request that is its command: of so many empty parts, of two bytes each."""
    one_hop = command_pb2.TrainRun(hops=[command_pb2.Hop()]).SerializeToString()
    run = command_pb2.TrainRun.FromString(one_hop * hops)
    command = command_pb2.Command(run_trains=command_pb2.RunTrains(company="BK", runs=[run]))
    return pb.ExecuteRequest(command=command).SerializeToString()


def giant(game_id: str, hops: int) -> bytes:
    """A request with such a command: messages that follow each other are one."""
    request = pb.ExecuteRequest(game_id=game_id, request_id="giant", expected_sequence=1)
    return request.SerializeToString() + giant_command(hops)


@pytest.mark.parametrize(
    ("compression", "hops", "code"),
    [
        (grpc.Compression.Gzip, 2_000_000, grpc.StatusCode.UNIMPLEMENTED),
        (grpc.Compression.Deflate, 2_000_000, grpc.StatusCode.UNIMPLEMENTED),
        (grpc.Compression.NoCompression, 30_000, grpc.StatusCode.INVALID_ARGUMENT),
        (grpc.Compression.NoCompression, 2_000_000, grpc.StatusCode.RESOURCE_EXHAUSTED),
    ],
)
def test_giants_are_refused_before_they_are_unpacked(
    host: Host, party: Party, game_id: str, compression: grpc.Compression, hops: int, code: grpc.StatusCode
) -> None:
    """Compressed requests are not taken; plain ones are measured and counted first. A player plays on."""
    message = giant(game_id, hops)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with channel_to(one(host.addresses.rules), ("grpc.max_send_message_length", -1)) as channel:
        execute: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(EXECUTE)
        for _ in range(20):
            with pytest.raises(grpc.RpcError) as refused:
                execute(message, metadata=party.tokens["Spectator"], timeout=SECONDS, compression=compression)
            assert refused.value.code() is code
    # An unpacked one takes 200 MB; the client's own copies are in this process as well.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024
    party.move(game_id)


def test_far_sequences_are_not_waited_for(host: Host, party: Party, game_id: str) -> None:
    """Nobody can know a sequence so far ahead: OUT_OF_RANGE at once, and for a command ABORTED as for any other that is not
    the latest."""
    metadata = party.tokens["Spectator"]
    reads: list[Callable[[], object]] = [
        lambda: party.rules.GetGame(
            pb.GetGameRequest(game_id=game_id, at_least_sequence=FAR), SECONDS, metadata
        ),
        lambda: party.rules.ListEvents(
            pb.ListEventsRequest(game_id=game_id, at_least_sequence=FAR), SECONDS, metadata
        ),
        lambda: party.rules.ListChoices(
            pb.ListChoicesRequest(game_id=game_id, at_least_sequence=FAR), SECONDS, metadata
        ),
        lambda: next(
            party.rules.WatchGame(pb.WatchGameRequest(game_id=game_id, after_sequence=FAR), SECONDS, metadata)
        ),
    ]
    for read in reads:
        began = time.monotonic()
        for _ in range(5):
            with pytest.raises(grpc.RpcError) as refused:
                read()
            assert refused.value.code() is grpc.StatusCode.OUT_OF_RANGE
        assert time.monotonic() - began < 5 * WAITED_SECONDS
    asked = party.asked(game_id)
    with pytest.raises(grpc.RpcError) as stale:
        party.execute(asked, game_id, command_pb2.Command(pass_turn=command_pb2.Pass()), FAR)
    assert stale.value.code() is grpc.StatusCode.ABORTED
    party.move(game_id)
