"""A client that can never deliver again is distinguished from one with a passing error."""

from __future__ import annotations

from typing import Any, cast

import pytest
from confluent_kafka import Consumer, KafkaError

from services.common.kafka.consuming import ClientFailed, is_fatal, poll_messages
from services.common.telemetry.record_bytes import RECORD_BYTES

FATAL = KafkaError._FATAL
FENCED = KafkaError.FENCED_INSTANCE_ID
PASSING = KafkaError._ALL_BROKERS_DOWN


class Given:
    """A message with this error or none."""

    def __init__(self, error: KafkaError | None = None) -> None:
        self._error = error

    def error(self) -> KafkaError | None:
        return self._error

    def topic(self) -> str:
        return "given"

    def key(self) -> bytes:
        return b"key"

    def value(self) -> bytes | None:
        return None if self._error else b"value"


class Giving:
    """A consumer that has these messages."""

    def __init__(self, *messages: Given) -> None:
        self._messages = list(messages)

    def poll(self, _seconds: float) -> Given | None:
        return self._messages.pop(0) if self._messages else None

    def consume(self, number: int, _seconds: float) -> list[Given]:
        taken, self._messages = self._messages[:number], self._messages[number:]
        return taken


def poll(*messages: Given) -> list[Any]:
    """What the reader of a consumer with these messages gets."""
    return poll_messages(cast(Consumer, Giving(*messages)), 0.1, 10)


@pytest.mark.parametrize("is_cause", [True, False])
def test_a_fatal_error_has_two_forms(is_cause: bool) -> None:
    """The library marks the cause; each later call gives the code alone, which reports that it is not fatal."""
    error = KafkaError(FENCED, "Static consumer fenced", True) if is_cause else KafkaError(FATAL)
    assert is_fatal(error)
    with pytest.raises(ClientFailed):
        poll(Given(), Given(error))


def test_what_is_read_is_counted() -> None:
    """Keys and values of records by topic; an error is none."""

    def counted() -> float:
        return float(RECORD_BYTES.labels("read", "given")._value.get())

    before = counted()
    poll(Given(), Given(KafkaError(PASSING)), Given())
    assert counted() - before == 16


def test_the_bare_code_says_of_itself_that_it_is_not_fatal() -> None:
    """Why `fatal()` alone is not asked."""
    assert not KafkaError(FATAL).fatal()


def test_a_passing_error_comes_with_the_messages() -> None:
    """The reader decides what to make of it."""
    assert not is_fatal(KafkaError(PASSING))
    assert len(poll(Given(), Given(KafkaError(PASSING)), Given())) == 3
    assert poll() == []
