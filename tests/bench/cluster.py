"""The cluster host under load: commands through Kafka beside the broker's own producer test, a kill, memory, and restore."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec.structs import replace
from rich.progress import track

from devtools.brokers.jars import find_jars, find_java
from devtools.brokers.kafka import KafkaServers
from devtools.brokers.missing import WayClosed
from services.client.lobby import Lobby, register, sign_in
from services.common.kafka.administration import apply_topics
from services.common.kafka.settings import KafkaSettings
from services.common.redis.settings import RedisSettings
from services.common.settings.service import Settings
from services.host.processes import ClusterHost, Replicas
from tests.bench.cluster_client import Outcome, Plan
from tests.bench.cluster_restore import restore
from tests.bench.cluster_script import Move, script
from tests.bench.on_brokers import on_brokers
from tests.conftest import REPOSITORY

TITLE, SEED, PLAYERS = "1824", 7, ("Ann", "Bob", "Cem", "Dora")
MOVES = 220
GAMES = 160
CALLERS = 96
# A broker runs for months. Until its compiler is done with the hottest code it takes more of two cores than all services.
WARM_BROKER_SECONDS = 45.0
PARTITIONS = 6
RECORD_BYTES = 600
GOAL_RATE, GOAL_P99_MS, GOAL_IDLE_P50_MS = 500, 100.0, 25.0
IDLE_SECONDS, LOAD_SECONDS, WARM_SECONDS = 6.0, 10.0, 3.0
KILL_SECONDS, KILL_AFTER_SECONDS = 40.0, 5.0
PERFORMANCE = re.compile(r"([\d.]+) records/sec.*, (\d+) ms 50th, \d+ ms 95th, (\d+) ms 99th")


@dataclass(frozen=True, slots=True)
class Table:
    """Players with their tokens, the games that they sit at, and the script of these games."""

    tokens: Mapping[str, str]
    games: list[str]
    moves: list[Move]
    script: Path


def main() -> int:
    """Measure and print; 1 if a command got lost, 2 without brokers."""
    return on_brokers(_measure)


def _measure(folder: Path, servers: KafkaServers, redis: RedisSettings) -> int:
    kafka = servers.settings("bench.", partitions=PARTITIONS)
    apply_topics(kafka)
    print(
        f"{os.cpu_count()} cores for broker, Redis, 2 rules, 1 routing, 1 ledger, 1 lobby and the players; "
        f"{PARTITIONS} partitions"
    )
    _broker_alone(kafka)
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
    restore(folder, kafka, redis, table.games[0])
    return 1 if lost else 0


def _settings() -> Settings:
    return Settings(routing_workers=1)


def _broker_alone(kafka: KafkaSettings) -> None:
    """The producer performance test that comes with the broker: what Kafka alone does on this machine."""
    try:
        java, jars = find_java(os.environ), find_jars(os.environ)
    except WayClosed as closed:
        print(f"  the broker's own producer test: not here ({closed})")
        return
    topic = f"{kafka.topic_prefix}rules.commands"
    for rate, records in ((GOAL_RATE, 4_000), (-1, 100_000)):
        command = [java, "-cp", f"{jars}/*", "org.apache.kafka.tools.ProducerPerformance"]
        command += ["--topic", topic, "--num-records", str(records), "--record-size", str(RECORD_BYTES)]
        command += [
            "--throughput",
            str(rate),
            "--producer-props",
            f"bootstrap.servers={kafka.servers[0]}",
            "acks=all",
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        found = PERFORMANCE.findall(done.stdout)
        label = "as fast as it can" if rate < 0 else f"asked for {rate}/s"
        if found:
            each, p50, p99 = found[-1]
            print(
                f"  the broker's own producer test, {RECORD_BYTES} B, {label}: {float(each):8.0f} records/s "
                f"p50 {p50} p99 {p99} ms",
                flush=True,
            )


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
    tokens = {}
    for name in PLAYERS:
        player_id = register(host.addresses.lobby, name, "correct horse battery")
        tokens[player_id] = sign_in(host.addresses.lobby, name, "correct horse battery").token
    owner, *others = (Lobby(host.addresses.lobby, token) for token in tokens.values())
    games: list[str] = []
    seats: Sequence[str] = ()
    began = time.monotonic()
    for _ in track(range(count), "games", transient=True):
        table = owner.create_table(TITLE, len(PLAYERS), seed=SEED)
        for other in others:
            other.join_table(table.table_id)
        started = owner.start_table(table.table_id)
        games.append(started.game_id)
        seats = tuple(started.seats)
    seconds = time.monotonic() - began
    print(
        f"  {count} tables opened, filled and begun by {len(PLAYERS)} players: {count / seconds:.1f} a second"
    )
    moves = script(TITLE, seats, SEED, MOVES)
    path = folder / "script"
    path.write_bytes(msgspec.msgpack.encode(moves))
    return Table(tokens, games, moves, path)


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
        addresses=tuple(host.addresses.rules.split(",")),
        tokens=dict(table.tokens),
        games=table.games,
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
        _, p99 = tail(outcome.milliseconds)
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


def _kill(host: ClusterHost, table: Table, played: Mapping[str, int]) -> int:
    """kill -9 of an owner while 100 commands a second are asked for: how long its games are unavailable; nothing is lost."""
    victim = host.replica("rules-1").process
    killer = threading.Timer(KILL_AFTER_SECONDS, lambda: os.kill(victim.pid, signal.SIGKILL))
    killer.start()
    outcome = generate(plan_of(host, table, KILL_SECONDS, callers=CALLERS, rate=100.0, played=played))
    killer.join()
    victim.start()
    slowest = max(outcome.milliseconds, default=0.0) / 1000
    lost = sum(outcome.refused.values())
    print(
        f"  kill -9 of one of 2 owners: longest wait of a command {slowest:.1f} s, repeats inside it included; "
        f"{len(outcome.milliseconds)} commands answered, {lost} refused though they were legal",
        flush=True,
    )
    return lost


def generate(plan: Plan) -> Outcome:
    """Let a process of players carry `plan` out."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.cluster_client"],
        input=msgspec.json.encode(plan),
        stdout=subprocess.PIPE,
        cwd=REPOSITORY,
        check=True,
    )
    return msgspec.json.decode(done.stdout, type=Outcome)


def _row(name: str, outcome: Outcome, goal: str = "") -> None:
    p50, p99 = tail(outcome.milliseconds)
    others = {**outcome.failures, **outcome.refused}
    print(
        f"  {name:34} {outcome.rate:6.0f} accepted/s  p50 {p50:6.1f} p99 {p99:6.1f} ms"
        f"{f'  {goal}' if goal else ''}{f'  {others}' if others else ''}",
        flush=True,
    )


def tail(milliseconds: Sequence[float]) -> tuple[float, float]:
    """The median, and what one of a hundred exceeds."""
    values = sorted(milliseconds) or [float("nan")]
    return values[len(values) // 2], values[int(len(values) * 0.99)]


def _kept(value: float, goal: float) -> str:
    return "kept" if value < goal else "MISSED"
