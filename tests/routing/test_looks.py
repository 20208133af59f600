"""How long the solver works between two looks at the clock."""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable, Iterator

import msgspec
import pytest

from services.routing.domain.joint import choice
from services.routing.domain.problem import Parameters, RouteProblem, Segment, Stop, Train
from services.routing.domain.solver import solve, warm_up
from services.routing.domain.verify import verify_solution
from tests.bench.solver import board_with
from tests.routing.direct_boards import largest_board
from tests.routing.term_boards import with_many_bonuses

ROUNDS_MOST = 8
SECONDS_MOST = 0.020
# What comes after the last look, on a board at the limits of the format.
SECONDS_AFTER_MOST = 0.100
SIDE, LOOKS_AT_LIMITS = 20, 1000
LOOKS_BEYOND_MANY_WAYS = 20_000
STEPS = 4_000_000


@pytest.fixture(autouse=True)
def _garbage_is_left_until_after() -> Iterator[None]:
    """As in the processes that solve, which collect it between questions."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def looks_of(problem: RouteProblem, looks_most: int = 1 << 60) -> list[float]:
    """Seconds of one core before each look at the clock, in a search cut short after some steps, or looks."""
    limited = msgspec.structs.replace(
        problem, options=msgspec.structs.replace(problem.options, node_budget=STEPS)
    )
    looks, last = [], time.thread_time()

    def look() -> bool:
        nonlocal last
        now = time.thread_time()
        looks.append(now - last)
        last = time.thread_time()
        return len(looks) > looks_most

    solve(limited, look)
    if len(looks) <= looks_most:
        look()
    return looks


def longest_work(rounds: list[list[float]]) -> float:
    """Seconds between two looks, without what the machine did beside it: a search looks at the same steps each time, so the
    least of some rounds is what the work takes. While a program runs it looks by the clock: then that round counts in which
    the longest time is the least."""
    if len({len(each) for each in rounds}) == 1:
        shortest: list[float] = [min(each) for each in zip(*rounds, strict=True)]
        return max(shortest)
    return min(max(each) for each in rounds)


def board_at_limits(trains: int, side: int = SIDE) -> RouteProblem:
    """So many stops in a square, by default 400, joined to all their neighbours thrice, at most 4,000 segments; diesels."""
    draw = random.Random(1)
    places = [(x, y) for x in range(side) for y in range(side)]
    stops = tuple(Stop(f"{x}.{y}", "city", f"{x}.{y}", draw.randrange(10, 90, 10)) for x, y in places)
    segments = [
        Segment(f"{x}.{y}-{dx}.{dy}-{number}", f"{x}.{y}", f"{x + dx}.{y + dy}")
        for x, y in places
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
        if x + dx < side and 0 <= y + dy < side
        for number in range(3)
    ]
    middle = f"{side // 2}.{side // 2}"
    return RouteProblem("X", stops, tuple(segments[:4000]), _diesels(trains), ("0.0", middle))


def _diesels(count: int) -> tuple[Train, ...]:
    return tuple(Train(f"D{number}", "normal", 0) for number in range(count))


def with_limited_trains() -> RouteProblem:
    """A diesel beside trains with a limit."""
    problem = board_at_limits(1)
    return msgspec.structs.replace(
        problem, trains=(*problem.trains, Train("6", "normal", 6), Train("5", "normal", 5))
    )


def hub(*reaches: int) -> RouteProblem:
    """Ten ways from one stop to each of 399 others; trains of such reaches."""
    draw = random.Random(2)
    names = [f"{number:03d}" for number in range(400)]
    stops = tuple(Stop(name, "city", name, draw.randrange(10, 90, 10)) for name in names)
    segments = tuple(Segment(f"{name}-{way}", names[0], name) for name in names[1:] for way in range(10))
    trains = tuple(Train(f"{number}", "normal", reach) for number, reach in enumerate(reaches))
    return RouteProblem("X", stops, segments, trains, (names[0],))


def sharing() -> RouteProblem:
    """Every segment uses twenty resources of four thousand."""
    problem, draw = board_at_limits(2), random.Random(3)
    names = [f"r{number}" for number in range(4000)]
    segments = tuple(
        msgspec.structs.replace(segment, resources=tuple(draw.sample(names, 20)))
        for segment in problem.segments
    )
    return msgspec.structs.replace(problem, segments=segments)


def many_express_trains(*reaches: int) -> RouteProblem:
    """In one network, with more routes than can be listed; trains of such reaches."""
    problem = board_at_limits(0)
    stops = tuple(
        msgspec.structs.replace(stop, position=(int(x), int(y)))
        for stop in problem.stops
        for x, y in (stop.id.split("."),)
    )
    trains = tuple(Train(f"E{number}", "express", reach) for number, reach in enumerate(reaches))
    return msgspec.structs.replace(
        problem, stops=stops, trains=trains, family="one_network", parameters=Parameters(home="0.0")
    )


BOARDS_AT_LIMITS: dict[str, Callable[[], RouteProblem]] = {
    "100 stops, D+D": lambda: board_at_limits(2, 10),
    "196 stops, D+D": lambda: board_at_limits(2, 14),
    "D": lambda: board_at_limits(1),
    "D+D": lambda: board_at_limits(2),
    "D+D+D": lambda: board_at_limits(3),
    "D+6+5": with_limited_trains,
    "hub": lambda: hub(0, 0),
    "hub, trains with a limit": lambda: hub(6, 5, 3),
    "hub, with and without": lambda: hub(0, 6, 5),
    "sharing": sharing,
    "express": lambda: many_express_trains(*[6] * 12),
    "express of many sorts": lambda: many_express_trains(*range(4, 28)),
    "direct": largest_board,
}


@pytest.mark.parametrize("board", BOARDS_AT_LIMITS)
def test_the_clock_is_looked_at_every_20_ms_at_the_limits_of_the_format(board: str) -> None:
    """From the first thing that a search does, also while what it needs is prepared and while programs run."""
    check(BOARDS_AT_LIMITS[board](), LOOKS_AT_LIMITS)


@pytest.mark.parametrize("trains", [1, 2, 3])
def test_a_search_at_the_limits_ends_soon_after_its_last_look(trains: int) -> None:
    """What it has found is made an answer."""
    warm_up()
    after = []
    for _ in range(2):
        looks, last = 0, 0.0

        def look() -> bool:
            nonlocal looks, last
            looks, last = looks + 1, time.thread_time()
            return looks > LOOKS_AT_LIMITS

        assert solve(board_at_limits(trains), look).revenue > 0
        after.append((time.thread_time() - last) / trains)
    assert min(after) <= SECONDS_AFTER_MOST


@pytest.mark.parametrize("board", ["hub, with and without", "express of many sorts", "direct"])
def test_a_search_of_many_parts_ends_soon_after_it_is_told_to(board: str) -> None:
    """What it does when nothing was found yet does not grow with the sorts of trains; what it stored is soon freed."""
    warm_up()
    most = LOOKS_BEYOND_MANY_WAYS if board == "direct" else LOOKS_AT_LIMITS
    after = []
    for _ in range(2):
        looks, last = 0, 0.0

        def look() -> bool:
            nonlocal looks, last
            looks += 1
            if looks <= most + 1:
                last = time.thread_time()
            return looks > most

        solve(BOARDS_AT_LIMITS[board](), look)
        after.append(time.thread_time() - last)
    assert min(after) <= SECONDS_AFTER_MOST


@pytest.mark.parametrize("looks", [0, 3, 20])
@pytest.mark.parametrize("board", ["D+D", "sharing", "express"])
def test_a_search_that_ends_while_the_board_is_read_has_a_bound(board: str, looks: int) -> None:
    """Nothing is found then, and what is said holds."""
    problem, left = BOARDS_AT_LIMITS[board](), iter(range(looks))
    explained = msgspec.structs.replace(
        problem, options=msgspec.structs.replace(problem.options, explain=True)
    )
    answer = solve(explained, lambda: next(left, None) is None)
    assert verify_solution(explained, answer) is None
    assert not answer.proven
    assert answer.upper_bound > answer.revenue
    assert answer.explanation is not None


def check(problem: RouteProblem, looks_most: int = 1 << 60) -> None:
    """On a busy machine the same work takes longer, so some rounds more may be needed to see what it takes."""
    warm_up()
    rounds: list[list[float]] = []
    while not rounds or (longest_work(rounds) > SECONDS_MOST and len(rounds) < ROUNDS_MOST):
        rounds.append(looks_of(problem, looks_most))
    assert longest_work(rounds) <= SECONDS_MOST


@pytest.mark.parametrize(
    ("board", "trains", "seed"),
    [
        ("dense", "D+6", 1),
        ("dense", "D+6+5", 0),
        ("dense", "D+D+D", 1),
        ("dense", "10+5g+4g", 0),
        ("network dense", "7F+7F+6E", 1),
        ("network dense", "6F+7F+8F+9F+10F+11F+12F+13F", 0),
        ("network one token", "9F+6L+6E", 0),
    ],
)
def test_the_clock_is_looked_at_every_20_ms_on_dense_boards(board: str, trains: str, seed: int) -> None:
    """Sweeps with a hundred thousand states, long lists of routes, large choices: none works longer without a look."""
    check(board_with(board, trains, seed))


def test_the_clock_is_looked_at_every_20_ms_with_many_trains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither does a program of thousands of columns."""
    monkeypatch.setattr(choice, "BRANCH_STEPS", 0)
    check(board_with("network dense", "+".join(["6E"] * 8), 0))


@pytest.mark.parametrize("trains", ["D+6", "5/8+4/6"])
def test_the_clock_is_looked_at_every_20_ms_with_many_bonuses(trains: str) -> None:
    """Neither do the cases of many bonuses, nor their joined lists."""
    check(with_many_bonuses(board_with("dense", trains, 1)))


def test_the_clock_is_looked_at_every_20_ms_while_cases_are_made() -> None:
    """There are up to 128 for each sort of train."""
    problem = with_many_bonuses(board_with("dense", "D+6", 1))
    trains = tuple(Train(f"{reach}", "normal", reach) for reach in range(3, 11))
    check(msgspec.structs.replace(problem, trains=trains), LOOKS_AT_LIMITS)
