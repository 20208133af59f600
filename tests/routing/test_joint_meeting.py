"""Freight runs joined wherever their ends meet."""

from __future__ import annotations

from itertools import combinations, count, islice

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from services.routing.convert import solution_from_message, solution_to_message
from services.routing.domain.joint.meeting import FreightRun, LongerRun, longer_runs
from services.routing.domain.numbering import number_names
from services.routing.domain.problem import Options
from services.routing.domain.solver import solve
from services.routing.domain.verify import verify_solution
from tests.routing.joint_boards import random_meeting, three_that_meet
from tests.routing.joint_oracle import best_network_money, choice_count, rank


def run(name: str, joins: bool = False) -> FreightRun:
    """A run called by its ends, `ab` from a to b."""
    return FreightRun(name, name[0], name[1], joins)


def reported(*names: str, joins: str = "") -> list[tuple[str, str, str, str]] | None:
    """Parts, begin, end and leader of the longer runs; trains in `joins` must join."""
    found = longer_runs([run(name, name in joins.split()) for name in names])
    return None if found is None else [_shown(each) for each in found]


def _shown(longer: LongerRun) -> tuple[str, str, str, str]:
    return " ".join(part.train for part in longer.parts), longer.begin, longer.end, longer.leader


def test_runs_that_do_not_meet_stay_apart() -> None:
    """Each is its own longer run."""
    assert reported("ab", "cd") == [("ab", "a", "b", "ab"), ("cd", "c", "d", "cd")]


def test_runs_end_to_end_are_one() -> None:
    """Whatever the order and their directions; the one given first leads."""
    assert reported("bc", "ab", "dc") == [("ab bc dc", "a", "d", "bc")]
    assert reported("ab", "cb") == [("ab cb", "a", "c", "ab")]


def test_those_that_must_join_come_first() -> None:
    """The longer run with such a train is made before others."""
    assert reported("ab", "xy", "yz", joins="yz") == [("xy yz", "x", "z", "yz"), ("ab", "a", "b", "ab")]


def test_where_three_meet_the_run_goes_on_into_one() -> None:
    """Into the branch with a train that must join, else into the longest; the other runs by itself."""
    assert reported("ab", "bc", "bd", "de") == [("ab bd de", "a", "e", "ab"), ("bc", "b", "c", "bc")]
    assert reported("bc", "bd", "de", "ab", joins="ab") == [
        ("ab bd de", "a", "e", "ab"),
        ("bc", "b", "c", "bc"),
    ]
    assert reported("ab", "bd", "de", "bc", joins="ab bc") == [
        ("ab bc", "a", "c", "ab"),
        ("bd de", "b", "e", "bd"),
    ]


def test_a_ring_begins_and_ends_where_its_first_run_begins() -> None:
    """Two runs between the same ends, or three in a circle."""
    found = longer_runs([FreightRun("x", "a", "b", False), FreightRun("y", "b", "a", False)])
    assert found is not None and [(each.begin, each.end, len(each.parts)) for each in found] == [
        ("a", "a", 2)
    ]
    assert reported("ab", "bc", "ca") == [("ab bc ca", "a", "a", "ab")]


def test_a_run_that_ends_in_its_own_middle_is_none() -> None:
    """A tail on a ring has one free end alone."""
    assert reported("ab", "bc", "cb") is None


def test_a_run_with_both_ends_in_its_middle_is_paid_where_it_was_started() -> None:
    """Three runs between the same stops: the first starts, the others follow at its first end; all stand in a row."""
    runs = [FreightRun(name, "a", "b", False) for name in "xyz"]
    found = longer_runs(runs)
    assert found is not None and len(found) == 1
    longer = found[0]
    assert ("".join(part.train for part in longer.parts), longer.begin, longer.end) == ("zyx", "a", "a")
    assert longer.first == "a"


