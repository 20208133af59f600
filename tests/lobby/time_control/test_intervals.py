"""Arithmetic of playing time."""

from hypothesis import given, strategies as st

from services.lobby.domain.time_control.intervals import (
    ALWAYS,
    Interval,
    Intervals,
    after_working,
    common,
    union,
    without,
    working_ms,
)

instants = st.integers(0, 2000)
intervals = st.lists(st.builds(Interval, instants, instants), max_size=8).map(union)


def covered(these: Intervals) -> set[int]:
    """Each millisecond, one by one."""
    return {instant for each in these for instant in range(each.start_ms, each.end_ms)}


@given(st.lists(st.builds(Interval, instants, instants), max_size=8), intervals)
def test_sets_of_time(raw: list[Interval], other: Intervals) -> None:
    """Union, difference and intersection agree with counting; the results are sorted and apart."""
    merged = union(raw)
    assert covered(merged) == {t for each in raw for t in range(each.start_ms, each.end_ms)}
    assert covered(without(merged, other)) == covered(merged) - covered(other)
    assert covered(common(merged, other)) == covered(merged) & covered(other)
    for found in (merged, without(merged, other), common(merged, other)):
        assert found == union(found)


@given(intervals, instants, instants, instants)
def test_playing_time_is_additive_and_monotone(hours: Intervals, a: int, b: int, c: int) -> None:
    """From a to c is from a to b and from b to c; a later end is never less; it is what counting gives."""
    a, b, c = sorted((a, b, c))
    assert working_ms(hours, a, c) == working_ms(hours, a, b) + working_ms(hours, b, c)
    assert 0 <= working_ms(hours, a, b) <= working_ms(hours, a, c) <= c - a
    assert working_ms(hours, a, c) == len(covered(hours) & set(range(a, c)))
    assert working_ms(ALWAYS, a, c) == c - a
    assert working_ms(hours, c, a) == 0 or a == c


@given(intervals, instants, st.integers(1, 2000))
def test_the_end_of_a_turn_is_the_first_instant_with_its_time(
    hours: Intervals, start: int, amount: int
) -> None:
    """One millisecond earlier the time has not passed; without an end there is not enough time."""
    end = after_working(hours, start, amount)
    if end is None:
        assert working_ms(hours, start, 10_000) < amount
    else:
        assert working_ms(hours, start, end) == amount
        assert working_ms(hours, start, end - 1) == amount - 1
