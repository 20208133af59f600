"""When a reader counts as stalled."""

from __future__ import annotations

from hypothesis import given, strategies as st

from services.common.process.progress import ENDS_KEPT, DelayMeter, Position, StallDetector

PLACE = "commands/0"


def seconds_after(*looks: tuple[float, Position]) -> float:
    """For how long the place has stood still by the last of these looks."""
    detector: StallDetector[str] = StallDetector()
    found = 0.0
    for now, position in looks:
        found = detector.look(now, {PLACE: position})[PLACE]
    return found


def test_a_reader_with_waiting_records_that_does_not_move_is_stalled() -> None:
    """From the first look at which the records waited."""
    assert seconds_after((10, Position(5, 6)), (15, Position(5, 6)), (40, Position(5, 9))) == 30


def test_a_reader_that_moves_is_not_stalled() -> None:
    """However far it is behind."""
    assert seconds_after((10, Position(5, 600)), (40, Position(6, 700))) == 0


def test_a_reader_at_the_end_is_not_stalled() -> None:
    """Nothing waits; the time counts from the first record that does."""
    assert seconds_after((10, Position(5, 5)), (100, Position(5, 5))) == 0
    assert seconds_after((10, Position(5, 5)), (100, Position(5, 6)), (105, Position(5, 6))) == 5


def test_markers_behind_the_last_record_are_no_waiting_records() -> None:
    """Where the end may be a marker of a transaction, only an end that grows shows that records wait."""
    idle = Position(5, 6, is_exact=False)
    grown = Position(5, 8, is_exact=False)
    assert seconds_after((10, idle), (100, idle)) == 0
    assert seconds_after((10, idle), (100, grown), (130, grown)) > 0


def test_what_an_end_has_grown_by_may_turn_out_to_be_nothing() -> None:
    """As after a transaction that was aborted; the time counts anew from the next growth."""
    detector: StallDetector[str] = StallDetector()
    aborted, later = Position(5, 8, is_exact=False), Position(5, 10, is_exact=False)
    detector.look(0, {PLACE: Position(5, 6, is_exact=False)})
    detector.look(10, {PLACE: aborted})
    assert detector.look(20, {PLACE: aborted}) == {PLACE: 10}
    detector.none_wait(PLACE, aborted.end)
    assert detector.look(30, {PLACE: aborted}) == {PLACE: 0}
    assert detector.look(40, {PLACE: later}) == {PLACE: 0}
    assert detector.look(45, {PLACE: later}) == {PLACE: 5}


def test_a_partition_that_comes_back_is_new() -> None:
    """A partition that was somebody else's meanwhile starts from nothing."""
    detector: StallDetector[str] = StallDetector()
    waiting = Position(5, 6)
    detector.look(0, {PLACE: waiting})
    detector.look(10, {})
    assert detector.look(20, {PLACE: waiting}) == {PLACE: 0}
    detector.forget()
    assert detector.look(90, {PLACE: waiting}) == {PLACE: 0}


steps = st.lists(st.tuples(st.floats(0.1, 9), st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=30)


@given(steps)
def test_never_longer_than_since_the_last_move(moves: list[tuple[float, int, int]]) -> None:
    """A place never stands still for longer than since its offset last changed, nor at all when it is at the end."""
    detector: StallDetector[str] = StallDetector()
    now = moved = 0.0
    offset = end = 0
    detector.look(now, {PLACE: Position(offset, end)})
    for seconds, read, written in moves:
        now += seconds
        end += written
        before, offset = offset, min(offset + read, end)
        if offset != before:
            moved = now
        stood = detector.look(now, {PLACE: Position(offset, end)})[PLACE]
        assert 0 <= stood <= now - moved
        assert offset < end or stood == 0


def behind_after(*looks: tuple[float, Position]) -> float:
    """Since how many seconds records wait by the last of these looks."""
    meter: DelayMeter[str] = DelayMeter()
    found = 0.0
    for now, position in looks:
        found = meter.look(now, {PLACE: position})[PLACE]
    return found


def test_a_reader_is_as_late_as_the_oldest_record_it_has_not_read() -> None:
    """One that reads on is late by what came before; one that stands still is later at each look."""
    assert behind_after((10, Position(5, 6)), (20, Position(5, 9)), (30, Position(7, 20))) == 10
    assert behind_after((10, Position(5, 6)), (20, Position(5, 6)), (70, Position(5, 90))) == 60


def test_a_reader_that_has_read_all_is_not_late() -> None:
    """However long ago that was; the time counts from the look that saw the next record."""
    assert behind_after((10, Position(5, 6)), (20, Position(6, 6))) == 0
    assert behind_after((10, Position(6, 6)), (900, Position(6, 7)), (905, Position(6, 7))) == 5


def test_the_delay_of_a_day_takes_no_memory_of_a_day() -> None:
    """The oldest end stays known, however many later ones are seen."""
    looks = [(float(number), Position(0, number + 1)) for number in range(3 * ENDS_KEPT)]
    assert behind_after(*looks) == looks[-1][0]
