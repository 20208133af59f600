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
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.takeover import TakenOver, Takeovers

KAFKA = KafkaSettings(servers=("127.0.0.1:9",), instance="test")
SECONDS = 60.0


class Asker:
    """The group stands at 7 everywhere."""

    def committed(self, wanted: Sequence[TopicPartition], _: float) -> list[TopicPartition]:
        return [TopicPartition(each.topic, each.partition, 7) for each in wanted]

    def close(self) -> None:
        return


class TroubledCopy:
    """Cannot say at first whether it is current."""

    def __init__(self) -> None:
        self.problems: list[Exception] = [SettingsError("no such password file"), KafkaUnreachable("away")]

    def wait_current(self, *_: object) -> bool:
        if self.problems:
            raise self.problems.pop()
        return True


def no_admin(_: KafkaSettings) -> Any:
    """What nobody has thought of."""
    raise SettingsError("no such password file")


def test_trouble_that_passes_does_not_end_taking_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The partition becomes ready when the settings can be read again."""
    monkeypatch.setattr(takeover, "TIMEOUT_SECONDS", 0.01)
    monkeypatch.setattr(takeover, "new_consumer", lambda *_: Asker())
    monkeypatch.setattr(takeover, "new_admin", no_admin)
    copy, metrics = TroubledCopy(), OwnerMetrics(CollectorRegistry())
    takeovers = Takeovers(
        KAFKA, "rules.commands", "rules.owner", cast("LogCopy", copy), "rules.", "rules.a", metrics
    )
    takeovers.order(3, [1])
    assert takeovers.finished.get(timeout=SECONDS) == TakenOver(3, {1: 7})
    assert copy.problems == []
    takeovers.close()
