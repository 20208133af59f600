"""Records of a followed topic, and the errors by which a handler delays or rejects one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from services.common.errors import SignalboxError
from services.common.kafka.topics import Topic


@dataclass(frozen=True, slots=True)
class FollowedRecord:
    """One committed record. `value` is empty if the record has none; `time_ms`: when it was written."""

    topic: str
    """Name without the platform's prefix."""
    partition: int
    offset: int
    key: str
    """The id of the game or aggregate; empty where the key is none."""
    value: bytes
    time_ms: int
    headers: tuple[tuple[str, bytes], ...] = ()


Handler = Callable[[FollowedRecord], None]
KeyOf = Callable[[FollowedRecord], str]


class NotYet(SignalboxError):
    """Raised by a handler: a dependency of the record is down or not there yet. The record is retried without limit.

    Later records of the same topic wait too. The game is not blocked."""


class UnprocessableRecord(SignalboxError):
    """Raised by a handler: the record can never be processed. It is dead-lettered at once, which blocks its game."""


class NewerVersion(UnprocessableRecord):
    """Raised by a handler: the record is of a newer version of the platform. Its game is blocked, and released automatically
    by the first process that knows the version and has the game's partition."""


def key_of(record: FollowedRecord) -> str:
    """The game of a record: its key. Raises `UnprocessableRecord` if it has none."""
    if not record.key:
        raise UnprocessableRecord("the record has no readable key")
    return record.key


@dataclass(frozen=True, slots=True)
class Follow:
    """A followed topic with its handler."""

    topic: Topic
    handler: Handler
    key: KeyOf
    is_newest_enough: bool = False
    """Of the records of a game that are read together only the newest is handled."""
