"""Standings follow from the exported files alone."""

import subprocess
import sys
from pathlib import Path

import pytest

from services.lobby.domain.tournaments.scoring.exporting import exported
from services.lobby.domain.tournaments.scoring.record import record_of
from services.lobby.domain.tournaments.scoring.standings import standings_of
from tests.lobby.scoring import recompute
from tests.lobby.scoring.events import random_facts, random_policy


def export_of(seed: int) -> dict[str, str]:
    """The files of a random event."""
    record, policy = record_of(random_facts(seed)), random_policy(seed)
    return exported(record, policy, standings_of(record, policy))


@pytest.mark.parametrize("first", range(0, 500, 100))
def test_a_script_of_its_own_reproduces_500_random_events(first: int) -> None:
    """Every rank, total and number of tables, from the CSV files alone."""
    for seed in range(first, first + 100):
        files = export_of(seed)
        assert recompute.recomputed(files) == recompute.given(files), f"event {seed}"


def test_the_script_notices_a_changed_result(tmp_path: Path) -> None:
    """Run on a folder as anybody would run it: right first, wrong after one worth was changed."""
    files = export_of(3)
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [sys.executable, recompute.__file__, str(tmp_path)]
    right = subprocess.run(command, capture_output=True, text=True, check=False)
    assert right.returncode == 0, right.stderr
    (tmp_path / "standings.csv").write_text(files["standings.csv"].replace("1,", "9,", 1), encoding="utf-8")
    assert subprocess.run(command, capture_output=True, text=True, check=False).returncode == 1
