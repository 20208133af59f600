"""Selling shares in 1862, and what it does to prices (6.4)."""

import pytest

from services.rules.kernel.title import Context
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.market import price_at, target
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.titles.g1862.events import MonopolyFormed
from services.rules.titles.g1862.stock.selling import price_falls
from tests.titles.g1862.stockboard import STOCK_OFFER, stock_table
from tests.titles.g1862.table import ADA, BEN, CLEO, DORA, new_table


@pytest.mark.clause("1862/6.4-a")
def test_any_number_of_shares_of_any_companies_in_one_turn() -> None:
    """Blocks of several companies one after the other, and all of one company at once."""
    table = stock_table()
    table.found("ECR", 100, BEN, shares=5)
    table.hold(ADA, "ECR", 2)
    table.act(ADA, SellCertificates("ECR", 2))
    table.act(ADA, SellCertificates("ESR", 4))
    assert table.shares(ADA, "ECR") == table.shares(ADA, "ESR") == 0


@pytest.mark.clause("1862/6.4-b")
def test_shares_of_one_company_go_as_one_block() -> None:
    """The whole block fetches the price before it falls, and a second block in the same turn is refused."""
    table = stock_table(74)
    before = table.game.money(BEN)
    table.pass_on()
    table.act(BEN, SellCertificates("ESR", 2))
    assert table.game.money(BEN) == before + 148
    assert table.refusal(BEN, SellCertificates("ESR", 1)) == ("sales_forbidden", "1862/6.4-b")


@pytest.mark.clause("1862/6.4-c")
def test_sold_shares_go_to_the_pool_without_limit() -> None:
    """All of a company may lie in the pool."""
    table = stock_table(500 + 30)
    table.hold(POOL, "ESR", 3)
    table.act(ADA, SellCertificates("ESR", 4))
    table.pass_on()
    table.act(BEN, SellCertificates("ESR", 3))
    assert table.shares(POOL, "ESR") == 10


@pytest.mark.clause("1862/6.4-d")
def test_shares_bought_in_this_round_are_not_sold_in_it() -> None:
    """What Cleo bought she keeps for this stock round; in the next she may sell it."""
    table = stock_table()
    table.found("ECR", 54, DORA, shares=5)
    table.stock_round(CLEO)
    table.act(CLEO, BuyCertificate("ECR"))
    table.pass_on(3)
    assert table.asked() == CLEO
    assert table.refusal(CLEO, SellCertificates("ECR", 1)) == ("1862.shares_bought_this_round", "1862/6.4-e")
    table.stock_round(CLEO, turn=3)
    table.act(CLEO, SellCertificates("ECR", 1))


@pytest.mark.clause("1862/6.4-e")
def test_part_of_the_director_can_be_sold_when_as_much_was_bought() -> None:
    """Begun with the director's certificate alone, bought one: one share may be sold, not two."""
    table = new_table(3, offer=STOCK_OFFER)
    table.found("ESR", 100, ADA, shares=3)
    table.hold(POOL, "ESR", 3)
    table.train("ESR", "A")
    table.stock_round(ADA)
    table.act(ADA, BuyCertificate("ESR"))
    table.pass_on(2)
    assert table.refusal(ADA, SellCertificates("ESR", 4)) == ("1862.shares_bought_this_round", "1862/6.4-e")
    table.act(ADA, SellCertificates("ESR", 1))
    assert table.shares(ADA, "ESR") == 3
    opened = new_table(3, offer=STOCK_OFFER)
    opened.stock_round(ADA)
    opened.act(ADA, StartCompany("ESR", 54))
    opened.pass_on(2)
    assert opened.refusal(ADA, SellCertificates("ESR", 3)) == ("1862.shares_bought_this_round", "1862/6.4-e")


@pytest.mark.clause("1862/6.4.1-a")
@pytest.mark.clause("1862/6.4.1-b")
def test_shares_of_a_company_without_a_train_fetch_half() -> None:
    """74 with a train, 37 without; of 71 it is 35 a share."""
    for price, train, share in ((74, True, 74), (74, False, 37), (71, False, 35)):
        table = stock_table(price, train=train, first=BEN)
        table.cash(BEN, 0)
        table.act(BEN, SellCertificates("ESR", 2))
        assert table.game.money(BEN) == 2 * share


@pytest.mark.clause("1862/6.4.2-a")
def test_each_share_sold_moves_the_price_one_space_down() -> None:
    """74 with three shares sold: 71, 68, 65."""
    for shares, price in ((1, 71), (2, 68), (3, 65)):
        table = stock_table(74)
        table.pass_on()
        table.act(BEN, SellCertificates("ESR", shares))
        assert table.price_of("ESR") == price


