"""A player's bank of time through the turns of a game. Undoing a move gives no time back: nothing here goes backwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from services.lobby.domain.time_control.intervals import Intervals, after_working, working_ms
from services.lobby.domain.time_control.policy import (
    DEADLINE_MAX,
    PERCENT,
    SECOND_MS,
    ClockPolicy,
    MoneyPenalty,
    PointsPenalty,
    Turn,
    free_ms,
)


class Bank(msgspec.Struct, frozen=True):
    """What is left of a player's time, the time used, and how long turns were overdue, in ms of playing time."""

    left_ms: int
    used_ms: int = 0
    overdue_ms: int = 0


class Asked(msgspec.Struct, frozen=True):
    """A player who is asked: since when, and the sequence of the game that asked. The sequence identifies the turn.

    `spent_ms`: playing time of the turn before `since_ms`, where the game was suspended in between."""

    player: str
    since_ms: int
    sequence: int
    turn: Turn = Turn()
    spent_ms: int = 0


def opened(policy: ClockPolicy) -> Bank:
    """The bank at the start of a game."""
    return Bank(policy.bank * SECOND_MS)


def played_ms(asked: Asked, hours: Intervals, now_ms: int) -> int:
    """The playing time that a turn has taken until now."""
    return asked.spent_ms + working_ms(hours, asked.since_ms, now_ms)


def after_turn(
    bank: Bank,
    policy: ClockPolicy,
    asked: Asked,
    hours: Intervals,
    moved_ms: int,
    is_undo_free: bool = False,
) -> Bank:
    """The bank after a turn that ended at `moved_ms`.

    A turn that takes more than its time empties the bank, then gets its increment like any other. `is_undo_free`: everybody may
    take back every move and make it again; then a turn gets back what it took at most, and turns without end gain nothing."""
    used = played_ms(asked, hours, moved_ms)
    from_bank = max(0, used - free_ms(policy, asked.turn))
    rest = max(0, bank.left_ms - from_bank)
    increment = policy.increment * SECOND_MS
    filled = rest + (min(increment, from_bank) if is_undo_free else increment)
    if policy.bank_max:
        filled = min(filled, policy.bank_max * SECOND_MS)
    return Bank(
        left_ms=max(rest, filled),
        used_ms=bank.used_ms + used,
        overdue_ms=bank.overdue_ms + overdue_ms(bank, policy, asked, hours, moved_ms),
    )


def after_questions(
    banks: Mapping[str, Bank],
    policy: ClockPolicy,
    answered: Iterable[Asked],
    hours: Mapping[str, Intervals],
    moved_ms: int,
) -> dict[str, Bank]:
    """The banks after some of those asked have answered at `moved_ms`; nobody else is charged."""
    charged = {
        asked.player: after_turn(banks[asked.player], policy, asked, hours[asked.player], moved_ms)
        for asked in answered
    }
    return {**banks, **charged}


def turn_ms(bank: Bank, policy: ClockPolicy, asked: Asked) -> int:
    """All the playing time that a turn has."""
    return free_ms(policy, asked.turn) + bank.left_ms


def overdue_ms(bank: Bank, policy: ClockPolicy, asked: Asked, hours: Intervals, now_ms: int) -> int:
    """The playing time for which a turn has been overdue until now: beyond its time, or since the deadline of the event.

    What was overdue by the deadline alone before `since_ms` is in the bank already: see `deadline_ms`."""
    beyond = max(0, played_ms(asked, hours, now_ms) - turn_ms(bank, policy, asked))
    return beyond + deadline_ms(bank, policy, asked, hours, now_ms)


def deadline_ms(bank: Bank, policy: ClockPolicy, asked: Asked, hours: Intervals, now_ms: int) -> int:
    """The playing time since `since_ms` for which a turn was overdue by the deadline of the event alone."""
    if not policy.deadline:
        return 0
    whole = turn_ms(bank, policy, asked)
    beyond = max(0, played_ms(asked, hours, now_ms) - whole) - max(0, asked.spent_ms - whole)
    return max(0, working_ms(hours, max(policy.deadline * SECOND_MS, asked.since_ms), now_ms) - beyond)


def left_ms(bank: Bank, policy: ClockPolicy, asked: Asked, hours: Intervals, now_ms: int) -> int:
    """The playing time until a turn is overdue."""
    left = max(0, turn_ms(bank, policy, asked) - played_ms(asked, hours, now_ms))
    return min(left, working_ms(hours, now_ms, policy.deadline * SECOND_MS)) if policy.deadline else left


def expires_ms(bank: Bank, policy: ClockPolicy, asked: Asked, hours: Intervals) -> int | None:
    """When the turn is overdue: at the end of its time, or at an earlier deadline of the event. None: not within `hours`."""
    end = after_working(hours, asked.since_ms, turn_ms(bank, policy, asked) - asked.spent_ms)
    if not policy.deadline:
        return end
    # Policies of older logs may have a later one than tables can have now, which no message could hold.
    last_ms = min(policy.deadline, DEADLINE_MAX) * SECOND_MS
    return last_ms if end is None else min(end, last_ms)


def reminder_times(
    bank: Bank, policy: ClockPolicy, asked: Asked, hours: Intervals
) -> Iterator[tuple[int, int]]:
    """The percents at which the player is reminded, and when, as far as that lies within `hours` and before the deadline."""
    whole = turn_ms(bank, policy, asked)
    for percent in policy.reminders:
        at_ms = after_working(hours, asked.since_ms, whole * percent // PERCENT - asked.spent_ms)
        if at_ms is not None and not 0 < policy.deadline * SECOND_MS <= at_ms:
            yield percent, at_ms


def penalty_of(bank: Bank, policy: ClockPolicy) -> int:
    """What the overdue turns cost, in whole currency units or in millionths of a point, as the policy says."""
    match policy.penalty:
        case MoneyPenalty(amount, per_seconds) | PointsPenalty(amount, per_seconds):
            unit = per_seconds * SECOND_MS
            return amount * ((bank.overdue_ms + unit - 1) // unit)
        case _:
            return 0
