"""A routing server of its own: as many of them as wanted, anywhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from services.common.grpc_server import create_server
from services.common.settings import Settings
from services.common.stopping import StopFlag, stop_signals
from services.common.telemetry import Telemetry, configure_logging, get_logger, start_metrics_server
from services.routing.bootstrap import RoutingService


@dataclass(frozen=True, slots=True)
class RoutingAddresses:
    """Where a routing server answers, as host:port."""

    routing: str
    metrics: str


class RoutingServer:
    """The routing service with its port, health, reflection and metrics."""

    def __init__(self, settings: Settings) -> None:
        """Takes the addresses; nothing answers before `start`. Raises `AddressInUse` or `OSError`."""
        self._settings = settings
        self._log = get_logger("routing")
        telemetry = Telemetry()
        self._service = RoutingService(settings, telemetry.registry)
        self._server, port = create_server(
            [self._service.hosted],
            settings,
            telemetry,
            settings.routing_port,
            door=self._service.door,
        )
        self._stop_metrics, metrics_port = start_metrics_server(
            telemetry, settings.host, settings.metrics_port
        )
        self.addresses = RoutingAddresses(f"{settings.host}:{port}", f"{settings.host}:{metrics_port}")

    def start(self) -> None:
        """Begin to answer; not serving by its own account before `wait_ready`."""
        self._server.start(is_ready=False)
        self._service.start()

    def wait_ready(self, is_unwanted: StopFlag) -> bool:
        """Block until the workers are warmed up, then report it; False when it `is_unwanted` before."""
        if not self._service.wait_ready(is_unwanted=is_unwanted):
            return False
        self._server.report_ready()
        self._log.info("ready", routing=self.addresses.routing, metrics=self.addresses.metrics)
        return True

    def stop(self) -> None:
        """Report not serving, let running calls end, then end the workers."""
        self._server.stop(self._settings.stop_grace_seconds)
        self._service.close()
        self._stop_metrics()
        self._log.info("stopped")


def serve_until_stopped(settings: Settings, when_ready: Callable[[RoutingAddresses], None]) -> None:
    """Run a routing server until SIGINT or SIGTERM."""
    configure_logging(settings.log_level)
    server = RoutingServer(settings)
    with stop_signals() as told_to_stop:
        try:
            server.start()
            if server.wait_ready(told_to_stop):
                when_ready(server.addresses)
            told_to_stop.wait()
        finally:
            server.stop()
