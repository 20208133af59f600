"""When a player of a table plays: vacation, and hours where the policy of the table lets players choose them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from google.protobuf.message import Message

from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire, table_clock_pb2, table_pb2
from services.web.pages.clockform import row_counts, windows_in
from services.web.pages.times import shown_minute

Form = Mapping[str, str]
HOURS = "hours"


class OwnTime(NamedTuple):
    """What the bearer of a seat may choose. `form`: the hours that apply now, or those that were refused; `rows`: how many of
    them are shown. `has_chosen`: hours, now or before. `is_away`: on vacation, or soon.
    `zones`: all there are."""

    has_vacation: bool
    has_hours: bool
    has_chosen: bool
    is_away: bool
    form: Form
    rows: Mapping[str, int]
    zones: tuple[str, ...]


def own_seat(found: wire.GetTableResponse, player_id: str) -> table_clock_pb2.SeatTime | None:
    """The clock of the seat that somebody plays at a table, None for who plays none."""
    bearers = {each.seat: each.bearer.player_id for each in found.table.seat_takers}
    return next((each for each in found.clocks.seats if bearers.get(each.seat, each.seat) == player_id), None)


def own_time(
    table: table_pb2.Table, seat: table_clock_pb2.SeatTime, zones: tuple[str, ...], refused: Form | None
) -> OwnTime | None:
    """None where the policy of the table leaves nothing to choose."""
    policy = json.loads(table.clock)
    has_vacation, has_hours = "vacation_days_per_year" in policy, "min_hours_per_week" in policy
    if not (has_vacation or has_hours):
        return None
    form = _hours_now(seat) if refused is None else refused
    has_chosen, is_away = bool(seat.windows) or refused is not None, bool(seat.vacations)
    return OwnTime(has_vacation, has_hours, has_chosen, is_away, form, row_counts(form), zones)


def _hours_now(seat: table_clock_pb2.SeatTime) -> Form:
    form = {"clock.zone": seat.zone}
    for number, each in enumerate(seat.windows):
        name = f"clock.windows[{number}]"
        form[f"{name}.days"] = str(each.weekday)
        form[f"{name}.start"] = shown_minute(each.start_minute)
        form[f"{name}.end"] = shown_minute(each.end_minute)
    return form


def _hours(given: Any, form: Form) -> Message:
    windows = [table_clock_pb2.WeekWindow(**each) for each in windows_in(form)]
    return wire.ChooseHoursRequest(**given, zone=form.get("clock.zone", "").strip(), windows=windows)


REQUESTS: Mapping[str, Callable[[Any, Form], Message]] = {
    HOURS: _hours,
    "vacation": lambda given, form: wire.TakeVacationRequest(
        **given, first_date=form.get("first_date", ""), last_date=form.get("last_date", "")
    ),
    "end-vacation": lambda given, _form: wire.EndVacationRequest(**given),
}
