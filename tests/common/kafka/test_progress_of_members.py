"""Which member of a group is to blame for records that wait, without Kafka."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from prometheus_client import CollectorRegistry

from services.common.kafka import progress
from services.common.kafka.offsets import OffsetReader
from services.common.kafka.progress import GroupReader, KafkaProgress
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS
from services.common.process.progress import STALLED_SECONDS

KAFKA = KafkaSettings(servers=("127.0.0.1:9",), partitions=2, instance="test")
LATE_SECONDS = STALLED_SECONDS - 1


def test_who_takes_a_partition_over_is_not_to_blame_for_the_time_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else every successor of an owner that stood still would be ended soon after it has begun."""
    assigned: set[int] = {0}
    now = SimpleNamespace(seconds=0.0)
    name = COMMANDS.name_in(KAFKA)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now.seconds))
    monkeypatch.setattr(OffsetReader, "group_offsets", lambda *_: {(name, 0): 7, (name, 1): 7})
    monkeypatch.setattr(OffsetReader, "beginnings", lambda *_: {})
    monkeypatch.setattr(OffsetReader, "committed_ends", lambda *_: {(name, 0): 7, (name, 1): 8})
    reader = GroupReader("owner", COMMANDS, "rules.owner", lambda: frozenset(assigned), is_exact=True)
    watching = KafkaProgress(KAFKA, [reader], CollectorRegistry())

    def stalled_at(seconds: float) -> str:
        now.seconds = seconds
        return watching._look().stalled

    assert [stalled_at(0.0), stalled_at(LATE_SECONDS)] == ["", ""]
    assigned.add(1)
    assert [stalled_at(STALLED_SECONDS + 1), stalled_at(STALLED_SECONDS + LATE_SECONDS)] == ["", ""]
    assert "owner has read nothing in partition 1" in stalled_at(3 * STALLED_SECONDS)
