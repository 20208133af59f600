"""Playing hours in UTC, by the zones of the pinned package tzdata and not by those of the machine."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from services.lobby.domain.time_control.intervals import Interval, Intervals, union, without
from services.lobby.domain.time_control.weeks import PlayingHours, Vacation, Window
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected

_PACKAGE = "tzdata"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_MARGIN = timedelta(days=2)
"""A window may begin the day before, and zones are up to 14 hours from UTC."""


@lru_cache(maxsize=1)
def zone_names() -> Sequence[str]:
    """All IANA zones in alphabetical order."""
    listed = importlib.resources.files(_PACKAGE).joinpath("zones").read_text(encoding="utf-8").split()
    return tuple(sorted(listed))


@lru_cache(maxsize=1024)
def zone_of(name: str) -> ZoneInfo:
    """The IANA zone of this name. Raises TournamentRejected (ZONE_UNKNOWN)."""
    parts = name.split("/")
    if name not in zone_names():
        raise TournamentRejected(Reason.ZONE_UNKNOWN, f"{name!r} is no IANA time zone")
    with importlib.resources.files(_PACKAGE).joinpath("zoneinfo", *parts).open("rb") as file:
        return ZoneInfo.from_file(file, key=name)


def expanded(
    schedule: Sequence[PlayingHours], vacations: Iterable[Vacation], from_ms: int, to_ms: int
) -> Intervals:
    """The playing time between two instants. Each entry of `schedule`, in order of `from_date`, applies from the begin of that
    day in its zone until the next begins, so that a new zone leaves nothing out and repeats nothing. So of a window that began
    the day before `from_date` what lies after midnight counts: the same hours chosen again change nothing.

    Local times are read as RFC 5545 does: one that a change of clocks leaves out counts from before the change, of one that
    comes twice the first counts."""
    pauses = [each for vacation in vacations for each in _days(vacation)]
    begins = [_begin_ms(hours, from_ms) for hours in schedule]
    found: list[Interval] = []
    for number, hours in enumerate(schedule):
        starts, ends = max(from_ms, begins[number]), min(to_ms, *begins[number + 1 :], to_ms)
        found += (
            Interval(max(each.start_ms, starts), min(each.end_ms, ends))
            for each in _windows(hours, starts, ends)
        )
    return without(union(found), pauses)


class TzdataZones:
    """The `Zones` port."""

    def check(self, zone: str) -> None:
        """See `Zones`."""
        zone_of(zone)

    def today(self, zone: str, now_ms: int) -> date:
        """See `Zones`."""
        return (_EPOCH + now_ms * _MILLISECOND).astimezone(zone_of(zone)).date()

    def playing_time(
        self, schedule: Sequence[PlayingHours], vacations: Sequence[Vacation], from_ms: int, to_ms: int
    ) -> Intervals:
        """See `Zones`."""
        return expanded(schedule, vacations, from_ms, to_ms)


def _begin_ms(hours: PlayingHours, from_ms: int) -> int:
    is_first = hours.from_date == date.min
    return from_ms if is_first else _instant(zone_of(hours.zone), hours.from_date, 0)


def _windows(hours: PlayingHours, from_ms: int, to_ms: int) -> Iterator[Interval]:
    zone = zone_of(hours.zone)
    day = (_EPOCH + from_ms * _MILLISECOND - _MARGIN).date()
    last = (_EPOCH + to_ms * _MILLISECOND + _MARGIN).date()
    while day <= last:
        for window in hours.windows:
            if window.weekday == day.weekday():
                yield _window(zone, day, window)
        day += timedelta(days=1)


def _window(zone: ZoneInfo, day: date, window: Window) -> Interval:
    return Interval(_instant(zone, day, window.start_minute), _instant(zone, day, window.end_minute))


def _days(vacation: Vacation) -> Iterator[Interval]:
    zone = zone_of(vacation.zone)
    for day in vacation.days:
        yield Interval(_instant(zone, day, 0), _instant(zone, day + timedelta(days=1), 0))


def _instant(zone: ZoneInfo, day: date, minute: int) -> int:
    local = datetime.combine(day, time()) + timedelta(minutes=minute)
    return (local.replace(tzinfo=zone).astimezone(UTC) - _EPOCH) // _MILLISECOND
