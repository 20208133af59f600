"""The examples at the end of the rulebook: what the ENR's trains earn from Cromer (unnumbered table)."""

import pytest

from tests.titles.g1862.runboard import board, earned, refused

# Cromer, Norwich, Acle, Beccles; from there to Ipswich over Framlingham, and to Lowestoft.
TILES = "F3:57/0 F5:790/2 G6:8851/2 G8:14/0 F9:8851/0 F11:791/0 H7:5/0"


@pytest.mark.clause("1862/ENR-a", "1862/ENR-b", "1862/7.8.1-b")
def test_one_freight_1() -> None:
    """1F on red: 80 + 20 = 100; the port of phase A counts 80."""
    assert earned(board("ENR", TILES, "1F"), {"1F": "F1 F3"}) == (100, 0)


@pytest.mark.clause("1862/ENR-c", "1862/7.8.1-g")
def test_two_freight_1() -> None:
    """Joined on red and blue: 80 + 40 + 30 = 150."""
    table = board("ENR", TILES, "1F", "1Fx")
    assert earned(table, {"1F": "F1 F3", "1Fx": "F3 F5"}) == (150, 0)


@pytest.mark.clause("1862/ENR-d", "1862/7.8.1-a")
def test_a_freight_2() -> None:
    """2F on red and blue: 150; one hex further is too far."""
    table = board("ENR", TILES, "2F")
    assert earned(table, {"2F": "F1 F3 F5"}) == (150, 0)
    assert refused(table, {"2F": "F3 F5 G6 G8"}) == ("route_too_long", "1862/7.8.1-a")


@pytest.mark.clause("1862/ENR-e", "1862/7.8-a", "1862/7.8.1-d")
def test_a_freight_3() -> None:
    """3F does no better than the 2F: Acle is no end, and from Cromer to Beccles it earns 20 + 30 + 2 x 20 = 90."""
    table = board("ENR", TILES, "3F")
    assert earned(table, {"3F": "F1 F3 F5"}) == (150, 0)
    assert refused(table, {"3F": "F1 F3 F5 G6"}) == ("1862.route_ends_at_town", "1862/7.8-a")
    assert earned(table, {"3F": "F3 F5 G6 G8"}) == (90, 0)


@pytest.mark.clause("1862/ENR-f", "1862/7.8.3-b")
def test_an_express_2() -> None:
    """2E on red: 80 + 20 = 100."""
    assert earned(board("ENR", TILES, "2E"), {"2E": "F1 F3"}) == (100, 0)


@pytest.mark.clause("1862/ENR-g", "1862/7.8.3-a", "1862/7.8.3-c")
def test_two_express_trains() -> None:
    """2E on red, 2/3E on blue and pink: 80 + 20 + 40 + 30 = 170; Acle counts nothing for express trains."""
    table = board("ENR", TILES, "2E", "2/3E")
    assert earned(table, {"2E": "F1 F3", "2/3E": "F3 F5 G6 G8"}) == (170, 0)


@pytest.mark.clause("1862/ENR-h", "1862/7.8.2-b", "1862/7.8.2-d", "1862/7.8.2-f")
def test_a_local() -> None:
    """2/3L on blue and pink counts Norwich and Beccles: 0 + 40 + 20 + 30 = 90, and 40 for four hexes."""
    assert earned(board("ENR", TILES, "2/3L"), {"2/3L": "F3 F5 G6 G8"}) == (90, 40)


@pytest.mark.clause("1862/ENR-i", "1862/7.8-l")
def test_a_freight_and_a_local() -> None:
    """2F on red and blue 150, 2L on blue 20 as Norwich counts already: 170 and 20 for two hexes."""
    table = board("ENR", TILES, "2F", "2L")
    assert earned(table, {"2F": "F1 F3 F5", "2L": "F3 F5"}) == (170, 20)


@pytest.mark.clause("1862/ENR-j", "1862/7.8-l", "1862/7.8.1-c")
def test_a_freight_6_and_an_express_5() -> None:
    """6F to Ipswich 80 + 60 + 4 x 30 = 260; 5E to Lowestoft 80 + 20 + 40 + 30 + 20 = 190; together the port counts once."""
    table = board("ENR", TILES, "6F", "5E")
    freight, express = "F1 F3 F5 G6 G8 F9 F11", "F1 F3 F5 G6 G8 H7"
    assert earned(table, {"6F": freight}) == (260, 0)
    assert earned(table, {"5E": express}) == (190, 0)
    assert earned(table, {"6F": freight, "5E": express}) == (260 + 190 - 80, 0)
