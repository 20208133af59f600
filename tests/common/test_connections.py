"""Many calls at the same time: each connection has few of them, so that none waits for streams that last."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager

import grpc
import pytest
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from services.common.grpc.channel import asynchronous_channel
from services.common.grpc.connections import Connections
from services.common.grpc.owner_calls import Calls, Sent
from services.common.grpc.owners import HEALTH_CHECK

SERVICE = "signalbox.test.v1.Service"
WATCH = "/grpc.health.v1.Health/Watch"
SECONDS = 20.0
# What a server takes on one connection by default.
CONNECTION_STREAMS = 100
STREAMS = 120


@asynccontextmanager
async def serving() -> AsyncIterator[str]:
    """The address of a server with health, whose `Watch` lasts."""
    server = grpc.aio.server(options=[("grpc.max_concurrent_streams", CONNECTION_STREAMS)])
    servicer = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    await servicer.set(SERVICE, health_pb2.HealthCheckResponse.SERVING)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(None)


async def _answered_beside_streams() -> None:
    request, read = health_pb2.HealthCheckRequest(service=SERVICE), health_pb2.HealthCheckResponse.FromString
    async with serving() as address:
        calls = Calls(Connections(lambda: asynchronous_channel([address], [SERVICE])))
        streams = [calls.answers(Sent(WATCH, request, read, (), SECONDS)) for _ in range(STREAMS)]
        try:
            async with asyncio.timeout(SECONDS):
                await asyncio.gather(*(anext(each) for each in streams))
                await calls.answer(Sent(HEALTH_CHECK, request, read, (), SECONDS))
        finally:
            for each in streams:
                await each.aclose()
            await calls.close()


@pytest.mark.integration
def test_streams_that_last_leave_room_for_calls() -> None:
    """However many there are."""
    asyncio.run(_answered_beside_streams())


async def _few_on_each() -> None:
    made: list[grpc.aio.Channel] = []

    def connect() -> grpc.aio.Channel:
        made.append(grpc.aio.insecure_channel("127.0.0.1:1"))
        return made[-1]

    connections = Connections(connect, calls_max=2)
    with ExitStack() as taken:
        found = [taken.enter_context(connections.taken()) for _ in range(5)]
    assert found == [made[0], made[0], made[1], made[1], made[2]]
    with connections.taken() as again:
        assert again is connections.first is made[0]
    assert len(made) == 3
    await connections.close()


def test_a_connection_has_few_calls() -> None:
    """The next is opened when all are full; those that were opened are used again."""
    asyncio.run(_few_on_each())
