"""The consumer group of the owners: its members carry out commands."""

from __future__ import annotations

from dataclasses import dataclass

from confluent_kafka import Consumer, ConsumerGroupState, KafkaException
from confluent_kafka.admin import AdminClient, ConsumerGroupDescription
from kafka.admin import MemberToRemove

from services.common.kafka.clients import (
    ANSWER_SECONDS,
    KafkaUnreachable,
    client_config,
    new_admin,
    new_consumer,
)
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS
from services.rules.cluster.placement import Member

GROUP = "rules.owner"
COMMANDS_PER_TRANSACTION = 100
# A member learns of new partitions with a heartbeat: until then they have no owner.
HEARTBEAT_MS = 300
# Between the name of a replica and its address in the client id of a member.
AT = "@"
# Between the static name and a random part in the member id that the group gives.
RANDOM_PART = "-"


@dataclass(frozen=True, slots=True)
class OwnerTiming:
    """`session_ms`: a member not heard of for so long has lost its partitions. `command_seconds`: the processor time that one
    command may take; the slowest of the recorded games takes some hundredths of a second."""

    session_ms: int = 10_000
    poll_ms_max: int = 60_000
    command_seconds: float = 10.0


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
        },
    )


def static_name(kafka: KafkaSettings) -> str:
    """The name by which the group knows this replica."""
    return kafka.topic_prefix + kafka.instance


def leave_group(kafka: KafkaSettings) -> None:
    """Have the group give the partitions of this replica to others at once: a static member that only stops keeps them
    for a session. Raises what the client raises."""
    admin = new_admin(kafka)
    try:
        member = MemberToRemove(group_instance_id=static_name(kafka))
        admin.remove_group_members(kafka.topic_prefix + GROUP, [member])
    finally:
        admin.close()


def has_other_members(kafka: KafkaSettings) -> bool:
    """Whether the group has members beside this replica; True as well while Kafka does not answer."""
    try:
        described = _described(kafka, AdminClient(client_config(kafka)))
    except KafkaException:
        return True
    return any(each.group_instance_id != static_name(kafka) for each in described.members)


def own_member(kafka: KafkaSettings, address: str) -> Member:
    """This replica as a member that has nothing yet."""
    return Member(static_name(kafka) + RANDOM_PART, kafka.instance, address, frozenset())


def members_of(kafka: KafkaSettings, admin: AdminClient) -> list[Member] | None:
    """The members of the group with what each owns; None while the group is dividing the partitions.

    Raises `KafkaUnreachable`."""
    topic = COMMANDS.name_in(kafka)
    try:
        found = _described(kafka, admin)
    except KafkaException as problem:
        raise KafkaUnreachable(f"the group {kafka.topic_prefix}{GROUP}: {problem}") from problem
    if found.state in (ConsumerGroupState.PREPARING_REBALANCING, ConsumerGroupState.COMPLETING_REBALANCING):
        return None
    members: list[Member] = []
    for each in found.members:
        replica, _, address = each.client_id.partition(AT)
        own = frozenset(each.partition for each in each.assignment.topic_partitions if each.topic == topic)
        members.append(Member(each.member_id, replica, address, own))
    return members


def _described(kafka: KafkaSettings, admin: AdminClient) -> ConsumerGroupDescription:
    """What Kafka says of the group. Raises `KafkaException`."""
    name = kafka.topic_prefix + GROUP
    asked = admin.describe_consumer_groups([name], request_timeout=ANSWER_SECONDS)
    described: ConsumerGroupDescription = asked[name].result()
    return described
