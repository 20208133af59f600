"""The solver of one network against the slow truth."""

from __future__ import annotations

import random
from itertools import islice, pairwise
from typing import Any

import msgspec
import pytest

from services.routing.domain.canonical import problem_key, reordered_for
from services.routing.domain.joint import choice, pricing
from services.routing.domain.joint.attached import Attached
from services.routing.domain.problem import Options, RouteProblem, Segment, Train
from services.routing.domain.solution import RouteSolution, maximised_value
from services.routing.domain.solver import solve
from services.routing.domain.verify import verify_solution
from tests.routing.joint_boards import TRAIN_MIXES, express, freight, local, random_network
from tests.routing.joint_late import RIPE_BOARDS, late_network
from tests.routing.joint_oracle import best_network_money, choice_count, rank

COMBINATIONS_MOST = 4_000
BOARDS, PROGRAM_BOARDS = 40, 20


def boards(mix: str, count: int, first: int = 0) -> list[tuple[int, RouteProblem]]:
    """Boards of a mix that the truth can be found for in time."""
    drawn = ((seed, random_network(seed, mix)) for seed in range(first, first + 100_000))
    return list(islice((each for each in drawn if choice_count(each[1]) <= COMBINATIONS_MOST), count))


@pytest.mark.parametrize("mix", TRAIN_MIXES)
def test_the_best_of_all_combinations_is_found_and_proven(mix: str) -> None:
    """Total and tie-break are those of the truth, the answer is proven and passes its check."""
    earning = 0
    for seed, problem in boards(mix, BOARDS):
        answer = solve(problem)
        assert verify_solution(problem, answer) is None, seed
        assert answer.proven, seed
        truth = best_network_money(problem)
        assert rank(problem, (answer.revenue, answer.treasury_income)) == rank(problem, truth), seed
        earning += answer.revenue > 0
    assert earning > BOARDS // 4


@pytest.mark.parametrize("mix", TRAIN_MIXES)
def test_programs_find_and_prove_the_best(monkeypatch: pytest.MonkeyPatch, mix: str) -> None:
    """Without branching or good prices first: by the program in whole numbers, and by its prices alone."""
    programs: list[Attached] = []

    def made(*args: Any) -> Attached:
        programs.append(Attached(*args))
        return programs[-1]

    monkeypatch.setattr(choice, "BRANCH_STEPS", 0)
    monkeypatch.setattr(pricing, "ROUNDS_MOST", 0)
    monkeypatch.setattr(choice, "Attached", made)
    for seed, problem in boards(mix, PROGRAM_BOARDS, 4_000):
        truth = rank(problem, best_network_money(problem))
        for slots_least in (1, 100):
            monkeypatch.setattr(choice, "PROGRAM_SLOTS_LEAST", slots_least)
            answer = solve(problem)
            assert answer.proven, seed
            assert verify_solution(problem, answer) is None, seed
            assert rank(problem, (answer.revenue, answer.treasury_income)) == truth, seed
    assert programs or mix == "joined"


@pytest.mark.parametrize(
    ("ripe", "trains"),
    [
        ("dense", tuple(express(3, name=f"e{number}") for number in range(12))),
        ("ripe", tuple(freight(reach) for reach in range(6, 14))),
    ],
    ids=("twelve express trains", "eight freight trains"),
)
def test_many_trains_are_proven(ripe: str, trains: tuple[Train, ...]) -> None:
    """As mergers bring together: equal ones, and freight trains of which all ways of joining are tried."""
    problem = late_network(0, trains, RIPE_BOARDS[ripe])
    answer = solve(problem)
    assert answer.proven
    assert verify_solution(problem, answer) is None


def value_of(problem: RouteProblem, answer: RouteSolution) -> int:
    """What an answer reaches, in the unit that is maximised."""
    return maximised_value(answer, problem.parameters.compare_treasury_income)


