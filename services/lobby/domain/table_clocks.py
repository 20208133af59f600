"""The clocks of a table: charged from what rules reports about its game, and what is due about overdue turns.

Pure: times are those that rules recorded, playing time is given as intervals. Clocks are the fold of two facts, `ClocksCharged`
and the steps about expiries, so that they are the same after any restart."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import msgspec
from msgspec.structs import replace

from services.lobby.domain.time_control.bank import Asked, Bank, after_turn, expires_ms, opened, played_ms
from services.lobby.domain.time_control.expiry import DueAction, due_actions
from services.lobby.domain.time_control.intervals import Intervals
from services.lobby.domain.time_control.policy import ClockPolicy, ExpiryAction, Turn

REPEATED: tuple[ExpiryAction, ...] = ("standing_policy_pass", "standing_policy_least")
"""Steps that come again while the same turn goes on; the others come once in a turn."""


class Position(msgspec.Struct, frozen=True):
    """Where a game is after event `sequence`, recorded at `time_ms`.

    `turn_key` differs from one turn to the next; `seats` are all seats, `asked` those that have to act."""

    sequence: int
    time_ms: int
    seats: tuple[str, ...]
    asked: tuple[str, ...]
    turn_key: tuple[str, int, int, str]
    turn: Turn = Turn()
    is_suspended: bool = False


class SeatClock(msgspec.Struct, frozen=True):
    """The clock of a seat; `asked` while it has to act."""

    seat: str
    bank: Bank
    asked: Asked | None = None


class ClocksCharged(msgspec.Struct, frozen=True):
    """Turns began, ended or were suspended: all clocks as they are from event `sequence` of the game on."""

    sequence: int
    time_ms: int
    turn_key: tuple[str, int, int, str]
    is_paused: bool
    clocks: tuple[SeatClock, ...]


ExpiryOutcome = Literal["pending", "done", "moved", "refused"]


class ExpiryDecided(msgspec.Struct, frozen=True):
    """What is done about a turn that is overdue, written before rules is asked for it.

    `sequence` identifies the turn. It has effect only while the game is at `expected_sequence`; asked for again with the same
    request id, rules gives the first outcome. So the player's move has effect or this, and after a restart it is asked again."""

    seat: str
    sequence: int
    step: int
    action: ExpiryAction
    expected_sequence: int
    request_id: str
    time_ms: int
    outcome: ExpiryOutcome = "pending"


class ExpirySettled(msgspec.Struct, frozen=True):
    """What became of it: done; the game had moved on; or refused by rules."""

    request_id: str
    outcome: ExpiryOutcome


ClockEvent = ClocksCharged | ExpiryDecided | ExpirySettled


class TableClocks(msgspec.Struct, frozen=True):
    """The clocks of a table. `steps`: what was done about the turns at hand, and what rules has not answered yet."""

    policy: ClockPolicy
    charged: ClocksCharged | None = None
    steps: tuple[ExpiryDecided, ...] = ()

    @property
    def pending(self) -> tuple[ExpiryDecided, ...]:
        """What rules has not answered yet: to be asked again."""
        return tuple(step for step in self.steps if step.outcome == "pending")


def evolve_clocks(clocks: TableClocks, event: ClockEvent) -> TableClocks:
    """The clocks after an event."""
    match event:
        case ClocksCharged():
            at_hand = {(each.seat, each.asked.sequence) for each in event.clocks if each.asked is not None}
            kept = tuple(
                step
                for step in clocks.steps
                if step.outcome == "pending" or (step.seat, step.sequence) in at_hand
            )
            return replace(clocks, charged=event, steps=kept)
        case ExpiryDecided():
            return replace(clocks, steps=(*clocks.steps, event))
        case ExpirySettled(request_id, outcome):
            steps = tuple(
                replace(step, outcome=outcome) if step.request_id == request_id else step
                for step in clocks.steps
            )
            return replace(clocks, steps=steps)


