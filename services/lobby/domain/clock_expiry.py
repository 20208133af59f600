"""What is due about turns at hand: reminders, and the steps about overdue ones. Pure: playing time is given as intervals."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from services.lobby.domain.table_clocks import (
    ExpiryDecided,
    ExpiryOutcome,
    ExpirySettled,
    PlayingTime,
    SeatClock,
    TableClocks,
    TurnReminded,
)
from services.lobby.domain.time_control.bank import Asked, expires_ms, reminder_times
from services.lobby.domain.time_control.expiry import DueAction, expiry_steps
from services.lobby.domain.time_control.intervals import Intervals
from services.lobby.domain.time_control.policy import ClockPolicy, ExpiryAction

REPEATED: tuple[ExpiryAction, ...] = ("standing_policy_pass", "standing_policy_least")
"""Steps that come again while the same turn goes on; the others come once in a turn."""


def decide_due(
    policy: ClockPolicy,
    clocks: TableClocks,
    game_id: str,
    sequence: int,
    hours: PlayingTime,
    now_ms: int,
    without: Collection[str] = (),
) -> tuple[TurnReminded | ExpiryDecided, ...]:
    """The reminders that are due, and the next step about each overdue turn of a game at `sequence`; none for seats in
    `without`, which play by themselves.

    `now_ms`: all moves made until then are known. One step of a turn at a time: none while rules has not answered the last."""
    if clocks.charged is None or clocks.is_paused:
        return ()
    sequence = max(sequence, clocks.charged.sequence)
    found: list[TurnReminded | ExpiryDecided] = []
    for clock in clocks.asked:
        if clock.seat not in without:
            found += _reminders_of(policy, clocks, clock, hours.of(clock.seat), now_ms)
            found += _expiry_of(policy, clocks, clock, game_id, sequence, hours.of(clock.seat), now_ms)
    return tuple(found)


def next_due_ms(
    policy: ClockPolicy,
    clocks: TableClocks,
    game_id: str,
    sequence: int,
    hours: PlayingTime,
    without: Collection[str] = (),
) -> int | None:
    """When there will be something to decide unless somebody moves before; None for never, or not within `hours`."""
    if clocks.charged is None or clocks.is_paused:
        return None
    sequence = max(sequence, clocks.charged.sequence)
    instants: list[int] = []
    for clock in clocks.asked:
        if clock.seat in without:
            continue
        within = hours.of(clock.seat)
        instants += [at_ms for _, at_ms in _open_reminders(policy, clocks, clock, within)]
        instants += [due.at_ms for _, due in _open_steps(policy, clocks, clock, game_id, sequence, within)]
    return min(instants, default=None)


def _open_reminders(
    policy: ClockPolicy, clocks: TableClocks, clock: SeatClock, hours: Intervals
) -> Iterator[tuple[int, int]]:
    """The hundredths of the reminders that are still to come, and when."""
    asked = clock.asked
    assert asked is not None, "the clock runs"
    given = {
        each.hundredths for each in clocks.reminded if (each.seat, each.sequence) == _turn(clock.seat, asked)
    }
    for hundredths, at_ms in reminder_times(clock.bank, policy, asked, hours):
        if hundredths not in given:
            yield hundredths, at_ms


def _reminders_of(
    policy: ClockPolicy, clocks: TableClocks, clock: SeatClock, hours: Intervals, now_ms: int
) -> Iterator[TurnReminded]:
    for hundredths, at_ms in _open_reminders(policy, clocks, clock, hours):
        if at_ms <= now_ms and clock.asked is not None:
            yield TurnReminded(clock.seat, clock.asked.sequence, hundredths)


def _open_steps(
    policy: ClockPolicy,
    clocks: TableClocks,
    clock: SeatClock,
    game_id: str,
    sequence: int,
    hours: Intervals,
) -> Iterator[tuple[int, DueAction]]:
    """The steps about a turn that were not taken at this sequence, with their numbers."""
    asked = clock.asked
    end_ms = None if asked is None else expires_ms(clock.bank, policy, asked, hours)
    if asked is None or end_ms is None:
        return
    taken = [step for step in clocks.steps if (step.seat, step.sequence) == _turn(clock.seat, asked)]
    if any(step.outcome == "pending" for step in taken):
        return
    judged = replace(asked, sequence=sequence)
    for number, due in enumerate(expiry_steps(policy, game_id, clock.seat, judged, end_ms, hours)):
        if not any(_is_over(step, number, sequence) for step in taken):
            yield number, due


def _expiry_of(
    policy: ClockPolicy,
    clocks: TableClocks,
    clock: SeatClock,
    game_id: str,
    sequence: int,
    hours: Intervals,
    now_ms: int,
) -> Iterator[ExpiryDecided]:
    for number, due in _open_steps(policy, clocks, clock, game_id, sequence, hours):
        if due.at_ms <= now_ms and clock.asked is not None:
            yield ExpiryDecided(
                clock.seat,
                clock.asked.sequence,
                number,
                due.action,
                due.expected_sequence,
                due.request_id,
                due.at_ms,
            )
            return


def _turn(seat: str, asked: Asked) -> tuple[str, int]:
    return (seat, asked.sequence)


def _is_over(step: ExpiryDecided, number: int, sequence: int) -> bool:
    """Whether a step was taken that need not come again at this sequence of the game."""
    if step.step != number:
        return False
    return step.expected_sequence == sequence or (step.outcome == "done" and step.action not in REPEATED)


def decide_settled(
    clocks: TableClocks, request_id: str, outcome: ExpiryOutcome, code: str = ""
) -> tuple[ExpirySettled, ...]:
    """Records the answer of rules, once."""
    is_pending = any(step.request_id == request_id for step in clocks.pending)
    return (ExpirySettled(request_id, outcome, code),) if is_pending else ()
