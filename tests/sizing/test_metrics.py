"""What replicas say of themselves: pages of metrics that are read, refused, and compared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, strategies as st
from prometheus_client import generate_latest

from services.bench.metrics import MetricsUnreachable, Reading, endpoints, grown, read, reading, used
from services.common.telemetry.logs import Telemetry, start_metrics_server
from services.common.telemetry.record_bytes import note_bytes

KEY = ("rules", "127.0.0.1:1")
PAGE = """
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total 12.5
process_resident_memory_bytes 1000.0
process_start_time_seconds 7.0
signalbox_kafka_record_bytes_total{direction="read",topic="t.a"} 10.0
signalbox_kafka_record_bytes_total{direction="read",topic="t.b"} 5.0
signalbox_kafka_record_bytes_total{direction="written",topic="t.a"} 3.0
signalbox_kafka_topic_bytes{topic="rules.events"} 99.0
signalbox_owner_commands_total{outcome="accepted"} 4.0
signalbox_owner_commands_total{outcome="rejected"} 1.0
signalbox_owner_batch_commands_count 2.0
"""


def test_a_page_is_read() -> None:
    """Figures by their names, bytes by direction and topic, outcomes together."""
    assert reading(PAGE) == Reading(
        cpu=12.5,
        memory=1000.0,
        began=7.0,
        read={"t.a": 10.0, "t.b": 5.0},
        written={"t.a": 3.0},
        topics={"rules.events": 99.0},
        decided=5.0,
        transactions=2.0,
    )


def test_the_page_of_a_process_is_read() -> None:
    """What our processes really show: their own time, memory and start, and the bytes of records."""
    telemetry = Telemetry()
    before = reading(generate_latest(telemetry.registry).decode())
    note_bytes("read", "bench.a", b"key", b"value")
    note_bytes("written", "bench.a", b"key", None)
    after = reading(generate_latest(telemetry.registry).decode())
    assert before.cpu > 0 and before.memory > 0 and before.began > 0
    use = used(KEY, before, after)
    assert (use.read, use.written, use.is_restarted) == ({"bench.a": 8.0}, {"bench.a": 3.0}, False)


@pytest.mark.parametrize(
    "page", ["", "<html>", "process_cpu_seconds_total", "process_cpu_seconds_total x", 'a{b="c} 1']
)
def test_other_pages_are_refused(page: str) -> None:
    """What is no page of a service's metrics is an error, not a replica that takes nothing."""
    with pytest.raises(ValueError):
        reading(page)


@given(page=st.text())
def test_no_page_breaks_the_reader(page: str) -> None:
    """Whatever answers there, it is a reading or a `ValueError`."""
    try:
        reading(page)
    except ValueError:
        return


@pytest.mark.parametrize(
    "after", [Reading(cpu=3.0, memory=1.0, began=8.0), Reading(cpu=1.0, memory=1.0, began=7.0)]
)
def test_a_replica_that_began_anew_is_left_out(after: Reading) -> None:
    """Its counters began anew as well: nothing is reckoned from them, and it is marked."""
    before = Reading(cpu=2.0, memory=1.0, began=7.0, read={"a": 100.0})
    use = used(KEY, before, after)
    assert use.is_restarted
    assert (use.cpu, use.read) == (0.0, {})


def test_what_became_less_is_left_out() -> None:
    """Kafka deleted a part of a topic: how much came is not known."""
    assert grown({"a": 10.0, "b": 5.0}, {"a": 4.0, "b": 7.0, "c": 1.0}) == {"b": 2.0, "c": 1.0}


@contextmanager
def served() -> Iterator[str]:
    """The metrics of this process at an address."""
    stop, port = start_metrics_server(Telemetry(), "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{port}"
    finally:
        stop()


def test_a_replica_is_read_over_http() -> None:
    """The metrics of a process at its address; afterwards nobody answers there, and that says who."""
    with served() as address:
        assert read("rules", address).cpu > 0
    with pytest.raises(MetricsUnreachable, match=f"metrics of rules at http://{address}/metrics: .*refused"):
        read("rules", address)


def test_addresses_are_looked_up() -> None:
    """A name stands for all its addresses of one family; each counts once."""
    assert endpoints({"rules": ("127.0.0.1:1", "127.0.0.1:1"), "lobby": ("127.0.0.1:2",)}) == [
        ("rules", "127.0.0.1:1"),
        ("lobby", "127.0.0.1:2"),
    ]
    assert endpoints({"rules": ("[::1]:5",)}) == [("rules", "[::1]:5")]


@pytest.mark.parametrize(
    "address", ["", "host", ":1", "host:port", "no.such.host.invalid:1", "127.0.0.1:99999999"]
)
def test_an_address_that_is_none_is_named(address: str) -> None:
    """Before anything is played."""
    with pytest.raises(MetricsUnreachable, match="metrics of rules"):
        endpoints({"rules": (address,)})
