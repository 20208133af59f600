"""The consumer group of the owners: its members carry out commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from confluent_kafka import Consumer
from kafka import KafkaAdminClient
from kafka.admin import GroupState, MemberToRemove
from kafka.errors import GroupIdNotFoundError, KafkaError

from services.common.kafka.clients import ANSWER_SECONDS, KafkaUnreachable, new_admin, new_consumer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS
from services.rules.cluster.placement import Member

GROUP = "rules.owner"
COMMANDS_PER_TRANSACTION = 100
# A member learns of new partitions with a heartbeat: until then they have no owner.
HEARTBEAT_MS = 300
# Until a fetch that found nothing has come back no other partition is fetched: that long, commands of one just taken over wait.
FETCH_WAIT_MS = 100
# Between the name of a replica and its address in the client id of a member.
AT = "@"
# Between the static name and a random part in the member id that the group gives.
RANDOM_PART = "-"
# A broker that comes back is asked again at once.
CONNECTING = {"request_timeout_ms": int(ANSWER_SECONDS * 1000), "reconnect_backoff_max_ms": 1_000}


@dataclass(frozen=True, slots=True)
class OwnerTiming:
    """`session_ms`: a member not heard of for so long has lost its partitions. `command_seconds`: the processor time that one
    command may take; the slowest of the recorded games takes some hundredths of a second. `gap_seconds`: see `GapWatch`.
    `direct_after_seconds`: how long after a partition was taken over its owner takes commands from senders in its process without
    the log."""

    session_ms: int = 10_000
    poll_ms_max: int = 60_000
    command_seconds: float = 10.0
    gap_seconds: float = 5.0
    direct_after_seconds: float = 300.0


def new_member(kafka: KafkaSettings, timing: OwnerTiming, address: str = "") -> Consumer:
    """A client that joins the group, as a static member with the name of this replica, when it subscribes.

    `address`: where other replicas reach this one. The group passes it on in the id of the client."""
    return new_consumer(
        kafka,
        GROUP,
        **{
            "client.id": f"{kafka.instance}{AT}{address}" if address else kafka.instance,
            "group.instance.id": static_name(kafka),
            "partition.assignment.strategy": "cooperative-sticky",
            "session.timeout.ms": timing.session_ms,
            "heartbeat.interval.ms": HEARTBEAT_MS,
            # The library takes no session that is longer than this.
            "max.poll.interval.ms": max(timing.poll_ms_max, timing.session_ms),
            "queued.min.messages": COMMANDS_PER_TRANSACTION * 10,
            "fetch.wait.max.ms": FETCH_WAIT_MS,
        },
    )


def static_name(kafka: KafkaSettings) -> str:
    """The name by which the group knows this replica."""
    return kafka.topic_prefix + kafka.instance


def leave_group(kafka: KafkaSettings) -> None:
    """Have the group give the partitions of this replica to others at once: a static member that only stops keeps them
    for a session. Raises what the client raises."""
    admin = new_admin(kafka, **CONNECTING)
    try:
        member = MemberToRemove(group_instance_id=static_name(kafka))
        admin.remove_group_members(kafka.topic_prefix + GROUP, [member])
    finally:
        admin.close()


def has_other_members(kafka: KafkaSettings) -> bool:
    """Whether the group has members beside this replica; True as well while Kafka does not answer."""
    group = OwnersGroup(kafka)
    try:
        found = group.described()
    except KafkaUnreachable:
        return True
    finally:
        group.close()
    return any(each["group_instance_id"] != static_name(kafka) for each in found["members"])


def own_member(kafka: KafkaSettings, address: str) -> Member:
    """This replica as a member that has nothing yet."""
    return Member(static_name(kafka) + RANDOM_PART, kafka.instance, address, frozenset())


class OwnersGroup:
    """Asks Kafka what the members of the group have, again and again. For one thread at a time; `close` ends it.

    By `kafka-python`: the other library ends the process by a failed assertion when the coordinator of a group is lost while
    it is asked about it (librdkafka issue 4605, seen with 2.16.0). `kafka-python` remembers for ever who coordinates a group, so
    brokers are asked by their ids: all but the coordinator say that they are not."""

    def __init__(self, kafka: KafkaSettings) -> None:
        """Connects at the first question."""
        self._kafka = kafka
        self._name = kafka.topic_prefix + GROUP
        self._admin: KafkaAdminClient | None = None
        self.coordinator: int | None = None
        """The id of the broker that answered last, where one did."""

    def members(self) -> list[Member] | None:
        """The members of the group with what each owns; None while the group is dividing the partitions.

        Raises `KafkaUnreachable`."""
        found = self.described()
        if found["group_state"] in (GroupState.PREPARING_REBALANCE, GroupState.COMPLETING_REBALANCE):
            return None
        return [self._member(each) for each in found["members"]]

    def described(self) -> Mapping[str, Any]:
        """What its coordinator says of the group, as the library gives it. Raises `KafkaUnreachable`."""
        try:
            if self._admin is None:
                self._admin = new_admin(self._kafka, **CONNECTING)
            if self.coordinator is not None and (found := self._asked(self._admin, self.coordinator)):
                return found
            for broker in self._admin.describe_cluster()["brokers"]:
                if found := self._asked(self._admin, broker["broker_id"]):
                    self.coordinator = broker["broker_id"]
                    return found
        except KafkaError as problem:
            raise KafkaUnreachable(f"the group {self._name}: {problem!r}") from problem
        raise KafkaUnreachable(f"the group {self._name}: no broker that answers coordinates it")

    def close(self) -> None:
        """Disconnect. May be called again."""
        admin, self._admin = self._admin, None
        if admin is not None:
            admin.close()

    def _asked(self, admin: KafkaAdminClient, broker: int) -> Mapping[str, Any] | None:
        """None where this broker does not answer, or does not coordinate the group."""
        try:
            found: Mapping[str, Any] = admin.describe_groups([self._name], group_coordinator_id=broker)[
                self._name
            ]
        except KafkaError:
            return None
        # Nobody has joined it yet, or the last member left.
        is_empty = found["group_state"] == GroupState.DEAD and GroupIdNotFoundError.__name__ in str(
            found["error"]
        )
        return found if found["error"] is None or is_empty else None

    def _member(self, found: Mapping[str, Any]) -> Member:
        replica, _, address = found["client_id"].partition(AT)
        # Empty where it was given nothing yet.
        assignment = found["member_assignment"] or {"assigned_partitions": ()}
        topic = COMMANDS.name_in(self._kafka)
        owned = [each["partitions"] for each in assignment["assigned_partitions"] if each["topic"] == topic]
        return Member(found["member_id"], replica, address, frozenset(chain.from_iterable(owned)))
