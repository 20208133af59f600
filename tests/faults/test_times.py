"""Figures of fault runs."""

from __future__ import annotations

import pytest

from tests.faults.times import Spell, Times, longest_gap, percentile, table, together

MOMENTS = (1.0, 2.0, 5.0, 6.0, 9.0)


@pytest.mark.parametrize(
    ("begin", "end", "gap"),
    [(5.2, 5.9, 1.0), (3.0, 3.0, 3.0), (2.5, 5.5, 3.0), (0.0, 1.5, 1.0), (5.5, 20.0, 3.0), (10.0, 12.0, 0.0)],
)
def test_the_longest_gap_has_a_part_in_the_spell(begin: float, end: float, gap: float) -> None:
    """Also one that began before it or ended after it."""
    assert longest_gap(MOMENTS, Spell(begin, end)) == gap


def test_a_table_has_a_row_for_each_kind() -> None:
    """Of all players the one who waited longest counts, and the faults of all runs."""
    times = Times({"kill redis": [Spell(5.2, 5.9)]}, {"rules": [3.0, 5.5]})
    measured = times.without_service([MOMENTS, (5.0, 7.5)])
    assert measured == {"kill redis": [2.5], "kill rules": [3.0, 2.5]}
    rows = list(table(together([measured, {"kill redis": [1.5]}])))
    assert rows[2:] == [
        "| kill redis | 2 | 1.5 s |  | 2.5 s |",
        "| kill rules | 2 | 2.5 s |  | 3.0 s |",
    ]
    assert {row.count("|") for row in rows} == {6}


def test_a_99th_percentile_is_one_of_a_hundred_values() -> None:
    """Of fewer it is the most."""
    (few,) = list(table({"kill rules": [float(n) for n in range(99)]}))[2:]
    (enough,) = list(table({"kill rules": [float(n) for n in range(100)]}))[2:]
    assert few == "| kill rules | 99 | 49.0 s |  | 98.0 s |"
    assert enough == "| kill rules | 100 | 49.0 s | 98.0 s | 99.0 s |"


def test_percentiles_are_values_that_were_measured() -> None:
    """The nearest rank."""
    assert [percentile((3.0, 1.0, 2.0), share) for share in (0.5, 0.99, 1.0)] == [2.0, 3.0, 3.0]
