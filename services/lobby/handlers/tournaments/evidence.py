"""The evidence sheet of a table: what a director looks at before an adjudication."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from services.common.clock import Clock
from services.common.errors import InvalidRequest, NotFound, PermissionDenied
from services.lobby.directory import TableDirectory
from services.lobby.domain.clock_view import SeatTime
from services.lobby.domain.games import GameSummary
from services.lobby.domain.positions import LastDividend, Position, does_order_change, forecast
from services.lobby.domain.table_clocks import PlayedTurn
from services.lobby.domain.tables import Table
from services.lobby.domain.tournaments.rounds.round import TableState
from services.lobby.handlers.clocks.playing_times import times_now
from services.lobby.handlers.clocks.streams import ClockStreams
from services.lobby.handlers.tournaments.appending import TournamentStreams
from services.lobby.ports import GamePositions, Zones

RUNS_MAX = 20
NO_GAME = Position(0, ())


class SeatEvidence(msgspec.Struct, frozen=True):
    """What is known about a seat; see the contract."""

    player_id: str
    used_ms: int = 0
    waiting_ms: int = 0
    overdue_count: int = 0
    worth: int = 0
    forecast_worth: int = 0


class Evidence(msgspec.Struct, frozen=True):
    """What is known about a table; see the contract."""

    game_id: str
    sequence: int
    round_kind: str
    phase: str
    ending: str
    seats: tuple[SeatEvidence, ...]
    dividends: tuple[LastDividend, ...] = ()
    does_order_change: bool = False


class EvidenceReader:
    """Puts evidence together for directors; changes nothing."""

    def __init__(
        self,
        streams: TournamentStreams,
        tables: TableDirectory,
        summary_of: Callable[[str], GameSummary | None],
        positions: GamePositions,
        clock: Clock,
        clocks: ClockStreams,
        zones: Zones,
    ) -> None:
        self._clocks = clocks
        self._zones = zones
        self._streams = streams
        self._tables = tables
        self._summary_of = summary_of
        self._positions = positions
        self._clock = clock

    def of_table(self, caller_id: str, round_id: str, number: int, run_count: int = 0) -> Evidence:
        """What an adjudication of a table can rest on; `run_count` as in the contract.

        Raises `PermissionDenied` for others than directors, `NotFound`, `InvalidRequest`, and `Unavailable` while the game cannot
        be looked at."""
        if not 0 <= run_count <= RUNS_MAX:
            raise InvalidRequest(f"run_count must be 0 to {RUNS_MAX}")
        current = self._streams.round(round_id)
        if not self._streams.tournament(current.tournament_id).is_director(caller_id):
            raise PermissionDenied("only directors of the tournament see the evidence")
        state = current.tables.get(number)
        if state is None:
            raise NotFound("the round has no such table")
        game_id = state.table.game_id
        position = self._positions.position(game_id) if game_id else NO_GAME
        now = {each.seat: each.worth for each in position.seats}
        later = forecast(position, run_count or 1)
        summary = self._summary_of(game_id) if game_id else None
        status = None if summary is None else summary.status
        return Evidence(
            game_id=game_id,
            sequence=position.sequence,
            round_kind="" if status is None else status.round_kind,
            phase="" if status is None else status.phase,
            ending="" if status is None else status.ending,
            seats=self._seats(state, summary, now, later),
            dividends=position.dividends,
            does_order_change=does_order_change(now, later),
        )

    def _seats(
        self, state: TableState, summary: GameSummary | None, now: dict[str, int], later: dict[str, int]
    ) -> tuple[SeatEvidence, ...]:
        table = self._tables.get(state.table.table_id) if state.table.table_id else None
        now_ms = self._clock.now_ms()
        if table is not None and table.clock is not None:
            return self._seats_with_clocks(table, state, now_ms, now, later)
        clocks = {each.player_id: each for each in (summary.clocks if summary is not None else ())}
        holds = self._clocks.get(table.table_id).holds if table is not None else ()
        overdue = {each.player_id: each.turn_count for each in (table.overdue if table is not None else ())}
        return tuple(
            SeatEvidence(
                player_id=player,
                used_ms=clocks[player].used_ms if player in clocks else 0,
                waiting_ms=clocks[player].thinking_ms(now_ms, holds) if player in clocks else 0,
                overdue_count=overdue.get(player, 0),
                worth=now.get(player, 0),
                forecast_worth=later.get(player, 0),
            )
            for player in state.table.seats
        )

    def _seats_with_clocks(
        self, table: Table, state: TableState, now_ms: int, now: dict[str, int], later: dict[str, int]
    ) -> tuple[SeatEvidence, ...]:
        """With the playing time that the clocks have: without nights, vacation and suspensions."""
        times = {each.seat: each for each in times_now(table, self._clocks, self._zones, now_ms)}
        played = self._clocks.get(table.table_id).played
        return tuple(
            _with_clock(
                times.get(seat, SeatTime(seat, 0, 0, 0)),
                [each for each in played if each.seat == seat],
                now_ms,
                now.get(seat, 0),
                later.get(seat, 0),
            )
            for seat in state.table.seats
        )


def _with_clock(
    time: SeatTime, turns: list[PlayedTurn], now_ms: int, worth: int, forecast_worth: int
) -> SeatEvidence:
    before_ms = sum(each.response_ms for each in turns)
    is_overdue = bool(time.asked_since_ms) and (not time.turn_left_ms or 0 < time.deadline_ms <= now_ms)
    return SeatEvidence(
        player_id=time.seat,
        used_ms=before_ms,
        waiting_ms=time.used_ms - before_ms,
        overdue_count=sum(each.is_overdue for each in turns) + is_overdue,
        worth=worth,
        forecast_worth=forecast_worth,
    )
