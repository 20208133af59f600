"""What players see of 1865 beside what every title shows."""

import pytest

from services.rules.parts.presentation import PlaceMark
from services.rules.titles.g1865.owntables import own_tables, prices_with_premium
from services.rules.titles.g1865.places import place_marks
from services.rules.titles.g1865.presentation import OWN_PRESENTATION
from services.rules.titles.g1865.rulings import RULINGS
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


def test_the_picture_of_the_dragon_table() -> None:
    """A row for each phase with a place for each rank, the tokens of companies on theirs, two beside each other."""
    table = stock_table()
    for company in ("FMS", "FA", "RCSF"):
        table.is_launched(company, 100, ADA)
    table.is_launched("SFSS", 100, ADA)
    table.owns_trains("SFSS", "2")
    table.traffic_is("SFSS", 14)
    table.is_launched("FCS", 100, ADA, row="3")
    table.owns_trains("FCS", "2")
    table.traffic_is("FCS", 500)
    picture = own_tables(table.data, table.game)[0]
    assert [heading for heading, _ in picture.columns] == ["phase", *map(str, range(1, 17))]
    assert [row[0].text for row in picture.rows] == ["2 (now)", "", "3", "4", "5", "6", "7"]
    assert {len(row) for row in picture.rows} == {17}
    places = {
        (row, rank): cell.tokens
        for row, cells in enumerate(picture.rows)
        for rank, cell in enumerate(cells)
        if cell.tokens
    }
    assert places == {(0, 1): ("FMS", "RCSF"), (0, 3): ("SFSS",), (1, 1): ("FA",), (2, 3): ("FCS",)}
    assert [cell.ground for cell in picture.rows[0][1:6]] == ["red", "red", "white", "white", "green"]


@pytest.mark.clause("1865/4.4-m")
@pytest.mark.clause("1865/4.4-n")
def test_a_space_of_the_share_line_shows_what_the_dragons_take_there() -> None:
    """By zone; in the red one they sell at the value."""
    data = stock_table().data
    assert prices_with_premium(data, 100).splitlines() == ["w 110", "g 130"]
    assert prices_with_premium(data, 60).splitlines() == ["w 65", "g 80"]


def test_the_list_of_companies_shows_offer_traffic_rank_and_sea_companies() -> None:
    """Of a launched company; of one that nobody has launched its offer alone."""
    table = stock_table()
    table.is_launched("FMS", 100, ADA, shares=2)
    table.owns_trains("FMS", "2")
    table.traffic_is("FMS", 14)
    table.holds(table.dragons, "FMS", 1)
    table.has_maritime("FMS", "M1", "M2")

    def shown(company: str) -> dict[str, str]:
        return {
            each.heading: each.text(table.data, table.game, company)
            for each in OWN_PRESENTATION.company_columns
        }

    assert shown("FMS") == {
        "in offer": "40 %",
        "traffic": "14",
        "rank": "3 white",
        "at sea": "M1 M2",
        "Dragons": "20 %",
    }
    assert shown("FCS") == {"in offer": "100 %", "traffic": "", "rank": "", "at sea": "", "Dragons": ""}
    assert not OWN_PRESENTATION.shows_runs


def test_signs_on_the_map() -> None:
    """Cagliari is the destination of FMS and the port of M1; Carbonia has its sign at three mines."""
    marks = place_marks(stock_table().data)
    assert marks["F39"] == (
        PlaceMark("→FMS", "destination of FMS Ferrovie Meridionali Sarde", "FMS"),
        PlaceMark("M1", "port of M1 Cagliari"),
    )
    assert {hex_id for hex_id, each in marks.items() if "M2" in [mark.word for mark in each]} == {
        *("B39", "C40", "D39")
    }
    assert sum(mark.word.startswith("→") for each in marks.values() for mark in each) == 8


def test_nobody_records_games_so_the_peer_plays_by_the_synopsis() -> None:
    """The value of every ruling that a platform's profile would name is the first one."""
    assert all(ruling.peer == ruling.values[0] != ruling.values[-1] for ruling in RULINGS)
