"""Selling shares in a stock round of 1824 (VI.8) and what it does to prices (VIII.3)."""

import pytest

from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.events import PriceMoved
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates
from services.rules.parts.shares.state import companies_of
from tests.titles.g1824.positions import ADA, BEN, CLEO, Table, clear_table
from tests.titles.g1824.reading_events import only

OPEN_CELL = (2, 7)


def sellers(bank: int = 2, **rulings: str) -> Table:
    """BH and MS at 170, open; Ada directs both, Ben has 20 %, Cleo 10 %, the bank as much as said; Ada is to act."""
    table = clear_table(3, **rulings)
    for company in ("BH", "MS"):
        table.price(company, 100)
        table.move_price(company, *OPEN_CELL)
        table.hold(ADA, company, 7 - bank, director=True)
        table.hold(BEN, company, 2)
        table.hold(CLEO, company, 1)
        table.open(company)
    table.stock_round(ADA)
    return table


@pytest.mark.clause("1824/VI.8-a")
def test_shares_of_a_company_that_is_not_open_cannot_be_sold() -> None:
    """A regional with a price but half unsold, and a state before its formation, are refused."""
    table = clear_table(3)
    table.price("BH", 100)
    table.hold(ADA, "BH", 4, director=True)
    table.hold(ADA, "SD", 3)
    table.stock_round(ADA)
    for company in ("BH", "SD"):
        refused = table.refusal(ADA, SellCertificates(company, 1))
        assert refused == ("1824.company_not_operated", "1824/VI.8-a")
    assert table.offered(ADA, SellCertificates) == []


@pytest.mark.clause("1824/VI.8-a")
def test_a_share_without_price_cannot_be_sold() -> None:
    """A share from a mountain exchange into a regional nobody has started stays with its owner."""
    table = clear_table(3)
    table.hold(ADA, "BH", 1)
    table.stock_round(ADA)
    assert table.refusal(ADA, SellCertificates("BH", 1)) == ("1824.company_not_operated", "1824/VI.8-a")


def opened_this_round(**rulings: str) -> Table:
    """BH opened by Ada's purchase in this stock round; Ben, with 20 %, is to act."""
    table = clear_table(3, **rulings)
    table.price("BH", 100)
    table.hold(ADA, "BH", 3, director=True)
    table.hold(BEN, "BH", 2)
    table.stock_round(ADA)
    table.act(ADA, BuyCertificate("BH"))
    assert companies_of(table.game)["BH"].opened
    return table


def test_ruling_shares_may_be_sold_once_the_company_is_open() -> None:
    """By the rulebook a company is operational once it is open, before its first turn."""
    table = opened_this_round()
    table.act(BEN, SellCertificates("BH", 1))
    assert table.shares(BEN, "BH") == 1


def test_ruling_shares_may_be_sold_only_after_the_companys_first_turn() -> None:
    """Under `operated` the sale is refused until then."""
    table = opened_this_round(sale_needs="operated")
    assert table.refusal(BEN, SellCertificates("BH", 1)) == ("1824.company_not_operated", "1824/VI.8-a")
    table.open("BH")
    table.stock_round(BEN)
    table.act(BEN, SellCertificates("BH", 1))


@pytest.mark.clause("1824/VI.8-b")
def test_no_sale_when_the_bank_holds_half_of_the_company() -> None:
    """With 50 % in the bank nothing can be sold; with 40 % even 20 % in one block, which leads to 60 %."""
    assert sellers(5).refusal(ADA, SellCertificates("BH", 1)) == ("1824.bank_limit", "1824/VI.8-b")
    assert sellers(5).offered(ADA, SellCertificates) == []
    table = sellers(4)
    table.act(ADA, SellCertificates("BH", 2))
    assert table.shares(BANK, "BH") == 6


def test_ruling_no_sale_after_which_the_bank_would_hold_more_than_half() -> None:
    """Under `after_sale` 10 % more may go to a bank with 40 %, but not 20 %."""
    table = sellers(4, bank_limit_for_sales="after_sale")
    assert table.refusal(ADA, SellCertificates("BH", 2)) == ("1824.bank_limit", "1824/VI.8-b")
    table.act(ADA, SellCertificates("BH", 1))
    assert table.shares(BANK, "BH") == 5
    assert table.refusal(ADA, SellCertificates("BH", 1)) == ("1824.bank_limit", "1824/VI.8-b")


@pytest.mark.clause("1824/VI.8-c")
@pytest.mark.parametrize(("shares", "left"), [(4, 1), (5, 0)])
def test_the_directors_certificate_never_stays_in_the_bank(shares: int, left: int) -> None:
    """Ada sells so much of her 50 % that Ben becomes director: he gets the 20 % certificate, the bank plain ones."""
    table = sellers(2)
    table.act(ADA, SellCertificates("BH", shares))
    assert (table.shares(ADA, "BH"), table.shares(BANK, "BH")) == (left, 2 + shares)
    assert 0 not in table.game.held(BANK, "BH")
    assert len(table.game.held(ADA, "BH")) == left
    assert (table.director("BH"), table.game.held(BEN, "BH")) == (BEN, (0,))


