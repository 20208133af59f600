"""What this platform needs to know about Kafka itself, from any Kafka that answers an administrator's questions: copies that
are out of step, partitions that cannot be written, controllers that do not follow, and the room on the brokers' disks."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kafka import KafkaAdminClient
from kafka.errors import (
    ClusterAuthorizationFailedError,
    IncompatibleBrokerVersion,
    KafkaError,
    UnsupportedVersionError,
)
from prometheus_client import CollectorRegistry, Gauge

from services.common.kafka.clients import new_admin
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import IN_STEP_OF_THREE
from services.common.process.repeating import RepeatingThread
from services.common.telemetry.logs import get_logger

LOOK_EVERY_SECONDS = 30.0
NO_LEADER = -1
# By the clock of the leading controller. The others ask it for news several times a second.
SILENT_MS = 30_000
# What a broker answers that does not know its disk.
UNKNOWN_BYTES = -1


@dataclass(frozen=True, slots=True)
class DiskRoom:
    """Bytes of a broker's disks."""

    whole: int
    free: int


@dataclass(frozen=True, slots=True)
class Controllers:
    """Those who have a vote in the quorum. `silent`: have not followed the leader for a while, all of them without a leader."""

    voters: int
    silent: int


LEADERLESS = Controllers(voters=0, silent=1)
"""Nobody speaks for the quorum, so how many are silent is not known."""


@dataclass(frozen=True, slots=True)
class KafkaState:
    """A look at Kafka. Partitions are those of all topics, its own included.

    `out_of_step`: with copies that lag or are gone. `unwritable`: with fewer copies in step than a write needs.
    `disks`: by broker, of those that answer. `topic_bytes`: all copies together. `controllers`: None where Kafka does not say."""

    partitions: int
    out_of_step: int
    unwritable: int
    disks: Mapping[int, DiskRoom]
    topic_bytes: Mapping[str, int]
    controllers: Controllers | None


def kafka_state(admin: KafkaAdminClient, kafka: KafkaSettings) -> KafkaState:
    """Ask for it. Raises what the client raises."""
    needed = min(kafka.replication, IN_STEP_OF_THREE)
    partitions = [each for topic in admin.describe_topics() for each in topic["partitions"]]
    answers = admin.describe_log_dirs()
    return KafkaState(
        partitions=len(partitions),
        out_of_step=sum(len(each["isr_nodes"]) < len(each["replica_nodes"]) for each in partitions),
        unwritable=sum(
            each["leader_id"] == NO_LEADER or len(each["isr_nodes"]) < min(needed, len(each["replica_nodes"]))
            for each in partitions
        ),
        disks={each["broker"]: room for each in answers if (room := _room(each["log_dirs"])) is not None},
        topic_bytes=_topic_bytes(answers, kafka),
        controllers=_controllers(admin),
    )


def _controllers(admin: KafkaAdminClient) -> Controllers | None:
    try:
        answer = admin.describe_metadata_quorum()
    except (ClusterAuthorizationFailedError, IncompatibleBrokerVersion, UnsupportedVersionError):
        # Brokers of a service that somebody else operates.
        return None
    except KafkaError:
        return LEADERLESS
    (quorum,) = answer["topics"][0]["partitions"]
    voters = {each["replica_id"]: each["last_fetch_timestamp"] for each in quorum["current_voters"]}
    leader_ms = voters.get(quorum["leader_id"])
    if leader_ms is None:
        return Controllers(len(voters), len(voters))
    return Controllers(len(voters), sum(leader_ms - each > SILENT_MS for each in voters.values()))


def _room(folders: Sequence[Any]) -> DiskRoom | None:
    known = [each for each in folders if each.get("total_bytes", UNKNOWN_BYTES) != UNKNOWN_BYTES]
    if not known:
        return None
    return DiskRoom(sum(each["total_bytes"] for each in known), sum(each["usable_bytes"] for each in known))


def _topic_bytes(answers: Sequence[Any], kafka: KafkaSettings) -> dict[str, int]:
    found: dict[str, int] = {}
    for answer in answers:
        for folder in answer["log_dirs"]:
            for topic in folder["topics"]:
                name = topic["name"].removeprefix(kafka.topic_prefix)
                size = sum(each["partition_size"] for each in topic["partitions"])
                found[name] = found.get(name, 0) + size
    return found


class KafkaObserver:
    """Shows the state of Kafka as metrics; looks in a thread of its own between `start` and `close`."""

    def __init__(
        self, kafka: KafkaSettings, registry: CollectorRegistry, look_seconds: float = LOOK_EVERY_SECONDS
    ) -> None:
        self._kafka = kafka
        self._log = get_logger("kafka")
        self._thread = RepeatingThread("kafka observer", self._watch, look_seconds, begins_at_once=True)
        self._last_answer = time.monotonic()
        self._partitions = Gauge(
            "signalbox_kafka_partitions",
            "Partitions of all topics by state: all, out_of_step, unwritable",
            ("state",),
            registry=registry,
        )
        self._controllers = Gauge(
            "signalbox_kafka_controllers",
            "Controllers with a vote by state: all, silent",
            ("state",),
            registry=registry,
        )
        self._disk = Gauge(
            "signalbox_kafka_disk_bytes", "Bytes of a broker's disks", ("broker",), registry=registry
        )
        self._free = Gauge(
            "signalbox_kafka_disk_free_bytes",
            "Free bytes of a broker's disks",
            ("broker",),
            registry=registry,
        )
        self._topics = Gauge(
            "signalbox_kafka_topic_bytes", "Bytes of a topic, all copies", ("topic",), registry=registry
        )
        unknown = Gauge(
            "signalbox_kafka_unknown_seconds", "Since when the state of Kafka is unknown", registry=registry
        )
        unknown.set_function(lambda: time.monotonic() - self._last_answer)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Stop looking. May be called again, and without `start`."""
        self._thread.close()

    def _watch(self) -> None:
        try:
            self._look()
        except Exception as problem:
            # Whatever it is, games go on; the metric says since when nothing is known.
            self._log.warning("the state of Kafka is not known", problem=repr(problem))

    def _look(self) -> None:
        admin = new_admin(self._kafka)
        try:
            state = kafka_state(admin, self._kafka)
        finally:
            admin.close()
        for name, count in (
            ("all", state.partitions),
            ("out_of_step", state.out_of_step),
            ("unwritable", state.unwritable),
        ):
            self._partitions.labels(name).set(count)
        if state.controllers is not None:
            self._controllers.labels("all").set(state.controllers.voters)
            self._controllers.labels("silent").set(state.controllers.silent)
        self._disk.clear()
        self._free.clear()
        for broker, room in state.disks.items():
            self._disk.labels(str(broker)).set(room.whole)
            self._free.labels(str(broker)).set(room.free)
        for topic, size in state.topic_bytes.items():
            self._topics.labels(topic).set(size)
        self._last_answer = time.monotonic()
