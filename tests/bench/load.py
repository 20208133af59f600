"""The routing service under load: throughput, tail and cost by workers and replicas, overload, and the death of a replica."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.progress import track

from services.gen.signalbox.routing.v1 import routing_pb2 as pb
from services.routing.convert import problem_to_message
from services.rules.importer.files import read_record
from services.rules.importer.replay import RecordedRun, play
from services.rules.kernel.game import Game
from services.rules.kernel.title import Title
from services.rules.kernel.titledata import TitleData
from services.rules.parts.trains.bestruns import problem_for
from services.rules.titles import TITLES
from tests.bench.cost import Cost, Meter, show_costs
from tests.bench.load_client import CALLERS, Outcome, Plan
from tests.conftest import REPOSITORY, SHARED_VARIABLE, shared_folder
from tests.routing.service.serving import Replica, replicas

GAMES = "fixtures/18xx.games/1824"
SECONDS, WARM_SECONDS, CACHING_SECONDS = 5.0, 1.0, 10.0
# So few that all have been asked after `CACHING_SECONDS`.
CACHED_PROBLEMS = 200
WORKER_COUNTS, REPLICA_COUNTS = (1, 2), (1, 2, 4)
OVERLOADS = (1, 2, 4)
KILL_AFTER_SECONDS, RESTART_AFTER_SECONDS, KILL_SECONDS = 2.0, 4.0, 8.0


def main() -> int:
    """Measure and print; 1 if an answer was lost, 2 without recorded games."""
    folder = shared_folder() / GAMES
    games = sorted(path for path in folder.glob("*.json*") if ".trace." not in path.name)
    if not games:
        print(f"no recorded games in {folder}; {SHARED_VARIABLE} may name another folder", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="signalbox-bench-") as scratch:
        requests = Path(scratch) / "requests"
        problems = _problems(games)
        requests.write_bytes(msgspec.msgpack.encode(problems))
        size = sum(map(len, problems)) / len(problems) / 1024
        print(
            f"routing under load: {len(problems)} problems, every run of {len(games)} recorded games, "
            f"{size:.0f} kB each; answers are not remembered"
        )
        print(
            f"  {os.cpu_count()} cores for all of it: generator (a process), servers and workers; "
            f"{CALLERS} callers, {SECONDS:g} s a row; cost of an answer: server + worker"
        )
        capacity = _by_workers(requests)
        solved = _by_replicas(requests)
        few = Path(scratch) / "few"
        few.write_bytes(msgspec.msgpack.encode(problems[:CACHED_PROBLEMS]))
        show_costs(solved, _cached(few))
        _overload(requests, capacity)
        return _kill(requests)


def _problems(games: Sequence[Path]) -> list[bytes]:
    """The question at every run, as requests ready to be sent, in an order that is always the same."""
    found: list[bytes] = []
    for path in track(games, "recorded games", transient=True):
        record = read_record(path)
        title = TITLES[record.title]

        def on_run(run: RecordedRun, game: Game, data: TitleData, title: Title = title) -> None:
            problem = problem_for(title, game, data, run.company)
            found.append(pb.SolveRequest(problem=problem_to_message(problem)).SerializeToString())

        play(record, title, time.perf_counter, as_recorded=True, on_run=on_run)
    random.Random(1824).shuffle(found)
    return found


def _generate(plan: Plan) -> Outcome:
    """Let a generator process carry `plan` out."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.load_client"],
        input=msgspec.json.encode(plan),
        stdout=subprocess.PIPE,
        cwd=REPOSITORY,
        check=True,
    )
    return msgspec.json.decode(done.stdout, type=Outcome)


def _by_workers(requests: Path) -> float:
    """One server with one worker process and more; returns the most answers a second."""
    rates: list[float] = []
    for count in WORKER_COUNTS:
        with replicas(1, workers=count, cache_entries=0) as running:
            rates.append(_row(f"1 server, {count} worker(s)", running, requests, rates)[0])
    return max(rates)


def _by_replicas(requests: Path) -> Cost:
    """As many servers with a worker each; returns the cost of an answer of the last row."""
    rates: list[float] = []
    for count in REPLICA_COUNTS:
        with replicas(count, workers=1, cache_entries=0) as running:
            rate, cost = _row(f"{count} replica(s), 1 worker each", running, requests, rates)
            rates.append(rate)
    return cost


