"""All topics: what is in them, how they are spread and how long they keep. The one place that says so."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

from services.common.kafka.settings import KafkaSettings

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
FOR_EVER = -1
RECORD_BYTES_MAX = 4 * 1024 * 1024
IN_STEP_OF_THREE = 2


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

    def config(self, settings: KafkaSettings) -> dict[str, str]:
        """What Kafka is told about it."""
        return {
            "cleanup.policy": "compact" if self.is_compacted else "delete",
            "min.compaction.lag.ms": str(self.keep_each_ms),
            "retention.ms": str(self.keep_ms),
            "retention.bytes": "-1",
            "max.message.bytes": str(RECORD_BYTES_MAX),
            "min.insync.replicas": str(min(settings.replication, IN_STEP_OF_THREE)),
            "unclean.leader.election.enable": "false",
        }


COMMANDS = Topic("rules.commands", 7 * DAY_MS)
OUTCOMES = Topic("rules.outcomes", HOUR_MS)
EVENTS = Topic("rules.events", FOR_EVER)
SNAPSHOTS = Topic("rules.snapshots", FOR_EVER, is_compacted=True)
# Thinking times are made from every standing: a follower that was away for days must still meet each of them.
STANDINGS = Topic("rules.standings", FOR_EVER, is_compacted=True, keep_each_ms=7 * DAY_MS)
LOBBY_EVENTS = Topic("lobby.events", FOR_EVER, is_single=True)
LOBBY_CARDS = Topic("lobby.cards", FOR_EVER, is_compacted=True)
ROUTING_REQUESTS = Topic("routing.requests", HOUR_MS)
ROUTING_SOLUTIONS = Topic("routing.solutions", DAY_MS)
LEDGER_EVENTS = Topic("ledger.events", FOR_EVER)

# Where each consumer puts aside what it cannot work with.
OWNER_PARKED = Topic("rules.owner.parked", FOR_EVER, is_single=True)
BOOKS_PARKED = Topic("ledger.books.parked", FOR_EVER, is_single=True)
LOBBY_PARKED = Topic("lobby.results.parked", FOR_EVER, is_single=True)
ROUTING_PARKED = Topic("routing.ahead.parked", FOR_EVER, is_single=True)

TOPICS: tuple[Topic, ...] = (
    COMMANDS,
    OUTCOMES,
    EVENTS,
    SNAPSHOTS,
    STANDINGS,
    LOBBY_EVENTS,
    LOBBY_CARDS,
    ROUTING_REQUESTS,
    ROUTING_SOLUTIONS,
    LEDGER_EVENTS,
    OWNER_PARKED,
    BOOKS_PARKED,
    LOBBY_PARKED,
    ROUTING_PARKED,
)


def partition_of(key: str, partitions: int) -> int:
    """The partition of a key, the same for every client: clients disagree about a default."""
    return crc32(key.encode()) % partitions
