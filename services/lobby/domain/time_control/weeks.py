"""Windows of a week in a time zone, and vacation. What they mean in UTC is for the adapter to compute."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

import msgspec

DAY_MINUTES = 24 * 60
WEEK_DAYS = 7


class Window(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A time of a weekday (0 is Monday) in local minutes since midnight. One that ends past midnight has an end above 1,440."""

    weekday: int
    start_minute: int
    end_minute: int


ALL_WEEK = tuple(Window(day, 0, DAY_MINUTES) for day in range(WEEK_DAYS))


class PlayingHours(msgspec.Struct, frozen=True):
    """Windows of the week in an IANA zone, from a local date on; earlier hours apply until then."""

    zone: str
    windows: tuple[Window, ...]
    from_date: date = date.min


class Vacation(msgspec.Struct, frozen=True):
    """Days without playing hours in an IANA zone; the last day included."""

    first: date
    last: date
    zone: str = "UTC"

    @property
    def days(self) -> Iterable[date]:
        """Each day."""
        return (self.first + timedelta(days=number) for number in range((self.last - self.first).days + 1))


def weekly_minutes(windows: Iterable[Window]) -> int:
    """The minutes of the week that lie in a window, those in several counted once."""
    minutes = {
        (window.weekday * DAY_MINUTES + minute) % (WEEK_DAYS * DAY_MINUTES)
        for window in windows
        for minute in range(window.start_minute, window.end_minute)
    }
    return len(minutes)
