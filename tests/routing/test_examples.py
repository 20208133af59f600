"""The examples of docs/routes-json.md: what was worked out by hand is what is found."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import msgspec
import pytest

from services.routing.domain import problem as limits
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import solve
from services.routing.domain.validation import validate_problem
from services.routing.domain.verify import verify_solution
from services.routing.json_form import REASONS, problem_from_json, solution_to_json
from tests.conftest import REPOSITORY
from tests.routing.direct_oracle import best_direct
from tests.routing.joint_oracle import best_network_money
from tests.routing.oracle import best_money
from tests.routing.term_oracle import best_term_money

PAGE = REPOSITORY / "docs" / "routes-json.md"
EXAMPLES = REPOSITORY / "docs" / "examples" / "routes"
NAMES = sorted(path.name.split(".")[0] for path in EXAMPLES.glob("*.expected.json"))
CLAIMS_OF_A_SOLUTION = {"value_wrong", "locked_run_changed", "bound_wrong", "order_wrong"}
NETWORK_TRAIN_RULES = {
    "towns_not_possible",
    "measure_not_possible",
    "factor_not_possible",
    "only_tokens_not_possible",
}
REACH_RULES = {"reach_out_of_range", "counts_out_of_range", "town_reach_out_of_range"}
BLOCK = re.compile(r"```json\n(.*?)```", re.DOTALL)


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Results worked out by hand, with the reasoning."""

    revenue: int
    treasury_income: int
    proven: bool
    upper_bound: int
    why: str
    goals: dict[str, list[tuple[int, int]]] = {}


@pytest.mark.parametrize("name", NAMES)
def test_examples_earn_what_was_worked_out(name: str) -> None:
    """Solver, verifier and brute force agree with the total worked out by hand."""
    problem = problem_from_json((EXAMPLES / f"{name}.json").read_bytes())
    expected = msgspec.json.decode((EXAMPLES / f"{name}.expected.json").read_bytes(), type=Expected)
    solution = solve(problem)
    assert verify_solution(problem, solution) is None
    assert (solution.revenue, solution.treasury_income) == (expected.revenue, expected.treasury_income)
    assert (solution.proven, solution.upper_bound) == (expected.proven, expected.upper_bound)
    assert {
        goal.stop: [(each.cost, each.traffic) for each in goal.routes] for goal in solution.goals
    } == expected.goals
    if problem.family == "direct_routes":
        assert best_direct(problem) == expected.goals
        return
    truth = best_term_money if problem.family == "separate_track" else best_network_money
    if problem.options.locked_runs:
        truth = best_money
    assert truth(problem) == (expected.revenue, expected.treasury_income)


def test_every_problem_has_its_answer() -> None:
    """Each file of the folder belongs to a pair, and the page names every pair with its total."""
    problems = {path.stem for path in EXAMPLES.glob("*.json") if not path.name.endswith(".expected.json")}
    assert problems == set(NAMES)
    page = PAGE.read_text(encoding="utf-8")
    for name in NAMES:
        expected = json.loads((EXAMPLES / f"{name}.expected.json").read_text(encoding="utf-8"))
        income = f" + {expected['treasury_income']}" if expected["treasury_income"] else ""
        assert re.search(rf"\| `{name}` \|.*\| {expected['revenue']}{re.escape(income)} \|", page), name


def blocks() -> list[tuple[str, RouteSolution | None]]:
    """The problems that the page shows in full, each with the solution shown after it."""
    found: list[tuple[str, RouteSolution | None]] = []
    for text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if "trains" in json.loads(text):
            found.append((text, None))
        else:
            found[-1] = (found[-1][0], msgspec.json.decode(text, type=RouteSolution))
    return found


@pytest.mark.parametrize("number", range(len(blocks())))
def test_what_the_page_shows_is_so(number: int) -> None:
    """Every problem on the page is one, and solving it gives the solution shown."""
    text, shown = blocks()[number]
    problem = problem_from_json(text.encode())
    validate_problem(problem)
    solution = solve(problem)
    assert solution.proven
    if shown is not None:
        fields = json.loads(solution_to_json(solution)) | {"nodes_explored": shown.nodes_explored}
        assert msgspec.json.decode(msgspec.json.encode(fields), type=RouteSolution) == shown


def test_limits_on_the_page_are_those_enforced() -> None:
    """The table of limits tells every constant as it is."""
    page = PAGE.read_text(encoding="utf-8")
    for name in (
        "STOP_COUNT_MAX",
        "SEGMENT_COUNT_MAX",
        "RESOURCE_COUNT_MAX",
        "TRAIN_COUNT_MAX",
        "REVENUE_MAX",
        "FACTOR_MAX",
        "BONUS_MAX",
        "BONUS_COUNT_MAX",
        "REQUIREMENT_COUNT_MAX",
        "COUNTED_GROUP_COUNT_MAX",
    ):
        assert f"| {getattr(limits, name)} |" in page, name
    assert f"| {limits.REACH_MAX} |" in page


def codes_in(path: Path, function: str, place: int) -> set[str]:
    """The text constants that a module gives to a function at this place among its arguments."""
    calls = (
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function
    )
    given = (call.args[place] for call in calls if len(call.args) > place)
    return {str(each.value) for each in given if isinstance(each, ast.Constant)}


def test_reason_codes_on_the_page_are_those_in_the_code() -> None:
    """Every code with which a problem or locked run can be refused stands on the page once, and no other."""
    services = REPOSITORY / "services"
    domain = services / "routing" / "domain"
    codes = codes_in(domain / "validation.py", "require", 2) | REACH_RULES
    codes |= codes_in(domain / "validation.py", "ProblemError", 1)
    codes |= codes_in(domain / "families.py", "require", 2) | NETWORK_TRAIN_RULES
    codes |= codes_in(domain / "families.py", "ProblemError", 1)
    codes |= codes_in(domain / "terms.py", "require", 2)
    codes |= codes_in(domain / "familychecks.py", "require", 2)
    codes |= codes_in(domain / "direct" / "checks.py", "require", 2)
    for module in ("shape", "verify"):
        codes |= codes_in(domain / f"{module}.py", "RunFault", 0) - CLAIMS_OF_A_SOLUTION
    codes |= codes_in(services / "routing" / "json_form.py", "ProblemError", 1) | {"wrong_type"}
    codes |= {code for _, code in REASONS}
    codes |= codes_in(services / "cli" / "routes_solve.py", "ProblemError", 1)
    for module in ("convert", "convert_parameters"):
        codes |= codes_in(services / "routing" / f"{module}.py", "ProblemError", 1)
        codes |= codes_in(services / "routing" / f"{module}.py", "word_for", 3)
    codes |= {"trains_share_track", "trains_share_place"}
    table = PAGE.read_text(encoding="utf-8").split("## Errors")[1]
    assert sorted(re.findall(r"^\| `([a-z_]+)` \| ", table, re.MULTILINE)) == sorted(codes)
