"""All topics with their partitions and retention; nothing else defines them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from services.common.kafka.settings import KafkaSettings

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
FOR_EVER = -1
# Kafka deletes and compacts closed segments only: what a topic may lose must not stay in an open one for days.
SEGMENT_BYTES = 1024**3
SEGMENT_BYTES_OF_COMPACTED = 64 * 1024**2
SEGMENTS_OF_RETENTION = 4
SEGMENT_MS_MAX = 7 * DAY_MS
COMPACTION_MS_MAX = DAY_MS
RECORD_BYTES_MAX = 4 * 1024 * 1024
IN_STEP_OF_THREE = 2
# The setting by which a topic is closed, and its value: room for the marker that ends a transaction (78 bytes), for no record of
# ours.
SIZE = "max.message.bytes"
CLOSED_BYTES = 80
# Full topic name and partition.
PartitionName: TypeAlias = tuple[str, int]
# Topic, partition and offset of a record.
RecordPosition: TypeAlias = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic without the platform's prefix. `keep_ms`: how long records stay, `FOR_EVER` for ever.

    `keep_each_ms`: how long a record of a compacted topic stays though a later one has its key."""

    name: str
    keep_ms: int
    is_compacted: bool = False
    keep_each_ms: int = 0
    is_single: bool = False
    """One partition: one order for all its records."""

    def name_in(self, settings: KafkaSettings) -> str:
        """The name it has in Kafka."""
        return settings.topic_prefix + self.name

    def partitions(self, settings: KafkaSettings) -> int:
        """Number of its partitions."""
        return 1 if self.is_single else settings.partitions

    @property
    def segment_ms(self) -> int:
        """After this time a segment is closed, so that it can be deleted or compacted."""
        if self.is_compacted:
            return COMPACTION_MS_MAX // SEGMENTS_OF_RETENTION
        return SEGMENT_MS_MAX if self.keep_ms == FOR_EVER else self.keep_ms // SEGMENTS_OF_RETENTION

    def config(self, settings: KafkaSettings) -> dict[str, str]:
        """Its settings in Kafka."""
        return {
            "cleanup.policy": "compact" if self.is_compacted else "delete",
            "segment.ms": str(self.segment_ms),
            "segment.bytes": str(SEGMENT_BYTES_OF_COMPACTED if self.is_compacted else SEGMENT_BYTES),
            "min.compaction.lag.ms": str(self.keep_each_ms),
            "max.compaction.lag.ms": str(self.keep_each_ms + COMPACTION_MS_MAX),
            "retention.ms": str(self.keep_ms),
            "retention.bytes": "-1",
            SIZE: str(RECORD_BYTES_MAX),
            "min.insync.replicas": str(min(settings.replication, IN_STEP_OF_THREE)),
            "unclean.leader.election.enable": "false",
        }


COMMANDS = Topic("rules.commands", DAY_MS)
OUTCOMES = Topic("rules.outcomes", HOUR_MS)
EVENTS = Topic("rules.events", FOR_EVER)
SNAPSHOTS = Topic("rules.snapshots", FOR_EVER, is_compacted=True)
# Thinking times are computed from every status: a follower that was down for days must still read each of them.
GAME_STATUSES = Topic("rules.game_statuses", FOR_EVER, is_compacted=True, keep_each_ms=3 * DAY_MS)
LOBBY_EVENTS = Topic("lobby.events", FOR_EVER, is_single=True)
LOBBY_SUMMARIES = Topic("lobby.summaries", FOR_EVER, is_compacted=True)
# Commands that operators had the owners pass over.
SKIPS = Topic("rules.skips", FOR_EVER, is_single=True)
# What operators did: every service follows it, since it says which tokens are refused.
STAFF_ACTS = Topic("staff.acts", FOR_EVER, is_single=True)
ROUTING_REQUESTS = Topic("routing.requests", HOUR_MS)
LEDGER_EVENTS = Topic("ledger.events", FOR_EVER)
# What nothing else could give back.
FACTS: tuple[Topic, ...] = (EVENTS, LOBBY_EVENTS, LEDGER_EVENTS, STAFF_ACTS)

# Records that a consumer could not process.
OWNER_DEAD_LETTERS = Topic("rules.owner.dead_letters", FOR_EVER, is_single=True)
BOOKS_DEAD_LETTERS = Topic("ledger.books.dead_letters", FOR_EVER, is_single=True)
LOBBY_DEAD_LETTERS = Topic("lobby.results.dead_letters", FOR_EVER, is_single=True)
ROUTING_DEAD_LETTERS = Topic("routing.ahead.dead_letters", FOR_EVER, is_single=True)
# By the name of the reader.
DEAD_LETTERS = {
    topic.name.removesuffix(".dead_letters"): topic
    for topic in (BOOKS_DEAD_LETTERS, LOBBY_DEAD_LETTERS, ROUTING_DEAD_LETTERS, OWNER_DEAD_LETTERS)
}

TOPICS: tuple[Topic, ...] = (
    COMMANDS,
    OUTCOMES,
    EVENTS,
    SNAPSHOTS,
    GAME_STATUSES,
    SKIPS,
    STAFF_ACTS,
    LOBBY_EVENTS,
    LOBBY_SUMMARIES,
    ROUTING_REQUESTS,
    LEDGER_EVENTS,
    OWNER_DEAD_LETTERS,
    BOOKS_DEAD_LETTERS,
    LOBBY_DEAD_LETTERS,
    ROUTING_DEAD_LETTERS,
)
