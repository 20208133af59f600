"""Games that stay blocked under every later owner, because owners failed over one of their commands."""

from __future__ import annotations

import threading

from services.common.kafka.settings import KafkaSettings
from services.common.kafka.tail import TopicTail, one_by_one
from services.common.kafka.topics import COMMANDS, OWNER_DEAD_LETTERS
from services.common.partitions import partition_of
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster.records import UnreadableRecord, parsed
from services.rules.cluster.tail_follower import TailFollower


class BlocksFollower(TailFollower):
    """The lasting blocks in the dead letters of the owners, followed in a thread of its own between `start` and `close`.

    An owner asks when it takes a partition over. From then on it alone blocks and releases the games in it."""

    def __init__(self, kafka: KafkaSettings) -> None:
        self._partitions = COMMANDS.partitions(kafka)
        self._reasons: dict[str, str] = {}
        self._lock = threading.Lock()
        self._log = get_logger("blocks")
        super().__init__(TopicTail(kafka, OWNER_DEAD_LETTERS, one_by_one(self._take)))

    def reasons(self, partition: int) -> dict[str, str]:
        """Why each game of this partition is blocked that is."""
        with self._lock:
            return {
                game_id: reason
                for game_id, reason in self._reasons.items()
                if partition_of(game_id, self._partitions) == partition
            }

    def _take(self, key: str, value: bytes | None) -> None:
        if value is None:
            with self._lock:
                self._reasons.pop(key, None)
            return
        try:
            letter = parsed(pb.DeadLetter, value)
        except UnreadableRecord as problem:
            self._log.error("unreadable record", topic=OWNER_DEAD_LETTERS.name, key=key, problem=str(problem))
            return
        if letter.outlives_owner:
            with self._lock:
                self._reasons[letter.game_id] = letter.reason
