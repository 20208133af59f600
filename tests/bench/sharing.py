"""What a command of the platform costs a replica of rules, by the number of replicas: where each keeps all of the log, and where
each keeps the partitions that it owns or stands by for (decision 40)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from devtools.brokers.kafka import KafkaServers
from services.common.kafka.administration import apply_topics
from services.common.redis.settings import RedisSettings
from services.common.settings.service import Settings
from services.host.processes import ClusterHost, Replicas
from tests.bench.cluster import gather, generate, plan_of
from tests.bench.cost import cpu_seconds
from tests.bench.on_brokers import on_brokers

# So that owners and standbys come out even for 1, 2 and 4 replicas.
PARTITIONS = 12
REPLICAS = (1, 2, 4)
COPIES = (0, 2)
GAMES, CALLERS, RATE = 36, 16, 60.0
IDLE_SECONDS, WARM_SECONDS, SECONDS = 8.0, 4.0, 20.0
# Of the law that what a replica pays falls as one over their number, from two replicas on: below, two copies are all.
GOAL_SHARE = 0.15


class Found(NamedTuple):
    """Milliseconds of a core for a command of the platform: the mean of the replicas and the most; `idle`: the share of a core
    that a replica takes without any, which is taken off; `rate`: commands accepted in a second."""

    mean: float
    most: float
    idle: float
    rate: float


def main() -> int:
    """Measure and print; 2 without brokers."""
    return on_brokers(_measure)


def _measure(folder: Path, servers: KafkaServers, redis: RedisSettings) -> int:
    print(f"  {RATE:g} commands/s over {GAMES} games, {PARTITIONS} partitions; CPU of a replica of rules")
    for copies in COPIES:
        found: dict[int, Found] = {}
        for count in REPLICAS:
            found[count] = each = _with(folder / f"{copies}-{count}", servers, redis, copies, count)
            kept = "all of the log" if not copies else f"{copies} copies of each partition"
            print(
                f"  {kept:31} {count} replicas: {each.mean:5.2f} ms a command (most {each.most:5.2f}), "
                f"idle {each.idle:5.1%} of a core, {each.rate:4.0f} accepted/s",
                flush=True,
            )
        if copies:
            share = found[REPLICAS[-1]].mean / found[REPLICAS[-2]].mean
            law = REPLICAS[-2] / REPLICAS[-1]
            is_kept = abs(share / law - 1) <= GOAL_SHARE
            print(
                f"  from {REPLICAS[-2]} to {REPLICAS[-1]} replicas the cost falls to {share:.0%}; goal {law:.0%} within "
                f"{GOAL_SHARE:.0%}: {'kept' if is_kept else 'MISSED'}"
            )
    return 0


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
        pids = [each.process.pid for each in host.replicas if each.service == "rules"]
        warm = generate(plan_of(host, table, WARM_SECONDS, CALLERS, RATE))
        before = _taken(pids)
        time.sleep(IDLE_SECONDS)
        idle = [(now - then) / IDLE_SECONDS for then, now in zip(before, _taken(pids), strict=True)]
        before, began = _taken(pids), time.monotonic()
        outcome = generate(plan_of(host, table, SECONDS, CALLERS, RATE, warm.played))
        seconds, commands = time.monotonic() - began, len(outcome.milliseconds)
        costs = [
            (now - then - share * seconds) / commands * 1000
            for then, now, share in zip(before, _taken(pids), idle, strict=True)
        ]
    finally:
        host.stop()
    return Found(sum(costs) / count, max(costs), sum(idle) / count, outcome.rate)


def _taken(pids: Sequence[int]) -> list[float]:
    return [cpu_seconds(pid) for pid in pids]
