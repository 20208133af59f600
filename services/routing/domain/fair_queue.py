"""A bounded queue shared fairly by callers; no clock, no threads."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection
from typing import Generic, Literal, TypeVar

import msgspec

FullReason = Literal["queue_full", "caller_share_full"]

Entry = TypeVar("Entry")


class Admission(msgspec.Struct, Generic[Entry], frozen=True):
    """The result of `FairQueue.enter`: why the queue is full, or the entry that was `displaced`, if any."""

    full_reason: FullReason | None = None
    displaced: Entry | None = None


class FairQueue(Generic[Entry]):
    """A queue that callers share.

    Callers are served round robin, each caller's entries in order of arrival. At most `capacity` wait, at most
    `capacity_per_caller` of one caller. When the queue is full, a caller with clearly fewer entries than the caller with
    the longest line displaces that line's newest entry: a flood of one caller does not keep others out.

    The caller `first` is served before all others. It finds space however full the queue is, and nobody displaces it.
    """

    def __init__(self, capacity: int, capacity_per_caller: int, first: str | None = None) -> None:
        self._capacity_most = capacity
        self._capacity = capacity
        self._capacity_per_caller = capacity_per_caller
        self._first = first
        # In round-robin order: a caller that was served moves to the end.
        self._lines: dict[str, deque[Entry]] = {}
        self._joined: Counter[str] = Counter()

    def __len__(self) -> int:
        """Waiting entries and joined callers."""
        return self.in_line + self._joined.total()

    @property
    def in_line(self) -> int:
        """Waiting entries."""
        return sum(len(line) for line in self._lines.values())

    def resize(self, capacity: int) -> None:
        """Change the capacity, up to the initial one. Waiting entries stay."""
        self._capacity = min(capacity, self._capacity_most)

    def in_line_of(self, caller: str) -> int:
        """Waiting entries of `caller`."""
        return len(self._lines.get(caller, ()))

    def held_by(self, caller: str) -> int:
        """Entries and joins of `caller`."""
        return self.in_line_of(caller) + self._joined[caller]

    def full_reason_for(self, caller: str) -> FullReason | None:
        """Why `caller` cannot enter now; None if it can."""
        held = self.held_by(caller)
        if held >= self._capacity_per_caller:
            return "caller_share_full"
        if caller == self._first or len(self) < self._capacity:
            return None
        return "queue_full" if self.in_line_of(self._longest()) <= held + 1 else None

    def enter(self, caller: str, entry: Entry) -> Admission[Entry]:
        """Put `entry` in the line of `caller`, if there is space or another entry can be displaced."""
        full_reason = self.full_reason_for(caller)
        if full_reason is not None:
            return Admission(full_reason=full_reason)
        displaced = self._displaced() if len(self) >= self._capacity else None
        self._lines.setdefault(caller, deque()).append(entry)
        return Admission(displaced=displaced)

    def join(self, caller: str) -> FullReason | None:
        """Count a caller that waits for another's entry against the capacity, until `leave`."""
        if self.held_by(caller) >= self._capacity_per_caller:
            return "caller_share_full"
        if len(self) >= self._capacity and caller != self._first:
            return "queue_full"
        self._joined[caller] += 1
        return None

    def leave(self, caller: str) -> None:
        """Undo `join`."""
        self._joined[caller] -= 1
        if self._joined[caller] <= 0:
            del self._joined[caller]

    def take(self, without: Collection[str] = ()) -> Entry | None:
        """Remove and return the next entry; None when nobody waits but callers in `without`."""
        caller = self._next(without)
        if caller is None:
            return None
        line = self._lines.pop(caller)
        entry = line.popleft()
        if line:
            self._lines[caller] = line
        return entry

    def has_next(self, without: Collection[str] = ()) -> bool:
        """Whether `take` would return an entry."""
        return self._next(without) is not None

    def put_back(self, caller: str, entry: Entry) -> None:
        """Put a taken entry back in front, regardless of the capacity."""
        line = self._lines.pop(caller, deque())
        line.appendleft(entry)
        self._lines = {caller: line, **self._lines}

    def remove(self, caller: str, entry: Entry) -> bool:
        """Remove an entry; False when it is not waiting."""
        line = self._lines.get(caller)
        if line is None or entry not in line:
            return False
        line.remove(entry)
        if not line:
            del self._lines[caller]
        return True

    def _next(self, without: Collection[str]) -> str | None:
        if self._first in self._lines:
            return self._first
        return next((caller for caller in self._lines if caller not in without), None)

    def _displaced(self) -> Entry | None:
        """The newest entry of the longest line, removed; None when only `first` waits."""
        longest = self._longest()
        line = self._lines.get(longest)
        if line is None:
            return None
        entry = line.pop()
        if not line:
            del self._lines[longest]
        return entry

    def _longest(self) -> str:
        """The caller with the longest line, without `first`."""
        others = (caller for caller in self._lines if caller != self._first)
        return max(others, key=lambda name: len(self._lines[name]), default="")
