"""Faults between replicas of rules that keep a part of the log each: calls that are not passed on, owners that stand still or are
replaced while they live, a view of the group that is held back; and an object store that is away or slow."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from threading import Lock

from services.common.errors import SignalboxError
from services.common.kafka.clients import KafkaUnreachable, new_admin
from services.host.children import ChildFailed
from services.host.processes import Replica
from services.rules.cluster.group import OwnersGroup
from tests.faults.backups import STORE
from tests.faults.cluster import FaultCluster, Own
from tests.faults.kinds.partitions import Cut, both, cut_for, one_way
from tests.faults.kinds.slowness import slow_down
from tests.faults.network import OUTSIDE
from tests.faults.plan import Disturbance, Kind

OWNER_ATTEMPTS = 20
LOOK_EVERY_SECONDS = 1.0


class NobodyOwns(SignalboxError):
    """The group of owners has no member with partitions for very long."""


def disturb_shares(cluster: FaultCluster, disturbance: Disturbance, peace: Mapping[str, Lock]) -> None:
    """Do it, wait, undo it. `peace` keeps others from killing a process. Raises `NobodyOwns`."""
    replicas = cluster.of("rules")
    chosen = replicas[disturbance.target % len(replicas)]
    peers = [each.name for each in replicas if each is not chosen]
    # Whom it concerns says the rest.
    is_deaf = disturbance.target // len(replicas) % 2 == 1
    ways: Mapping[Kind, Callable[[], AbstractContextManager[None]]] = {
        "pause owner": lambda: _owner_paused(cluster, disturbance.target, peace),
        "hold back view of group": lambda: _view_held_back(cluster, chosen, peace),
        "cut forwarding": lambda: _cut(_own(cluster), both(chosen.name, peers)),
        "cut forwarding one way": lambda: _cut(_own(cluster), one_way(chosen.name, peers, is_deaf)),
        "promote standby of living owner": lambda: _expelled(cluster, disturbance.target, peace),
        "store away": lambda: _cut(_own(cluster), both(STORE, [OUTSIDE])),
        "slow store": lambda: _store_slowed(cluster, disturbance.seconds),
    }
    with ways[disturbance.kind]():
        if disturbance.kind != "slow store":
            time.sleep(disturbance.seconds)


def _own(cluster: FaultCluster) -> Own:
    if cluster.own is None:
        raise ValueError("needs a network of its own")
    return cluster.own


def _cut(own: Own, cuts: list[Cut]) -> AbstractContextManager[None]:
    return cut_for(own.network, cuts)


def _owners(cluster: FaultCluster) -> list[str]:
    """The names of replicas to which the group has given partitions. Raises `NobodyOwns`."""
    for _ in range(OWNER_ATTEMPTS):
        with closing(OwnersGroup(cluster.kafka)) as group, suppress(KafkaUnreachable):
            if owners := sorted(each.name for each in group.members() or () if each.partitions):
                return owners
        time.sleep(LOOK_EVERY_SECONDS)
    raise NobodyOwns(f"after {OWNER_ATTEMPTS} looks at the group")


@contextmanager
def _owner_paused(cluster: FaultCluster, target: int, peace: Mapping[str, Lock]) -> Iterator[None]:
    owners = _owners(cluster)
    name = owners[target % len(owners)]
    process = cluster.host.replica(name).process
    with peace[name]:
        with suppress(ProcessLookupError, ChildFailed):
            process.pause()
        try:
            yield
        finally:
            with suppress(ProcessLookupError, ChildFailed):
                process.resume()


@contextmanager
def _view_held_back(cluster: FaultCluster, chosen: Replica, peace: Mapping[str, Lock]) -> Iterator[None]:
    """It stays a member of the group, and does not learn what the group gives to others."""
    file = cluster.inside / f"{chosen.name}.view"
    with peace[chosen.name]:
        file.touch()
        try:
            yield
        finally:
            file.unlink()


@contextmanager
def _expelled(cluster: FaultCluster, target: int, peace: Mapping[str, Lock]) -> Iterator[None]:
    """An owner that reaches everybody but the broker that coordinates the group: others get its partitions."""
    owners, own = _owners(cluster), _own(cluster)
    name, broker = owners[target % len(owners)], _coordinator(cluster, own)
    with peace[name], _cut(own, both(name, [broker])):
        yield


def _coordinator(cluster: FaultCluster, own: Own) -> str:
    """The place of the broker that coordinates the group of owners. Raises `KafkaUnreachable`."""
    with closing(OwnersGroup(cluster.kafka)) as group, closing(new_admin(cluster.kafka)) as admin:
        group.described()
        host = next(
            each["host"]
            for each in admin.describe_cluster()["brokers"]
            if each["broker_id"] == group.coordinator
        )
    return next(name for name, place in own.network.places.items() if place.host == host)


@contextmanager
def _store_slowed(cluster: FaultCluster, seconds: float) -> Iterator[None]:
    if cluster.backups is None:
        raise ValueError("needs backups")
    slow_down(cluster.backups.server, seconds, random.Random(seconds))
    yield