@pytest.mark.parametrize("mix", TRAIN_MIXES)
def test_a_search_cut_short_stays_below_the_truth_and_its_bound_above(mix: str) -> None:
    """However early the budget ends, the runs are legal, the truth lies between them and the bound, and proof is true."""
    for seed, problem in boards(mix, BOARDS, 500):
        truth = rank(problem, best_network_money(problem))[0]
        for budget in (1, 2, 5, 20, 60, 200):
            short = msgspec.structs.replace(problem, options=Options(node_budget=budget))
            answer = solve(short)
            assert verify_solution(short, answer) is None, seed
            assert value_of(short, answer) <= truth <= answer.upper_bound, (seed, budget)
            assert not answer.proven or value_of(short, answer) == truth, (seed, budget)


@pytest.mark.parametrize("mix", TRAIN_MIXES)
def test_answers_on_the_way_are_legal_and_get_better(mix: str) -> None:
    """Each answer reported on the way is legal and richer, or under a lower bound, than the one before."""
    for seed, problem in boards(mix, BOARDS, 1_000):
        reported: list[RouteSolution] = []
        reported.append(solve(problem, on_better=reported.append))
        for answer in reported:
            assert verify_solution(problem, answer) is None, seed
        for before, after in pairwise(reported):
            assert value_of(problem, after) >= value_of(problem, before), seed
            assert after.upper_bound <= before.upper_bound, seed


def reordered(problem: RouteProblem, draw: random.Random) -> RouteProblem:
    """The problem in another order, half of its segments from their other end."""

    def turned(segment: Segment) -> Segment:
        return msgspec.structs.replace(
            segment,
            a=segment.b,
            b=segment.a,
            hexes=segment.hexes[::-1],
            terminal_a=segment.terminal_b,
            terminal_b=segment.terminal_a,
        )

    segments = [turned(each) if draw.random() < 0.5 else each for each in problem.segments]
    return msgspec.structs.replace(
        problem,
        stops=tuple(draw.sample(problem.stops, len(problem.stops))),
        segments=tuple(draw.sample(segments, len(segments))),
        trains=tuple(draw.sample(problem.trains, len(problem.trains))),
        token_stops=tuple(draw.sample(problem.token_stops, len(problem.token_stops))),
    )


@pytest.mark.parametrize("mix", TRAIN_MIXES)
def test_how_a_problem_is_told_changes_no_run(mix: str) -> None:
    """In another order the problem has the same name and the same answer, which passes the other's check."""
    for seed, problem in boards(mix, BOARDS, 2_000):
        other = reordered(problem, random.Random(seed))
        assert problem_key(other) == problem_key(problem)
        answer = solve(problem)
        reported = reordered_for(other, answer)
        assert verify_solution(other, reported) is None, seed
        assert {frozenset(run.stops) for run in solve(other).runs} == {
            frozenset(run.stops) for run in answer.runs
        }, seed


@pytest.mark.parametrize("mix", TRAIN_MIXES)
def test_more_never_earns_less(mix: str) -> None:
    """A token more, a free space in every city, a longer reach or no limit on what is counted lowers no total."""
    for seed, problem in boards(mix, BOARDS, 3_000):
        least = value_of(problem, solve(problem))
        cities = tuple(stop.id for stop in problem.stops if stop.kind == "city")
        open_stops = tuple(msgspec.structs.replace(stop, slots=()) for stop in problem.stops)
        longer = tuple(msgspec.structs.replace(train, reach=train.reach + 1) for train in problem.trains)
        unlimited = tuple(msgspec.structs.replace(train, counts=0) for train in problem.trains)
        for changes in (
            {"token_stops": cities},
            {"stops": open_stops},
            {"trains": longer},
            {"trains": unlimited},
        ):
            richer = msgspec.structs.replace(problem, **changes)
            assert value_of(richer, solve(richer)) >= least, (seed, tuple(changes))


@pytest.mark.parametrize("ripe", RIPE_BOARDS)
def test_ripe_boards_are_proven(ripe: str) -> None:
    """Four large trains of all kinds are solved to proof on boards of a late game, and the answers pass their check."""
    trains = (freight(7), express(5, 4, name="e"), local(5, 4, name="l"), express(5))
    for seed in range(3):
        problem = late_network(seed, trains, RIPE_BOARDS[ripe])
        answer = solve(problem)
        assert answer.proven
        assert verify_solution(problem, answer) is None
        assert answer.revenue > 0
