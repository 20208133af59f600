"""One service as a process of its own: port, health, reflection, metrics, and a clean end on SIGTERM."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from services.common.grpc.exposure import check_exposure
from services.common.grpc.server import Guard, HostedService, SignalboxServer, create_server
from services.common.process.exit_on_timeout import exit_on_timeout
from services.common.process.garbage import freeze_loaded_objects
from services.common.process.progress import Progress
from services.common.process.stopping import StopFlag, stop_signals
from services.common.settings.service import Settings
from services.common.telemetry.library_logs import bridge_logs
from services.common.telemetry.logs import Telemetry, configure_logging, get_logger, start_metrics_server
from services.common.telemetry.stack_dumps import enable_stack_dumps
from services.common.telemetry.tracing import configure_tracing, ending
from services.host.cluster.observed import show_disk, show_ends, show_readiness
from services.host.watchdog import Watchdog

LOOK_EVERY_SECONDS = 0.05
# After the grace period of running calls; a process that has not ended by then hangs.
SECONDS_TO_CLOSE = 15.0
SECONDS_TO_LISTEN = 20.0


class ServiceRunner(Protocol):
    """The service of a process, constructed but not started."""

    @property
    def hosted(self) -> HostedService:
        """The service for a server."""

    @property
    def also_hosted(self) -> Sequence[HostedService]:
        """Services beside it on the same server."""

    @property
    def guard(self) -> Guard:
        """Whose calls it takes."""

    @property
    def asks_for_token(self) -> bool:
        """Whether a call that shows or changes something of a player needs a token."""

    @property
    def has_files(self) -> bool:
        """Whether it keeps more than scratch files, which grow with what is played."""

    @property
    def is_ready(self) -> bool:
        """Whether calls are answered now; may change at any time, and is reported by health."""

    @property
    def progress(self) -> Progress | None:
        """Its progress; None while it is unknown."""

    def start(self, stop_event: StopFlag) -> None:
        """Start. May block, but not after `stop_event` is set. Raises `SignalboxError` for permanent errors."""

    def end_streams(self) -> None:
        """End streams without an end of their own, such as those of watchers."""

    def close(self) -> None:
        """Stop and release everything. Called once, also when `start` failed or was never called."""


Maker = Callable[[Settings, Telemetry], ServiceRunner]


@dataclass(frozen=True, slots=True)
class ServedAt:
    """Where a process answers, as host:port."""

    service: str
    metrics: str


class ServiceProcess:
    """A service with its server."""

    def __init__(self, name: str, settings: Settings, port: int, make: Maker) -> None:
        """Binds the addresses; nothing answers before `run`. Raises `AddressInUse`, `SettingsError`, `OSError` and what
        `make` does."""
        self._settings = settings
        self._log = get_logger(name)
        telemetry = Telemetry()
        self._show_ready = show_readiness(telemetry.registry)
        show_ends(telemetry.registry, os.environ)
        self._runner = make(settings, telemetry)
        if self._runner.has_files:
            show_disk(telemetry.registry, settings.database.parent)
        self._watchdog = Watchdog(lambda: self._runner.progress)
        try:
            check_exposure(name, settings, self._runner.asks_for_token)
            self._server, bound = self._listen(telemetry, port)
            self._stop_metrics, metrics_port = start_metrics_server(
                telemetry, settings.host, settings.metrics_port
            )
        except BaseException:
            self._runner.close()
            raise
        self.served_at = ServedAt(f"{settings.host}:{bound}", f"{settings.host}:{metrics_port}")

    def _listen(self, telemetry: Telemetry, port: int) -> tuple[SignalboxServer, int]:
        runner = self._runner
        settings = self._settings
        server, bound = create_server(
            [runner.hosted, *runner.also_hosted], settings, telemetry, port, runner.guard
        )
        if settings.health_port is not None:
            server.tell_health_at(f"{settings.host}:{settings.health_port}")
        return server, bound

    def run(self, stop_event: StopFlag, when_ready: Callable[[ServedAt], None]) -> None:
        """Serve until `stop_event` is set; `when_ready` is called once, when calls are answered for the first time."""
        began = time.monotonic()
        is_known = False
        try:
            # In one of hundreds of starts this call of gRPC never returns; the orchestrator starts another process.
            with exit_on_timeout("starting to listen", SECONDS_TO_LISTEN):
                self._server.start(is_ready=False)
            self._watchdog.start()
            self._runner.start(stop_event)
            is_serving = False
            while not stop_event.is_set():
                if (self._runner.is_ready and self._watchdog.is_healthy) is not is_serving:
                    is_serving = not is_serving
                    self._server.report_ready(is_serving)
                    self._show_ready(is_serving)
                    self._log.info(
                        "ready" if is_serving else "not ready",
                        address=self.served_at.service,
                        metrics=self.served_at.metrics,
                        seconds=round(time.monotonic() - began, 1),
                    )
                    if not is_known:
                        is_known = True
                        freeze_loaded_objects()
                        when_ready(self.served_at)
                time.sleep(LOOK_EVERY_SECONDS)
        finally:
            self._stop()

    def _stop(self) -> None:
        self._watchdog.stop()
        with exit_on_timeout("stopping", self._settings.stop_grace_seconds + SECONDS_TO_CLOSE):
            self._runner.end_streams()
            self._server.stop(self._settings.stop_grace_seconds)
            self._runner.close()
            self._stop_metrics()
        self._log.info("stopped")


def serve_until_stopped(
    name: str, settings: Settings, port: int, make: Maker, when_ready: Callable[[ServedAt], None]
) -> None:
    """Run one service until SIGINT or SIGTERM."""
    enable_stack_dumps()
    configure_logging(settings.log_level)
    bridge_logs()
    with ending(configure_tracing(f"signalbox-{name}", os.environ)), stop_signals() as stop_event:
        ServiceProcess(name, settings, port, make).run(stop_event, when_ready)
