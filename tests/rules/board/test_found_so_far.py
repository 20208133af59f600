"""A search that many ask is made once, and goes on only as far as somebody wants."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from unittest.mock import patch

import pytest

from services.rules.parts.map import laying
from services.rules.parts.map.boardview import board_view
from services.rules.parts.map.foundsofar import FoundSoFar
from services.rules.parts.map.tilelay import legal_tiles
from tests.rules.board.boards import position, title_1824


def test_who_asks_later_gets_what_was_found_and_what_is_still_to_find() -> None:
    """Each gets everything in order; the search goes no further than the one who wants most."""
    searched: list[int] = []

    def search() -> Iterator[int]:
        for number in range(5):
            searched.append(number)
            yield number

    found = FoundSoFar(search)
    assert list(islice(found, 2)) == [0, 1]
    assert searched == [0, 1]
    first, second = iter(found), iter(found)
    assert [next(first), next(first), next(first), next(second)] == [0, 1, 2, 0]
    assert searched == [0, 1, 2]
    assert list(second) == [1, 2, 3, 4]
    assert list(first) == [3, 4]
    assert list(found) == [0, 1, 2, 3, 4] == searched


def test_a_search_that_fails_is_begun_again() -> None:
    """Who asks after a failure misses nothing."""
    begun: list[int] = []

    def search() -> Iterator[int]:
        begun.append(1)
        yield 0
        if len(begun) == 1:
            raise MemoryError
        yield 1

    found = FoundSoFar(search)
    with pytest.raises(MemoryError):
        list(found)
    assert [list(found), list(found)] == [[0, 1], [0, 1]]
    assert len(begun) == 2


def test_who_asks_in_the_midst_of_a_search_goes_on_alone() -> None:
    """As a thread does while another one searches: it gets everything as well, and so does the other."""
    inner: list[int] = []

    def search() -> Iterator[int]:
        yield 0
        if not inner:
            inner.append(-1)
            inner.extend(found)
        yield 1

    found = FoundSoFar(search)
    assert list(found) == [0, 1]
    assert inner == [-1, 0, 1]


def test_threads_share_what_is_found() -> None:
    """Threads that ask at once all get everything."""
    found = FoundSoFar(lambda: iter(range(20_000)))
    with ThreadPoolExecutor(4) as pool:
        each = list(pool.map(lambda _: list(found), range(4)))
    assert each == [list(range(20_000))] * 4


def test_lays_are_looked_for_once_in_a_state_of_the_map() -> None:
    """Of one company in one phase, on the same hexes; a question about others is another search."""
    title = title_1824()
    first, outcome = next(legal_tiles(position(title, "EPP")))
    tiles = {first.hex: outcome.laid}
    here, later = position(title, "EPP", tiles), position(title, "EPP", tiles, phase="8")
    view = board_view(title, here.tiles, here.tokens)
    expected = [lay for lay, _ in legal_tiles(here)]
    with patch.object(laying, "legal_tiles", wraps=legal_tiles) as searches:
        assert [*laying.legal_lays(view, here)] == [*laying.legal_lays(view, here)] == expected
        assert searches.call_count == 1
        assert [*laying.legal_lays(view, here, (first.hex,))] == []
        assert [*laying.legal_lays(view, later)] == [lay for lay, _ in legal_tiles(later)] != expected
    assert searches.call_count == 3
