"""Directors of 1862: who has the director's certificate, how it is sold and how it leaves the pool (6.3)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.auctions.commands import Bid
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.shares.shares import DIRECTOR
from services.rules.parts.shares.state import stock_round
from services.rules.titles.g1862.companies import decider, in_receivership
from services.rules.titles.g1862.stock.directors import certificate_holder, settle_director
from tests.positions.market import price_moves
from tests.positions.reading import paid
from tests.positions.shares import new_directors
from tests.titles.g1862.table import ADA, BEN, CLEO, DORA, Table, new_table

OFFER = ("ESR", "ECR", "EUR", "L&H")


def stock(director_shares: int = 5, players: int = 4, **rulings: str) -> Table:
    """ESR is quoted at 100 with a train; Ada directs it with so much. A stock round begins with her."""
    table = new_table(players, offer=OFFER, by=rulings)
    table.is_founded("ESR", 100, ADA, shares=director_shares)
    table.owns_trains("ESR", "A")
    table.stock_round_is(ADA)
    return table


@pytest.mark.clause("1862/6.3-a")
def test_the_opener_is_the_first_director() -> None:
    """Who buys the director's certificate directs, in parliament as in a stock round."""
    table = new_table(3, offer=OFFER)
    table.act(ADA, Bid("ESR", 0))
    table.pass_on(2)
    table.act(ADA, StartCompany("ESR", 54))
    assert table.director("ESR") == ADA
    table.stock_round_is(BEN)
    table.act(BEN, StartCompany("ECR", 54))
    assert table.director("ECR") == BEN
    assert DIRECTOR in table.game.held(BEN, "ECR")


@pytest.mark.clause("1862/6.3-b")
def test_a_sale_gives_the_office_to_the_player_who_then_has_more() -> None:
    """Ada sells 3 of 5 shares; Ben with 3 takes the director's certificate for three plain ones."""
    table = stock(5)
    table.holds(BEN, "ESR", 3)
    table.act(ADA, SellCertificates("ESR", 3))
    assert table.director("ESR") == BEN
    assert table.game.held(BEN, "ESR") == (DIRECTOR,)
    assert (table.shares(ADA, "ESR"), table.shares(BEN, "ESR")) == (2, 3)
    assert DIRECTOR not in table.game.held(ADA, "ESR")
    assert table.shares(POOL, "ESR") == 3


@pytest.mark.clause("1862/6.3-b")
def test_a_purchase_gives_the_office_only_to_a_player_who_has_strictly_more() -> None:
    """With as much as the director nothing changes, with one share more the certificates are swapped."""
    table = stock(3)
    table.holds(BEN, "ESR", 2)
    table.pass_on()
    table.act(BEN, BuyCertificate("ESR"))
    assert table.director("ESR") == ADA
    table.stock_round_is(BEN)
    events = table.act(BEN, BuyCertificate("ESR"))
    assert table.director("ESR") == BEN
    assert new_directors(events) == [("ESR", BEN)]
    assert (table.shares(ADA, "ESR"), table.shares(BEN, "ESR")) == (3, 4)
    assert DIRECTOR in table.game.held(BEN, "ESR")


@pytest.mark.clause("1862/6.3-c")
def test_directors_are_settled_after_any_exchange_of_shares() -> None:
    """Whatever moved the shares, the rule settles who directs: here two shares go from Ada to Ben."""
    table = stock(5)
    table.holds(BEN, "ESR", 2)
    plain = tuple(number for number in table.game.held(ADA, "ESR") if number)
    table.gets_certificates(BEN, "ESR", *plain, source=ADA)
    draft = table.draft()
    settle_director(draft, table.data, "ESR")
    table.take(draft)
    assert table.director("ESR") == BEN
    assert (table.shares(ADA, "ESR"), table.shares(BEN, "ESR")) == (3, 4)


@pytest.mark.clause("1862/6.3-d")
def test_the_directors_certificate_is_sold_only_when_less_than_30_is_kept() -> None:
    """With 3 or more shares left the plain ones are sold; the director's certificate cannot be named."""
    table = stock(6)
    refused = table.refusal(ADA, SellCertificates("ESR", 3, (DIRECTOR,)))
    assert refused == ("director_would_change", "1862/6.3-d")
    table.act(ADA, SellCertificates("ESR", 3))
    assert table.game.held(ADA, "ESR") == (DIRECTOR,)
    assert table.director("ESR") == ADA


@pytest.mark.clause("1862/6.3-d")
@pytest.mark.clause("1862/6.3-h")
def test_a_certificate_nobody_can_take_goes_to_the_pool() -> None:
    """Ada keeps 2 of 5 shares, nobody has three: the company goes on without a director."""
    table = stock(5)
    table.holds(BEN, "ESR", 2)
    table.act(ADA, SellCertificates("ESR", 3))
    assert certificate_holder(table.game, "ESR") == POOL
    assert table.director("ESR") == ""
    assert in_receivership(table.game, "ESR")
    assert table.shares(ADA, "ESR") == 2


