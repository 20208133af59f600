"""Taking partitions over, without Kafka: trouble that passes is waited out."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Any, cast

import pytest
from confluent_kafka import TopicPartition
from prometheus_client import CollectorRegistry

from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.copy import LogCopy
from services.common.kafka.settings import KafkaSettings
from services.common.settings.service import SettingsError
from services.rules.cluster import dead_transactions, takeover
from services.rules.cluster.attempts import Attempt, metadata_of
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.recorded import Recorded
from services.rules.cluster.takeover import TakenOver, Takeovers

KAFKA = KafkaSettings(servers=("127.0.0.1:9",), instance="test")
SECONDS = 60.0
ATTEMPT = Attempt(7, 1, "another")
BLOCKED = {"g": "its owners died"}


class Asker:
    """The group stands at 7 everywhere, and its last member noted what it began there."""

    def committed(self, wanted: Sequence[TopicPartition], _: float) -> list[TopicPartition]:
        return [TopicPartition(each.topic, each.partition, 7, metadata_of(ATTEMPT)) for each in wanted]

    def close(self) -> None:
        return


class TroubledCopy:
    """Cannot say at first whether it is current."""

    def __init__(self) -> None:
        self.problems: list[Exception] = [SettingsError("no such password file"), KafkaUnreachable("away")]

    def has_read(self, _: int) -> bool:
        return True

    def wait_current(self, *_: object) -> bool:
        if self.problems:
            raise self.problems.pop()
        return True


class LateRecords:
    """Is current at the second asking; one game is blocked."""

    def __init__(self) -> None:
        self.is_known = False
        self.blocks = self

    def reasons(self, _: int) -> dict[str, str]:
        return BLOCKED if self.is_known else {}

    def wait_current(self, *_: object) -> bool:
        known, self.is_known = self.is_known, True
        return known


def end_of_outcomes(*_: object) -> dict[tuple[str, int], int]:
    """Decided or not: all are."""
    return {("rules.outcomes", 1): 4}


def no_admin(*_: object, **__: object) -> Any:
    """What nobody has thought of."""
    raise SettingsError("no such password file")


class PartialCopy:
    """Follows some partitions, and has all of those; of others it can never have everything."""

    def __init__(self, *followed: int) -> None:
        self.followed = frozenset(followed)
        self.asked: list[frozenset[int]] = []

    def has_read(self, partition: int) -> bool:
        return partition in self.followed

    def wait_current(self, _: float, partitions: Collection[int], *__: object) -> bool:
        self.asked.append(frozenset(partitions))
        return frozenset(partitions) <= self.followed


def opened(monkeypatch: pytest.MonkeyPatch, copy: object, recorded: object) -> Takeovers:
    """Over brokers that say at once that nothing is open."""
    monkeypatch.setattr(takeover, "TIMEOUT_SECONDS", 0.01)
    monkeypatch.setattr(takeover, "RETRY_SECONDS", 0.01)
    monkeypatch.setattr(takeover, "UNREAD_SECONDS", 0.01)
    monkeypatch.setattr(takeover, "new_consumer", lambda *_: Asker())
    monkeypatch.setattr(dead_transactions, "new_admin", no_admin)
    monkeypatch.setattr(takeover, "ends", end_of_outcomes)
    monkeypatch.setattr(takeover, "committed_ends", end_of_outcomes)
    return Takeovers(
        KAFKA,
        "rules.commands",
        "rules.owner",
        cast("LogCopy", copy),
        cast("Recorded", recorded),
        "rules.",
        "rules.a",
        OwnerMetrics(CollectorRegistry()),
    )


def test_trouble_that_passes_does_not_end_taking_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The partition becomes ready when the settings can be read again."""
    copy, recorded = TroubledCopy(), LateRecords()
    takeovers = opened(monkeypatch, copy, recorded)
    takeovers.order(3, [1])
    assert takeovers.finished.get(timeout=SECONDS) == TakenOver(3, {1: 7}, {1: ATTEMPT}, {1: BLOCKED})
    assert copy.problems == [] and recorded.is_known
    takeovers.close()


def test_a_partition_that_goes_to_others_holds_up_no_takeover(monkeypatch: pytest.MonkeyPatch) -> None:
    """The copy has left it by now: the others of its order and later orders become ready without it."""
    copy, recorded = PartialCopy(1, 2, 3), LateRecords()
    takeovers = opened(monkeypatch, copy, recorded)
    copy.followed = frozenset((1, 3))
    monkeypatch.setattr(copy, "has_read", lambda _: True)
    takeovers.order(3, [1, 2])
    while not copy.asked:
        time.sleep(0.01)
    takeovers.let_go([2])
    assert {1} <= takeovers.finished.get(timeout=SECONDS).offsets.keys()
    takeovers.order(4, [3])
    assert takeovers.finished.get(timeout=SECONDS).token == 4
    takeovers.close()


def test_an_order_of_which_nothing_is_wanted_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one whose partition was given back and ordered anew meanwhile."""
    copy, recorded = PartialCopy(3), LateRecords()
    takeovers = opened(monkeypatch, copy, recorded)
    takeovers.order(3, [1])
    takeovers.let_go([1])
    takeovers.order(4, [3])
    assert takeovers.finished.get(timeout=SECONDS).token == 4
    takeovers.order(5, [1])
    copy.followed = frozenset((1, 3))
    assert takeovers.finished.get(timeout=SECONDS).token == 5
    assert takeovers.finished.empty()
    takeovers.close()
