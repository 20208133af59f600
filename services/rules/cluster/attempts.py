"""Commands over which owners have died: what the owners of a partition note before they begin its commands, so that their
successors can tell which command it was.

The note is the metadata of the group's committed offset: it outlives every process, is fenced like the offset, and the next
transaction replaces it. One is written for the first command after a takeover, and no other unless somebody died: then
each of the commands that may have been in his transaction is begun alone, with a note of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

DEATHS_ALONE = 2
"""After so many deaths over a command that was begun alone it is not begun again."""


class Attempt(msgspec.Struct, frozen=True):
    """What the note says. `offset`: of the command that was begun; `alone`: how many processes have begun it alone, 0 while it
    was only begun together with those after it; `owner`: the last of them.

    `hung`: that owner ended itself because the command came to no end."""

    offset: int
    alone: int
    owner: str
    hung: bool = False


_DECODER = msgspec.json.Decoder(Attempt | None)


def attempt_in(metadata: str | None) -> Attempt | None:
    """The note in the metadata of an offset; None where there is none that can be read."""
    try:
        found: Attempt | None = _DECODER.decode(metadata or "null")
    except msgspec.DecodeError:
        return None
    return found


def metadata_of(attempt: Attempt | None) -> str:
    """The metadata of an offset with this note."""
    return "" if attempt is None else msgspec.json.encode(attempt).decode()


class Attempts:
    """The notes of the partitions of one owner. Pure: the caller reads and writes them."""

    def __init__(self, owner: str, together_max: int) -> None:
        """`owner`: unlike any other's, also unlike that of the same replica before a restart. `together_max`: the most
        commands of a partition in one transaction."""
        self._owner = owner
        self._together_max = together_max
        self._last: dict[int, Attempt] = {}
        self._alone_until: dict[int, int] = {}
        self._begun: set[int] = set()

    def taken_over(self, partition: int, offset: int, found: Attempt | None) -> None:
        """The partition was taken over at its next `offset`, with this note."""
        self._begun.discard(partition)
        self._last.pop(partition, None)
        if found is None or found.offset < offset:
            return
        self._last[partition] = found
        if found.owner != self._owner and not found.hung:
            self._alone_until[partition] = offset + self._together_max

    def let_go(self, partitions: Iterable[int]) -> None:
        """These partitions are others' now."""
        for partition in partitions:
            self._begun.discard(partition)
            self._last.pop(partition, None)
            self._alone_until.pop(partition, None)

    def is_alone(self, partition: int, offset: int) -> bool:
        """Whether this command has to be carried out alone."""
        return offset < self._alone_until.get(partition, 0)

    def verdict(self, partition: int, offset: int) -> str | None:
        """Why this command must not be begun; None if it may be."""
        last = self._last.get(partition)
        if last is None or last.offset != offset:
            return None
        if last.hung:
            return "the command came to no end, and its owner had to be ended"
        if last.alone >= DEATHS_ALONE and last.owner != self._owner:
            return f"{last.alone} processes died while they carried this command out alone"
        return None

    def begin(self, partition: int, offset: int) -> Attempt | None:
        """The next command of the partition is about to be begun, nothing of the partition being in the transaction at hand.

        Returns the note that has to be written first; None if none has to be."""
        last = self._last.get(partition)
        is_first = partition not in self._begun
        self._begun.add(partition)
        if last is not None and last.hung and last.offset > offset:
            return None
        if last is None or last.offset != offset:
            last = Attempt(offset, 0, "")
        if last.owner == self._owner:
            return None
        if self.is_alone(partition, offset):
            return Attempt(offset, last.alone + 1, self._owner)
        return Attempt(offset, 0, self._owner) if is_first else None

    def noted(self, partition: int, attempt: Attempt) -> None:
        """This note is written."""
        self._last[partition] = attempt

    def hung(self, offset: int) -> Attempt:
        """The note that this command came to no end."""
        return Attempt(offset, 0, self._owner, hung=True)

    def kept(self, partition: int, offset: int) -> Attempt | None:
        """The note to be written again with the partition's next `offset`: one about a command that comes later."""
        last = self._last.get(partition)
        return last if last is not None and last.offset >= offset else None