@pytest.mark.clause("1862/6.3-e")
def test_change_comes_from_the_pool() -> None:
    """Of the bare director's certificate one or two shares are sold for plain ones from the pool."""
    for shares in (1, 2):
        table = stock(3)
        table.holds(POOL, "ESR", 2)
        table.has_cash(ADA, 0)
        table.act(ADA, SellCertificates("ESR", shares))
        assert table.game.money(ADA) == shares * 100
        assert table.shares(ADA, "ESR") == 3 - shares
        assert DIRECTOR not in table.game.held(ADA, "ESR")
        assert table.shares(POOL, "ESR") == 2 + shares
        assert table.director("ESR") == ""


@pytest.mark.clause("1862/6.3-e")
def test_change_comes_from_the_successors_shares() -> None:
    """The pool is empty, but Ben's three plain shares go there when he takes the certificate."""
    table = stock(3)
    table.holds(BEN, "ESR", 3)
    table.act(ADA, SellCertificates("ESR", 1))
    assert table.director("ESR") == BEN
    assert (table.shares(ADA, "ESR"), table.shares(BEN, "ESR"), table.shares(POOL, "ESR")) == (
        2,
        3,
        1,
    )


@pytest.mark.clause("1862/6.3-f")
def test_without_change_the_sale_is_refused() -> None:
    """Director's certificate and one share, the pool empty, no successor: 1, 3 or 4 shares can be sold, not 2."""
    table = stock(4)
    assert table.refusal(ADA, SellCertificates("ESR", 2)) == ("1862.no_change_in_pool", "1862/6.3-f")
    sold = [
        each.shares for each in table.offered(ADA, SellCertificates) if isinstance(each, SellCertificates)
    ]
    assert sold == [1, 3, 4]
    for shares, left in ((1, 3), (3, 1), (4, 0)):
        other = stock(4)
        other.act(ADA, SellCertificates("ESR", shares))
        assert other.shares(ADA, "ESR") == left
    other = stock(4)
    other.holds(POOL, "ESR", 1)
    other.act(ADA, SellCertificates("ESR", 2))
    assert other.shares(ADA, "ESR") == 2


def test_named_certificates_must_be_owned_and_fit() -> None:
    """Foreign, doubled and unknown certificates are refused, and sums that do not fit."""
    table = stock(5)
    assert table.refusal(ADA, SellCertificates("ESR", 1, (7,)))[0] == "shares_not_owned"
    assert table.refusal(ADA, SellCertificates("ESR", 2, (1, 1)))[0] == "shares_not_owned"
    assert table.refusal(ADA, SellCertificates("ESR", 1, (9,)))[0] == "unknown_certificate"
    assert table.refusal(ADA, SellCertificates("ESR", 1, (1, 2)))[0] == "shares_not_owned"
    assert table.refusal(ADA, SellCertificates("ESR", 6))[0] == "shares_not_owned"
    for shares in (0, -1):
        assert table.refusal(ADA, SellCertificates("ESR", shares))[0] == "value_out_of_range"
    assert table.refusal(ADA, SellCertificates("ECR", 1))[0] == "company_without_price"


@pytest.mark.clause("1862/6.3-g")
def test_the_certificate_in_the_pool_is_not_for_sale() -> None:
    """A director's certificate in the pool cannot be bought, and is not what a purchase without number takes."""
    table = stock(5)
    table.holds(BEN, "ESR", 2)
    table.act(ADA, SellCertificates("ESR", 3))
    table.act(ADA, Pass())
    assert table.refusal(BEN, BuyCertificate("ESR", POOL, DIRECTOR)) == (
        "certificate_reserved",
        "1862/6.3-g",
    )
    assert table.refusal(BEN, BuyCertificate("ESR", POOL)) == (
        "certificate_not_available",
        "1862/6.5.1-a",
    )


def test_the_certificate_in_the_pool_by_ruling() -> None:
    """Under one ruling two plain shares and the price of one more take it, if there is cash for all three."""
    table = stock(5, director_certificate_in_pool="sold_for_one_share")
    table.holds(BEN, "ESR", 2)
    table.act(ADA, SellCertificates("ESR", 3))
    table.act(ADA, Pass())
    price = table.price_of("ESR")
    before = 3 * price
    table.has_cash(BEN, before - 1)
    assert BuyCertificate("ESR", POOL, DIRECTOR) not in table.offered(BEN, BuyCertificate)
    table.has_cash(BEN, before)
    assert BuyCertificate("ESR", POOL, DIRECTOR) in table.offered(BEN, BuyCertificate)
    table.act(BEN, BuyCertificate("ESR", POOL, DIRECTOR))
    assert table.game.money(BEN) == before - price
    assert table.game.held(BEN, "ESR") == (DIRECTOR,)
    assert table.director("ESR") == BEN
    assert table.shares(POOL, "ESR") == 2


