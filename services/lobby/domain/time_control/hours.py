"""What hours and vacation a player may choose under a policy."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from services.lobby.domain.time_control.policy import ClockPolicy
from services.lobby.domain.time_control.weeks import (
    DAY_MINUTES,
    WEEK_DAYS,
    PlayingHours,
    Vacation,
    weekly_minutes,
)
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected


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
