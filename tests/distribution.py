"""Which process of a session runs which tests, and in what order.

Tests that share something costly run in one process, so that there is one of it. All tests stand in one queue: those marked
`integration` in front, they mostly wait for other programs, the others behind them, they compute. As many processes as
there are cores take tests from the back, the rest from the front, so that no core is idle while there is something to
compute. They meet among the shortest.

pytest-xdist has marks for groups, which have no effect since pytest 9.2."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Reversible
from itertools import takewhile
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

CLUSTER = "cluster"
CLUSTER_MODULES = frozenset({"tests/backup/test_drill.py", "tests/integration/test_cluster_host.py"})
# Each test has a recorded game as its parameter, which is played once for all tests of that game.
RECORDED_MODULES = frozenset(
    {"tests/recorded/test_reduce.py", "tests/recorded/test_replay.py", "tests/rules/moving/test_native.py"}
)
# Their tests share brokers, a host or replicas of their own.
SHARING_MODULES = frozenset(
    {
        "tests/audit/test_kafka_check.py",
        "tests/backup/test_repartition.py",
        "tests/backup/test_restoring.py",
        "tests/common/kafka/test_kafka_security.py",
        "tests/deploy/test_control_plane.py",
        "tests/deploy/test_runbooks.py",
        "tests/devtools/brokers/test_faults.py",
        "tests/host/test_attacks.py",
        "tests/host/test_giants.py",
        "tests/host/test_lobby_follows.py",
        "tests/host/test_processes.py",
        "tests/host/test_rules_over_grpc.py",
        "tests/integration/test_embedded_host.py",
        "tests/integration/test_serving_from_nothing.py",
        "tests/integration/test_web_rides_over.py",
        "tests/lobby/test_cluster_lobby.py",
        "tests/lobby/test_two_replicas.py",
        "tests/migration/test_migrate.py",
        "tests/routing/service/test_workers.py",
        "tests/routing/test_http.py",
        "tests/rules/cluster/test_replica.py",
        "tests/web/test_api.py",
        "tests/web/test_browser.py",
        "tests/web/test_directing.py",
        "tests/web/test_events.py",
        "tests/web/test_failures.py",
        "tests/web/test_between.py",
        "tests/web/test_languages.py",
        "tests/web/test_operators.py",
        "tests/web/test_hosting.py",
        "tests/web/test_pages.py",
        "tests/web/test_screens.py",
        "tests/web/test_two_browsers.py",
        "tests/web/test_watching.py",
    }
)
# Their tests read the whole repository, which is parsed once.
PARSING_MODULES = frozenset({"tests/architecture/test_decoders.py", "tests/test_tidy.py"})
# Each of their tests takes the whole of one core.
BUSY_MODULES = frozenset({"tests/wholesim/test_wholesim.py"})
# None of these may be the last one at work while other processes have nothing left to do.
LONGEST = (
    "tests/attack/",
    "tests/backup/",
    "tests/cli/test_dead_letters.py",
    "tests/cli/test_main.py",
    "tests/common/faust/",
    "tests/faults/",
    "tests/golden/",
    "tests/host/test_one_host_per_file.py",
    "tests/integration/",
    "tests/ledger/cluster/",
    "tests/lobby/test_cluster_watching.py",
    "tests/migration/",
    "tests/mutation/",
    "tests/routing/",
    "tests/rules/cluster/",
    "tests/simulation/",
    "tests/wholesim/",
)
# Two parts that take about as long; the second one ends with all that the first one has not done. What compiling makes is
# hardly garbage before the end.
COMPILE = (
    "import gc; gc.disable();"
    "from services.routing.domain.joint.solver import warm_up_network; warm_up_network()",
    "import gc; gc.disable();"
    "from services.routing.domain.links.every import warm_up_sweeps; warm_up_sweeps();"
    "from services.routing.domain.solver import warm_up; warm_up()",
)


def group_of(nodeid: str) -> str:
    """The name that all tests have in common which run in one process, one after another."""
    module, _, test = nodeid.partition("::")
    parameters = test.partition("[")[2].removesuffix("]")
    if module in CLUSTER_MODULES or CLUSTER in parameters.split("-"):
        return CLUSTER
    if module in SHARING_MODULES | PARSING_MODULES | BUSY_MODULES:
        return module
    if module in RECORDED_MODULES and parameters:
        return f"recorded {parameters}"
    return nodeid


def queue_rank(nodeid: str, waits: bool) -> int:
    """The order in the queue: what may take long stands nearest to the end from which it is taken."""
    takes_long = nodeid.startswith(LONGEST) or group_of(nodeid) != nodeid
    if waits:
        return 0 if takes_long else 1
    return 3 if takes_long else 2


def computing_count(processes: int, cores: int) -> int:
    """How many processes take tests from the back: one for each core, but not more than half of them."""
    return max(1, min(cores, processes // 2))


def first_of_last_module(groups: Reversible[str]) -> str:
    """The first group of the module with which the queue ends: the tests of a module keep their order."""
    backwards = iter(reversed(groups))
    first = next(backwards)
    module = _module_of(first)
    for group in takewhile(lambda each: _module_of(each) == module, backwards):
        first = group
    return first


def _module_of(group: str) -> str:
    return group.partition("::")[0]


class GroupScheduling(LoadScopeScheduling):  # type: ignore[misc]
    """Gives whole groups to each process, to some of them from the back of the queue."""

    def __init__(self, config: pytest.Config, log: Any) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False
        self._computing = computing_count(self.numnodes, os.cpu_count() or 1)

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)

    def _assign_work_unit(self, node: Any) -> None:
        if self.nodes.index(node) < self._computing:
            self.workqueue.move_to_end(first_of_last_module(self.workqueue), last=False)
        super()._assign_work_unit(node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> GroupScheduling:
    """See pytest-xdist. While the processes collect their tests the solver is compiled, where it is not yet: later each would
    do that for itself."""
    compilers = [subprocess.Popen([sys.executable, "-c", program]) for program in COMPILE]
    for each in compilers:
        each.wait()
    return GroupScheduling(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put tests in the order of the queue; a test that uses the cluster host has to be in its group."""
    items.sort(key=lambda item: queue_rank(item.nodeid, item.get_closest_marker("integration") is not None))
    for item in items:
        uses_cluster = "cluster_host" in getattr(item, "fixturenames", ())
        assert not uses_cluster or group_of(item.nodeid) == CLUSTER, item.nodeid
