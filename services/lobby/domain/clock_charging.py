"""Charges the clocks of a table from what rules reports about its game. Pure: playing time is given as intervals."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from msgspec.structs import replace

from services.lobby.domain.games import GameStatus
from services.lobby.domain.table_clocks import (
    ClocksCharged,
    ClocksHeld,
    ClocksPenalized,
    ClocksReleased,
    PlayingTime,
    SeatClock,
    SeatPenalty,
    TableClocks,
    TurnKey,
)
from services.lobby.domain.time_control.bank import (
    Asked,
    Bank,
    after_turn,
    deadline_ms,
    opened,
    penalty_of,
    played_ms,
)
from services.lobby.domain.time_control.policy import ClockPolicy, Turn


class Position(msgspec.Struct, frozen=True):
    """Where a game is after event `sequence`, recorded at `time_ms`; `seats` are all seats, `asked` those that have to act,
    `bots` those that bots of the house play from then on."""

    sequence: int
    time_ms: int
    seats: tuple[str, ...]
    asked: tuple[str, ...]
    turn_key: TurnKey
    turn: Turn = Turn()
    is_suspended: bool = False
    has_ended: bool = False
    bots: tuple[str, ...] = ()


def position_of(status: GameStatus) -> Position:
    """The position of a status that names the seats."""
    has_ended = bool(status.ending)
    return Position(
        status.sequence,
        status.time_ms,
        status.players,
        () if has_ended else status.acting_players,
        TurnKey(status.round_kind, status.turn, status.round_number, status.actor),
        Turn(status.round_kind, status.actor_kind, status.phase),
        status.suspended and not has_ended,
        has_ended,
        status.bots,
    )


def decide_charge(
    policy: ClockPolicy,
    clocks: TableClocks,
    position: Position,
    hours: PlayingTime,
    bots: Collection[str] = (),
    is_undo_free: bool = False,
) -> tuple[ClocksCharged | ClocksPenalized, ...]:
    """What a later position changes; nothing for a repeated or late one, or while the same seats are asked in the same turn.

    `bots`: seats that bots of the house played until then; their turns are not overdue. Where a bot takes a seat or gives it
    back, the turn at hand ends and another begins. A suspended or held game pauses the turns at hand; they go on with the time
    they had. The end of a game fixes the penalties. `is_undo_free`: see `after_turn`."""
    before = clocks.charged
    if before is None:
        seats = tuple(SeatClock(seat, opened(policy)) for seat in position.seats)
        before = ClocksCharged(0, 0, position.turn_key, False, seats)
    handed_over = {each.seat for each in clocks.asked if (each.seat in bots) != (each.seat in position.bots)}
    goes_on_paused = before.is_paused and position.is_suspended and not handed_over
    if position.sequence <= before.sequence or goes_on_paused:
        return ()
    time_ms = max(before.time_ms, position.time_ms)
    charge = _Charge(policy, position, hours, time_ms, frozenset(bots), is_undo_free)
    after = before.clocks
    if before.is_paused or clocks.is_held:
        after = tuple(_resumed(each, time_ms) for each in after)
    is_same_turn = before.turn_key == position.turn_key
    if is_same_turn:
        after = tuple(charge.handed_over(each) if each.seat in handed_over else each for each in after)
    if position.is_suspended:
        after = tuple(_paused(policy, each, hours, time_ms, bots) for each in after)
    else:
        after = tuple(charge.next(each, is_same_turn) for each in after)
    is_unchanged = after == before.clocks and before.is_paused == position.is_suspended
    if is_unchanged and not position.has_ended:
        return ()
    charged = ClocksCharged(position.sequence, time_ms, position.turn_key, position.is_suspended, after)
    return (charged, *_penalized(policy, charged)) if position.has_ended else (charged,)


def decide_hold(
    policy: ClockPolicy | None,
    clocks: TableClocks,
    is_held: bool,
    time_ms: int,
    hours: PlayingTime,
    bots: Collection[str] = (),
) -> tuple[ClocksHeld | ClocksReleased | ClocksCharged, ...]:
    """What it changes that the ledger holds or releases the game; nothing for what is known, and what is older than that.

    The turns at hand are charged up to the hold and go on from the release, unless a director has suspended the game as well.
    Without a policy nothing is charged."""
    if is_held is clocks.is_held or time_ms < clocks.hold_changed_ms:
        return ()
    fact = ClocksHeld(time_ms) if is_held else ClocksReleased(time_ms)
    before = clocks.charged
    if policy is None or before is None or before.is_paused:
        return (fact,)
    now_ms = max(before.time_ms, time_ms)
    after = tuple(
        _paused(policy, each, hours, now_ms, bots) if is_held else _resumed(each, now_ms)
        for each in before.clocks
    )
    return (fact,) if after == before.clocks else (fact, replace(before, time_ms=now_ms, clocks=after))


def _penalized(policy: ClockPolicy, charged: ClocksCharged) -> tuple[ClocksPenalized, ...]:
    penalties = tuple(SeatPenalty(each.seat, penalty_of(each.bank, policy)) for each in charged.clocks)
    costly = tuple(each for each in penalties if each.amount)
    return (ClocksPenalized(charged.sequence, costly),) if costly else ()


def _resumed(clock: SeatClock, time_ms: int) -> SeatClock:
    return clock if clock.asked is None else replace(clock, asked=replace(clock.asked, since_ms=time_ms))


def _paused(
    policy: ClockPolicy, clock: SeatClock, hours: PlayingTime, time_ms: int, bots: Collection[str]
) -> SeatClock:
    """The clock of a seat that stands still. What its turn has cost by the deadline of the event is charged now: afterwards
    it is not known how much of the time spent came after it."""
    if clock.asked is None:
        return clock
    within = hours.of(clock.seat)
    late_ms = 0 if clock.seat in bots else deadline_ms(clock.bank, policy, clock.asked, within, time_ms)
    asked = replace(clock.asked, since_ms=time_ms, spent_ms=played_ms(clock.asked, within, time_ms))
    return SeatClock(clock.seat, replace(clock.bank, overdue_ms=clock.bank.overdue_ms + late_ms), asked)


class _Charge(msgspec.Struct, frozen=True):
    """What ends and begins turns at a position."""

    policy: ClockPolicy
    position: Position
    hours: PlayingTime
    time_ms: int
    bots: frozenset[str]
    is_undo_free: bool

    def next(self, clock: SeatClock, is_same_turn: bool) -> SeatClock:
        """The clock of a seat whose turn may go on, end or begin."""
        is_asked = clock.seat in self.position.asked
        if clock.asked is not None:
            if is_asked and is_same_turn:
                return clock
            clock = SeatClock(clock.seat, self._bank_after(clock, clock.asked))
        if not is_asked:
            return clock
        asked = Asked(clock.seat, self.time_ms, self.position.sequence, self.position.turn)
        return replace(clock, asked=asked)

    def handed_over(self, clock: SeatClock) -> SeatClock:
        """The clock after a bot of the house took the seat or gave it back."""
        if clock.asked is None:
            return clock
        asked = Asked(clock.seat, self.time_ms, self.position.sequence, clock.asked.turn)
        return SeatClock(clock.seat, self._bank_after(clock, clock.asked), asked)

    def _bank_after(self, clock: SeatClock, asked: Asked) -> Bank:
        hours = self.hours.of(clock.seat)
        bank = after_turn(clock.bank, self.policy, asked, hours, self.time_ms, self.is_undo_free)
        return replace(bank, overdue_ms=clock.bank.overdue_ms) if clock.seat in self.bots else bank
