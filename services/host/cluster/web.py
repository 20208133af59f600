"""The web service as a process of the cluster host."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack

from msgspec.structs import replace

from services.common.grpc.exposure import check_exposure
from services.common.process.exit_on_timeout import exit_on_timeout
from services.common.process.stopping import stop_signals
from services.common.redis.settings import RedisSettings
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry, configure_logging, get_logger, start_metrics_server
from services.common.telemetry.stack_dumps import enable_stack_dumps
from services.common.telemetry.tracing import configure_tracing, ending
from services.host.cluster.process import SECONDS_TO_CLOSE
from services.host.cluster.rates import open_redis
from services.host.watchdog import Watchdog
from services.web.server import WebServer
from services.web.shared_sessions import SharedEndedSessions


def serve_web_until_stopped(
    settings: Settings, redis: RedisSettings | None, when_started: Callable[[str, str], None]
) -> None:
    """Run until SIGINT or SIGTERM; `when_started` gets the address of pages and API, and host:port of the metrics. `redis`: where
    all web processes find which sessions were signed out; without it each knows its own.

    Raises `SettingsError`, `RedisAccessDenied`, `WebAddressInUse`, `OSError`."""
    enable_stack_dumps()
    configure_logging(settings.log_level)
    check_exposure("web", settings)
    log = get_logger("web")
    with (
        ending(configure_tracing("signalbox-web", os.environ)),
        stop_signals() as stop_event,
        ExitStack() as closing,
    ):
        telemetry = Telemetry()
        shared = open_redis(redis, telemetry.registry, closing)
        ended = None if shared is None else SharedEndedSessions(shared)
        # Routing servers of a cluster ask for no token: they are for rules alone.
        server = WebServer(replace(settings, routing_addresses=()), telemetry, ended)
        stop_metrics, metrics_port = start_metrics_server(telemetry, settings.host, settings.metrics_port)
        watchdog = Watchdog(lambda: None)
        server.start()
        watchdog.start()
        try:
            metrics = f"{settings.host}:{metrics_port}"
            log.info("started", address=server.address, metrics=metrics)
            when_started(server.address, metrics)
            stop_event.wait()
        finally:
            watchdog.stop()
            with exit_on_timeout("stopping", settings.stop_grace_seconds + SECONDS_TO_CLOSE):
                server.stop()
                stop_metrics()
            log.info("stopped")
