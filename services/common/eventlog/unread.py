"""Reading a log on from where one was, again and again, each record once."""

from __future__ import annotations

from collections.abc import Iterator

from services.common.eventlog.port import EventLog, Record

BATCH_SIZE = 1000


def next_records(log: EventLog, after: int, prefix: str) -> tuple[list[Record], int]:
    """The next records of the streams with a prefix, at most `BATCH_SIZE`, and the position up to which all are read then."""
    end = log.last_position()
    if end <= after:
        return [], after
    records = log.read_all(after, BATCH_SIZE, prefix)
    if len(records) == BATCH_SIZE:
        return records, records[-1].position
    # Some of them may have been written after the look at the end: they are read too.
    return records, max(end, records[-1].position if records else 0)


class UnreadRecords:
    """The records of the streams with a prefix that were not read here yet, for a projection in memory. One whose reader raises
    an error comes again. Used by one thread at a time.

    At first its streams are read one by one: they may be few in a log of millions of other records."""

    def __init__(self, log: EventLog, prefix: str) -> None:
        self._log = log
        self._prefix = prefix
        self._position = 0

    def __iter__(self) -> Iterator[Record]:
        """Everything that was written before the call, and perhaps more."""
        if self._position == 0:
            yield from self._of_streams()
        is_full = True
        while is_full:
            records, reached = next_records(self._log, self._position, self._prefix)
            for record in records:
                yield record
                self._position = record.position
            self._position = reached
            is_full = len(records) == BATCH_SIZE

    def _of_streams(self) -> Iterator[Record]:
        end = self._log.last_position()
        records = [record for stream in self._log.streams(self._prefix) for record in self._log.read(stream)]
        # What was written since the look at the end may be there in a part of the streams alone.
        for record in sorted(records, key=lambda each: each.position):
            if record.position > end:
                break
            yield record
            self._position = record.position
        self._position = end
