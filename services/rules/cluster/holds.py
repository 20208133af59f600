"""Which games the ledger holds, as its topic tells: everybody who may own a game knows before it owns any."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from confluent_kafka import Message, TopicPartition

from services.common.kafka.clients import new_consumer
from services.common.kafka.places import beginnings, ends
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import LEDGER_EVENTS
from services.common.telemetry import get_logger
from services.rules.cluster.records import Hold, UnreadableRecord, read_hold

POLL_SECONDS = 0.2


class HoldsFollower:
    """Tells `held` everything that the ledger says, oldest first, in a thread of its own. `held` is given each word once."""

    def __init__(self, kafka: KafkaSettings, held: Callable[[Hold], None]) -> None:
        self._kafka = kafka
        self._held = held
        self._log = get_logger("holds")
        self._reached: dict[int, int] = {}
        self._moved = threading.Condition()
        self._is_closing = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to follow. Raises `KafkaUnreachable`."""
        begin = beginnings(self._kafka, [LEDGER_EVENTS])
        self._reached = {partition: offset for (_, partition), offset in begin.items()}
        self._thread = threading.Thread(target=self._follow, name="holds", daemon=True)
        self._thread.start()

    def wait_current(self, seconds: float) -> bool:
        """Block until all that the ledger has said up to now is known here; False when it takes longer."""
        deadline = time.monotonic() + seconds
        wanted = {partition: end for (_, partition), end in ends(self._kafka, [LEDGER_EVENTS]).items()}
        with self._moved:
            return self._moved.wait_for(
                lambda: all(self._reached.get(each, 0) >= end for each, end in wanted.items()),
                deadline - time.monotonic(),
            )

    def close(self) -> None:
        """Stop following. May be called again."""
        self._is_closing.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _follow(self) -> None:
        topic = LEDGER_EVENTS.name_in(self._kafka)
        group = f"holds.{self._kafka.instance}"
        consumer = new_consumer(self._kafka, group, **{"enable.partition.eof": True})
        try:
            consumer.assign(
                [TopicPartition(topic, partition, offset) for partition, offset in self._reached.items()]
            )
            while not self._is_closing.is_set():
                message = consumer.poll(POLL_SECONDS)
                if message is not None:
                    self._take(message)
        finally:
            consumer.close()

    def _take(self, message: Message) -> None:
        partition, offset, error = message.partition(), message.offset(), message.error()
        if partition is None or offset is None:
            return
        if error is None:
            self._tell(message)
        with self._moved:
            self._reached[partition] = max(self._reached.get(partition, 0), offset + (error is None))
            self._moved.notify_all()

    def _tell(self, message: Message) -> None:
        try:
            hold = read_hold(message.value())
        except UnreadableRecord as problem:
            self._log.error(
                "unreadable record",
                topic=message.topic(),
                partition=message.partition(),
                offset=message.offset(),
                problem=str(problem),
            )
            return
        self._held(hold)
        self._log.info("hold" if hold.held else "release", game_id=hold.game_id, reason=hold.reason)
