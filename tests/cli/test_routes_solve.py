"""The command `signalbox routes solve`: answers, and input that is no problem."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner, Result

from services.cli.main import app
from services.cli.solving import solve_there
from services.routing.domain.problem import Options, RouteProblem, Segment, Stop, Train
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import solve
from services.routing.json_form import problem_from_json, problem_to_json, solution_to_json
from tests.routing.boards import late_game_board
from tests.routing.serving import plain_routing

PROBLEM = RouteProblem(
    "X",
    (Stop("a", "city", "a", 10, ("X",)), Stop("b", "town", "b", 20), Stop("m", "mine", "m", 30)),
    (Segment("ab", "a", "b"), Segment("am", "a", "m")),
    (Train("2", "normal", 2), Train("1g", "goods", 1, "free")),
    ("a",),
)
FIELDS: dict[str, Any] = json.loads(problem_to_json(PROBLEM))


def asked(content: bytes | str, *arguments: str) -> Result:
    """The outcome of `routes solve -` with this on standard input."""
    return CliRunner().invoke(app, ["routes", "solve", "-", *arguments], input=content)


def changed(path: str, value: object) -> str:
    """The problem's JSON with one value replaced or added; `path` like `stops/0/kind`."""
    whole = json.loads(json.dumps(FIELDS))
    *way, last = path.split("/")
    at: Any = whole
    for step in way:
        at = at[int(step) if step.isdigit() else step]
    at[int(last) if last.isdigit() else last] = value
    return json.dumps(whole)


def test_a_table_shows_the_runs(tmp_path: Path) -> None:
    """Every train with stops, value and income, the total, and that it is proven."""
    file = tmp_path / "problem.json"
    file.write_bytes(problem_to_json(PROBLEM))
    found = CliRunner().invoke(app, ["routes", "solve", str(file)])
    assert found.exit_code == 0
    lines = {line.split()[0]: line.split() for line in found.stdout.splitlines() if line.split()}
    assert lines["2"] == ["2", "a", "-", "b", "30", "all"]
    assert lines["1g"] == ["1g", "m", "-", "a", "10", "all", "30"]
    assert lines["total"] == ["total", "40", "30"]
    assert lines["proven,"][2] == "nodes,"


def test_json_is_the_solution_and_the_time() -> None:
    """Standard output holds the solution's JSON form and, besides, the milliseconds."""
    found = asked(problem_to_json(PROBLEM), "--json")
    fields = json.loads(found.stdout)
    assert fields.pop("milliseconds") > 0
    assert fields == json.loads(solution_to_json(solve(PROBLEM)))
    assert msgspec.json.decode(found.stdout, type=RouteSolution) == solve(PROBLEM)


