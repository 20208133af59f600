"""What a search finds, kept for all who ask: it goes on only as far as anybody wants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from threading import Lock
from typing import Generic, TypeVar

Found = TypeVar("Found")


class FoundSoFar(Generic[Found]):
    """All that `search` gives, in its order, to each who iterates over it, also from several threads. Where it fails it is
    begun again by the next who asks."""

    __slots__ = ("_found", "_rest", "_search", "_turn")

    def __init__(self, search: Callable[[], Iterator[Found]]) -> None:
        self._search = search
        self._rest = search()
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
            try:
                self._found += islice(self._rest, 1)
            except BaseException:
                self._rest = islice(self._search(), len(self._found), None)
                raise
            return place < len(self._found)
