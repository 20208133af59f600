"""A gRPC server with health, reflection and limits around every call."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import grpc
import msgspec
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health import SERVICE_NAME as HEALTH_NAME
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc
from msgspec.structs import replace

from services.common.auth.tokens import TokenVerifier
from services.common.errors import SignalboxError
from services.common.grpc.admission import AdmissionPolicy
from services.common.grpc.answering import Handler, Method, MethodCollector
from services.common.grpc.callers import CallerReader
from services.common.grpc.calls import CallServer
from services.common.grpc.endings import Endings, MethodName
from services.common.grpc.fair_threads import FairThreads
from services.common.grpc.health import Health
from services.common.grpc.in_flight import CallsInFlight, Limited, WatchersInFlight
from services.common.grpc.loop import on_loop
from services.common.grpc.messages import Messages
from services.common.grpc.methods import BYTES_MAX, NO_LIMITS, MethodLimits
from services.common.grpc.rate_limit import RateLimit
from services.common.grpc.rates import CallRates
from services.common.grpc.refusals import PAUSED_MOST, REFUSALS, RefusalPace
from services.common.grpc.relay import Relay
from services.common.grpc.revoking import RevokedStreams
from services.common.grpc.tls import PLAIN, TlsSettings, server_credentials
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry

Adder: TypeAlias = Callable[[Any, Any], None]

REFLECTION = MethodLimits(watch=True)
# Of bits for algorithms only that of no compression: a compressed request ends UNIMPLEMENTED and is not unpacked.
NO_COMPRESSION = 1
HANDSHAKE_MS = 10_000
PING_EVERY_MS = 10_000
# By default gRPC ends a call that a busy server has not accepted within 30 s as CANCELLED, as if its caller had cancelled it. The
# call's own deadline should end it; few callers set one later than this.
UNACCEPTED_SECONDS = 300
UNLIMITED = 10**9
# Beyond those that wait for a password to be hashed: to refuse what the queue for that does not take.
SPARE_SLOW_THREADS = 8


class AddressInUse(SignalboxError):
    """The server cannot listen on its address; the message names it."""


class HostedService(msgspec.Struct, frozen=True):
    """A service to be served: its full name, what adds it to a server (generated), the servicer, what its methods take, and who
    answers their calls where not every replica can."""

    full_name: str
    add_to_server: Adder
    servicer: object
    limits: Mapping[str, MethodLimits] = {}
    relay: Relay | None = None

    def methods(self) -> Iterator[Method]:
        """Its methods."""
        collector = MethodCollector()
        self.add_to_server(self.servicer, collector)
        for service, handlers in collector.handlers.items():
            for name, handler in handlers.items():
                yield Method(MethodName(service, name), self.limits.get(name, NO_LIMITS), handler)


class Guard(msgspec.Struct, frozen=True):
    """Whose calls a server takes, beside the limits of its settings."""

    verifier: TokenVerifier | None = None
    """Verifies callers' tokens; without one nobody has a token, and callers are known by their address."""
    rate_limit: RateLimit | None = None
    """Counts calls where they are limited by time."""
    admission: AdmissionPolicy | None = None
    """In the place of callers' shares, for a service with a queue of its own."""


