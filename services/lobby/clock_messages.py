"""The clocks of tables on the wire."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from services.gen.signalbox.lobby.v1 import clock_event_pb2, table_clock_pb2 as wire
from services.lobby.domain.clock_view import SeatTime
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.time_control.weeks import ALL_WEEK, Vacation, Window
from services.lobby.handlers.clocks.requests import ClocksNow, SeatPlan
from services.lobby.rejection_messages import rejection_message
from services.lobby.struct_messages import message_of


def clocks_message(clocks: ClocksNow) -> wire.TableClocks:
    """The clocks of a table as a message."""
    seats = [_seat_message(each, clocks.plans[each.seat]) for each in clocks.times]
    return wire.TableClocks(seats=seats, is_paused=clocks.is_paused)


def clocks_outcome(result: ClocksNow | Rejection) -> dict[str, Any]:
    """The clocks, or why nothing changed, as the two of a response."""
    if isinstance(result, Rejection):
        return {"rejected": rejection_message(result)}
    return {"clocks": clocks_message(result)}


def windows_from(windows: Iterable[wire.WeekWindow]) -> tuple[Window, ...]:
    """The windows of a request."""
    return tuple(Window(each.weekday, each.start_minute, each.end_minute) for each in windows)


def own_hours_message(plan: SeatPlan) -> wire.OwnHours:
    """What an account has chosen as a message."""
    return wire.OwnHours(
        zone=plan.hours.zone, windows=_windows(plan), vacations=map(_vacation_message, plan.vacations)
    )


def _windows(plan: SeatPlan) -> list[wire.WeekWindow]:
    windows = () if plan.hours.windows == ALL_WEEK else plan.hours.windows
    return [message_of(each, wire.WeekWindow) for each in windows]


def _seat_message(time: SeatTime, plan: SeatPlan) -> wire.SeatTime:
    return wire.SeatTime(
        seat=time.seat,
        bank_ms=time.bank_ms,
        turn_left_ms=time.turn_left_ms,
        used_ms=time.used_ms,
        overdue_ms=time.overdue_ms,
        asked_since_time_ms=time.asked_since_ms,
        deadline_time_ms=time.deadline_ms,
        zone=plan.hours.zone,
        windows=_windows(plan),
        vacations=[_vacation_message(each) for each in plan.vacations],
        reminded_hundredths=time.reminded,
        steps=[message_of(each, clock_event_pb2.ExpiryDecided) for each in time.steps],
        penalty_amount=time.penalty,
    )


def _vacation_message(vacation: Vacation) -> wire.SeatVacation:
    return wire.SeatVacation(
        first_date=vacation.first.isoformat(), last_date=vacation.last.isoformat(), zone=vacation.zone
    )
