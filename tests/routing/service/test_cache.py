"""The cache: who gets its answers, and what is never stored."""

from __future__ import annotations

import random

import msgspec
import pytest
from prometheus_client import CollectorRegistry

from services.routing.adapters.memory_cache import MemorySolutionCache
from services.routing.convert import solution_from_message
from services.routing.domain.numbering import cache_key
from services.routing.domain.problem import Options
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import solve
from services.routing.domain.verify import verify_solution
from services.routing.metrics import RoutingMetrics
from services.routing.questions import Question
from services.routing.service import ProvenAnswers
from tests.routing.service.serving import (
    cut_short_by_its_limit,
    easy_problem,
    endless_problem,
    request,
    serving,
)
from tests.routing.service.test_canonical import reordered
from tests.routing.service.test_numbering import renamed

SOLUTION = RouteSolution((), 0, 0, True, 0, 1)


def test_the_cache_keeps_what_was_used_last() -> None:
    """The answer longest unused goes first; a cache without entries keeps nothing."""
    cache = MemorySolutionCache(2)
    cache.put("a", SOLUTION)
    cache.put("b", SOLUTION)
    assert cache.get("a") == SOLUTION
    cache.put("c", SOLUTION)
    assert [cache.get(key) for key in "abc"] == [SOLUTION, None, SOLUTION]
    nothing = MemorySolutionCache(0)
    nothing.put("a", SOLUTION)
    assert nothing.get("a") is None


def test_a_cached_answer_is_in_the_order_of_the_callers_problem() -> None:
    """An equivalent form of the problem gets the answer in the order of its own trains."""
    problem = easy_problem(3)
    other = msgspec.structs.replace(
        reordered(problem, random.Random(1)), trains=problem.trains[::-1], options=Options()
    )
    with serving() as server:
        first = server.stub.Solve(request(problem))
        second = server.stub.Solve(request(other))
    assert (first.cached, second.cached) == (False, True)
    reported = solution_from_message(second.solution)
    assert verify_solution(other, reported) is None
    assert [run.train for run in reported.runs] == [
        run.train for run in solution_from_message(first.solution).runs
    ][::-1]


def test_a_cached_answer_has_the_names_of_the_callers_problem() -> None:
    """The same board of another game, in other words and another order: what the solver finds for it."""
    problem = easy_problem(6)
    draw = random.Random(6)
    other = msgspec.structs.replace(reordered(renamed(problem, draw), draw), options=Options())
    with serving() as server:
        assert not server.stub.Solve(request(problem)).cached
        answer = server.stub.Solve(request(other))
        assert (answer.cached, server.metric("cache_total", result="hit")) == (True, 1)
    assert solution_from_message(answer.solution) == solve(other)


def test_an_entry_of_another_problem_counts_as_unknown() -> None:
    """Numbers that the problem does not have are counted, not given."""
    problem = easy_problem(5)
    registry = CollectorRegistry()
    cache = MemorySolutionCache(5)
    known = ProvenAnswers(cache, RoutingMetrics(registry))
    question = Question(problem, *cache_key(problem), "ann", 0.0)
    cache.put(question.key, solve(problem))
    assert known.find(question) is None
    assert registry.get_sample_value("signalbox_routing_failed_checks_total") == 1


def test_unproven_answers_are_not_remembered() -> None:
    """A search cut short is begun anew when asked again."""
    with serving() as server:
        for _ in range(2):
            answer = cut_short_by_its_limit(server, endless_problem(), 100)
            assert not answer.cached
            assert not answer.solution.proven


def test_answers_under_a_small_budget_are_not_for_everybody() -> None:
    """A proof that a small budget allowed may lack the canonical choice between equals."""
    problem = easy_problem(4)
    small = msgspec.structs.replace(problem, options=Options(node_budget=100_000))
    with serving() as server:
        assert server.stub.Solve(request(small)).solution.proven
        assert not server.stub.Solve(request(problem)).cached
        assert server.stub.Solve(request(small)).cached


@pytest.mark.parametrize("field", ["revenue", "upper_bound"])
def test_a_spoilt_entry_counts_as_unknown(field: str) -> None:
    """An answer from the cache that fails its check is counted, not given."""
    problem = easy_problem(5)
    registry = CollectorRegistry()
    cache = MemorySolutionCache(5)
    known = ProvenAnswers(cache, RoutingMetrics(registry))
    question = Question(problem, *cache_key(problem), "ann", 0.0)
    right = solve(problem)
    known.keep(question, right)
    assert known.find(question) == right
    wrong = msgspec.structs.replace(right, **{field: 1})
    cache.put(question.key, question.names.numbered(wrong))
    assert known.find(question) is None
    assert registry.get_sample_value("signalbox_routing_failed_checks_total") == 1
