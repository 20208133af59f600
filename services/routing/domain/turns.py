"""In which orders trains choose their runs one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from services.routing.domain.problem import Train


def orders_that_differ(numbers: tuple[int, ...], sorts: Sequence[Train]) -> Iterator[tuple[int, ...]]:
    """Permutations of these trains that differ in their sorts, those first that begin with the first trains."""
    if not numbers:
        yield ()
    tried: set[Train] = set()
    for place, number in enumerate(numbers):
        if sorts[number] not in tried:
            tried.add(sorts[number])
            rest = numbers[:place] + numbers[place + 1 :]
            yield from ((number, *others) for others in orders_that_differ(rest, sorts))