@pytest.mark.clause("1824/VI.8-c")
@pytest.mark.parametrize(("shares", "numbers"), [(2, (0,)), (1, (0,)), (3, (0, 1)), (2, (0, 1))], ids=str)
def test_the_directors_certificate_cannot_be_named_while_plain_ones_suffice(
    shares: int, numbers: tuple[int, ...]
) -> None:
    """Ada has 30 % in plain certificates and must sell those; nothing changes."""
    table = sellers(2)
    assert table.game.held(ADA, "BH")[:2] == (0, 1)
    refused = table.refusal(ADA, SellCertificates("BH", shares, numbers))
    assert refused == ("1824.director_not_replaced", "1824/VI.8-c")


@pytest.mark.clause("1824/VI.8-d")
def test_sold_shares_go_back_to_the_banks_stock() -> None:
    """What Ada sells Ben can buy from the bank at once; there is no pool."""
    table = sellers(0)
    assert table.refusal(ADA, BuyCertificate("BH"))[0] == "certificate_not_available"
    table.act(ADA, SellCertificates("BH", 2))
    assert table.shares(BANK, "BH") == 2
    assert not any(holder == POOL for holder, _ in table.game.holdings)
    table.pass_on()
    table.act(BEN, BuyCertificate("BH"))
    assert table.shares(BEN, "BH") == 3


@pytest.mark.clause("1824/VI.8-e")
@pytest.mark.parametrize(("shares", "proceeds"), [(1, 170), (3, 510), (4, 680), (5, 850)])
def test_the_seller_gets_the_price_before_it_falls_for_every_share(shares: int, proceeds: int) -> None:
    """Shares at 170 bring 170 G each, however many are sold, half a director's certificate included."""
    table = sellers(2)
    before = table.game.money(ADA), table.game.money(BANK)
    table.act(ADA, SellCertificates("BH", shares))
    assert (table.game.money(ADA), table.game.money(BANK)) == (before[0] + proceeds, before[1] - proceeds)


@pytest.mark.clause("1824/VI.8-f")
@pytest.mark.parametrize("order", [("BH", "MS"), ("MS", "BH")])
def test_the_seller_chooses_the_order_of_companies(order: tuple[str, str]) -> None:
    """Both orders are open, and the marker of the company sold first lies on top in the cell below."""
    table = sellers(2)
    offered = {command.company for command in table.offered(ADA) if isinstance(command, SellCertificates)}
    assert offered == {"BH", "MS"}
    for company in order:
        table.act(ADA, SellCertificates(company, 1))
    assert market_of(table.game).cells[(3, 7)] == order


@pytest.mark.clause("1824/VIII.3-a")
@pytest.mark.parametrize("shares", [1, 2, 3])
def test_a_sale_moves_the_marker_one_cell_down_whatever_its_size(shares: int) -> None:
    """One, two and three shares alike bring 170 down to 160."""
    table = sellers(2)
    events = table.act(ADA, SellCertificates("BH", shares))
    assert only(events, PriceMoved) == [PriceMoved("BH", 3, 7, "sale", 160)]
    assert table.price_of("BH") == 160


def sold_twice(**rulings: str) -> int:
    """The price of BH after two sales of one share each in one turn."""
    table = sellers(2, **rulings)
    before = table.game.money(ADA)
    table.act(ADA, SellCertificates("BH", 1))
    table.act(ADA, SellCertificates("BH", 1))
    assert table.game.money(ADA) == before + 170 + chart_of(table.data).rows[3][7]
    return table.price_of("BH")


def test_ruling_every_sale_of_a_turn_moves_the_marker_or_only_the_first() -> None:
    """Two sales in one turn bring 170 down to 150, or under `first_moves` to 160 only."""
    assert sold_twice() == 150
    assert sold_twice(repeated_sales_in_one_turn="first_moves") == 160


@pytest.mark.clause("1824/VIII.3-b")
@pytest.mark.parametrize("ruling", ["each_moves", "first_moves"])
def test_sales_of_several_players_and_in_several_turns_move_the_marker_each_time(ruling: str) -> None:
    """Ada, Ben and Ada again bring 190 down to 180, 170 and 160."""
    table = sellers(2, repeated_sales_in_one_turn=ruling)
    table.move_price("BH", 0, 7)
    prices = []
    for seller in (ADA, BEN, ADA):
        while table.asked() != seller:
            table.pass_on()
        table.act(seller, SellCertificates("BH", 1))
        prices.append(table.price_of("BH"))
        table.pass_on()
    assert prices == [180, 170, 160]


@pytest.mark.clause("1824/VIII.3-c")
@pytest.mark.parametrize(
    ("row", "column", "price"), [(6, 0, 40), (6, 4, 80), (5, 6, 120), (4, 8, 170), (3, 10, 220), (2, 11, 270)]
)
def test_at_the_bottom_of_a_column_sales_leave_the_price(row: int, column: int, price: int) -> None:
    """The lowest cell of every column holds, in whatever row it lies; the seller is paid all the same."""
    table = sellers(2)
    table.move_price("BH", row, column)
    before = table.game.money(ADA)
    events = table.act(ADA, SellCertificates("BH", 2))
    assert only(events, PriceMoved) == []
    assert (table.price_of("BH"), table.game.money(ADA)) == (price, before + 2 * price)