class SignalboxServer:
    """A server made by `create_server`. Used from any thread but the event loop's."""

    def __init__(
        self,
        server: grpc.aio.Server,
        calls: CallServer,
        health_calls: CallServer,
        health: Health,
        names: Sequence[str],
    ) -> None:
        self._servers = [server]
        self._calls = calls
        self._health_calls = health_calls
        self._health = health
        self._names = ("", *names)
        self.report_ready(False)

    def tell_health_at(self, address: str) -> int:
        """Answers for its health, and for nothing else, at `address` (host:port) as well, without encryption.

        Before `start`. Returns the port in use. Raises `AddressInUse`."""
        handlers = _health_handlers(self._health, self._health_calls)
        server, port = on_loop(_listening(self._health_calls, handlers, address, PLAIN, BYTES_MAX))
        self._servers.append(server)
        return port

    def start(self, is_ready: bool = True) -> None:
        """Begins to answer and reports every service, and the whole, as serving; unless it `is_ready` only later."""
        for server in self._servers:
            on_loop(server.start())
        if is_ready:
            self.report_ready()

    def report_ready(self, is_ready: bool = True) -> None:
        """Reports every service, and the whole, as serving, or not."""
        for name in self._names:
            self.set_serving(name, is_ready)

    def set_serving(self, full_name: str, is_serving: bool) -> None:
        """Sets the health of one service; the empty name is the whole server."""
        on_loop(self._set_serving(full_name, is_serving))

    async def _set_serving(self, full_name: str, is_serving: bool) -> None:
        self._health.set(full_name, is_serving)

    def stop(self, grace_seconds: float) -> None:
        """Reports not serving, takes no new calls, gives running ones `grace_seconds`, then ends them. Blocks."""
        on_loop(self._stop(grace_seconds))

    async def _stop(self, grace_seconds: float) -> None:
        self._health.end()
        for messages in (self._calls.messages, self._health_calls.messages):
            messages.stop()
        await asyncio.gather(*(server.stop(grace_seconds) for server in self._servers))
        for threads in (self._calls.threads, self._calls.slow_threads):
            threads.close()


def create_server(
    services: Sequence[HostedService],
    settings: Settings,
    telemetry: Telemetry,
    port: int = 0,
    guard: Guard = Guard(),  # noqa: B008  # frozen
    own_address: str = "",
) -> tuple[SignalboxServer, int]:
    """A server for `services` on `settings.host` and `port` (0: a free one), not yet started, and its port. It also answers at
    `own_address`, a socket for our own web server, without encryption.

    Raises `AddressInUse` if the address is taken, and `ValueError` if a method needs a token that nobody verifies.
    """
    relays = {each.full_name: each.relay for each in services if each.relay is not None}
    calls = _call_server(settings, Endings(telemetry), guard, relays)
    health = Health()
    names = [service.full_name for service in services]
    shown = reflection.aio.ReflectionServicer((*names, HEALTH_NAME, reflection.SERVICE_NAME))
    add_reflection: Adder = reflection_pb2_grpc.add_ServerReflectionServicer_to_server
    reflected = HostedService(
        reflection.SERVICE_NAME, add_reflection, shown, {"ServerReflectionInfo": REFLECTION}
    )
    health_calls = _call_server(_health_settings(settings), calls.endings, Guard())
    handlers = _health_handlers(health, health_calls)
    methods = [method for service in (*services, reflected) for method in service.methods()]
    for method in methods:
        if guard.verifier is None and method.limits.kinds:
            raise ValueError(f"{method.name} needs tokens, and there is no verifier")
        handlers[f"/{method.name}"] = calls.handler(method)
    # gRPC receives a message as a whole before we can measure it.
    largest = max(calls.message_bytes_max(method) for method in methods)
    server, bound = on_loop(
        _listening(calls, handlers, f"{settings.host}:{port}", settings.tls, largest, own_address)
    )
    return SignalboxServer(server, calls, health_calls, health, names), bound


def _call_server(
    settings: Settings, endings: Endings, guard: Guard, relays: Mapping[str, Relay] | None = None
) -> CallServer:
    limits, policy, verifier = settings.limit, guard.admission, guard.verifier
    callers = CallerReader(verifier, settings.rate.trusted_proxies)
    has_shares = policy is None
    threads = settings.worker_threads if policy is None else policy.threads
    return CallServer(
        settings=settings,
        endings=endings,
        callers=callers,
        rates=None if guard.rate_limit is None else CallRates(settings.rate, guard.rate_limit),
        policy=policy,
        calls=CallsInFlight(limits, has_shares),
        watchers=WatchersInFlight(limits),
        threads=FairThreads(threads, limits.caller_threads if has_shares else threads),
        slow_threads=FairThreads(settings.sign_in.hashing_queue + SPARE_SLOW_THREADS, limits.caller_threads),
        messages=Messages(limits.receive_seconds, limits.write_seconds),
        # A caller that a queue rejects needs to know at once.
        refusals=RefusalPace(
            settings.rate.refusals_per_second,
            REFUSALS if policy is None else REFUSALS - {grpc.StatusCode.RESOURCE_EXHAUSTED},
        ),
        paused=Limited("refused calls", PAUSED_MOST),
        revoked=RevokedStreams(callers, None if verifier is None else verifier.revocations),
        relays=relays or {},
    )


