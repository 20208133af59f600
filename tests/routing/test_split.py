"""Taking the track of a flow apart, against trial of all ways to give its segments to trains."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from services.routing.domain.budget import Budget
from services.routing.domain.flow.crew import routes_apart
from services.routing.domain.flow.model import Flow, flow_of
from services.routing.domain.network import Network, Scores
from services.routing.domain.problem import RouteProblem, Train
from services.routing.domain.solution import Run
from services.routing.domain.verify import evaluate_run
from tests.routing.boards import small_board

BOARDS = 60
SEGMENTS_MOST = 6
STEPS = 1_000_000
NO_END = 1 << 60
DIESEL = Train("D", "normal", 0)
GOODS_DIESEL = Train("D", "goods", 0, "free")


def run_over(problem: RouteProblem, network: Network, segments: Sequence[int]) -> Run | None:
    """The run of the first train over all of these segments, if they make a legal one."""
    left = [network.segments[number] for number in segments]
    stops = [stop for segment in left for stop in (segment.a, segment.b)]
    ends = sorted(stop for stop in set(stops) if stops.count(stop) == 1)
    if not ends:
        return None
    way, along = [ends[0]], list[str]()
    while following := next((each for each in left if way[-1] in (each.a, each.b)), None):
        left.remove(following)
        along.append(following.id)
        way.append(following.b if way[-1] == following.a else following.a)
    run = evaluate_run(problem, problem.trains[0].id, way, along)
    return run if isinstance(run, Run) and not left else None


def worth_of(problem: RouteProblem, runs: Sequence[Run | None]) -> tuple[int, int]:
    """The money of runs in the order of what is maximised and what decides ties."""
    revenue = sum(run.revenue for run in runs if run is not None)
    income = sum(run.treasury_income for run in runs if run is not None)
    return (revenue + income, revenue) if problem.parameters.compare_treasury_income else (revenue, income)


def best_by_trial(
    problem: RouteProblem, network: Network, flow: Flow, used: Sequence[int]
) -> tuple[int, int] | None:
    """The most that runs are worth that use exactly these segments of the flow; None where there are none."""
    best: tuple[int, int] | None = None
    for trains in product(range(flow.trains), repeat=len(used)):
        groups = [
            [int(flow.segments[place]) for place, train in zip(used, trains, strict=True) if train == number]
            for number in range(flow.trains)
        ]
        runs = [run_over(problem, network, group) for group in groups if group]
        if None not in runs:
            worth = worth_of(problem, runs)
            best = worth if best is None else max(best, worth)
    return best


@pytest.mark.parametrize("train", [DIESEL, GOODS_DIESEL], ids=["normal", "goods"])
@pytest.mark.parametrize("count", [2, 3])
def test_a_flow_comes_apart_into_the_best_runs_or_surely_not(train: Train, count: int) -> None:
    """On boards with all oddities, for some free segments: the runs use all of them and are worth the most; or none do."""
    apart = 0
    for seed in range(BOARDS):
        problem = small_board(seed, (train,))
        network, draw = Network(problem, Scores(problem), Budget(1 << 60, lambda: False)), random.Random(seed)
        flow = flow_of(network, train, count, np.zeros(network.track.shape[1], np.uint64))
        used = free_segments(network, flow, draw)
        routes, is_certain = routes_apart(
            network, flow, np.array(used, np.int64), NO_END, STEPS, Budget(NO_END, lambda: False)
        )
        assert is_certain
        found = [run_over(problem, network, route.segments) for route in routes]
        assert None not in found
        truth = best_by_trial(problem, network, flow, used)
        if not routes:
            assert truth is None or not used, seed
            continue
        apart += len(routes) > 1
        assert sorted(each for route in routes for each in route.segments) == flow.segments[used].tolist()
        assert worth_of(problem, found) == truth, seed
    assert apart


def free_segments(network: Network, flow: Flow, draw: random.Random) -> list[int]:
    """Places of some segments of the flow, of which no two exclude each other."""
    chosen: list[int] = []
    for place in draw.sample(range(len(flow.segments)), len(flow.segments)):
        track = network.track[flow.segments[[place, *chosen]]]
        if len(chosen) < SEGMENTS_MOST and not np.any(track[0] & track[1:]):
            chosen.append(place)
    return sorted(chosen)
