"""The bank of time, reminders, expiry, penalties, hours and vacation."""

from datetime import date

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from services.lobby.domain.time_control.bank import (
    Asked,
    Bank,
    after_questions,
    after_turn,
    expires_ms,
    opened,
    penalty_of,
    reminder_times,
)
from services.lobby.domain.time_control.expiry import expiry_steps
from services.lobby.domain.time_control.hours import check_hours, check_vacation
from services.lobby.domain.time_control.intervals import ALWAYS, Interval, without
from services.lobby.domain.time_control.policy import (
    DEADLINE_MAX,
    Allowance,
    ClockPolicy,
    ExpiryStep,
    MoneyPenalty,
    PointsPenalty,
    Turn,
)
from services.lobby.domain.time_control.weeks import PlayingHours, Vacation, Window, weekly_minutes
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected

SECOND = 1000
POLICY = ClockPolicy(bank=100, bank_max=120, increment=10, grace_per_turn=5)
ASKED = Asked("ann", 0, sequence=7)


def used(seconds: int, policy: ClockPolicy = POLICY, turn: Turn = Turn()) -> Bank:  # noqa: B008
    """The bank after a first turn of this length."""
    return after_turn(opened(policy), policy, replace(ASKED, turn=turn), ALWAYS, seconds * SECOND)


@pytest.mark.parametrize(
    ("seconds", "left", "overdue"),
    [(0, 110, 0), (5, 110, 0), (25, 90, 0), (105, 10, 0), (106, 10, 1), (400, 10, 295)],
)
def test_a_turn_uses_grace_then_the_bank_and_gets_its_increment(
    seconds: int, left: int, overdue: int
) -> None:
    """100 s in the bank, 5 of grace, 10 of increment."""
    assert used(seconds) == Bank(left * SECOND, seconds * SECOND, overdue * SECOND)


def test_the_bank_has_a_limit_that_takes_nothing_away() -> None:
    """At most 120 s by increments; a bank that began above it stays there."""
    bank = opened(POLICY)
    for _ in range(5):
        bank = after_turn(bank, POLICY, ASKED, ALWAYS, 0)
    assert bank.left_ms == 120 * SECOND
    large = replace(POLICY, bank=300)
    assert after_turn(opened(large), large, ASKED, ALWAYS, 0).left_ms == 300 * SECOND


def test_increments_do_not_raise_a_bank_above_its_limit() -> None:
    """300 s, of which 100 are used: no increment. From 150, of which 60 are used, up to 120."""
    large = replace(POLICY, bank=300, increment=50, grace_per_turn=0)
    bank = after_turn(opened(large), large, ASKED, ALWAYS, 100 * SECOND)
    assert bank.left_ms == 200 * SECOND
    bank = after_turn(Bank(150 * SECOND), large, ASKED, ALWAYS, 60 * SECOND)
    assert bank.left_ms == 120 * SECOND


def test_allowances_fit_by_round_company_and_phase() -> None:
    """The first that fits: a minor's operating turn, any operating turn, phase 5."""
    policy = replace(
        POLICY,
        allowances=(
            Allowance(30, round_kind="operating", company_kind="minor"),
            Allowance(60, round_kind="operating"),
            Allowance(90, phase="5"),
        ),
    )
    assert used(45, policy, Turn("operating", "minor")).left_ms == 100 * SECOND
    assert used(45, policy, Turn("operating", "major")).left_ms == 110 * SECOND
    assert used(105, policy, Turn("stock", phase="5")).left_ms == 100 * SECOND
    assert used(105, policy, Turn("stock", phase="4")).left_ms == 10 * SECOND


@given(st.integers(0, 500), st.integers(0, 500))
def test_a_longer_turn_never_leaves_more(first: int, second: int) -> None:
    """The bank falls and the overdue time grows with the length of a turn."""
    short, long = sorted((first, second))
    assert used(short).left_ms >= used(long).left_ms
    assert used(short).overdue_ms <= used(long).overdue_ms


