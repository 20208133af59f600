"""A whole cluster that can be hurt everywhere: three brokers, Redis, and every service as processes of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

from devtools.brokers.kafka import KafkaServers
from devtools.brokers.opening import open_kafka, open_redis
from devtools.brokers.redis import RedisServer
from services.common.kafka.administration import apply_topics
from services.common.kafka.settings import KafkaSettings
from services.common.redis.settings import RedisSettings
from services.common.settings.accounts import THROWAWAY_ACCOUNTS
from services.common.settings.service import Settings
from services.host.processes import ClusterHost, Replica, Replicas
from services.host.sites import HERE, Site
from services.rules.titles import SETTING as TITLES_SETTING
from tests.faults.archived import EVERY_SECONDS, Archive
from tests.faults.backups import STORE, Backups, backing_up
from tests.faults.disks import Disk, disks
from tests.faults.isolation import is_isolated
from tests.faults.network import OUTSIDE, Network, network

PARTITIONS = 4
QUICK_SESSION_SECONDS = 6
# So soon after a takeover that commands go both ways between two kills.
DIRECT_AFTER_SECONDS = 1.0
PRODUCTION_SESSION_SECONDS = 10
HARMFUL_TITLE = "tests.rules.cluster.brittle:BRITTLE"
INSIDE_VARIABLE = "FAULTS_INSIDE"
REPLICAS = Replicas(lobby=1, rules=2, routing=1, ledger=1)
# Each of rules keeps a part of the log, and some partitions are neither with the owner of another one nor with its standby.
REPLICAS_SHARED = Replicas(lobby=2, rules=3, routing=1, ledger=1)
LEDGER = "ledger-1"
REDIS = "redis"


@dataclass(frozen=True, slots=True)
class Own:
    """What a run has to itself where the machine allows it."""

    network: Network
    disks: Mapping[str, Disk]

    def place(self, name: str) -> Site:
        """The place with this network, and with the disk of this name where there is one."""
        place = self.network.places.get(name, self.network.places[OUTSIDE])
        return replace(place, folder=self.disks[name].folder) if name in self.disks else place


@dataclass(frozen=True, slots=True)
class FaultCluster:
    """Everything that runs."""

    servers: KafkaServers
    kafka: KafkaSettings
    redis: RedisServer
    host: ClusterHost
    inside: Path
    """Folder of the faults inside of processes: see inside/sitecustomize.py."""
    own: Own | None = None
    backups: Backups | None = None
    """Where replicas keep a part of the log each, and there is a network of the run's own."""
    archive: Archive | None = None
    """Where replicas keep a part of the log each."""
    copies: int = 0
    """How many replicas of rules keep each partition, while those of the lobby keep the summaries of the games that they follow;
    0: all keep everything."""

    def names(self) -> dict[str, tuple[str, ...]]:
        """Names of the processes by service, most important first."""
        return {
            service: tuple(each.name for each in self.of(service))
            for service in ("rules", "ledger", "lobby", "routing")
        }

    def of(self, service: str) -> list[Replica]:
        """The processes of a service."""
        return [each for each in self.host.replicas if each.service == service]


@contextmanager
def cluster(folder: Path, is_quick: bool = True, brokers: int = 3, copies: int = 0) -> Iterator[FaultCluster]:
    """A cluster that serves; everything ends with the context. Raises `BrokersMissing`, `ChildFailed`.

    With `is_quick` False brokers and services have production's times. In a process for which `is_isolated`, brokers,
    Redis and replicas of rules have a network and disks of their own. `copies`: see `FaultCluster`."""
    names = tuple(f"broker-{number}" for number in range(1, brokers + 1))
    replicas = REPLICAS_SHARED if copies else REPLICAS
    rules = tuple(f"rules-{number}" for number in range(1, replicas.rules + 1))
    with ExitStack() as stack:
        own = stack.enter_context(_own(folder, names, rules)) if is_isolated() else None
        redis_place = HERE if own is None else own.place(REDIS)
        redis = stack.enter_context(open_redis(folder / "redis", is_own=True, place=redis_place))
        servers = stack.enter_context(
            open_kafka(
                folder / "kafka",
                brokers=brokers,
                is_own=True,
                is_quick=is_quick,
                places=() if own is None else [own.place(name) for name in names],
            )
        )
        session = QUICK_SESSION_SECONDS if is_quick else PRODUCTION_SESSION_SECONDS
        kafka = servers.settings("faults.", partitions=PARTITIONS, session_seconds=session)
        apply_topics(kafka)
        inside = folder / "inside"
        inside.mkdir()
        archive = Archive(folder / "archive", kafka) if copies else None
        with _faults_inside(inside), _harmful_title():
            host = ClusterHost(
                folder,
                kafka,
                RedisSettings(address=redis.address),
                replicas,
                Settings(
                    routing_workers=1,
                    allow_insecure=own is not None,
                    sign_in=THROWAWAY_ACCOUNTS,
                    rules_copies=copies,
                    rules_direct_after_seconds=DIRECT_AFTER_SECONDS,
                    lobby_summaries="followed" if copies else "all",
                    archive="" if archive is None else archive.location,
                    archive_after_days=0,
                    archive_every_seconds=EVERY_SECONDS,
                ),
                places={} if own is None else {name: own.place(name) for name in ("", *rules, LEDGER)},
            )
        host.start()
        stack.callback(host.stop)
        backups = None
        if copies and own is not None:
            backups = stack.enter_context(backing_up(folder / "backups", kafka, own.place(STORE)))
        yield FaultCluster(servers, kafka, redis, host, inside, own, backups, archive, copies)


@contextmanager
def _own(folder: Path, brokers: Sequence[str], rules: Sequence[str]) -> Iterator[Own]:
    with (
        network((*brokers, *rules, REDIS, STORE), folder / "network.log") as joined,
        disks(folder / "disks", (*brokers, *rules, LEDGER)) as mounted,
    ):
        yield Own(joined, mounted)


@contextmanager
def _harmful_title() -> Iterator[None]:
    """Processes made meanwhile know a title that kills them, or keeps them busy for ever."""
    titles = ",".join(filter(None, (os.environ.get(TITLES_SETTING), HARMFUL_TITLE)))
    with patch.dict(os.environ, {TITLES_SETTING: titles}):
        yield


@contextmanager
def _faults_inside(folder: Path) -> Iterator[None]:
    """Processes made meanwhile read what is wrong inside of them from `folder`."""
    code = str(Path(__file__).with_name("inside"))
    with patch.dict(os.environ, {INSIDE_VARIABLE: str(folder)}), patch.object(sys, "path", [code, *sys.path]):
        yield
