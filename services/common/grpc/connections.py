"""Connections to the replicas of a service: as many as its calls need, with few calls on each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import grpc

# A server takes a hundred calls at the same time on one connection and refuses the next. It counts a call for a while after the
# caller has read the answer: under load as many again as the caller has open. So a caller has half as many.
CALLS_OF_CONNECTION = 50


class Connections:
    """Channels, each with connections of its own. Used on one event loop. Who calls limits how many calls there are."""

    def __init__(self, connect: Callable[[], grpc.aio.Channel], calls_max: int = CALLS_OF_CONNECTION) -> None:
        """`connect` makes a channel that shares no connection; `calls_max`: calls and streams of one channel at the same time."""
        self._connect = connect
        self._calls_max = calls_max
        self.first = connect()
        """The channel that is always there."""
        self._calls = {self.first: 0}

    @contextmanager
    def taken(self) -> Iterator[grpc.aio.Channel]:
        """A channel with room for one call more, within the block. The first ones are filled first, so that the others become
        idle again."""
        channel = next((each for each, calls in self._calls.items() if calls < self._calls_max), None)
        if channel is None:
            channel = self._connect()
            self._calls[channel] = 0
        self._calls[channel] += 1
        try:
            yield channel
        finally:
            self._calls[channel] -= 1

    async def close(self) -> None:
        """End all calls."""
        for channel in self._calls:
            await channel.close()
