"""The playing time of seats between two instants, from the policy of their table and what their bearers chose."""

from __future__ import annotations

from services.lobby.domain.clock_view import SeatTime, seat_times
from services.lobby.domain.table_clocks import PlayingTime, SeatHours, TableClocks
from services.lobby.domain.tables import Table, TableState
from services.lobby.domain.time_control.intervals import Intervals
from services.lobby.domain.time_control.policy import ClockPolicy
from services.lobby.domain.time_control.weeks import ALL_WEEK, PlayingHours
from services.lobby.handlers.clocks.streams import ClockStreams
from services.lobby.ports import Zones

DAY_MS = 24 * 3_600_000
SHOWN_AHEAD_MS = 366 * DAY_MS
"""How far ahead the ends of turns are looked for that are shown."""
DUE_AHEAD_MS = 60 * DAY_MS
"""How far ahead what is due is looked for; it is looked for again and again."""


def playing_time_of_turns(
    policy: ClockPolicy, clocks: TableClocks, zones: Zones, until_ms: int
) -> PlayingTime:
    """The playing time of the seats that are asked, from the begin of their turns on."""
    found: dict[str, Intervals] = {}
    for clock in clocks.asked:
        chosen = clocks.hours_of(clock.seat)
        if clock.asked is not None and (policy.windows or chosen.schedule or chosen.vacations):
            schedule = schedule_of(policy, chosen)
            found[clock.seat] = zones.playing_time(schedule, chosen.vacations, clock.asked.since_ms, until_ms)
    return PlayingTime(found)


def schedule_of(policy: ClockPolicy, chosen: SeatHours) -> tuple[PlayingHours, ...]:
    """The hours of the table, then those that the seat's bearers chose."""
    return (PlayingHours(policy.zone, policy.windows or ALL_WEEK), *chosen.schedule)


def times_now(table: Table, streams: ClockStreams, zones: Zones, now_ms: int) -> tuple[SeatTime, ...]:
    """The times of the seats of a table with a clock policy, none without. Raises `UnknownRecord`."""
    if table.clock is None:
        return ()
    clocks = streams.get(table.table_id)
    hours = playing_time_of_turns(table.clock, clocks, zones, now_ms + SHOWN_AHEAD_MS)
    return seat_times(table.clock, clocks, hours, now_ms, table.state is TableState.FINISHED, table.bots)
