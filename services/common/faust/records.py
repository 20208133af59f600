"""What a follower is given of a topic, and how its handler says that a record must wait or cannot be worked with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from services.common.errors import SignalboxError
from services.common.kafka.topics import Topic


@dataclass(frozen=True, slots=True)
class FollowedRecord:
    """One committed record. `value` is empty where the record has none; `time_ms`: when it was written."""

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
    """Raised by a handler: something that the record needs is away or not there yet, so it must wait, however long.

    Records behind it on the same topic wait too. The game is not parked."""


class Unworkable(SignalboxError):
    """Raised by a handler: the record can never be worked with, so its game is parked at once."""


class NewerVersion(Unworkable):
    """Raised by a handler: the record is of a newer version of the platform. Its game is parked, and taken up by itself by
    the first process that knows the version and has the game's partition."""


def key_of(record: FollowedRecord) -> str:
    """The game of a record: its key. Raises `Unworkable` for a record without one."""
    if not record.key:
        raise Unworkable("the record has no readable key")
    return record.key


@dataclass(frozen=True, slots=True)
class Follow:
    """A topic that is followed and what is done with its records."""

    topic: Topic
    handler: Handler
    key: KeyOf
    is_newest_enough: bool = False
    """Of the records of a game that have come together only the newest is handled."""
