"""What a command of the platform costs a replica of rules, by the number of replicas: where each keeps all of the log, and where
each keeps the partitions that it owns or stands by for, with players who know the owners (decision 40).

Bytes read: what came from the brokers, counted by the kernel (`ss`). Bytes written: to the disks of the processes
(`/proc/PID/io`), and what the topics grew by.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

from msgspec.structs import replace

from devtools.brokers.kafka import KafkaServers
from services.bench.measured import OWN_TOPICS
from services.bench.playing import generate
from services.common.kafka.administration import apply_topics
from services.common.kafka.settings import KafkaSettings
from services.common.redis.settings import RedisSettings
from services.common.settings.service import Settings
from services.host.processes import ClusterHost, Replica, Replicas
from tests.bench.cluster import gather, plan_of
from tests.bench.cost import cpu_seconds
from tests.bench.on_brokers import on_brokers
from tests.bench.sockets import received_from
from tests.bench.stored import bytes_by_topic

# So that owners come out even for 1, 2, 4 and 8 replicas.
PARTITIONS = 24
# Copies of each partition (0: all of the log everywhere) and replicas.
CASES = ((1, 1), (2, 2), (2, 4), (2, 8), (0, 2), (0, 4))
FIRST_WITH_TWO_COPIES = 2
GAMES, CALLERS, RATE = 48, 16, 40.0
IDLE_SECONDS, WARM_SECONDS, SECONDS = 12.0, 4.0, 25.0
# What a replica pays falls as one over their number, from two replicas on (below, there is one copy): so much more is too much.
GOAL_SHARE = 0.15
WRITTEN = re.compile(r"^write_bytes: (\d+)$", re.MULTILINE)
FORWARDED = re.compile(r"^signalbox_forwarded_calls_total\{[^}]*\} ([0-9.e+]+)$", re.MULTILINE)
TRANSACTIONS = re.compile(r"^signalbox_owner_batch_commands_count ([0-9.e+]+)$", re.MULTILINE)
METRICS_SECONDS = 10.0


class Taken(NamedTuple):
    """What one replica has taken so far: seconds of a core, bytes from the brokers, bytes to its disk; calls that it passed on,
    and transactions that it wrote."""

    cpu: float
    read: float
    written: float
    forwarded: float
    transactions: float


class Found(NamedTuple):
    """What a command of the platform takes of a replica, as a mean of the replicas. `most`: of seconds of a core, by one of them.
    `idle`: what a second without commands takes, which is taken off. `logged`: bytes in Kafka, one copy. `rate`: commands
    accepted in a second."""

    each: Taken
    most: float
    idle: Taken
    logged: float
    rate: float


def main() -> int:
    """Measure and print; 2 without brokers."""
    return on_brokers(_measure)


def _measure(folder: Path, servers: KafkaServers, redis: RedisSettings) -> int:
    print(
        f"  {RATE:g} commands/s over {GAMES} games, {PARTITIONS} partitions; for a command and replica of rules:"
    )
    shared: dict[int, Found] = {}
    for copies, count in CASES:
        found = _with(folder / f"{copies}-{count}", servers, redis, copies, count)
        _show(copies, count, found)
        if copies:
            shared[count] = found
    for count in [each for each in shared if each > FIRST_WITH_TWO_COPIES]:
        _judge("CPU", count, {number: found.each.cpu for number, found in shared.items()})
        _judge("bytes read", count, {number: found.each.read for number, found in shared.items()})
    return 0


def _show(copies: int, count: int, found: Found) -> None:
    kept = "all of the log" if not copies else f"{copies} of {count} copies"
    each, idle = found.each, found.idle
    print(
        f"  {count} replicas, {kept:15}: {each.cpu * 1000:5.2f} ms (most {found.most * 1000:5.2f}), "
        f"{each.read:6.0f} B read, {each.written:6.0f} B to disk, {each.forwarded * count:5.1%} of calls passed on, "
        f"{each.transactions * count:4.2f} transactions; "
        f"{found.logged:5.0f} B in Kafka; idle {idle.cpu:5.1%} of a core, {idle.read:6.0f} B/s read; "
        f"{found.rate:4.0f} accepted/s",
        flush=True,
    )


def _judge(what: str, count: int, by_count: Mapping[int, float]) -> None:
    """Hold what it costs with so many replicas against what it costs with two."""
    share, goal = by_count[count] / by_count[FIRST_WITH_TWO_COPIES], FIRST_WITH_TWO_COPIES / count
    print(
        f"  {what}, from {FIRST_WITH_TWO_COPIES} to {count} replicas: falls to {share:.1%}; goal {goal:.1%}, "
        f"and {GOAL_SHARE:.0%} of that more: {'kept' if share <= goal * (1 + GOAL_SHARE) else 'MISSED'}"
    )


def _with(folder: Path, servers: KafkaServers, redis: RedisSettings, copies: int, count: int) -> Found:
    kafka = servers.settings(f"share{copies}.{count}.", partitions=PARTITIONS)
    apply_topics(kafka)
    settings = replace(Settings(routing_workers=1), rules_copies=copies)
    replicas = Replicas(lobby=1, rules=count, routing=1, ledger=0)
    redis = replace(redis, key_prefix=kafka.topic_prefix)
    host = ClusterHost(folder, kafka, redis, replicas, settings)
    host.start()
    try:
        table = gather(host, folder, GAMES)
        rules = [each for each in host.replicas if each.service == "rules"]
        warm = generate(plan_of(host, table, WARM_SECONDS, CALLERS, RATE))
        before = _taken(kafka, rules)
        time.sleep(IDLE_SECONDS)
        idle = [
            _less(now, then, IDLE_SECONDS) for then, now in zip(before, _taken(kafka, rules), strict=True)
        ]
        before, logged, began = _taken(kafka, rules), _logged(kafka), time.monotonic()
        outcome = generate(plan_of(host, table, SECONDS, CALLERS, RATE, warm.played))
        seconds, commands = time.monotonic() - began, len(outcome.milliseconds)
        marginal = [
            _less(now, Taken(*(a + b * seconds for a, b in zip(then, lost, strict=True))), commands)
            for then, now, lost in zip(before, _taken(kafka, rules), idle, strict=True)
        ]
        logged = (_logged(kafka) - logged) / commands
    finally:
        host.stop()
    return Found(_mean(marginal), max(each.cpu for each in marginal), _mean(idle), logged, outcome.rate)


def _taken(kafka: KafkaSettings, rules: Sequence[Replica]) -> list[Taken]:
    pids = [each.process.pid for each in rules]
    read = received_from({int(each.rpartition(":")[2]) for each in kafka.servers}, pids)
    return [
        Taken(cpu_seconds(pid), received, _written(pid), *_counted(each.metrics))
        for pid, received, each in zip(pids, read, rules, strict=True)
    ]


def _written(pid: int) -> float:
    found = WRITTEN.search(Path(f"/proc/{pid}/io").read_text())
    return float(found[1]) if found is not None else 0.0


def _counted(metrics: str) -> tuple[float, float]:
    """What a replica has counted: calls passed on, and transactions."""
    with urlopen(f"http://{metrics}/metrics", timeout=METRICS_SECONDS) as answer:
        shown = answer.read().decode()
    return sum(map(float, FORWARDED.findall(shown))), sum(map(float, TRANSACTIONS.findall(shown)))


def _logged(kafka: KafkaSettings) -> float:
    return sum(size for topic, size in bytes_by_topic(kafka).items() if topic != OWN_TOPICS)


def _less(now: Taken, then: Taken, parts: float) -> Taken:
    """What was taken in between, of each of so many parts."""
    return Taken(*((after - before) / parts for before, after in zip(then, now, strict=True)))


def _mean(taken: Sequence[Taken]) -> Taken:
    return Taken(*(sum(values) / len(taken) for values in zip(*taken, strict=True)))
