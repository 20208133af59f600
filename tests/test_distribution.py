"""Tests that share something costly are given to one process; what computes and what waits to different ones."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import pytest

from tests.conftest import REPOSITORY
from tests.distribution import (
    BUSY_MODULES,
    CLUSTER_MODULES,
    LONGEST,
    PARSING_MODULES,
    RECORDED_MODULES,
    SHARING_MODULES,
    GroupScheduling,
    computing_count,
    group_of,
    queue_rank,
)


@pytest.mark.parametrize(
    ("test", "group"),
    [
        ("tests/integration/test_cluster_host.py::test_a[1824]", "cluster"),
        ("tests/host/test_attacks.py::test_a[cluster-nobody]", "cluster"),
        ("tests/host/test_attacks.py::test_a[embedded-nobody]", "tests/host/test_attacks.py"),
        ("tests/host/test_importing.py::test_a[embedded-nobody]", ""),
        ("tests/recorded/test_replay.py::test_a[1824/p3-s121]", "recorded 1824/p3-s121"),
        ("tests/recorded/test_reduce.py::test_a[1824/p3-s121]", "recorded 1824/p3-s121"),
        ("tests/recorded/test_replay.py::test_a", ""),
        ("tests/host/test_giants.py::test_a[gzip]", "tests/host/test_giants.py"),
        ("tests/test_tidy.py::test_a", "tests/test_tidy.py"),
    ],
)
def test_groups(test: str, group: str) -> None:
    """By module and by parameter; all other tests are alone."""
    assert group_of(test) == (group or test)


def test_the_modules_named_are_there() -> None:
    """None was renamed."""
    for module in BUSY_MODULES | CLUSTER_MODULES | PARSING_MODULES | RECORDED_MODULES | SHARING_MODULES:
        assert (REPOSITORY / module).is_file(), module
    for place in LONGEST:
        assert (REPOSITORY / place).exists(), place


def test_xdist_asks_for_groups() -> None:
    """By the methods that the scheduling overrides."""
    assert {"_split_scope", "_assign_work_unit"} <= vars(GroupScheduling.__mro__[1]).keys()


def test_the_order_of_the_queue() -> None:
    """What waits in front, what computes behind, the longest of both at the ends."""
    tests = [
        ("tests/faults/test_faults.py::test_a", True),
        ("tests/web/test_process.py::test_a", True),
        ("tests/titles/test_a.py::test_a", False),
        ("tests/wholesim/test_wholesim.py::test_a", False),
    ]
    assert [queue_rank(*each) for each in tests] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("processes", "cores", "count"), [(6, 2, 2), (5, 2, 2), (4, 2, 2), (2, 2, 1), (1, 2, 1), (8, 16, 4)]
)
def test_how_many_processes_compute(processes: int, cores: int, count: int) -> None:
    """One for each core, while at least as many are left for what waits."""
    assert computing_count(processes, cores) == count


class Node:
    """A process of the session that notes what it is given to do."""

    gateway = SimpleNamespace(id="gw")
    shutting_down = False

    def __init__(self) -> None:
        self.given: list[int] = []

    def send_runtest_some(self, indices: list[int]) -> None:
        """See pytest-xdist."""
        self.given += indices

    def shutdown(self) -> None:
        """See pytest-xdist."""
        self.shutting_down = True


def test_processes_take_from_both_ends(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of two from the back, the other from the front, till nothing is left: every test is given once, and those of a
    module in their order."""
    monkeypatch.setattr(pytestconfig.option, "tx", ["popen"] * 2, raising=False)
    monkeypatch.setattr(pytestconfig.option, "loadscopereorder", True, raising=False)
    scheduling = GroupScheduling(pytestconfig, None)
    back, front = Node(), Node()
    names = [f"tests/test_{module}.py::test_{number}" for module in "abc" for number in range(3)]
    for node in (back, front):
        scheduling.add_node(node)
        scheduling.add_node_collection(node, names)
    scheduling.schedule()
    assert (back.given[:2], front.given[:2]) == ([6, 7], [0, 1])
    for _ in names:
        for node in (back, front):
            for index in node.given:
                scheduling.mark_test_complete(node, index)
    assert sorted(back.given + front.given) == list(range(9))
    for node in (back, front):
        assert all(one < other for one, other in pairwise(node.given) if one // 3 == other // 3)
    assert scheduling.tests_finished
