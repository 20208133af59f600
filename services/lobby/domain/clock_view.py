"""The clocks of a table as they are at an instant."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from msgspec.structs import replace

from services.lobby.domain.table_clocks import ExpiryDecided, PlayingTime, SeatClock, TableClocks
from services.lobby.domain.time_control.bank import expires_ms, left_ms, overdue_ms, played_ms, turn_ms
from services.lobby.domain.time_control.policy import ClockPolicy, free_ms


class SeatTime(msgspec.Struct, frozen=True):
    """The time of a seat in ms of playing time; the turn at hand is counted in all of them.

    `asked_since_ms` and `deadline_ms`, when the turn is overdue, are instants; 0 where there is none."""

    seat: str
    bank_ms: int
    used_ms: int
    overdue_ms: int
    turn_left_ms: int = 0
    asked_since_ms: int = 0
    deadline_ms: int = 0
    reminded: tuple[int, ...] = ()
    steps: tuple[ExpiryDecided, ...] = ()
    penalty: int = 0


def seat_times(
    policy: ClockPolicy,
    clocks: TableClocks,
    hours: PlayingTime,
    now_ms: int,
    has_ended: bool,
    bots: Collection[str] = (),
) -> tuple[SeatTime, ...]:
    """The times of all seats, none before the game began. The turns of `bots` are never overdue: all their time is left."""
    if clocks.charged is None:
        return ()
    costs = clocks.penalized.penalties if clocks.penalized is not None and has_ended else ()
    penalties = {each.seat: each.amount for each in costs}
    return tuple(
        _of_bot(time, policy, clock) if clock.seat in bots else time
        for clock in clocks.charged.clocks
        for time in (_seat_time(policy, clocks, clock, hours, now_ms, penalties.get(clock.seat, 0)),)
    )


def _of_bot(time: SeatTime, policy: ClockPolicy, clock: SeatClock) -> SeatTime:
    left_ms = 0 if clock.asked is None else turn_ms(clock.bank, policy, clock.asked)
    return replace(time, overdue_ms=clock.bank.overdue_ms, turn_left_ms=left_ms, deadline_ms=0)


def _seat_time(
    policy: ClockPolicy, clocks: TableClocks, clock: SeatClock, hours: PlayingTime, now_ms: int, penalty: int
) -> SeatTime:
    bank, asked = clock.bank, clock.asked
    if asked is None:
        return SeatTime(clock.seat, bank.left_ms, bank.used_ms, bank.overdue_ms, penalty=penalty)
    is_paused = clocks.is_paused
    within = hours.of(clock.seat)
    until_ms = asked.since_ms if is_paused else now_ms
    spent_ms = played_ms(asked, within, until_ms)
    from_bank_ms = max(0, spent_ms - free_ms(policy, asked.turn))
    return SeatTime(
        clock.seat,
        max(0, bank.left_ms - from_bank_ms),
        bank.used_ms + spent_ms,
        bank.overdue_ms + overdue_ms(bank, policy, asked, within, until_ms),
        turn_left_ms=left_ms(bank, policy, asked, within, until_ms),
        asked_since_ms=asked.since_ms,
        deadline_ms=0 if is_paused else expires_ms(bank, policy, asked, within) or 0,
        reminded=tuple(each.hundredths for each in clocks.reminded if each.seat == clock.seat),
        steps=tuple(step for step in clocks.steps if step.seat == clock.seat),
        penalty=penalty,
    )
