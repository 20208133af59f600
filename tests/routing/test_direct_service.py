"""Direct routes through the service: the same answers over gRPC, HTTP and the command, deadlines, the cache, bad problems."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import msgspec
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from services.cli.main import app
from services.gen.signalbox.routing.v1 import routing_pb2, routing_pb2_grpc
from services.routing.convert import problem_to_message, solution_from_message
from services.routing.domain.problem import Options, Segment
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import solve
from services.routing.domain.verify import verify_solution
from services.routing.json_form import problem_from_json, problem_to_json
from tests.conftest import REPOSITORY
from tests.routing.direct_boards import dense_board
from tests.routing.http_serving import http_serving, run
from tests.routing.service.serving import request, serving
from tests.routing.serving import plain_routing

EXAMPLE = REPOSITORY / "docs" / "examples" / "routes" / "25-direct-routes.json"
PROBLEM = problem_from_json(EXAMPLE.read_bytes())
TIMEOUT_SECONDS = 60


@pytest.fixture(scope="module")
def stub() -> Iterator[routing_pb2_grpc.RoutingStub]:
    """A client of a server on a free port."""
    with serving() as server:
        yield server.stub


def test_the_service_answers_as_the_solver_does(stub: routing_pb2_grpc.RoutingStub) -> None:
    """A problem in another order is found in the cache, with trains in its own order."""
    assert solution_from_message(stub.Solve(request(PROBLEM)).solution) == solve(PROBLEM)
    turned = replace(PROBLEM, stops=PROBLEM.stops[::-1], segments=PROBLEM.segments[::-1])
    again = stub.Solve(request(turned))
    assert again.cached
    assert solution_from_message(again.solution) == solve(turned)


def test_a_deadline_cuts_a_search_with_bounds(stub: routing_pb2_grpc.RoutingStub) -> None:
    """Among forty towns a search does not end by itself; at its deadline the answer is legal and says what is open."""
    problem = replace(dense_board(towns=40, cities=8, seed=1), options=Options(deadline_ms=300))
    started = time.monotonic()
    solution = solution_from_message(stub.Solve(request(problem), timeout=TIMEOUT_SECONDS).solution)
    assert time.monotonic() - started < TIMEOUT_SECONDS / 2
    assert not solution.proven
    assert any(not goal.proven for goal in solution.goals)
    assert verify_solution(problem, solution) is None


def test_a_batch_names_what_is_invalid(stub: routing_pb2_grpc.RoutingStub) -> None:
    """One problem is answered, the other is refused with the path of its field."""
    dear = replace(PROBLEM, segments=(Segment("A-T", "A", "T", cost=-1),))
    asked = routing_pb2.SolveBatchRequest(problems=map(problem_to_message, (PROBLEM, dear)))
    answers = stub.SolveBatch(asked).answers
    assert solution_from_message(answers[0].solved.solution).proven
    assert (answers[1].fault.field, answers[1].fault.reason) == ("segments[0].cost", "cost_out_of_range")


def test_over_http_it_is_json() -> None:
    """The body is the solution in its JSON form, and a picture can be had."""

    async def ask(address: str) -> tuple[bytes, bytes]:
        async with http_serving(address) as http:
            solved = await http.ask("POST", "/v1/solve", EXAMPLE.read_bytes())
            drawn = await http.ask("POST", "/v1/picture", EXAMPLE.read_bytes())
            return solved.body, drawn.body

    with plain_routing() as port:
        body, picture = run(ask(f"127.0.0.1:{port}"))
    assert msgspec.json.decode(body, type=RouteSolution) == solve(PROBLEM)
    assert b"A - T - U - M  cost 90, traffic 5" in picture


def test_the_command_shows_routes_by_goal() -> None:
    """A row for each route, what is covered, and the verdict; nothing can be explained."""
    shown = CliRunner().invoke(app, ["routes", "solve", str(EXAMPLE)])
    assert shown.exit_code == 0
    rows = [line.split() for line in shown.stdout.splitlines() if line.split()]
    assert ["B", "A", "-", "T", "-", "B", "50", "4"] in rows
    assert ["A", "-", "T", "-", "U", "-", "B", "80", "6"] in rows
    assert ["total", "14", "of", "14", "covered"] in rows
    assert rows[-1][0] == "proven,"
    as_json = CliRunner().invoke(app, ["routes", "solve", "--json", str(EXAMPLE)])
    assert [goal["stop"] for goal in json.loads(as_json.stdout)["goals"]] == ["B", "M"]
    refused = CliRunner().invoke(app, ["routes", "explain", str(EXAMPLE)])
    assert refused.exit_code == 2
    assert "options.explain" in refused.output


def test_the_command_says_what_is_open() -> None:
    """A search that was cut names the goals that are not proven, with their bounds."""
    problem = replace(dense_board(towns=40, cities=3, seed=1), options=Options(node_budget=300))
    shown = CliRunner().invoke(app, ["routes", "solve", "-"], input=problem_to_json(problem))
    assert shown.exit_code == 1
    assert "not proven: there may be other routes to c2" in shown.stdout
    assert "brings" in shown.stdout
