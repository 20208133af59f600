"""What a search finds, kept for all who ask: it goes on only as far as anybody wants."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock
from typing import Generic, TypeVar

Found = TypeVar("Found")


class FoundSoFar(Generic[Found]):
    """All that `search` gives, in its order, to each who iterates over it, also from several threads."""

    __slots__ = ("_found", "_search", "_turn")

    def __init__(self, search: Iterator[Found]) -> None:
        self._search: Iterator[Found] | None = search
        self._found: list[Found] = []
        self._turn = Lock()

    def __iter__(self) -> Iterator[Found]:
        found, place = self._found, 0
        while place < len(found) or self._goes_on(place):
            yield found[place]
            place += 1

    def _goes_on(self, place: int) -> bool:
        """Search for one more unless somebody else has; false where there is none."""
        with self._turn:
            if place < len(self._found):
                return True
            if self._search is None:
                return False
            for each in self._search:
                self._found.append(each)
                return True
            self._search = None
            return False
