"""The command `signalbox import`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from services.cli.import_game import register
from services.rules.importer.files import read_trace
from tests.recorded.documents import (
    OLD_GAME,
    Json,
    act,
    document,
    encoded,
    game_path,
    load_document,
)

PASSES = [act(1, "pass", 13), act(2, "pass", 12), act(3, "pass", 11)]


@pytest.fixture
def app() -> typer.Typer:
    """A command line with this command among others."""
    found = typer.Typer()
    register(found)
    return found


def written(folder: Path, data: Json) -> str:
    """A file that holds `data`."""
    path = folder / "game.json"
    path.write_bytes(encoded(data))
    return str(path)


def test_a_recorded_game_matches(app: typer.Typer, shared: Path) -> None:
    """It ends with exit code 0 and says that it matches; tests/recorded plays every recorded game."""
    name = "p5-s207"
    found = CliRunner().invoke(app, ["import", str(game_path(shared, f"1824/{name}")), "--json"])
    answer = json.loads(found.stdout)
    assert found.exit_code == 0 and answer["matches"] is True
    recorded = load_document(shared, f"1824/{name}")
    ended = "manually_ended" if recorded["actions"][-1]["type"] == "end_game" else "bank"
    assert (answer["accepted"], answer["end_reason"]) == (answer["actions"], ended)
    assert answer["result"] == recorded["result"]


def test_json_is_one_object_with_the_agreed_keys(app: typer.Typer, tmp_path: Path) -> None:
    """Standard output holds one object and nothing else."""
    found = CliRunner().invoke(app, ["import", written(tmp_path, document(act(1, "end_game"))), "--json"])
    answer = json.loads(found.stdout)
    keys = ["title", "actions", "accepted", "finished", "end_reason", "result", "matches", "seconds"]
    assert list(answer) == keys and set(answer["seconds"]) == {"decide", "fold"}
    assert (answer["actions"], answer["accepted"], answer["finished"]) == (1, 1, True)
    assert (found.exit_code, answer["end_reason"]) == (0, "manually_ended")


def test_a_refused_action_is_named_with_reason_and_clause(app: typer.Typer, tmp_path: Path) -> None:
    """Exit 1: the action, its id and type, the reason code and the clause are shown."""
    sale = act(9, "sell_shares", 13, shares=["SD_3"], percent=10)
    found = CliRunner().invoke(app, ["import", written(tmp_path, document(sale))])
    assert found.exit_code == 1
    assert "action 1 (id 9, sell_shares) rejected: " in found.stderr
    refused = act(9, "buy_company", 13, company="EPP", price=130)
    found = CliRunner().invoke(app, ["import", written(tmp_path, document(refused))])
    assert "rejected: price_not_offered (1824/" in found.stderr


def test_an_unfinished_game_does_not_match(app: typer.Typer, tmp_path: Path) -> None:
    """Exit 1 when all actions were accepted but the game has no result."""
    found = CliRunner().invoke(app, ["import", written(tmp_path, document(PASSES[0])), "--json"])
    answer = json.loads(found.stdout)
    assert (found.exit_code, answer["finished"], answer["matches"], answer["result"]) == (1, False, False, {})


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (document(title="1889"), "title '1889' is not installed"),
        (document(title="1862", settings={"optional_rules": ["shorter_game", "x"]}), "no such option"),
        (document(players=[{"id": 1}]), "result"),
        (document(players=[{"id": 1}], result={}), "cannot be played by so many"),
        (document(act(1, "conquer")), "Invalid value 'conquer'"),
        ({}, "missing required field `title`"),
    ],
)
def test_what_is_no_game_of_ours_ends_with_two(
    app: typer.Typer, tmp_path: Path, data: Json, reason: str
) -> None:
    """Exit 2: the file cannot be read as a game, and the message names what is wrong."""
    found = CliRunner().invoke(app, ["import", written(tmp_path, data), "--json"])
    assert (found.exit_code, found.stdout) == (2, "")
    assert "not a game" in found.stderr and reason in found.stderr


def test_a_file_that_is_not_there_is_named_once(app: typer.Typer, tmp_path: Path) -> None:
    """With the reason in words."""
    found = CliRunner().invoke(app, ["import", str(tmp_path / "none.json")])
    expected = f"{tmp_path / 'none.json'}: not a game: No such file or directory\n"
    assert (found.exit_code, found.stderr) == (2, expected)


def test_a_missing_file_ends_with_two(app: typer.Typer, tmp_path: Path) -> None:
    """A file that is not there is no game."""
    assert CliRunner().invoke(app, ["import", str(tmp_path / "none.json")]).exit_code == 2


def test_the_trace_has_a_line_for_every_action(app: typer.Typer, tmp_path: Path) -> None:
    """Line 0 is the start, then one line an action, last the result."""
    trace = tmp_path / "trace.jsonl"
    game = written(tmp_path, document(*PASSES[:2]))
    assert CliRunner().invoke(app, ["import", game, "--trace", str(trace)]).exit_code == 1
    lines = read_trace(trace)
    assert [line.get("n") for line in lines] == [0, 1, 2, None]
    assert lines[0]["setup"]["players"] == [11, 12, 13] and lines[1]["action"]["id"] == 1
    assert lines[-1] == {"result": {}, "game_end_reason": None, "finished": False, "actions": 2}


def test_a_trace_that_cannot_be_written_is_told(app: typer.Typer, tmp_path: Path) -> None:
    """A folder that is not there gives exit 1 and its name."""
    target = tmp_path / "none" / "trace.jsonl"
    found = CliRunner().invoke(app, ["import", written(tmp_path, document()), "--trace", str(target)])
    assert found.exit_code == 1 and str(target) in found.stderr


def test_booked_differences_are_listed(app: typer.Typer, shared: Path, tmp_path: Path) -> None:
    """With `--as-recorded` every run that differs is listed, on standard error and in the object."""
    data = load_document(shared, "1824/p3-s201")
    run = next(each for each in data["actions"] if each["type"] == "run_routes" and each["routes"])
    run["routes"][0]["revenue"] += 10
    game = written(tmp_path, data)
    refused = CliRunner().invoke(app, ["import", game])
    assert refused.exit_code == 1 and "recorded_revenue_differs (1824/" in refused.stderr
    found = CliRunner().invoke(app, ["import", game, "--as-recorded", "--json"])
    corrections = json.loads(found.stdout)["corrections"]
    assert corrections[0]["company"] == run["entity"]
    assert corrections[0]["recorded"] == corrections[0]["ours"] + 10
    assert f"{run['entity']} ran for" in found.stderr


def test_the_old_game_of_1862_matches_as_recorded(app: typer.Typer, shared: Path) -> None:
    """It books 11 runs as its file has them."""
    arguments = ["import", str(game_path(shared, OLD_GAME)), "--json", "--as-recorded"]
    found = CliRunner().invoke(app, arguments)
    answer = json.loads(found.stdout)
    assert (found.exit_code, answer["matches"], answer["end_reason"]) == (0, True, "1862.lner")
    assert answer["accepted"] == answer["actions"] and len(answer["corrections"]) == 11
    assert answer["result"] == load_document(shared, OLD_GAME)["result"]


def test_the_first_old_run_of_1862_is_named(app: typer.Typer, shared: Path) -> None:
    """Without `--as-recorded` the old game stops at its first run that carries an old figure."""
    found = CliRunner().invoke(app, ["import", str(game_path(shared, "1862/46925"))])
    assert found.exit_code == 1
    assert "action 104 (id 120, run_routes) rejected: recorded_revenue_differs (1862/" in found.stderr
    assert "ENR earns 220 (subsidy 0), recorded 190 (subsidy 0)" in found.stderr
