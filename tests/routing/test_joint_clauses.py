"""Clauses of 1862 on what runs of one network are and earn, by the figures that the rulebook works out."""

from __future__ import annotations

import msgspec
import pytest

from services.routing.domain.problem import Parameters, RouteProblem, Train
from services.routing.domain.solution import Run
from services.routing.domain.verify import check_runs, evaluate_run
from tests.routing.joint_boards import claim, express, freight, local, network_problem, stop, track

replace = msgspec.structs.replace

EAST_NORFOLK = (
    (
        stop("port", "p", 80, "F1"),
        stop("Cromer", "C", 20, "F3"),
        stop("Norwich", "C", 40, "F5"),
        stop("Acle", "t", 20, "G6"),
        stop("Beccles", "C", 30, "G8"),
        stop("Ipswich", "C", 60, "F11"),
        stop("Lowestoft", "C", 20, "H7"),
    ),
    (
        track("port", "Cromer", "F1 F3"),
        track("Cromer", "Norwich", "F3 F5"),
        track("Norwich", "Acle", "F5 G6"),
        track("Acle", "Beccles", "G6 G8"),
        track("Beccles", "Ipswich", "G8 G10 F11"),
        track("Beccles", "Lowestoft", "G8 H7"),
    ),
)


def east_norfolk(*trains: Train) -> RouteProblem:
    """The board of the rulebook's table of routes, company at Cromer with tokens that its joined trains need."""
    return network_problem(*EAST_NORFOLK, trains, "Cromer Norwich", "Cromer")


def earned(problem: RouteProblem, **stops_of: str) -> tuple[int, int]:
    """Revenue and income of runs given by train and stops; a train's name is given with a leading letter."""
    runs = check_runs(problem, [claim(problem, name[1:], stops) for name, stops in stops_of.items()])
    assert isinstance(runs, tuple), runs
    return sum(run.revenue for run in runs), sum(run.treasury_income for run in runs)


def refused(problem: RouteProblem, **stops_of: str) -> str:
    """The code for which these runs are refused, "" if they are legal."""
    runs = check_runs(problem, [claim(problem, name[1:], stops) for name, stops in stops_of.items()])
    return "" if isinstance(runs, tuple) else runs.reason


@pytest.mark.clause("1862/ENR-a")
@pytest.mark.clause("1862/ENR-b")
def test_one_freight_1_from_the_port() -> None:
    """1F over one hex side earns the port's 80 and Cromer's 20, no hex lies between."""
    assert earned(east_norfolk(freight(1)), t1F="port Cromer") == (100, 0)


@pytest.mark.clause("1862/ENR-c")
def test_two_freight_1_make_a_freight_2() -> None:
    """Two 1F end to end earn the ends and one hex at 30, as one 2F would."""
    trains = freight(1, "a"), freight(1, "b")
    runs = east_norfolk(*trains)
    assert earned(runs, ta="port Cromer", tb="Cromer Norwich") == (150, 0)


@pytest.mark.clause("1862/ENR-d")
@pytest.mark.clause("1862/ENR-e")
def test_freight_2_and_freight_3() -> None:
    """2F to Norwich earns 150; 3F cannot end at Acle, and from Cromer to Beccles earns 90."""
    assert earned(east_norfolk(freight(2)), t2F="port Cromer Norwich") == (150, 0)
    assert refused(east_norfolk(freight(3)), t3F="port Cromer Norwich Acle") == "route_ends_at_town"
    assert earned(east_norfolk(freight(3)), t3F="Cromer Norwich Acle Beccles") == (90, 0)


@pytest.mark.clause("1862/ENR-f")
@pytest.mark.clause("1862/ENR-g")
def test_expresses_count_each_city_once_and_no_town() -> None:
    """2E earns 100; with 2/3E over Norwich and Acle to Beccles both earn 170."""
    assert earned(east_norfolk(express(2)), t2E="port Cromer") == (100, 0)
    both = east_norfolk(express(2), express(3, 2))
    assert earned(both, t2E="port Cromer", t3E="Cromer Norwich Acle Beccles") == (170, 0)