@pytest.mark.parametrize(
    "ends", [["ab"] * 24, ["ab", "bc", "ca"] * 8, ["".join(pair) for pair in combinations("abcdefg", 2)]]
)
def test_many_runs_that_meet_follow_each_other(ends: list[str]) -> None:
    """Each stop has an even number of runs, so all of them stand in one row; trying every order would never end."""
    found = longer_runs(
        [FreightRun(str(number), pair[0], pair[1], False) for number, pair in enumerate(ends)]
    )
    assert found is not None
    assert [len(longer.parts) for longer in found] == [len(ends)]


def follow_most(end: str, left: dict[str, FreightRun]) -> list[FreightRun]:
    """What follows at an end, word by word as the rule says it: every branch is tried."""
    branches = []
    for each in left.values():
        if end in (each.first, each.last):
            rest = {train: other for train, other in left.items() if train != each.train}
            branches.append([each, *follow_most(each.other_end(end), rest)])
    joining = (branch for branch in branches if any(each.joins for each in branch))
    return next(joining, max(branches, key=len, default=[]))


@given(
    st.lists(
        st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde"), st.booleans()), min_size=1, max_size=6
    )
)
def test_what_follows_is_what_trying_every_branch_finds(drawn: list[tuple[str, str, bool]]) -> None:
    """At both ends of the run that starts, over the runs that are left then."""
    runs = [FreightRun(str(number), *each) for number, each in enumerate(drawn)]
    start = next((each for each in runs if each.joins), runs[0])
    left = {each.train: each for each in runs if each is not start}
    back = follow_most(start.first, left)
    on = follow_most(start.last, {train: each for train, each in left.items() if each not in back})
    found = longer_runs(runs)
    assert found is None or {each.train for each in found[0].parts} == {
        each.train for each in (start, *back, *on)
    }


MEETING_BOARDS, CUT_SHORT_EVERY = 500, 10
COMBINATIONS_MOST = 300


def test_runs_that_meet_are_the_best_of_every_order() -> None:
    """On random boards: total and tie-break are those of all routes in all orders, proven, and pass the check in their
    order; a search cut short stays below its bound. Some are joined otherwise in other orders."""
    boards = (random_meeting(seed) for seed in count())
    in_order = earning = 0
    for number, problem in enumerate(
        islice((each for each in boards if choice_count(each) <= COMBINATIONS_MOST), MEETING_BOARDS)
    ):
        answer = solve(problem)
        truth = rank(problem, best_network_money(problem))
        assert verify_solution(problem, answer) is None, problem
        assert answer.proven and rank(problem, (answer.revenue, answer.treasury_income)) == truth, problem
        in_order += bool(answer.order)
        earning += answer.revenue > 0
        if number % CUT_SHORT_EVERY == 0:
            short = solve(replace(problem, options=Options(node_budget=40)))
            assert short.upper_bound >= truth[0], problem
    assert in_order > MEETING_BOARDS // 100 and earning > MEETING_BOARDS // 3


def test_of_three_that_meet_two_are_joined_and_the_order_says_which() -> None:
    """Every stop counts, and 20 for the hex between b and what it is joined with; a and c joined have none between."""
    problem = three_that_meet()
    answer = solve(problem)
    assert (answer.revenue, answer.proven, len(answer.order)) == (50 + 40 + 30 + 10 + 20, True, 3)
    assert verify_solution(problem, answer) is None
    train_to = {next(name for name in run.stops if name != "m"): run.train for run in answer.runs}
    worse = tuple(train_to[name] for name in "acb")
    fault = verify_solution(problem, replace(answer, order=worse))
    assert fault is not None and fault.reason == "value_wrong"


def test_an_order_is_kept_under_other_names_and_on_the_wire() -> None:
    """An answer of the cache, or of another process, has its order in the names of the problem."""
    problem = three_that_meet()
    answer = solve(problem)
    _, names = number_names(problem)
    assert names.named(names.numbered(answer)) == answer
    assert solution_from_message(solution_to_message(answer)) == answer
