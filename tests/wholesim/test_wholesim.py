"""The whole platform by seed, and the proof that the runs find what is broken; `python -m tests.wholesim` runs any seed.

Each test has a process of its own: a run puts its own threads, clock and network in the place of everybody's.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from inspect import signature
from typing import Any

import pytest

from tests.conftest import REPOSITORY
from tests.faults.plan import ANY_MOMENT
from tests.wholesim.broken import BREAKAGES
from tests.wholesim.faults import POINTS

SEEDS_EACH = 25
REACHED = "crash points reached: "
FIRST_SEEDS = range(1, 51, SEEDS_EACH)
SEEDS_TO_FIND = 10
REPEATED_SEED = 12
FOUND_SOON = (
    "offsets are left out of the transaction",
    "request ids are not looked at",
    "copies read what is not committed",
    "an owner gives its copy what is not committed",
    "a snapshot goes on one event late",
)


def simulate(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the command of this package."""
    command = [sys.executable, "-m", "tests.wholesim", *map(str, arguments)]
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)


@cache
def runs_of_seeds(first: int) -> subprocess.CompletedProcess[str]:
    """So many runs by seed in one process, each with a line about it."""
    return simulate("--seed", first, "--seeds", SEEDS_EACH, "--processes", 1, "--verbose")


@cache
def runs_of_what_is_broken() -> subprocess.CompletedProcess[str]:
    """What is broken, one thing after another in one process, with a line about each."""
    return simulate("--seeds", SEEDS_TO_FIND, "--broken", *FOUND_SOON)


@pytest.mark.parametrize("first", FIRST_SEEDS)
def test_no_seed_breaks_a_law(first: int) -> None:
    """Deaths at every step of the write path, fenced writers, lost calls and wrong clocks lose nothing and double nothing. Each
    step is reached, for a death planned at a step that nobody comes to proves nothing."""
    done = runs_of_seeds(first)
    assert done.returncode == 0, done.stdout + done.stderr
    (line,) = (line for line in done.stdout.splitlines() if line.startswith(REACHED))
    reached = set(line.removeprefix(REACHED).split(", "))
    assert {point for points in POINTS.values() for point in points} - {ANY_MOMENT} <= reached


@pytest.mark.parametrize("broken", BREAKAGES)
def test_a_breakage_can_be_called_as_what_it_stands_for(broken: str) -> None:
    """It breaks what it says, and not the call."""
    breakage: Any = BREAKAGES[broken]()
    if not hasattr(breakage, "getter"):
        return
    real = getattr(breakage.getter(), breakage.attribute)
    named = [
        each.name for each in signature(real).parameters.values() if each.kind is each.POSITIONAL_OR_KEYWORD
    ]
    signature(breakage.new).bind(*named)


def test_a_seed_is_a_run() -> None:
    """Every record comes at the same moment in every run of a seed, alone or after others in the same process."""
    among_others, alone = (
        line.partition(" s: ")[2]
        for done in (runs_of_seeds(FIRST_SEEDS[0]), simulate("--seed", REPEATED_SEED))
        for line in done.stdout.splitlines()
        if line.startswith(f"seed {REPEATED_SEED} ")
    )
    assert "digest" in alone
    assert among_others == alone


@pytest.mark.parametrize("broken", FOUND_SOON)
def test_what_is_broken_is_found(broken: str) -> None:
    """A few seeds are enough for the worst."""
    done = runs_of_what_is_broken()
    assert f"{broken}: found by seed" in done.stdout, done.stdout + done.stderr


def test_finding_all_that_is_broken_counts_as_failed() -> None:
    """For those who look at the exit code alone."""
    assert runs_of_what_is_broken().returncode == 1
