"""What the trains of a company earn and what joins its runs, on the map of 1862 (7.8)."""

import pytest

from services.rules.parts.trains.commands import Hop, RunTrains, TrainRun
from services.rules.titles.g1862.operating.routes import problem_of
from tests.positions.trains import earnings
from tests.titles.g1862.runboard import board, command, earned, fill, refused
from tests.titles.g1862.table import ADA, BEN

# Midlands, Wisbech, King's Lynn (home of the L&H), Hunstanton, Wells with its port; Swaffham; Cambridge and March.
LYNN = "B5:14/0 C4:793/4 D3:8852/1 E2:15/0 D5:15/0 B7:57/0 B9:791/0"
HARBOUR = "A6 B5 C4 D3 E2 D1"


@pytest.mark.clause("1862/7.8.4-b", "1862/7.8.2-c")
def test_the_local_of_the_l_and_h() -> None:
    """Local 3: 30 + 30 + 20 + 50 = 130, and 40 for four hexes."""
    table = board("L&H", LYNN, "3L", phase="C")
    assert earned(table, {"3L": "E2 D3 C4 D5"}) == (130, 40)


@pytest.mark.clause("1862/7.8.4-c", "1862/7.8.1-c", "1862/7.8.1-e", "1862/7.8.1-f")
def test_the_freight_train_of_the_l_and_h() -> None:
    """Freight 5 from the Midlands to the port of Wells: 90 + 90 + 4 x 30 = 300; the small station on the way is nothing."""
    assert earned(board("L&H", LYNN, "5F", phase="C"), {"5F": HARBOUR}) == (300, 0)


@pytest.mark.clause("1862/7.8.4-d")
def test_the_express_of_the_l_and_h() -> None:
    """Express 4 from the West over Cambridge to Wisbech: 100 + 60 + 20 + 30 = 210."""
    table = board("L&H", LYNN, "4E", "3L", phase="C")
    table.token_stands("L&H", "B9")
    assert earned(table, {"4E": "A10 B9 B7 B5", "3L": "B5 C4 D5"})[0] == 210 + 50 + 30


@pytest.mark.clause("1862/7.8.4-a", "1862/7.8.4-e", "1862/7.8-h")
def test_all_trains_of_the_l_and_h() -> None:
    """Together 130 + 300 + 210 = 640, and 40 for the treasury."""
    table = board("L&H", LYNN, "3L", "4E", "5F", phase="C")
    table.token_stands("L&H", "B9")
    runs = {"3L": "E2 D3 C4 D5", "4E": "A10 B9 B7 B5", "5F": HARBOUR}
    assert earned(table, runs) == (640, 40)
    (ran,) = earnings(table.act(ADA, command(table, runs)))
    assert {run.train: set(run.counted) for run in ran.runs}["D-0"] == {"A6.0", "D1.0"}


@pytest.mark.clause("1862/7.8.4-a")
def test_trains_run_only_with_a_licence() -> None:
    """With a freight licence alone the local may not run, and the best runs leave it out."""
    table = board("L&H", LYNN, "3L", "5F", phase="C")
    table.licences_are("L&H", "freight")
    assert refused(table, {"3L": "C4 D5"}) == ("1862.licence_missing", "1862/7.8.4-a")
    assert [train.kind for train in problem_of(table.game, table.data, "L&H").trains] == ["freight"]


@pytest.mark.clause("1862/7.8.2-d", "1862/7.8.2-b")
def test_the_local_of_the_wnr() -> None:
    """Local 3 over three cities at 30 and a small station: 110, and 40 for four hexes."""
    table = board("WNR", "E2:15/0 D3:8852/1 C4:202/4 C6:14/0", "3L", phase="C")
    assert earned(table, {"3L": "E2 D3 C4 C6"}) == (110, 40)


@pytest.mark.clause("1862/7.8.3-d", "1862/7.8.3-a")
def test_the_express_of_the_wnr() -> None:
    """Express 3 in phase C: port 90 + station on Y 50 + Wells 30 = 170, past a small station; its own port does as well."""
    table = board("WNR", "E2:15/0 D3:8852/1 C4:792/4", "3E", phase="C")
    assert earned(table, {"3E": "C2 C4 D3 E2"}) == (170, 0)
    assert earned(table, {"3E": "D1 E2 D3 C4"}) == (170, 0)


@pytest.mark.clause("1862/7.8.2-d")
def test_a_hex_pays_its_subsidy_once() -> None:
    """Two locals over the same four hexes bring 40 together."""
    table = board("WNR", "E2:15/0 D3:8852/1 C4:202/4 C6:14/0", "3L", "2L", phase="C")
    assert earned(table, {"3L": "E2 D3 C4 C6", "2L": "E2 D3 C4"}) == (110, 40)


@pytest.mark.clause("1862/7.8.2-a")
def test_a_local_does_not_leave_the_board() -> None:
    """Neither a port nor a red area is for it."""
    table = board("L&H", LYNN, "3L", phase="C")
    for hexes in ("D1 E2 D3 C4", "A6 B5 C4"):
        assert refused(table, {"3L": hexes}) == ("train_kind", "1862/7.8.2-a")


