"""An append whose outcome is reported twice, by threads that do not wait for each other."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, cast

import pytest
from confluent_kafka import KafkaError

from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import Appended, AppendResult, LogUnavailable, NewRecord
from services.common.kafka import event_log
from services.common.kafka.copy import LogCopy
from services.common.kafka.copybatch import Applied
from services.common.kafka.event_log import KafkaEventLog
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import LOBBY_EVENTS
from services.common.kafka.unpacking import message_in
from services.gen.signalbox.log.v1 import log_pb2 as pb

TAKEN = Appended(1, 1)


class SeenTooEarly(Future[AppendResult]):
    """A future that another thread completes right after it was asked whether it is done."""

    def done(self) -> bool:
        """Not yet."""
        return False


class Copy:
    """An empty copy."""

    def __init__(self) -> None:
        self.log = MemoryEventLog(ManualClock(0))
        self.tell: list[Callable[[Applied], None]] = []
        self.listen = self.tell.append

    def close(self) -> None:
        """Nothing to do."""


class Producer:
    """Whose record is found in the copy and is reported as not delivered, in either order."""

    def __init__(self, copy: Copy, is_met_first: bool) -> None:
        self._copy = copy
        self._is_met_first = is_met_first

    def produce(
        self, _topic: str, value: bytes, key: bytes, *_: object, on_delivery: Callable[..., None]
    ) -> None:
        """Both at once."""
        applied = Applied(message_in(pb.Commit, value, key), TAKEN, 0, 0)
        lost: Any = KafkaError
        reports: list[Callable[[], None]] = [
            partial(self._copy.tell[0], applied),
            partial(on_delivery, lost(KafkaError._MSG_TIMED_OUT), None),
        ]
        for each in reports if self._is_met_first else reversed(reports):
            each()

    def poll(self, seconds: float) -> None:
        """Nothing is under way."""
        time.sleep(seconds)

    def flush(self, _: float) -> None:
        """Nothing is under way."""


@pytest.mark.parametrize("is_met_first", [True, False])
def test_the_first_outcome_counts(monkeypatch: pytest.MonkeyPatch, is_met_first: bool) -> None:
    """Whichever is reported first; the second one breaks no thread."""
    copy = Copy()
    monkeypatch.setattr(event_log, "Future", SeenTooEarly)
    monkeypatch.setattr(event_log, "RenewedProducer", lambda *_, **__: Producer(copy, is_met_first))
    kafka = KafkaSettings(servers=("127.0.0.1:9",), instance="test")
    log = KafkaEventLog(kafka, LOBBY_EVENTS, cast("LogCopy", copy))
    record = NewRecord("x", 1, b"")
    if is_met_first:
        assert log.append("lobby.table.t1", 0, [record]) == TAKEN
    else:
        with pytest.raises(LogUnavailable):
            log.append("lobby.table.t1", 0, [record])
    log.close()
