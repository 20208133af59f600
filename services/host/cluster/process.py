"""One service as a process of its own: port, health, reflection, metrics, and a clean end on SIGTERM."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import grpc

from services.common.grpc.admission import Door
from services.common.grpc.server import HostedService, SignalboxServer, create_server
from services.common.process.hanging import ended_if_hung
from services.common.process.progress import Progress
from services.common.process.stopping import StopFlag, stop_signals
from services.common.settings.service import Settings
from services.common.telemetry.library_logs import bridge_logs
from services.common.telemetry.logs import Telemetry, configure_logging, get_logger, start_metrics_server
from services.common.telemetry.stack_dumps import enable_stack_dumps
from services.common.telemetry.tracing import configure_tracing, ending
from services.host.watchdog import Watchdog

LOOK_EVERY_SECONDS = 0.05
COLLECT_AFTER = (20_000, 20, 20)
# Beyond the time that running calls get: whoever is not gone by then has hung.
SECONDS_TO_CLOSE = 15.0
SECONDS_TO_LISTEN = 20.0


class Part(Protocol):
    """What a process serves, put together but not started."""

    @property
    def hosted(self) -> HostedService:
        """The service for a server."""

    @property
    def guards(self) -> Sequence[grpc.ServerInterceptor]:
        """What its calls pass first."""

    @property
    def door(self) -> Door | None:
        """What refuses its calls before they get a thread, if anything does."""

    @property
    def is_ready(self) -> bool:
        """Whether calls are answered now; may change at any time. Health tells it on."""

    @property
    def progress(self) -> Progress | None:
        """Whether its work moves on; None where nothing can be said about it yet."""

    def start(self, is_unwanted: StopFlag) -> None:
        """Begin to work. May block, but not beyond `is_unwanted`. Raises `SignalboxError` for what will not mend."""

    def end_streams(self) -> None:
        """Send away those who would stay for ever, such as watchers."""

    def close(self) -> None:
        """Stop working and let go of everything. Called once, also when `start` failed or was never called."""


Maker = Callable[[Settings, Telemetry], Part]


@dataclass(frozen=True, slots=True)
class ServedAt:
    """Where a process answers, as host:port."""

    service: str
    metrics: str


class ServiceProcess:
    """A part with its server."""

    def __init__(self, name: str, settings: Settings, port: int, make: Maker) -> None:
        """Takes the addresses; nothing answers before `run`. Raises `AddressInUse`, `OSError` and what `make` does."""
        self._settings = settings
        self._log = get_logger(name)
        telemetry = Telemetry()
        self._part = make(settings, telemetry)
        self._watchdog = Watchdog(lambda: self._part.progress)
        try:
            self._server, bound = self._listen(telemetry, port)
            self._stop_metrics, metrics_port = start_metrics_server(
                telemetry, settings.host, settings.metrics_port
            )
        except BaseException:
            self._part.close()
            raise
        self.served_at = ServedAt(f"{settings.host}:{bound}", f"{settings.host}:{metrics_port}")

    def _listen(self, telemetry: Telemetry, port: int) -> tuple[SignalboxServer, int]:
        part = self._part
        settings = self._settings
        server, bound = create_server([part.hosted], settings, telemetry, port, part.guards, part.door)
        if settings.health_port is not None:
            server.tell_health_at(f"{settings.host}:{settings.health_port}")
        return server, bound

    def run(self, told_to_stop: StopFlag, when_ready: Callable[[ServedAt], None]) -> None:
        """Serve until told to stop; `when_ready` is called once, when calls are answered for the first time."""
        began = time.monotonic()
        is_known = False
        try:
            # Seen once in hundreds of starts: gRPC does not come back from it. Whoever keeps processes starts another.
            with ended_if_hung("starting to listen", SECONDS_TO_LISTEN):
                self._server.start(is_ready=False)
            self._watchdog.start()
            self._part.start(told_to_stop)
            is_serving = False
            while not told_to_stop.is_set():
                if (self._part.is_ready and self._watchdog.is_healthy) is not is_serving:
                    is_serving = not is_serving
                    self._server.report_ready(is_serving)
                    self._log.info(
                        "ready" if is_serving else "not ready",
                        address=self.served_at.service,
                        metrics=self.served_at.metrics,
                        seconds=round(time.monotonic() - began, 1),
                    )
                    if not is_known:
                        is_known = True
                        _spare_the_collector()
                        when_ready(self.served_at)
                time.sleep(LOOK_EVERY_SECONDS)
        finally:
            self._stop()

    def _stop(self) -> None:
        self._watchdog.stop()
        with ended_if_hung("stopping", self._settings.stop_grace_seconds + SECONDS_TO_CLOSE):
            self._part.end_streams()
            self._server.stop(self._settings.stop_grace_seconds)
            self._part.close()
            self._stop_metrics()
        self._log.info("stopped")


def _spare_the_collector() -> None:
    """What a service has loaded by now stays: looking through it for garbage again and again took a twentieth of its time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


def serve_until_stopped(
    name: str, settings: Settings, port: int, make: Maker, when_ready: Callable[[ServedAt], None]
) -> None:
    """Run one service until SIGINT or SIGTERM."""
    enable_stack_dumps()
    configure_logging(settings.log_level)
    bridge_logs()
    with ending(configure_tracing(f"signalbox-{name}", os.environ)), stop_signals() as told_to_stop:
        ServiceProcess(name, settings, port, make).run(told_to_stop, when_ready)
