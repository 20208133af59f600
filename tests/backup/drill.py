"""People who play on a platform that is lost, and what of their commands is there after a restore."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock, Thread
from urllib.request import urlopen

from services.common.kafka.settings import KafkaSettings
from services.common.settings.service import Settings
from services.host.addresses import Addresses
from services.host.children import free_ports
from services.host.kafka_game import read_game
from services.host.processes import ClusterHost
from services.ledger.cluster.replica import books_path
from tests.backup.records import environment_for
from tests.integration.tables import Gathering, gather, signed_in_again

POINT_METRIC = "signalbox_backup_point_timestamp_seconds"
LOOK_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """A command that a player knows to be carried out: the game's sequence after it, and when the player knew."""

    game_id: str
    sequence: int
    time: float


@dataclass
class Crowd:
    """So many games that are played without a pause, each in a thread; beside them tables that begin and are left."""

    addresses: Addresses
    gatherings: list[Gathering] = field(default_factory=list)
    acknowledged: list[Acknowledged] = field(default_factory=list)
    _stop: Event = field(default_factory=Event)
    _lock: Lock = field(default_factory=Lock)
    _threads: list[Thread] = field(default_factory=list)

    def start(self, games: int) -> None:
        """Begin; what fails from then on ends its thread."""
        self.gatherings += [
            gather(self.addresses, ("Ann", "Bob", "Cem"), seed) for seed in range(1, games + 1)
        ]
        players = [Thread(target=self._play, args=(each,), daemon=True) for each in self.gatherings]
        self._threads = [*players, Thread(target=self._begin_tables, daemon=True)]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """No further command is sent; those under way may end or not."""
        self._stop.set()

    def _play(self, gathering: Gathering) -> None:
        while not self._stop.is_set():
            self._move(gathering)

    def _begin_tables(self) -> None:
        while not self._stop.is_set():
            gathering = gather(self.addresses, ("Dora", "Eve", "Finn"))
            with self._lock:
                self.gatherings.append(gathering)
            self._move(gathering)

    def _move(self, gathering: Gathering) -> None:
        sequence = gathering.move().last_sequence
        with self._lock:
            self.acknowledged.append(Acknowledged(gathering.game_id, sequence, time.time()))

    def lost(self, sequences: Mapping[str, int]) -> list[Acknowledged]:
        """Acknowledged commands that are beyond the sequences that games have now."""
        with self._lock:
            return [each for each in self.acknowledged if each.sequence > sequences.get(each.game_id, 0)]


def last_sequences(kafka: KafkaSettings, gatherings: list[Gathering]) -> dict[str, int]:
    """How far each game is that is there at all."""
    found = {each.game_id: len(read_game(kafka, each.game_id).facts) for each in gatherings}
    return {game_id: last for game_id, last in found.items() if last}


def elsewhere(gathering: Gathering, addresses: Addresses) -> Gathering:
    """The same people at the same table, at other addresses, with the tokens they have."""
    return Gathering(gathering.table, signed_in_again(addresses, gathering.people))


def books_of(host: ClusterHost, folder: Path) -> Path:
    """The file of its ledger's books."""
    instance = host.replica("ledger-1").name
    return books_path(
        Settings(database=folder / "signalbox.db"),
        KafkaSettings(servers=host.kafka.servers, topic_prefix=host.kafka.topic_prefix, instance=instance),
    )


@dataclass(frozen=True, slots=True)
class BackupProcess:
    """`signalbox backup --every` as a process."""

    process: subprocess.Popen[bytes]
    metrics_port: int

    def point_time(self) -> float:
        """Until when everything is in the store, as its metrics say; 0 before the first point and while it starts."""
        try:
            text = urlopen(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=10).read().decode()
        except OSError:
            return 0.0
        return next(
            float(line.split()[1]) for line in text.splitlines() if line.startswith(f"{POINT_METRIC} ")
        )

    def wait_for_point(self, since: float, seconds: float) -> None:
        """Until there is a point of a later time."""
        deadline = time.monotonic() + seconds
        while self.point_time() <= since:
            assert self.process.poll() is None and time.monotonic() < deadline
            time.sleep(LOOK_SECONDS)


@contextmanager
def backing_up(kafka: KafkaSettings, store: str, every_seconds: int) -> Iterator[BackupProcess]:
    """The process; killed at the end."""
    (port,) = free_ports(1)
    own = {"SIGNALBOX_METRICS_PORT": str(port), "SIGNALBOX_LOG_LEVEL": "warning"}
    command = [
        sys.executable,
        "-m",
        "services.cli",
        "backup",
        "--store",
        store,
        "--every",
        str(every_seconds),
    ]
    process = subprocess.Popen(command, env=os.environ | environment_for(kafka) | own)
    try:
        yield BackupProcess(process, port)
    finally:
        process.kill()
        process.wait()
