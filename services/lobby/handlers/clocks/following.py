"""Charges the clocks of tables from the statuses of their games, and acts about overdue turns.

What is to be done about an overdue turn is written first, by one replica, for the sequence at which the turn was judged. Then
rules is asked for it, with a request id that follows from game, seat, sequence and step. Rules refuses it where the player
has moved since, and answers a repeat with the first outcome. So any replica that finds a step without an outcome asks again."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import msgspec

from services.common.errors import InvalidRequest, Unavailable
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.events.v1.events_pb2 import BEARER_KIND_BOT, Score
from services.gen.signalbox.rules.v1.command_pb2 import Command, Pass
from services.gen.signalbox.rules.v1.direction_pb2 import ActForSeat, AssignSeat, Direction, EndGame, Suspend
from services.lobby.domain.clock_charging import decide_charge, decide_hold, position_of
from services.lobby.domain.clock_expiry import decide_due, decide_settled, next_due_ms
from services.lobby.domain.directing import house_bot
from services.lobby.domain.ending import forfeited
from services.lobby.domain.games import GameStatus, HoldChange
from services.lobby.domain.table_clocks import (
    CLOCK_ACCOUNT,
    ClockEvent,
    ExpiryDecided,
    ExpiryOutcome,
    PlayingTime,
    TableClocks,
    evolve_clocks,
)
from services.lobby.domain.tables import Table
from services.lobby.domain.time_control.policy import ClockPolicy
from services.lobby.handlers.clocks.own_hours import OwnHours
from services.lobby.handlers.clocks.playing_times import DUE_AHEAD_MS, playing_time_of_turns
from services.lobby.handlers.clocks.streams import ClockStreams
from services.lobby.ports import DirectionRefused, GameDirector, GameMovedOn, GamePositions, Zones

# What may be possible later without an event of the game: the ledger releases it, routing answers again.
TRANSIENT_CODES = ("ledger_hold", "routing_unavailable")
MALFORMED_CODE = "malformed"


class FollowedClocks(msgspec.Struct, frozen=True):
    """The clocks of all games that are being played. Every method may be repeated and run on several replicas."""

    streams: ClockStreams
    own: OwnHours
    zones: Zones
    director: GameDirector
    positions: GamePositions
    count: Callable[[str, str], None]
    """Called with action and outcome of each step about an overdue turn, and with "reminder" and "given"."""

    def charge(self, table: Table, status: GameStatus) -> None:
        """Writes what a status, which names the seats, changes about the clocks of its table."""
        policy = table.clock
        if policy is None:
            return
        position = position_of(status)

        def decide(clocks: TableClocks) -> tuple[ClockEvent, ...]:
            begun: tuple[ClockEvent, ...] = ()
            if clocks.charged is None:
                begun = self.own.taken_over(table, policy, position.time_ms)
                clocks = reduce(evolve_clocks, begun, clocks)
            hours = playing_time_of_turns(policy, clocks, self.zones, position.time_ms)
            is_undo_free = table.undo_policy == "free"
            return (*begun, *decide_charge(policy, clocks, position, hours, table.bots, is_undo_free))

        self.streams.note(table.table_id, decide)

    def hold(self, table: Table, change: HoldChange) -> None:
        """Writes that the ledger holds or releases the game of a table, if its turns are timed."""
        policy = table.clock
        if policy is None and not table.turn_seconds:
            return

        def decide(clocks: TableClocks) -> tuple[ClockEvent, ...]:
            hours = PlayingTime()
            if policy is not None:
                hours = playing_time_of_turns(policy, clocks, self.zones, change.time_ms)
            return decide_hold(policy, clocks, change.is_held, change.time_ms, hours, table.bots)

        self.streams.note(table.table_id, decide)

    def act(self, table: Table, sequence: int, now_ms: int) -> None:
        """Gives reminders, and does what is due about overdue turns of a game at `sequence`.

        `now_ms`: all moves made until then have been charged."""
        policy = table.clock
        if policy is None:
            return

        def decide(clocks: TableClocks) -> tuple[ClockEvent, ...]:
            hours = self._hours_ahead(policy, clocks, now_ms)
            return decide_due(policy, clocks, table.game_id, sequence, hours, now_ms, table.bots)

        for event in self.streams.note(table.table_id, decide):
            if not isinstance(event, ExpiryDecided):
                self.count("reminder", "given")
        for step in self.streams.get(table.table_id).pending:
            self._carry_out(table, step)

    def next_due_ms(self, table: Table, sequence: int, now_ms: int) -> int:
        """When to call `act` next unless a status comes before, 0 for never."""
        policy = table.clock
        clocks = self.streams.get(table.table_id)
        if clocks.pending:
            return now_ms
        if policy is None:
            return 0
        hours = self._hours_ahead(policy, clocks, now_ms)
        return next_due_ms(policy, clocks, table.game_id, sequence, hours, table.bots) or 0

    def has_pending(self, table: Table) -> bool:
        """Whether rules has yet to answer a step."""
        return bool(self.streams.get(table.table_id).pending)

    def _hours_ahead(self, policy: ClockPolicy, clocks: TableClocks, now_ms: int) -> PlayingTime:
        return playing_time_of_turns(policy, clocks, self.zones, now_ms + DUE_AHEAD_MS)

    def _carry_out(self, table: Table, step: ExpiryDecided) -> None:
        """Asks rules, and writes the outcome. Where that is unknown the step stays without one."""
        code = ""
        try:
            self.director.direct(
                table.game_id,
                CLOCK_ACCOUNT,
                step.request_id,
                step.expected_sequence,
                self._direction_of(table, step),
            )
            outcome: ExpiryOutcome = "done"
        except GameMovedOn:
            outcome = "moved"
        except DirectionRefused as refused:
            if refused.code in TRANSIENT_CODES:
                return
            outcome, code = "refused", refused.code
        except InvalidRequest as problem:
            outcome, code = "refused", MALFORMED_CODE
            get_logger("lobby").error("clock cannot act", table_id=table.table_id, problem=str(problem))
        except Unavailable as problem:
            get_logger("lobby").warning(
                "clock waits for rules", table_id=table.table_id, problem=str(problem)
            )
            return
        if self.streams.note(
            table.table_id, lambda clocks: decide_settled(clocks, step.request_id, outcome, code)
        ):
            self.count(step.action, outcome)

    def _direction_of(self, table: Table, step: ExpiryDecided) -> Direction:
        """What rules is asked for: for one step always the same, so that a repeat gets the first outcome."""
        reason = (
            f"The turn of {step.seat} has been overdue, step {step.step + 1} of the table's clock policy."
        )
        match step.action:
            case "standing_policy_pass":
                act = ActForSeat(seat=step.seat, command=Command(pass_turn=Pass()))
                return Direction(reason=reason, act_for_seat=act)
            case "standing_policy_least":
                return Direction(reason=reason, act_for_seat=ActForSeat(seat=step.seat, least=True))
            case "substitute":
                bot = house_bot(table.seats, step.seat).player_id
                seat = AssignSeat(seat=step.seat, bearer=bot, kind=BEARER_KIND_BOT)
                return Direction(reason=reason, assign_seat=seat)
            case "forfeit":
                position = self.positions.position(table.game_id, step.expected_sequence)
                scores = [
                    Score(player=each.player_id, value=each.value) for each in forfeited(position, step.seat)
                ]
                return Direction(reason=reason, end_game=EndGame(scores=scores))
            case "director":
                return Direction(reason=reason, suspend=Suspend())
