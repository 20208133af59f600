"""How markers move on the share price chart of 1824, and what its edges do (VIII)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.parts.market.data import MarketMove, chart_of
from services.rules.parts.market.market import shift
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.trains.commands import DeclareDividend
from tests.positions.market import PriceMove, price_moves
from tests.titles.g1824.table import ADA, BEN, Table, clear_table

Cell = tuple[int, int]


def earning(kind: str, revenue: int, cell: Cell) -> Table:
    """BH, directed by Ada, has run for this revenue with its marker on this cell and divides it in this way."""
    table = clear_table(3)
    table.price_is("BH", 100)
    table.marker_stands("BH", *cell)
    table.holds(ADA, "BH", 6, director=True)
    table.company_runs("BH")
    table.home_tokens_stand("BH")
    table.owns_trains("BH", "2")
    table.operating_round_is("BH", step="declare_dividend")
    table.has_run("BH", revenue)
    table.act(ADA, DeclareDividend("BH", kind))
    return table


@pytest.mark.clause("1824/VIII.1-a")
def test_a_marker_goes_below_those_already_in_the_cell() -> None:
    """BH arrives from above under MS and BK; once it leaves, MS and BK keep their places."""
    table = clear_table(3)
    for company, cell in (("MS", (4, 3)), ("BK", (4, 3)), ("BH", (3, 3))):
        table.price_is(company, 60)
        table.marker_stands(company, *cell)
    table.holds(ADA, "BH", 6, director=True)
    table.holds(BEN, "BH", 2)
    table.company_runs("BH")
    table.stock_round_is(ADA)
    table.act(ADA, SellCertificates("BH", 1))
    assert market_of(table.game).cells.get((4, 3)) == ("MS", "BK", "BH")
    table.act(ADA, SellCertificates("BH", 1))
    assert market_of(table.game).cells.get((4, 3)) == ("MS", "BK")
    assert market_of(table.game).cells[(5, 3)] == ("BH",)


@pytest.mark.clause("1824/VIII.2-a")
@pytest.mark.parametrize(
    ("cell", "target", "price"), [((2, 2), (2, 3), 110), ((6, 0), (6, 1), 50), ((0, 12), (0, 13), 350)]
)
def test_a_dividend_moves_the_marker_right(cell: Cell, target: Cell, price: int) -> None:
    """Any dividend above 0 G moves it one cell, in every row."""
    for revenue in (10, 400):
        table = earning("pay", revenue, cell)
        assert market_of(table.game).markers["BH"] == target
    assert table.price_of("BH") == price


@pytest.mark.clause("1824/VIII.2-b")
@pytest.mark.parametrize(
    ("cell", "target", "price"),
    [
        ((3, 10), (2, 10), 240),
        ((4, 8), (3, 8), 180),
        ((5, 6), (4, 6), 130),
        ((6, 4), (5, 4), 90),
        ((2, 13), (1, 13), 340),
        ((1, 13), (0, 13), 350),
        ((0, 13), (0, 13), 350),
    ],
)
def test_at_the_right_end_of_a_row_a_dividend_moves_the_marker_up(
    cell: Cell, target: Cell, price: int
) -> None:
    """220 to 240, 170 to 180, 120 to 130, 80 to 90, 330 to 340 to 350, where it stays."""
    table = earning("pay", 100, cell)
    assert market_of(table.game).markers["BH"] == target
    assert table.price_of("BH") == price


@pytest.mark.clause("1824/VIII.2-c")
@pytest.mark.parametrize(("cell", "target", "price"), [((2, 2), (2, 1), 90), ((0, 13), (0, 12), 320)])
@pytest.mark.parametrize(("kind", "revenue"), [("withhold", 100), ("withhold", 0), ("pay", 0)])
def test_without_a_dividend_the_marker_moves_left(
    kind: str, revenue: int, cell: Cell, target: Cell, price: int
) -> None:
    """Revenue kept and a dividend of 0 G alike move it one cell."""
    table = earning(kind, revenue, cell)
    assert market_of(table.game).markers["BH"] == target
    assert table.price_of("BH") == price


@pytest.mark.clause("1824/VIII.2-c")
def test_a_company_that_does_not_run_moves_left() -> None:
    """A company without route has nothing to decide, and its marker falls on the way."""
    table = clear_table(3)
    table.price_is("BH", 100)
    table.holds(ADA, "BH", 6, director=True)
    table.company_runs("BH")
    table.home_tokens_stand("BH")
    table.owns_trains("BH", "2")
    table.operating_round_is("BH", step="lay_track")
    events = table.act(ADA, Pass())
    assert price_moves(events) == [("BH", 2, 1, "withheld", 90)]


@pytest.mark.clause("1824/VIII.2-d")
@pytest.mark.parametrize(
    ("cell", "target", "price"), [((row, 0), (row + 1, 0), 90 - 10 * row) for row in range(6)]
)
def test_at_the_left_end_of_a_row_the_marker_moves_down(cell: Cell, target: Cell, price: int) -> None:
    """The first column leads from 100 down to 40, ten by ten."""
    table = earning("withhold", 100, cell)
    assert market_of(table.game).markers["BH"] == target
    assert table.price_of("BH") == price


@pytest.mark.clause("1824/VIII.2-d")
def test_the_lowest_price_has_nowhere_to_go() -> None:
    """At 40 in the last row the marker stays."""
    table = earning("withhold", 100, (6, 0))
    assert (market_of(table.game).markers["BH"], table.price_of("BH")) == ((6, 0), 40)


def rises_after(cell: Cell, in_bank: int) -> list[PriceMove]:
    """How sold out companies move at the end of a stock round of passes; BH is on this cell, so much of it in the bank."""
    table = clear_table(3)
    table.price_is("BH", 100)
    table.marker_stands("BH", *cell)
    table.holds(ADA, "BH", 6, director=True)
    if in_bank < 4:
        table.holds(BEN, "BH", 4 - in_bank)
    table.company_runs("BH")
    table.stock_round_is(ADA)
    return price_moves(table.pass_stock_round(), "1824.sold_out")


@pytest.mark.clause("1824/VIII.3-d")
@pytest.mark.parametrize(
    ("cell", "target", "price"), [((2, 2), (1, 2), 110), ((6, 0), (5, 0), 50), ((1, 13), (0, 13), 350)]
)
def test_a_company_sold_out_rises_at_the_end_of_the_stock_round(cell: Cell, target: Cell, price: int) -> None:
    """All ten shares in players' hands move the marker one cell up; one share in the bank prevents it."""
    assert rises_after(cell, 0) == [("BH", *target, "1824.sold_out", price)]
    assert rises_after(cell, 1) == []


