"""The processes of the platform in one run: started, killed, paused and started again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from services.common.errors import SignalboxError
from services.common.grpc.endings import Endings
from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.settings import KafkaSettings
from services.common.process.stopping import StopFlag
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from services.host.cluster.ledger import LedgerRunner
from services.host.cluster.lobby import LobbyRunner
from services.host.cluster.process import ServiceRunner
from services.host.cluster.routing import RoutingRunner
from services.host.cluster.rules import RulesRunner
from tests.wholesim.rpc import Network, Server
from tests.wholesim.schedule import Process, ProcessKilled, Schedule

PARTITIONS = 3
SESSION_SECONDS = 3
# After a takeover: at once, after a while, and never in a run.
DIRECT_AFTER_SECONDS = (0.0, 3.0, 3_600.0)
KAFKA = KafkaSettings(servers=("memory:9092",), partitions=PARTITIONS, session_seconds=SESSION_SECONDS)
SERVICES: dict[str, tuple[int, int]] = {"rules": (2, 3), "ledger": (1, 2), "lobby": (1, 2), "routing": (1, 1)}
"""Fewest and most replicas of each; the seed decides."""
RUNNERS: dict[str, Callable[..., ServiceRunner]] = {
    "rules": RulesRunner,
    "ledger": LedgerRunner,
    "lobby": LobbyRunner,
    "routing": RoutingRunner,
}
LOOK_SECONDS = 0.01
FIRST_PORT = 9001
PACKING_SHARE = 0.5
"""How many processes pack values of records, as while a platform is changed from the one to the other."""
OVERTAKEN_SHARE = 0.2
"""How often somebody else has a turn at a crash point."""
READY_SECONDS = 120.0


@dataclass(eq=False)
class Replica:
    """One place for a process. `crash_at`: the point and how many times it is still passed before the process dies."""

    name: str
    service: str
    address: str
    process: Process
    runner: ServiceRunner | None = None
    crash_at: tuple[str, int] | None = None
    pause_at: tuple[str, int] | None = None
    """The same for a process that stands still there."""
    deaths: dict[str, int] = field(default_factory=dict)
    """How often it died, by the point."""


class Platform:
    """All replicas over one Kafka and one network."""

    def __init__(self, schedule: Schedule, network: Network, folder: Path, signing_key: Path) -> None:
        self.schedule = schedule
        self.network = network
        self.kafka = KAFKA
        self._folder = folder
        self._signing_key = signing_key
        self.replicas: dict[str, Replica] = {}
        for service, (least, most) in SERVICES.items():
            for number in range(1, schedule.random.randint(least, most) + 1):
                name = f"{service}-{number}"
                address = f"127.0.0.1:{FIRST_PORT + len(self.replicas)}"
                self.replicas[name] = Replica(name, service, address, Process(name))
        self.host = _Host(_Addresses(*(self._addresses(each) for each in ("rules", "lobby", "ledger"))))
        self.is_closing = False
        self.reached: set[str] = set()
        """The crash points that any process has come to."""

    def of(self, service: str) -> list[Replica]:
        """The replicas of a service."""
        return [each for each in self.replicas.values() if each.service == service]

    def _addresses(self, service: str) -> str:
        return ",".join(each.address for each in self.of(service))

    def start(self, replica: Replica) -> None:
        """A new process in this place. The files of the one before are closed, and locks on them are gone."""
        for database in replica.process.databases:
            database.close()
        replica.process = Process(replica.name)
        replica.runner = replica.crash_at = replica.pause_at = None
        self.schedule.spawn("main", lambda: self._serve(replica, replica.process), replica.process)

    def _serve(self, replica: Replica, process: Process) -> None:
        folder = self._folder / replica.name
        folder.mkdir(exist_ok=True)
        settings = Settings(
            database=folder / "signalbox.db",
            signing_key=self._signing_key,
            routing_workers=0,
            routing_addresses=tuple(each.address for each in self.of("routing")),
            rules_addresses=tuple(each.address for each in self.of("rules")),
            rules_direct_after_seconds=self.schedule.random.choice(DIRECT_AFTER_SECONDS),
        )
        telemetry = Telemetry()
        packs = self.schedule.random.random() < PACKING_SHARE
        kafka = replace(self.kafka, instance=replica.name, packs_values=packs)
        try:
            runner = RUNNERS[replica.service](settings, telemetry, kafka, None)
            server = Server(process, runner.hosted, runner.guard, Endings(telemetry))
            runner.start(StopFlag())
        except KafkaUnreachable:
            self.schedule.spawn("supervisor", lambda: self._start_again(replica, process))
            return
        except SignalboxError as problem:
            if not self.is_closing:
                self.schedule.failures.append(f"{replica.name} cannot start: {problem!r}")
            return
        replica.runner = runner
        self.network.servers[replica.address] = server

    def _start_again(self, replica: Replica, process: Process) -> None:
        """Replace a process that has ended because Kafka did not answer it in time."""
        if replica.process is process and not (process.is_dead or self.is_closing):
            self.kill(replica, "Kafka does not answer")
            self.start(replica)

    def reach(self, point: str) -> None:
        """A process comes to a crash point: it may die there, or let others go first."""
        running = self.schedule
        running.check_alive()
        process = running.current.process
        replica = self.replicas.get(process.name)
        if replica is None or replica.process is not process:
            return
        self.reached.add(point)
        replica.crash_at, is_time = _counted(replica.crash_at, point)
        if is_time:
            self.kill(replica, point)
            raise ProcessKilled
        replica.pause_at, is_time = _counted(replica.pause_at, point)
        if is_time:
            running.pause(process)
            running.step()
        if running.random.random() < OVERTAKEN_SHARE:
            running.step()

    def kill(self, replica: Replica, why: str) -> None:
        """End the process in this place, as kill -9 does."""
        replica.deaths[why] = replica.deaths.get(why, 0) + 1
        replica.crash_at = replica.pause_at = None
        self.schedule.kill(replica.process)
        self.network.close(replica.process)

    def stop(self, replica: Replica) -> None:
        """Let the process in this place end by itself, as SIGTERM does."""
        runner, process = replica.runner, replica.process
        self.network.close(process)

        def close() -> None:
            assert runner is not None
            runner.end_streams()
            runner.close()

        task = self.schedule.spawn("stopping", close, process)
        while not task.is_over:
            self.schedule.sleep(LOOK_SECONDS)
        self.schedule.kill(process)

    def is_serving(self, replica: Replica) -> bool:
        """Whether it would answer calls."""
        return replica.runner is not None and replica.runner.is_ready and not replica.process.is_dead

    def wait_ready(self) -> None:
        """Until every replica serves; it is a failure of the run when that takes too long."""
        end = self.schedule.now + READY_SECONDS
        while missing := [each.name for each in self.replicas.values() if not self.is_serving(each)]:
            if self.schedule.now > end or self.schedule.failures:
                self.schedule.failures.append(f"standstill: {', '.join(missing)} does not serve")
                return
            self.schedule.sleep(LOOK_SECONDS)

    def close(self) -> None:
        """End everything."""
        self.is_closing = True
        for replica in self.replicas.values():
            self.kill(replica, "the end")


@dataclass(frozen=True, slots=True)
class _Addresses:
    rules: str
    lobby: str
    ledger: str


@dataclass(frozen=True, slots=True)
class _Host:
    addresses: Any


def _counted(armed: tuple[str, int] | None, point: str) -> tuple[tuple[str, int] | None, bool]:
    """What is armed after one more point is passed, and whether it is time."""
    if armed is None or armed[0] != point:
        return armed, False
    return ((point, armed[1] - 1), False) if armed[1] > 1 else (None, True)
