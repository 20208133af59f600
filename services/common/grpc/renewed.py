"""A channel whose certificates are replaced while it is in use: gRPC reads them once for each channel."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import grpc

LOOK_EVERY_SECONDS = 1.0

Connectivity = Callable[[grpc.ChannelConnectivity], None]


class RenewedChannel(grpc.Channel):
    """Calls use a channel that is replaced when needed; running calls stay on the one they began on.

    An earlier channel is released, not closed, since closing would end its calls: gRPC ends its connections when the last
    of them is over.
    """

    def __init__(
        self,
        first: grpc.Channel,
        renew: Callable[[], grpc.Channel | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`renew`: another channel, or None to keep this one. Asked by a call, at most once in `LOOK_EVERY_SECONDS`
        and by one thread at a time."""
        self._channel = first
        self._renew = renew
        self._clock = clock
        self._look_at = clock() + LOOK_EVERY_SECONDS
        self._looking = threading.Lock()

    def present(self) -> grpc.Channel:
        """The channel for the next call."""
        if self._clock() >= self._look_at and self._looking.acquire(blocking=False):
            try:
                self._look()
            finally:
                self._looking.release()
        return self._channel

    def _look(self) -> None:
        now = self._clock()
        # Another thread may have looked, or closed, meanwhile.
        if now >= self._look_at:
            self._look_at = now + LOOK_EVERY_SECONDS
            self._channel = self._renew() or self._channel

    def unary_unary(self, *arguments: Any, **named: Any) -> Any:
        """See `grpc.Channel`."""
        return _Rpc(lambda: self.present().unary_unary(*arguments, **named))

    def unary_stream(self, *arguments: Any, **named: Any) -> Any:
        """See `grpc.Channel`."""
        return _Rpc(lambda: self.present().unary_stream(*arguments, **named))

    def stream_unary(self, *arguments: Any, **named: Any) -> Any:
        """See `grpc.Channel`."""
        return _Rpc(lambda: self.present().stream_unary(*arguments, **named))

    def stream_stream(self, *arguments: Any, **named: Any) -> Any:
        """See `grpc.Channel`."""
        return _Rpc(lambda: self.present().stream_stream(*arguments, **named))

    def subscribe(self, callback: Connectivity, try_to_connect: bool = False) -> None:
        """See `grpc.Channel`; for the current channel only."""
        self._channel.subscribe(callback, try_to_connect)

    def unsubscribe(self, callback: Connectivity) -> None:
        """See `grpc.Channel`."""
        self._channel.unsubscribe(callback)

    def close(self) -> None:
        """Closes the present channel for good; calls that began on an earlier one end by themselves."""
        with self._looking:
            self._look_at = float("inf")
            self._channel.close()

    def __enter__(self) -> RenewedChannel:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()


class _Rpc:
    """One rpc of any kind, found on the present channel for every call."""

    def __init__(self, find: Callable[[], Any]) -> None:
        self._find = find

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._find()(*arguments, **named)

    def with_call(self, *arguments: Any, **named: Any) -> Any:
        """See `grpc.UnaryUnaryMultiCallable`."""
        return self._find().with_call(*arguments, **named)

    def future(self, *arguments: Any, **named: Any) -> Any:
        """See `grpc.UnaryUnaryMultiCallable`."""
        return self._find().future(*arguments, **named)
