"""One run: a seed, games under faults, and the laws afterwards."""

from __future__ import annotations

import gc
import hashlib
import logging
import shutil
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from services.common.kafka.unpacking import readable
from tests.faults.tables import Tables
from tests.wholesim import connection, rpc
from tests.wholesim.faults import END_LOOK_SECONDS, Faults
from tests.wholesim.kafka_log import Entry, Kafka
from tests.wholesim.laws import CommittedEvents, Watcher, check
from tests.wholesim.platform import KAFKA, Platform
from tests.wholesim.players import Amount, LimitedPlayer
from tests.wholesim.primitives import running
from tests.wholesim.schedule import Schedule
from tests.wholesim.substitutes import substituted

LINES_KEPT = 4000
LOOK_SECONDS = 0.02
HOUSEKEEPING_SECONDS = 0.25
SECONDS_MAX = 3600.0
MEMORY = Path("/dev/shm")


@dataclass
class Outcome:
    """What a run came to. `digest`: of every record of Kafka and its time, the same in every run of the seed."""

    seed: int
    failures: list[str] = field(default_factory=list)
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=LINES_KEPT))
    """The last lines of the log of all processes."""
    faults: list[str] = field(default_factory=list)
    digest: str = ""
    acknowledged: int = 0
    repeats: int = 0
    games: int = 0
    deaths: dict[str, int] = field(default_factory=dict)
    reached: set[str] = field(default_factory=set)
    """The crash points that were reached, whether anybody died there or not."""
    simulated_seconds: float = 0.0
    switches: int = 0
    records: int = 0


def run(seed: int, amount: Amount | None = None, say: Callable[[str], None] | None = None) -> Outcome:
    """Play the seed; the same seed gives the same outcome. `say` gets every line of the log at once."""
    outcome = Outcome(seed)
    schedule = Schedule(seed)
    schedule.seconds_max = SECONDS_MAX
    with _garbage_kept(), _folder() as folder, _logging_to(schedule, outcome, say), running(schedule):
        kafka = Kafka(schedule, KAFKA)
        network = rpc.Network()
        digest = hashlib.blake2b(digest_size=12)
        kafka.on_append = lambda place, entry: _note(outcome, digest, place, entry)
        connection.connect(kafka)
        rpc.connect(network)
        platform = Platform(schedule, network, folder, _signing_key(folder))
        with substituted(platform.reach):
            try:
                _play(schedule, kafka, platform, outcome, amount or Amount())
            except Exception as problem:
                outcome.failures.append(f"the run itself: {problem!r}")
                logging.getLogger("wholesim").exception("the run itself")
            finally:
                _end(schedule, platform)
        outcome.reached = platform.reached
        outcome.digest = digest.hexdigest()
    outcome.failures += schedule.failures
    outcome.simulated_seconds, outcome.switches = schedule.now, schedule.switches
    return outcome


def _play(schedule: Schedule, kafka: Kafka, platform: Platform, outcome: Outcome, amount: Amount) -> None:
    schedule.spawn("housekeeping", lambda: _keep_house(schedule, kafka, platform))
    for replica in platform.replicas.values():
        platform.start(replica)
    platform.wait_ready()
    tables = Tables(platform.host.addresses.lobby)
    watcher = Watcher(schedule, platform, CommittedEvents(kafka))
    players: list[LimitedPlayer] = []

    def sit_down(number: int) -> None:
        addresses = platform.host.addresses.rules
        player = LimitedPlayer(number, outcome.seed, addresses, tables, amount, watcher.games)
        players.append(player)
        player.run()

    for number in range(amount.players):
        schedule.spawn(f"player {number}", partial(sit_down, number))
    schedule.spawn("watcher", watcher.run)
    faults = Faults(schedule, kafka, platform, lambda: _are_done(players, amount))
    outcome.faults = faults.done
    schedule.spawn("faults", faults.run)
    while not faults.is_over and not schedule.failures:
        schedule.sleep(END_LOOK_SECONDS)
    watcher.is_over = True
    _count(outcome, players, platform)
    if not schedule.failures and not outcome.failures:
        outcome.failures += check(platform, kafka, players, tables)


def _count(outcome: Outcome, players: list[LimitedPlayer], platform: Platform) -> None:
    outcome.failures += [str(player.failure) for player in players if player.failure]
    outcome.games = sum(len(player.games) for player in players)
    outcome.acknowledged = sum(player.acknowledged for player in players)
    outcome.repeats = sum(game.answers.repeats for player in players for game in player.games)
    for replica in platform.replicas.values():
        for point, count in replica.deaths.items():
            outcome.deaths[point] = outcome.deaths.get(point, 0) + count


def _are_done(players: list[LimitedPlayer], amount: Amount) -> bool:
    return len(players) == amount.players and all(player.is_done for player in players)


def _keep_house(schedule: Schedule, kafka: Kafka, platform: Platform) -> None:
    while not platform.is_closing:
        kafka.expire()
        schedule.sleep(HOUSEKEEPING_SECONDS)


def _end(schedule: Schedule, platform: Platform) -> None:
    """Every thread ends, so that nothing of this run is left."""
    platform.close()
    while schedule.others():
        schedule.end_others()
        schedule.sleep(LOOK_SECONDS)


def _note(outcome: Outcome, digest: Any, place: tuple[str, int], entry: Entry) -> None:
    outcome.records += 1
    # Not the bytes of values: maps are written in any order, and packed ones are as long as their order allows.
    length = len(readable(entry.value, entry.key) or b"")
    digest.update(repr((place, entry.key, length, entry.time_ms, entry.is_mark)).encode())


@contextmanager
def _garbage_kept() -> Iterator[None]:
    """What killed processes leave behind is thrown away after the run: when that happens is up to nobody's seed. What is still
    there then, such as compiled kernels, is not searched again after the next. Coroutines that are thrown away half done
    complain."""
    complain, sys.unraisablehook = sys.unraisablehook, lambda _: None
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()
        sys.unraisablehook = complain


@contextmanager
def _folder() -> Iterator[Path]:
    """For the files of replicas; in memory where there is such a folder."""
    folder = Path(tempfile.mkdtemp(prefix="wholesim-", dir=MEMORY if MEMORY.is_dir() else None))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _signing_key(folder: Path) -> Path:
    """The same key in every run."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    path = folder / "signing-key.pem"
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    path.chmod(0o600)
    return path


@contextmanager
def _logging_to(schedule: Schedule, outcome: Outcome, say: Callable[[str], None] | None) -> Iterator[None]:
    """Every line of every process goes into the outcome."""

    def note(_logger: Any, level: str, line: Any) -> Any:
        event = line.pop("event", "")
        words = " ".join(f"{name}={value}" for name, value in line.items())
        text = f"{schedule.now:9.3f} {schedule.current.process.name:10} {level:8} {event} {words}"
        outcome.lines.append(text)
        if say is not None:
            say(text)
        raise structlog.DropEvent

    before = structlog.get_config()
    structlog.configure(
        processors=[structlog.processors.format_exc_info, note],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=False,
    )
    try:
        yield
    finally:
        structlog.configure(**before)
