"""A gRPC server with health, reflection, limits and an interceptor around every call."""

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import grpc
import msgspec
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from services.common.errors import SignalboxError
from services.common.grpc.admission import AdmissionInterceptor, AdmissionPolicy, CallThreads
from services.common.grpc.interceptor import CallInterceptor
from services.common.grpc.tls import PLAIN, TlsSettings, server_credentials
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry

Adder = Callable[[Any, grpc.Server], None]
HEALTH_THREADS = 4


class AddressInUse(SignalboxError):
    """The server cannot listen on its address; the message names it."""


class HostedService(msgspec.Struct, frozen=True):
    """A service to be served: its full name, what adds it to a server (generated), and the servicer."""

    full_name: str
    add_to_server: Adder
    servicer: object


class SignalboxServer:
    """A server made by `create_server`."""

    def __init__(
        self, server: grpc.Server, health_servicer: health.HealthServicer, names: Iterable[str]
    ) -> None:
        self._server = server
        self._health = health_servicer
        self._names = tuple(names)
        self._beside: list[grpc.Server] = []
        for name in ("", *self._names):
            self.set_serving(name, False)

    def tell_health_at(self, address: str) -> int:
        """Answers for its health, and for nothing else, at `address` (host:port) as well, without encryption.

        Before `start`. Returns the port in use. Raises `AddressInUse`."""
        beside = grpc.server(CallThreads(HEALTH_THREADS), options=[("grpc.so_reuseport", 0)])
        health_pb2_grpc.add_HealthServicer_to_server(self._health, beside)
        port = _listen(beside, address, PLAIN)
        self._beside.append(beside)
        return port

    def start(self, is_ready: bool = True) -> None:
        """Begins to answer and reports every service, and the whole, as serving; unless it `is_ready` only later."""
        for server in (self._server, *self._beside):
            server.start()
        if is_ready:
            self.report_ready()

    def report_ready(self, is_ready: bool = True) -> None:
        """Reports every service, and the whole, as serving, or not."""
        for name in ("", *self._names):
            self.set_serving(name, is_ready)

    def set_serving(self, full_name: str, is_serving: bool) -> None:
        """Sets the health of one service; the empty name is the whole server."""
        status = health_pb2.HealthCheckResponse
        self._health.set(full_name, status.SERVING if is_serving else status.NOT_SERVING)

    def stop(self, grace_seconds: float) -> None:
        """Reports not serving, takes no new calls, gives running ones `grace_seconds`, then ends them. Blocks."""
        self._health.enter_graceful_shutdown()
        for stopped in [server.stop(grace_seconds) for server in (self._server, *self._beside)]:
            stopped.wait()

    def wait(self) -> None:
        """Blocks until the server has stopped."""
        self._server.wait_for_termination()


class _Health(health.HealthServicer):  # type: ignore[misc]  # the library carries no types
    """Health whose watchers may leave at any moment.

    The library publishes a change under its lock and waits for the serving thread to send it, which for a watcher that
    leaves just then waits for the same lock: a deadlock. So a watcher is removed from the list by another
    thread.
    """

    def _on_close_callback(
        self, send_response_callback: Callable[..., object], service: str
    ) -> Callable[[], None]:
        take_off: Callable[[], None] = super()._on_close_callback(send_response_callback, service)
        return threading.Thread(target=take_off, name="health-watcher-left", daemon=True).start


def create_server(
    services: Sequence[HostedService],
    settings: Settings,
    telemetry: Telemetry,
    port: int = 0,
    interceptors: Sequence[grpc.ServerInterceptor] = (),
    admission: AdmissionPolicy | None = None,
) -> tuple[SignalboxServer, int]:
    """A server for `services` on `settings.host` and `port` (0: a free one), not yet started, and its port.

    `interceptors` run inside `CallInterceptor`. `admission`: rejects calls before they get one of its threads; without it there
    are the settings' threads, and calls wait for one. Raises `AddressInUse` if the address is taken.
    """
    threads = CallThreads(settings.worker_threads if admission is None else admission.threads)
    admitting = [] if admission is None else [AdmissionInterceptor(admission, threads, telemetry)]
    server = grpc.server(
        threads,
        interceptors=[*admitting, CallInterceptor(settings, telemetry), *interceptors],
        options=[
            ("grpc.max_receive_message_length", settings.message_bytes_max),
            ("grpc.max_send_message_length", settings.message_bytes_max),
            ("grpc.so_reuseport", 0),
            # Calls that run have all the time they want: gRPC's grace has no end unless one is set.
            ("grpc.max_connection_age_ms", int(settings.connection_age_seconds * 1000)),
        ],
    )
    health_servicer = _Health()
    health_pb2_grpc.add_HealthServicer_to_server(health_servicer, server)
    for service in services:
        service.add_to_server(service.servicer, server)
    names = [service.full_name for service in services]
    reflection.enable_server_reflection((*names, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
    return SignalboxServer(server, health_servicer, names), _listen(
        server, f"{settings.host}:{port}", settings.tls
    )


def _listen(server: grpc.Server, address: str, tls: TlsSettings) -> int:
    try:
        port = _add_port(server, address, tls)
    except RuntimeError as error:
        raise AddressInUse(f"cannot listen on {address}: {error}") from error
    if port == 0:
        raise AddressInUse(f"cannot listen on {address}")
    return port


def _add_port(server: grpc.Server, address: str, tls: TlsSettings) -> int:
    if tls.is_served:
        return server.add_secure_port(address, server_credentials(tls))
    return server.add_insecure_port(address)
