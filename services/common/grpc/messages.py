"""The messages of a call, each received and sent within a time: a caller that stops half way holds nothing for long."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias

import grpc

from services.common.errors import DeadlineExceeded, Overloaded, TooLarge, Unavailable
from services.common.watching.waking import Waker

RpcContext: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"


class Messages:
    """Receives and sends for all calls of one server."""

    def __init__(self, receive_seconds: float, write_seconds: float) -> None:
        self._receive_seconds = receive_seconds
        self._write_seconds = write_seconds
        self._turns = Waker()
        self.is_stopping = False
        self._awaited: set[asyncio.Timeout] = set()

    def stop(self) -> None:
        """Wait for no message any more, and end what lasts until the stop."""
        self.is_stopping = True
        for each in self._awaited:
            each.reschedule(asyncio.get_running_loop().time())

    @contextmanager
    def until_stop(self, limit: asyncio.Timeout) -> Iterator[None]:
        """Within the block a stop lets the limit expire."""
        self._awaited.add(limit)
        try:
            if self.is_stopping:
                limit.reschedule(asyncio.get_running_loop().time())
            yield
        finally:
            self._awaited.discard(limit)

    async def pause(self, seconds: float) -> None:
        """Wait, but not beyond a stop."""
        limit = asyncio.timeout(seconds)
        with suppress(TimeoutError):
            async with limit:
                with self.until_stop(limit):
                    await asyncio.get_running_loop().create_future()

    async def next(self, call: RpcContext, most: int) -> bytes | None:
        """The next message of a call, None if the caller sends no more.

        Raises `DeadlineExceeded` if it does not come in time, `TooLarge` if it has more than `most` bytes, `Unavailable` when
        the server stops."""
        limit = asyncio.timeout(self._receive_seconds)
        try:
            async with limit:
                with self.until_stop(limit):
                    message = await call.read()
        except TimeoutError:
            if self.is_stopping:
                raise Unavailable("the service stops; send the request again") from None
            raise DeadlineExceeded(f"the request did not arrive within {self._receive_seconds:g} s") from None
        if not isinstance(message, bytes):
            return None
        if len(message) > most:
            raise TooLarge(f"the request has {len(message)} bytes, more than the {most} that are taken")
        return message

    async def begin(self, call: RpcContext) -> None:
        """Before the first message of a stream. A call that ends while its beginning is being sent would get no status:
        gRPC sends a beginning with each until one is known to be sent, and refuses the second."""
        sending = asyncio.ensure_future(call.send_initial_metadata(()))
        try:
            await asyncio.shield(sending)
        except asyncio.CancelledError:
            with suppress(Exception):
                await sending
            raise

    async def send(self, call: RpcContext, message: bytes) -> None:
        """Send a message of a stream. However many streams have something to send, calls get their turn in between. Raises
        `Overloaded` if the caller does not read."""
        await self._turns.turn()
        try:
            async with asyncio.timeout(self._write_seconds):
                await call.write(message)
        except TimeoutError:
            raise Overloaded(
                f"the stream was not read for {self._write_seconds:g} s; open it again after the last message"
            ) from None
