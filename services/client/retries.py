"""When a call is repeated, and after which pause.

gRPC's own retries (the service config of `balanced_channel`) send a call that one replica did not take to another one, five
times at most and within the call's deadline. That is enough for a replica that stops. It is not for a host that starts again or
an owner that is lost, during which all replicas refuse or are silent: that lasts longer than five attempts, an attempt without
an answer ends with DEADLINE_EXCEEDED, which gRPC never repeats, and it does not resume streams. `Attempts` does.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import grpc

PUSHBACK_KEY = "grpc-retry-pushback-ms"
"""Trailing metadata by which a server says after how many milliseconds to repeat a call; negative: not at all."""
REPEATED = frozenset(
    (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED)
)
"""What a server that stops, starts or is lost ends calls with. RESOURCE_EXHAUSTED is repeated if it comes with a hint."""


@dataclass(frozen=True, slots=True)
class Retries:
    """How long a client repeats a call. The default rides over the restart of a host and the failover of an owner.

    No repeat begins later than `seconds` after the first attempt, or after the latest message of a stream. An attempt without
    an answer ends after `attempt_seconds`. The pauses double from the first to the longest, less up to half of each by chance.
    """

    seconds: float = 30.0
    attempt_seconds: float = 20.0
    first_pause_seconds: float = 0.1
    longest_pause_seconds: float = 1.0


RIDE_OVER = Retries()
AT_ONCE = Retries(seconds=0.0)
"""One attempt only."""


class Attempts:
    """The attempts of one call."""

    def __init__(self, retries: Retries, clock: Callable[[], float] = time.monotonic) -> None:
        self._retries = retries
        self._clock = clock
        self.restart()

    def restart(self) -> None:
        """The call makes progress: count its attempts from now on."""
        self._end = self._clock() + self._retries.seconds
        self._longest = self._retries.first_pause_seconds
        self._is_first = True

    def seconds(self) -> float:
        """The time for the next attempt."""
        left = self._end - self._clock()
        return self._retries.attempt_seconds if self._is_first else min(self._retries.attempt_seconds, left)

    def pause(self, status: grpc.StatusCode, trailing: Mapping[str, str]) -> float | None:
        """Seconds until the next attempt after one that ended with `status`; None if there is none."""
        self._is_first = False
        hint = trailing.get(PUSHBACK_KEY)
        if status not in REPEATED and not (status is grpc.StatusCode.RESOURCE_EXHAUSTED and hint):
            return None
        pause: float | None = self._backoff() if hint is None else _after(hint)
        return pause if pause is not None and self._clock() + pause < self._end else None

    def _backoff(self) -> float:
        longest = self._longest
        self._longest = min(2 * longest, self._retries.longest_pause_seconds)
        return longest * (1 - secrets.randbelow(501) / 1000)


def _after(hint: str) -> float | None:
    """None for a hint that forbids a repeat, as does one that is no number (gRFC A6)."""
    return int(hint) / 1000 if hint.isascii() and hint.isdecimal() else None
