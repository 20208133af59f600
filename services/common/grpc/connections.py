"""Connections to the replicas of a service: as many as its calls need, with few calls on each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import grpc

from services.common.errors import Overloaded

# A server takes a hundred calls at the same time on one connection and refuses the next. It counts a call for a while after the
# caller has read the answer: under load as many again as the caller has open. So a caller has half as many.
CALLS_OF_CONNECTION = 50


class Connections:
    """Channels, each with connections of its own. Used on one event loop."""

    def __init__(
        self,
        connect: Callable[[], grpc.aio.Channel],
        calls_max: int = CALLS_OF_CONNECTION,
        channels_max: int | None = None,
        when_full: str = "",
    ) -> None:
        """`connect` makes a channel that shares no connection; `calls_max`: calls and streams of one channel at the same time.
        `channels_max`: None where the caller limits its calls, else `when_full` says why a call is refused."""
        self._connect = connect
        self._calls_max = calls_max
        self._channels_max = channels_max
        self._when_full = when_full
        self._calls: dict[grpc.aio.Channel, int] = {}

    @property
    def first(self) -> grpc.aio.Channel:
        """The channel that is taken first, made where there is none yet."""
        return next(iter(self._calls), None) or self._added()

    @property
    def calls(self) -> int:
        """How many calls and streams there are now."""
        return sum(self._calls.values())

    @contextmanager
    def taken(self) -> Iterator[grpc.aio.Channel]:
        """A channel with room for one call more, within the block. The first ones are filled first, so that the others become
        idle again. Raises `Overloaded`."""
        channel = next((each for each, calls in self._calls.items() if calls < self._calls_max), None)
        if channel is None:
            if len(self._calls) == self._channels_max:
                raise Overloaded(self._when_full)
            channel = self._added()
        self._calls[channel] += 1
        try:
            yield channel
        finally:
            self._calls[channel] -= 1

    def _added(self) -> grpc.aio.Channel:
        channel = self._connect()
        self._calls[channel] = 0
        return channel

    async def close(self) -> None:
        """End all calls."""
        for channel in self._calls:
            await channel.close()
