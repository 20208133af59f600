"""Whole games in the repository, played again command by command and compared word by word."""

from __future__ import annotations

import pytest

from services.rules.titles import BUILT_IN
from tests.golden import counting, files
from tests.golden.counting import Position
from tests.golden.plans import PLANS, Plan

WRITE_AGAIN = "When the change is meant, `.venv/bin/python -m tests.golden --write` writes the texts again."
POSITIONS = [
    (line, counting.position_of(line)) for title in BUILT_IN for line in counting.lines_of(title.name)
]


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)
def test_playthrough_is_as_recorded(plan: Plan) -> None:
    """Who acts, every choice, all facts and the final state are those of the text, and the game ends as planned."""
    now = files.replayed(plan)
    found = files.difference(plan.name, files.recorded(plan), now.all)
    if found:
        pytest.fail(f"{plan.name} is played otherwise than recorded.\n{found}\n{WRITE_AGAIN}", pytrace=False)
    assert now.ending == plan.ends


@pytest.mark.parametrize(
    ("line", "at"), POSITIONS, ids=lambda value: value.split(":")[0] if isinstance(value, str) else ""
)
def test_number_of_sequences_of_choices(line: str, at: Position) -> None:
    """From a known position there are as many sequences of one, two and three choices as recorded."""
    assert counting.counted(at) == line
