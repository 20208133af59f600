"""Which partitions of a copy are filled from elsewhere, and when they may be followed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from services.common.kafka.copyparts import PartitionOfCopy
from services.common.kafka.filling import Filling
from tests.common.partition_snapshots.copies import copy_in, part
from tests.waiting import until


class Source:
    """Fills nothing before `may_end`; begins with every second partition in vain."""

    def __init__(self) -> None:
        self.may_end = threading.Event()
        self.asked: list[int] = []

    def fill(self, part: PartitionOfCopy, is_wanted: Callable[[], bool]) -> bool:
        """See `PartitionSource`."""
        self.asked.append(part.number)
        part.begin()
        self.may_end.wait()
        if part.number % 2:
            raise OSError("no route to host")
        return is_wanted()


@pytest.fixture
def source() -> Source:
    """One that waits."""
    return Source()


@pytest.fixture
def filling(tmp_path: Path, source: Source) -> Iterator[Filling]:
    """Over a file with nothing."""
    with copy_in(tmp_path / "copy.db") as copy:
        filling = Filling(lambda number: part(copy, number), source)
        yield filling
        source.may_end.set()
        filling.close()


def test_what_the_file_has_is_not_filled(filling: Filling, source: Source) -> None:
    """Nor twice what it has not."""
    for _ in range(3):
        filling.want(frozenset({0, 1, 2}), lambda: {1, 2})
    assert filling.left == {0}
    source.may_end.set()
    until(lambda: filling.halves() == frozenset() and not filling.left)
    filling.want(frozenset({0, 1, 2}), lambda: ())
    assert source.asked == [0] and filling.left == frozenset()


def test_what_was_filled_by_half_is_not_followed_before_it_is_deleted(
    filling: Filling, source: Source
) -> None:
    """However often that is tried; then it is read from Kafka."""
    filling.want(frozenset({1}), tuple)
    source.may_end.set()
    until(lambda: filling.halves() == {1})
    assert filling.left == {1} and filling.halves() == {1}
    filling.deleted(frozenset({1}), frozenset({1}))
    assert filling.left == frozenset() == filling.halves()
    filling.want(frozenset({1}), tuple)
    assert source.asked == [1] and filling.left == frozenset()


def test_a_partition_that_is_wanted_no_more_is_left(filling: Filling, source: Source) -> None:
    """And filled when it comes back, once what was there of it is deleted."""
    filling.want(frozenset({0, 2}), tuple)
    until(lambda: source.asked == [0])
    filling.want(frozenset(), tuple)
    source.may_end.set()
    until(lambda: filling.halves() == {0} and filling.left == {0})
    filling.deleted(frozenset({0}), frozenset())
    filling.want(frozenset({0, 2}), tuple)
    until(lambda: not filling.halves() and not filling.left)
    assert source.asked == [0, 0, 2]


def test_without_a_source_nothing_is_filled(tmp_path: Path) -> None:
    """Everything is followed at once."""
    with copy_in(tmp_path / "copy.db") as copy:
        filling = Filling(lambda number: part(copy, number), None)
        filling.want(frozenset({0}), tuple)
        assert filling.left == frozenset()
        filling.close()


def test_what_was_deleted_is_filled_again_although_it_is_wanted_meanwhile(
    filling: Filling, source: Source
) -> None:
    """But not what could not be filled to its end."""
    filling.want(frozenset({0, 1}), tuple)
    source.may_end.set()
    until(lambda: filling.halves() == {1} and filling.left == {1})
    filling.deleted(frozenset({0, 1}), frozenset({0, 1}))
    filling.want(frozenset({0, 1}), tuple)
    until(lambda: source.asked == [0, 1, 0])
    until(lambda: not filling.halves() and not filling.left)
