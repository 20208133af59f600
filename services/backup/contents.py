"""Which topics a backup has, and what their offsets must have in common.

Left out: what is of use for hours only (commands, outcomes, questions to routing), snapshots, which are rebuilt, and what names
offsets of another topic, which are others after a restore: commands passed over and dead letters.
"""

from __future__ import annotations

from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    EVENTS,
    FACTS,
    GAME_STATUSES,
    LOBBY_SUMMARIES,
    PartitionName,
    Topic,
)

# Written with every command. Games do not refer to each other, so the partitions need no common moment among themselves.
GAMES = EVENTS
# Refer to games and are referred to by them: tables and results, holds, acts of staff. Written seldom.
AROUND_GAMES: tuple[Topic, ...] = tuple(topic for topic in FACTS if topic is not GAMES)
# The newest record of each game says what its events say, and may be older than they are.
DERIVED: tuple[Topic, ...] = (GAME_STATUSES, LOBBY_SUMMARIES)
TOPICS: tuple[Topic, ...] = (*FACTS, *DERIVED)

# Name of a topic without the platform's prefix, and a partition: what a backup knows them by.
Source = tuple[str, int]


def names_in(kafka: KafkaSettings) -> dict[PartitionName, Source]:
    """All partitions of a backup by their names in Kafka."""
    return {
        (topic.name_in(kafka), partition): (topic.name, partition)
        for topic in TOPICS
        for partition in range(topic.partitions(kafka))
    }
