"""What else happens to a cluster: standstills, full disks, brokers that go and come, an emptied Redis, harmful commands."""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Lock
from uuid import uuid4

from msgspec.structs import replace

from devtools.brokers.kafka import KafkaNode
from services.common.errors import CallError, SignalboxError
from services.host.children import ChildFailed
from services.rules.cluster.gateway import CommandGateway, GameBlocked
from services.rules.kernel.commands import CreateGame
from services.rules.requests import CommandResult
from tests.faults.broker_keeper import BrokerKeeper
from tests.faults.cluster import FaultCluster
from tests.faults.hangs import AllowedHangs
from tests.faults.kinds.full_disks import fill, fill_redis
from tests.faults.kinds.partitions import part
from tests.faults.kinds.parts_of_the_log import disturb_shares
from tests.faults.kinds.slowness import slow_down
from tests.faults.plan import ISOLATED_KINDS, SHARED_ISOLATED_KINDS, SHARED_KINDS, Disturbance
from tests.faults.runbook import Operator
from tests.rules.cluster.brittle import BRITTLE, ENDLESS, KILLS

FILE_BYTES_MAX = 8 * 1024
# Four lives of an owner, each found by its successor after a session at most, and its restarts.
BLOCKED_SECONDS = 300.0
ASK_SECONDS = 6.0
PEOPLE = ("ann", "bob", "cyd")
HARMLESS_TITLE = "1824"
JUMPS = (3600, -3600, 86_400, -86_400, 1, -1)
"""Seconds."""
GONE = (ProcessLookupError, ChildFailed)
"""A process may die of something else at any moment."""


def disturb(
    cluster: FaultCluster,
    disturbance: Disturbance,
    peace: Mapping[str, Lock],
    hangs: AllowedHangs,
    keeper: BrokerKeeper,
    operator: Operator,
) -> int:
    """Do it, wait, undo it. Returns how many servers were killed by it. `peace` keeps others from killing a process.

    Raises `CommandNotBlocked`, `NobodyOwns`, and `ServiceGone` where the runbook does not release what is blocked."""
    node = cluster.servers.nodes[disturbance.target % len(cluster.servers.nodes)]
    if disturbance.kind in ISOLATED_KINDS:
        _disturb_isolated(cluster, disturbance)
        return 0
    if disturbance.kind in (*SHARED_KINDS, *SHARED_ISOLATED_KINDS):
        disturb_shares(cluster, disturbance, peace)
        return 0
    ways: dict[str, Callable[[], int]] = {
        "pause rules": lambda: _pause_rules(cluster, disturbance, peace),
        "full disk": lambda: _fill_disk(cluster, disturbance),
        "kill broker": lambda: _restart(keeper, node, node.kill, disturbance.seconds, 1),
        "stop broker": lambda: _restart(keeper, node, node.stop, disturbance.seconds, 0),
        "pause broker": lambda: _pause(node.pause, node.resume, disturbance.seconds),
        "kill redis": lambda: _kill_redis(cluster, disturbance),
        "flush redis": lambda: _flush(cluster),
        "clock jump": lambda: _jump(cluster, disturbance),
        "pause redis": lambda: _pause(cluster.redis.pause, cluster.redis.resume, disturbance.seconds),
        "killing command": lambda: _harm(cluster, KILLS, hangs, operator),
        "endless command": lambda: _harm(cluster, ENDLESS, hangs, operator),
        "slow broker": lambda: _slow_down(node, disturbance),
        "full redis": lambda: _fill_redis(cluster, disturbance),
    }
    return ways[disturbance.kind]()


def _disturb_isolated(cluster: FaultCluster, disturbance: Disturbance) -> None:
    own = cluster.own
    if own is None:
        raise ValueError(f"{disturbance.kind}: needs a network and disks of its own")
    brokers = [disk for name, disk in own.disks.items() if name.startswith("broker-")]
    copies = [disk for name, disk in own.disks.items() if name.startswith("rules-")]
    full = {
        "full broker disk": [brokers[disturbance.target % len(brokers)]],
        "full disks of all brokers": brokers,
        "full copy disk": [copies[disturbance.target % len(copies)]],
        "full books disk": [disk for name, disk in own.disks.items() if name.startswith("ledger-")],
    }
    if disturbance.kind in full:
        fill(full[disturbance.kind], disturbance.seconds)
    else:
        part(own.network, disturbance)


