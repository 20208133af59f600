"""Cards of games in a compacted topic, with a copy in a local file to read from.

The clocks on the cards are nowhere else, so a card whose clocks changed is kept by Kafka before `put` returns; one that
merely moved on is sent along. The file is filled anew from the topic at every start, so it never has what the topic lacks.
"""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import Future
from pathlib import Path

from confluent_kafka import KafkaError, KafkaException, Message

from services.common.eventlog.port import LogUnavailable
from services.common.eventlog.sqlite_database import remove_database
from services.common.kafka.clients import ANSWER_SECONDS, KafkaUnreachable
from services.common.kafka.progress import OwnReader
from services.common.kafka.renewed import RenewedProducer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.tail import TopicTail
from services.common.kafka.topics import LOBBY_CARDS, partition_of
from services.common.process.threads import ServiceThread
from services.common.telemetry.logs import get_logger
from services.lobby.adapters.sqlite_cards import SqliteCards
from services.lobby.card_codec import UnreadableCard, decode_card, encode_card
from services.lobby.domain.games import GameCard
from services.lobby.ports import Place

POLL_SECONDS = 0.2
RETRY_SECONDS = 0.5


class KafkaCards:
    """The `GameCards` port. Between `start` and `close`."""

    def __init__(self, kafka: KafkaSettings, path: Path, answer_seconds: float = ANSWER_SECONDS) -> None:
        """Makes the file of the copy; nothing is read before `start`."""
        self._kafka = kafka
        self._topic = LOBBY_CARDS.name_in(kafka)
        self._answer_seconds = answer_seconds
        self._log = get_logger("lobby")
        path.parent.mkdir(parents=True, exist_ok=True)
        remove_database(path)
        self._local = SqliteCards(path)
        self._producer = RenewedProducer(kafka, **{"delivery.timeout.ms": int(answer_seconds * 1000)})
        self._tail = TopicTail(kafka, LOBBY_CARDS, self._take)
        self._is_closing = threading.Event()
        self._poller = ServiceThread("cards", self._poll)

    def start(self) -> None:
        """Begin to copy, from the beginning of the topic."""
        self._tail.start()
        self._poller.start()

    def wait_current(self, seconds: float) -> bool:
        """Block until the copy has every card that stands in Kafka now; False when it takes longer or Kafka is away."""
        try:
            self._tail.wait_current(seconds)
        except KafkaUnreachable:
            return False
        return True

    def progress_reader(self) -> OwnReader:
        """How far the topic is copied."""
        return self._tail.progress_reader()

    def close(self) -> None:
        """Stop copying and close the file. May be called again."""
        self._is_closing.set()
        self._tail.close()
        if self._poller.is_alive():
            self._poller.join()
        self._producer.flush(self._answer_seconds)
        self._local.close()

    @property
    def is_complete(self) -> bool:
        """See `GameCards`."""
        return self._local.is_complete

    def mark_complete(self) -> None:
        """See `GameCards`."""
        self._local.mark_complete()

    def put(self, card: GameCard) -> bool:
        """See `GameCards`. Raises `LogUnavailable` when Kafka does not take it."""
        known = self._local.get(card.game_id)
        if known is not None and known.sequence >= card.sequence:
            return False
        taken = self._send(card)
        if known is None or known.clocks != card.clocks:
            try:
                taken.result(self._answer_seconds)
            except TimeoutError:
                raise LogUnavailable("the log does not answer; the card has to be put again") from None
        # The copy may have met it in Kafka before.
        return self._local.put(card) or self._local.get(card.game_id) == card

    def get(self, game_id: str) -> GameCard | None:
        """See `GameCards`."""
        return self._local.get(game_id)

    def of_player(
        self, player_id: str, only_waiting: bool, most: int, before: Place | None = None
    ) -> list[GameCard]:
        """See `GameCards`."""
        return self._local.of_player(player_id, only_waiting, most, before)

    def recent(self, most: int, before: Place | None = None) -> list[GameCard]:
        """See `GameCards`."""
        return self._local.recent(most, before)

    def timed(self) -> list[GameCard]:
        """See `GameCards`."""
        return self._local.timed()

    def _send(self, card: GameCard) -> Future[None]:
        taken: Future[None] = Future()

        def delivered(error: KafkaError | None, _message: Message) -> None:
            if error is None:
                taken.set_result(None)
            else:
                taken.set_exception(LogUnavailable(f"the log does not answer: {error.str()}"))

        try:
            self._producer.produce(
                self._topic,
                encode_card(card),
                card.game_id.encode(),
                partition_of(card.game_id, LOBBY_CARDS.partitions(self._kafka)),
                on_delivery=delivered,
            )
        except (BufferError, KafkaException) as error:
            raise LogUnavailable(f"the log takes nothing now: {error}") from error
        return taken

    def _poll(self) -> None:
        while not self._is_closing.is_set():
            self._producer.poll(POLL_SECONDS)

    def _take(self, key: str, value: bytes | None) -> None:
        """A card of the topic, by whichever replica. While the disk is full it waits, and everything behind it."""
        try:
            card = decode_card(value or b"")
        except UnreadableCard as problem:
            self._log.error("unreadable card", key=key, problem=str(problem))
            return
        while card.game_id and not self._is_closing.is_set():
            try:
                self._local.put(card)
            except sqlite3.Error as problem:
                self._log.error("card cannot be copied", key=key, problem=str(problem))
                self._is_closing.wait(RETRY_SECONDS)
            else:
                return
