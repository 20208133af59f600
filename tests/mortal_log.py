"""A log whose process is killed at an append."""

from __future__ import annotations

from collections.abc import Sequence

from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import AppendResult, NewRecord, RequestRecord


class Killed(BaseException):
    """The process ends here: not caught by anything that catches failures."""


class MortalLog(MemoryEventLog):
    """Its process is killed before or after the append of a number, if one is set."""

    def __init__(self, clock: ManualClock | None = None) -> None:
        super().__init__(clock or ManualClock())
        self.left = 0
        self.is_written = False

    def append(
        self, stream: str, expected: int, records: Sequence[NewRecord], request: RequestRecord | None = None
    ) -> AppendResult:
        """See `EventLog`."""
        self.left -= 1
        if self.left == 0 and not self.is_written:
            raise Killed
        result = super().append(stream, expected, records, request)
        if self.left == 0:
            raise Killed
        return result
