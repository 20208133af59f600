"""The clauses that are named with choices."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from services.rules.kernel.commands import AnswerOffer, Command, Pass
from services.rules.kernel.stepclauses import STEP_CLAUSES
from services.rules.kernel.title import Step
from services.rules.kernel.turnstep import TurnStep
from services.rules.parts.shares.companyturns import CompanyTurns
from services.rules.titles import TITLES

# What they rest on is the step itself.
PLAIN = {Pass, AnswerOffer}
FOLDERS = {"1824": "g1824", "1862": "g1862", "1865": "g1865", "rotw": "rotw"}


def steps_in(value: Any) -> Iterator[Step]:
    """All steps in what a module defines."""
    if isinstance(value, Step):
        yield value
    elif isinstance(value, TurnStep):
        yield value.step
    elif isinstance(value, CompanyTurns):
        yield from steps_in(value.steps)
    elif isinstance(value, Mapping):
        yield from steps_in(tuple(value.values()))
    elif isinstance(value, tuple):
        for each in value:
            yield from steps_in(each)


def steps_of(folder: str) -> Iterator[Step]:
    """All steps that the modules of a title define."""
    for name, module in list(sys.modules.items()):
        if name.startswith(f"services.rules.titles.{folder}."):
            yield from steps_in(tuple(vars(module).values()))


@pytest.mark.parametrize("title", FOLDERS)
def test_every_choice_of_a_title_names_a_clause_of_its_rulebook(repository: Path, title: str) -> None:
    """For each command of each step, and for none that a step does not have."""
    listed = tomllib.loads(
        (repository / "tests" / "titles" / FOLDERS[title] / "clauses.toml").read_text("utf-8")
    )
    named = TITLES[title].capabilities[STEP_CLAUSES]
    commands: dict[str, set[type[Command]]] = {}
    for step in steps_of(FOLDERS[title]):
        commands.setdefault(step.name, set()).update(set(step.actions) - PLAIN)
    assert {name: set(clauses) for name, clauses in named.items()} == {
        name: kinds for name, kinds in commands.items() if kinds
    }
    assert {clause for clauses in named.values() for clause in clauses.values()} <= set(listed["clauses"])
