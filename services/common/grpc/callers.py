"""Who makes a call, as far as its metadata and its connection show: known before any of its message is read."""

from __future__ import annotations

import ipaddress
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

from services.common.auth.tokens import Principal, TokenVerifier
from services.common.errors import Unauthenticated
from services.common.grpc.rate_settings import Network

# Of connections over a socket in the file system. Ours are in a folder that nobody else may enter.
OWN_SOCKET = "unix:"
FORWARDED_KEY = "x-forwarded-for"
# An owner of one IPv6 address has a whole network of them.
IPV6_BITS = 64
# A flood must not pay for reading the same address again and again.
ADDRESSES_KEPT = 4_096

CallMetadata = Sequence[tuple[str, str | bytes]]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: `address` of the network, and the bearer of a good token with the end of that token; else the `fault` of the
    token. `is_forwarded`: a proxy speaks for it, over a connection that others use too."""

    address: str
    principal: Principal | None = None
    token_end_ms: int = 0
    fault: Unauthenticated | None = None
    is_forwarded: bool = False

    @property
    def key(self) -> str:
        """Under which its use of the server is counted."""
        return f"address {self.address}" if self.principal is None else f"player {self.principal.player_id}"

    @property
    def is_ours(self) -> bool:
        """Whether it is a service or an operator, not a player and not a stranger."""
        return self.principal is not None and self.principal.kind != "player"

    def proven(self) -> Principal:
        """The bearer of the token. Raises `Unauthenticated`."""
        if self.principal is None:
            raise self.fault or Unauthenticated("the caller is not known")
        return self.principal


NOBODY = Caller("unknown")


class CallerReader:
    """Reads who calls."""

    def __init__(self, verifier: TokenVerifier | None, proxies: Iterable[str]) -> None:
        """Without a `verifier` everybody is known by the address. `proxies`: see `RateSettings.trusted_proxies`."""
        self._verifier = verifier
        self._proxies = [ipaddress.ip_network(each) for each in proxies]

    def caller(self, metadata: CallMetadata, peer: str) -> Caller:
        """Who calls."""
        address = caller_address(peer, metadata, self._proxies)
        is_forwarded = address != _network(_peer_address(peer))
        if self._verifier is None:
            return Caller(address, is_forwarded=is_forwarded)
        try:
            bearer = self._verifier.bearer(metadata)
        except Unauthenticated as fault:
            return Caller(address, fault=fault, is_forwarded=is_forwarded)
        return Caller(address, bearer.principal, bearer.end_ms, is_forwarded=is_forwarded)

    def fault(self, caller: Caller, metadata: CallMetadata) -> Unauthenticated | None:
        """What is wrong by now with the token with which a call began; None for one that began without a good token."""
        if self._verifier is None or caller.principal is None:
            return None
        try:
            self._verifier.bearer(metadata)
        except Unauthenticated as fault:
            return fault
        return None

    def token_seconds_left(self, caller: Caller) -> float:
        """Until the caller's token ends; for ever where there is none."""
        if self._verifier is None or caller.principal is None:
            return math.inf
        return self._verifier.seconds_left(caller.token_end_ms)


def caller_address(peer: str, metadata: CallMetadata, proxies: Iterable[Network]) -> str:
    """The network address of who calls: the other end of the connection, or, as long as that is one of `proxies` or our own
    web server, whom it says it speaks for. Of IPv6 the network only."""
    forwarded = [
        each.strip()
        for key, value in metadata
        if key.lower() == FORWARDED_KEY
        for each in (value if isinstance(value, str) else value.decode("ascii", "replace")).split(",")
    ]
    address = _peer_address(peer)
    if forwarded and peer.startswith(OWN_SOCKET):
        address = forwarded.pop()
    while forwarded and is_in(address, proxies):
        address = forwarded.pop()
    return _network(address)


@lru_cache(ADDRESSES_KEPT)
def _peer_address(peer: str) -> str:
    """Of `ipv4:10.0.0.1:5000` and `ipv6:%5B::1%5D:5000`; of other connections, such as `unix:`, all of it."""
    kind, _, rest = unquote(peer).partition(":")
    return rest.rpartition(":")[0].strip("[]") if kind in ("ipv4", "ipv6") else peer


def is_in(address: str, networks: Iterable[Network]) -> bool:
    """Whether the address belongs to one of the networks."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in networks)


@lru_cache(ADDRESSES_KEPT)
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