@pytest.mark.clause("1862/7.8.2-c", "1862/7.8.3-a")
def test_how_far_locals_and_express_trains_go() -> None:
    """A local 2 visits two cities, an express 2 two of cities, ports and red areas; small stations are no matter."""
    table = board("L&H", LYNN, "2L", "2E")
    assert refused(table, {"2L": "B5 C4 D5"}) == ("route_too_long", "1862/7.8.2-c")
    assert refused(table, {"2E": "A6 B5 C4"}) == ("route_too_long", "1862/7.8.3-a")
    assert earned(table, {"2L": "C4 D3 E2"})[0] == 50 + 20 + 30
    assert earned(table, {"2E": "C4 D3 E2"})[0] == 50 + 30


@pytest.mark.clause("1862/7.8.2-f", "1862/7.8.3-c")
def test_what_a_train_leaves_out_may_be_its_home() -> None:
    """A 2/3 train counts the best two of three cities, its home and only station not among them."""
    wells = board("WNR", "E2:57/1 D3:8852/1 C4:793/4 D5:15/0", "2/3L", "2/3E", phase="C")
    assert earned(wells, {"2/3L": "E2 D3 C4 D5"})[0] == 50 + 30 + 20
    assert earned(wells, {"2/3E": "E2 D3 C4 D5"})[0] == 50 + 30


@pytest.mark.clause("1862/7.8-b")
def test_a_run_joins_two_large_stations_or_one_and_an_area() -> None:
    """No hop at all is no run; a city and a port are one."""
    table = board("WNR", "E2:57/2", "2E")
    empty = RunTrains("WNR", (TrainRun("A-20", ()),))
    assert table.refusal(ADA, empty)[0] == "route_unknown_track"
    assert earned(table, {"2E": "E2 D1"}) == (100, 0)


@pytest.mark.clause("1862/7.8-c", "1862/7.8-d")
def test_the_director_chooses() -> None:
    """A poorer run is as good as none at all, which earns nothing."""
    table = board("L&H", LYNN, "3E", phase="C")
    assert earned(table, {"3E": "C4 D5"}) == (80, 0)
    assert earned(table, {}) == (0, 0)


@pytest.mark.clause("1862/7.8-e")
def test_one_run_contains_the_home() -> None:
    """A run over another station of the company alone is refused; without a home station nothing can run."""
    table = board("L&H", LYNN, "3E", "2E")
    table.token_stands("L&H", "B9")
    assert refused(table, {"3E": "B9 B7 B5"}) == ("1862.route_misses_home", "1862/7.8-e")
    assert earned(table, {"3E": "B9 B7 B5", "2E": "B5 C4"})[0] > 0
    table.token_stands("L&H", "B5")
    assert earned(table, {"2E": "B5 C4"})[0] > 0
    table.token_is_removed("L&H", "C4")
    assert refused(table, {"2E": "B5 C4"}) == ("1862.route_misses_home", "1862/7.8-e")
    assert refused(table, {"3E": "B9 B7 B5"}) == ("1862.route_misses_home", "1862/7.8-e")


@pytest.mark.clause("1862/7.8-f")
def test_runs_meet_in_a_large_station() -> None:
    """Two runs that have only the Midlands in common do not hang together, but by the ruling that any stop will do."""
    runs = {"3E": "A6 B5 C4", "2E": "A6 B7"}
    tiles = "B5:14/0 C4:793/4 B7:57/2"
    for ruling, code in (("in_large_stations", "1862.route_misses_network"), ("in_any_stop", "")):
        table = board("L&H", tiles, "3E", "2E", runs_meet=ruling)
        table.token_stands("L&H", "B7")
        if code:
            assert refused(table, runs) == (code, "1862/7.8-f")
        else:
            assert earned(table, runs)[0] == 40 + 30 + 50 + 20


@pytest.mark.clause("1862/7.8-g", "1862/7.4-c")
def test_runs_meet_in_a_city_full_of_others() -> None:
    """Both end in Wisbech, which is full of other companies' stations: that joins them."""
    table = board("L&H", LYNN, "2E", "3E")
    table.token_stands("L&H", "B9")
    fill(table, "B5")
    assert earned(table, {"2E": "B5 C4", "3E": "B5 B7 B9"})[0] == 30 + 50 + 20 + 60
    assert refused(table, {"3E": "B7 B5 C4"}) == ("route_passes_blocked_city", "1862/7.4-c")


@pytest.mark.clause("1862/7.8-k", "1862/7.8-l")
def test_trains_share_track_but_places_count_once() -> None:
    """Two express trains over the same track: what both visit counts once."""
    table = board("L&H", LYNN, "3E", "2E", phase="C")
    assert earned(table, {"3E": "D5 C4 B5", "2E": "C4 B5"}) == (30 + 50 + 30, 0)


@pytest.mark.clause("1862/7.8-j")
def test_an_area_is_no_part_of_the_city_beside_it() -> None:
    """From Felixstowe to its port is a run."""
    table = board("FDR", "G12:6/0", "2E")
    assert earned(table, {"2E": "G12 G14"}) == (20 + 70, 0)


