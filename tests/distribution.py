"""Which tests run in one process of a session: those that share something costly, so that there is one of it.

pytest-xdist has marks for this, which have no effect since pytest 9.2."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

CLUSTER = "cluster"
CLUSTER_MODULES = frozenset({"tests/integration/test_cluster_host.py"})
# Each test has a recorded game as its parameter, which is played once for all tests of that game.
RECORDED_MODULES = frozenset({"tests/recorded/test_reduce.py", "tests/recorded/test_replay.py"})
# Their tests share brokers, a host or replicas of their own.
SHARING_MODULES = frozenset(
    {
        "tests/audit/test_kafka_check.py",
        "tests/common/kafka/test_kafka_security.py",
        "tests/devtools/brokers/test_faults.py",
        "tests/host/test_giants.py",
        "tests/lobby/test_cluster_lobby.py",
        "tests/lobby/test_two_replicas.py",
        "tests/migration/test_migrate.py",
        "tests/routing/service/test_workers.py",
        "tests/rules/cluster/test_replica.py",
    }
)
# Each of their tests takes the whole of one core.
BUSY_MODULES = frozenset({"tests/wholesim/test_wholesim.py"})
# None of these may be the last one at work while other processes have nothing left to do.
LONGEST = ("tests/mutation/", "tests/attack/", "tests/faults/")
COMPILE = "from services.routing.domain.solver import warm_up; warm_up()"


def group_of(nodeid: str) -> str:
    """The name that all tests have in common which run in one process, one after another."""
    module, _, test = nodeid.partition("::")
    parameters = test.partition("[")[2].removesuffix("]")
    if module in CLUSTER_MODULES or CLUSTER in parameters.split("-"):
        return CLUSTER
    if module in SHARING_MODULES | BUSY_MODULES:
        return module
    if module in RECORDED_MODULES and parameters:
        return f"recorded {parameters}"
    return nodeid


class GroupScheduling(LoadScopeScheduling):  # type: ignore[misc]
    """Gives each process whole groups, the largest first."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> GroupScheduling:
    """See pytest-xdist. While the processes collect their tests the solver is compiled, where it is not yet: later each would
    do that for itself."""
    subprocess.run([sys.executable, "-c", COMPILE], check=False)
    return GroupScheduling(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest; a test that uses the cluster host has to be in its group."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
    for item in items:
        uses_cluster = "cluster_host" in getattr(item, "fixturenames", ())
        assert not uses_cluster or group_of(item.nodeid) == CLUSTER, item.nodeid
