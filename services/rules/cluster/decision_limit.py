"""The processor time that one command may take. A decision cannot be interrupted: where one takes longer the process ends,
after its successors were warned of the command."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from services.common.process.repeating import RepeatingThread

LOOK_EVERY_SECONDS = 0.25
# On a machine so busy that the limit takes longer than the watchdog waits, a command that has computed a hundred times as
# long as any other is reported before the watchdog ends the process, which would tell successors less.
STARVED_SECONDS = 45.0
STARVED_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class _Decision:
    """The command being decided since the monotonic time `since`; `clock`: the processor time of the thread that decides it,
    which stood at `begun`."""

    partition: int
    offset: int | None
    clock: int
    begun: float
    since: float


class DecisionLimit:
    """Looks in a thread of its own between `start` and `close`.

    Processor time and not time: a machine that is busy, a disk that is slow and a process that was paused are no fault of
    the command, unless it has taken a tenth of the limit and `starved_seconds`."""

    def __init__(
        self,
        seconds: float,
        exceeded: Callable[[int, int | None], None],
        starved_seconds: float = STARVED_SECONDS,
    ) -> None:
        """`exceeded` is given partition and offset of a command that took longer, and ends the process. One that did not come by
        the log has no offset."""
        self._seconds = seconds
        self._starved_seconds = starved_seconds
        self._exceeded = exceeded
        self._lock = threading.Lock()
        self._decision: _Decision | None = None
        self._thread = RepeatingThread("decision limit", self._look, LOOK_EVERY_SECONDS)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Stop looking. May be called again, and without `start`."""
        self._thread.close()

    @contextmanager
    def over(self, partition: int, offset: int | None) -> Iterator[None]:
        """The block decides this command. It does not end while the command is being reported."""
        clock = time.pthread_getcpuclockid(threading.get_ident())
        self._decision = _Decision(partition, offset, clock, time.clock_gettime(clock), time.monotonic())
        try:
            yield
        finally:
            with self._lock:
                self._decision = None

    def _look(self) -> None:
        with self._lock:
            decision = self._decision
            if decision is not None and self._is_exceeded(decision):
                self._exceeded(decision.partition, decision.offset)
                self._decision = None

    def _is_exceeded(self, decision: _Decision) -> bool:
        used = time.clock_gettime(decision.clock) - decision.begun
        is_starved = time.monotonic() - decision.since > self._starved_seconds
        return used > (STARVED_SHARE * self._seconds if is_starved else self._seconds)
