"""The service over gRPC: conversion, answers, refusals, deadlines."""

from __future__ import annotations

import math
from collections.abc import Iterator

import grpc
import msgspec
import pytest

from services.gen.signalbox.routing.v1 import routing_pb2, routing_pb2_grpc
from services.routing import handlers
from services.routing.convert import (
    problem_from_message,
    problem_to_message,
    solution_from_message,
    solution_to_message,
)
from services.routing.domain.problem import (
    Bonus,
    LockedRun,
    Options,
    Parameters,
    Requirement,
    RouteProblem,
    Segment,
    Stop,
    Train,
)
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import solve
from services.routing.domain.verify import verify_solution
from services.routing.grpc_server import search_seconds
from tests.routing.boards import late_game_board
from tests.routing.joint_boards import freight, local, network_problem, stop, track
from tests.routing.rulebook_board import rulebook_problem
from tests.routing.service.serving import in_time, serving

FULL = RouteProblem(
    "X",
    (Stop("a", "city", "pa", 10, ("X", "")), Stop("b", "port", "pb", 20), Stop("c", "mine", "pc", 30)),
    (Segment("ab", "a", "b", ("r",), ("h", "i"), terminal_b=True), Segment("ac", "a", "c", terminal_a=True)),
    (Train("T", "normal", 2), Train("G", "goods", 1, "free")),
    ("a",),
    parameters=Parameters(compare_treasury_income=True),
    options=Options((LockedRun("T", ("a", "b"), ("ab",)),), deadline_ms=500, node_budget=700),
)
WITH_TERMS = RouteProblem(
    "X",
    (Stop("a", "city", "pa", 10), Stop("b", "town", "pb", 20), Stop("c", "offboard", "pc", 30)),
    (Segment("ab", "a", "b", revenue=40), Segment("bc", "b", "c")),
    (
        Train("2+1", "normal", 2, "extra", tariff="fast", town_reach=1),
        Train("E", "normal", 0, factor=2, only_tokens=True),
    ),
    ("a",),
    parameters=Parameters(
        bonuses=(
            Bonus("mail", ({"a": 10, "b": 10},), runs=1, to_treasury=True),
            Bonus("pair", ({"a": 5}, {"c": 0}), "counted_ends", 50, tariffs=("fast",)),
        ),
        requirements=(Requirement("rule", ("a", "b"), "ends", ("fast",)),),
        places_once="company",
    ),
)
NETWORK = network_problem(
    (
        stop("a", "C", 20, "A0"),
        stop("b", "C", 10, "A2"),
        msgspec.structs.replace(stop("c", "p", 30, "A4"), beyond=2),
        stop("d", "t", 30, "B1"),
    ),
    (track("a", "b", "A0 A2"), track("b", "c", "A2 A4"), track("a", "d", "A0 B1"), track("d", "b", "B1 A2")),
    (freight(1, "F"), freight(1, "G"), local(2, 1, "L")),
    "a b",
    "b",
)


@pytest.fixture
def stub() -> Iterator[routing_pb2_grpc.RoutingStub]:
    """A client of a server on a free port."""
    with serving() as server:
        yield server.stub


def test_conversion_keeps_every_field() -> None:
    """Problem and solution are the same after a way through their messages."""
    assert problem_from_message(problem_to_message(FULL)) == FULL
    solution = solve(FULL)
    assert solution.treasury_income == 30
    assert solution_from_message(solution_to_message(solution)) == solution


def test_solve_answers_as_the_solver_does(stub: routing_pb2_grpc.RoutingStub) -> None:
    """The answer over the wire is the solver's."""
    problem = rulebook_problem("I", (Train("1g", "goods", 1, "free"), Train("1g'", "goods", 1, "free")))
    response = stub.Solve(routing_pb2.SolveRequest(problem=problem_to_message(problem)))
    assert solution_from_message(response.solution) == solve(problem)
    assert response.elapsed_us > 0


def test_bonuses_go_over_the_wire(stub: routing_pb2_grpc.RoutingStub) -> None:
    """Every term is sent whole, and the answer says which bonuses a run has."""
    assert problem_from_message(problem_to_message(WITH_TERMS)) == WITH_TERMS
    response = stub.Solve(routing_pb2.SolveRequest(problem=problem_to_message(WITH_TERMS)))
    solution = solution_from_message(response.solution)
    assert solution == solve(WITH_TERMS)
    assert (solution.runs[0].bonuses, solution.runs[0].bonus) == (("mail", "pair"), 95)


def test_an_explanation_goes_over_the_wire(stub: routing_pb2_grpc.RoutingStub) -> None:
    """Asked for, it is in the answer whole: also a train that cannot run, and no second best."""
    explain = msgspec.structs.replace(WITH_TERMS.options, explain=True)
    for problem in (
        WITH_TERMS,
        NETWORK,
        rulebook_problem("I", (Train("3", "normal", 3), Train("1g", "goods", 1))),
    ):
        asked = msgspec.structs.replace(problem, options=explain)
        response = stub.Solve(routing_pb2.SolveRequest(problem=problem_to_message(asked)))
        solution = solution_from_message(response.solution)
        assert solution == solve(asked)
        assert solution.explanation is not None


