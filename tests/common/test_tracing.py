"""Traces: off without cost, settings named when wrong, the span carried by headers, logs that name the trace."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from services.common.telemetry.logs import configure_logging, get_logger
from services.common.telemetry.tracing import (
    LAST_SPANS_SECONDS,
    TracesMisconfigured,
    configure_tracing,
    from_headers,
    inject_headers,
    inject_metadata,
    is_tracing,
    span,
)

ALL = {"SIGNALBOX_TRACES": "1"}


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    """Everything traced during the test."""
    exporter = InMemorySpanExporter()
    end = configure_tracing("test", ALL, exporter)
    yield exporter
    end()


def test_off_nothing_is_traced_or_imported() -> None:
    """Without the setting there are no headers, and a span does not even load the library."""
    program = (
        "import sys; from services.common.telemetry.tracing import *; end = configure_tracing('x', {})\n"
        "with span('a'): assert inject_headers() == [] and from_headers([('traceparent', b'x')]) is None\n"
        "end(); assert not [name for name in sys.modules if name.startswith('opentelemetry')]"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    assert not is_tracing()


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"SIGNALBOX_TRACES": "yes"}, "SIGNALBOX_TRACES: 'yes'"),
        ({"SIGNALBOX_TRACES": "1.5"}, "SIGNALBOX_TRACES: '1.5'"),
        ({"SIGNALBOX_TRACES": "nan"}, "SIGNALBOX_TRACES: 'nan'"),
        ({"SIGNALBOX_TRACES": "0.5"}, "OTEL_EXPORTER_OTLP_ENDPOINT"),
    ],
)
def test_wrong_settings_are_named(environment: dict[str, str], named: str) -> None:
    """A share that is none, and traces that have nowhere to go."""
    with pytest.raises(TracesMisconfigured, match=named):
        configure_tracing("test", environment)


def test_a_collector_that_is_away_holds_nobody_up() -> None:
    """A process whose spans nobody takes ends within seconds all the same, exit included."""
    program = (
        "import time; from services.common.telemetry.tracing import *\n"
        "end = configure_tracing('x', {'SIGNALBOX_TRACES': '1', 'OTEL_EXPORTER_OTLP_ENDPOINT': 'http://127.0.0.1:9'})\n"
        "for _ in range(2000):\n    with span('a'): pass\n"
        "began = time.monotonic(); end(); print(time.monotonic() - began)"
    )
    environment = os.environ | {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
    began = time.monotonic()
    ended = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, env=environment)
    assert float(ended.stdout) < 10 * LAST_SPANS_SECONDS
    assert time.monotonic() - began < 60


def test_a_span_goes_on_elsewhere(spans: InMemorySpanExporter) -> None:
    """Headers of Kafka and metadata of gRPC carry the span, in the W3C form; a block with them is its child."""
    with span("send", "producer", game_id="g1"):
        headers, metadata = inject_headers(), inject_metadata()
    for name, carrier in (("follow", headers), ("serve", metadata)):
        with span(name, "consumer", from_headers(carrier)):
            pass
    sent, followed, served = spans.get_finished_spans()
    assert sent.attributes == {"game.id": "g1"}
    for child in (followed, served):
        assert child.parent is not None and child.parent.span_id == sent.context.span_id
        assert child.context.trace_id == sent.context.trace_id
    ((name, value),) = headers
    assert name == "traceparent" and isinstance(value, bytes)
    assert value.startswith(f"00-{sent.context.trace_id:032x}-{sent.context.span_id:016x}-0".encode())


def test_headers_without_a_trace_begin_one(spans: InMemorySpanExporter) -> None:
    """No headers, others and damaged ones: the block is traced on its own."""
    for headers in (None, [], [("other", b"x")], [("traceparent", b"damaged")], {"traceparent": None}):
        with span("follow", "consumer", from_headers(headers)):
            pass
    assert [each.parent for each in spans.get_finished_spans()] == [None] * 5


def test_an_error_is_noted_in_its_span(spans: InMemorySpanExporter) -> None:
    """A block that fails says so in its span, and the error goes on."""
    with pytest.raises(ValueError, match="no such"), span("decide"):
        raise ValueError("no such company")
    (failed,) = spans.get_finished_spans()
    assert not failed.status.is_ok
    assert failed.events[0].name == "exception"


def test_lines_of_the_log_name_the_trace(spans: InMemorySpanExporter) -> None:
    """Within a span a line has the ids of trace and span, outside it has none."""
    stream = io.StringIO()
    configure_logging(stream=stream)
    with span("decide"):
        get_logger("test").info("within")
    get_logger("test").info("without")
    (traced,) = spans.get_finished_spans()
    within, without = map(json.loads, stream.getvalue().splitlines())
    assert within["trace_id"] == f"{traced.context.trace_id:032x}"
    assert within["span_id"] == f"{traced.context.span_id:016x}"
    assert "trace_id" not in without
