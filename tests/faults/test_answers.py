"""An answer must never contradict an earlier one."""

from __future__ import annotations

import pytest

from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.rules.v1 import rules_pb2 as pb
from tests.faults.answers import Answers, Contradiction

REQUEST = pb.ExecuteRequest(game_id="g", request_id="r", expected_sequence=4)


def accepted(first: int, last: int, time: int = 1) -> pb.Accepted:
    """An answer with its events."""
    events = [GameEvent(game_id="g", sequence=each, recorded_time_ms=time) for each in range(first, last + 1)]
    return pb.Accepted(first_sequence=first, last_sequence=last, events=events)


def test_the_same_answer_again_is_no_contradiction() -> None:
    """A repeat is remembered once."""
    answers = Answers("g")
    answers.carried_out(REQUEST, accepted(5, 6))
    answers.carried_out(REQUEST, accepted(5, 6))
    assert [(each.first, each.last) for each in answers.acknowledged.values()] == [(5, 6)]


@pytest.mark.parametrize("answer", [accepted(7, 8), accepted(5, 6, time=2)])
def test_another_answer_is_one(answer: pb.Accepted) -> None:
    """Another place in the log, or another event at the same place."""
    answers = Answers("g")
    answers.carried_out(REQUEST, accepted(5, 6))
    with pytest.raises(Contradiction):
        answers.carried_out(REQUEST, answer)


def test_a_late_command_may_not_be_carried_out() -> None:
    """Its events cannot stand before what it was asked after."""
    with pytest.raises(Contradiction):
        Answers("g").carried_out(REQUEST, accepted(4, 5))


def test_refused_and_accepted_exclude_each_other() -> None:
    """In both orders."""
    answers = Answers("g")
    answers.carried_out(REQUEST, accepted(5, 6))
    with pytest.raises(Contradiction):
        answers.not_carried_out("r", "stale")
    answers = Answers("g")
    answers.not_carried_out("r", "stale")
    with pytest.raises(Contradiction):
        answers.carried_out(REQUEST, accepted(5, 6))