@pytest.mark.clause("1862/6.4.2-b")
def test_a_marker_goes_beneath_those_already_there() -> None:
    """ESR falls from 74 to 71, where ECR stands: ECR stays above it."""
    table = stock_table(74)
    table.found("ECR", 71, CLEO)
    table.act(ADA, SellCertificates("ESR", 1))
    assert market_of(table.game).cells[market_of(table.game).markers["ESR"]] == ("ECR", "ESR")


def price_after(price: int, seller: str, shares: int) -> int:
    """The price once the seller has sold so much at this price."""
    table = stock_table(price, first=seller)
    table.act(seller, SellCertificates("ESR", shares))
    return table.price_of("ESR")


@pytest.mark.clause("1862/6.4.2-c")
@pytest.mark.parametrize(
    ("price", "one", "two"),
    [(40, 36, 31), (36, 36, 31), (14, 14, 7), (200, 191, 182), (210, 210, 200), (375, 375, 350)],
)
def test_above_200_and_below_40_the_first_share_of_others_is_ignored(price: int, one: int, two: int) -> None:
    """Ben, who is not the director, sells one or two shares."""
    assert price_after(price, BEN, 1) == one
    assert price_after(price, BEN, 2) == two


@pytest.mark.clause("1862/6.4.2-d")
@pytest.mark.parametrize(("price", "three"), [(400, 375), (530, 495), (950, 900)])
def test_from_400_on_the_first_two_shares_of_others_are_ignored(price: int, three: int) -> None:
    """One and two shares leave the price, the third moves it."""
    assert price_after(price, BEN, 1) == price_after(price, BEN, 2) == price
    assert price_after(price, BEN, 3) == three


@pytest.mark.clause("1862/6.4.2-c")
@pytest.mark.clause("1862/6.4.2-d")
@pytest.mark.parametrize(("price", "after"), [(36, 31), (210, 200), (400, 375)])
def test_a_directors_own_sales_are_never_ignored(price: int, after: int) -> None:
    """Ada directs: her first share moves the price in every zone."""
    assert price_after(price, ADA, 1) == after


@pytest.mark.clause("1862/6.4.2-e")
def test_only_sales_into_the_pool_move_the_price() -> None:
    """A purchase, with the change of director it brings, leaves the price."""
    table = stock_table(74)
    table.hold(BEN, "ESR", 1)
    table.pass_on()
    table.act(BEN, BuyCertificate("ESR"))
    assert table.director("ESR") == BEN
    assert table.price_of("ESR") == 74


@pytest.mark.clause("1862/6.4.2-f")
def test_no_fall_before_quotation_and_after_the_lner() -> None:
    """A company that is not quoted, and any company once the LNER has formed, keeps its price."""
    table = new_table(3, offer=STOCK_OFFER)
    table.found("ECR", 82, ADA, shares=3, chartered=False, quoted=False)
    table.hold(BEN, "ECR", 1)
    table.stock_round(BEN)
    table.act(BEN, SellCertificates("ECR", 1))
    assert table.price_of("ECR") == 82
    late = stock_table(74)
    late.write(MonopolyFormed("LNER", 12))
    late.act(ADA, SellCertificates("ESR", 3))
    assert late.price_of("ESR") == 74


@pytest.mark.clause("1862/9.0-u")
def test_in_phase_h_sales_leave_the_price() -> None:
    """From the first H train on, or, under one ruling, only from the LNER on."""
    for ruling, price in (("price_stays", 74), ("price_falls", 71)):
        table = stock_table(74, sales_in_phase_h=ruling)
        table.phase("H")
        table.act(ADA, SellCertificates("ESR", 1))
        assert table.price_of("ESR") == price


@pytest.mark.clause("1862/6.4.2-g")
def test_prices_are_one_ladder_drawn_as_a_zigzag() -> None:
    """67 prices from 0 to 1000; a sale goes one down, left and right go two, never past the ends."""
    market = chart_of(stock_table().data)
    (row,) = market.rows
    assert len(row) == 67
    assert (row[0], row[-1]) == (0, 1000)
    assert list(row) == sorted(row)
    data = stock_table().data
    at_74 = (0, row.index(74))
    moves = market.moves
    assert price_at(data, target(data, at_74, moves.sale)) == 71
    assert price_at(data, target(data, at_74, moves.no_dividend)) == 68
    assert price_at(data, target(data, at_74, moves.dividend)) == 82
    assert target(data, (0, 1), moves.no_dividend) == (0, 0)
    assert target(data, (0, 65), moves.dividend) == (0, 66)


def test_a_price_of_nothing_is_bankruptcy() -> None:
    """Sales that reach 0 take the company off the market."""
    table = stock_table(14)
    draft = table.draft()
    price_falls(draft, Context(table.data), "ESR", 2, by_director=True)
    table.take(draft)
    assert "ESR" not in market_of(table.game).markers
    assert table.shares(BANK, "ESR") == 10
