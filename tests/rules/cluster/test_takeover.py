"""Taking partitions over, without Kafka: trouble that passes is waited out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest
from confluent_kafka import TopicPartition
from prometheus_client import CollectorRegistry

from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.copy import LogCopy
from services.common.kafka.settings import KafkaSettings
from services.common.settings.service import SettingsError
from services.rules.cluster import takeover
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

    def wait_current(self, _: float) -> bool:
        known, self.is_known = self.is_known, True
        return known


def no_admin(_: KafkaSettings) -> Any:
    """What nobody has thought of."""
    raise SettingsError("no such password file")


def test_trouble_that_passes_does_not_end_taking_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The partition becomes ready when the settings can be read again."""
    monkeypatch.setattr(takeover, "TIMEOUT_SECONDS", 0.01)
    monkeypatch.setattr(takeover, "new_consumer", lambda *_: Asker())
    monkeypatch.setattr(takeover, "new_admin", no_admin)
    for ends in ("ends", "committed_ends"):
        monkeypatch.setattr(takeover, ends, lambda *_: {("rules.outcomes", 1): 4})
    copy, recorded, metrics = TroubledCopy(), LateRecords(), OwnerMetrics(CollectorRegistry())
    takeovers = Takeovers(
        KAFKA,
        "rules.commands",
        "rules.owner",
        cast("LogCopy", copy),
        cast("Recorded", recorded),
        "rules.",
        "rules.a",
        metrics,
    )
    takeovers.order(3, [1])
    assert takeovers.finished.get(timeout=SECONDS) == TakenOver(3, {1: 7}, {1: ATTEMPT}, {1: BLOCKED})
    assert copy.problems == [] and recorded.is_known
    takeovers.close()