def test_a_search_cut_short_ends_with_one() -> None:
    """A node budget too small for the proof gives the best so far, its bound, and exit 1."""
    trains = tuple(Train(f"8-{number}", "normal", 8) for number in range(3))
    board = replace(late_game_board(3, trains), options=Options(node_budget=60))
    found = asked(problem_to_json(board))
    assert found.exit_code == 1 and "not proven: at most " in found.stdout


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "$: Input data was truncated (malformed_json)"),
        ("[1,", "$: "),
        ("[]", "$: Expected `object`, got `array` (wrong_type)"),
        (b"\xff\xfe", "(malformed_json)"),
        ("[" * 100_000, "$: Expected `object`, got `array` (wrong_type)"),
        ('{"company":' * 50_000, "company: Expected `str`, got `object` (wrong_type)"),
        ('{"company": "X"}', "$: Object missing required field `stops` (missing_field)"),
        (changed("speed", 1), "$: Object contains unknown field `speed` (unknown_field)"),
        (changed("stops/1/colour", 1), "stops[1]: Object contains unknown field `colour` (unknown_field)"),
        (changed("stops/0/kind", "village"), "stops[0].kind: Invalid enum value 'village' (unknown_value)"),
        (changed("family", "joint"), "family: Invalid enum value 'joint' (unknown_value)"),
        (changed("stops/0/revenue", "10"), "stops[0].revenue: Expected `int`, got `str` (wrong_type)"),
        (changed("stops/0/revenue", 1.5), "stops[0].revenue: Expected `int`, got `float` (wrong_type)"),
        (changed("stops/0/revenue", -1), "stops[0].revenue: "),
        (changed("stops/0/revenue", 10**30), "(revenue_out_of_range)"),
        (changed("stops/0/tariffs", {"x": -1}), "stops[0].tariffs['x']: "),
        (changed("stops/1/id", "a"), "stops[1]: 'a' is given twice (repeated_id)"),
        (changed("stops/1/id", ""), "stops[1]: the id is empty (missing_id)"),
        (changed("stops/1/place", ""), "stops[1].place: stop 'b' has no place (missing_place)"),
        (
            changed("stops", [FIELDS["stops"][0]] * 401),
            "stops: 401 given, at most 400 are allowed (too_many)",
        ),
        (
            changed("segments/0/b", "z"),
            "segments[0].b: segment 'ab' leads to 'z', which is no stop (unknown_stop)",
        ),
        (changed("segments/0/length", -3), "segments[0].length: "),
        (changed("segments/0/resources", ["r"] * 201), "segments[0].resources: 201 given"),
        (changed("trains", [FIELDS["trains"][0]] * 9), "trains: 9 given, at most 8 are allowed (too_many)"),
        (changed("trains/0/reach", 401), "(reach_out_of_range)"),
        (changed("trains/1/counts", 2), "(counts_not_possible)"),
        (changed("token_stops", ["z"]), "token_stops[0]: there is no stop 'z' (unknown_stop)"),
        (changed("company", ""), "company: the running company has no name (missing_company)"),
        (changed("options/deadline_ms", -5), "options.deadline_ms: deadline_ms is -5, below 0 (negative)"),
        (
            changed("options/locked_runs", [{"train": "9", "stops": [], "segments": []}]),
            "options.locked_runs[0].train: there is no train '9' (unknown_train)",
        ),
        (
            changed("options/locked_runs", [{"train": "2", "stops": ["a", "b"], "segments": []}]),
            "(route_not_connected)",
        ),
    ],
    ids=lambda expected: expected[:40] if isinstance(expected, str) else None,
)
def test_an_invalid_problem_is_reported(content: str | bytes, expected: str) -> None:
    """Exit 2 with the path and a reason code on standard error, nothing on standard output."""
    found = asked(content)
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr.startswith("-: ") and expected in found.stderr
    assert found.stderr.count("\n") == 1 and "Traceback" not in found.stderr


def test_problems_of_nothing_are_solved() -> None:
    """No stops, no track and no trains: nothing is earned, and that is proven."""
    nothing: dict[str, Any] = {"trains": [], "segments": [], "token_stops": []}
    for empty in (nothing, nothing | {"stops": []}):
        found = asked(json.dumps(FIELDS | empty), "--json")
        assert (found.exit_code, json.loads(found.stdout)["revenue"]) == (0, 0)


def test_a_missing_file_ends_with_two(tmp_path: Path) -> None:
    """A file that is not there, or is a folder, is named."""
    for name in (tmp_path / "none.json", tmp_path):
        found = CliRunner().invoke(app, ["routes", "solve", str(name)])
        assert found.exit_code == 2 and found.stderr.startswith(f"{name}: ")


@pytest.mark.parametrize("content", [problem_to_json(PROBLEM), json.dumps(FIELDS, indent=2).encode()])
def test_the_json_form_keeps_a_problem(content: bytes) -> None:
    """A problem read is the problem written, with or without its default values."""
    assert problem_from_json(content) == PROBLEM


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where a service answers."""
    with plain_routing() as port:
        yield f"127.0.0.1:{port}"


def test_a_running_service_is_asked(address: str) -> None:
    """With an address the service's answer is shown; better answers are heard on the way."""
    found = asked(problem_to_json(PROBLEM), "--json", "--address", address)
    assert (found.exit_code, json.loads(found.stdout)["revenue"]) == (0, 40)
    heard: list[RouteSolution] = []
    assert solve_there(PROBLEM, address, heard.append).solution == solve(PROBLEM)
    assert [(each.upper_bound, each.proven) for each in heard] == [(99, False)]


def test_faults_found_by_the_service_are_told_alike(address: str) -> None:
    """A locked run that only solving finds illegal has path and reason, in this process or in the service."""
    locked = changed("options/locked_runs", [{"train": "2", "stops": ["a", "b"], "segments": []}])
    here, there = asked(locked), asked(locked, "--address", address)
    assert (there.exit_code, there.stderr) == (2, here.stderr)


def test_no_service_ends_with_three() -> None:
    """Without a service there is no answer: exit 3."""
    found = asked(problem_to_json(PROBLEM), "--address", "127.0.0.1:1")
    assert (found.exit_code, found.stdout) == (3, "") and "no answer: UNAVAILABLE" in found.stderr
