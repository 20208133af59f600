"""What players see of 1865 beside what every title shows."""

import pytest

from services.rules.titles.g1865.owntables import own_tables
from services.rules.titles.g1865.view import DragonShares, Maritime, Railway, view
from tests.titles.g1865.table import ADA, BEN, stock_table


def test_the_view_shows_traffic_the_dragon_table_and_sea_companies() -> None:
    """A launched company with its rank, zone and premium; one that is not; one that was absorbed; what the Dragons hold."""
    table = stock_table()
    table.is_launched("FMS", 100, ADA, shares=2, row="2")
    table.is_converted("FMS")
    table.owns_trains("FMS", "2")
    table.traffic_is("FMS", 14)
    table.holds(table.dragons, "FMS", 2)
    table.has_maritime("FMS", "M1")
    table.has_maritime(BEN, "M3")
    table.port_is_used("M1", "FMS")
    table.is_absorbed("FA")
    shown = view(table.game, table.data)
    railways = {each.company: each for each in shown.railways}
    assert railways["FMS"] == Railway("FMS", True, False, 14, 16, "2", 3, "white", 110)
    assert railways["FCS"] == Railway("FCS", False, False, 0, 0, "", 1, "", 0)
    assert railways["FA"].absorbed
    assert shown.maritime == (Maritime("M1", "FMS", True), Maritime("M3", BEN, False))
    assert shown.dragons == (DragonShares("FMS", (1, 2)),)


@pytest.mark.clause("1865/faq-b")
@pytest.mark.parametrize(
    ("traffic", "blue", "purple", "black"),
    [(0, 0, 0, 0), (4, 0, 0, 4), (5, 0, 1, 0), (10, 1, 0, 0), (19, 1, 1, 4), (36, 3, 1, 1)],
)
def test_traffic_is_laid_out_in_cubes_of_1_5_and_10(traffic: int, blue: int, purple: int, black: int) -> None:
    """Black, purple and blue, as few as there can be."""
    table = stock_table()
    table.is_launched("FMS", 100, ADA)
    table.traffic_is("FMS", traffic)
    (row,) = own_tables(table.data, table.game)[1].rows
    assert row[-1].cubes == ("blue",) * blue + ("purple",) * purple + ("black",) * black
    assert 10 * blue + 5 * purple + black == int(row[1].text) == traffic
