"""What the HTTP server takes at the same time and how long it waits for its clients."""

from __future__ import annotations

import msgspec

from services.common.errors import Overloaded
from services.common.grpc.in_flight import FROM_ADDRESS, Lease, Limited


class HttpLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of one process. An address is that of the connection, or whom a trusted proxy speaks for."""

    body_bytes: int = 1_048_576
    requests: int = 64
    """Requests at the same time."""
    address_requests: int = 16
    """Those of one address among them."""
    connections: int = 512
    """Connections at the same time, whether requests come over them or not."""
    address_connections: int = 64
    """Those of one address among them; a trusted proxy may have all."""
    header_seconds: float = 10.0
    """Until the headers of the first or the next request are complete."""
    body_seconds: float = 10.0
    """Until the body is complete."""
    write_seconds: float = 20.0
    """For a client that does not read its answer."""
    search_seconds: float = 60.0
    """Longest search; the answer is then the best found."""
    threads: int = 4
    """For reading and writing problems and for drawing, all of which is done outside the event loop."""


class InFlight:
    """The requests or the connections that are there now. Used on one event loop only."""

    def __init__(self, what: str, most: int, address_most: int) -> None:
        """`what`: the plural, for messages."""
        self._limited = Limited(what, most, address_most, FROM_ADDRESS)

    def enter(self, address: str, has_share: bool = True) -> Lease | None:
        """One more, until the lease is released; None if there is no room. Without `has_share` one address may have all."""
        try:
            return self._limited.take(address, has_share=has_share)
        except Overloaded:
            return None
