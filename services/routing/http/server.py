"""Runs the HTTP server until it is stopped."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from aiohttp import web

from services.routing.http.api import RoutingHttp
from services.routing.http.connections import LimitedConnections

# How long what is still sent to a refused request is read, so that its answer arrives.
LINGER_SECONDS = 1.0
# For requests that are being worked on when the server is stopped.
STOP_SECONDS = 5.0


@asynccontextmanager
async def listening(api: RoutingHttp, host: str, port: int) -> AsyncIterator[int]:
    """The server at `host`, `port` (0 for a free one); gives the port. Raises `OSError` if the address cannot be used."""
    # A client that leaves cancels its request, and so its search.
    runner = web.AppRunner(
        api.application(),
        handler_cancellation=True,
        keepalive_timeout=api.limits.header_seconds,
        lingering_time=LINGER_SECONDS,
        auto_decompress=False,
        access_log=None,
        shutdown_timeout=STOP_SECONDS,
    )
    await runner.setup()
    try:
        connections = LimitedConnections(_factory(runner), api.limits, api.proxies, api.metrics)
        server = await asyncio.get_running_loop().create_server(connections, host, port)
        try:
            yield int(server.sockets[0].getsockname()[1])
        finally:
            server.close()
    finally:
        await runner.cleanup()


def _factory(runner: web.AppRunner) -> Callable[[], asyncio.Protocol]:
    server = runner.server
    if server is None:
        raise AssertionError("the runner was not set up")
    return server


def serve(api: RoutingHttp, host: str, port: int, when_listening: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; `when_listening` gets the address. Raises `OSError` if it cannot be used."""

    async def run() -> None:
        stop = asyncio.Event()
        for each in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(each, stop.set)
        async with listening(api, host, port) as bound:
            when_listening(f"http://{host}:{bound}")
            await stop.wait()

    asyncio.run(run())