def decide_charge(clocks: TableClocks, position: Position, hours: Intervals) -> tuple[ClocksCharged, ...]:
    """What a later position changes; nothing for a repeated or late one, or while the same seats are asked in the same turn.

    A suspended game pauses the turns at hand; they go on with the time they had."""
    before = clocks.charged
    if before is None:
        before = ClocksCharged(0, 0, position.turn_key, False, tuple(
            SeatClock(seat, opened(clocks.policy)) for seat in position.seats
        ))  # fmt: skip
    if position.sequence <= before.sequence or (before.is_paused and position.is_suspended):
        return ()
    time_ms = max(before.time_ms, position.time_ms)
    resumed = tuple(_resumed(each, time_ms) for each in before.clocks) if before.is_paused else before.clocks
    if position.is_suspended:
        after = tuple(_paused(each, hours, time_ms) for each in resumed)
    else:
        is_same_turn = before.turn_key == position.turn_key
        after = tuple(_next(each, clocks.policy, position, is_same_turn, hours, time_ms) for each in resumed)
    if after == before.clocks and before.is_paused == position.is_suspended:
        return ()
    return (ClocksCharged(position.sequence, time_ms, position.turn_key, position.is_suspended, after),)


def _resumed(clock: SeatClock, time_ms: int) -> SeatClock:
    return clock if clock.asked is None else replace(clock, asked=replace(clock.asked, since_ms=time_ms))


def _paused(clock: SeatClock, hours: Intervals, time_ms: int) -> SeatClock:
    if clock.asked is None:
        return clock
    spent_ms = played_ms(clock.asked, hours, time_ms)
    return replace(clock, asked=replace(clock.asked, since_ms=time_ms, spent_ms=spent_ms))


def _next(
    clock: SeatClock,
    policy: ClockPolicy,
    position: Position,
    is_same_turn: bool,
    hours: Intervals,
    time_ms: int,
) -> SeatClock:
    is_asked = clock.seat in position.asked
    if clock.asked is not None:
        if is_asked and is_same_turn:
            return clock
        clock = SeatClock(clock.seat, after_turn(clock.bank, policy, clock.asked, hours, time_ms))
    if not is_asked:
        return clock
    return replace(clock, asked=Asked(clock.seat, time_ms, position.sequence, position.turn))


def decide_expiry(
    clocks: TableClocks,
    game_id: str,
    sequence: int,
    hours: Intervals,
    now_ms: int,
    without: Collection[str] = (),
) -> tuple[ExpiryDecided, ...]:
    """The next step about each overdue turn of a game at `sequence`; none for seats in `without`, which play by themselves.

    `now_ms`: all moves made until then are known. One step of a turn at a time: none while rules has not answered the last."""
    charged = clocks.charged
    if charged is None or charged.is_paused:
        return ()
    found = (
        _expiry_of(clocks, each, game_id, max(sequence, charged.sequence), hours, now_ms)
        for each in charged.clocks
        if each.seat not in without
    )
    return tuple(step for step in found if step is not None)


def _expiry_of(
    clocks: TableClocks, clock: SeatClock, game_id: str, sequence: int, hours: Intervals, now_ms: int
) -> ExpiryDecided | None:
    asked = clock.asked
    end_ms = None if asked is None else expires_ms(clock.bank, clocks.policy, asked, hours)
    if asked is None or end_ms is None:
        return None
    taken = [step for step in clocks.steps if (step.seat, step.sequence) == (clock.seat, asked.sequence)]
    if any(step.outcome == "pending" for step in taken):
        return None
    judged = replace(asked, sequence=sequence)
    due = due_actions(clocks.policy, game_id, clock.seat, judged, end_ms, hours, now_ms)
    for number, action in enumerate(due):
        if not any(_is_over(step, number, sequence) for step in taken):
            return _decided(clock.seat, asked, number, action)
    return None


def _is_over(step: ExpiryDecided, number: int, sequence: int) -> bool:
    """Whether a step was taken that need not come again at this sequence of the game."""
    if step.step != number:
        return False
    return step.expected_sequence == sequence or (step.outcome == "done" and step.action not in REPEATED)


def _decided(seat: str, asked: Asked, number: int, due: DueAction) -> ExpiryDecided:
    return ExpiryDecided(
        seat, asked.sequence, number, due.action, due.expected_sequence, due.request_id, due.at_ms
    )


def decide_settled(clocks: TableClocks, request_id: str, outcome: ExpiryOutcome) -> tuple[ExpirySettled, ...]:
    """Records the answer of rules, once."""
    is_pending = any(step.request_id == request_id for step in clocks.pending)
    return (ExpirySettled(request_id, outcome),) if is_pending else ()