def test_a_network_goes_over_the_wire(stub: routing_pb2_grpc.RoutingStub) -> None:
    """A problem of one network, with its other rulings, is sent whole, and so are joined runs and their bonus."""
    other = msgspec.structs.replace(
        NETWORK.parameters, links="any_stop", freight_joins="ends_meet", compare_treasury_income=True
    )
    for problem in (NETWORK, msgspec.structs.replace(NETWORK, parameters=other)):
        assert problem_from_message(problem_to_message(problem)) == problem
        response = stub.Solve(routing_pb2.SolveRequest(problem=problem_to_message(problem)))
        solution = solution_from_message(response.solution)
        assert solution == solve(problem)
        assert [run.joined_trains for run in solution.runs[:2]] == [("F", "G")] * 2
        assert solution.runs[0].bonus == 3 * 30


def bad_requests() -> dict[str, routing_pb2.RouteProblem]:
    """Messages that hold no meaningful problem, by the field at fault."""
    no_family = problem_to_message(FULL)
    no_family.ClearField("separate_track")
    no_kind = problem_to_message(FULL)
    no_kind.stops[1].kind = routing_pb2.STOP_KIND_UNSPECIFIED
    no_train_kind = problem_to_message(FULL)
    no_train_kind.trains[1].kind = routing_pb2.TRAIN_KIND_UNSPECIFIED
    no_links, no_joins = problem_to_message(NETWORK), problem_to_message(NETWORK)
    no_links.one_network.links = no_joins.one_network.freight_joins = 9  # type: ignore[assignment]
    no_where, no_rule, no_once = (problem_to_message(WITH_TERMS) for _ in range(3))
    no_where.separate_track.bonuses[1].where = 9  # type: ignore[assignment]
    no_rule.separate_track.requirements[0].where = 9  # type: ignore[assignment]
    no_once.separate_track.places_once = 9  # type: ignore[assignment]
    dangling = problem_to_message(FULL)
    dangling.segments[0].b = "moon"
    return {
        "family missing_family": no_family,
        "stops[1].kind unknown_kind": no_kind,
        "trains[1].kind unknown_kind": no_train_kind,
        "parameters.links unknown_links": no_links,
        "parameters.freight_joins unknown_freight_joins": no_joins,
        "parameters.bonuses[1].where unknown_where": no_where,
        "parameters.requirements[0].where unknown_where": no_rule,
        "parameters.places_once unknown_places_once": no_once,
        "segments[0].b unknown_stop": dangling,
        "family missing_family ": routing_pb2.RouteProblem(),
    }


@pytest.mark.parametrize("named", bad_requests())
def test_a_bad_problem_is_an_invalid_argument(stub: routing_pb2_grpc.RoutingStub, named: str) -> None:
    """The status names the field, metadata repeat it with the reason, and the server goes on."""
    field, reason = named.split()
    with pytest.raises(grpc.RpcError) as refused:
        stub.Solve(routing_pb2.SolveRequest(problem=bad_requests()[named]))
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert str(refused.value.details()).startswith(f"problem.{field}: ")
    metadata = {str(item.key): str(item.value) for item in refused.value.trailing_metadata() or ()}
    assert metadata["signalbox-field"] == f"problem.{field}"
    assert metadata["signalbox-reason"] == reason
    assert stub.Solve(routing_pb2.SolveRequest(problem=problem_to_message(FULL))).solution.proven


def test_a_deadline_of_the_call_gives_the_best_so_far(stub: routing_pb2_grpc.RoutingStub) -> None:
    """A problem too hard for the time granted is answered unproven, legal and with its bound."""
    diesels = (Train("D", "normal", 0), Train("E", "normal", 0))
    hard = msgspec.structs.replace(late_game_board(1, diesels), options=Options(node_budget=10**9))
    request = routing_pb2.SolveRequest(problem=problem_to_message(hard))
    response: routing_pb2.SolveResponse = in_time(lambda: stub.Solve.future(request, timeout=3))
    solution = solution_from_message(response.solution)
    assert not solution.proven
    assert 0 < solution.revenue < solution.upper_bound
    assert verify_solution(hard, solution) is None


def test_search_time_leaves_room_for_the_reply() -> None:
    """The call's deadline keeps time for the reply back, at most two fifths of it."""
    assert search_seconds(None) == math.inf
    assert search_seconds(1.0) == pytest.approx(0.95)
    assert search_seconds(0.1) == pytest.approx(0.06)


def test_an_answer_that_fails_its_check_never_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the solver errs, the caller gets an error instead of the answer."""

    def wrong(problem: RouteProblem, *_: object) -> RouteSolution:
        return msgspec.structs.replace(solve(problem), revenue=999)

    monkeypatch.setattr(handlers, "solve", wrong)
    with pytest.raises(handlers.InvalidAnswerError, match="value_wrong"):
        handlers.solve_routes(FULL, lambda: False)
