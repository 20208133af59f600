"""Connections of the HTTP server: so many in all and from one address, and none that is never read from."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import cast

from services.common.grpc.callers import is_in
from services.common.grpc.in_flight import Lease
from services.common.grpc.rate_settings import Network
from services.routing.http.addresses import network_address
from services.routing.http.limits import HttpLimits, InFlight
from services.routing.http.metrics import HttpMetrics


class LimitedConnections:
    """Makes the protocol of each connection of a server."""

    def __init__(
        self,
        make: Callable[[], asyncio.Protocol],
        limits: HttpLimits,
        proxies: Sequence[Network],
        metrics: HttpMetrics,
    ) -> None:
        """`make`: the protocol that reads the requests of a connection."""
        self._make = make
        self._limits, self._proxies, self._metrics = limits, proxies, metrics
        self._open = InFlight("connections", limits.connections, limits.address_connections)

    def __call__(self) -> asyncio.Protocol:
        """The protocol of one connection."""
        return _Connection(self._make(), self, self._limits.write_seconds)

    def enter(self, peer: str) -> Lease | None:
        """One more connection, or None if there is no room for it."""
        lease = self._open.enter(network_address(peer, {}, ()), has_share=not is_in(peer, self._proxies))
        if lease is None:
            self._metrics.refused_connections.inc()
        else:
            self._metrics.connections.inc()
        return lease

    def leave(self, lease: Lease) -> None:
        """The connection has ended."""
        lease.release()
        self._metrics.connections.dec()


class _Connection(asyncio.Protocol):
    """Passes everything on to `inner`, unless there are too many connections or the client does not read."""

    def __init__(
        self, inner: asyncio.Protocol, all_of_them: LimitedConnections, write_seconds: float
    ) -> None:
        self._inner, self._all, self._write_seconds = inner, all_of_them, write_seconds
        self._lease: Lease | None = None
        self._transport: asyncio.Transport | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.Protocol`."""
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername") or ("unknown",)
        self._lease = self._all.enter(peer[0])
        if self._lease is None:
            self._transport.abort()
        else:
            self._inner.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        if self._lease is not None:
            self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        """See `asyncio.Protocol`."""
        return None if self._lease is None else self._inner.eof_received()

    def pause_writing(self) -> None:
        """See `asyncio.Protocol`: the client does not read as fast as it is written to."""
        self._inner.pause_writing()
        if self._transport is not None:
            loop = asyncio.get_running_loop()
            self._unread = loop.call_later(self._write_seconds, self._transport.abort)

    def resume_writing(self) -> None:
        """See `asyncio.Protocol`."""
        self._stop_timer()
        self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        self._stop_timer()
        if self._lease is not None:
            self._all.leave(self._lease)
            self._lease = None
            self._inner.connection_lost(exc)

    def _stop_timer(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