def test_held_games_pause_and_only_those_asked_are_charged() -> None:
    """60 of 80 s were held; bob was asked too and has not answered, cy was not asked."""
    hours = without(ALWAYS, [Interval(10 * SECOND, 70 * SECOND)])
    banks = dict.fromkeys(("ann", "bob", "cy"), opened(POLICY))
    after = after_questions(banks, POLICY, [ASKED], {"ann": hours}, 80 * SECOND)
    assert after["ann"] == Bank(95 * SECOND, 20 * SECOND)
    assert after["bob"] == after["cy"] == opened(POLICY)


def test_expiry_and_reminders() -> None:
    """105 s of time: reminders at 50 and 90 percent; a deadline before the end is the end; a held time moves all."""
    bank = opened(POLICY)
    assert expires_ms(bank, POLICY, ASKED, ALWAYS) == 105 * SECOND
    assert tuple(reminder_times(bank, POLICY, ASKED, ALWAYS)) == ((50, 52_500), (90, 94_500))
    assert expires_ms(bank, replace(POLICY, deadline=9), ASKED, ALWAYS) == 9 * SECOND
    held = without(ALWAYS, [Interval(60 * SECOND, 70 * SECOND)])
    assert expires_ms(bank, POLICY, ASKED, held) == 115 * SECOND
    assert tuple(reminder_times(bank, POLICY, ASKED, held)) == ((50, 52_500), (90, 104_500))
    short = (Interval(0, 20 * SECOND),)
    assert expires_ms(bank, POLICY, ASKED, short) is None
    assert expires_ms(bank, replace(POLICY, deadline=50), ASKED, short) == 50 * SECOND
    far = expires_ms(bank, replace(POLICY, deadline=10**19), ASKED, short)
    assert far == DEADLINE_MAX * SECOND, "a policy of an older log"


def test_a_deadline_makes_a_turn_overdue_and_ends_reminders() -> None:
    """60 s of 105: of playing time 40 s after the deadline at 10 s, or all 30 of a turn that began later. No second reminder."""
    policy = replace(POLICY, deadline=10)
    hours = without(ALWAYS, [Interval(20 * SECOND, 30 * SECOND)])
    assert after_turn(opened(policy), policy, ASKED, hours, 60 * SECOND) == Bank(
        65 * SECOND, 50 * SECOND, 40 * SECOND
    )
    later = replace(ASKED, since_ms=30 * SECOND)
    assert after_turn(opened(policy), policy, later, hours, 60 * SECOND).overdue_ms == 30 * SECOND
    assert after_turn(opened(policy), policy, ASKED, hours, 10 * SECOND).overdue_ms == 0
    in_between = replace(POLICY, deadline=60)
    assert tuple(reminder_times(opened(POLICY), in_between, ASKED, ALWAYS)) == ((50, 52_500),)


def test_a_move_at_the_instant_of_expiry_is_in_time() -> None:
    """Not overdue to the millisecond."""
    end = expires_ms(opened(POLICY), POLICY, ASKED, ALWAYS)
    assert end is not None
    assert after_turn(opened(POLICY), POLICY, ASKED, ALWAYS, end).overdue_ms == 0
    assert after_turn(opened(POLICY), POLICY, ASKED, ALWAYS, end + 1).overdue_ms == 1


def test_the_ladder_comes_step_by_step_with_request_ids_of_its_own() -> None:
    """At once the least move, a substitute after 60 s, forfeit after 90; repeated, the same ids."""
    ladder = (ExpiryStep("standing_policy_least"), ExpiryStep("substitute", 60), ExpiryStep("forfeit", 90))
    policy = replace(POLICY, on_expiry=ladder)

    def due(now: int, sequence: int = 7) -> list[str]:
        asked = replace(ASKED, sequence=sequence)
        actions = [
            step
            for step in expiry_steps(policy, "g1", "1", asked, 100 * SECOND, ALWAYS)
            if step.at_ms <= now * SECOND
        ]
        assert all(action.expected_sequence == sequence for action in actions)
        return [action.request_id for action in actions]

    assert [len(due(now)) for now in (99, 100, 159, 160, 190)] == [0, 1, 1, 2, 3]
    assert due(190)[:1] == due(100)
    assert len({*due(190), *due(190, sequence=8)}) == 6


