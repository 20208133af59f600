"""What the replicas of a platform say of themselves: their Prometheus endpoints, read before and after a load."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from http.client import HTTPException
from urllib.request import urlopen

import msgspec
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

from services.common.errors import SignalboxError

ANSWER_SECONDS = 5.0
PORT_MOST = 65_535
CPU = "process_cpu_seconds_total"
MEMORY = "process_resident_memory_bytes"
BEGAN = "process_start_time_seconds"
RECORDS = "signalbox_kafka_record_bytes_total"
TOPICS = "signalbox_kafka_topic_bytes"
DECIDED = "signalbox_owner_commands_total"
TRANSACTIONS = "signalbox_owner_batch_commands_count"
SOLVING = "signalbox_routing_solving_seconds_sum"


class MetricsUnreachable(SignalboxError):
    """The metrics of a replica cannot be had; the message says whose, and why."""


class Reading(msgspec.Struct, frozen=True):
    """What one replica said. `cpu`: seconds of cores so far; `began`: seconds since 1970; `memory`, `read`, `written`, `topics`:
    bytes, the last three by topic, those of `topics` in Kafka, all copies; `solving`: seconds of routing's workers, which
    are processes of their own."""

    cpu: float
    memory: float
    began: float
    read: dict[str, float] = {}
    written: dict[str, float] = {}
    topics: dict[str, float] = {}
    decided: float = 0.0
    transactions: float = 0.0
    solving: float = 0.0


Key = tuple[str, str]
"""A service and the address of one of its replicas."""


def endpoints(named: Mapping[str, Sequence[str]]) -> list[Key]:
    """The replicas of each service: addresses host:port, where a name may stand for several, as on Kubernetes.

    Raises `MetricsUnreachable` for a name that nobody knows and an address without a port."""
    found: dict[Key, None] = {}
    for service, addresses in named.items():
        for address in addresses:
            host, _, port = address.rpartition(":")
            if not host or not port.isdecimal() or int(port) > PORT_MOST:
                raise MetricsUnreachable(f"metrics of {service}: {address!r} is no host:port")
            try:
                answers = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
            except OSError as problem:
                raise MetricsUnreachable(f"metrics of {service} at {address}: {problem}") from problem
            family = answers[0][0]
            found |= dict.fromkeys(
                (service, _written(str(each[4][0]), port)) for each in answers if each[0] == family
            )
    return list(found)


def _written(host: str, port: str) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def read_all(keys: Sequence[Key]) -> dict[Key, Reading]:
    """All replicas now. Raises `MetricsUnreachable` for the first that does not answer, or not with its metrics."""
    return {(service, address): read(service, address) for service, address in keys}


def read(service: str, address: str) -> Reading:
    """One replica now. Raises `MetricsUnreachable`."""
    url = f"http://{address}/metrics"
    try:
        with urlopen(url, timeout=ANSWER_SECONDS) as answer:
            text = answer.read().decode("utf-8")
        return reading(text)
    except HTTPException as problem:
        raise MetricsUnreachable(f"metrics of {service} at {url}: nothing there speaks HTTP") from problem
    except (OSError, ValueError) as problem:
        raise MetricsUnreachable(f"metrics of {service} at {url}: {problem}") from problem


def reading(text: str) -> Reading:
    """What a page of metrics says. Raises `ValueError` where it is none, or not of a process of this platform."""
    families = list(text_string_to_metric_families(text))
    found = {sample.name: sample.value for family in families for sample in family.samples}
    if CPU not in found:
        raise ValueError(
            f"no {CPU}: not the metrics of a service, or of one that runs on another system than Linux"
        )
    return Reading(
        cpu=found[CPU],
        memory=found.get(MEMORY, 0.0),
        began=found.get(BEGAN, 0.0),
        read=_by_topic(families, RECORDS, direction="read"),
        written=_by_topic(families, RECORDS, direction="written"),
        topics=_by_topic(families, TOPICS),
        decided=_sum(families, DECIDED),
        transactions=_sum(families, TRANSACTIONS),
        solving=_sum(families, SOLVING),
    )


def _sum(families: Sequence[Metric], name: str) -> float:
    return sum(sample.value for family in families for sample in family.samples if sample.name == name)


def _by_topic(families: Sequence[Metric], name: str, **labels: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for family in families:
        for sample in family.samples:
            if sample.name == name and labels.items() <= sample.labels.items():
                topic = sample.labels.get("topic", "")
                found[topic] = found.get(topic, 0.0) + sample.value
    return found


class Use(msgspec.Struct, frozen=True):
    """What one replica took between two readings. `memory`: at the second one. `is_restarted`: it was another process then, so
    nothing else is known."""

    service: str
    address: str
    cpu: float = 0.0
    memory: float = 0.0
    read: dict[str, float] = {}
    written: dict[str, float] = {}
    decided: float = 0.0
    transactions: float = 0.0
    solving: float = 0.0
    is_restarted: bool = False


def used(key: Key, before: Reading, after: Reading) -> Use:
    """What a replica took between two readings; nothing of one that began anew in between, whose counters did as well."""
    service, address = key
    if after.began != before.began or after.cpu < before.cpu:
        return Use(service, address, is_restarted=True)
    return Use(
        service,
        address,
        cpu=after.cpu - before.cpu,
        memory=after.memory,
        read=grown(before.read, after.read),
        written=grown(before.written, after.written),
        decided=after.decided - before.decided,
        transactions=after.transactions - before.transactions,
        solving=after.solving - before.solving,
    )


def grown(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    """By how much each has grown. What became less is left out: Kafka deleted or compacted a part of it meanwhile."""
    differences = {name: value - before.get(name, 0.0) for name, value in after.items()}
    return {name: value for name, value in differences.items() if value > 0}
