"""The topics of the demo in a shared Kafka."""

from __future__ import annotations

import time

import pytest
from rich.console import Console

from services.cli import demo_cluster
from services.common.kafka.administration import TopicsDiffer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import TOPICS

KAFKA = KafkaSettings(servers=("127.0.0.1:1",), topic_prefix="demo.")


class Admin:
    """A client that records its calls."""

    def __init__(self) -> None:
        self.deleted: list[str] = []
        self.is_closed = False

    def delete_topics(self, names: list[str], *, raise_errors: bool) -> None:
        """Some are not there."""
        assert not (raise_errors or self.is_closed)
        self.deleted += names

    def close(self) -> None:
        """Close the client."""
        self.is_closed = True


def test_topics_that_could_not_all_be_made_go_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that were made are deleted, and nothing stays open."""
    admin = Admin()

    def refused(kafka: KafkaSettings) -> list[str]:
        raise TopicsDiffer(kafka.servers, ["the last topic: is refused"])

    monkeypatch.setattr(demo_cluster, "new_admin", lambda _kafka: admin)
    monkeypatch.setattr(demo_cluster, "apply_topics", refused)
    steps = demo_cluster._Steps(Console(), time.monotonic())
    with pytest.raises(TopicsDiffer), demo_cluster._topics(KAFKA, steps):
        raise AssertionError("there are no topics")
    assert admin.deleted == [topic.name_in(KAFKA) for topic in TOPICS]
    assert admin.is_closed
