"""Least squares of a few terms, none of which can be below nothing. Pure."""

from __future__ import annotations

from collections.abc import Sequence

# Below this share of what it was, a column is a mixture of those before it.
INDEPENDENT = 1e-9


def fit(rows: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """The terms t with rows · t nearest to `values`, in shares of each value, so that small ones count as much as large ones.

    Each is at least 0. A term that the rows cannot tell from those before it is 0: what it costs is in the others then.
    Rows whose value is not above 0 are left out."""
    scaled = [[cell / value for cell in row] for row, value in zip(rows, values, strict=True) if value > 0]
    width = len(rows[0]) if rows else 0
    used = list(range(width)) if scaled else []
    while True:
        found = _solved([[row[column] for column in used] for row in scaled])
        least = min(range(len(used)), key=lambda place: found[place], default=None)
        if least is None or found[least] >= 0:
            terms = dict(zip(used, found, strict=True))
            return [terms.get(column, 0.0) for column in range(width)]
        del used[least]


def _solved(rows: Sequence[Sequence[float]]) -> list[float]:
    """The terms with rows · t nearest to 1, by the normal equations; dependent ones are 0."""
    width = len(rows[0]) if rows else 0
    matrix = [
        [sum(row[left] * row[right] for row in rows) for right in range(width)]
        + [sum(row[left] for row in rows)]
        for left in range(width)
    ]
    sizes = [matrix[place][place] for place in range(width)]
    solved: list[int] = []
    for place in range(width):
        pivot = matrix[place][place]
        if pivot <= INDEPENDENT * sizes[place] or not sizes[place]:
            continue
        solved.append(place)
        matrix[place] = [cell / pivot for cell in matrix[place]]
        for other in range(width):
            if other != place and (factor := matrix[other][place]):
                matrix[other] = [
                    cell - factor * base for cell, base in zip(matrix[other], matrix[place], strict=True)
                ]
    return [matrix[place][width] if place in solved else 0.0 for place in range(width)]


def product(row: Sequence[float], terms: Sequence[float]) -> float:
    """What the terms say for a row."""
    return sum(cell * term for cell, term in zip(row, terms, strict=True))