def _slow_down(node: KafkaNode, disturbance: Disturbance) -> int:
    slow_down(node, disturbance.seconds, random.Random(disturbance.seconds))
    return 0


def _fill_redis(cluster: FaultCluster, disturbance: Disturbance) -> int:
    fill_redis(cluster.redis, disturbance.seconds)
    return 0


class CommandNotBlocked(SignalboxError):
    """The game of a harmful command was not blocked; the message says what came instead."""


def _harm(cluster: FaultCluster, seed: int, hangs: AllowedHangs, operator: Operator) -> int:
    """A game that kills the owner that sets it up, or comes to no end, asked for until it is blocked; then released by the
    runbook, and set up by a command without harm."""
    if seed == ENDLESS:
        hangs.allow()
    gateway = CommandGateway(replace(cluster.kafka, instance="harm"), service="rules")
    gateway.start()
    game_id = f"harm-{uuid4().hex}"
    try:
        answer = _asked_for(gateway, game_id, CreateGame(BRITTLE.name, PEOPLE, seed=seed))
        if answer is not None:
            raise CommandNotBlocked(f"seed {seed}: {answer}")
        operator.release(game_id)
        if _asked_for(gateway, game_id, CreateGame(HARMLESS_TITLE, PEOPLE, seed=seed)) is None:
            raise CommandNotBlocked(f"seed {seed}: the game is blocked after its release")
    finally:
        gateway.close()
    return 0


def _asked_for(gateway: CommandGateway, game_id: str, command: CreateGame) -> CommandResult | None:
    """The answer to the request for this game; None where it is blocked. Raises `CommandNotBlocked` without an answer."""
    deadline = time.monotonic() + BLOCKED_SECONDS
    while True:
        try:
            return gateway.create(game_id, command, ASK_SECONDS)
        except GameBlocked:
            return None
        except CallError as problem:
            if time.monotonic() > deadline:
                raise CommandNotBlocked(f"{command}: {problem}") from None


def _pause_rules(cluster: FaultCluster, disturbance: Disturbance, peace: Mapping[str, Lock]) -> int:
    """An owner that stands still until others have its games, and then goes on: a zombie."""
    replicas = cluster.of("rules")
    chosen = replicas[disturbance.target % len(replicas)]
    with peace[chosen.name]:
        return _pause(chosen.process.pause, chosen.process.resume, disturbance.seconds)


def _pause(stand_still: Callable[[], None], go_on: Callable[[], None], seconds: float) -> int:
    with suppress(*GONE):
        stand_still()
    time.sleep(seconds)
    with suppress(*GONE):
        go_on()
    return 0


def _fill_disk(cluster: FaultCluster, disturbance: Disturbance) -> int:
    """No file of a process may grow: what a full disk is to it."""
    replicas = [each for service in ("rules", "ledger", "lobby") for each in cluster.of(service)]
    with suppress(*GONE), _files_full(replicas[disturbance.target % len(replicas)].process.pid):
        time.sleep(disturbance.seconds)
    return 0


@contextmanager
def _files_full(pid: int) -> Iterator[None]:
    _, most = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (FILE_BYTES_MAX, most))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, most))


def _restart(
    keeper: BrokerKeeper, node: KafkaNode, end: Callable[[], None], seconds: float, kills: int
) -> int:
    with keeper.left_alone():
        end()
        time.sleep(seconds)
        node.start()
    return kills


def _kill_redis(cluster: FaultCluster, disturbance: Disturbance) -> int:
    cluster.redis.kill()
    time.sleep(disturbance.seconds)
    cluster.redis.start()
    return 1


def _flush(cluster: FaultCluster) -> int:
    cluster.redis.flush()
    return 0


def _jump(cluster: FaultCluster, disturbance: Disturbance) -> int:
    """The clock of one rules replica is wrong for a while, then right again: it jumps forth and back, or back and forth."""
    replicas = cluster.of("rules")
    file = cluster.inside / f"{replicas[disturbance.target % len(replicas)].name}.clock"
    file.write_text(str(JUMPS[disturbance.target]))
    time.sleep(disturbance.seconds)
    file.unlink()
    return 0
