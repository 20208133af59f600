"""`signalbox bench cluster` on brokers and a platform of its own, with 1, 2, 4 and 8 replicas of rules, beside the broker's own
producer test at the same rates; then the model of what was found.

`python -m tests.bench replicas`, or `python -m tests.bench.replicas --replicas 1 2 --copies 2 --output FILE`: the file is for
`signalbox bench model --from`.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console

from devtools.brokers.kafka import KafkaServers
from devtools.brokers.missing import WayClosed
from services.bench.measured import Measured, as_json
from services.bench.model import fitted
from services.bench.opening import registered
from services.bench.run import Choices, Extra, Platform, measure
from services.bench.showing import costs_table, rates_table, residuals_table, stored_table, terms_table
from services.common.kafka.administration import apply_topics
from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.offsets import ends
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import TOPICS
from services.common.redis.settings import RedisSettings
from services.common.settings.service import Settings
from services.host.children import Child
from services.host.processes import ClusterHost, Replicas
from tests.bench.cost import cpu_seconds
from tests.bench.on_brokers import on_brokers
from tests.bench.producer_test import Produced, produced
from tests.bench.stored import bytes_by_topic

# So that owners and standbys come out even for 1, 2, 4 and 8 replicas.
PARTITIONS = 56
PLAYERS = 4
MOVES = 400
LEADING_SECONDS, LOOK_EVERY_SECONDS = 60.0, 0.5
WIDTH = 130


def main(arguments: Sequence[str] = ()) -> int:
    """Measure and print; 2 without brokers."""
    chosen = _parser().parse_args(arguments)
    return on_brokers(partial(_measure, chosen))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.replicas", description=__doc__)
    parser.add_argument("--replicas", type=int, nargs="+", default=[1, 2, 4, 8], help="of rules")
    parser.add_argument("--copies", type=int, default=0, help="of each partition; 0: every replica keeps all")
    parser.add_argument("--rates", type=float, nargs="+", default=[10.0, 100.0, 500.0], help="commands/s")
    parser.add_argument("--seconds", type=float, default=15.0, help="each rate lasts")
    parser.add_argument("--warm-seconds", type=float, default=15.0, help="played before")
    parser.add_argument("--settle-seconds", type=float, default=8.0, help="of rest before metrics are read")
    parser.add_argument("--games", type=int, default=100, help="played at the same time")
    parser.add_argument("--partitions", type=int, default=PARTITIONS, help="of each topic")
    parser.add_argument("--output", type=Path, help="file for the measurements")
    return parser


class _Lines:
    """A line for each step of a measurement that takes time, with the time since the last one."""

    def __init__(self) -> None:
        self._what, self._began = "", time.monotonic()

    def step(self, what: str, done: float, of: float) -> None:
        """As `services.bench.run.Teller`."""
        name = what.partition(":")[0]
        if name != self._what:
            now = time.monotonic()
            print(
                f"    {name} ({now - self._began:.0f} s since the step before)", file=sys.stderr, flush=True
            )
            self._what, self._began = name, now


def _measure(chosen: argparse.Namespace, folder: Path, servers: KafkaServers, redis: RedisSettings) -> int:
    console = Console(width=WIDTH, highlight=False, markup=False)
    kept = f"{chosen.copies} copies of each partition" if chosen.copies else "all of the log everywhere"
    found: list[Measured] = []
    alone: dict[float, Produced] = {}
    for count in chosen.replicas:
        print(f"  {count} replicas of rules, {kept}, {chosen.partitions} partitions", flush=True)
        measured = _with(chosen, count, folder / f"{count}", servers, redis)
        found += measured
        alone = alone or _alone(chosen, servers)
        _beside(measured, alone)
        console.print(rates_table(measured))
        console.print(costs_table(measured))
        if (stored := stored_table(measured)) is not None:
            console.print(stored)
        if chosen.output is not None:
            chosen.output.write_bytes(as_json(found))
    model = fitted(found)
    console.print(terms_table(model))
    console.print(residuals_table(model))
    return 0


def _with(
    chosen: argparse.Namespace, count: int, folder: Path, servers: KafkaServers, redis: RedisSettings
) -> list[Measured]:
    kafka = servers.settings(f"bench{chosen.copies}.{count}.", partitions=chosen.partitions)
    _make_topics(kafka)
    host = ClusterHost(
        folder,
        kafka,
        replace(redis, key_prefix=kafka.topic_prefix),
        Replicas(lobby=1, rules=count, routing=1, ledger=1),
        replace(Settings(routing_workers=1), rules_copies=chosen.copies, rules_direct_after_seconds=0.0),
    )
    choices = Choices(
        rates=tuple(chosen.rates),
        seconds=chosen.seconds,
        warm_seconds=chosen.warm_seconds,
        settle_seconds=chosen.settle_seconds,
        games=chosen.games,
        moves=MOVES,
        copies=chosen.copies,
        replication=1,
    )
    host.start()
    try:
        tokens = registered(host.addresses.lobby, PLAYERS)
        measured, _ = measure(
            platform_of(host), choices, tokens, folder, _Lines(), partial(_look, servers, kafka)
        )
    finally:
        host.stop()
    return [replace(each, partitions=chosen.partitions, cores=os.cpu_count() or 0) for each in measured]


def _make_topics(kafka: KafkaSettings) -> None:
    """Returns when each partition answers: a broker names the leader of a new one before that takes itself for it."""
    apply_topics(kafka)
    end = time.monotonic() + LEADING_SECONDS
    while True:
        try:
            ends(kafka, TOPICS)
        except KafkaUnreachable:
            if time.monotonic() > end:
                raise
            time.sleep(LOOK_EVERY_SECONDS)
        else:
            return


def platform_of(host: ClusterHost) -> Platform:
    """Where the replicas of a host answer, as an operator would name them."""
    metrics: dict[str, tuple[str, ...]] = {}
    for each in host.replicas:
        metrics[each.service] = (*metrics.get(each.service, ()), each.metrics)
    return Platform(lobby=host.addresses.lobby, rules=host.addresses.rules, metrics=metrics)


def _look(servers: KafkaServers, kafka: KafkaSettings) -> Extra:
    pids = [each.program.pid for each in servers.nodes if isinstance(each.program, Child)]
    return Extra(sum(map(cpu_seconds, pids)), dict(bytes_by_topic(kafka)))


def _alone(chosen: argparse.Namespace, servers: KafkaServers) -> dict[float, Produced]:
    """The broker's own producer test at each rate, once the broker is warm; nothing where its programs are not here."""
    kafka = servers.settings("alone.", partitions=chosen.partitions)
    _make_topics(kafka)
    try:
        return {rate: produced(kafka, rate) for rate in chosen.rates}
    except WayClosed as closed:
        print(f"  the broker's own producer test: not here ({closed})")
        return {}


def _beside(measured: Sequence[Measured], alone: Mapping[float, Produced]) -> None:
    """Print each rate beside the same rate of plain records: how much longer a command takes than Kafka's own acknowledgement."""
    for each in measured:
        if (plain := alone.get(each.asked)) is not None:
            ratios = each.times.p50 / max(plain.p50, 1.0), each.times.p99 / max(plain.p99, 1.0)
            print(
                f"  {each.asked:g}/s: a command p50 {each.times.p50:.1f} p99 {each.times.p99:.1f} ms; the broker's own producer "
                f"test {plain}; ratio p50 {ratios[0]:.1f}, p99 {ratios[1]:.1f}",
                flush=True,
            )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
