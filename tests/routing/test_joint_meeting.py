"""Freight runs joined wherever their ends meet."""

from __future__ import annotations

from services.routing.domain.joint.meeting import FreightRun, LongerRun, longer_runs


def run(name: str, joins: bool = False) -> FreightRun:
    """A run called by its ends, `ab` from a to b."""
    return FreightRun(name, name[0], name[1], joins)


def reported(*names: str, joins: str = "") -> list[tuple[str, str, str, str]] | None:
    """Parts, begin, end and leader of the longer runs; trains in `joins` must join."""
    found = longer_runs([run(name, name in joins.split()) for name in names])
    return None if found is None else [_shown(each) for each in found]


def _shown(longer: LongerRun) -> tuple[str, str, str, str]:
    return " ".join(part.train for part in longer.parts), longer.begin, longer.end, longer.leader


def test_runs_that_do_not_meet_stay_apart() -> None:
    """Each is its own longer run."""
    assert reported("ab", "cd") == [("ab", "a", "b", "ab"), ("cd", "c", "d", "cd")]


def test_runs_end_to_end_are_one() -> None:
    """Whatever the order and their directions; the one given first leads."""
    assert reported("bc", "ab", "dc") == [("ab bc dc", "a", "d", "bc")]
    assert reported("ab", "cb") == [("ab cb", "a", "c", "ab")]


def test_those_that_must_join_come_first() -> None:
    """The longer run with such a train is made before others."""
    assert reported("ab", "xy", "yz", joins="yz") == [("xy yz", "x", "z", "yz"), ("ab", "a", "b", "ab")]


def test_where_three_meet_the_run_goes_on_into_one() -> None:
    """Into the branch with a train that must join, else into the longest; the other runs by itself."""
    assert reported("ab", "bc", "bd", "de") == [("ab bd de", "a", "e", "ab"), ("bc", "b", "c", "bc")]
    assert reported("bc", "bd", "de", "ab", joins="ab") == [
        ("ab bd de", "a", "e", "ab"),
        ("bc", "b", "c", "bc"),
    ]
    assert reported("ab", "bd", "de", "bc", joins="ab bc") == [
        ("ab bc", "a", "c", "ab"),
        ("bd de", "b", "e", "bd"),
    ]


def test_a_ring_begins_and_ends_where_its_first_run_begins() -> None:
    """Two runs between the same ends, or three in a circle."""
    found = longer_runs([FreightRun("x", "a", "b", False), FreightRun("y", "b", "a", False)])
    assert found is not None and [(each.begin, each.end, len(each.parts)) for each in found] == [
        ("a", "a", 2)
    ]
    assert reported("ab", "bc", "ca") == [("ab bc ca", "a", "a", "ab")]


def test_a_run_that_ends_in_its_own_middle_is_none() -> None:
    """A tail on a ring has one free end alone."""
    assert reported("ab", "bc", "cb") is None
