"""What a command leaves and takes compared with a commit before, in turns of one run: bytes in Kafka, processor time by service,
times to the answer. Each commit's services have a Kafka of their own; the players, of this commit, do the same to both.

`SIGNALBOX_BENCH_BASE=5dc813af python -m tests.bench before`; other rates and rounds: `python -m tests.bench.before --rates 100`.
A commit must know the calls and the commands that the players of this one use."""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from devtools.brokers.kafka import KafkaServers
from devtools.brokers.missing import BrokersMissing
from devtools.brokers.opening import open_kafka, open_redis
from services.bench.load import Plan
from services.bench.measured import OWN_TOPICS, times_of
from services.bench.opening import Table, open_games, registered
from services.bench.playing import generate
from services.common.redis.settings import RedisSettings
from services.common.settings.service import PREFIX
from services.host.processes import environment_of
from tests.bench.checkouts import BASE_VARIABLE, checkout_of, importing_from
from tests.bench.stored import Watched, pids_of, settled
from tests.conftest import REPOSITORY

HOST_SAMPLE = REPOSITORY / "tests" / "bench" / "host_sample.py"
NOW = "now"
# So few games that a run comes to the ends of their scripts: statuses of before grew with a game.
TITLE, SEED, PLAYERS, GAMES, MOVES = "1824", 7, 4, 40, 220
PARTITIONS, CALLERS = 6, 40
RATES, SECONDS, ROUNDS = (10.0, 50.0, 100.0), 12.0, 5
# Until the broker's compiler is done with the hottest code; so slow that both are as far in their games afterwards.
WARM_RATE, WARM_SECONDS = 30.0, 40.0
BROKER = "broker"
SMALLEST = 1e-9

Figures = dict[str, float]


class Said(msgspec.Struct):
    """What `host_sample` says of the services that it runs: their addresses, their processes."""

    lobby: str
    rules: str
    pids: list[tuple[str, int]]


@dataclass(slots=True)
class Side:
    """The services of one commit with the games on them."""

    name: str
    rules: str
    watched: Watched
    table: Table
    played: dict[str, int] = field(default_factory=dict)

    def rest(self, seconds: float) -> Figures:
        """Seconds of cores that a second without commands takes, by service."""
        before, began = settled(self.watched), time.monotonic()
        time.sleep(seconds)
        taken = settled(self.watched).since(before)
        return {name: value / (time.monotonic() - began) for name, value in taken.cores.items()}

    def play(self, rate: float, seconds: float, idle: Figures) -> Figures:
        """What a command took and left at this rate; `idle`: what a second takes anyway."""
        before, began = settled(self.watched), time.monotonic()
        plan = Plan(
            rules=self.rules,
            tokens=dict(self.table.tokens),
            games=dict(self.table.games),
            script=str(self.table.script),
            seconds=seconds,
            callers=CALLERS,
            rate=rate,
            played=self.played,
        )
        outcome = generate(plan)
        self.played = outcome.played
        if outcome.refused or outcome.unanswered:
            print(f"  {self.name}: refused {outcome.refused}, {outcome.unanswered} unanswered", flush=True)
        count = max(1, len(outcome.milliseconds))
        taken = settled(self.watched).since(before).each(count)
        waited = (time.monotonic() - began) / count
        cores = {name: 1000 * value for name, value in sorted(taken.cores.items())}
        times = times_of(outcome.milliseconds, outcome.not_begun)
        whole = sum(cores.values())
        return {
            "accepted": float(len(outcome.milliseconds)),
            "p50, ms": times.p50,
            "p99, ms": times.p99,
            "bytes in Kafka": sum(size for name, size in taken.topics.items() if name != OWN_TOPICS),
            "bytes of records": sum(taken.records.values()),
            **{f"ms of a core: {name}": value for name, value in cores.items()},
            "ms of a core: all services": whole - cores[BROKER],
            "the same, less what they take idle": whole
            - cores[BROKER]
            - 1000 * waited * (sum(idle.values()) - idle[BROKER]),
            "ms of a core: all, broker too": whole,
            "the same, less all that is idle": whole - 1000 * waited * sum(idle.values()),
        }


