"""People who play on a platform that is lost, and what of their commands is there after a restore."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event, Lock, Thread
from urllib.request import urlopen

from services.backup.contents import Source
from services.client import Lobby, NotAnsweredError
from services.common.kafka.commits import read_commit
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS
from services.common.settings.service import Settings
from services.host.addresses import Addresses
from services.host.children import free_ports
from services.host.processes import ClusterHost
from services.ledger.cluster.replica import books_path
from tests.backup.records import Content, environment_for
from tests.integration.tables import Gathering, gather, signed_in_again

POINT_METRIC = "signalbox_backup_point_timestamp_seconds"
LOOK_SECONDS = 0.1
TABLES_EVERY_SECONDS = 0.3


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
        """Begin; a call without an answer ends its thread."""
        self.gatherings += [
            gather(self.addresses, ("Ann", "Bob", "Cem"), seed) for seed in range(1, games + 1)
        ]
        works = [partial(self._play, each) for each in self.gatherings]
        self._threads = [
            Thread(target=self._until_lost, args=(work,), daemon=True)
            for work in (*works, self._begin_tables)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """No further command is sent; those under way may end or not."""
        self._stop.set()

    def _until_lost(self, work: Callable[[], None]) -> None:
        with suppress(NotAnsweredError):
            work()

    def _play(self, gathering: Gathering) -> None:
        while not self._stop.is_set():
            self._move(gathering)

    def _begin_tables(self) -> None:
        first = gather(self.addresses, ("Dora", "Eve", "Finn"))
        gathering = first
        while not self._stop.wait(TABLES_EVERY_SECONDS):
            with self._lock:
                self.gatherings.append(gathering)
            self._move(gathering)
            gathering = another_table(self.addresses, first)

    def _move(self, gathering: Gathering) -> None:
        sequence = gathering.move().last_sequence
        with self._lock:
            self.acknowledged.append(Acknowledged(gathering.game_id, sequence, time.time()))

    def lost(self, sequences: Mapping[str, int]) -> list[Acknowledged]:
        """Acknowledged commands that are beyond the sequences that games have now."""
        with self._lock:
            return [each for each in self.acknowledged if each.sequence > sequences.get(each.game_id, 0)]


def another_table(addresses: Addresses, gathering: Gathering) -> Gathering:
    """The same people begin another game."""
    lobbies = [Lobby(addresses.lobby, each.token) for each in gathering.people.values()]
    table_id = lobbies[0].create_table("1824", len(lobbies)).table_id
    for lobby in lobbies[1:]:
        lobby.join_table(table_id)
    table = lobbies[0].start_table(table_id)
    for lobby in lobbies:
        lobby.close()
    return Gathering(table, gathering.people)


def last_sequences(found: Mapping[Source, Sequence[Content]]) -> dict[str, int]:
    """How far each game is, by the rule of the log, among these records of partitions."""
    lasts: dict[str, int] = {}
    for (topic, _), records in found.items():
        for _, key, value, _ in records if topic == EVENTS.name else ():
            commit, game_id = read_commit(value, key), (key or b"").decode()
            if commit.first_sequence == lasts.get(game_id, 0) + 1:
                lasts[game_id] = commit.first_sequence + len(commit.facts) - 1
    return lasts


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


class Stopwatch:
    """How long each of several steps took."""

    def __init__(self) -> None:
        self._last = time.monotonic()
        self._steps: list[str] = []

    def note(self, step: str) -> None:
        """This step is over."""
        now = time.monotonic()
        self._steps.append(f"{step} {now - self._last:.1f} s")
        self._last = now

    def __str__(self) -> str:
        return ", ".join(self._steps)