@pytest.mark.clause("1862/ENR-h")
def test_a_local_leaves_out_the_home_and_counts_the_town() -> None:
    """2/3L counts Norwich and Beccles, Acle beside them, and is paid for four hexes."""
    assert earned(east_norfolk(local(3, 2)), t3L="Cromer Norwich Acle Beccles") == (90, 40)


@pytest.mark.clause("1862/ENR-i")
def test_a_local_counts_nothing_that_the_freight_counts() -> None:
    """2F earns 150; 2L adds Cromer's 20 alone and two hexes."""
    both = east_norfolk(freight(2), local(2))
    assert earned(both, t2F="port Cromer Norwich", t2L="Cromer Norwich") == (170, 20)


def test_the_port_of_two_trains_counts_once() -> None:
    """6F earns 260 and 5E 110 beside it: the rulebook's table prints 190 with the port's 80 in both lines."""
    both = east_norfolk(freight(6), express(5))
    six = "port Cromer Norwich Acle Beccles Ipswich"
    five = "port Cromer Norwich Acle Beccles Lowestoft"
    assert earned(east_norfolk(freight(6)), t6F=six) == (260, 0)
    assert earned(east_norfolk(express(5)), t5E=five) == (190, 0)
    assert earned(both, t6F=six, t5E=five) == (370, 0)


WEST_NORFOLK = (
    (
        stop("port", "p", 90, "C2"),
        stop("Lynn", "C", 50, "C4"),
        stop("Wells", "C", 30, "E2"),
        stop("village", "t", 20, "D3"),
        stop("Fakenham", "C", 30, "E4"),
        stop("Cromer", "C", 30, "F3"),
    ),
    (
        track("port", "Lynn", "C2 C4"),
        track("Lynn", "village", "C4 D3"),
        track("village", "Wells", "D3 E2"),
        track("village", "Fakenham", "D3 E4"),
        track("Wells", "Fakenham", "E2 E4"),
        track("Fakenham", "Cromer", "E4 F3"),
    ),
)


@pytest.mark.clause("1862/7.8.2-b")
@pytest.mark.clause("1862/7.8.2-c")
@pytest.mark.clause("1862/7.8.2-d")
def test_local_3_of_the_west_norfolk() -> None:
    """Three large stations at 30 and a small one at 20 make 110; four hexes make 40."""
    stops = tuple(replace(each, revenue=30) if each.kind == "city" else each for each in WEST_NORFOLK[0])
    problem = network_problem(stops, WEST_NORFOLK[1], [local(3)], "Wells", "Wells")
    assert earned(problem, t3L="Wells village Fakenham Cromer") == (110, 40)
    four = "Lynn village Wells Fakenham Cromer"
    assert refused(problem, t3L=four) == "route_too_long"


@pytest.mark.clause("1862/7.8.3-a")
@pytest.mark.clause("1862/7.8.3-b")
@pytest.mark.clause("1862/7.8.3-d")
def test_express_3_of_the_west_norfolk() -> None:
    """Port 90, the Y station 50 and the home 30 make 170; the small station takes no reach and yields nothing."""
    problem = network_problem(*WEST_NORFOLK, [express(3)], "Wells", "Wells")
    assert earned(problem, t3E="port Lynn village Wells") == (170, 0)


