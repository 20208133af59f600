"""Rate limits of calls: of a player by the verified token, of an address by the connection."""

from __future__ import annotations

import ipaddress
import math
from collections.abc import Iterable
from urllib.parse import unquote

import grpc

from services.common.auth.tokens import ANYBODY, METADATA_KEY, Principal, TokenVerifier
from services.common.errors import Overloaded, Unauthenticated
from services.common.grpc.interceptor import CheckInterceptor
from services.common.grpc.rate_limit import Allowance, RateLimit
from services.common.grpc.rate_settings import Network, RateSettings

FORWARDED_KEY = "x-forwarded-for"
PUSHBACK_KEY = "grpc-retry-pushback-ms"
# An owner of one IPv6 address has a whole network of them.
IPV6_BITS = 64


class RateLimitInterceptor(CheckInterceptor):
    """Ends calls of `service` that come too often; our own services and operators are not counted."""

    def __init__(
        self, service: str, settings: RateSettings, limit: RateLimit, verifier: TokenVerifier
    ) -> None:
        super().__init__(service, self._count)
        self._limit = limit
        self._verifier = verifier
        self._player = _allowance(settings.player_per_second, settings.player_burst)
        self._address = _allowance(settings.address_per_second, settings.address_burst)
        self._proxies = [ipaddress.ip_network(each) for each in settings.trusted_proxies]

    def _count(self, context: grpc.ServicerContext) -> None:
        """Raises `Overloaded`, with the time to wait in the trailing metadata."""
        caller = self._caller(context)
        if caller is not None and caller.kind != "player":
            return
        if self._address is not None:
            address = caller_address(context, self._proxies)
            self._take(context, f"address:{address}", self._address, f"calls from {address}")
        if caller is not None and self._player is not None:
            self._take(context, f"player:{caller.player_id}", self._player, "calls of this player")

    def _caller(self, context: grpc.ServicerContext) -> Principal | None:
        """Who calls, None for nobody that we know; what is wrong with a token is the service's to say."""
        if all(key.lower() != METADATA_KEY for key, _ in context.invocation_metadata()):
            return None
        try:
            return self._verifier.authenticate(context, ANYBODY)
        except Unauthenticated:
            return None

    def _take(self, context: grpc.ServicerContext, key: str, allowance: Allowance, what: str) -> None:
        wait = self._limit.take(key, allowance)
        if wait > 0:
            wait_ms = math.ceil(wait * 1000)
            context.set_trailing_metadata(((PUSHBACK_KEY, str(wait_ms)),))
            raise Overloaded(f"too many {what}: try again in {wait_ms} ms")


def caller_address(context: grpc.ServicerContext, proxies: Iterable[Network]) -> str:
    """The network address of who calls: the other end of the connection, or, as long as that is one of `proxies`, whom
    it says it speaks for. Of IPv6 the network only."""
    forwarded = [
        each.strip()
        for key, value in context.invocation_metadata()
        if key.lower() == FORWARDED_KEY
        for each in (value if isinstance(value, str) else value.decode("ascii", "replace")).split(",")
    ]
    address = _peer_address(context.peer())
    while forwarded and _is_in(address, proxies):
        address = forwarded.pop()
    return _network(address)


def _peer_address(peer: str) -> str:
    """Of `ipv4:10.0.0.1:5000` and `ipv6:%5B::1%5D:5000`; of other connections, such as `unix:`, all of it."""
    kind, _, rest = unquote(peer).partition(":")
    return rest.rpartition(":")[0].strip("[]") if kind in ("ipv4", "ipv6") else peer


def _is_in(address: str, networks: Iterable[Network]) -> bool:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in networks)


def _network(address: str) -> str:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network(f"{parsed.compressed.partition('%')[0]}/{IPV6_BITS}", strict=False))
    return str(parsed)


def _allowance(per_second: float, burst: int) -> Allowance | None:
    return Allowance(per_second, burst) if per_second > 0 else None
