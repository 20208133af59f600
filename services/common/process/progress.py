"""Whether work that waits is being done: a process that lives and answers may still have stopped working."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

STALLED_SECONDS = 30.0
# Ends that grow at every look for an hour, at a look each 10 seconds.
ENDS_KEPT = 360
Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Position:
    """How far a reader is: the next offset it will read, and the end it could reach now.

    `is_exact`: nothing but records lies between the two, so that a difference means waiting records. Otherwise the last
    offsets may be markers of transactions, or records of transactions that were aborted: an end that grows is a reason to
    look whether records wait, see `StallDetector.none_wait`."""

    next_offset: int
    end: int
    is_exact: bool = True


@dataclass(slots=True)
class _Unmoved:
    """Since when records wait at this offset, None while none do; `end` when the place was first seen there."""

    next_offset: int
    end: int
    since: float | None = None


class StallDetector(Generic[Key]):
    """Finds places where records wait and nothing is read. Pure: the caller brings the time."""

    def __init__(self) -> None:
        self._unmoved: dict[Key, _Unmoved] = {}

    def look(self, now: float, positions: Mapping[Key, Position]) -> dict[Key, float]:
        """For how many seconds each place has stood still while records waited, 0.0 where it moves or nothing waits.

        A place that was not among the positions of the last look is new."""
        unmoved: dict[Key, _Unmoved] = {}
        seconds: dict[Key, float] = {}
        for key, position in positions.items():
            before = self._unmoved.get(key)
            if before is None or before.next_offset != position.next_offset:
                before = _Unmoved(position.next_offset, position.end)
            if position.end <= (position.next_offset if position.is_exact else before.end):
                before.since = None
            elif before.since is None:
                before.since = now
            unmoved[key] = before
            seconds[key] = 0.0 if before.since is None else now - before.since
        self._unmoved = unmoved
        return seconds

    def none_wait(self, key: Key, end: int) -> None:
        """It turned out that up to this end nothing waits at a place, whatever the ends have shown."""
        unmoved = self._unmoved[key]
        unmoved.since, unmoved.end = None, end

    def forget(self) -> None:
        """The next look is the first: nothing is known about the time before it."""
        self._unmoved = {}


class DelayMeter(Generic[Key]):
    """How old the oldest record is that a place has not read, by the ends seen at earlier looks. Pure, as `StallDetector`."""

    def __init__(self) -> None:
        self._ends: dict[Key, deque[tuple[float, int]]] = {}

    def look(self, now: float, positions: Mapping[Key, Position]) -> dict[Key, float]:
        """For each place since how many seconds records wait that it has not read, 0.0 where it has read all."""
        self._ends = {key: self._ends.get(key, deque()) for key in positions}
        return {key: self._behind(now, self._ends[key], position) for key, position in positions.items()}

    @staticmethod
    def _behind(now: float, ends: deque[tuple[float, int]], position: Position) -> float:
        while ends and ends[0][1] <= position.next_offset:
            ends.popleft()
        if position.end > (ends[-1][1] if ends else position.next_offset):
            if len(ends) == ENDS_KEPT:
                # Of the latest ones one is enough; how old the oldest is stays known.
                ends.pop()
            ends.append((now, position.end))
        return now - ends[0][0] if ends else 0.0


class Progress(Protocol):
    """What a process asks about its own work."""

    def stalled(self) -> str:
        """A description of what has stalled too long while work waits; empty while nothing has."""

    def state(self) -> Mapping[str, object]:
        """Figures for the log: offsets and ends."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop that must come round within `seconds`, whether there is work or not. `last_turn`: in monotonic time."""

    name: str
    last_turn: Callable[[], float]
    seconds: float = 2 * STALLED_SECONDS