@pytest.mark.clause("1862/7.8.4-a")
@pytest.mark.clause("1862/7.8.4-b")
@pytest.mark.clause("1862/7.8.4-c")
@pytest.mark.clause("1862/7.8.4-d")
@pytest.mark.clause("1862/7.8.4-e")
def test_all_kinds_together_of_the_lynn_and_hunstanton() -> None:
    """130 of the local, 300 of the freight and 210 of the express make 640, and 40 of subsidy."""
    stops = (
        stop("Midlands", "o", 90, "A6", "Midlands"),
        stop("West", "o", 100, "A8", "West"),
        stop("Wisbech", "C", 30, "B5"),
        stop("Lynn", "C", 50, "C4"),
        stop("Wells", "C", 30, "E2"),
        stop("village", "t", 20, "D3"),
        stop("Fakenham", "C", 30, "E4"),
        stop("Port", "p", 90, "F1"),
        stop("Cambridge", "C", 60, "B9"),
        stop("Ely", "C", 20, "B7"),
    )
    segments = (
        track("Midlands", "Wisbech", "A6 B5"),
        track("Wisbech", "Lynn", "B5 C4"),
        track("Lynn", "village", "C4 D3"),
        track("village", "Wells", "D3 E2"),
        track("Wells", "Port", "E2 F1"),
        track("Wells", "Fakenham", "E2 E4"),
        track("West", "Cambridge", "A8 B9"),
        track("Cambridge", "Ely", "B9 B7"),
        track("Ely", "Wisbech", "B7 B5"),
    )
    trains = local(3), freight(5), express(4)
    problem = network_problem(stops, segments, trains, "Lynn Wisbech", "Lynn")
    runs = {
        "t3L": "Lynn village Wells Fakenham",
        "t5F": "Midlands Wisbech Lynn village Wells Port",
        "t4E": "West Cambridge Ely Wisbech",
    }
    assert earned(problem, **runs) == (640, 40)
    alone = {name: check_runs(problem, [claim(problem, name[1:], stops)]) for name, stops in runs.items()}
    assert [each[0].revenue for each in alone.values() if isinstance(each, tuple)] == [130, 300]
    single = evaluate_run(problem, "4E", *_names(problem, "4E", runs["t4E"]))
    assert isinstance(single, Run)
    assert single.revenue == 210