def _health_settings(settings: Settings) -> Settings:
    """Health has no limits but that of time for a message: nobody keeps a probe out."""
    limited = ("calls", "caller_calls", "address_calls", "bytes_in_flight", "caller_bytes", "address_bytes")
    unlimited = dict.fromkeys(limited, UNLIMITED)
    limit = replace(settings.limit, **unlimited)
    return replace(settings, default_stream_seconds=math.inf, worker_threads=1, limit=limit)


def _health_handlers(health: Health, calls: CallServer) -> dict[str, Handler]:
    add: Adder = health_pb2_grpc.add_HealthServicer_to_server
    methods = HostedService(HEALTH_NAME, add, health).methods()
    return {f"/{method.name}": calls.handler(method) for method in methods}


async def _no_such_method(_request: bytes, context: grpc.ServicerContext) -> bytes:
    context.abort(grpc.StatusCode.UNIMPLEMENTED, "there is no such method")


# Callers' own names for it are no labels of metrics.
NO_SUCH_METHOD = Method(
    MethodName("unknown", "unknown"), NO_LIMITS, grpc.unary_unary_rpc_method_handler(_no_such_method)
)


class _Methods(grpc.GenericRpcHandler):
    def __init__(self, handlers: Mapping[str, Handler], unknown: Handler) -> None:
        self._handlers = handlers
        self._unknown = unknown

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler:
        """The handler of a method; an unknown one passes the same checks as all others."""
        return self._handlers.get(handler_call_details.method, self._unknown)


async def _listening(
    calls: CallServer,
    handlers: Mapping[str, Handler],
    address: str,
    tls: TlsSettings,
    message_bytes_max: int,
    own_address: str = "",
) -> tuple[grpc.aio.Server, int]:
    settings = calls.settings
    server = grpc.aio.server(
        handlers=(_Methods(handlers, calls.handler(NO_SUCH_METHOD)),),
        options=[
            ("grpc.max_receive_message_length", message_bytes_max),
            ("grpc.max_send_message_length", settings.message_bytes_max),
            ("grpc.compression_enabled_algorithms_bitset", NO_COMPRESSION),
            ("grpc.max_concurrent_streams", settings.limit.connection_streams),
            ("grpc.server_handshake_timeout_ms", HANDSHAKE_MS),
            ("grpc.http2.min_ping_interval_without_data_ms", PING_EVERY_MS),
            ("grpc.so_reuseport", 0),
            ("grpc.server_max_unrequested_time_in_server", UNACCEPTED_SECONDS),
            # Calls that run have all the time they want: gRPC's grace has no end unless one is set.
            ("grpc.max_connection_age_ms", int(settings.connection_age_seconds * 1000)),
        ],
    )
    try:
        port = _add_port(server, address, tls)
        if own_address:
            server.add_insecure_port(own_address)
    except RuntimeError as error:
        raise AddressInUse(f"cannot listen on {address}: {error}") from error
    if port == 0:
        raise AddressInUse(f"cannot listen on {address}")
    return server, port


def _add_port(server: grpc.aio.Server, address: str, tls: TlsSettings) -> int:
    if tls.is_served:
        return server.add_secure_port(address, server_credentials(tls))
    return server.add_insecure_port(address)
