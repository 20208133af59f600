"""The command `signalbox routes check`."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
import typer
from msgspec.structs import replace
from typer.testing import CliRunner, Result

from services.cli.main import app
from services.cli.routes_check import register
from services.routing.domain.problem import RouteProblem
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.trains.bestruns import BEST_RUNS, problem_for
from services.rules.titles import TITLES
from tests.recorded.documents import (
    GAMES_1824,
    GAMES_1862,
    act,
    document,
    encoded,
    game_path,
    load_document,
)


def checked(*arguments: str | Path) -> Result:
    """The outcome of `signalbox routes check` with these arguments."""
    return CliRunner().invoke(app, ["routes", "check", *map(str, arguments)])


def answer_of(found: Result) -> dict[str, Any]:
    """The object printed."""
    whole: dict[str, Any] = json.loads(found.stdout)
    return whole


# Freight runs that were booked before the other platform corrected how it measures them.
BOOKED_OTHERWISE = {"1862/46925": 11}


@pytest.mark.parametrize(
    "name", [*(f"1824/{name}" for name in GAMES_1824), *(f"1862/{name}" for name in GAMES_1862)]
)
def test_best_runs_are_proven_and_never_below(shared: Path, name: str) -> None:
    """At every run of every recorded game the best run is proven and at least what people took."""
    found = checked(game_path(shared, name), "--json")
    answer = answer_of(found)
    runs, summary = answer["runs"], answer["summary"]
    actions = [each for each in load_document(shared, name)["actions"] if each["type"] == "run_routes"]
    assert found.exit_code == 0
    assert len(runs) == summary["runs"] == summary["proven"] > 50
    assert {run["id"] for run in runs} <= {each["id"] for each in actions}
    assert all(run["best"] >= run["taken"] and run["build_ms"] > 0 and run["solve_ms"] > 0 for run in runs)
    assert (summary["below"], summary["misrecorded"]) == (0, BOOKED_OTHERWISE.get(name, 0))
    assert summary["equal"] + summary["above"] == summary["runs"]


def test_lines_and_figures_are_printed(shared: Path) -> None:
    """A line for each run and the times of all of them."""
    found = checked(game_path(shared, "1824/p3-s201"))
    lines = found.stdout.splitlines()
    assert lines[0].split()[:4] == ["action", "round", "company", "trains"]
    assert lines[1].split()[:8] == ["21", "OR", "1.1", "EPP", "1g", "20+10", "20+10", "proven"]
    assert lines[-4].startswith("179 runs, 179 proven, 0 below, ")
    assert lines[-3].startswith("building and solving: p50 ")


def test_trains_are_called_by_what_they_run_as(shared: Path) -> None:
    """A train that runs as one of several kinds is shown by that kind, with its warranties."""
    found = checked(game_path(shared, "1862/46925"), "--json")
    last = answer_of(found)["runs"][-1]
    assert (last["company"], last["trains"], last["shown"]) == ("ENR", ["H-1"], ["9F"])


def test_what_was_booked_wrongly_is_shown(shared: Path, tmp_path: Path) -> None:
    """A run for which the file books too much: compared is what its routes earn, the booked figure is shown."""
    data = load_document(shared, "1824/p3-s201")
    run = next(each for each in data["actions"] if each["type"] == "run_routes" and each["routes"])
    run["routes"][0]["revenue"] += 500
    file = tmp_path / "game.json"
    file.write_bytes(encoded(data))
    found = checked(file, "--json")
    answer = answer_of(found)
    assert answer["summary"]["misrecorded"] == 1 and answer["summary"]["below"] == 0
    shown = next(each for each in answer["runs"] if each["recorded"] != each["taken"])
    assert (shown["id"], shown["recorded"] - shown["taken"]) == (run["id"], 500)
    assert f"recorded {shown['recorded']}" in checked(file).stdout


def without_last_train(game: Game, data: TitleData, company: str) -> RouteProblem:
    """The question of 1824 with a train missing."""
    problem = problem_for(TITLES["1824"], game, data, company)
    return replace(problem, trains=problem.trains[:-1])


def test_a_best_run_below_ends_with_one(shared: Path) -> None:
    """Where our runs earn less than people's, because the solver lacks a train, it is shown and exit is 1."""
    poor = typer.Typer()
    poor.callback()(lambda: None)
    title = TITLES["1824"]
    best_runs = dataclasses.replace(title.capabilities[BEST_RUNS], problem=without_last_train)
    register(
        poor, {"1824": dataclasses.replace(title, capabilities={**title.capabilities, BEST_RUNS: best_runs})}
    )
    found = CliRunner().invoke(poor, ["check", str(game_path(shared, "1824/p3-s201")), "--json"])
    assert found.exit_code == 1
    assert answer_of(found)["summary"]["below"] > 50


def test_a_game_that_does_not_replay_ends_with_one(tmp_path: Path) -> None:
    """A rejected action is shown with its line and reason."""
    file = tmp_path / "game.json"
    file.write_bytes(encoded(document(act(1, "pass", 11))))
    found = checked(file)
    assert found.exit_code == 1 and "action 1 (id 1) rejected: " in found.stderr


def test_titles_that_are_not_played_are_told(tmp_path: Path) -> None:
    """A recorded game of another title ends with exit 2 and the title's name."""
    file = tmp_path / "game.json"
    file.write_bytes(encoded(document(title="1899")))
    found = checked(file)
    assert (found.exit_code, found.stdout) == (2, "")
    assert "the title '1899' is not installed" in found.stderr


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"\x1f\x8b\x00", b"\xff", b'{"title": 1824}'])
def test_what_is_no_game_is_told(tmp_path: Path, content: bytes) -> None:
    """Exit 2 and one line on standard error."""
    file = tmp_path / "game.json"
    file.write_bytes(content)
    found = checked(file)
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr.startswith(f"{file}: ") and "Traceback" not in found.stderr
    assert checked(tmp_path / "none.json").exit_code == 2


def test_a_game_without_runs_is_well(tmp_path: Path) -> None:
    """Nothing to prove: exit 0 and no times."""
    file = tmp_path / "game.json"
    file.write_bytes(encoded(document(act(1, "pass", 13))))
    found = checked(file, "--json")
    assert found.exit_code == 0
    assert answer_of(found)["summary"]["milliseconds"] == {"p50": 0.0, "p99": 0.0, "max": 0.0}
