"""Clauses of 1824 on routes, each by a board of a few stops, through the solver and through the verifier."""

from __future__ import annotations

import msgspec
import pytest

from services.routing.domain.problem import LockedRun, RouteProblem, Segment, Stop, StopKind, Train
from services.routing.domain.solution import Run
from services.routing.domain.solver import solve
from services.routing.domain.verify import check_runs, evaluate_run

OWN, FREE, FULL = ("X",), ("",), ("Y",)


def line(
    *kinds: StopKind, train: Train, tokens: tuple[str, ...] = ("0",), **slots: tuple[str, ...]
) -> RouteProblem:
    """Stops 0, 1, 2 ... of 10 each in one line, joined by segments a, b, c ...; `slots` by name as s0, s1."""
    stops = tuple(
        Stop(str(number), kind, str(number), 10, slots.get(f"s{number}", ()))
        for number, kind in enumerate(kinds)
    )
    segments = tuple(
        Segment(chr(97 + number), str(number), str(number + 1)) for number in range(len(kinds) - 1)
    )
    return RouteProblem("X", stops, segments, (train,), tokens)


def normal(reach: int, name: str = "T") -> Train:
    """A normal train."""
    return Train(name, "normal", reach)


def goods(reach: int, name: str = "T") -> Train:
    """A goods train."""
    return Train(name, "goods", reach, "free")


def reason(problem: RouteProblem, stops: str, segments: str, train: str = "T") -> str:
    """Why a run is refused, "" if it is legal."""
    answer = evaluate_run(problem, train, tuple(stops), tuple(segments))
    return "" if isinstance(answer, Run) else answer.reason


def best(problem: RouteProblem) -> int:
    """The proven best revenue."""
    solution = solve(problem)
    assert solution.proven
    return solution.revenue


@pytest.mark.clause("1824/VII.2-b")
def test_one_location_is_no_route() -> None:
    """A single stop, or two stops that are one location, are no route."""
    alone = line("city", train=normal(3))
    assert (best(alone), reason(alone, "0", "")) == (0, "route_too_short")
    pair = line("city", "city", train=normal(3))
    same = msgspec.structs.replace(
        pair, stops=tuple(msgspec.structs.replace(stop, place="W") for stop in pair.stops)
    )
    assert (best(same), reason(same, "01", "a")) == (0, "route_repeats_place")


@pytest.mark.clause("1824/VII.2-c")
@pytest.mark.parametrize("token", ["0", "1", "2"])
def test_a_token_at_any_point_suffices(token: str) -> None:
    """A route needs one own token, which may lie at either end or in between."""
    problem = line("city", "city", "city", train=normal(3), tokens=(token,))
    assert (best(problem), reason(problem, "012", "ab")) == (30, "")
    nowhere = msgspec.structs.replace(problem, token_stops=())
    assert (best(nowhere), reason(nowhere, "012", "ab")) == (0, "route_no_token")


def junction(*, merging: bool) -> RouteProblem:
    """Stop 0 joined to 1 and to 2 by two ways, which share the stem at 0 when they merge."""
    problem = line("city", "city", "city", train=normal(3), tokens=("0", "1", "2"))
    stems = (("stem",), ("stem",)) if merging else (("stem",), ("other stem",))
    segments = (Segment("a", "0", "1", stems[0]), Segment("b", "0", "2", stems[1]))
    return msgspec.structs.replace(problem, segments=segments)


@pytest.mark.clause("1824/VII.2-d")
def test_no_track_twice_but_separate_track_beside_it() -> None:
    """Two ways over the same stem exclude each other on one route; over separate track they do not."""
    assert (best(junction(merging=True)), reason(junction(merging=True), "102", "ab")) == (
        20,
        "route_track_reused",
    )
    assert (best(junction(merging=False)), reason(junction(merging=False), "102", "ab")) == (30, "")


@pytest.mark.clause("1824/VII.2-e")
def test_no_reversing_at_a_junction() -> None:
    """From 1 to 2 there is no way but by reversing at the junction, and no run may claim one."""
    assert reason(junction(merging=True), "12", "a") == "route_not_connected"
    assert reason(junction(merging=True), "12", "b") == "route_not_connected"


