"""How fast `signalbox verify` checks a generated log on Kafka, and how long the next run takes.

`python -m tests.bench verify`.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from devtools.brokers.missing import BrokersMissing
from devtools.brokers.opening import open_kafka
from services.audit.kafka_check import check_kafka
from services.common.kafka.administration import apply_topics
from services.common.kafka.settings import KafkaSettings
from tests.audit.generated import write_log

GAMES, MOVES, SEED = 1_000, 60, 20
PARTITIONS = 4
PROCESSES = 2


def main() -> int:
    """Measure and print; 1 where anything was found in the log, 2 without brokers."""
    with tempfile.TemporaryDirectory(prefix="signalbox-bench-") as scratch:
        folder = Path(scratch)
        try:
            with open_kafka(folder / "kafka", is_own=True, is_lasting=True) as servers:
                return _measure(folder, servers.settings("bench.", partitions=PARTITIONS))
        except BrokersMissing as missing:
            print(missing, file=sys.stderr)
            return 2


def _measure(folder: Path, kafka: KafkaSettings) -> int:
    apply_topics(kafka)
    events = write_log(kafka, GAMES, MOVES, SEED)
    print(f"  {GAMES} games, {events} events, {PARTITIONS} partitions")
    found = 0
    for processes in (1, PROCESSES):
        for name in ("all", "again"):
            began, used = time.monotonic(), _cpu_seconds()
            report = check_kafka(kafka, processes=processes, verified=folder / f"verified-{processes}")
            seconds, cores = time.monotonic() - began, _cpu_seconds() - used
            found += len(report.findings)
            print(
                f"  {processes} processes, {name:5}: {seconds:6.1f} s, {cores:6.1f} core s, {events / seconds:8.0f} events/s, "
                f"{report.unchanged} games unchanged",
                flush=True,
            )
    return 1 if found else 0


def _cpu_seconds() -> float:
    mine, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return mine.ru_utime + mine.ru_stime + children.ru_utime + children.ru_stime
