"""Streams without an end of their own: tokens that end, watchers that do not read, and quotas."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.common.auth.tokens import REVOKED, Principal, TokenIssuer, TokenVerifier
from services.common.clock import SystemClock
from services.common.grpc.limit_settings import LimitSettings
from services.common.grpc.methods import MethodLimits
from services.common.grpc.server import Guard, HostedService, create_server
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from tests.redis_connections import wait_until

SERVICE = "signalbox.test.v1.Streams"
KEY = Ed25519PrivateKey.generate()
LARGE = b"x" * 100_000
LIMITS = {
    "Large": MethodLimits(watch=True),
    "Quiet": MethodLimits(watch=True),
    "Mine": MethodLimits(watch=True, caller="player"),
}


class Streams:
    """Two streams; `open` are those that somebody has."""

    def __init__(self) -> None:
        self.open = 0

    async def large(self, _request: bytes, _context: object) -> AsyncIterator[bytes]:
        """Large messages for ever."""
        self.open += 1
        try:
            while True:
                yield LARGE
        finally:
            self.open -= 1

    async def quiet(self, _request: bytes, _context: object) -> AsyncIterator[bytes]:
        """One message, then nothing."""
        yield b"hello"
        await asyncio.Event().wait()


def add_streams(servicer: Streams, server: Any) -> None:
    """What generated code does for a service."""
    methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Large": grpc.unary_stream_rpc_method_handler(servicer.large),
        "Quiet": grpc.unary_stream_rpc_method_handler(servicer.quiet),
        "Mine": grpc.unary_stream_rpc_method_handler(servicer.quiet),
    }
    server.add_registered_method_handlers(SERVICE, methods)


@contextmanager
def serving(
    streams: Streams, verifier: TokenVerifier | None = None, **limits: float
) -> Iterator[grpc.Channel]:
    """A channel to a server of these streams."""
    verifier = verifier or TokenVerifier(TokenIssuer(KEY, 60, SystemClock()).keys, SystemClock())
    settings = Settings(limit=LimitSettings(**limits))  # type: ignore[arg-type]
    hosted = HostedService(SERVICE, add_streams, streams, LIMITS)
    server, port = create_server([hosted], settings, Telemetry(), guard=Guard(verifier))
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield channel
    server.stop(0)


def opened(channel: grpc.Channel, method: str, player: str = "", seconds: int = 60) -> Any:
    """A stream, by the bearer of a token that is good for so long."""
    metadata = []
    if player:
        token = TokenIssuer(KEY, seconds, SystemClock()).issue(Principal(player, player)).token
        metadata = [("authorization", f"Bearer {token}")]
    call: Any = channel.unary_stream(f"/{SERVICE}/{method}")
    return call(b"", metadata=metadata, timeout=60)


def ending(stream: Any) -> tuple[grpc.StatusCode, str]:
    """How it ends, once it was read to its end."""
    with pytest.raises(grpc.RpcError) as ended:
        list(stream)
    return ended.value.code(), ended.value.details() or ""


def test_a_watcher_that_does_not_read_is_dropped() -> None:
    """The server keeps nothing for it; it learns why when it reads on."""
    streams = Streams()
    with serving(streams, write_seconds=0.3) as channel:
        slow = opened(channel, "Large")
        assert next(slow) == LARGE
        wait_until(lambda: streams.open == 0)
        code, why = ending(slow)
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert "the stream was not read for 0.3 s" in why


def test_an_end_while_the_first_message_is_sent_is_told() -> None:
    """Callers learn it at once, however early it comes: gRPC has not always finished sending what they have read already."""
    verifier = TokenVerifier(TokenIssuer(KEY, 60, SystemClock()).keys, SystemClock())
    with serving(Streams(), verifier) as channel:
        for number in range(150):
            player = f"player {number}"
            streams = [opened(channel, "Mine", player) for _ in range(3)]
            assert [next(each) for each in streams] == [b"hello"] * 3
            now_ms = SystemClock().now_ms() + 1
            verifier.revocations.refuse_before(player, now_ms, now_ms + 60_000)
            assert [ending(each) for each in streams] == [(grpc.StatusCode.UNAUTHENTICATED, REVOKED)] * 3


def test_a_stream_ends_with_its_token() -> None:
    """UNAUTHENTICATED, and a sentence that says what to do."""
    with serving(Streams()) as channel:
        stream = opened(channel, "Mine", "ann", seconds=5)
        assert next(stream) == b"hello"
        assert ending(stream) == (
            grpc.StatusCode.UNAUTHENTICATED,
            "the token has ended; sign in again",
        )


def test_quotas_of_players_and_of_strangers_are_apart() -> None:
    """One player's streams leave room for another's, and those of callers without a token for all players'."""
    quotas = {"player_watchers": 2, "anonymous_watchers": 3, "address_anonymous_watchers": 3}
    with serving(Streams(), None, **quotas) as channel:
        kept = [opened(channel, "Quiet") for _ in range(3)] + [
            opened(channel, "Mine", "ann") for _ in range(2)
        ]
        assert [next(stream) for stream in kept] == [b"hello"] * 5
        for refused in (opened(channel, "Quiet"), opened(channel, "Mine", "ann")):
            assert ending(refused)[0] is grpc.StatusCode.RESOURCE_EXHAUSTED
        other = opened(channel, "Mine", "bob")
        assert next(other) == b"hello"
        for stream in (*kept, other):
            stream.cancel()


def test_a_stop_ends_streams_at_once() -> None:
    """With a status that says to come again."""
    streams = Streams()
    verifier = TokenVerifier(TokenIssuer(KEY, 60, SystemClock()).keys, SystemClock())
    hosted = HostedService(SERVICE, add_streams, streams, LIMITS)
    server, port = create_server([hosted], Settings(), Telemetry(), guard=Guard(verifier))
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        stream = opened(channel, "Quiet")
        assert next(stream) == b"hello"
        server.stop(60)
        assert ending(stream)[0] is grpc.StatusCode.UNAVAILABLE


def test_a_stream_ends_when_the_sessions_of_its_player_are_ended() -> None:
    """One begun after that, and those of others, go on; the end of many at once raises nothing."""
    verifier = TokenVerifier(TokenIssuer(KEY, 60, SystemClock()).keys, SystemClock())
    with serving(Streams(), verifier) as channel:
        streams = [opened(channel, "Mine", "ann") for _ in range(3)]
        other = opened(channel, "Mine", "bob")
        assert [next(each) for each in (*streams, other)] == [b"hello"] * 4
        now_ms = SystemClock().now_ms() + 1
        for _ in range(3):
            verifier.revocations.refuse_before("ann", now_ms, now_ms + 60_000)
        for each in streams:
            assert ending(each) == (grpc.StatusCode.UNAUTHENTICATED, REVOKED)
        wait_until(lambda: SystemClock().now_ms() > now_ms)
        fresh = opened(channel, "Mine", "ann")
        assert next(fresh) == b"hello"
        verifier.revocations.refuse_until("bob", now_ms, now_ms + 60_000)
        assert ending(other) == (grpc.StatusCode.UNAUTHENTICATED, REVOKED)
        fresh.cancel()
