"""Facts that cannot be scored are rejected by reason."""

import pytest

from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected
from services.lobby.domain.tournaments.scoring.checking import check_policy, checked_record
from services.lobby.domain.tournaments.scoring.policy import ScoringPolicy
from services.lobby.domain.tournaments.scoring.record import (
    ByeGiven,
    Entered,
    Fact,
    PenaltyGiven,
    ResultRecorded,
    ResultVoided,
    Withdrawn,
    record_of,
)
from services.lobby.domain.tournaments.scoring.results import SeatResult, TableResult
from services.lobby.domain.tournaments.scoring.systems import Margin, Places, Share
from tests.lobby.scoring.events import random_facts

ENTERED = [Entered("ann"), Entered("bob")]


def result(*players: str, number: int = 1, turns: int = 0) -> Fact:
    """A table of these players; the first had a substitute for one turn."""
    seats = [SeatResult(player, 10) for player in players]
    if turns < 0:
        seats[0] = SeatResult(players[0], 10, substitute="sub", substitute_turns=1)
    return ResultRecorded(TableResult("t", number, "1824", tuple(seats)))


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        (result("ann", "cy"), Reason.PLAYER_UNKNOWN),
        (result("ann", "ann"), Reason.PLAYER_TWICE),
        (result("ann"), Reason.RESULT_MALFORMED),
        (result("ann", "bob", number=0), Reason.RESULT_MALFORMED),
        (result("ann", "bob", turns=-1), Reason.RESULT_MALFORMED),
        (ResultVoided("t", "why"), Reason.RESULT_UNKNOWN_TABLE),
        (Withdrawn("cy", "ill"), Reason.PLAYER_UNKNOWN),
        (ByeGiven("cy", 1), Reason.PLAYER_UNKNOWN),
        (PenaltyGiven("cy", 1, "late"), Reason.PLAYER_UNKNOWN),
        (PenaltyGiven("ann", 0, "late"), Reason.RESULT_MALFORMED),
    ],
)
def test_each_faulty_fact_has_its_reason(fact: Fact, reason: Reason) -> None:
    """The facts before it are fine."""
    with pytest.raises(TournamentRejected) as rejected:
        checked_record([*ENTERED, fact])
    assert rejected.value.reason is reason


@pytest.mark.parametrize("seed", range(10))
def test_what_can_be_scored_is_let_through(seed: int) -> None:
    """The record is the fold of the facts."""
    assert checked_record(random_facts(seed)) == record_of(random_facts(seed))


@pytest.mark.parametrize(
    "policy",
    [
        ScoringPolicy(Places({3: (3, 2, 1)})),
        ScoringPolicy(Places({3: (3, 2), 4: (4, 3, 2, 1)})),
        ScoringPolicy(Margin(0)),
        ScoringPolicy(Share(), best_of=-1),
        ScoringPolicy(Share(), per_title_max=-1),
    ],
)
def test_each_faulty_policy_is_rejected(policy: ScoringPolicy) -> None:
    """Before anything is scored by it."""
    with pytest.raises(TournamentRejected) as rejected:
        check_policy(policy)
    assert rejected.value.reason is Reason.POLICY_MALFORMED
