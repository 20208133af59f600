"""Who is in the group of owners, without Kafka: brokers of the test's that a client asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kafka.errors import KafkaTimeoutError

from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.settings import KafkaSettings
from services.rules.cluster import group as group_module
from services.rules.cluster.group import OwnersGroup, has_other_members
from services.rules.cluster.placement import Member

KAFKA = KafkaSettings(servers=("127.0.0.1:9",), topic_prefix="p.", instance="a")
NOT_FOUND = "[Error 69] GroupIdNotFoundError: Group p.rules.owner not found."
NOT_COORDINATOR = "[Error 16] NotCoordinatorError"
# Each ends the process when the coordinator of a group is lost while it answers: librdkafka issue 4605.
DEADLY = (
    "describe_consumer_groups",
    "list_consumer_group_offsets",
    "alter_consumer_group_offsets",
    "delete_consumer_groups",
)


def member(name: str, *partitions: int) -> dict[str, Any]:
    """As the library gives it."""
    assigned = [
        {"topic": "p.rules.commands", "partitions": list(partitions)},
        {"topic": "other", "partitions": [7]},
    ]
    return {
        "member_id": f"p.{name}-1",
        "group_instance_id": f"p.{name}",
        "client_id": f"{name}@host:1",
        "member_assignment": {"assigned_partitions": assigned} if partitions else b"",
    }


class Brokers:
    """Three of them, in the place of the client: `coordinator` has the group, who is in `away` answers nothing."""

    def __init__(self) -> None:
        self.coordinator = 2
        self.away: set[int] = set()
        self.state = "Stable"
        self.error: str | None = None
        self.members: list[dict[str, Any]] = []
        self.asked: list[int] = []
        self.closed: list[int] = []

    def describe_cluster(self) -> dict[str, Any]:
        if len(self.away) == 3:
            raise KafkaTimeoutError
        return {"brokers": [{"broker_id": each} for each in (1, 2, 3)]}

    def describe_groups(self, names: list[str], group_coordinator_id: int) -> dict[str, Any]:
        self.asked.append(group_coordinator_id)
        if group_coordinator_id in self.away:
            raise KafkaTimeoutError
        error = self.error if group_coordinator_id == self.coordinator else NOT_COORDINATOR
        return {names[0]: {"group_state": self.state, "members": self.members, "error": error}}

    def close(self) -> None:
        self.closed.append(len(self.asked))


@pytest.fixture
def brokers(monkeypatch: pytest.MonkeyPatch) -> Iterator[Brokers]:
    brokers = Brokers()
    monkeypatch.setattr(group_module, "new_admin", lambda *_args, **_options: brokers)
    yield brokers
    assert not brokers.asked or brokers.closed


def test_members_are_read_with_what_they_own(brokers: Brokers) -> None:
    """Of the commands' topic; one that just joined has nothing."""
    brokers.members = [member("a", 0, 3), member("b")]
    group = OwnersGroup(KAFKA)
    assert group.members() == [
        Member("p.a-1", "a", "host:1", frozenset((0, 3))),
        Member("p.b-1", "b", "host:1", frozenset()),
    ]
    brokers.state = "PreparingRebalance"
    assert group.members() is None
    brokers.state, brokers.error, brokers.members = "Dead", NOT_FOUND, []
    assert group.members() == []
    group.close()


def test_a_coordinator_that_is_lost_is_looked_for_among_the_others(brokers: Brokers) -> None:
    """First the last one is asked, by the same client; nobody knows the group until another one has it."""
    brokers.members = [member("a", 0)]
    group = OwnersGroup(KAFKA)
    assert group.members() and group.members()
    assert brokers.asked == [1, 2, 2]
    brokers.away = {2}
    with pytest.raises(KafkaUnreachable):
        group.members()
    brokers.coordinator = 3
    assert group.members() and brokers.asked[-1] == 3
    brokers.away = {1, 2, 3}
    with pytest.raises(KafkaUnreachable):
        group.members()
    assert not brokers.closed
    group.close()
    assert len(brokers.closed) == 1


def test_whether_there_are_others(brokers: Brokers) -> None:
    """So it seems as well while nobody says."""
    brokers.members = [member("a", 0)]
    assert not has_other_members(KAFKA)
    brokers.members.append(member("b"))
    assert has_other_members(KAFKA)
    brokers.away = {1, 2, 3}
    assert has_other_members(KAFKA)
    assert len(brokers.closed) == 3


def test_nothing_asks_about_groups_in_a_way_that_may_end_the_process(repository: Path) -> None:
    """By the other library's client of coordinators."""
    found = [
        (path.name, name)
        for path in (repository / "services").rglob("*.py")
        for name in DEADLY
        if f".{name}(" in path.read_text()
    ]
    assert found == []
