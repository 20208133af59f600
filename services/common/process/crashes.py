"""How often this process has ended without being asked to, kept in a file beside its data."""

from __future__ import annotations

from pathlib import Path

import msgspec

from services.common.clock import Clock, SystemClock
from services.common.telemetry.logs import get_logger

# Kubernetes waits longer before each start, up to five minutes: five crashes of a process that lives for some minutes
# each are within half an hour, and were never within five minutes.
WINDOW_MS = 30 * 60 * 1000
_STARTS = msgspec.json.Decoder(list[int])


class CrashRecord:
    """The starts of this process that had no clean end, those of the last half hour. A file that cannot be read or written
    counts as empty: nothing rests on it."""

    def __init__(self, path: Path, clock: Clock | None = None) -> None:
        self._path = path
        self._clock = clock or SystemClock()
        self._log = get_logger("crashes")

    def begin(self) -> int:
        """Note this start. Returns how many starts before it had no clean end."""
        now_ms = self._clock.now_ms()
        # A clock that was set back must not make old starts recent.
        before = [each for each in self._read() if now_ms - WINDOW_MS < each <= now_ms]
        self._write([*before, now_ms])
        return len(before)

    def end(self) -> None:
        """A clean end: nothing before it counts any more. May be called again."""
        self._path.unlink(missing_ok=True)

    def _read(self) -> list[int]:
        try:
            return _STARTS.decode(self._path.read_bytes())
        except (OSError, msgspec.DecodeError):
            return []

    def _write(self, starts: list[int]) -> None:
        try:
            self._path.write_bytes(msgspec.json.encode(starts))
        except OSError as problem:
            self._log.warning("the start is not noted", problem=repr(problem))