def _cached(requests: Path) -> Cost:
    """One server that was asked everything before; returns the cost of an answer."""
    with replicas(1, workers=1) as running:
        _generate(Plan((running[0].address,), str(requests), CACHING_SECONDS))
        return _row("1 replica, all from its cache", running, requests, ())[1]


def _row(
    name: str, running: Sequence[Replica], requests: Path, before: Sequence[float]
) -> tuple[float, Cost]:
    """Measure and print; returns answers a second and the cost of one."""
    addresses = tuple(each.address for each in running)
    _generate(Plan(addresses, str(requests), WARM_SECONDS))
    meter = Meter(running)
    outcome = _generate(Plan(addresses, str(requests), SECONDS))
    cost = meter.cost(len(outcome.milliseconds))
    rate = len(outcome.milliseconds) / outcome.seconds
    first = before[0] if before else rate
    print(
        f"  {name:30} {rate:7.0f} answers/s  x{rate / first:4.2f}   {_tail(outcome.milliseconds)}"
        f"   {cost.server * 1000:.2f} + {cost.worker * 1000:.2f} ms of a core{_others(outcome)}",
        flush=True,
    )
    return rate, cost


def _overload(requests: Path, capacity: float) -> None:
    """Overload: accepted questions are answered soon, the rest is rejected at once with a time to retry."""
    with replicas(1, workers=max(WORKER_COUNTS), cache_entries=0) as (server,):
        for times in OVERLOADS:
            plan = Plan(
                (server.address,), str(requests), SECONDS, WARM_SECONDS, rate=times * capacity, repeats=False
            )
            outcome = _generate(plan)
            print(
                f"  {times}x {capacity:5.0f} questions/s: {len(outcome.milliseconds) / outcome.seconds:6.0f} answers/s "
                f"{_tail(outcome.milliseconds)}; refused {outcome.statuses.get('RESOURCE_EXHAUSTED', 0)} "
                f"of {outcome.asked}{_refusals(outcome)}; "
                f"generator late by {outcome.late_ms:.0f} ms{_others(outcome)}",
                flush=True,
            )


def _kill(requests: Path) -> int:
    """One of two replicas is killed under load and started again; nothing may be lost."""
    with replicas(2, workers=1, cache_entries=0) as (first, second):
        port = int(first.address.rpartition(":")[2])
        again: list[Replica] = []
        killer = threading.Timer(KILL_AFTER_SECONDS, lambda: first.end(signal.SIGKILL))
        restarter = threading.Timer(
            RESTART_AFTER_SECONDS, lambda: again.append(Replica(port=port, cache_entries=0))
        )
        killer.start()
        restarter.start()
        outcome = _generate(Plan((first.address, second.address), str(requests), KILL_SECONDS))
        restarter.join()
        again[0].end()
    lost = outcome.asked - len(outcome.milliseconds)
    print(
        f"  kill -9 of one of 2 replicas after {KILL_AFTER_SECONDS:g} s, started again after {RESTART_AFTER_SECONDS:g} s: "
        f"asked {outcome.asked}, answered {len(outcome.milliseconds)}, lost {lost}; {_tail(outcome.milliseconds)}"
        f"{_others(outcome)}"
    )
    return 1 if lost else 0


def _tail(milliseconds: Sequence[float]) -> str:
    values = sorted(milliseconds) or [float("nan")]
    p50, p99 = (values[int(len(values) * share)] for share in (0.5, 0.99))
    return f"p50 {p50:6.1f} p99 {p99:6.1f} max {values[-1]:6.1f} ms"


def _refusals(outcome: Outcome) -> str:
    values = sorted(outcome.refused_milliseconds)
    return f" (p99 {values[int(len(values) * 0.99)]:.1f} ms)" if values else ""


def _others(outcome: Outcome) -> str:
    """Statuses that should not be there."""
    others = {
        name: count for name, count in outcome.statuses.items() if name not in ("OK", "RESOURCE_EXHAUSTED")
    }
    return f"  {others}" if others else ""
