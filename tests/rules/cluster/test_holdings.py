"""What a replica keeps as the group changes, without Kafka: a group of the test's, and a copy that notes what it is asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from typing import cast

import pytest

from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.copy import LogCopy
from services.common.kafka.settings import KafkaSettings
from services.rules.cluster import holdings
from services.rules.cluster.group import OwnersGroup
from services.rules.cluster.holdings import Holdings, HoldingTiming, Sharing
from services.rules.cluster.placement import Member

KAFKA = KafkaSettings(servers=("127.0.0.1:9",), partitions=4, instance="a")
ALL = frozenset(range(4))
FOLLOW_SECONDS, KEEP_SECONDS = 0.2, 0.4


class NotingCopy:
    """Has read whatever it follows."""

    def __init__(self) -> None:
        self.followed: frozenset[int] = ALL
        self.saved: frozenset[int] = frozenset()
        self.deleted: list[int] = []

    def follow(self, partitions: Collection[int]) -> None:
        self.followed = frozenset(partitions)
        self.saved |= self.followed

    def has_read(self, partition: int) -> bool:
        return partition in self.followed

    def saved_partitions(self) -> frozenset[int]:
        return self.saved

    def drop(self, partitions: Collection[int]) -> None:
        self.deleted += sorted(partitions)
        self.saved -= frozenset(partitions)


class Group:
    """What the brokers report: members, None while they divide, or a problem."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.found: list[Member] | Exception | None = []
        monkeypatch.setattr(OwnersGroup, "members", lambda _group: self.report())
        monkeypatch.setattr(holdings, "SAME_LOOK_SECONDS", 0.0)

    def report(self) -> list[Member] | None:
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


def member(name: str, *partitions: int, address: str = "somewhere:1") -> Member:
    return Member(f"{name}-", name, address, frozenset(partitions))


def opened(
    copy: NotingCopy,
    dropped: Callable[[Collection[int]], None] = lambda _: None,
    is_fresh: Callable[[int], bool] = lambda _: True,
) -> Holdings:
    timing = HoldingTiming(0.01, FOLLOW_SECONDS, KEEP_SECONDS)
    return Holdings(KAFKA, Sharing(2, "here:1", timing), cast("LogCopy", copy), lambda: (), dropped, is_fresh)


@pytest.fixture
def group(monkeypatch: pytest.MonkeyPatch) -> Group:
    """Empty to begin with."""
    return Group(monkeypatch)


def test_what_it_will_be_given_is_read_before_it_joins(group: Group) -> None:
    """Its share as owner and as standby, and no more."""
    group.found = [member("b", 0, 2), member("c", 1, 3)]
    copy = NotingCopy()
    kept = opened(copy)
    kept.foresee(None)
    assert copy.followed == kept.placement.held_by("a")
    assert 0 < len(copy.followed) < 4
    assert kept.has_all(0.0)


def test_one_that_returns_keeps_what_it_had(group: Group) -> None:
    """Within its session the group has not given it away."""
    group.found = [member("a", 0, 1), member("b", 2, 3)]
    copy = NotingCopy()
    opened(copy).foresee(None)
    assert copy.followed == ALL


def test_when_all_begin_together_each_begins_with_what_it_has(group: Group) -> None:
    """Nobody reads all of the log because the others are not there yet."""
    copy = NotingCopy()
    copy.saved = frozenset((1, 2))
    opened(copy).foresee(None)
    assert copy.followed == {1, 2}
    empty = NotingCopy()
    kept = opened(empty)
    kept.foresee(None)
    assert empty.followed == frozenset()
    assert not kept.has_all(0.0)


def test_what_goes_to_others_is_followed_on_then_kept_then_deleted(group: Group) -> None:
    """And its games are forgotten before it is deleted."""
    group.found = [member("a", *ALL)]
    copy, forgotten = NotingCopy(), []
    kept = opened(copy, lambda partitions: forgotten.append((sorted(partitions), list(copy.deleted))))
    kept.foresee(None)
    heard: list[frozenset[int]] = []
    kept.listen(lambda: heard.append(kept.followed))
    group.found = [member("a", 0), member("b", 1), member("c", 2, 3)]
    kept.look()
    left = sorted(ALL - kept.placement.held_by("a"))
    assert left and copy.followed == ALL and kept.is_here(left[0])
    time.sleep(FOLLOW_SECONDS)
    kept.look()
    assert copy.followed == kept.placement.held_by("a")
    assert not kept.is_here(left[0]) and not copy.deleted and heard == [copy.followed]
    time.sleep(KEEP_SECONDS)
    kept.look()
    assert copy.deleted == left and forgotten == [(left, [])]
    kept.look()
    assert copy.deleted == left


def test_what_may_be_too_old_is_answered_for_by_others(group: Group) -> None:
    """It is followed on, and counts again when it is current."""
    group.found = [member("a", *ALL)]
    old = {2}
    kept = opened(NotingCopy(), is_fresh=lambda partition: partition not in old)
    kept.foresee(None)
    assert [each for each in ALL if not kept.is_here(each)] == [2] and not kept.has_all(0.0)
    assert kept.followed == ALL and set(kept.read_partitions()) == ALL
    old.clear()
    assert kept.is_here(2) and kept.has_all(0.0)


def test_what_comes_back_in_time_is_not_deleted(group: Group) -> None:
    """It has only its tail to read."""
    group.found = [member("a", *ALL)]
    copy = NotingCopy()
    kept = opened(copy)
    kept.foresee(None)
    for owner in ("b", "a"):
        others = [member(name) for name in "abc" if name != owner]
        group.found = [member(owner, *ALL), *others]
        kept.look()
        time.sleep(FOLLOW_SECONDS)
        kept.look()
    time.sleep(KEEP_SECONDS)
    kept.look()
    assert copy.deleted == [] and copy.followed == ALL


@pytest.mark.parametrize("trouble", [None, KafkaUnreachable("away")], ids=["dividing", "unreachable"])
def test_nothing_changes_while_the_group_says_nothing(group: Group, trouble: Exception | None) -> None:
    """What was known stays."""
    group.found = [member("a", 0, 1), member("b", 2, 3)]
    copy = NotingCopy()
    kept = opened(copy)
    kept.foresee(None)
    before = kept.placement
    group.found = trouble
    kept.look()
    assert kept.placement == before and copy.followed == ALL


def test_everything_is_kept_as_long_as_one_cannot_be_asked(group: Group) -> None:
    """One that runs without the setting answers its own callers alone."""
    group.found = [member("a", 0), member("b", 1, 2), member("c", 3, address="")]
    copy = NotingCopy()
    kept = opened(copy)
    kept.foresee(None)
    assert copy.followed == ALL


def test_trouble_does_not_end_the_looking(group: Group) -> None:
    """Not even trouble that nobody has thought of."""
    group.found = OSError("no such password file")
    copy = NotingCopy()
    kept = opened(copy)
    kept.start()
    time.sleep(0.1)
    group.found = [member("a", *ALL)]
    end = time.monotonic() + 10
    while copy.followed != ALL and time.monotonic() < end:
        time.sleep(0.01)
    kept.close()
    assert copy.followed == ALL
