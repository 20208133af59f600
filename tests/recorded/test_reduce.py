"""The effective list of a recorded game."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.rules.importer.files import read_record
from services.rules.importer.record import NotAGameError
from services.rules.importer.reduce import reduce_steps
from services.rules.importer.replay import without_times
from tests.recorded.documents import EACH_GAME, Json, act, game_path, load_trace, steps


def kept(*actions: Json) -> list[int | None]:
    """Ids of what is left of these actions."""
    return [step.action.id for step in reduce_steps(steps(*actions))]


def test_undo_takes_back_the_last_action() -> None:
    """An undo without target drops one action, and itself."""
    assert kept(act(1, "pass"), act(2, "pass"), act(3, "undo")) == [1]


def test_undo_passes_over_messages() -> None:
    """Chat stays; the action before it goes."""
    assert kept(act(1, "pass"), act(2, "pass"), act(3, "message"), act(4, "undo")) == [1, 3]


def test_undo_to_an_action_keeps_that_action() -> None:
    """Everything after the action named goes, it stays."""
    assert kept(act(1, "pass"), act(2, "pass"), act(3, "pass"), act(4, "undo", action_id=1)) == [1]


def test_undo_goes_back_to_the_place_of_an_action() -> None:
    """Whatever the ids of the actions that stand behind it."""
    actions = act(7, "pass"), act(3, "pass"), act(9, "pass"), act(10, "undo", action_id=3)
    assert kept(*actions) == [7, 3]


def test_undo_to_zero_takes_back_everything_but_messages() -> None:
    """Target 0 is the start."""
    assert kept(act(1, "pass"), act(2, "message"), act(3, "pass"), act(4, "undo", action_id=0)) == [2]


def test_redo_puts_a_batch_back_in_its_old_place() -> None:
    """What one undo dropped comes back whole, in the order of the ids."""
    actions = act(1, "pass"), act(2, "message"), act(3, "pass"), act(4, "undo", action_id=0), act(5, "redo")
    assert kept(*actions) == [1, 2, 3]


def test_redo_takes_the_latest_undo_first() -> None:
    """Undos are put back in reverse order, one batch each."""
    undone = [act(1, "pass"), act(2, "pass"), act(3, "undo"), act(4, "undo")]
    assert kept(*undone) == []
    assert kept(*undone, act(5, "redo")) == [1]
    assert kept(*undone, act(5, "redo"), act(6, "redo")) == [1, 2]


def test_redo_after_a_message_still_works() -> None:
    """Chat does not empty the stack of undone actions."""
    assert kept(act(1, "pass"), act(2, "undo"), act(3, "message"), act(4, "redo")) == [1, 3]


def test_a_new_action_makes_redo_impossible() -> None:
    """Any action but a message empties the stack, and a redo then has nothing to put back."""
    with pytest.raises(NotAGameError, match=r"nothing to put back - at `\$\.actions\[3\]`"):
        kept(act(1, "pass"), act(2, "undo"), act(3, "pass"), act(4, "redo"))


def test_undo_of_nothing_drops_nothing() -> None:
    """An undo at the start changes nothing, and can itself be put back."""
    assert kept(act(1, "undo"), act(2, "redo"), act(3, "pass")) == [3]


@EACH_GAME
def test_effective_list_equals_the_trace(shared: Path, name: str) -> None:
    """Reduced actions of every recorded game are those of its trace, in the same order and with the same fields."""
    found = [without_times(step.raw) for step in reduce_steps(read_record(game_path(shared, name)).steps)]
    assert found == [without_times(line["action"]) for line in load_trace(shared, name)[1:-1]]
