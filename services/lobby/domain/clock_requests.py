"""What players and directors may change about the clocks of a table: `decide_*` returns events or a rejection."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from msgspec.structs import replace

from services.lobby.domain.clock_policies import SECONDS_MAX, window_fault
from services.lobby.domain.directing import bearer_of, game_not_begun
from services.lobby.domain.rejections import Rejection, RejectionReason, shown
from services.lobby.domain.table_clocks import (
    ClockEvent,
    HoursChosen,
    TableClocks,
    TimeGranted,
    VacationEnded,
    VacationTaken,
)
from services.lobby.domain.tables import Table, TableState
from services.lobby.domain.time_control.hours import check_hours, check_vacation
from services.lobby.domain.time_control.policy import ClockPolicy
from services.lobby.domain.time_control.weeks import PlayingHours, Vacation
from services.lobby.domain.tournaments.rejections import TournamentRejected

VACATION_DAYS_MAX = 366
DAY = timedelta(days=1)
FOR_ALL_TABLES = ClockPolicy(bank=1, min_hours_per_week=1, vacation_days_per_year=VACATION_DAYS_MAX)
"""What an account may choose for all its tables; each of them takes over what its own policy allows."""

Decided = tuple[ClockEvent, ...] | Rejection


def seat_of(table: Table, account: str) -> str | Rejection:
    """The seat that an account bears."""
    for seat in table.seats:
        if bearer_of(table.seat_takers, seat) == account:
            return seat
    return Rejection(RejectionReason.NOT_SEATED, "You play no seat at this table.")


def no_clock() -> Rejection:
    """The rejection of a request about clocks that are not there."""
    return Rejection(RejectionReason.NO_CLOCK, "This table plays without clocks.")


def zone_of_seat(policy: ClockPolicy, clocks: TableClocks, seat: str) -> str:
    """The zone of the hours that were chosen last, else that of the policy."""
    schedule = clocks.hours_of(seat).schedule
    return schedule[-1].zone if schedule else policy.zone


def decide_hours(policy: ClockPolicy, seat: str, hours: PlayingHours, today: date) -> Decided:
    """Chooses other playing hours; `today` is the date in their zone."""
    if not policy.min_hours_per_week:
        return Rejection(
            RejectionReason.HOURS_NOT_CHOSEN_HERE, "Players of this table do not choose their playing hours."
        )
    fault = window_fault(hours.windows)
    if fault:
        return Rejection(RejectionReason.HOURS_MALFORMED, f"The hours cannot be used: {fault}.")
    try:
        check_hours(hours, policy, today)
    except TournamentRejected as problem:
        return rejection_of(problem)
    return (HoursChosen(seat, hours),)


def decide_vacation(
    policy: ClockPolicy, clocks: TableClocks, seat: str, wanted: Vacation, today: date
) -> Decided:
    """Takes a vacation; `today` is the date in its zone."""
    taken = clocks.hours_of(seat).vacations
    if (wanted.last - today).days > VACATION_DAYS_MAX:
        return _vacation_malformed(f"A vacation ends within {VACATION_DAYS_MAX} days.")
    if any(each.first <= wanted.last and wanted.first <= each.last for each in taken):
        return _vacation_malformed("The seat has a vacation on some of these days already.")
    try:
        check_vacation(wanted, taken, policy, today, is_final=False)
    except TournamentRejected as problem:
        return rejection_of(problem)
    return (VacationTaken(seat, wanted),)


def decide_end_vacation(clocks: TableClocks, seat: str, today_in: Callable[[str], date]) -> Decided:
    """Ends the vacation that goes on with this day in its own zone, else takes back the next one: the playing time of a day
    that has begun does not change. `today_in`: the date in a zone."""
    vacations = clocks.hours_of(seat).vacations
    coming = sorted(
        (each for each in vacations if each.last > today_in(each.zone)), key=lambda each: each.first
    )
    if not coming:
        return Rejection(RejectionReason.NO_VACATION, "No vacation of this seat goes on or is to come.")
    return (VacationEnded(seat, replace(coming[0], last=today_in(coming[0].zone))),)


def decide_grant(
    table: Table, clocks: TableClocks, seat: str, seconds: int, author: str, reason: str
) -> Decided:
    """Adds time to the bank of a seat."""
    if table.state is not TableState.PLAYING or clocks.charged is None:
        return game_not_begun()
    if seat not in table.seats:
        return Rejection(RejectionReason.NOT_SEATED, f"The table has no seat {shown(seat)}.")
    if not 0 < seconds <= SECONDS_MAX:
        return Rejection(
            RejectionReason.GRANT_OUT_OF_RANGE, f"The time granted is 1 to {SECONDS_MAX} seconds."
        )
    return (TimeGranted(seat, seconds, author, reason.strip()),)


def rejection_of(problem: TournamentRejected) -> Rejection:
    """The same reason and sentence."""
    sentence = problem.sentence[:1].upper() + problem.sentence[1:]
    return Rejection(RejectionReason(problem.reason.value), f"{sentence}.")


def _vacation_malformed(sentence: str) -> Rejection:
    return Rejection(RejectionReason.VACATION_MALFORMED, sentence)
