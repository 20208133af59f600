"""What a search finds, kept for all who ask: it goes on only as far as anybody wants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Generic, TypeVar

Found = TypeVar("Found")


class FoundSoFar(Generic[Found]):
    """All that `search` gives, in its order, to each who iterates over it. Where it fails it is begun again by the next who
    asks. A thread that asks while another one searches goes on by a search of its own."""

    __slots__ = ("_at_rest", "_found", "_search")

    def __init__(self, search: Callable[[], Iterator[Found]]) -> None:
        self._search = search
        # The search, unless somebody has taken it out and goes on with it.
        self._at_rest: list[Iterator[Found]] = [search()]
        self._found: list[Found] = []

    def __iter__(self) -> Iterator[Found]:
        found, place = self._found, 0
        while True:
            while place < len(found):
                yield found[place]
                place += 1
            try:
                rest = self._at_rest.pop()
            except IndexError:
                yield from islice(self._search(), place, None)
                return
            if not self._goes_on(rest, place):
                return

    def _goes_on(self, rest: Iterator[Found], place: int) -> bool:
        """Search for one more unless somebody else has; false where there is none."""
        found = self._found
        try:
            if place == len(found):
                found += islice(rest, 1)
        except BaseException:
            rest = islice(self._search(), len(found), None)
            raise
        finally:
            self._at_rest.append(rest)
        return place < len(found)
