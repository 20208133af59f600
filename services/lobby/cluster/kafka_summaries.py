"""Summaries of games in a compacted topic, with a copy in a local file to read from: of all games, or of those that this replica
follows.

The clocks of the summaries are stored nowhere else, so `put` waits for Kafka's acknowledgement if the clocks changed;
otherwise it does not wait. Of a summary with nothing new but its sequence and time Kafka gets no record: other replicas show
the sequence of an earlier command of the same turn, and clocks that go on from it come out the same. The file is kept over a
restart: see `summaries_file`.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Collection, Sequence
from concurrent.futures import Future
from pathlib import Path

from confluent_kafka import KafkaError, KafkaException, Message
from msgspec.structs import replace

from services.common.eventlog.port import LogUnavailable
from services.common.kafka.clients import ANSWER_SECONDS
from services.common.kafka.landmarks import lost_landmarks
from services.common.kafka.offsets import identity_of
from services.common.kafka.packing import stored
from services.common.kafka.progress import OwnReader
from services.common.kafka.renewed import RenewedProducer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.tail import TailRecord, TopicTail
from services.common.kafka.topics import LOBBY_SUMMARIES
from services.common.partitions import partition_of
from services.common.process.threads import ServiceThread
from services.common.telemetry.logs import get_logger
from services.lobby.cluster.summaries_file import Landmarks, SummariesFile
from services.lobby.domain.games import GameSummary
from services.lobby.ports import PageCursor
from services.lobby.summary_codec import encode_summary

POLL_SECONDS = 0.2
RETRY_SECONDS = 0.5
# What other replicas put may be so much older here. Lists come from Redis, where there is one, and have it at once.
LAG_MS = 200


class KafkaSummaries:
    """The `GameSummaries` port. Between `start` and `close`."""

    def __init__(
        self,
        kafka: KafkaSettings,
        path: Path,
        answer_seconds: float = ANSWER_SECONDS,
        *,
        has_all: bool = True,
    ) -> None:
        """Opens the file of the copy, which is compared with Kafka; nothing is read before `start`. Without `has_all` it has
        the games of no partition until `keep` says which; of others it knows nothing. Raises `KafkaUnreachable`."""
        self._kafka = kafka
        self._topic = LOBBY_SUMMARIES.name_in(kafka)
        self._answer_seconds = answer_seconds
        self._log = get_logger("lobby")
        self._partitions = LOBBY_SUMMARIES.partitions(kafka)
        self._file = SummariesFile(path, identity_of(kafka, [LOBBY_SUMMARIES]), self._partition_of)
        self._local = self._file.summaries
        self._has_all = has_all
        self._kept: frozenset[int] = frozenset(range(self._partitions) if has_all else ())
        self._producer = RenewedProducer(kafka, **{"delivery.timeout.ms": int(answer_seconds * 1000)})
        begins = self._file.read_on(self._kept, self._find_lost)
        self._tail = TopicTail(kafka, LOBBY_SUMMARIES, self._take, begins, LAG_MS)
        self._is_closing = threading.Event()
        self._poller = ServiceThread("summaries", self._poll)

    def start(self) -> None:
        """Begin to copy, from where the file ends."""
        self._tail.start()
        self._poller.start()

    def keep(self, partitions: Collection[int]) -> None:
        """Have the games of these partitions from now on, and of no others; `wait_current` says when they are there. Nothing
        changes where all games are kept. Raises `KafkaUnreachable`."""
        if self._has_all:
            return
        added = frozenset(partitions) - self._kept
        begins = self._file.read_on(added, self._find_lost)
        # Those that are read already go on where they are.
        self._tail.read_only(dict.fromkeys(partitions, 0) | begins)
        self._kept = frozenset(partitions)

    def wait_current(self, seconds: float) -> bool:
        """Block until the copy has every summary now in Kafka of the games that it keeps; False when it takes longer or Kafka
        is down."""
        return self._tail.is_current_within(seconds)

    def progress_reader(self) -> OwnReader:
        """The progress of the copy."""
        return self._tail.progress_reader()

    def close(self) -> None:
        """Stop copying and close the file. May be called again."""
        self._is_closing.set()
        self._tail.close()
        if self._poller.is_alive():
            self._poller.join()
        self._producer.flush(self._answer_seconds)
        self._file.close()

    @property
    def is_complete(self) -> bool:
        """See `GameSummaries`."""
        return self._local.is_complete

    def mark_complete(self) -> None:
        """See `GameSummaries`."""
        self._local.mark_complete()

    def put(self, summary: GameSummary) -> bool:
        """See `GameSummaries`. Raises `LogUnavailable` when Kafka does not acknowledge it."""
        known = self._local.get(summary.game_id)
        if known is not None and known.sequence >= summary.sequence:
            return False
        if known is None or _is_news(known, summary):
            taken = self._send(summary)
            if known is None or known.clocks != summary.clocks:
                self._wait_until(taken)
        # The copying thread may have stored it already.
        return self._file.put(summary) or self._local.get(summary.game_id) == summary

    def _wait_until(self, taken: Future[None]) -> None:
        try:
            taken.result(self._answer_seconds)
        except TimeoutError:
            raise LogUnavailable("the log does not answer; the summary has to be put again") from None

    def get(self, game_id: str) -> GameSummary | None:
        """See `GameSummaries`."""
        return self._local.get(game_id)

    def of_player(
        self, player_id: str, only_waiting: bool, most: int, before: PageCursor | None = None
    ) -> list[GameSummary]:
        """See `GameSummaries`."""
        return self._local.of_player(player_id, only_waiting, most, before)

    def recent(
        self, most: int, before: PageCursor | None = None, only_listed: bool = False
    ) -> list[GameSummary]:
        """See `GameSummaries`."""
        return self._local.recent(most, before, only_listed)

    def timed(self) -> list[GameSummary]:
        """See `GameSummaries`; of the games that are kept."""
        return [each for each in self._local.timed() if self._partition_of(each.game_id) in self._kept]

    def _send(self, summary: GameSummary) -> Future[None]:
        taken: Future[None] = Future()

        def delivered(error: KafkaError | None, _message: Message) -> None:
            if error is None:
                taken.set_result(None)
            else:
                taken.set_exception(LogUnavailable(f"the log does not answer: {error.str()}"))

        try:
            self._producer.produce(
                self._topic,
                stored(self._kafka, summary.game_id, encode_summary(summary)),
                summary.game_id.encode(),
                self._partition_of(summary.game_id),
                on_delivery=delivered,
            )
        except (BufferError, KafkaException) as error:
            raise LogUnavailable(f"the log takes nothing now: {error}") from error
        return taken

    def _poll(self) -> None:
        while not self._is_closing.is_set():
            self._producer.poll(POLL_SECONDS)

    def _take(self, records: Sequence[TailRecord]) -> None:
        """Summaries of the topic, from any replica. Retries while the disk is full; later summaries wait."""
        while not self._is_closing.is_set():
            try:
                self._file.take(records)
            except sqlite3.Error as problem:
                self._log.error("summaries cannot be copied", count=len(records), problem=str(problem))
                self._is_closing.wait(RETRY_SECONDS)
            else:
                return

    def _find_lost(self, landmarks: Landmarks) -> list[int]:
        """See `FindLost`."""
        wanted = {(self._topic, partition): each for partition, each in landmarks.items()}
        return [partition for _, partition in lost_landmarks(self._kafka, wanted)]

    def _partition_of(self, game_id: str) -> int:
        return partition_of(game_id, self._partitions)


def _is_news(known: GameSummary, summary: GameSummary) -> bool:
    """Whether more than sequence and time differ. What clocks do about an overdue turn is bound to the game's very sequence."""
    if summary.has_clock:
        return True
    same_time = replace(summary.status, sequence=known.status.sequence, time_ms=known.status.time_ms)
    return replace(summary, status=same_time) != known
