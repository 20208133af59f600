"""Producers that fail for good."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException

from services.common.kafka import renewed
from services.common.kafka.renewed import RenewedProducer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.writing import NotWritten, write_record
from services.common.telemetry.record_bytes import RECORD_BYTES

KAFKA = KafkaSettings(servers=("127.0.0.1:9",), instance="test")
Delivered = Callable[[KafkaError | None, object], None]


class Fake:
    """Takes records until it fails; what it has is reported when it is purged and flushed."""

    def __init__(self) -> None:
        self.problems: list[int] = []
        self.held: list[Delivered] = []
        self.is_purged = False

    def produce(self, *_: object, on_delivery: Delivered) -> None:
        if self.problems:
            raise KafkaException(KafkaError(self.problems[-1]))
        self.held.append(on_delivery)

    def purge(self) -> None:
        self.is_purged = True

    def flush(self, _: float) -> int:
        while self.held:
            self.held.pop()(KafkaError(KafkaError._PURGE_QUEUE) if self.is_purged else None, None)
        return 0


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Fake]:
    """The producers made so far."""
    fakes: list[Fake] = []

    def new(*_: object, **__: Any) -> Fake:
        fakes.append(Fake())
        return fakes[-1]

    monkeypatch.setattr(renewed, "new_producer", new)
    return fakes


def test_one_beyond_repair_is_replaced(made: list[Fake]) -> None:
    """The caller gets the error, what it still had is reported as not delivered, and the next record uses another."""
    producer = RenewedProducer(KAFKA)
    reported: list[KafkaError | None] = []
    producer.produce("t", b"1", b"k", 0, on_delivery=lambda error, _: reported.append(error))
    made[0].problems.append(KafkaError._FATAL)
    with pytest.raises(NotWritten, match="topic t"):
        write_record(producer, "t", 0, "k", b"2")
    assert [error is not None for error in reported] == [True]
    write_record(producer, "t", 0, "k", b"2")
    assert len(made) == 2


def test_one_that_only_cannot_just_now_is_kept(made: list[Fake]) -> None:
    """It may have records on their way."""
    producer = RenewedProducer(KAFKA)
    made[0].problems.append(KafkaError._TRANSPORT)
    with pytest.raises(NotWritten):
        write_record(producer, "t", 0, "k", b"1")
    made[0].problems.clear()
    write_record(producer, "t", 0, "k", b"1")
    assert len(made) == 1


def test_what_is_written_is_counted(made: list[Fake]) -> None:
    """Keys and values of records that the client took; of those that it did not take, nothing."""

    def written() -> float:
        return float(RECORD_BYTES.labels("written", "counted")._value.get())

    producer, before = RenewedProducer(KAFKA), written()
    producer.produce("counted", b"value", b"key", 0, on_delivery=lambda *_: None)
    made[0].problems.append(KafkaError._TRANSPORT)
    with pytest.raises(KafkaException):
        producer.produce("counted", b"value", b"key", 0, on_delivery=lambda *_: None)
    assert written() - before == 8


def test_a_producer_is_made_as_it_is_asked_for() -> None:
    """With the options of its user, again when it is replaced."""
    RenewedProducer(KAFKA, **{"linger.ms": 1}).poll(0)
    with pytest.raises(KafkaException, match=r"no\.such\.option"):
        RenewedProducer(KAFKA, **{"no.such.option": 1})