def main(arguments: Sequence[str] = ()) -> int:
    """Measure and print; 2 without brokers."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.before", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="in each of which both have their turn")
    parser.add_argument("--rates", type=float, nargs="+", default=RATES, help="commands/s")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="each rate lasts")
    chosen = parser.parse_args(arguments)
    base = os.environ.get(BASE_VARIABLE, "HEAD^")
    try:
        with ExitStack() as running:
            before = running.enter_context(checkout_of(base))
            sides = [
                running.enter_context(_side(name, checkout))
                for name, checkout in ((base, before), (NOW, REPOSITORY))
            ]
            _measure(sides, chosen)
    except BrokersMissing as missing:
        print(missing, file=sys.stderr)
        return 2
    return 0


def _measure(sides: Sequence[Side], chosen: argparse.Namespace) -> None:
    for side in sides:
        side.play(WARM_RATE, WARM_SECONDS, dict.fromkeys(side.rest(0.0), 0.0))
    found: dict[tuple[float, str], list[Figures]] = {}
    for number in range(chosen.rounds):
        turns = sides if number % 2 == 0 else list(reversed(sides))
        idle = {side.name: side.rest(chosen.seconds) for side in turns}
        for side in turns:
            shown = {f"ms of a core a second: {name}": 1000 * each for name, each in idle[side.name].items()}
            found.setdefault((0.0, side.name), []).append(shown)
        for rate in chosen.rates:
            for side in turns:
                figures = side.play(rate, chosen.seconds, idle[side.name])
                found.setdefault((rate, side.name), []).append(figures)
        print(f"  round {number + 1} of {chosen.rounds}", flush=True)
    for rate in (0.0, *chosen.rates):
        _show(rate, {side.name: found[rate, side.name] for side in sides})


@contextmanager
def _side(name: str, checkout: Path) -> Iterator[Side]:
    """Services of a checkout on brokers of their own, with games that have begun. Raises `BrokersMissing`."""
    with tempfile.TemporaryDirectory(prefix="signalbox-bench-") as scratch:
        folder = Path(scratch)
        with (
            open_redis(folder / "redis", {}) as redis,
            open_kafka(folder / "kafka", is_own=True, is_lasting=True) as servers,
            _services(checkout, folder, servers, RedisSettings(address=redis.address)) as said,
        ):
            pids = said.pids + pids_of(servers)
            kafka = servers.settings("bench.", partitions=PARTITIONS)
            watched = Watched(kafka, servers.nodes[0].data, folder, pids)
            tokens = registered(said.lobby, PLAYERS)
            table = open_games(said.lobby, tokens, folder, title=TITLE, seed=SEED, games=GAMES, moves=MOVES)
            print(f"  {name}: {GAMES} games", flush=True)
            yield Side(name, said.rules, watched, table)


@contextmanager
def _services(checkout: Path, folder: Path, servers: KafkaServers, redis: RedisSettings) -> Iterator[Said]:
    """They run on these brokers; raises `MsgspecError` where they do not."""
    kafka = servers.settings("bench.", partitions=PARTITIONS)
    environment = {
        **importing_from(checkout),
        **environment_of(kafka, f"{PREFIX}KAFKA_"),
        **environment_of(redis, f"{PREFIX}REDIS_"),
    }
    host = subprocess.Popen(
        (sys.executable, "-P", str(HOST_SAMPLE), str(folder)),
        cwd=checkout,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with host:
        assert host.stdout is not None
        yield msgspec.json.decode(host.stdout.readline(), type=Said)


def _show(rate: float, sides: Mapping[str, Sequence[Figures]]) -> None:
    """The median of the rounds with the least and the most, and that of the ratios within a round."""
    print(f"  {rate:g} commands/s{'':26}" + "".join(f"{name:>28}" for name in sides) + f"{'ratio':>24}")
    before, now = sides.values()
    for what in before[0]:
        old, new = ([figures[what] for figures in side] for side in (before, now))
        ratios = [after / max(first, SMALLEST) for first, after in zip(old, new, strict=True)]
        cells = f"{_spread(old, 1):>28}{_spread(new, 1):>28}{_spread(ratios, 2):>24}"
        print(f"    {what:36}{cells}", flush=True)


def _spread(values: Sequence[float], digits: int) -> str:
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