def _names(problem: RouteProblem, train: str, stops: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    reported = claim(problem, train, stops)
    return reported.stops, reported.segments


@pytest.mark.clause("1862/7.8.1-c")
@pytest.mark.clause("1862/7.8.1-d")
@pytest.mark.clause("1862/7.8.1-f")
def test_distance_is_the_straight_line_whatever_the_route() -> None:
    """From Norwich to Wells one hex lies between, to its port two at 30; a way round or past a town changes nothing."""
    stops = (
        stop("Norwich", "C", 0, "F5"),
        stop("Cromer", "C", 0, "F3"),
        stop("Wells", "C", 0, "E2"),
        stop("village", "t", 0, "E4"),
        stop("port", "p", 0, "E0"),
    )
    segments = (
        track("Norwich", "village", "F5 E4"),
        track("village", "Wells", "E4 E2"),
        track("Norwich", "Cromer", "F5 F3"),
        track("Cromer", "Wells", "F3 E2"),
        track("Wells", "port", "E2 E0"),
    )
    problem = network_problem(stops, segments, [freight(5)], "Norwich", "Norwich")
    assert earned(problem, t5F="Norwich village Wells") == (20, 0)
    assert earned(problem, t5F="Norwich Cromer Wells") == (20, 0)
    assert earned(problem, t5F="Norwich Cromer Wells port") == (60, 0)


@pytest.mark.clause("1862/7.8.1-e")
def test_the_way_into_an_off_board_area_decides_the_distance() -> None:
    """Three hexes lie between Colchester and the far side of London, one between it and the near side."""
    stops = (
        stop("Colchester", "C", 0, "E12"),
        stop("middle", "C", 0, "D13"),
        stop("near", "o", 0, "C14", "London"),
        stop("far", "o", 0, "A12", "London"),
        stop("hop", "C", 0, "C12"),
    )
    segments = (
        track("Colchester", "middle", "E12 D13"),
        track("middle", "near", "D13 C14"),
        track("middle", "hop", "D13 C12"),
        track("hop", "far", "C12 B13 A12"),
    )
    problem = network_problem(stops, segments, [freight(5)], "Colchester", "Colchester")
    assert earned(problem, t5F="Colchester middle hop far") == (60, 0)
    assert earned(problem, t5F="Colchester middle near") == (20, 0)


def line_of_five(*trains: Train, tokens: str = "b c") -> RouteProblem:
    """Port a, cities b to e and red area f in one straight line, a hex side between each two."""
    kinds = dict(zip("abcdef", "pCCCCo", strict=True))
    stops = [stop(name, kind, 10, f"A{2 * place}") for place, (name, kind) in enumerate(kinds.items())]
    segments = [
        track(a, b, f"A{2 * place} A{2 * place + 2}")
        for place, (a, b) in enumerate(zip("abcde", "bcdef", strict=True))
    ]
    return network_problem(stops, segments, trains, tokens, "b")


@pytest.mark.clause("1862/7.8.1-g")
@pytest.mark.clause("1862/7.8.1-h")
def test_freight_trains_join_end_to_end_as_a_longer_one() -> None:
    """F2 and F3 run as an F5 from port to red area for both ends and 4 x 30; so do F1, F1 and F3; each needs a token."""
    two = line_of_five(freight(2), freight(3))
    assert earned(two, t2F="a b c", t3F="c d e f") == (20 + 4 * 30, 0)
    three = line_of_five(freight(1, "x"), freight(1, "y"), freight(3))
    assert earned(three, tx="a b", ty="b c", t3F="c d e f") == (20 + 4 * 30, 0)
    assert refused(line_of_five(freight(3), freight(2)), t3F="a b c d", t2F="d e f") == "route_no_token"


@pytest.mark.clause("1862/7.8.1-i")
@pytest.mark.clause("1862/7.8.1-k")
def test_permanent_freight_trains_may_run_apart_or_joined() -> None:
    """6F and 7F that meet at c earn what is more: apart a, c, f and the hexes of each, or one longer run."""
    problem = line_of_five(freight(6), freight(7))
    assert earned(problem, t6F="a b c", t7F="c d e f") == (20 + 4 * 30, 0)
    rich = replace(
        problem, stops=tuple(replace(each, revenue=100 if each.id == "c" else 10) for each in problem.stops)
    )
    assert earned(rich, t6F="a b c", t7F="c d e f") == (10 + 100 + 10 + 30 + 2 * 20, 0)


@pytest.mark.clause("1862/7.8.1-l")
def test_a_freight_train_that_must_join_runs_alone_or_joined() -> None:
    """3F and 6F over the same city are refused unless their ends meet; two that must join may do so beside a 6F."""
    problem = line_of_five(freight(2), freight(1), freight(6))
    assert refused(problem, t2F="a b c", t6F="b c d") == "freight_not_joined"
    assert refused(problem, t2F="a b c", t6F="c d e f") == ""
    assert refused(problem, t2F="a b c", t1F="c d", t6F="b c d e") == ""
    meeting = replace(problem, parameters=replace(problem.parameters, freight_joins="ends_meet"))
    assert refused(meeting, t2F="a b c", t1F="c d", t6F="b c d e") == "freight_not_joined"


@pytest.mark.clause("1862/7.8-e")
@pytest.mark.clause("1862/7.8-f")
@pytest.mark.clause("1862/7.8-g")
def test_all_runs_hang_together_from_home() -> None:
    """One run is at home; another must share a city with it, be it full, and by the wider rule any stop."""
    stops = (
        stop("home", "C", 10, "A0"),
        stop("full", "F", 10, "A2"),
        stop("far", "C", 10, "A4"),
        stop("port", "p", 10, "B1"),
    )
    segments = (
        track("home", "full", "A0 A2"),
        track("full", "far", "A2 A4"),
        track("home", "port", "A0 B1"),
        track("port", "far", "B1 A4"),
    )
    trains = express(2, name="x"), express(2, name="y")
    problem = network_problem(stops, segments, trains, "home far", "home")
    assert refused(problem, tx="full far") == "no_run_at_home"
    assert refused(problem, tx="home full", ty="full far") == ""
    assert refused(problem, tx="home port", ty="port far") == "route_misses_network"
    wide = replace(problem, parameters=replace(problem.parameters, links="any_stop"))
    assert refused(wide, tx="home port", ty="port far") == ""
    homeless = replace(problem, parameters=Parameters())
    assert refused(homeless, tx="home full") == "no_run_at_home"
