"""`signalbox verify`: its options."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from services.cli.main import app
from services.cli.verify import default_processes


@pytest.mark.parametrize(("cores", "processes"), [(None, 1), (2, 2), (8, 8), (96, 8)])
def test_a_large_machine_is_not_filled(
    monkeypatch: pytest.MonkeyPatch, cores: int | None, processes: int
) -> None:
    """One process per core, and never more than eight."""
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert default_processes() == processes


def test_of_a_file_nothing_is_kept(tmp_path: Path) -> None:
    """A folder of what was verified is refused where the log is a file, instead of being left empty."""
    folder = tmp_path / "verified"
    result = CliRunner().invoke(
        app, ["verify", "--log", f"sqlite:{tmp_path}/x.db", "--verified", str(folder)]
    )
    assert (result.exit_code, folder.exists()) == (2, False)
    assert "--verified" in result.output