def test_who_could_pay_a_certificate_alone_in_the_pool_is_asked_by_ruling() -> None:
    """Cleo has no share of ESR and nothing else to do: she is asked, and can only pass, where it is sold."""
    for ruling in ("never_sold", "sold_for_one_share"):
        table = new_table(3, offer=OFFER, director_certificate_in_pool=ruling)
        table.is_founded("ESR", 40, shares=0)
        table.holds(POOL, "ESR", 3, director=True)
        table.holds(ADA, "ESR", 2)
        table.gets_certificates("ESR", "ESR", *table.game.held(BANK, "ESR"))
        table.price_is("ESR", 44)
        table.gets_certificates(BEN, "ESR", *table.game.held("ESR", "ESR"), source="ESR")
        for cash, asked in ((132, ruling == "sold_for_one_share"), (131, False)):
            table.has_cash(CLEO, cash)
            table.stock_round_is(CLEO)
            table.carry_on()
            assert (table.asked() == CLEO) is asked
            if asked:
                assert [choice.command for choice in table.choices(CLEO)] == [Pass()]


@pytest.mark.clause("1862/6.3-h")
@pytest.mark.clause("1862/6.3-i")
@pytest.mark.clause("1862/8.0-a")
def test_a_player_who_reaches_30_takes_the_certificate_from_the_pool() -> None:
    """It stays in the pool until Ben buys his third share; then he swaps three shares for it at once."""
    table = stock(5)
    table.holds(BEN, "ESR", 2)
    table.act(ADA, SellCertificates("ESR", 3))
    table.act(ADA, Pass())
    assert in_receivership(table.game, "ESR")
    table.act(BEN, BuyCertificate("ESR"))
    assert table.game.held(BEN, "ESR") == (DIRECTOR,)
    assert table.director("ESR") == BEN
    assert not in_receivership(table.game, "ESR")
    assert table.shares(POOL, "ESR") == 3


@pytest.mark.clause("1862/6.3-j")
def test_a_tie_goes_to_the_nearest_clockwise_to_the_former_director() -> None:
    """Ada and Dora have 30 % each; Cleo was director, so Dora comes first."""
    table = new_table(4, offer=OFFER)
    table.is_founded("ESR", 100, shares=0)
    table.holds(POOL, "ESR", 3, director=True)
    table.holds(ADA, "ESR", 3)
    table.holds(DORA, "ESR", 3)
    draft = table.draft()
    settle_director(draft, table.data, "ESR", former=CLEO)
    table.take(draft)
    assert table.director("ESR") == DORA
    again = new_table(4, offer=OFFER)
    again.is_founded("ESR", 100, CLEO, shares=3)
    again.holds(ADA, "ESR", 3)
    again.holds(DORA, "ESR", 3)
    again.stock_round_is(CLEO)
    again.priority_is(ADA)
    again.act(CLEO, SellCertificates("ESR", 3))
    assert again.director("ESR") == DORA


@pytest.mark.clause("1862/6.3-k")
def test_a_swap_is_neither_sale_nor_purchase() -> None:
    """Ben's swap moves no price, and he may still sell and buy."""
    table = stock(5)
    table.holds(BEN, "ESR", 3)
    table.act(ADA, SellCertificates("ESR", 3))
    assert table.price_of("ESR") == 86
    assert stock_round(table.game).sold == ((ADA, "ESR"),)
    assert stock_round(table.game).purchases == ()
    table.act(ADA, Pass())
    assert table.asked() == BEN
    table.act(BEN, BuyCertificate("ESR", POOL))


@pytest.mark.clause("1862/8.0-b")
def test_the_majority_holder_manages_a_company_in_receivership() -> None:
    """The biggest holder decides, among equals the first clockwise from the priority holder; nobody without shares."""
    table = new_table(4, offer=OFFER)
    table.is_founded("ESR", 100, shares=0)
    assert decider(table.game, table.data, "ESR") == ""
    table.holds(POOL, "ESR", 3, director=True)
    table.holds(ADA, "ESR", 1)
    table.holds(DORA, "ESR", 2)
    table.holds(BEN, "ESR", 2)
    for priority, manager in ((ADA, BEN), (CLEO, DORA), (DORA, DORA)):
        table.priority_is(priority)
        assert decider(table.game, table.data, "ESR") == manager


def test_selling_the_office_counts_as_a_sale_of_all_shares_sold() -> None:
    """Three shares go as one block: 300 for the director's certificate, three spaces down."""
    table = stock(5)
    events = table.act(ADA, SellCertificates("ESR", 3))
    assert paid(events, BANK, ADA, 300, "certificate_sold", "ESR")
    assert len(price_moves(events)) == 1
    assert table.price_of("ESR") == 86
