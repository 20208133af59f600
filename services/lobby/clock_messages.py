"""The clocks of tables on the wire."""

from __future__ import annotations

from collections.abc import Iterable

from services.gen.signalbox.lobby.v1 import clock_event_pb2, table_clock_pb2 as wire
from services.lobby.domain.clock_view import SeatTime
from services.lobby.domain.time_control.weeks import ALL_WEEK, Vacation, Window
from services.lobby.handlers.clocks.requests import ClocksNow, SeatPlan
from services.lobby.struct_messages import message_of


def clocks_message(clocks: ClocksNow) -> wire.TableClocks:
    """The clocks of a table as a message."""
    seats = [_seat_message(each, clocks.plans[each.seat]) for each in clocks.times]
    return wire.TableClocks(seats=seats, is_paused=clocks.is_paused)


def windows_from(windows: Iterable[wire.WeekWindow]) -> tuple[Window, ...]:
    """The windows of a request."""
    return tuple(Window(each.weekday, each.start_minute, each.end_minute) for each in windows)


def _seat_message(time: SeatTime, plan: SeatPlan) -> wire.SeatTime:
    windows = () if plan.hours.windows == ALL_WEEK else plan.hours.windows
    return wire.SeatTime(
        seat=time.seat,
        bank_ms=time.bank_ms,
        turn_left_ms=time.turn_left_ms,
        used_ms=time.used_ms,
        overdue_ms=time.overdue_ms,
        asked_since_time_ms=time.asked_since_ms,
        deadline_time_ms=time.deadline_ms,
        zone=plan.hours.zone,
        windows=[message_of(each, wire.WeekWindow) for each in windows],
        vacations=[_vacation_message(each) for each in plan.vacations],
        reminded_hundredths=time.reminded,
        steps=[message_of(each, clock_event_pb2.ExpiryDecided) for each in time.steps],
        penalty_amount=time.penalty,
    )


def _vacation_message(vacation: Vacation) -> wire.SeatVacation:
    return wire.SeatVacation(
        first_date=vacation.first.isoformat(), last_date=vacation.last.isoformat(), zone=vacation.zone
    )
