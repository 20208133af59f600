"""The cluster host under load: commands through Kafka beside the broker's own producer test, a kill, memory, and restore.

`python -m tests.bench.cluster --copies 2`: only the kill of an owner for which another replica stands by.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from devtools.brokers.kafka import KafkaServers
from services.bench.load import Outcome, Plan, Progress
from services.bench.measured import times_of
from services.bench.opening import Table, open_games, registered
from services.bench.playing import generate
from services.common.kafka.administration import apply_topics
from services.common.redis.settings import RedisSettings
from services.common.settings.service import Settings
from services.host.processes import ClusterHost, Replicas
from tests.bench.cluster_restore import restore
from tests.bench.on_brokers import on_brokers
from tests.bench.producer_test import show_alone
from tests.bench.takeovers import steps_since

TITLE, SEED, PLAYERS = "1824", 7, 4
MOVES = 220
GAMES = 160
CALLERS = 96
# A broker runs for months. Until its compiler is done with the hottest code it takes more of two cores than all services.
WARM_BROKER_SECONDS = 45.0
PARTITIONS = 6
GOAL_RATE, GOAL_P99_MS, GOAL_IDLE_P50_MS = 500, 100.0, 25.0
IDLE_SECONDS, LOAD_SECONDS, WARM_SECONDS = 6.0, 10.0, 3.0
# Little enough for a machine that also has the brokers, so that the wait is that of the takeover.
SHARED_RULES, STANDBY_GAMES, STANDBY_RATE, WARM_STANDBY_SECONDS = 3, 40, 20.0, 20.0
KILL_SECONDS, KILL_AFTER_SECONDS = 40.0, 5.0


__all__ = ["CALLERS", "PARTITIONS", "gather", "generate", "main", "plan_of", "tail"]


def main() -> int:
    """Measure and print; 1 if a command got lost, 2 without brokers."""
    return on_brokers(_measure)


def main_with_copies() -> int:
    """Measure and print; 1 if a command got lost, 2 without brokers."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.cluster", description=__doc__)
    parser.add_argument("--copies", type=int, required=True, help="of each partition")
    return on_brokers(partial(_measure_standby, parser.parse_args().copies))


def _measure_standby(copies: int, folder: Path, servers: KafkaServers, redis: RedisSettings) -> int:
    """What a kill costs where each replica keeps a part of the log."""
    kafka = servers.settings("bench.", partitions=PARTITIONS)
    apply_topics(kafka)
    settings = replace(_settings(), rules_copies=copies)
    host = ClusterHost(
        folder / "host", kafka, redis, Replicas(lobby=1, rules=SHARED_RULES, routing=1, ledger=1), settings
    )
    host.start()
    try:
        table = gather(host, folder, STANDBY_GAMES)
        played = generate(
            plan_of(host, table, WARM_STANDBY_SECONDS, callers=CALLERS, rate=STANDBY_RATE)
        ).played
        print(f"  {SHARED_RULES} replicas of rules, {copies} copies, sessions of {kafka.session_seconds} s")
        return 1 if _kill(host, table, played, STANDBY_RATE) else 0
    finally:
        host.stop()


def _measure(folder: Path, servers: KafkaServers, redis: RedisSettings) -> int:
    kafka = servers.settings("bench.", partitions=PARTITIONS)
    apply_topics(kafka)
    print(
        f"{os.cpu_count()} cores for broker, Redis, 2 rules, 1 routing, 1 ledger, 1 lobby and the players; "
        f"{PARTITIONS} partitions"
    )
    show_alone(kafka, (float(GOAL_RATE), None))
    host = ClusterHost(
        folder / "host", kafka, redis, Replicas(lobby=1, rules=2, routing=1, ledger=1), _settings()
    )
    host.start()
    try:
        table, used = _with_memory(host, folder)
        played = _idle(host, table)
        played = _load(host, table, played)
        lost = _kill(host, table, played)
        print(f"  {used}")
    finally:
        host.stop()
    restore(folder, kafka, redis, next(iter(table.games)))
    return 1 if lost else 0


def _settings() -> Settings:
    return Settings(routing_workers=1)


def _with_memory(host: ClusterHost, folder: Path) -> tuple[Table, str]:
    """The table, and what its games take in the memory of the rules processes."""
    before = _resident_kib(host)
    table = gather(host, folder)
    generate(plan_of(host, table, WARM_BROKER_SECONDS, callers=16))
    after = _resident_kib(host)
    each = (after - before) / len(table.games)
    return table, (
        f"memory of the 2 rules processes: {before / 1024:.0f} MiB, with {len(table.games)} games played "
        f"{after / 1024:.0f} MiB: {each:.0f} KiB a game, {each * 1000 / 1024:.0f} MiB per 1,000"
    )


def _resident_kib(host: ClusterHost) -> int:
    total = 0
    for replica in host.replicas:
        if replica.service == "rules":
            status = Path(f"/proc/{replica.process.pid}/status").read_text()
            total += int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0])
    return total


