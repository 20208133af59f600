"""Least squares of terms that are not below nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from services.bench.fitting import fit, product

TERMS = st.lists(st.floats(0.0, 10.0), min_size=3, max_size=3)
ROWS = [(1 / n, kept, (1 - kept) / n) for n in (1, 2, 4, 8) for kept in (1.0, min(2 / n, 1.0))]


@given(terms=TERMS)
def test_made_up_terms_come_back(terms: list[float]) -> None:
    """Figures without an error give the terms from which they were made."""
    values = [product(row, terms) for row in ROWS]
    if all(value > 0.001 for value in values):
        assert fit(ROWS, values) == pytest.approx(terms, abs=1e-4)


@given(values=st.lists(st.floats(0.01, 100.0), min_size=len(ROWS), max_size=len(ROWS)))
def test_no_term_is_below_nothing(values: list[float]) -> None:
    """Whatever was measured, nothing gets cheaper by being done."""
    assert all(term >= 0 for term in fit(ROWS, values))


@given(terms=TERMS, factor=st.floats(0.5, 2.0), place=st.integers(0, len(ROWS) - 1))
def test_no_other_terms_are_nearer(terms: list[float], factor: float, place: int) -> None:
    """With an error in one figure, no small change of a term brings the model nearer."""
    values = [product(row, terms) for row in ROWS]
    if min(values) < 0.01:
        return
    values[place] *= factor
    found = fit(ROWS, values)

    def off(tried: list[float]) -> float:
        return sum((product(row, tried) / value - 1) ** 2 for row, value in zip(ROWS, values, strict=True))

    for column in range(3):
        for step in (-0.01, 0.01):
            tried = [term + step * (number == column) for number, term in enumerate(found)]
            if tried[column] >= 0:
                assert off(tried) >= off(found) - 1e-9


def test_what_cannot_be_told_apart_is_counted_once() -> None:
    """Where every row has the same share, the first of two terms has all of it."""
    rows = [(1.0, 1.0), (1.0, 1.0)]
    assert fit(rows, [3.0, 3.0]) == pytest.approx([3.0, 0.0])
    assert fit([(1.0, 0.0)], [2.0]) == pytest.approx([2.0, 0.0])


def test_nothing_measured_costs_nothing() -> None:
    """Figures that are not above 0 say nothing."""
    assert fit([(1.0, 2.0)], [0.0]) == [0.0, 0.0]
    assert fit([], []) == []
