"""The event log as a port: streams of records, appended all or nothing, read in order, followed live.

A stream is one aggregate: a game, a table, a player. Its records have sequences 1, 2, 3, ... without gaps. Across
streams a record has a position that grows with the order of writing and means nothing else. Every adapter passes the
contract of tests/contracts/event_log_contract.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import msgspec

from services.common.errors import RETRY_HINT, SignalboxError, Unavailable


class LogClosed(SignalboxError):
    """The log was used after it was closed."""


class LogUnavailable(Unavailable):
    """The log did not answer in time; whether the append took effect is unknown, and the same request may be repeated."""


class LogNotWritable(Unavailable):
    """The log takes no facts now, for example because its disk is full; nothing is acknowledged, and reads go on.

    The same request may be sent again: it takes effect once."""

    trailing = (("signalbox-reason", "log_not_writable"), (RETRY_HINT, "2000"))


class LogFileError(SignalboxError):
    """The file of the log cannot be used; the message names the file and what is wrong with it."""


class NewRecord(msgspec.Struct, frozen=True):
    """A fact to be written: name of its type, version of that type's schema, encoded body."""

    type: str
    schema_version: int
    payload: bytes


class Record(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A written fact. `recorded_time_ms` is milliseconds since 1970 UTC."""

    stream: str
    sequence: int
    type: str
    schema_version: int
    payload: bytes
    recorded_time_ms: int
    position: int


class RequestRecord(msgspec.Struct, frozen=True):
    """The request that led to an append, and its outcome, kept so that a repeat can be answered.

    `request_id` is unique within its stream; `content_hash` covers everything the requester said.
    """

    request_id: str
    player: str
    content_hash: bytes
    outcome: bytes


@dataclass(frozen=True, slots=True)
class Appended:
    """The records are written for good, with sequences `first` to `last`, all at `recorded_time_ms`."""

    first: int
    last: int
    recorded_time_ms: int = field(default=0, compare=False)


class Conflict(msgspec.Struct, frozen=True):
    """Nothing was written: the stream's last sequence is `actual`, not the expected one."""

    actual: int


class Archived(Conflict, frozen=True):
    """Nothing was written: the records are in the archive, with all others up to `actual`. Known where a copy reads on."""


class Repeated(msgspec.Struct, frozen=True):
    """Nothing was written: the request id was used before. `outcome` is what it led to then.

    `same_content` is False if the player or the content differs from then.
    """

    outcome: bytes
    same_content: bool


AppendResult = Appended | Conflict | Repeated


class Subscription(Protocol):
    """A live reader of the log: per stream in order, every record once per subscription."""

    @property
    def position(self) -> int:
        """Everything up to here was delivered or skipped; subscribe from here to continue."""
        ...

    def wait(self, timeout_seconds: float) -> list[Record]:
        """The next records, as soon as there are any; empty after the time-out or when closed."""
        ...

    def __iter__(self) -> Iterator[Record]:
        """All records, waiting for new ones, until the subscription or the log is closed."""
        ...

    def close(self) -> None:
        """Wakes the waiting reader and ends the subscription."""
        ...


class EventLog(Protocol):
    """Where facts are kept. All methods may be called from any thread; after `close` they raise `LogClosed`."""

    def append(
        self, stream: str, expected: int, records: Sequence[NewRecord], request: RequestRecord | None = None
    ) -> AppendResult:
        """Writes `records` (at least one) if the last sequence of `stream` is `expected`, and `request` with them.

        A request id already known in the stream is checked first. When `Appended` is returned the records survive
        the death of the process and of the machine. Raises `ValueError` for no records.
        """
        ...

    def read(self, stream: str, after: int = 0, up_to: int | None = None) -> list[Record]:
        """The records of `stream` with `after` < sequence <= `up_to`, in order; an unknown stream has none."""
        ...

    def read_all(self, after_position: int = 0, limit: int = 1000, prefix: str = "") -> list[Record]:
        """Up to `limit` records beyond `after_position`, in order, of the streams whose names start so."""
        ...

    def last_position(self) -> int:
        """Position of the newest record, 0 if there is none."""
        ...

    def outcome(self, stream: str, request_id: str) -> RequestRecord | None:
        """The request written with this id in `stream`."""
        ...

    def requests(self, stream: str) -> list[RequestRecord]:
        """All requests written in `stream`, in no particular order."""
        ...

    def subscribe(self, after_position: int = 0, prefix: str = "") -> Subscription:
        """Follows the streams whose names start with `prefix`, beginning beyond `after_position`."""
        ...

    def streams(self, prefix: str = "") -> list[str]:
        """Names of all streams that start with `prefix`, in alphabetical order."""
        ...

    def save_position(self, consumer: str, position: int) -> None:
        """Notes how far `consumer` has come."""
        ...

    def position(self, consumer: str) -> int:
        """The position `consumer` saved last, 0 if none."""
        ...

    def close(self) -> None:
        """Ends all subscriptions, waits for running appends and lets go of everything. May be called again."""
        ...


class Snapshot(msgspec.Struct, frozen=True):
    """The encoded state of a stream after `sequence`; `schema` is the version of its encoding."""

    stream: str
    sequence: int
    schema: int
    payload: bytes


class SnapshotStore(Protocol):
    """Where states are kept to save folding. Nothing rests on it: any snapshot may be lost or forgotten."""

    def put(self, stream: str, sequence: int, schema: int, payload: bytes) -> None:
        """Keeps the state of `stream` after `sequence`, in place of one kept for the same sequence."""
        ...

    def latest(self, stream: str, up_to: int | None = None) -> Snapshot | None:
        """The newest undamaged snapshot of `stream`, at or before sequence `up_to` if that is given."""
        ...

    def forget(self, stream: str) -> None:
        """Drops all snapshots of `stream`."""
        ...
