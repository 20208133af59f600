"""Tests that share something costly are given to one process."""

from __future__ import annotations

import pytest

from tests.conftest import REPOSITORY
from tests.distribution import (
    BUSY_MODULES,
    CLUSTER_MODULES,
    RECORDED_MODULES,
    SHARING_MODULES,
    GroupScheduling,
    group_of,
)


@pytest.mark.parametrize(
    ("test", "group"),
    [
        ("tests/integration/test_cluster_host.py::test_a[1824]", "cluster"),
        ("tests/host/test_attacks.py::test_a[cluster-nobody]", "cluster"),
        ("tests/host/test_attacks.py::test_a[embedded-nobody]", ""),
        ("tests/recorded/test_replay.py::test_a[1824/p3-s121]", "recorded 1824/p3-s121"),
        ("tests/recorded/test_reduce.py::test_a[1824/p3-s121]", "recorded 1824/p3-s121"),
        ("tests/recorded/test_replay.py::test_a", ""),
        ("tests/host/test_giants.py::test_a[gzip]", "tests/host/test_giants.py"),
    ],
)
def test_groups(test: str, group: str) -> None:
    """By module and by parameter; all other tests are alone."""
    assert group_of(test) == (group or test)


def test_the_modules_named_are_there() -> None:
    """None was renamed."""
    for module in BUSY_MODULES | CLUSTER_MODULES | RECORDED_MODULES | SHARING_MODULES:
        assert (REPOSITORY / module).is_file(), module


def test_xdist_asks_for_groups() -> None:
    """By the method that the scheduling overrides."""
    assert "_split_scope" in vars(GroupScheduling.__mro__[1])
