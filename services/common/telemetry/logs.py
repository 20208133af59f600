"""Logs and metrics: one JSON object per line on standard error, Prometheus metrics over HTTP."""

import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO, cast

import structlog
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    start_http_server,
)
from structlog.typing import FilteringBoundLogger

from services.common.telemetry.record_bytes import RECORD_BYTES
from services.common.telemetry.refusals import RefusalLog
from services.common.telemetry.tracing import add_trace_id

Logger = FilteringBoundLogger

SECONDS_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class _LossyStream:
    """Where lines go; one that cannot be written is lost: work does not end because the disk of the log is full, or because
    the stream was closed meanwhile."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        """Write, if it can be."""
        with suppress(OSError, ValueError):
            self._stream.write(text)

    def flush(self) -> None:
        """Flush, if it can be."""
        with suppress(OSError, ValueError):
            self._stream.flush()


def configure_logging(level: str = "info", stream: TextIO | None = None) -> None:
    """Sends the process's logs as JSON lines to `stream`, standard error when None. Logging never raises."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            add_trace_id,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(file=cast(TextIO, _LossyStream(stream or sys.stderr))),
        cache_logger_on_first_use=False,
    )


def get_logger(service: str) -> Logger:
    """A logger whose lines name `service`."""
    logger: Logger = structlog.get_logger(service=service)
    return logger


class Telemetry:
    """The metrics of one process, its time of cores, its memory and its start among them. Other modules add their own to
    `registry`."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry or CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.registry.register(RECORD_BYTES)
        self.refusals = RefusalLog()
        self.calls = Counter(
            "signalbox_rpc_calls_total",
            "Calls ended, by gRPC status",
            ("service", "method", "code"),
            registry=self.registry,
        )
        self.call_seconds = Histogram(
            "signalbox_rpc_seconds",
            "Duration of calls without streams",
            ("service", "method"),
            buckets=SECONDS_BUCKETS,
            registry=self.registry,
        )
        self.calls_active = Gauge(
            "signalbox_rpc_active", "Calls being worked on", ("service", "method"), registry=self.registry
        )


def start_metrics_server(telemetry: Telemetry, host: str, port: int) -> tuple[Callable[[], None], int]:
    """Serves the metrics at `http://host:port/metrics`; returns how to stop it and the port in use.

    Raises `OSError`, which names the address, if it is taken.
    """
    try:
        server, thread = start_http_server(port, addr=host, registry=telemetry.registry)
    except OSError as error:
        raise OSError(f"cannot serve metrics on {host}:{port}: {error.strerror or error}") from error

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return stop, int(server.server_port)
