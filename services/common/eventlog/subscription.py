"""Following a log: woken at once by writers of this process, by polling for those of others."""

import threading
import time
from collections.abc import Callable, Iterator

from services.common.eventlog.port import EventLog, LogClosed, Record
from services.common.eventlog.unread import next_records

POLL_SECONDS = 0.05


class Wakeup:
    """Notifies waiting threads of a write or of the end of the log."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._count = 0
        self._closed = False

    @property
    def count(self) -> int:
        """Grows with every notification."""
        return self._count

    @property
    def closed(self) -> bool:
        """True once the log is closed."""
        return self._closed

    def notify(self) -> None:
        """Wakes everybody."""
        with self._condition:
            self._count += 1
            self._condition.notify_all()

    def close(self) -> None:
        """Wakes everybody for the last time."""
        self._closed = True
        self.notify()

    def wait(self, seen: int, timeout_seconds: float, stopped: Callable[[], bool]) -> None:
        """Returns when `count` is no longer `seen`, when `stopped`, or after the time-out."""
        with self._condition:
            self._condition.wait_for(lambda: self._count != seen or stopped(), timeout_seconds)


class LogSubscription:
    """Follows any log through its own reading methods."""

    def __init__(
        self,
        log: EventLog,
        wakeup: Wakeup,
        after_position: int,
        prefix: str,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        self._log = log
        self._wakeup = wakeup
        self._position = after_position
        self._prefix = prefix
        self._poll_seconds = poll_seconds
        self._closed = False

    @property
    def position(self) -> int:
        """Everything up to here has been handed out or passed over."""
        return self._position

    def wait(self, timeout_seconds: float) -> list[Record]:
        """The next records; empty after the time-out or when closed."""
        end = time.monotonic() + timeout_seconds
        while not self._stopped():
            seen = self._wakeup.count
            records = self._next_records()
            remaining = end - time.monotonic()
            if records or remaining <= 0:
                return records
            self._wakeup.wait(seen, min(remaining, self._poll_seconds), self._stopped)
        return []

    def __iter__(self) -> Iterator[Record]:
        """All records until the subscription or the log is closed."""
        while not self._stopped():
            yield from self.wait(self._poll_seconds * 20)

    def close(self) -> None:
        """Ends the subscription."""
        self._closed = True
        self._wakeup.notify()

    def _stopped(self) -> bool:
        return self._closed or self._wakeup.closed

    def _next_records(self) -> list[Record]:
        try:
            records, self._position = next_records(self._log, self._position, self._prefix)
        except LogClosed:
            return []
        return records
