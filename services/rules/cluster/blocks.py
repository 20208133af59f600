"""Games that stay blocked under every later owner, because owners failed over one of their commands."""

from __future__ import annotations

import threading

from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.progress import OwnReader
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.tail import TopicTail, one_by_one
from services.common.kafka.topics import COMMANDS, OWNER_DEAD_LETTERS, partition_of
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster.records import UnreadableRecord, parsed


class BlocksFollower:
    """The lasting blocks in the dead letters of the owners, followed in a thread of its own between `start` and `close`.

    An owner asks when it takes a partition over. From then on it alone blocks and releases the games in it."""

    def __init__(self, kafka: KafkaSettings) -> None:
        self._partitions = COMMANDS.partitions(kafka)
        self._reasons: dict[str, str] = {}
        self._lock = threading.Lock()
        self._log = get_logger("blocks")
        self._tail = TopicTail(kafka, OWNER_DEAD_LETTERS, one_by_one(self._take))

    def start(self) -> None:
        """Begin to follow."""
        self._tail.start()

    def wait_current(self, seconds: float) -> bool:
        """Block until all blocks and releases recorded before the call are known; False when it takes longer."""
        try:
            self._tail.wait_current(seconds)
        except KafkaUnreachable:
            return False
        return True

    def progress_reader(self) -> OwnReader:
        """How far the dead letters are read."""
        return self._tail.progress_reader()

    def reasons(self, partition: int) -> dict[str, str]:
        """Why each game of this partition is blocked that is."""
        with self._lock:
            return {
                game_id: reason
                for game_id, reason in self._reasons.items()
                if partition_of(game_id, self._partitions) == partition
            }

    def close(self) -> None:
        """Stop following. May be called again."""
        self._tail.close()

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
