"""Hours and vacation that a player chooses once, for all tables that begin later: kept in a stream of the account.

A table takes them over with the first event of its clocks, as far as its policy lets players choose. From then on they are
those of the seat, and change like those chosen at the table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

import msgspec
from msgspec.structs import replace

from services.lobby.domain.clock_requests import DAY, decide_hours, decide_vacation
from services.lobby.domain.directing import bearer_of
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.table_clocks import ClockEvent, TableClocks, evolve_clocks
from services.lobby.domain.tables import Table
from services.lobby.domain.time_control.policy import ClockPolicy
from services.lobby.handlers.clocks.streams import ClockStreams
from services.lobby.ports import Zones

HOURS_STREAM = "lobby.hours."


class OwnHours(msgspec.Struct, frozen=True):
    """What accounts have chosen. In its stream an account stands in the place of the seat."""

    streams: ClockStreams
    zones: Zones

    def taken_over(self, table: Table, policy: ClockPolicy, time_ms: int) -> tuple[ClockEvent, ...]:
        """What the clocks of a table that begins at `time_ms` take over for its seats; nothing that its policy does not allow."""
        return tuple(
            event
            for seat in table.seats
            for event in self._of_seat(policy, seat, bearer_of(table.seat_takers, seat), time_ms)
        )

    def _of_seat(self, policy: ClockPolicy, seat: str, account: str, time_ms: int) -> Iterator[ClockEvent]:
        chosen = self.streams.get(account).hours_of(account)
        if chosen.schedule and chosen.schedule[-1].windows:
            hours = chosen.schedule[-1]
            today = self.zones.today(hours.zone, time_ms)
            # The game has just begun, so that nobody gains time in a running turn.
            decided = decide_hours(policy, seat, replace(hours, from_date=today), today - DAY)
            yield from () if isinstance(decided, Rejection) else decided
        clocks = TableClocks()
        for vacation in sorted(chosen.vacations, key=lambda each: each.first):
            today = self.zones.today(vacation.zone, time_ms)
            wanted = replace(vacation, first=max(vacation.first, today + DAY))
            if wanted.last < wanted.first:
                continue
            taken = decide_vacation(policy, clocks, seat, wanted, today)
            if not isinstance(taken, Rejection):
                clocks = reduce(evolve_clocks, taken, clocks)
                yield from taken