@pytest.mark.clause("1824/VIII.3-d", "1824/VIII.1-a")
def test_companies_sold_out_rise_in_operating_order() -> None:
    """Of two sold out companies in one cell the upper one moves first and stays the upper one, under a third there."""
    table = clear_table(3)
    for company, cell in (("BK", (1, 2)), ("MS", (2, 2)), ("BH", (2, 2))):
        table.price_is(company, 60)
        table.marker_stands(company, *cell)
        table.holds(ADA, company, 6, director=True)
        table.company_runs(company)
    table.holds(BEN, "MS", 4)
    table.holds(BEN, "BH", 4)
    table.stock_round_is(ADA)
    moved = price_moves(table.pass_stock_round())
    assert moved[:2] == [("MS", 1, 2, "1824.sold_out", 110), ("BH", 1, 2, "1824.sold_out", 110)]


@pytest.mark.clause("1824/VIII.3-e")
@pytest.mark.parametrize("column", [0, 2, 13])
def test_in_the_top_row_a_company_sold_out_keeps_its_price(column: int) -> None:
    """There is no cell above the first row, and nothing is recorded."""
    assert rises_after((0, column), 0) == []


def moves(table: Table, move: MarketMove) -> bool:
    """Whether the marker of BH, moved so, comes to another cell."""
    draft = table.draft()
    shift(draft, table.data, "BH", move, "dividend")
    return bool(table.take(draft))


@pytest.mark.parametrize(
    ("row", "prices"),
    [
        pytest.param(
            0,
            (100, 110, 120, 130, 140, 155, 170, 190, 210, 235, 260, 290, 320, 350),
            marks=pytest.mark.clause("1824/I-a"),
            id="row-0",
        ),
        pytest.param(
            1,
            (90, 100, 110, 120, 130, 145, 160, 180, 200, 225, 250, 280, 310, 340),
            marks=pytest.mark.clause("1824/I-b"),
            id="row-1",
        ),
        pytest.param(
            2,
            (80, 90, 100, 110, 120, 135, 150, 170, 190, 215, 240, 270, 300, 330),
            marks=pytest.mark.clause("1824/I-c"),
            id="row-2",
        ),
        pytest.param(
            3,
            (70, 80, 90, 100, 110, 125, 140, 160, 180, 200, 220),
            marks=pytest.mark.clause("1824/I-d"),
            id="row-3",
        ),
        pytest.param(
            4, (60, 70, 80, 90, 100, 115, 130, 150, 170), marks=pytest.mark.clause("1824/I-e"), id="row-4"
        ),
        pytest.param(5, (50, 60, 70, 80, 90, 105, 120), marks=pytest.mark.clause("1824/I-f"), id="row-5"),
        pytest.param(6, (40, 50, 60, 70, 80), marks=pytest.mark.clause("1824/I-g"), id="row-6"),
    ],
)
def test_price_chart_row(row: int, prices: tuple[int, ...]) -> None:
    """A marker that dividends move to the right passes the printed prices of its row."""
    table = clear_table()
    table.marker_stands("BH", row, 0)
    right = chart_of(table.data).moves.dividend
    passed = [table.price_of("BH")]
    while moves(table, right) and market_of(table.game).markers["BH"][0] == row:
        passed.append(table.price_of("BH"))
    assert tuple(passed) == prices


@pytest.mark.clause("1824/I-h")
def test_price_chart_is_left_aligned() -> None:
    """Sales move a marker down through 7 rows in the first columns, then 6, 5, 4 and 3."""
    heights = []
    for column in range(14):
        table = clear_table()
        table.marker_stands("BH", 0, column)
        heights.append(1)
        while moves(table, chart_of(table.data).moves.sale):
            assert market_of(table.game).markers["BH"][1] == column
            heights[-1] += 1
    assert heights == [7, 7, 7, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 3]