@pytest.mark.clause("1824/VII.2-f")
def test_a_route_leaves_a_location_on_another_track() -> None:
    """A stop joins any two of its tracks, so a route turns from one branch into the other there."""
    problem = line("city", "town", "city", "city", train=normal(3))
    star = msgspec.structs.replace(
        problem, segments=(Segment("a", "0", "1"), Segment("b", "1", "2"), Segment("c", "1", "3"))
    )
    assert [reason(star, "012", "ab"), reason(star, "013", "ac"), reason(star, "012", "ab")] == ["", "", ""]
    assert best(star) == 30


@pytest.mark.clause("1824/VII.2-g")
def test_red_areas_and_mines_lie_only_at_the_ends() -> None:
    """A route ends at an off-board area and does not go through it; nor does it go through a mine."""
    through = line("city", "offboard", "city", train=normal(3), tokens=("0", "2"))
    assert (best(through), reason(through, "012", "ab")) == (20, "route_offboard_in_middle")
    mine = line("city", "mine", "city", train=goods(2), tokens=("0", "2"))
    assert (best(mine), reason(mine, "012", "ab")) == (10, "route_mine_in_middle")
    assert reason(mine, "10", "a") == ""


@pytest.mark.clause("1824/VII.2-h")
def test_a_route_may_end_in_a_full_city() -> None:
    """A city full of other companies' tokens may be the first or the last stop."""
    problem = line("city", "city", train=normal(2), s1=("Y", "Z"))
    assert (best(problem), reason(problem, "01", "a"), reason(problem, "10", "a")) == (20, "", "")


@pytest.mark.clause("1824/VII.2-i")
def test_a_full_city_without_own_token_blocks_the_way() -> None:
    """No route goes through a city whose spaces are all held by others."""
    problem = line("city", "city", "city", train=normal(3), s1=("Y", "Z"))
    assert (best(problem), reason(problem, "012", "ab")) == (20, "route_passes_blocked_city")


@pytest.mark.clause("1824/VII.2-j")
@pytest.mark.parametrize(("slots", "tokens"), [(("Y", ""), ("0",)), (("Y", "X"), ("0", "1"))])
def test_a_free_space_or_an_own_token_opens_the_way(slots: tuple[str, ...], tokens: tuple[str, ...]) -> None:
    """Other companies' tokens do not block a city with a free space or an own token."""
    problem = line("city", "city", "city", train=normal(3), tokens=tokens, s1=slots)
    assert (best(problem), reason(problem, "012", "ab")) == (30, "")


@pytest.mark.clause("1824/VII.3-a")
def test_only_goods_trains_serve_mines() -> None:
    """A normal train has no run to a mine, a goods train has."""
    problem = line("city", "mine", train=normal(3))
    assert (len(solve(problem).runs), reason(problem, "01", "a")) == (0, "route_mine_needs_goods_train")
    assert reason(line("city", "mine", train=goods(1)), "10", "a") == ""


@pytest.mark.clause("1824/VII.3-b")
def test_no_route_has_a_mine_at_both_ends() -> None:
    """A goods train runs from one mine, never on to another."""
    problem = line("mine", "city", "mine", train=goods(3), tokens=("1",))
    solution = solve(problem)
    assert (solution.revenue, solution.treasury_income) == (10, 10)
    assert reason(problem, "012", "ab") == "goods_route_needs_one_mine"


@pytest.mark.clause("1824/VII.3-c")
def test_the_mine_takes_nothing_of_the_reach() -> None:
    """A 1g-train reaches one city beside its mine."""
    problem = line("mine", "city", "city", train=goods(1))
    assert (best(problem), reason(problem, "01", "a"), reason(problem, "012", "ab")) == (
        10,
        "",
        "route_too_long",
    )


