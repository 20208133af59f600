"""An HTTP server in front of a routing service, and clients of it."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, TypeVar

import aiohttp
import grpc
from prometheus_client import CollectorRegistry

from services.routing.http.api import RoutingHttp
from services.routing.http.limits import HttpLimits
from services.routing.http.server import listening
from tests.conftest import REPOSITORY

EXAMPLE = (REPOSITORY / "docs" / "examples" / "routes" / "24-your-title.json").read_bytes()
SECONDS = 60.0

Result = TypeVar("Result")


class Answer(NamedTuple):
    """What came back."""

    status: int
    kind: str
    body: bytes
    headers: dict[str, str]


class Http:
    """A running HTTP server of this loop and a client of it."""

    def __init__(self, port: int, registry: CollectorRegistry, session: aiohttp.ClientSession) -> None:
        self.port = port
        self._registry = registry
        self._session = session

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """The answer to one request."""
        url = f"http://127.0.0.1:{self.port}{path}"
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        async with self._session.request(method, url, data=body, headers=named) as response:
            content = await response.read()
            return Answer(response.status, response.content_type, content, dict(response.headers))

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection, to write bytes to."""
        return await asyncio.open_connection("127.0.0.1", self.port)

    def metric(self, name: str, **labels: str) -> float:
        """The current value, 0 where nothing was counted."""
        return self._registry.get_sample_value(f"signalbox_routing_http_{name}", labels) or 0.0


@asynccontextmanager
async def http_serving(address: str, proxies: tuple[str, ...] = (), **limits: float) -> AsyncIterator[Http]:
    """A server in front of the service at `address`, with these `HttpLimits`."""
    registry = CollectorRegistry()
    api = RoutingHttp(
        grpc.insecure_channel(address),
        registry,
        HttpLimits(**limits),  # type: ignore[arg-type]
        [ipaddress.ip_network(each) for each in proxies],
    )
    async with listening(api, "127.0.0.1", 0) as port, aiohttp.ClientSession() as session:
        yield Http(port, registry, session)


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of the coroutine, which may take a minute."""

    async def limited() -> Result:
        async with asyncio.timeout(SECONDS):
            return await work

    return asyncio.run(limited())


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for it."""
    end = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < end, "it does not come to pass"
        await asyncio.sleep(0.01)


async def ended(reader: asyncio.StreamReader) -> bytes:
    """All that comes until the server closes the connection."""
    found = b""
    try:
        while part := await reader.read(65_536):
            found += part
    except ConnectionError:
        pass
    return found
