"""Connections of the web process: so many in all and from one address, and none that stays half open or is never read from."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from services.common.errors import Overloaded
from services.common.grpc.callers import is_in
from services.common.grpc.in_flight import FROM_ADDRESS, Lease, Limited
from services.common.settings.service import Settings
from services.common.settings.web import WebSettings
from services.web.limits import address_of, proxies_of

UNKNOWN = ("", 0)


class OpenConnections:
    """Those that are there now. Used on one event loop."""

    def __init__(self, settings: Settings) -> None:
        web = settings.web
        self._proxies = proxies_of(settings)
        self._limited = Limited("connections", web.connections, web.address_connections, FROM_ADDRESS)

    def enter(self, peer: str) -> Lease | None:
        """One more, until the lease is released; None if there is no room for it."""
        try:
            return self._limited.take(address_of(peer, {}, ()), has_share=not is_in(peer, self._proxies))
        except Overloaded:
            return None


def protocols(settings: Settings) -> Callable[..., asyncio.Protocol]:
    """Makes the protocol of each connection."""
    open_now = OpenConnections(settings)
    return lambda *given, **named: LimitedProtocol(settings.web, open_now, *given, **named)


class LimitedProtocol(H11Protocol):
    """HTTP/1.1 on one connection."""

    def __init__(self, web: WebSettings, open_now: OpenConnections, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._web = web
        self._open_now = open_now
        self._lease: Lease | None = None
        self._half_open: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See `asyncio.Protocol`."""
        peer = transport.get_extra_info("peername") or UNKNOWN
        self._lease = self._open_now.enter(str(peer[0]))
        if self._lease is None:
            transport.abort()
            return
        super().connection_made(transport)
        self._await_headers()

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        if self._lease is None:
            return
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()

    def eof_received(self) -> None:
        """See `asyncio.Protocol`."""
        if self._lease is not None:
            super().eof_received()

    def on_response_complete(self) -> None:
        """Called by the library: the next request may come."""
        self._await_headers()
        super().on_response_complete()
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()

    def pause_writing(self) -> None:
        """See `asyncio.Protocol`: the client does not read as fast as it is written to."""
        super().pause_writing()
        self._unread = self.loop.call_later(self._web.write_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """See `asyncio.Protocol`."""
        self._stop_unread()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        self._stop_waiting()
        self._stop_unread()
        if self._lease is not None:
            self._lease.release()
            self._lease = None
            super().connection_lost(exc)

    def _await_headers(self) -> None:
        self._stop_waiting()
        self._half_open = self.loop.call_later(self._web.header_seconds, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._half_open is not None:
            self._half_open.cancel()
            self._half_open = None

    def _stop_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