@pytest.mark.clause("1824/VII.9-b", "1824/VII.9-c")
@pytest.mark.parametrize("middle", ["city", "town"])
def test_a_normal_train_counts_every_location_and_skips_none(middle: StopKind) -> None:
    """A 2-train does not get past the location between two cities, town or not."""
    two = line("city", middle, "city", train=normal(2))
    assert (best(two), reason(two, "012", "ab"), reason(two, "02", "a")) == (
        20,
        "route_too_long",
        "route_not_connected",
    )
    three = line("city", middle, "city", train=normal(3))
    assert (best(three), reason(three, "012", "ab")) == (30, "")


@pytest.mark.clause("1824/VII.9-d")
def test_a_goods_train_starts_at_a_mine() -> None:
    """Without a mine a goods train has no run, however rich the cities."""
    problem = line("city", "city", train=goods(3))
    assert (len(solve(problem).runs), reason(problem, "01", "a")) == (0, "goods_route_needs_one_mine")


@pytest.mark.clause("1824/VII.9-g")
def test_a_goods_train_skips_no_city() -> None:
    """A 1g-train stops at the first city though a richer one lies behind it, and passes any number of towns."""
    problem = line("mine", "town", "city", "town", "town", "city", train=goods(1))
    run = solve(problem).runs[0]
    assert (run.revenue, run.counted_stops) == (40, ("1", "2", "3", "4"))
    assert reason(problem, "012345", "abcde") == "route_too_long"


@pytest.mark.clause("1824/VII.9-h")
def test_no_location_twice() -> None:
    """A ring does not come back to its start, and two red hexes of one area are one location."""
    ring = msgspec.structs.replace(
        line("city", "city", "city", train=normal(4)),
        segments=(Segment("a", "0", "1"), Segment("b", "1", "2"), Segment("c", "2", "0")),
    )
    assert (best(ring), reason(ring, "0120", "abc")) == (30, "route_repeats_place")
    area = line("offboard", "city", "offboard", train=normal(3), tokens=("1",))
    stops = tuple(
        msgspec.structs.replace(stop, place="1" if stop.id == "1" else "Kiew") for stop in area.stops
    )
    area = msgspec.structs.replace(area, stops=stops)
    assert (best(area), reason(area, "012", "ab")) == (20, "route_repeats_place")


@pytest.mark.clause("1824/VII.9-i")
def test_a_red_area_counts_for_the_reach() -> None:
    """A 1g-train reaches either the city or, without one on the way, the red area, not both."""
    problem = line("mine", "city", "offboard", train=goods(1))
    assert (best(problem), reason(problem, "012", "ab")) == (10, "route_too_long")
    assert best(line("mine", "offboard", train=goods(1))) == 10


def crossing(*, merging: bool) -> RouteProblem:
    """Two lines that cross: where the crossing merges track it is one resource, else each has its own side."""
    problem = line("city", "city", "city", "city", train=normal(2), tokens=("0", "2"))
    sides = ("junction", "junction") if merging else ("one", "other")
    segments = (Segment("a", "0", "1", (sides[0],)), Segment("b", "2", "3", (sides[1],)))
    return msgspec.structs.replace(problem, segments=segments, trains=(normal(2, "T"), normal(2, "U")))


@pytest.mark.clause("1824/VII.9-j")
def test_trains_of_a_company_share_no_track() -> None:
    """Two trains cross on separate track, but only one may use a junction that merges theirs."""
    runs = [LockedRun("T", ("0", "1"), ("a",)), LockedRun("U", ("2", "3"), ("b",))]
    assert best(crossing(merging=False)) == 40
    assert isinstance(check_runs(crossing(merging=False), runs), tuple)
    assert best(crossing(merging=True)) == 20
    refused = check_runs(crossing(merging=True), runs)
    assert not isinstance(refused, tuple)
    assert refused.reason == "trains_share_track"


def test_terminal_track_ends_a_route() -> None:
    """A route along track marked terminal begins or ends at that stop and does not pass it."""
    problem = line("city", "city", "city", train=normal(3))
    segments = (msgspec.structs.replace(problem.segments[0], terminal_b=True), problem.segments[1])
    problem = msgspec.structs.replace(problem, segments=segments, token_stops=("0", "2"))
    assert (best(problem), reason(problem, "012", "ab")) == (20, "route_passes_terminal_track")
