"""Who waits and who is next: shares of a bounded queue, without clock and without threads."""

from __future__ import annotations

from collections import Counter, deque
from typing import Generic, Literal, TypeVar

import msgspec

NoRoom = Literal["queue_full", "caller_share_full"]

Entry = TypeVar("Entry")


class Admission(msgspec.Struct, Generic[Entry], frozen=True):
    """What became of one who wants to wait: no room and why, or room, perhaps by sending `displaced` away."""

    no_room: NoRoom | None = None
    displaced: Entry | None = None


class WaitingRoom(Generic[Entry]):
    """A queue that callers share.

    The callers take turns, each one's own entries in the order they came: while a caller waits, no other is served
    twice. At most `places` wait, at most `places_per_caller` of one caller. Into a full room comes a caller who holds
    clearly less than the one with the longest line, whose newest entry must go: no flood keeps the others out.
    """

    def __init__(self, places: int, places_per_caller: int) -> None:
        self._places_most = places
        self._places = places
        self._places_per_caller = places_per_caller
        # In the order of the turns: whoever was served goes to the end.
        self._lines: dict[str, deque[Entry]] = {}
        self._companions: Counter[str] = Counter()

    def __len__(self) -> int:
        """Entries in line and companions."""
        return self.in_line + self._companions.total()

    @property
    def in_line(self) -> int:
        """Entries that wait for their turn."""
        return sum(len(line) for line in self._lines.values())

    def resize(self, places: int) -> None:
        """Take in so many from now on, never more than the room was made with. Who is in stays in."""
        self._places = min(places, self._places_most)

    def held_by(self, caller: str) -> int:
        """Places that `caller` takes."""
        return len(self._lines.get(caller, ())) + self._companions[caller]

    def no_room_for(self, caller: str) -> NoRoom | None:
        """Why `caller` could not enter just now; None if it could."""
        held = self.held_by(caller)
        if held >= self._places_per_caller:
            return "caller_share_full"
        if len(self) >= self._places and len(self._lines.get(self._longest(), ())) <= held + 1:
            return "queue_full"
        return None

    def enter(self, caller: str, entry: Entry) -> Admission[Entry]:
        """Put `entry` in the line of `caller`, if there is room or room can be made."""
        no_room = self.no_room_for(caller)
        if no_room is not None:
            return Admission(no_room=no_room)
        is_full = len(self) >= self._places
        displaced = self._lines[self._longest()].pop() if is_full else None
        self._lines.setdefault(caller, deque()).append(entry)
        return Admission(displaced=displaced)

    def accompany(self, caller: str) -> NoRoom | None:
        """Take a place without a turn of its own, for one who waits for another's entry; `depart` gives it back."""
        if self.held_by(caller) >= self._places_per_caller:
            return "caller_share_full"
        if len(self) >= self._places:
            return "queue_full"
        self._companions[caller] += 1
        return None

    def depart(self, caller: str) -> None:
        """Give back a place taken by `accompany`."""
        self._companions[caller] -= 1
        if self._companions[caller] <= 0:
            del self._companions[caller]

    def take(self) -> Entry | None:
        """The entry whose turn it is; None when nobody is in line."""
        if not self._lines:
            return None
        caller = next(iter(self._lines))
        line = self._lines.pop(caller)
        entry = line.popleft()
        if line:
            self._lines[caller] = line
        return entry

    def put_back(self, caller: str, entry: Entry) -> None:
        """Give an entry that was taken in vain the very next turn. It had its place and needs no room."""
        line = self._lines.pop(caller, deque())
        line.appendleft(entry)
        self._lines = {caller: line, **self._lines}

    def remove(self, caller: str, entry: Entry) -> bool:
        """Let an entry go that no longer wants to wait; False when it is not in line."""
        line = self._lines.get(caller)
        if line is None or entry not in line:
            return False
        line.remove(entry)
        if not line:
            del self._lines[caller]
        return True

    def _longest(self) -> str:
        """The caller with the longest line."""
        return max(self._lines, key=lambda name: len(self._lines[name]), default="")
