"""`signalbox demo --tournament`: the whole event on a host of its own, played by bots."""

from __future__ import annotations

import re

import pytest
from typer.testing import CliRunner

from services.cli.demo_tournament import FINALISTS, NAMES, STANDBY, SUBSTITUTE
from services.cli.main import app

pytestmark = pytest.mark.soak


def test_the_demo_plays_a_whole_tournament() -> None:
    """24 players, three Swiss rounds and a final, with an absence, an award, a standby and a substitution; every place with
    its reasons, and the log says the same."""
    result = CliRunner().invoke(app, ["demo", "--tournament", "--seed", "7"])
    assert result.exit_code == 0, result.output
    text = result.output
    assert f"{len(NAMES)} players, 1 on the waiting list" in text
    assert [int(each) for each in re.findall(r"^Round (\d+), pairing", text, re.MULTILINE)] == [1, 2, 3, 1]
    assert "did not show up within 30 minutes; Dora awards" in text
    assert f"{STANDBY} takes the place of" in text
    assert f"{SUBSTITUTE} takes the seat of" in text
    swiss, final = text.partition("Standings of three Swiss rounds")[2].split("Standings of the final")
    lines = r"^(\d+)\. .+? points — points .+$"
    places = [int(each) for each in re.findall(lines, swiss, re.MULTILINE)]
    assert places == list(range(1, len(places) + 1))
    assert len(places) >= len(NAMES)
    assert len(re.findall(lines, final, re.MULTILINE)) == FINALISTS
    assert "The winner is" in text
    assert "checked again from the streams of the log:" in text
