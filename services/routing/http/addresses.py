"""By which address a client of the HTTP server is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.common.grpc.callers import FORWARDED_KEY, caller_address
from services.common.grpc.rate_settings import Network


def network_address(peer: str, headers: Mapping[str, str], proxies: Sequence[Network]) -> str:
    """The address at the other end of a connection, or whom a trusted proxy speaks for; of IPv6 the network only."""
    forwarded = [(key, value) for key, value in headers.items() if key.lower() == FORWARDED_KEY]
    return caller_address(f"ipv4:{peer}:0", forwarded, proxies)
