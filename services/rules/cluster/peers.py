"""Connections to the other replicas of rules: few of them, with so many calls on each at most."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

import grpc

from services.common.errors import Overloaded
from services.common.grpc.channel import OWN_CONNECTION, PINGS, RESOLVE_AGAIN
from services.common.grpc.connections import CALLS_OF_CONNECTION, Connections
from services.common.grpc.tls import PLAIN, TlsSettings, channel_files

Metadata = Sequence[tuple[str, str | bytes]]

CALLS_MAX = CALLS_OF_CONNECTION
STREAMS_OF_CONNECTION = CALLS_OF_CONNECTION
STREAM_CONNECTIONS_MAX = 20
# One that was not reached is asked last for so long.
AVOIDED_SECONDS = 5.0
AVOIDED_NEVER = float("-inf")


class Peer:
    """One other replica. Used on the event loop."""

    def __init__(self, address: str, tls: TlsSettings, answer_bytes_max: int) -> None:
        self.address = address
        self._tls = tls
        self._answer_bytes_max = answer_bytes_max
        self._calls = 0
        self._channel: grpc.aio.Channel | None = None
        most = STREAM_CONNECTIONS_MAX * STREAMS_OF_CONNECTION
        self._streams = Connections(
            self._connected,
            STREAMS_OF_CONNECTION,
            STREAM_CONNECTIONS_MAX,
            f"{most} watchers of games on the replica that has this game; try again",
        )
        self._failed_at = AVOIDED_NEVER

    @property
    def is_avoided(self) -> bool:
        """Whether it was not reached a moment ago."""
        return time.monotonic() - self._failed_at < AVOIDED_SECONDS

    def note(self, is_reached: bool) -> None:
        """It was reached just now, or was not."""
        self._failed_at = AVOIDED_NEVER if is_reached else time.monotonic()

    async def call(self, method: str, message: bytes, metadata: Metadata, seconds: float) -> bytes:
        """The answer to a single call. Raises `Overloaded` and what gRPC raises."""
        if self._calls >= CALLS_MAX:
            raise Overloaded(f"{CALLS_MAX} calls wait for the replica that has this game; try again")
        self._calls += 1
        try:
            if self._channel is None:
                self._channel = self._connected()
            ask: Any = self._channel.unary_unary(method)
            answer: bytes = await ask(message, timeout=seconds, metadata=tuple(metadata))
            return answer
        finally:
            self._calls -= 1

    async def stream(
        self, method: str, message: bytes, metadata: Metadata, seconds: float
    ) -> AsyncIterator[bytes]:
        """The answers of a stream. Raises `Overloaded` and what gRPC raises."""
        with self._streams.taken() as channel:
            ask: Any = channel.unary_stream(method)
            call = ask(message, timeout=seconds, metadata=tuple(metadata))
            try:
                async for answer in call:
                    yield answer
            finally:
                call.cancel()

    async def close(self) -> None:
        """End all calls to it."""
        await self._streams.close()
        if self._channel is not None:
            await self._channel.close()

    def _connected(self) -> grpc.aio.Channel:
        options: list[tuple[str, Any]] = [
            ("grpc.max_receive_message_length", self._answer_bytes_max),
            ("grpc.enable_retries", 0),
            *PINGS,
            *OWN_CONNECTION,
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 2_000),
            RESOLVE_AGAIN,
        ]
        if not self._tls.is_called:
            return grpc.aio.insecure_channel(self.address, options=options)
        return grpc.aio.secure_channel(self.address, channel_files(self._tls).read(), options=options)


class Peers:
    """All other replicas by address. Used on the event loop."""

    def __init__(self, tls: TlsSettings = PLAIN, answer_bytes_max: int = 4 * 1024 * 1024) -> None:
        self._tls = tls
        self._answer_bytes_max = answer_bytes_max
        self._peers: dict[str, Peer] = {}

    def at(self, address: str) -> Peer:
        """The replica at host:port."""
        if address not in self._peers:
            self._peers[address] = Peer(address, self._tls, self._answer_bytes_max)
        return self._peers[address]

    async def close(self) -> None:
        """End all calls to all of them."""
        peers, self._peers = list(self._peers.values()), {}
        for peer in peers:
            await peer.close()