@pytest.mark.parametrize(
    ("penalty", "overdue", "cost"),
    [
        (MoneyPenalty(20, 60), 0, 0),
        (MoneyPenalty(20, 60), 1, 20),
        (MoneyPenalty(20, 60), 60_000, 20),
        (MoneyPenalty(20, 60), 60_001, 40),
        (PointsPenalty(500_000, 3600), 3_600_001, 1_000_000),
    ],
)
def test_each_started_unit_of_overdue_time_costs(penalty, overdue, cost) -> None:  # type: ignore[no-untyped-def]
    """Money after the end, or points of the event."""
    assert penalty_of(Bank(0, 0, overdue), replace(POLICY, penalty=penalty)) == cost
    assert penalty_of(Bank(0, 0, overdue), POLICY) == 0


TODAY = date(2027, 12, 30)


@pytest.mark.parametrize(
    ("windows", "from_date", "reason"),
    [
        ((Window(0, 0, 600),), date(2027, 12, 31), None),
        ((Window(0, 0, 599),), date(2027, 12, 31), Reason.HOURS_TOO_FEW),
        ((Window(0, 0, 600),), TODAY, Reason.HOURS_TOO_SOON),
        ((Window(7, 0, 600),), date(2027, 12, 31), Reason.HOURS_MALFORMED),
        ((Window(0, 600, 600),), date(2027, 12, 31), Reason.HOURS_MALFORMED),
    ],
)
def test_playing_hours_are_enough_and_count_from_tomorrow(windows, from_date, reason) -> None:  # type: ignore[no-untyped-def]
    """At least ten hours a week here."""
    policy = replace(POLICY, min_hours_per_week=10)
    hours = PlayingHours("Europe/Berlin", windows, from_date)
    if reason is None:
        check_hours(hours, policy, TODAY)
    else:
        with pytest.raises(TournamentRejected) as rejected:
            check_hours(hours, policy, TODAY)
        assert rejected.value.reason is reason


def test_windows_that_overlap_count_once() -> None:
    """Sunday night into Monday, and Monday's own hours."""
    assert weekly_minutes([Window(6, 23 * 60, 25 * 60), Window(0, 30, 90)]) == 150


@pytest.mark.parametrize(
    ("first", "last", "is_final", "reason"),
    [
        (date(2027, 12, 31), date(2028, 1, 5), False, None),
        (date(2027, 12, 31), date(2028, 1, 6), False, Reason.VACATION_TOO_LONG),
        (TODAY, TODAY, False, Reason.VACATION_MALFORMED),
        (date(2028, 1, 2), date(2028, 1, 1), False, Reason.VACATION_MALFORMED),
        (date(2027, 12, 31), date(2027, 12, 31), True, Reason.VACATION_IN_FINAL),
    ],
)
def test_vacation_is_counted_by_calendar_year(first, last, is_final, reason) -> None:  # type: ignore[no-untyped-def]
    """Five days a year, four of 2027 taken; a day asked for twice counts once."""
    policy = replace(POLICY, vacation_days_per_year=5)
    taken = (Vacation(date(2027, 5, 1), date(2027, 5, 4)), Vacation(date(2028, 1, 1), date(2028, 1, 1)))
    if reason is None:
        check_vacation(Vacation(first, last), taken, policy, TODAY, is_final)
    else:
        with pytest.raises(TournamentRejected) as rejected:
            check_vacation(Vacation(first, last), taken, policy, TODAY, is_final)
        assert rejected.value.reason is reason
