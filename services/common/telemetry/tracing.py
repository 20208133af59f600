"""Traces across gRPC and Kafka (OpenTelemetry, W3C trace context). Off, nothing is imported and a span costs a comparison.

SIGNALBOX_TRACES is the share of calls that are traced, from 0 (off, the default) to 1; where the spans go says
OTEL_EXPORTER_OTLP_ENDPOINT. A call that comes with a trace is traced as its caller decided.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Mapping, MutableMapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Literal

import grpc

from services.common.errors import SignalboxError

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Tracer

VARIABLE = "SIGNALBOX_TRACES"
ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
TRACEPARENT = "traceparent"
LAST_SPANS_SECONDS = 2.0
Kind = Literal["internal", "server", "client", "producer", "consumer"]
Headers = list[tuple[str, str | bytes | None]]
OFF: AbstractContextManager[None] = nullcontext()

_tracer: Tracer | None = None


class TracesMisconfigured(SignalboxError):
    """A variable of the environment says something about traces that cannot be used; the message names it."""


def configure_tracing(
    service: str, environment: Mapping[str, str], exporter: SpanExporter | None = None
) -> Callable[[], None]:
    """Trace this process as `service` if the environment says so; returns how to end that, with the last spans sent
    if the collector takes them within `LAST_SPANS_SECONDS`.

    `exporter`: takes the spans at once instead of sending them. Raises `TracesMisconfigured`."""
    share = _share(environment.get(VARIABLE, ""))
    if share == 0:
        return _nothing
    if exporter is None and not environment.get(ENDPOINT):
        raise TracesMisconfigured(f"{ENDPOINT}: is needed with {VARIABLE}, for example http://localhost:4317")
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

    provider = TracerProvider(
        resource=Resource.create({"service.name": service}),
        sampler=ParentBased(TraceIdRatioBased(share)),
        shutdown_on_exit=False,
    )
    _export(provider, exporter)
    global _tracer
    _tracer = provider.get_tracer("signalbox")

    def end() -> None:
        global _tracer
        _tracer = None
        # With nobody there to take them, the last spans would hold up the end for half a minute.
        sending = threading.Thread(target=provider.shutdown, name="last spans", daemon=True)
        sending.start()
        sending.join(LAST_SPANS_SECONDS)

    return end


@contextmanager
def ending(end: Callable[[], None]) -> Generator[None]:
    """Calls `end` after the block, whatever happens in it."""
    try:
        yield
    finally:
        end()


def is_tracing() -> bool:
    """Whether spans are made in this process."""
    return _tracer is not None


def span(
    name: str, kind: Kind = "internal", parent: Context | None = None, **attributes: str | int
) -> AbstractContextManager[None]:
    """A span around a block, within the current one of this thread or within `parent`; an error that leaves the block is
    noted in it. Attributes are named with underscores for dots."""
    if _tracer is None:
        return OFF
    return _span(_tracer, name, kind, parent, attributes)


def inject_headers() -> Headers:
    """The current span as headers of a record for Kafka; none when nothing is traced."""
    return [(name, value.encode()) for name, value in inject_metadata()]


def inject_metadata() -> list[tuple[str, str]]:
    """The current span as metadata of a gRPC call; none when nothing is traced."""
    if _tracer is None:
        return []
    carrier: dict[str, str] = {}
    _propagator().inject(carrier)
    return list(carrier.items())


def from_headers(
    headers: Mapping[str, str | bytes | None] | Iterable[tuple[str, str | bytes | None]] | None,
) -> Context | None:
    """The span that a record's headers or a call's metadata name, for `span(parent=...)`."""
    if _tracer is None or not headers:
        return None
    for name, value in headers.items() if isinstance(headers, Mapping) else headers:
        if name == TRACEPARENT and value:
            text = value.decode("ascii", "replace") if isinstance(value, bytes) else value
            found: Context = _propagator().extract({TRACEPARENT: text})
            return found
    return None


def add_trace_id(_logger: object, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """For logs: the ids of the current trace and span, where there are any."""
    if _tracer is not None:
        from opentelemetry import trace

        context = trace.get_current_span().get_span_context()
        if context.is_valid:
            line["trace_id"] = f"{context.trace_id:032x}"
            line["span_id"] = f"{context.span_id:016x}"
    return line


def traced(channel: grpc.Channel) -> grpc.Channel:
    """The channel, that sends the current span with every call, streams included."""
    return channel if _tracer is None else grpc.intercept_channel(channel, _TracingClient())


class _Call(grpc.ClientCallDetails):
    """A call that carries the trace."""

    def __init__(self, details: grpc.ClientCallDetails) -> None:
        for name in ("method", "timeout", "credentials", "wait_for_ready", "compression"):
            setattr(self, name, getattr(details, name, None))
        self.metadata = (*(details.metadata or ()), *inject_metadata())


class _TracingClient(grpc.UnaryUnaryClientInterceptor, grpc.UnaryStreamClientInterceptor):
    """A span around each single call; streams outlast the block that opens them."""

    def intercept_unary_unary(
        self, continuation: Any, client_call_details: grpc.ClientCallDetails, request: Any
    ) -> Any:
        with span(str(client_call_details.method).lstrip("/"), "client"):
            return continuation(_Call(client_call_details), request)

    def intercept_unary_stream(
        self, continuation: Any, client_call_details: grpc.ClientCallDetails, request: Any
    ) -> Any:
        return continuation(_Call(client_call_details), request)


@contextmanager
def _span(
    tracer: Tracer, name: str, kind: Kind, parent: Context | None, attributes: Mapping[str, str | int]
) -> Generator[None]:
    from opentelemetry.trace import SpanKind

    named = {key.replace("_", "."): value for key, value in attributes.items()}
    with tracer.start_as_current_span(name, parent, SpanKind[kind.upper()], named):
        yield


def _propagator() -> Any:
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator()


def _export(provider: TracerProvider, exporter: SpanExporter | None) -> None:
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor

    if exporter is not None:
        provider.add_span_processor(SimpleSpanProcessor(exporter))
        return
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter

    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))


def _share(text: str) -> float:
    try:
        share = float(text or "0")
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise TracesMisconfigured(f"{VARIABLE}: {text!r} is not a share from 0 to 1")
    return share


def _nothing() -> None:
    """There is nothing to end."""
