"""An operator's release of a blocked game, sent to its owner from outside of the replicas."""

from __future__ import annotations

from services.common.clock import Clock, SystemClock
from services.common.kafka.clients import new_producer
from services.common.kafka.packing import value_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS
from services.common.kafka.writing import ONE_BY_ONE, write_record
from services.common.partitions import partition_of
from services.rules.cluster.records import release_sent


def ask_owner(kafka: KafkaSettings, game_id: str, clock: Clock | None = None) -> None:
    """Have the owner of the game process its commands again. Raises `NotWritten`.

    The owner confirms it by an empty value under the game's key in rules.owner.dead_letters."""
    sent = release_sent(game_id, (clock or SystemClock()).now_ms())
    partition = partition_of(game_id, COMMANDS.partitions(kafka))
    value = value_of(kafka, game_id, sent)
    write_record(new_producer(kafka, **ONE_BY_ONE), COMMANDS.name_in(kafka), partition, game_id, value)
