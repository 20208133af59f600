"""The command `signalbox routes explain`."""

from __future__ import annotations

import json
from pathlib import Path

from msgspec.structs import replace
from typer.testing import CliRunner, Result

from services.cli.main import app
from services.routing.domain.problem import RouteProblem, Train
from services.routing.json_form import problem_from_json, problem_to_json
from tests.conftest import REPOSITORY
from tests.routing.joint_boards import three_that_meet
from tests.routing.serving import plain_routing

EXAMPLE = REPOSITORY / "docs" / "examples" / "routes" / "04-two-trains-share-nothing.json"
PAGE = REPOSITORY / "docs" / "routes-json.md"


def explained(problem: RouteProblem, *arguments: str) -> Result:
    """The outcome of `routes explain -` for this problem."""
    return CliRunner().invoke(app, ["routes", "explain", "-", *arguments], input=problem_to_json(problem))


def example() -> RouteProblem:
    """Two trains that must share nothing."""
    return problem_from_json(EXAMPLE.read_bytes())


def test_the_text_is_that_of_the_page() -> None:
    """The bounds, the trains alone and the second best, after the table of the answer."""
    found = CliRunner().invoke(app, ["routes", "explain", str(EXAMPLE)])
    assert found.exit_code == 0
    table, text = found.stdout.split("\n\nno set of runs", 1)
    assert "proven" in table
    shown = PAGE.read_text(encoding="utf-8").split("```text\nno set of runs", 1)[1].split("```", 1)[0]
    assert text == shown


def test_joined_runs_are_explained() -> None:
    """What each longer run is paid for, and the order in which the runs must be given where it decides."""
    text = explained(three_that_meet()).stdout
    joined = text.split("joined runs\n", 1)[1].split("\n\n", 1)[0]
    assert joined.count("\n") <= 1 and "+ 20 for distance" in joined
    assert "to be given in the order" in text


def test_as_json_the_explanation_is_part_of_the_solution() -> None:
    """As the service gives it, which may also be asked."""
    here = json.loads(explained(example(), "--json").stdout)
    assert here["explanation"]["second"]["loses"] == 10
    with plain_routing() as port:
        there = json.loads(explained(example(), "--json", "--address", f"127.0.0.1:{port}").stdout)
    assert there["explanation"] == here["explanation"]


def test_a_company_without_another_choice() -> None:
    """One route alone has no second best; one network never has one, and says nothing of it."""
    problem = example()
    only = replace(
        problem,
        segments=tuple(each for each in problem.segments if each.id == "K-G.1"),
        token_stops=("K",),
        trains=(Train("2", "normal", 2),),
    )
    assert "second best: there is no other set of runs" in explained(only).stdout
    network = (Path(EXAMPLE).with_name("19-one-network.json")).read_bytes()
    found = CliRunner().invoke(app, ["routes", "explain", "-"], input=network)
    assert found.exit_code == 0
    assert "second best" not in found.stdout


def test_a_search_cut_short_says_what_is_missing() -> None:
    """The answer is not proven, and its explanation incomplete."""
    problem = example()
    cut = replace(problem, options=replace(problem.options, node_budget=1))
    found = explained(cut)
    assert found.exit_code == 1
    assert "the search ended before all of this was found" in found.stdout
