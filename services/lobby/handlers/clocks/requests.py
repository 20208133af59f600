"""Requests about the clocks of a table: reading them, hours and vacation of players, time granted by directors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date

import msgspec

from services.common.auth.tokens import Principal
from services.common.clock import Clock
from services.common.errors import InvalidRequest
from services.gen.signalbox.rules.v1.direction_pb2 import Direction, Suspend
from services.lobby.directory import TableDirectory
from services.lobby.domain.clock_requests import (
    DAY,
    FOR_ALL_TABLES,
    Decided,
    decide_end_vacation,
    decide_grant,
    decide_hours,
    decide_vacation,
    no_clock,
    rejection_of,
    seat_of,
    zone_of_seat,
)
from services.lobby.domain.clock_view import SeatTime, seat_times
from services.lobby.domain.clocks import TurnEnd, turn_ends
from services.lobby.domain.games import GameSummary
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.table_clocks import SeatHours, TableClocks
from services.lobby.domain.tables import Table, TableState
from services.lobby.domain.time_control.policy import ClockPolicy
from services.lobby.domain.time_control.weeks import PlayingHours, Vacation, Window
from services.lobby.domain.tournaments.refusing import reject_text
from services.lobby.domain.tournaments.rejections import TournamentRejected
from services.lobby.domain.visibility import Viewer
from services.lobby.handlers.clocks.playing_times import SHOWN_AHEAD_MS, playing_time_of_turns, schedule_of
from services.lobby.handlers.clocks.streams import ClockStreams
from services.lobby.handlers.requests import check_request_id
from services.lobby.ports import NoteAct, RejectDirection, Zones


class SeatPlan(msgspec.Struct, frozen=True):
    """When the bearer of a seat plays: the hours that apply now, and vacations that go on or are to come. Of an account: at
    tables that begin later."""

    hours: PlayingHours
    vacations: tuple[Vacation, ...]


class ClocksNow(msgspec.Struct, frozen=True):
    """The clocks of a table as they are now, in seat order."""

    times: tuple[SeatTime, ...]
    plans: Mapping[str, SeatPlan]
    is_paused: bool


class ClockHandlers:
    """A request id is unique per player and clocks. All changes raise `NotFound` for a table that the caller may not see,
    `InvalidRequest` for a malformed request id, and `Unavailable`."""

    def __init__(
        self,
        streams: ClockStreams,
        own: ClockStreams,
        directory: TableDirectory,
        seen: Callable[[str, Viewer], Table],
        reject_direction: RejectDirection,
        zones: Zones,
        clock: Clock,
        note_act: NoteAct,
    ) -> None:
        """`own`: the streams of accounts; see `OwnHours`. `seen`: a table for somebody who may see it."""
        self._streams = streams
        self._own = own
        self._directory = directory
        self._seen = seen
        self._reject_direction = reject_direction
        self._zones = zones
        self._clock = clock
        self._note_act = note_act

    def now(self, table: Table) -> ClocksNow | None:
        """The clocks of a table, None where it has none."""
        return (
            None if table.clock is None else self._now(table, table.clock, self._streams.get(table.table_id))
        )

    def table_of(self, game_id: str, viewer: Viewer) -> Table:
        """The table at which a game is played, as far as it is known here. Raises `NotFound`, also where the viewer may not see
        it."""
        table = self._directory.of_game(game_id)
        return self._seen("" if table is None else table.table_id, viewer)

    def turn_ends(self, summary: GameSummary) -> Mapping[str, TurnEnd]:
        """When the turns at hand of a game are overdue, by seat."""
        if summary.turn_seconds:
            holds = self._streams.get(summary.table_id).holds
            now_ms, bots = self._clock.now_ms(), summary.status.bots
            return turn_ends(summary.clocks, summary.turn_seconds, now_ms, holds, bots)
        table = self._directory.of_game(summary.game_id) if summary.has_clock else None
        clocks = None if table is None else self.now(table)
        times = () if clocks is None else clocks.times
        return {each.seat: TurnEnd(each.deadline_ms, each.turn_left_ms) for each in times}

    def choose_hours(
        self, caller: Principal, request_id: str, table_id: str, zone: str, windows: tuple[Window, ...]
    ) -> ClocksNow | Rejection:
        """Chooses hours of the caller's seat from tomorrow on.

        Without a table, here and below: for all tables of the caller that begin later."""

        def decide(policy: ClockPolicy, clocks: TableClocks, seat: str) -> Decided:
            today = self._today(zone)
            return decide_hours(policy, seat, PlayingHours(zone, windows, today + DAY), today)

        return self._change_seat(caller, request_id, table_id, ("hours", zone, windows), decide)

    def take_vacation(
        self, caller: Principal, request_id: str, table_id: str, first: str, last: str
    ) -> ClocksNow | Rejection:
        """Takes a vacation of the caller's seat; days as 2026-12-24."""

        def decide(policy: ClockPolicy, clocks: TableClocks, seat: str) -> Decided:
            days = _day(first, "first_date"), _day(last, "last_date")
            zone = zone_of_seat(policy, clocks, seat)
            return decide_vacation(policy, clocks, seat, Vacation(*days, zone), self._today(zone))

        return self._change_seat(caller, request_id, table_id, ("vacation", first, last), decide)

    def end_vacation(self, caller: Principal, request_id: str, table_id: str) -> ClocksNow | Rejection:
        """Ends the vacation of the caller's seat, or takes back the next one."""

        def decide(policy: ClockPolicy, clocks: TableClocks, seat: str) -> Decided:
            return decide_end_vacation(clocks, seat, self._today)

        return self._change_seat(caller, request_id, table_id, ("end vacation",), decide)

    def own_plan(self, account: str) -> SeatPlan:
        """What an account has chosen for all its tables that begin later."""
        return self._own_plan(self._own.get(account), account)

    def grant(
        self,
        caller: Principal,
        is_operator: bool,
        request_id: str,
        table_id: str,
        seat: str,
        seconds: int,
        reason: str,
    ) -> ClocksNow | Rejection:
        """Adds time to the bank of a seat: directors and operators."""
        check_request_id(request_id)
        table = self._seen(table_id, Viewer(caller.player_id, is_operator))
        if not is_operator and caller.player_id != table.director_id:
            # Like a suspension it leaves the position as it is.
            rejection = self._reject_direction(caller.player_id, table, Direction(suspend=Suspend()))
            if rejection is not None:
                return rejection
        if table.clock is None:
            return no_clock()
        rejection = reject_text(reason, "A grant of time")
        if rejection is not None:
            return rejection
        changed = self._streams.change(
            caller,
            request_id,
            table_id,
            ("grant", seat, seconds, reason),
            lambda clocks: decide_grant(table, clocks, seat, seconds, caller.player_id, reason),
        )
        if is_operator and caller.player_id != table.director_id and not isinstance(changed, Rejection):
            self._note_act(caller, request_id, "grant_time", reason, table.game_id, f"{seconds} s to {seat}")
        return changed if isinstance(changed, Rejection) else self._now(table, table.clock, changed)

    def _change_seat(
        self,
        caller: Principal,
        request_id: str,
        table_id: str,
        content: tuple[object, ...],
        decide: Callable[[ClockPolicy, TableClocks, str], Decided],
    ) -> ClocksNow | Rejection:
        check_request_id(request_id)
        if not table_id:
            return self._change_own(caller, request_id, content, decide)
        table = self._seen(table_id, Viewer(caller.player_id))
        policy = table.clock
        if policy is None:
            return no_clock()
        seat = seat_of(table, caller.player_id)
        if isinstance(seat, Rejection):
            return seat
        try:
            changed = self._streams.change(
                caller, request_id, table_id, content, lambda clocks: decide(policy, clocks, seat), seat
            )
        except TournamentRejected as unknown_zone:
            return rejection_of(unknown_zone)
        return changed if isinstance(changed, Rejection) else self._now(table, policy, changed)

    def _change_own(
        self,
        caller: Principal,
        request_id: str,
        content: tuple[object, ...],
        decide: Callable[[ClockPolicy, TableClocks, str], Decided],
    ) -> ClocksNow | Rejection:
        """Changes what the tables that begin later take over; the account stands in the place of a seat."""
        account = caller.player_id
        try:
            changed = self._own.change(
                caller,
                request_id,
                account,
                content,
                lambda clocks: decide(FOR_ALL_TABLES, clocks, account),
                account,
            )
        except TournamentRejected as unknown_zone:
            return rejection_of(unknown_zone)
        if isinstance(changed, Rejection):
            return changed
        nothing = SeatTime(account, 0, 0, 0, 0)
        return ClocksNow((nothing,), {account: self._own_plan(changed, account)}, is_paused=False)

    def _now(self, table: Table, policy: ClockPolicy, clocks: TableClocks) -> ClocksNow:
        now_ms = self._clock.now_ms()
        hours = playing_time_of_turns(policy, clocks, self._zones, now_ms + SHOWN_AHEAD_MS)
        times = seat_times(policy, clocks, hours, now_ms, table.state is TableState.FINISHED, table.bots)
        return ClocksNow(
            times, {seat: self._plan(policy, clocks, seat) for seat in table.seats}, clocks.is_paused
        )

    def _plan(self, policy: ClockPolicy, clocks: TableClocks, seat: str) -> SeatPlan:
        chosen = clocks.hours_of(seat)
        schedule = schedule_of(policy, chosen)
        in_force = [each for each in schedule if each.from_date <= self._today(each.zone)]
        return SeatPlan(in_force[-1], self._vacations_left(chosen))

    def _own_plan(self, clocks: TableClocks, account: str) -> SeatPlan:
        chosen = clocks.hours_of(account)
        return SeatPlan(schedule_of(FOR_ALL_TABLES, chosen)[-1], self._vacations_left(chosen))

    def _vacations_left(self, chosen: SeatHours) -> tuple[Vacation, ...]:
        return tuple(each for each in chosen.vacations if each.last >= self._today(each.zone))

    def _today(self, zone: str) -> date:
        return self._zones.today(zone, self._clock.now_ms())


def _day(text: str, field: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidRequest(f"{field} is no date like 2026-12-24") from None