@pytest.mark.clause("1862/7.8-i")
def test_a_run_follows_track() -> None:
    """Hexes without track between them are no run, nor are hops that do not join, nor hexes off the map."""
    table = board("L&H", LYNN, "3E")
    for hexes in ("C4 C6", "C4 C8", "C4 Z9"):
        assert refused(table, {"3E": hexes}) == ("route_unknown_track", "1862/7.8-i")
    loose = RunTrains("L&H", (TrainRun("C-20", (Hop(("C4", "D5")), Hop(("B5", "B7")))),))
    assert table.refusal(ADA, loose) == ("route_unknown_track", "1862/7.8-i")


def test_which_trains_may_be_told() -> None:
    """Trains of others and a train given twice are refused, and only the director runs them."""
    table = board("L&H", LYNN, "3E")
    hops = (Hop(("C4", "D5")),)
    foreign = RunTrains("L&H", (TrainRun("A-0", hops),))
    assert table.refusal(ADA, foreign)[0] == "train_not_owned"
    twice = RunTrains("L&H", (TrainRun("C-20", hops), TrainRun("C-20", hops)))
    assert table.refusal(ADA, twice)[0] == "route_runs_twice"
    assert table.refusal(BEN, RunTrains("L&H", ()))[0] == "not_your_turn"
    assert table.refusal(ADA, RunTrains("ENR", ()))[0] == "not_your_turn"


@pytest.mark.clause("1862/7.8.1-c", "1862/7.8.1-d")
def test_the_bonus_goes_by_the_straight_line() -> None:
    """From Norwich to Wells one hex lies between whatever the way, to the port of Wells two at 30."""
    table = board("ENR", "F3:15/0 F5:790/2 E2:14/1", "2F", "3F", phase="C")
    assert earned(table, {"2F": "F5 F3 E2"}) == (40 + 30 + 20, 0)
    assert earned(table, {"3F": "F5 F3 E2 D1"}) == (40 + 90 + 60, 0)


@pytest.mark.clause("1862/7.8.1-e", "1862/7.4-g")
def test_the_way_into_london_decides_the_distance() -> None:
    """From Colchester by the near side one hex counts, by the far side three."""
    table = board("EUR", "E12:790/1 D13:57/1 D11:6/5 C12:8852/1 B13:57/1", "5F")
    assert refused(table, {"5F": "E12 D13 C14"}) == ("route_no_token", "1862/7.4-g")
    table.token_stands("EUR", "D15", 1)
    assert earned(table, {"5F": "E12 D13 C14"}) == (40 + 100 + 20, 0)
    assert earned(table, {"5F": "E12 D11 C12 B13 A14"}) == (40 + 100 + 60, 0)


@pytest.mark.clause("1862/7.8.1-g", "1862/7.8.1-h")
def test_freight_trains_join_end_to_end() -> None:
    """F2 and F3 run as an F5 from port to red area with 4 x 30, and so do F1, F1 and F3 if each comes to a station."""
    two = board("L&H", LYNN, "2F", "3F", phase="C")
    assert earned(two, {"2F": "A6 B5 C4", "3F": "C4 D3 E2 D1"}) == (300, 0)
    three = board("L&H", LYNN, "1F", "1Fx", "3F", phase="C")
    runs = {"1F": "A6 B5", "1Fx": "B5 C4", "3F": "C4 D3 E2 D1"}
    assert refused(three, runs) == ("route_no_token", "1862/7.4-a")
    three.token_stands("L&H", "B5")
    assert earned(three, runs) == (300, 0)
    assert (
        refused(three, {"1F": "B5 C4", "3F": "C4 D3 E2 D1", "1Fx": "C4 D5"})[0] == "1862.freight_not_joined"
    )


@pytest.mark.clause("1862/7.8.1-i", "1862/7.8.1-j", "1862/7.8.1-k")
def test_permanent_freight_trains_may_run_apart() -> None:
    """A 6F and a 7F to different areas that meet in Wisbech, the hexes there counting for both."""
    table = board("L&H", LYNN, "6F", "7F", phase="C")
    table.token_stands("L&H", "B9")
    apart = {"6F": HARBOUR, "7F": "A10 B9 B7 B5"}
    assert earned(table, apart) == (300 + 100 + 30 + 2 * 20, 0)


@pytest.mark.clause("1862/7.8.1-l")
def test_freight_trains_that_are_not_permanent_run_joined() -> None:
    """A 5F and a 6F apart are refused; joined they run. In the shorter game the 5F is permanent."""
    table = board("L&H", LYNN, "5F", "6F", phase="D")
    table.token_stands("L&H", "B9")
    apart = {"6F": HARBOUR, "5F": "A10 B9 B7 B5 C4"}
    assert refused(table, apart) == ("1862.freight_not_joined", "1862/7.8.1-l")
    assert earned(table, {"6F": "C4 D3 E2 D1", "5F": "A10 B9 B7 B5 C4"})[0] > 0
