"""Playing hours in time zones."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from services.lobby.adapters.playing_hours import TzdataZones, expanded, zone_of
from services.lobby.domain.clock_requests import decide_end_vacation
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.table_clocks import SeatHours, TableClocks, VacationEnded
from services.lobby.domain.time_control.intervals import after_working, working_ms
from services.lobby.domain.time_control.weeks import PlayingHours, Vacation, Window
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected

HOUR = 3_600_000
CHANGES: dict[str, tuple[date, date, float]] = {
    "Europe/Berlin": (date(2027, 3, 28), date(2027, 10, 31), 1.0),
    "America/New_York": (date(2027, 3, 14), date(2027, 11, 7), 1.0),
    "America/Santiago": (date(2027, 9, 5), date(2027, 4, 4), 1.0),
    "Australia/Lord_Howe": (date(2027, 10, 3), date(2027, 4, 4), 0.5),
    "Africa/Cairo": (date(2027, 4, 30), date(2027, 10, 29), 1.0),
    "Australia/Sydney": (date(2027, 10, 3), date(2027, 4, 4), 1.0),
}
"""Zone -> the days on which its clocks go forward and back, and the hours by which."""
EVERY_DAY = tuple(Window(day, 0, 24 * 60) for day in range(7))
EVENINGS = tuple(Window(day, 19 * 60, 25 * 60 + 30) for day in range(7))


def ms(*parts: int) -> int:
    """An instant by its UTC date and time."""
    return int(datetime(*parts, tzinfo=UTC).timestamp() * 1000)  # type: ignore[misc, arg-type]


def hours_of(zone: str, windows: tuple[Window, ...], day: date) -> float:
    """Hours of playing time in windows that begin on this day."""
    only = tuple(window for window in windows if window.weekday == day.weekday())
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    around = [int((noon + timedelta(days=days)).timestamp() * 1000) for days in (-3, 4)]
    return working_ms(expanded([PlayingHours(zone, only)], (), *around), *around) / HOUR


@pytest.mark.parametrize("zone", CHANGES)
def test_days_on_which_clocks_change_are_shorter_and_longer(zone: str) -> None:
    """A whole day has an hour less (half an hour on Lord Howe), or one more; the days beside it have 24."""
    forward, back, amount = CHANGES[zone]
    assert hours_of(zone, EVERY_DAY, forward) == 24 - amount
    assert hours_of(zone, EVERY_DAY, back) in (24 + amount, 24)
    week = [hours_of(zone, EVERY_DAY, back + timedelta(days=days)) for days in (-1, 0, 1)]
    assert sum(week) == 72 + amount


@pytest.mark.parametrize("zone", CHANGES)
@pytest.mark.parametrize("change", [0, 1])
def test_evenings_far_from_the_change_keep_their_length(zone: str, change: int) -> None:
    """Six and a half hours by the clock of the place, on the days after the change and before."""
    day = CHANGES[zone][:2][change]
    for days in (-3, 3):
        assert hours_of(zone, EVENINGS, day + timedelta(days=days)) == 6.5


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(sorted(CHANGES)),
    st.integers(0, 1),
    st.lists(st.integers(0, 24 * 60), min_size=1, max_size=5, unique=True),
    st.integers(-3000, 3000),
    st.integers(1, 3000),
)
def test_playing_time_is_additive_and_monotone_across_changes(
    zone: str, change: int, cuts: list[int], offset: int, length: int
) -> None:
    """A day cut anywhere, also within the hour left out or repeated, gives the same time as the whole day."""
    day = CHANGES[zone][:2][change]
    start = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000) + offset * 60_000
    end = start + length * 60_000
    edges = [0, *sorted(set(cuts) - {0, 24 * 60}), 24 * 60]
    parts = tuple(Window(d, a, b) for d in range(7) for a, b in pairwise(edges))
    whole = expanded([PlayingHours(zone, EVERY_DAY)], (), start, end)
    assert expanded([PlayingHours(zone, parts)], (), start, end) == whole
    assert working_ms(whole, start, end) == end - start
    middle = start + (end - start) // 2
    evenings = expanded([PlayingHours(zone, EVENINGS)], (), start, end)
    assert working_ms(evenings, start, end) == working_ms(evenings, start, middle) + working_ms(
        evenings, middle, end
    )
    assert 0 <= working_ms(evenings, start, middle) <= working_ms(evenings, start, end) <= end - start


def test_a_leap_day_is_a_day() -> None:
    """Tuesday, 29 February 2028, has its hours, and the year one day more."""
    assert hours_of("Europe/Berlin", EVENINGS, date(2028, 2, 29)) == 6.5
    year = ms(2028, 1, 1), ms(2029, 1, 1)
    assert working_ms(expanded([PlayingHours("UTC", EVERY_DAY)], (), *year), *year) == 366 * 24 * HOUR


def test_a_turn_ends_in_the_evening_after() -> None:
    """Three hours from Friday 22:30 in Berlin: two and a half on Friday night to one, the rest of it on Monday evening."""
    windows = tuple(Window(day, 19 * 60, 25 * 60) for day in range(5))
    hours = expanded([PlayingHours("Europe/Berlin", windows)], (), ms(2027, 3, 20), ms(2027, 4, 3))
    assert after_working(hours, ms(2027, 3, 26, 21, 30), 3 * HOUR) == ms(2027, 3, 29, 17, 30)


def test_new_hours_count_from_their_day_and_vacation_stops_the_clock() -> None:
    """Evenings to the 9th, whole days from the 10th, the 11th off."""
    schedule = [PlayingHours("UTC", EVENINGS), PlayingHours("UTC", EVERY_DAY, date(2027, 6, 10))]
    span = ms(2027, 6, 9), ms(2027, 6, 13)
    off = Vacation(date(2027, 6, 11), date(2027, 6, 11))
    evening_before = 1.5
    assert working_ms(expanded(schedule, (), *span), *span) / HOUR == evening_before + 5 + 72
    assert working_ms(expanded(schedule, [off], *span), *span) / HOUR == evening_before + 5 + 48


def test_the_same_hours_chosen_again_each_day_change_nothing() -> None:
    """Of a window of the evening before, what lies after midnight counts: 168 hours a week, however often they are chosen."""
    late = tuple(Window(day, 24 * 60 - 1, 2 * 24 * 60) for day in range(7))
    daily = [PlayingHours("UTC", late)]
    daily += (PlayingHours("UTC", late, date(2027, 6, 8) + timedelta(days=days)) for days in range(9))
    week = ms(2027, 6, 9), ms(2027, 6, 16)
    assert expanded(daily, (), *week) == expanded(daily[:1], (), *week)
    assert working_ms(expanded(daily, (), *week), *week) == 168 * HOUR


@pytest.mark.parametrize("name", ["Mars/Olympus", "../etc/passwd", "", "Europe"])
def test_an_unknown_zone_is_rejected(name: str) -> None:
    """By reason, and without reading any file of that name."""
    with pytest.raises(TournamentRejected) as rejected:
        zone_of(name)
    assert rejected.value.reason is Reason.ZONE_UNKNOWN


def test_a_vacation_ends_with_today_in_its_own_zone() -> None:
    """In Kiritimati the 9th has begun, where the seat plays now it is the 8th: the 9th stays a day of vacation."""

    def today_in(zone: str) -> date:
        return TzdataZones().today(zone, ms(2027, 6, 9, 6))

    def ended(first: int, last: int) -> object:
        taken = Vacation(date(2027, 6, first), date(2027, 6, last), "Pacific/Kiritimati")
        later = PlayingHours("Pacific/Niue", EVERY_DAY, date(2027, 6, 9))
        clocks = TableClocks(hours=(SeatHours("ann", (later,), (taken,)),))
        decided = decide_end_vacation(clocks, "ann", today_in)
        return decided.reason if isinstance(decided, Rejection) else decided

    assert ended(9, 9) is RejectionReason.NO_VACATION
    of_today = Vacation(date(2027, 6, 9), date(2027, 6, 9), "Pacific/Kiritimati")
    assert ended(9, 12) == (VacationEnded("ann", of_today),)


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Niue", "America/New_York"])
def test_a_change_of_zone_leaves_no_time_out(zone: str) -> None:
    """Whole days in UTC, then in a zone up to 14 hours away: every instant counts once."""
    schedule = [PlayingHours("UTC", EVERY_DAY), PlayingHours(zone, EVERY_DAY, date(2027, 6, 10))]
    span = ms(2027, 6, 8), ms(2027, 6, 13)
    assert working_ms(expanded(schedule, (), *span), *span) == span[1] - span[0]
