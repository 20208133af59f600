"""How long a replica of rules takes from nothing until it serves, with a million finished games and ten thousand in play: its
process starts with an empty volume, restores its partitions from snapshots, and then has to answer a read of a game in play, one
of a game in the archive, and a command.

`python -m tests.bench.serving --folder FOLDER`: what is made stays in the folder, Kafka's data with it, and the next run only
measures. Smaller: `--finished 10000 --live 1000`. Without a folder it is made in a temporary one and removed. `--s3`: archive and
snapshots are in a bucket.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from urllib.request import urlopen

from devtools.brokers.kafka import KafkaServers
from devtools.brokers.missing import BrokersMissing
from devtools.brokers.opening import open_kafka, open_redis
from services.client.games import Games
from services.common.auth.tokens import Principal, TokenIssuer, load_or_create_signing_key
from services.common.clock import SystemClock
from services.common.kafka.settings import KafkaSettings
from services.common.redis.settings import RedisSettings
from services.common.settings.service import Settings
from services.host.processes import ClusterHost, Replica, Replicas
from services.host.sites import Site
from services.rules.adapters.codec import stored_body
from services.rules.parts.trains.commands import RunTrains
from tests.bench.bucket import in_bucket
from tests.bench.cost import cpu_seconds
from tests.bench.making import ARCHIVE, STORE, Made, made_in, make
from tests.bench.sockets import received_from
from tests.bench.synthetic import SEED, SyntheticGame

FINISHED, LIVE = 1_000_000, 10_000
PARTITIONS = 12
GOAL_SECONDS = 60.0
# Games of each sort that are read back as a whole.
SAMPLE = 20
PREFIX = "serving."
TOKEN_SECONDS = 3600
METRICS_SECONDS = 10.0
# On a machine with much else to do.
START_SECONDS = 1_200.0
# No question of routes is asked here.
NOBODY = "127.0.0.1:1"
RESTORED = re.compile(r"^signalbox_partition_restore_bytes_total ([0-9.e+]+)$", re.MULTILINE)
PEAK = re.compile(r"^VmHWM:\s+(\d+) kB$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Served:
    """What a start took: seconds until the health check said that it serves and until all three were answered; seconds of a core;
    bytes from Kafka and from the store; the most memory, and the file."""

    serving: float
    answered: float
    cores: float
    received: int
    restored: float
    memory: int
    file: int

    def __str__(self) -> str:
        return (
            f"serves after {self.serving:.1f} s, read and command answered after {self.answered:.1f} s; "
            f"{self.cores:.1f} s of a core, {self.received / 1e6:.1f} MB from Kafka, {self.restored / 1e6:.1f} MB from "
            f"the store, at most {self.memory / 1e6:.0f} MB of memory, a file of {self.file / 1e6:.0f} MB"
        )


def main(arguments: Sequence[str] = ()) -> int:
    """Measure and print; 1 where it takes longer than it should, 2 without brokers."""
    chosen = _parser().parse_args(arguments)
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="signalbox-bench-")))
        folder = chosen.folder or scratch / "made"
        made = made_in(folder)
        if made is None or (made.finished, made.live) != (chosen.finished, chosen.live):
            shutil.rmtree(folder, ignore_errors=True)
            made = None
        try:
            redis = stack.enter_context(open_redis(scratch / "redis", {}))
            servers = stack.enter_context(_kafka_in(folder, scratch))
        except BrokersMissing as missing:
            print(missing, file=sys.stderr)
            return 2
        # So that it does not have to look through its files at the next start.
        for node in servers.nodes:
            stack.callback(node.stop)
        kafka = servers.settings(PREFIX, partitions=PARTITIONS)
        made = made or make(folder, kafka, chosen.finished, chosen.live)
        stores = f"folder:{folder.absolute()}"
        if chosen.s3:
            stores = stack.enter_context(in_bucket(folder, (ARCHIVE, STORE)))
        return _measure(scratch, stores, made, kafka, RedisSettings(address=redis.address))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.serving", description=__doc__)
    parser.add_argument("--finished", type=int, default=FINISHED, help="games that are over, in the archive")
    parser.add_argument("--live", type=int, default=LIVE, help="games in play")
    parser.add_argument("--s3", action="store_true", help="with a server of the S3 API")
    parser.add_argument("--folder", type=Path, help="where what is made stays for the next run")
    return parser


def _kafka_in(folder: Path, scratch: Path) -> KafkaServers:
    """A Kafka whose data stay in the folder."""
    data = folder / "kafka"
    folder.mkdir(parents=True, exist_ok=True)
    return open_kafka(scratch / "kafka", is_own=True, is_lasting=True, places=[Site(folder=data)])


def _measure(scratch: Path, stores: str, made: Made, kafka: KafkaSettings, redis: RedisSettings) -> int:
    print(
        f"  {made.finished:,} finished games in the archive, {made.live:,} in play, {made.partitions} partitions"
    )
    replica = OneReplica(scratch / "replica", stores, made, kafka, redis)
    first = replica.start()
    print(f"  from nothing: {first}", flush=True)
    print(f"  read back as they were: {replica.check_samples(SAMPLE)} games", flush=True)
    replica.stop()
    again = replica.start()
    print(f"  with its file: {again}", flush=True)
    replica.stop()
    is_kept = first.answered < GOAL_SECONDS
    print(f"  goal: under {GOAL_SECONDS:.0f} s from nothing: {'kept' if is_kept else 'MISSED'}")
    return 0 if is_kept else 1


class OneReplica:
    """A process of rules over what was made, and a player of each of its games."""

    def __init__(
        self, folder: Path, stores: str, made: Made, kafka: KafkaSettings, redis: RedisSettings
    ) -> None:
        """`stores`: a location that has those of archive and snapshots in it."""
        self._folder = folder
        self._made = made
        self._games = made.games()
        self._kafka = kafka
        settings = Settings(
            routing_addresses=(NOBODY,),
            archive=f"{stores}/{ARCHIVE}",
            partition_snapshots=f"{stores}/{STORE}",
        )
        self._host = ClusterHost(folder, kafka, redis, Replicas(0, 1, 0, 0), settings)
        self._tokens = TokenIssuer(
            load_or_create_signing_key(self._host.signing_key), TOKEN_SECONDS, SystemClock()
        )

    @property
    def replica(self) -> Replica:
        """The process."""
        return self._host.replica("rules-1")

    def start(self) -> Served:
        """Start it, and ask as soon as it says that it serves."""
        began = time.monotonic()
        self.replica.process.start()
        self.replica.wait_healthy(START_SECONDS)
        serving = time.monotonic() - began
        live = self._games.live(0)
        assert self._as_player(live).game(live.game_id).sequence > live.played.sequence
        old = self._games.finished(0)
        assert self._as_player(old).game(old.game_id).sequence == old.played.sequence
        self._move()
        answered, pid = time.monotonic() - began, self.replica.process.pid
        peak = PEAK.search(Path(f"/proc/{pid}/status").read_text())
        ports = {int(each.rpartition(":")[2]) for each in self._kafka.servers}
        return Served(
            serving,
            answered,
            cpu_seconds(pid),
            received_from(ports, [pid])[0],
            self._restored(),
            int(peak[1]) * 1024 if peak else 0,
            sum(each.stat().st_size for each in self._folder.glob("*.copy.db*")),
        )

    def stop(self) -> None:
        """Let it end."""
        self._host.stop()

    def check_samples(self, count: int) -> int:
        """Read some games of each sort as a whole, by the calls by which they are exported; returns how many."""
        draw, made = Random(SEED), self._made
        chosen = [self._games.finished(number) for number in draw.sample(range(made.finished), count)]
        chosen += [self._games.live(number) for number in draw.sample(range(made.live), count)]
        for game in chosen:
            caller, wanted = self._as_player(game), game.records()
            assert caller.game(game.game_id).title == game.played.title
            found = [stored_body(event) for event in caller.events(game.game_id)]
            # But for the first, from which players do not learn the seed.
            assert [each for each, *_ in found[: len(wanted)]] == [each.type for each in wanted]
            assert found[1 : len(wanted)] == [
                (each.type, each.schema_version, each.payload) for each in wanted[1:]
            ]
        return len(chosen)

    def _move(self) -> None:
        """Whose turn it is in some game does something for which nobody has to ask routing."""
        for number in range(self._made.live):
            game = self._games.live(number)
            for seat in game.played.seats:
                caller = self._as_player(game, seat)
                offer = caller.choices(game.game_id, with_best_runs=False)
                for choice in offer.choices:
                    if not isinstance(choice.command, RunTrains):
                        caller.execute(game.game_id, offer.sequence, choice.command)
                        return
        raise AssertionError("nobody can do anything")

    def _as_player(self, game: SyntheticGame, seat: str = "") -> Games:
        player = seat or game.played.seats[0]
        return Games(self.replica.address, self._tokens.issue(Principal(player, player)).token)

    def _restored(self) -> float:
        with urlopen(f"http://{self.replica.metrics}/metrics", timeout=METRICS_SECONDS) as answer:
            found = RESTORED.search(answer.read().decode())
        return float(found[1]) if found else 0.0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
