"""Reading a log up to its end again and again, for projections that are brought up to date before each answer."""

from __future__ import annotations

from collections.abc import Iterator

from services.common.eventlog.port import EventLog, Record

BATCH_SIZE = 1000


class UnreadRecords:
    """The records of the streams with a prefix that were not read here yet, each once. One whose reader raises an error comes
    again. Used by one thread at a time."""

    def __init__(self, log: EventLog, prefix: str) -> None:
        self._log = log
        self._prefix = prefix
        self._position = 0

    def __iter__(self) -> Iterator[Record]:
        """Everything that was written before the call, and perhaps more."""
        end = self._log.last_position()
        while self._position < end:
            records = self._log.read_all(self._position, BATCH_SIZE, self._prefix)
            for record in records:
                yield record
                self._position = record.position
            if len(records) < BATCH_SIZE:
                # Some of them may have been written after the look at the end: they count as read too.
                self._position = max(self._position, end)
