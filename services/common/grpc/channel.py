"""Channels that spread calls over the replicas of a service and repeat what one of them did not answer.

All of it is gRPC's own: round robin over the addresses that report themselves serving, and a retry policy. It serves
only services whose calls may be repeated.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping, Sequence
from typing import Any

import grpc

from services.common.grpc.callers import OWN_SOCKET
from services.common.grpc.renewed import RenewedChannel
from services.common.grpc.tls import PLAIN, TlsSettings, channel_files
from services.common.telemetry.tracing import traced

# gRPC allows no more than 5.
ATTEMPTS = 5
# CANCELLED by the other side is how a gRPC server sheds calls when thousands wait.
RETRYABLE = ("UNAVAILABLE", "RESOURCE_EXHAUSTED", "CANCELLED")
UNREACHED = ("UNAVAILABLE",)
Options = Sequence[tuple[str, Any]]
RECONNECTING: Options = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
)
# How soon a name may be asked for again. By default after half a minute, in which an upgrade replaces several replicas: callers
# would know none of the new ones.
RESOLVE_AGAIN = ("grpc.dns_min_time_between_resolutions_ms", 1_000)
OVERLOADED = ("RESOURCE_EXHAUSTED",)
# A process that hangs answers no ping: its streams end after these two. Servers take one ping in ten seconds.
PINGS: Options = (
    ("grpc.keepalive_time_ms", 15_000),
    ("grpc.keepalive_timeout_ms", 5_000),
)
# Otherwise all channels to one address share a connection.
OWN_CONNECTION: Options = (("grpc.use_local_subchannel_pool", 1),)


def single_channel(target: str, tls: TlsSettings = PLAIN, options: Options = ()) -> grpc.Channel:
    """A channel to one server, host:port, encrypted if `tls` says so; files that are replaced count for the next call."""
    if not tls.is_called:
        return traced(grpc.insecure_channel(target, options=options))
    files = channel_files(tls)

    def renew() -> grpc.Channel | None:
        credentials = files.replaced()
        return None if credentials is None else grpc.secure_channel(target, credentials, options=options)

    return traced(RenewedChannel(grpc.secure_channel(target, files.read(), options=options), renew))


def balanced_channel(addresses: Sequence[str], service: str, tls: TlsSettings = PLAIN) -> grpc.Channel:
    """A channel to all `addresses` (host:port) of `service` (its full name).

    A single name may resolve to replicas that come and go: gRPC asks for it again when a connection ends (at most once a
    second), which servers see to (`Settings.connection_age_seconds`). Of several, each is resolved now.
    Calls are repeated within their deadline, elsewhere if possible: after UNAVAILABLE, which is what the death of a replica
    is, and after RESOURCE_EXHAUSTED when its hint (`grpc-retry-pushback-ms`) has passed.
    Raises `OSError` if one of several names is unknown.
    """
    return single_channel(_target(addresses), tls, balancing(addresses, service_config(service), tls))


def asynchronous_channel(
    addresses: Sequence[str], services: Sequence[str], tls: TlsSettings = PLAIN
) -> grpc.aio.Channel:
    """As `balanced_channel`, for calls of an event loop to several services (their full names) of one process. Only what did
    not reach a server is repeated: a refusal goes to who asked, with its hint. Each has connections of its own. Certificates are
    read once."""
    configured = service_config(services[0], UNREACHED)
    policy = configured["methodConfig"][0]["retryPolicy"]
    configured["methodConfig"] = [{"name": [{"service": each} for each in services], "retryPolicy": policy}]
    options = [*balancing(addresses, configured, tls), *OWN_CONNECTION]
    if not tls.is_called or addresses[0].startswith(OWN_SOCKET):
        return grpc.aio.insecure_channel(_target(addresses), options=options)
    return grpc.aio.secure_channel(_target(addresses), channel_files(tls).read(), options=options)


def replica_channel(address: str, known_as: str, service: str, tls: TlsSettings = PLAIN) -> grpc.Channel:
    """A channel to one of the replicas of `service` (its full name) that are known by the name `known_as`: over TLS the one at
    `address` (host:port) has to prove that name. Only refusals with a hint are repeated."""
    repeats = {"methodConfig": service_config(service, OVERLOADED)["methodConfig"]}
    options = [("grpc.service_config", json.dumps(repeats)), *_to_replica(known_as, tls)]
    return single_channel(f"dns:///{address}", tls, options)


def asynchronous_replica_channel(address: str, known_as: str, tls: TlsSettings = PLAIN) -> grpc.aio.Channel:
    """As `replica_channel`, for calls of an event loop. Nothing is repeated. Certificates are read once."""
    options = [("grpc.enable_retries", 0), *_to_replica(known_as, tls)]
    if not tls.is_called:
        return grpc.aio.insecure_channel(f"dns:///{address}", options=options)
    return grpc.aio.secure_channel(f"dns:///{address}", channel_files(tls).read(), options=options)


def _to_replica(known_as: str, tls: TlsSettings) -> Options:
    return [*_proving(known_as, tls), *RECONNECTING, RESOLVE_AGAIN, *PINGS, *OWN_CONNECTION]


def balancing(addresses: Sequence[str], configured: Mapping[str, Any], tls: TlsSettings = PLAIN) -> Options:
    """Options of a channel to these replicas of a service with this service config."""
    return [
        *_names(addresses, tls),
        ("grpc.service_config", json.dumps(configured)),
        *RECONNECTING,
        RESOLVE_AGAIN,
    ]


def _target(addresses: Sequence[str]) -> str:
    if addresses[0].startswith(OWN_SOCKET):
        return addresses[0]
    if len(addresses) == 1:
        return f"dns:///{addresses[0]}"
    resolved = []
    for address in addresses:
        host, _, port = address.rpartition(":")
        found = socket.getaddrinfo(
            host.strip("[]"), int(port), family=socket.AF_INET, type=socket.SOCK_STREAM
        )
        resolved.append(f"{found[0][4][0]}:{port}")
    return f"ipv4:{','.join(resolved)}"


def _names(addresses: Sequence[str], tls: TlsSettings) -> list[tuple[str, str]]:
    """Of several replicas, each is asked for a certificate of the first one's name: they were resolved to bare numbers."""
    return [] if len(addresses) == 1 else _proving(name_in(addresses[0]), tls)


def _proving(name: str, tls: TlsSettings) -> list[tuple[str, str]]:
    return [("grpc.ssl_target_name_override", name)] if tls.is_called else []


def name_in(address: str) -> str:
    """The host in host:port."""
    return address.rpartition(":")[0].strip("[]")


def service_config(service: str, retryable: Sequence[str] = RETRYABLE) -> dict[str, Any]:
    """gRPC's service config for `service` (its full name), for clients in any language: round robin over what reports itself
    serving, and retries. A server's hint, trailing metadata `grpc-retry-pushback-ms`, replaces the backoff; a negative
    one ends the retries."""
    return {
        "loadBalancingConfig": [{"round_robin": {}}],
        "healthCheckConfig": {"serviceName": service},
        "methodConfig": [
            {
                "name": [{"service": service}],
                "retryPolicy": {
                    "maxAttempts": ATTEMPTS,
                    "initialBackoff": "0.05s",
                    "maxBackoff": "1s",
                    "backoffMultiplier": 2,
                    "retryableStatusCodes": list(retryable),
                },
            }
        ],
    }
