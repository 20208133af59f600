"""Clients for administration as services use them, over the Kafka in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from confluent_kafka import TopicPartition

from services.common.kafka.topics import RECORD_BYTES_MAX, SIZE, PartitionName
from tests.wholesim.connection import connected, on_the_way
from tests.wholesim.groups import Member


class AdminClient:
    """As that of `confluent_kafka`."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self._kafka = connected()

    def list_offsets(
        self, wanted: Mapping[TopicPartition, Any], isolation_level: Any = None, request_timeout: float = 0
    ) -> dict[TopicPartition, Any]:
        """See `AdminClient`."""
        on_the_way()
        is_committed = getattr(isolation_level, "name", "") == "READ_COMMITTED"
        return {
            each: _Answered(SimpleNamespace(offset=self._offset(each, spec, is_committed)))
            for each, spec in wanted.items()
        }

    def _offset(self, each: TopicPartition, spec: Any, is_committed: bool) -> int:
        partition = self._kafka.partitions[each.topic, each.partition]
        if "Earliest" in type(spec).__name__:
            return 0
        return partition.stable_end if is_committed else partition.end

    def describe_topics(self, topics: Any, request_timeout: float = 0) -> dict[str, Any]:
        """See `AdminClient`."""
        on_the_way()
        return {name: _Answered(SimpleNamespace(topic_id=f"id of {name}")) for name in topics.topic_names}

    def describe_configs(self, resources: Sequence[Any], request_timeout: float = 0) -> dict[Any, Any]:
        """See `AdminClient`: topics are as they were made."""
        on_the_way()
        size = {SIZE: SimpleNamespace(value=str(RECORD_BYTES_MAX))}
        return {each: _Answered(size) for each in resources}


@dataclass(frozen=True, slots=True)
class _Answered:
    answer: Any

    def result(self) -> Any:
        """The answer."""
        return self.answer


def _described(member: Member, given: list[PartitionName]) -> dict[str, Any]:
    """A member of a group, as far as it is read."""
    return {
        "member_id": member.name,
        "client_id": member.name,
        "group_instance_id": member.instance,
        "member_assignment": {
            "assigned_partitions": [{"topic": topic, "partitions": [number]} for topic, number in given]
        },
    }


class KafkaAdminClient:
    """As that of `kafka-python`."""

    def __init__(self, **config: Any) -> None:
        self._kafka = connected()

    def describe_topics(self) -> list[dict[str, Any]]:
        """See `KafkaAdminClient`: every partition is in step."""
        on_the_way()
        state = {"leader_id": 0, "replica_nodes": [0], "isr_nodes": [0]}
        return [{"name": topic, "partitions": [state]} for topic, _ in self._kafka.partitions]

    def describe_log_dirs(self) -> list[dict[str, Any]]:
        """See `KafkaAdminClient`: there are no disks."""
        on_the_way()
        return []

    def list_transactions(self, state_filters: Sequence[str]) -> dict[int, list[Any]]:
        """See `KafkaAdminClient`."""
        on_the_way()
        return {
            0: [
                SimpleNamespace(transactional_id=name)
                for name, each in self._kafka.transactions.items()
                if each.state == "open"
            ]
        }

    def describe_transactions(self, names: Sequence[str]) -> dict[str, Any]:
        """See `KafkaAdminClient`."""
        on_the_way()
        found = {}
        for name in names:
            transaction = self._kafka.transactions[name]
            places = [*transaction.places, *([("__consumer_offsets", 0)] if transaction.offsets else [])]
            found[name] = SimpleNamespace(
                transaction_start_time_ms=transaction.began_ms,
                topic_partitions=[SimpleNamespace(topic=topic, partition=number) for topic, number in places],
            )
        return found

    def describe_cluster(self) -> dict[str, Any]:
        """See `KafkaAdminClient`: one broker that never moves."""
        on_the_way()
        return {"brokers": [{"broker_id": 0}]}

    def describe_groups(self, names: Sequence[str], group_coordinator_id: int) -> dict[str, Any]:
        """See `KafkaAdminClient`, as far as it is read: a group that nobody has joined has no members."""
        on_the_way()
        return {
            name: {"group_state": "Stable", "error": None, "members": self._members(name)} for name in names
        }

    def _members(self, name: str) -> list[dict[str, Any]]:
        group = self._kafka.groups.get(name)
        return [_described(each, group.given_to(each)) for each in group.members] if group else []

    def remove_group_members(self, group: str, members: Sequence[Any]) -> None:
        """See `KafkaAdminClient`."""
        on_the_way()
        for each in members:
            if group in self._kafka.groups:
                self._kafka.groups[group].remove_instance(each.group_instance_id)

    def close(self) -> None:
        """See `KafkaAdminClient`."""
