"""The producer performance test that comes with the broker: what Kafka alone does on this machine."""

from __future__ import annotations

import os
import re
import subprocess
from typing import NamedTuple

from devtools.brokers.jars import find_jars, find_java
from devtools.brokers.missing import WayClosed
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS

RECORD_BYTES = 600
RECORDS_MOST = 100_000
SECONDS = 10.0
TIMEOUT_SECONDS = 120.0
PERFORMANCE = re.compile(r"([\d.]+) records/sec.*, (\d+) ms 50th, \d+ ms 95th, (\d+) ms 99th")


class Produced(NamedTuple):
    """Records a second, and milliseconds until a record was acknowledged."""

    rate: float
    p50: float
    p99: float

    def __str__(self) -> str:
        return f"{self.rate:8.0f} records/s  p50 {self.p50:.0f} p99 {self.p99:.0f} ms"


def produced(kafka: KafkaSettings, rate: float | None, seconds: float = SECONDS) -> Produced:
    """Records of `RECORD_BYTES`, acknowledged by all, at a rate a second or as fast as it can. Raises `WayClosed` without the
    programs of Kafka."""
    java, jars = find_java(os.environ), find_jars(os.environ)
    records = RECORDS_MOST if rate is None else int(rate * seconds)
    command = [java, "-cp", f"{jars}/*", "org.apache.kafka.tools.ProducerPerformance"]
    command += ["--topic", COMMANDS.name_in(kafka), "--num-records", str(records)]
    command += ["--record-size", str(RECORD_BYTES), "--throughput", "-1" if rate is None else f"{rate:.0f}"]
    command += ["--producer-props", f"bootstrap.servers={kafka.servers[0]}", "acks=all"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=True)
    found = PERFORMANCE.findall(done.stdout)
    if not found:
        raise WayClosed(f"the producer test said nothing: {done.stdout[-200:]!r}")
    return Produced(*map(float, found[-1]))


def show_alone(kafka: KafkaSettings, rates: tuple[float | None, ...]) -> None:
    """Print what it does at each rate, None: as fast as it can."""
    for rate in rates:
        label = "as fast as it can" if rate is None else f"asked for {rate:g}/s"
        try:
            print(
                f"  the broker's own producer test, {RECORD_BYTES} B, {label}: {produced(kafka, rate)}",
                flush=True,
            )
        except WayClosed as closed:
            print(f"  the broker's own producer test: not here ({closed})")
            return