def gather(host: ClusterHost, folder: Path, count: int = GAMES) -> Table:
    """Players who begin `count` games, and the script by which they play."""
    tokens = registered(host.addresses.lobby, PLAYERS)
    began = time.monotonic()
    table = open_games(host.addresses.lobby, tokens, folder, title=TITLE, seed=SEED, games=count, moves=MOVES)
    print(f"  {count} games opened and their script played in {time.monotonic() - began:.0f} s")
    return table


def plan_of(
    host: ClusterHost,
    table: Table,
    seconds: float,
    callers: int,
    rate: float = 0.0,
    played: Mapping[str, int] | None = None,
) -> Plan:
    """A plan for the players of `table`."""
    return Plan(
        rules=host.addresses.rules,
        tokens=dict(table.tokens),
        games=dict(table.games),
        script=str(table.script),
        seconds=seconds,
        callers=callers,
        rate=rate,
        played=dict(played or {}),
    )


def _idle(host: ClusterHost, table: Table) -> Mapping[str, int]:
    """One caller, one command after the other: what a player feels on a quiet platform."""
    outcome = generate(plan_of(host, table, IDLE_SECONDS, callers=1, rate=10.0))
    p50, _ = tail(outcome.milliseconds)
    _row(
        "10 commands/s, a quiet platform",
        outcome,
        f"goal: p50 under {GOAL_IDLE_P50_MS:g}: {_kept(p50, GOAL_IDLE_P50_MS)}",
    )
    return outcome.played


def _load(host: ClusterHost, table: Table, played: Mapping[str, int]) -> Mapping[str, int]:
    """Rates that players ask for, then as much as goes."""
    for rate in (100.0, 250.0, float(GOAL_RATE)):
        plan = replace(
            plan_of(host, table, LOAD_SECONDS, callers=CALLERS, rate=rate, played=played),
            warm_seconds=WARM_SECONDS,
        )
        outcome = generate(plan)
        played = outcome.played
        p99 = times_of(outcome.milliseconds, outcome.not_begun).p99
        _row(
            f"{rate:.0f} commands/s asked for",
            outcome,
            f"goal: p99 under {GOAL_P99_MS:g}: {_kept(p99, GOAL_P99_MS)}",
        )
    for callers in (8, 32):
        plan = replace(plan_of(host, table, LOAD_SECONDS, callers, played=played), warm_seconds=WARM_SECONDS)
        outcome = generate(plan)
        played = outcome.played
        _row(f"{callers} players without a pause", outcome)
    return played


def _kill(host: ClusterHost, table: Table, played: Mapping[str, int], rate: float = 100.0) -> int:
    """kill -9 of an owner while so many commands a second are asked for: how long its games are unavailable; nothing is lost."""
    victim, killed = host.replica("rules-1").process, []

    def kill() -> None:
        killed.append(datetime.now(UTC))
        os.kill(victim.pid, signal.SIGKILL)

    killer = threading.Timer(KILL_AFTER_SECONDS, kill)

    def note(progress: Progress) -> None:
        # Not before they play: a process of players takes seconds to begin.
        if progress.accepted and not killer.ident:
            killer.start()

    outcome = generate(plan_of(host, table, KILL_SECONDS, callers=CALLERS, rate=rate, played=played), note)
    killer.join()
    owners = [each.process for each in host.replicas if each.service == "rules"]
    for step in steps_since([each.log for each in owners if each is not victim], killed[0]):
        print(f"    {step}")
    victim.start()
    slowest = max(outcome.milliseconds, default=0.0) / 1000
    lost = sum(outcome.refused.values())
    print(
        f"  kill -9 of one of {len(owners)} owners: longest wait of a command {slowest:.1f} s, repeats inside it included; "
        f"{len(outcome.milliseconds)} commands answered, {lost} refused though they were legal; repeats {outcome.failures}",
        flush=True,
    )
    return lost


def _row(name: str, outcome: Outcome, goal: str = "") -> None:
    times = times_of(outcome.milliseconds, outcome.not_begun)
    others = {**outcome.failures, **outcome.refused}
    others |= {"not begun": len(outcome.not_begun)} if outcome.not_begun else {}
    print(
        f"  {name:34} {outcome.rate:6.0f} accepted/s  p50 {times.p50:6.1f} p99 {times.p99:6.1f} ms"
        f"{f'  {goal}' if goal else ''}{f'  {others}' if others else ''}",
        flush=True,
    )


def tail(milliseconds: Sequence[float]) -> tuple[float, float]:
    """The median, and what one of a hundred exceeds."""
    times = times_of(milliseconds)
    return times.p50, times.p99


def _kept(value: float, goal: float) -> str:
    return "kept" if value < goal else "MISSED"


if __name__ == "__main__":
    sys.exit(main_with_copies())
