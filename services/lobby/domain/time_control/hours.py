"""Weekly playing hours in a time zone, and vacation. What they mean in UTC is for the adapter to compute."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

import msgspec

from services.lobby.domain.time_control.policy import ClockPolicy
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected

DAY_MINUTES = 24 * 60
WEEK_DAYS = 7


class Window(msgspec.Struct, frozen=True):
    """A time of a weekday (0 is Monday) in local minutes since midnight. One that ends past midnight has an end above 1,440."""

    weekday: int
    start_minute: int
    end_minute: int


class PlayingHours(msgspec.Struct, frozen=True):
    """Windows of the week in an IANA zone, from a local date on; earlier hours apply until then."""

    zone: str
    windows: tuple[Window, ...]
    from_date: date = date.min


class Vacation(msgspec.Struct, frozen=True):
    """Days without playing hours, in the zone of the player's hours; the last day included."""

    first: date
    last: date

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


def check_hours(hours: PlayingHours, policy: ClockPolicy, today: date) -> None:
    """Raises TournamentRejected (HOURS_MALFORMED, HOURS_TOO_FEW, HOURS_TOO_SOON) unless a player may choose these hours today.

    New hours count from the next day, so that nobody gains time in a running turn by changing them."""
    for window in hours.windows:
        if not (
            0 <= window.weekday < WEEK_DAYS
            and 0 <= window.start_minute < DAY_MINUTES
            and window.start_minute < window.end_minute <= 2 * DAY_MINUTES
        ):
            raise TournamentRejected(Reason.HOURS_MALFORMED, f"{window} is no time of a week")
    if weekly_minutes(hours.windows) < policy.min_hours_per_week * 60:
        raise TournamentRejected(
            Reason.HOURS_TOO_FEW,
            f"at least {policy.min_hours_per_week} hours of each week are to be playing time",
        )
    if hours.from_date <= today:
        raise TournamentRejected(
            Reason.HOURS_TOO_SOON, "new playing hours count from tomorrow at the earliest"
        )


def check_vacation(
    wanted: Vacation, taken: Sequence[Vacation], policy: ClockPolicy, today: date, is_final: bool
) -> None:
    """Raises TournamentRejected (VACATION_...) unless a player may take this vacation: from tomorrow on, within the days of each
    calendar year, and in finals only if the charter permits it."""
    if is_final and not policy.vacation_in_finals:
        raise TournamentRejected(Reason.VACATION_IN_FINAL, "there is no vacation in finals")
    if wanted.first <= today or wanted.last < wanted.first:
        raise TournamentRejected(
            Reason.VACATION_MALFORMED, "a vacation begins tomorrow or later, and ends after it begins"
        )
    days = {day for vacation in (*taken, wanted) for day in vacation.days}
    for year in sorted({day.year for day in wanted.days}):
        count = sum(day.year == year for day in days)
        if count > policy.vacation_days_per_year:
            raise TournamentRejected(
                Reason.VACATION_TOO_LONG,
                f"{count} days of vacation in {year}, at most {policy.vacation_days_per_year} are allowed",
            )
