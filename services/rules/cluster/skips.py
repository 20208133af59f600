"""Commands that an operator has the owners pass over. Every possible owner knows them before it carries out a command."""

from __future__ import annotations

from services.common.kafka.clients import new_producer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.tail import TopicTail, one_by_one
from services.common.kafka.topics import SKIPS
from services.common.kafka.writing import ONE_BY_ONE, write_record
from services.common.partitions import partition_of
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster.records import UnreadableRecord, parsed
from services.rules.cluster.tail_follower import TailFollower


class SkipsFollower(TailFollower):
    """The skips recorded so far, followed in a thread of its own between `start` and `close`."""

    def __init__(self, kafka: KafkaSettings) -> None:
        self._reasons: dict[tuple[int, int], str] = {}
        self._log = get_logger("skips")
        super().__init__(TopicTail(kafka, SKIPS, one_by_one(self._take)))

    def reason(self, partition: int, offset: int) -> str | None:
        """Why the command at this offset is passed over; None if it is not."""
        return self._reasons.get((partition, offset))

    def _take(self, key: str, value: bytes | None) -> None:
        try:
            skip = parsed(pb.CommandSkip, value)
        except UnreadableRecord as problem:
            self._log.error("unreadable record", topic=SKIPS.name, key=key, problem=str(problem))
            return
        self._reasons[skip.partition, skip.offset] = f"skipped by {skip.operator}: {skip.reason}"


def record_skip(kafka: KafkaSettings, skip: pb.CommandSkip) -> None:
    """Have the owner pass over a command. Raises `NotWritten`."""
    partition = partition_of(skip.game_id, SKIPS.partitions(kafka))
    producer = new_producer(kafka, **ONE_BY_ONE)
    write_record(producer, SKIPS.name_in(kafka), partition, skip.game_id, skip.SerializeToString())
