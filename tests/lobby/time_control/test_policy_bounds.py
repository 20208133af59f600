"""Every number of a clock policy has a bound: what no page can show and no row can hold does not get into the log."""

import pytest

from services.lobby.domain.clock_policies import ClockRules, read_policy, reject_policy
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.time_control.policy import DEADLINE_MAX, ExpiryAction
from services.lobby.domain.tournaments.charter import NUMBER_MAX

STEPS: tuple[ExpiryAction, ...] = ("director",)
RULES = ClockRules(STEPS, ("UTC",), lambda zone: None)


def refusal(text: str) -> Rejection | None:
    """Why no table can have the policy in a document."""
    policy = read_policy(text)
    return policy if isinstance(policy, Rejection) else reject_policy(policy, RULES)


@pytest.mark.parametrize(
    "number",
    [
        *('"bank": %d', '"bank": 60, "bank_max": %d', '"bank": 60, "increment": %d'),
        *('"bank": 60, "grace_per_turn": %d', '"bank": 60, "allowances": [{"seconds": %d}]'),
        *('"bank": 60, "reminders": [%d]', '"bank": 60, "min_hours_per_week": %d'),
        *('"bank": 60, "vacation_days_per_year": %d', '"bank": 60, "deadline": %d'),
        '"bank": 60, "on_expiry": [{"action": "director", "after_seconds": %d}]',
        '"bank": 60, "penalty": {"type": "points", "amount": %d, "per_seconds": 1}',
        '"bank": 60, "penalty": {"type": "money", "amount": 1, "per_seconds": %d}',
        '"bank": 60, "windows": [{"weekday": %d, "start_minute": 0, "end_minute": 9}]',
        '"bank": 60, "windows": [{"weekday": 0, "start_minute": %d, "end_minute": 9}]',
        '"bank": 60, "windows": [{"weekday": 0, "start_minute": 0, "end_minute": %d}]',
    ],
)
@pytest.mark.parametrize("size", [10**12, 10**20, 10**40, -(10**20)])
def test_every_number_of_a_policy_has_a_bound(number: str, size: int) -> None:
    """Above and below."""
    refused = refusal("{" + number % size + "}")
    assert refused is not None and refused.reason is RejectionReason.CLOCK_MALFORMED


def test_a_deadline_is_as_late_as_a_charter_can_have_it() -> None:
    """So tables of a round can have each deadline of an event."""
    assert DEADLINE_MAX == NUMBER_MAX
    assert refusal(f'{{"bank": 60, "deadline": {DEADLINE_MAX}}}') is None
    assert refusal(f'{{"bank": 60, "deadline": {DEADLINE_MAX + 1}}}') is not None
