"""Which of the turns that are over were overdue: what reliability counts."""

from __future__ import annotations

from functools import reduce

import pytest
from msgspec.structs import replace

from services.lobby.domain.clock_charging import decide_charge
from services.lobby.domain.clock_expiry import decide_settled
from services.lobby.domain.table_clocks import ExpiryOutcome, PlayedTurn, TableClocks, evolve_clocks
from tests.lobby.time_control.test_table_clocks import ALWAYS, POLICY, SECOND, after, at, due

OF_ANN = PlayedTurn("ann", 1, 100 * SECOND, False)


@pytest.mark.parametrize(("outcome", "is_late"), [("done", True), ("moved", False), ("refused", False)])
def test_a_turn_that_the_clock_ended_is_late_also_when_its_charge_comes_first(
    outcome: ExpiryOutcome, is_late: bool
) -> None:
    """The turn ends in the very moment in which its time does, and what rules answered is known only then."""
    clocks = after(TableClocks(), at(1, 0, "ann"))
    (step,) = due(clocks, 1, 100 * SECOND)
    ended = after(evolve_clocks(clocks, step), at(2, 100, "bob"))
    assert ended.played == (OF_ANN,)
    settled = reduce(evolve_clocks, decide_settled(ended, step.request_id, outcome), ended)
    assert settled.played == (replace(OF_ANN, is_overdue=is_late),)
    asked = evolve_clocks(clocks, step)
    known_before = reduce(evolve_clocks, decide_settled(asked, step.request_id, outcome), asked)
    assert after(known_before, at(2, 100, "bob")).played == settled.played


@pytest.mark.parametrize(("deadline", "is_late"), [(50, True), (150, False)])
def test_a_turn_that_was_late_before_a_pause_stays_late(deadline: int, is_late: bool) -> None:
    """By the deadline of the event, though the player moves as soon as the game goes on. The next turn is one of its own."""
    policy = replace(POLICY, deadline=deadline)
    clocks = TableClocks()
    paused = at(2, 60, actor="ann", is_suspended=True)
    for position in (at(1, 0, "ann"), paused, at(3, 100, "ann"), at(4, 100, "bob")):
        clocks = reduce(evolve_clocks, decide_charge(policy, clocks, position, ALWAYS), clocks)
    assert [(turn.seat, turn.is_overdue) for turn in clocks.played] == [("ann", is_late)]
    assert clocks.late == ()
