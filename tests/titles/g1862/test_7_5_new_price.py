"""The price of a company after a merger and its marker on the chart of initial offers (5.2.3, 7.5.3, 7.5.4)."""

import pytest

from services.rules.parts.market.events import PriceMoved
from services.rules.parts.market.state import market_of
from services.rules.titles.g1862.mergers.newprice import in_chartered_area, marker_price
from services.rules.titles.g1862.state import charter_of
from tests.titles.g1862.mergers import begin, merging_table, only, set_up_company, settle_all
from tests.titles.g1862.table import ADA, BEN, Table


def two_companies(
    first: int,
    second: int,
    trains: tuple[bool, bool] = (True, True),
    chartered: tuple[bool, bool] = (False, False),
) -> Table:
    """N&E and WStI at these prices, with trains or without, on either side of their charters."""
    table = merging_table()
    for place, (symbol, price) in enumerate((("N&E", first), ("WStI", second))):
        set_up_company(
            table,
            symbol,
            price,
            {ADA: 10},
            director=ADA,
            train=trains[place],
            chartered=chartered[place],
        )
    table.operating_round("N&E", "WStI", step="merge")
    return table


def merged_price(table: Table, survivor: str = "N&E", other: str = "WStI") -> int:
    """The survivor's price when its shares begin to be exchanged."""
    begin(table, survivor, other, ADA)
    (move,) = [move for move in only(table.log, PriceMoved) if move.reason == "1862.merged"]
    assert move.company == survivor
    return move.price


@pytest.mark.parametrize(
    ("first", "second", "trains", "price"),
    [
        pytest.param(68, 100, (True, True), 116, marks=pytest.mark.clause("1862/7.5.3-d", "1862/7.5.3-a")),
        pytest.param(54, 62, (True, True), 82, marks=pytest.mark.clause("1862/7.5.3-e")),
        pytest.param(78, 116, (True, False), 95, marks=pytest.mark.clause("1862/7.5.3-f", "1862/7.5.3-c")),
        pytest.param(78, 116, (True, True), 134, marks=pytest.mark.clause("1862/7.5.3-f")),
        pytest.param(116, 68, (True, False), 90, marks=pytest.mark.clause("1862/7.5.3-g", "1862/7.5.3-b")),
        pytest.param(116, 68, (True, True), 122, marks=pytest.mark.clause("1862/7.5.3-g")),
        pytest.param(110, 90, (False, False), 71, marks=pytest.mark.clause("1862/7.5.3-h")),
        pytest.param(90, 90, (True, True), 134, marks=pytest.mark.clause("1862/5.2.3-a")),
        pytest.param(100, 74, (False, True), 86, marks=pytest.mark.clause("1862/5.2.3-a")),
    ],
)
def test_new_share_price(first: int, second: int, trains: tuple[bool, bool], price: int) -> None:
    """The examples of the rulebook, whichever of the two survives."""
    assert merged_price(two_companies(first, second, trains)) == price
    assert merged_price(two_companies(second, first, trains[::-1]), "WStI", "N&E") == price


@pytest.mark.clause("1862/7.5.3-a")
def test_no_price_beyond_the_top() -> None:
    """Two prices at the top of the market cannot give more than its last space."""
    assert merged_price(two_companies(1_000, 900)) == 1_000


@pytest.mark.clause("1862/7.5.3-b")
def test_an_odd_price_without_train_is_halved_downwards() -> None:
    """65 without train counts as 32: with half of 71 that is 67, so 65; a 33 would have given 68."""
    assert merged_price(two_companies(65, 71, (False, True))) == 65


@pytest.mark.clause("1862/5.2.3-a", "1862/7.1-c")
def test_the_survivor_goes_under_the_markers_on_its_space() -> None:
    """47 + 90/2 leads from 90 to 90: the marker stays on the space and goes under the other one there."""
    table = two_companies(90, 47)
    table.price("I&B", 90)
    cell = market_of(table.game).markers["N&E"]
    assert market_of(table.game).cells[cell] == ("N&E", "I&B")
    assert merged_price(table) == 90
    assert market_of(table.game).cells[cell] == ("I&B", "N&E")


@pytest.mark.parametrize(
    ("price", "marker"),
    [
        (7, 54),
        (52, 54),
        (54, 54),
        (56, 54),
        (71, 68),
        (86, 82),
        (95, 90),
        (100, 100),
        (105, 100),
        (1_000, 100),
    ],
)
@pytest.mark.clause("1862/7.5.4-a", "1862/5.2.3-b")
def test_marker_on_the_chart(price: int, marker: int) -> None:
    """At the price or on the next space below, 54 at least and 100 at most."""
    assert marker_price(merging_table().data, price) == marker


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("second", [True, False])
@pytest.mark.clause("1862/7.5.4-b")
def test_area_of_the_chart(first: bool, second: bool) -> None:
    """The marker is in the chartered area when either company was chartered, and in a later merger as well."""
    table = two_companies(90, 90, chartered=(first, second))
    begin(table, "N&E", "WStI", ADA)
    settle_all(table)
    assert in_chartered_area(table.game, "N&E") == (first or second)
    assert not charter_of(table.game, "N&E").chartered
    set_up_company(table, "I&B", 54, {BEN: 5}, director=BEN)
    table.operating_round("I&B", "N&E", step="merge")
    begin(table, "I&B", "N&E", BEN)
    assert in_chartered_area(table.game, "I&B") == (first or second)


def test_a_merger_of_the_poorest_leaves_the_lowest_price() -> None:
    """Two companies without trains at 7 are worth 3 and half of 3: the price is 7 again, not that of the bankrupt."""
    assert merged_price(two_companies(7, 7, (False, False))) == 7
