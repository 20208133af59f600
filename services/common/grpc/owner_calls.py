"""As `owner_channel`, for calls of an event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

import grpc
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2

from services.common.grpc.connections import Connections
from services.common.grpc.owners import (
    HEALTH_CHECK,
    PROBE_SECONDS,
    KnownReplica,
    Metadata,
    Owners,
    first_seconds,
    game_in,
)
from services.common.telemetry.logs import get_logger

Connect = Callable[[str], grpc.aio.Channel]


@dataclass(frozen=True, slots=True)
class Sent:
    """One call: the path of the method, the request, what reads an answer, and the seconds that it has."""

    path: str
    request: Message
    read: Callable[[bytes], Message]
    metadata: Metadata
    seconds: float | None


class Calls:
    """Calls to any replica of a service."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    @property
    def channel(self) -> grpc.aio.Channel:
        """Whose state shows whether the service is reached."""
        return self._connections.first

    async def answer(self, sent: Sent) -> Message:
        """The answer of a single call. Raises what gRPC raises."""
        return (await self._answered(sent))[0]

    async def answers(self, sent: Sent) -> AsyncGenerator[Message, None]:
        """The answers of a stream; it ends with the iteration. Raises what gRPC raises."""
        with self._connections.taken() as channel:
            async with aclosing(_stream(channel, sent)) as answers:
                async for answer in answers:
                    yield answer

    async def close(self) -> None:
        """End all calls."""
        await self._connections.close()

    async def _answered(self, sent: Sent) -> tuple[Message, Metadata]:
        with self._connections.taken() as channel:
            return await _answered(channel, sent)


class OwnerCalls(Calls):
    """Calls to a service whose replicas have some games each: those about one game go straight to its owner, where that is
    known, all others to any replica."""

    def __init__(self, any_replica: Connections, connect: Connect, service: str) -> None:
        """`connect` makes a channel to host:port. `service`: full name of one whose health shows that a replica serves."""
        super().__init__(any_replica)
        self.owners: Owners[grpc.aio.Channel] = Owners(self._begin_probe)
        self._connect = connect
        self._service = service
        self._log = get_logger("owners")
        self._probes: set[asyncio.Task[None]] = set()

    async def answer(self, sent: Sent) -> Message:
        """See `Calls`."""
        if not (game_id := game_in(sent.request)):
            return await super().answer(sent)
        sent = replace(sent, metadata=self.owners.asking(game_id, sent.metadata))
        began = time.monotonic()
        answered = await self._straight(game_id, sent)
        if answered is None:
            answered = await self._answered(_from(sent, began))
        self.owners.learn(game_id, answered[1])
        return answered[0]

    async def _straight(self, game_id: str, sent: Sent) -> tuple[Message, Metadata] | None:
        """The answer of the owner; None if any replica is to be asked."""
        begun = self.owners.begin(game_id)
        if begun is None:
            return None
        replica, channel = begun
        seconds = first_seconds(sent.path, sent.seconds)
        try:
            return await _answered(channel, replace(sent, seconds=seconds))
        except grpc.RpcError as error:
            if self.owners.missed(replica, sent.path, error, seconds):
                return None
            raise
        finally:
            self.owners.end(replica)

    async def answers(self, sent: Sent) -> AsyncGenerator[Message, None]:
        """See `Calls`. A stream that its owner did not begin is begun by any replica."""
        game_id = game_in(sent.request)
        begun = self.owners.begin(game_id, is_stream=True) if game_id else None
        began, has_begun = time.monotonic(), False
        if begun is not None:
            replica, channel = begun
            try:
                async with aclosing(_stream(channel, sent)) as answers:
                    async for answer in answers:
                        has_begun = True
                        yield answer
                return
            except grpc.RpcError as error:
                if not self.owners.lost(game_id, error) or has_begun:
                    raise
            finally:
                self.owners.end(replica)
        async with aclosing(super().answers(_from(sent, began))) as answers:
            async for answer in answers:
                yield answer

    async def close(self) -> None:
        """See `Calls`."""
        for task in self._probes:
            task.cancel()
        for channel in self.owners.close():
            await channel.close()
        await super().close()

    def _begin_probe(self, replica: KnownReplica[grpc.aio.Channel]) -> None:
        task = asyncio.get_running_loop().create_task(self._probe(replica))
        self._probes.add(task)
        task.add_done_callback(self._probes.discard)

    async def _probe(self, replica: KnownReplica[grpc.aio.Channel]) -> None:
        """See `Owners`: asks for its health, which needs no token."""
        request = health_pb2.HealthCheckRequest(service=self._service)
        try:
            replica.channel = self._connect(replica.address)
            check: Any = replica.channel.unary_unary(
                HEALTH_CHECK, _serialized, health_pb2.HealthCheckResponse.FromString
            )
            answer = await check(request, timeout=PROBE_SECONDS, wait_for_ready=True)
            is_serving = answer.status == health_pb2.HealthCheckResponse.SERVING
            reason = "not serving"
        except (grpc.RpcError, OSError, ValueError) as problem:
            # Also certificates that are missing for a moment.
            is_serving, reason = False, repr(problem)
        if not is_serving:
            self._log.info("owner of games is not called", address=replica.address, reason=reason)
        self.owners.probed(replica, is_serving)


def _from(sent: Sent, began: float) -> Sent:
    """The same call with what is left of its time."""
    if sent.seconds is None:
        return sent
    return replace(sent, seconds=max(0.0, began + sent.seconds - time.monotonic()))


async def _answered(channel: grpc.aio.Channel, sent: Sent) -> tuple[Message, Metadata]:
    ask: Any = channel.unary_unary(sent.path, _serialized, sent.read)
    call = ask(sent.request, timeout=sent.seconds, metadata=tuple(sent.metadata))
    answer: Message = await call
    return answer, tuple(await call.trailing_metadata() or ())


async def _stream(channel: grpc.aio.Channel, sent: Sent) -> AsyncGenerator[Message, None]:
    ask: Any = channel.unary_stream(sent.path, _serialized, sent.read)
    call = ask(sent.request, timeout=sent.seconds, metadata=tuple(sent.metadata))
    try:
        async for answer in call:
            yield answer
    finally:
        call.cancel()


def _serialized(message: Message) -> bytes:
    return message.SerializeToString()
