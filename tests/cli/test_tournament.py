"""`signalbox tournament`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from services.cli.main import app
from tests.lobby.scoring import recompute

RUNNER = CliRunner()


def run(*arguments: object) -> tuple[int, str, str]:
    """Exit code, standard output and standard error."""
    result = RUNNER.invoke(app, ["tournament", *map(str, arguments)])
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize(
    ("players", "seed"),
    [(23, 7), (24, 7), (25, 7), (25, 9), (41, 7), (41, 4), (98, 7), (400, 7), (1000, 7)],
)
def test_five_rounds_without_repeats(players: int, seed: int) -> None:
    """Nobody meets twice, nobody sits at a second odd table before everybody has had one. What a round takes is printed, and
    measured by `python -m tests.bench tournaments`."""
    code, output, times = run("simulate", "--players", players, "--rounds", 5, "--seed", seed)
    assert code == 0
    assert "\nrepeats 0\n" in output
    odd = re.search(r"^at tables that are not of 4: (.*)$", output, re.MULTILINE)
    assert odd is not None
    assert re.findall(r"players? (.+?)(?:,|$)", odd[1]) in (["never"], ["never", "once"], ["once"])
    assert len(re.findall(r"round \d+: ([\d.]+) s", times)) == 5


@pytest.mark.usefixtures("logged")
def test_a_simulation_is_repeated_to_the_byte(tmp_path: Path) -> None:
    """Output and file; another seed gives others."""
    first, again, other = (
        run("simulate", "--players", 98, "--seed", seed, "--output", tmp_path / name)[1]
        for seed, name in ((7, "first"), (7, "again"), (8, "other"))
    )
    assert first == again != other
    assert (tmp_path / "first").read_bytes() == (tmp_path / "again").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (("--players", 14, "--format", "groups"), "tables 14 of 4\n"),
        (("--players", 16, "--format", "knock-out"), "tables 5 of 4\n"),
        (("--players", 32, "--format", "heats", "--rounds", 4), "repeats 0\n"),
        (("--players", 32, "--format", "duplicate", "--rounds", 4, "--scoring", "duplicate"), "repeats 0\n"),
    ],
)
def test_every_format_is_simulated(arguments: tuple[object, ...], wanted: str) -> None:
    """To its end, with its tables."""
    code, output, _ = run("simulate", *arguments)
    assert code == 0
    assert wanted.replace("tables 5 of 4", "tables") in output


def test_standings_are_checked_explained_and_exported(tmp_path: Path) -> None:
    """What was simulated is recomputed; the exported files give the same standings without this code."""
    event = tmp_path / "event.json"
    run("simulate", "--players", 24, "--rounds", 3, "--output", event)
    code, output, _ = run("check", event)
    assert code == 0
    lines = output.splitlines()
    assert len(lines) == 48
    assert re.fullmatch(r"1\. p\d+: 1[35] points, 3 tables", lines[0]) or lines[0].startswith("1. p")
    assert not re.search(r"\b1 (points|tables)|lot -", output)
    assert lines[1].startswith("   points ")
    assert run("export", event, tmp_path / "csv")[0] == 0
    files = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "csv").iterdir()}
    assert recompute.recomputed(files) == recompute.given(files)
    assert len(recompute.given(files)) == 24


def test_other_standings_than_those_of_the_facts_are_named(tmp_path: Path) -> None:
    """A worth that was changed after the standings were published."""
    event = tmp_path / "event.json"
    run("simulate", "--players", 8, "--rounds", 1, "--output", event)
    content = json.loads(event.read_text(encoding="utf-8"))
    result = next(fact["result"] for fact in content["facts"] if fact["type"] == "result_recorded")
    result["seats"][0]["worth"] += 100_000
    event.write_text(json.dumps(content), encoding="utf-8")
    code, _, error = run("check", event)
    assert (code, "(STANDINGS_DIFFER)" in error) == (2, True)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "(FILE_MALFORMED)"),
        ('{"format": "another", "policy": {"system": {"type": "share"}}, "facts": []}', "(FILE_MALFORMED)"),
        (
            '{"format": "signalbox tournament 1", "policy": {"system": {"type": "share"}}, "facts": [{"type": "entered"}]}',
            "`$.facts[0]` (FILE_MALFORMED)",
        ),
        (
            '{"format": "signalbox tournament 1", "policy": {"system": {"type": "places", "lists": {"3": [1, 0, 0]}}},'
            ' "facts": []}',
            "place points need a list for four players (POLICY_MALFORMED)",
        ),
        (
            '{"format": "signalbox tournament 1", "policy": {"system": {"type": "share"}},'
            ' "facts": [{"type": "bye_given", "player": "ann", "round": 1}]}',
            "ann did not enter (PLAYER_UNKNOWN)",
        ),
    ],
)
def test_a_file_that_cannot_be_scored_is_named_exactly(tmp_path: Path, content: str, message: str) -> None:
    """By path within the file, or by the fact, with a reason."""
    event = tmp_path / "event.json"
    event.write_text(content, encoding="utf-8")
    code, _, error = run("check", event)
    assert code == 2
    assert message in error


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """Not a traceback."""
    code, _, error = run("check", tmp_path / "none.json")
    assert (code, "No such file" in error) == (2, True)


def test_a_group_larger_than_the_field_is_rejected() -> None:
    """By reason."""
    code, _, error = run("simulate", "--players", 5, "--format", "groups")
    assert (code, "(TOO_FEW_PLAYERS)" in error) == (2, True)
