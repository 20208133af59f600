"""The owner as a member of its group, without Kafka: how it comes up, and whether it says so when it does not."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from prometheus_client import CollectorRegistry

from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.consuming import ClientFailed
from services.common.kafka.copy import LogCopy
from services.common.kafka.settings import KafkaSettings
from services.common.process.crashes import CrashRecord
from services.common.settings.service import SettingsError
from services.rules.cluster import owner as owner_module
from services.rules.cluster.deciding import CommandProcessor
from services.rules.cluster.group import OwnerTiming, new_member
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.owner import CRASHES_MAX, Owner
from services.rules.cluster.recorded import Recorded
from services.rules.cluster.transactions import WriterFenced
from tests.waiting import until

KAFKA = KafkaSettings(servers=("127.0.0.1:9",), instance="test")
NOTHING: Any = None


@pytest.mark.parametrize("seconds", [6, 60, 61, 300])
def test_every_session_that_may_be_set_makes_a_member(seconds: int) -> None:
    """Also one that is longer than a member may usually be silent."""
    new_member(KAFKA, OwnerTiming(seconds * 1000)).close()


class Writer:
    """Never asked for anything but to open."""

    def __init__(self, *_: object) -> None:
        return

    def open(self) -> None:
        return


class Member:
    """Comes up as the problem on top of `PROBLEMS` lets it, and then does nothing until it is stopped or one of `FAILURES`
    comes."""

    PROBLEMS: list[Exception]
    FAILURES: list[Exception]
    shares = SimpleNamespace(ready=frozenset({0}))

    def __init__(self, *_: object) -> None:
        if self.PROBLEMS:
            raise self.PROBLEMS[-1]

    def work_until(self, is_over: Callable[[], bool], _turn: Callable[[], None]) -> None:
        until(lambda: is_over() or bool(self.FAILURES))
        if self.FAILURES:
            raise self.FAILURES.pop()

    def leave(self) -> None:
        return


@dataclass
class Copy:
    """A copy of the log, on a disk that is full or not."""

    is_writable: bool = True


@pytest.fixture
def copy() -> Copy:
    """With room."""
    return Copy()


@pytest.fixture
def crashes(tmp_path: Path) -> CrashRecord:
    """The starts of one replica."""
    return CrashRecord(tmp_path / "starts")


@pytest.fixture
def registry() -> CollectorRegistry:
    """Its metrics."""
    return CollectorRegistry()


@pytest.fixture
def owner(
    monkeypatch: pytest.MonkeyPatch, copy: Copy, crashes: CrashRecord, registry: CollectorRegistry
) -> Iterator[Owner]:
    """One that restarts as soon as it has failed."""
    monkeypatch.setattr(owner_module, "BEGIN_AFRESH_SECONDS", 0.01)
    monkeypatch.setattr(owner_module, "LOOK_FOR_OTHERS_SECONDS", 0.01)
    monkeypatch.setattr(owner_module, "TransactionalWriter", Writer)
    monkeypatch.setattr(owner_module, "Membership", Member)
    monkeypatch.setattr(owner_module, "leave_group", lambda _: None)
    Member.PROBLEMS, Member.FAILURES = [], []
    made = Owner(
        KAFKA,
        cast("CommandProcessor", NOTHING),
        cast("LogCopy", copy),
        cast("Recorded", NOTHING),
        crashes,
        OwnerMetrics(registry),
        OwnerTiming(),
    )
    yield made
    Member.PROBLEMS = []
    made.stop()


def test_an_owner_that_cannot_join_is_not_alive(owner: Owner) -> None:
    """Until it can; a Kafka that does not answer is none of its faults."""
    Member.PROBLEMS = [SettingsError("no such password file")]
    owner.start()
    until(lambda: not owner.is_alive)
    Member.PROBLEMS.append(KafkaUnreachable("nobody answers"))
    until(lambda: owner.is_alive)
    assert not owner.partitions
    Member.PROBLEMS.pop()
    until(lambda: not owner.is_alive)
    Member.PROBLEMS.clear()
    until(lambda: owner.is_alive and owner.partitions == {0})


def test_a_replica_that_crashes_again_and_again_leaves_its_games_to_others(
    owner: Owner, crashes: CrashRecord, registry: CollectorRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It joins at once where there are no others, and after a clean end nothing of that is left."""
    left, others = threading.Event(), threading.Event()
    others.set()
    monkeypatch.setattr(owner_module, "leave_group", lambda _: left.set())
    monkeypatch.setattr(owner_module, "has_other_members", lambda _: others.is_set())
    for _ in range(CRASHES_MAX):
        crashes.begin()
    owner.start()
    until(lambda: registry.get_sample_value("signalbox_owner_holds_off") == 1)
    assert left.wait(60) and owner.is_alive and not owner.partitions
    others.clear()
    until(lambda: owner.partitions == {0})
    assert registry.get_sample_value("signalbox_owner_holds_off") == 0
    owner.stop()
    assert crashes.begin() == 0


def test_an_owner_without_room_leaves_its_partitions_to_others(
    owner: Owner, copy: Copy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It leaves the group, which would keep its partitions for a session, and joins again when there is room."""
    left: list[KafkaSettings] = []
    monkeypatch.setattr(owner_module, "leave_group", left.append)
    owner.start()
    until(lambda: owner.partitions == {0})
    copy.is_writable = False
    until(lambda: not owner.partitions and left == [KAFKA])
    assert owner.is_alive
    copy.is_writable = True
    until(lambda: owner.partitions == {0})
    assert left == [KAFKA]


@pytest.mark.parametrize(
    "failure", [ClientFailed("the client hangs"), WriterFenced("fenced"), ValueError("x")]
)
def test_an_owner_that_failed_is_a_new_member(
    owner: Owner, failure: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The group forgets the one before, whose partitions it may be moving."""
    left: list[KafkaSettings] = []
    monkeypatch.setattr(owner_module, "leave_group", left.append)
    owner.start()
    until(lambda: owner.partitions == {0})
    assert not left
    Member.FAILURES.append(failure)
    until(lambda: left == [KAFKA])
    until(lambda: owner.partitions == {0})
    assert left == [KAFKA]
