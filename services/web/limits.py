"""What one client may use of the web process at the same time."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from starlette.requests import Request

from services.common.errors import Overloaded
from services.common.grpc.callers import FORWARDED_KEY, caller_address
from services.common.grpc.in_flight import FROM_ADDRESS, Limited
from services.common.grpc.rate_settings import Network
from services.common.settings.service import Settings
from services.web.problems import of_http

BUSY_MS = 1_000
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


def proxies_of(settings: Settings) -> Sequence[Network]:
    """Whose word about the address of a client is taken."""
    return [ipaddress.ip_network(each) for each in settings.rate.trusted_proxies]


def address_of(peer: str, headers: Mapping[str, str], proxies: Sequence[Network]) -> str:
    """By which network address a client is known; of IPv6 the network only."""
    forwarded = [(key, value) for key, value in headers.items() if key.lower() == FORWARDED_KEY]
    kind = "ipv6" if ":" in peer else "ipv4"
    return caller_address(f"{kind}:[{peer}]:0" if kind == "ipv6" else f"{kind}:{peer}:0", forwarded, proxies)


class RequestLimits:
    """Requests and streams at the same time, and their bodies. Used on one event loop."""

    def __init__(self, settings: Settings) -> None:
        web = self._web = settings.web
        self._requests = Limited("requests", web.requests, web.address_requests, FROM_ADDRESS)
        self._streams = Limited("streams", web.streams, web.address_streams, FROM_ADDRESS)

    @contextmanager
    def entered(self, address: str, is_stream: bool) -> Iterator[None]:
        """One more request, or stream, within the block. Raises `ProblemError` if there is no room for it."""
        limited = self._streams if is_stream else self._requests
        try:
            lease = limited.take(address)
        except Overloaded as full:
            raise of_http(429, "too_many_requests", str(full), BUSY_MS) from full
        try:
            yield
        finally:
            lease.release()

    async def body(self, request: Request, wanted: str = JSON) -> bytes:
        """The body of a request. Raises `ProblemError` for one that is too large, comes too slowly or is something else."""
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != wanted:
            raise of_http(
                415, "unsupported_media_type", f"the body must be {wanted}, not {kind or 'without a type'}"
            )
        if request.headers.get("content-encoding", "identity") != "identity":
            raise of_http(415, "unsupported_media_type", "bodies are taken uncompressed only")
        try:
            async with asyncio.timeout(self._web.body_seconds):
                return await self._read(request.stream())
        except TimeoutError as error:
            detail = f"the body was not complete within {self._web.body_seconds:g} s"
            raise of_http(408, "request_timeout", detail) from error

    async def _read(self, pieces: AsyncIterator[bytes]) -> bytes:
        body = bytearray()
        async for piece in pieces:
            body += piece
            if len(body) > self._web.body_bytes:
                raise of_http(413, "body_too_large", f"more than {self._web.body_bytes} bytes")
        return bytes(body)


def caller_header(headers: Mapping[str, Any]) -> str:
    """The header Authorization. Raises `ProblemError` for what no metadata can hold."""
    given = str(headers.get("authorization", ""))
    if not (given.isascii() and (given.isprintable() or not given)):
        raise of_http(401, "unauthenticated", "the token is not printable ASCII")
    return given
