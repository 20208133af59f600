"""What a route is in 1862, and the rulebook's three illustrations (7.4)."""

import pytest

from tests.titles.g1862.runboard import board, earned, fill, refused

LYNN = "B5:14/0 C4:793/4 D3:8852/1 E2:15/0 D5:15/0 B7:57/0 B9:791/0"


@pytest.mark.clause("1862/7.4-a")
def test_a_route_contains_a_station_of_the_company() -> None:
    """A run that passes none is refused; a terminal in London is none."""
    table = board("L&H", LYNN, "3E")
    assert refused(table, {"3E": "B5 B7 B9"}) == ("route_no_token", "1862/7.4-a")
    east = board("ECR", "D13:57/1 E12:790/1", "2E")
    east.token_stands("ECR", "D15", 1)
    assert earned(east, {"2E": "D13 C14"}) == (120, 0)


@pytest.mark.clause("1862/7.4-b")
def test_no_station_twice() -> None:
    """A run comes to no city twice, and to no port and red area twice, over whichever hex."""
    table = board("NGC", "C10:611/0 B11:8851/4 B9:791/0 B7:57/0 C8:53y/1", "5E", phase="D")
    circle = "C10 B9 B11 C10"
    assert refused(table, {"5E": circle})[0] in ("route_repeats_place", "route_unknown_track")
    midlands = board("L&H", "B5:14/0 C4:793/4 B3:8852/0", "5E")
    assert refused(midlands, {"5E": "A6 B5 C4 B5"})[0] in ("route_repeats_place", "route_track_reused")


@pytest.mark.clause("1862/7.4-d", "1862/7.8-k")
def test_no_track_twice() -> None:
    """Back the way it came is no run."""
    table = board("L&H", LYNN, "5E")
    assert refused(table, {"5E": "C4 B5 C4"})[0] in ("route_track_reused", "route_repeats_place")


@pytest.mark.clause("1862/7.4-e", "1862/7.4-h")
def test_areas_end_a_route() -> None:
    """Nothing passes through the Midlands, nor through London, even with a terminal there."""
    table = board("L&H", "B5:14/0 C4:793/4 B7:57/2", "5E")
    assert refused(table, {"5E": "C4 B5 A6 B7"}) == ("route_passes_terminal", "1862/7.4-e")
    london = board("EUR", "E12:790/1 D13:57/1 B13:57/2", "5E")
    london.token_stands("EUR", "D15", 1)
    assert refused(london, {"5E": "E12 D13 C14 B13"}) == ("route_passes_terminal", "1862/7.4-e")


@pytest.mark.clause("1862/7.4-f")
def test_one_port_and_one_red_area_at_most() -> None:
    """Not from the Midlands to the West, not from port to port; from a red area to a port is fine."""
    table = board("L&H", LYNN, "6E", phase="C")
    table.token_stands("L&H", "B9")
    assert refused(table, {"6E": "A6 B5 B7 B9 A10"}) == ("1862.route_two_areas", "1862/7.4-f")
    ports = board("L&H", LYNN.replace("C4:793/4", "C4:792/4"), "6E", phase="C")
    assert refused(ports, {"6E": "C2 C4 D3 E2 D1"}) == ("1862.route_two_areas", "1862/7.4-f")
    assert earned(table, {"6E": "A6 B5 C4 D3 E2 D1"})[0] == 90 + 30 + 50 + 30 + 90


@pytest.mark.clause("1862/7.4-i", "1862/7.4-g")
def test_the_ngc() -> None:
    """It runs from its home to Ely, but not to London, where it has no station."""
    table = board("NGC", "C10:57/0 C8:621/0", "2E")
    assert earned(table, {"2E": "C10 C8"}) == (20 + 30, 0)
    further = board("NGC", "C10:57/0 C8:621/0 C12:8852/0", "3E")
    assert refused(further, {"3E": "C8 C10 C12 C14"}) == ("route_no_token", "1862/7.4-g")


@pytest.mark.clause("1862/7.4-j", "1862/7.4-c", "1862/7.4-h")
def test_the_svr() -> None:
    """It may end in Ipswich but not pass it, full of others as it is; and London is no way to Newmarket."""
    table = board("SVR", "D11:6/5 E12:790/1 F11:790/1 G12:6/0 C12:8852/0 C10:57/0 D13:57/1", "5E")
    fill(table, "F11")
    table.token_stands("SVR", "D15", 1)
    assert earned(table, {"5E": "D11 E12 F11"}) == (20 + 40 + 40, 0)
    assert refused(table, {"5E": "D11 E12 F11 G12"}) == ("route_passes_blocked_city", "1862/7.4-c")
    assert refused(table, {"5E": "E12 D13 C14 C12 C10"})[0] in ("route_passes_terminal", "route_no_token")


@pytest.mark.clause("1862/7.4-k", "1862/7.4-c")
def test_the_fdr() -> None:
    """From the port to Felixstowe and Ipswich, and nothing beyond Ipswich, which is full."""
    table = board("FDR", "G12:6/0 F11:790/1 E12:790/1", "5E")
    fill(table, "F11")
    assert earned(table, {"5E": "G14 G12 F11"}) == (70 + 20 + 40, 0)
    assert refused(table, {"5E": "G14 G12 F11 E12"}) == ("route_passes_blocked_city", "1862/7.4-c")
