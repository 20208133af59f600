"""Buying and selling in a stock round of 1865 (4.4)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.titles.g1865.companies import zone_of
from tests.positions.market import price_moves
from tests.positions.reading import CertificateMove, only, paid, payments
from tests.positions.shares import new_directors
from tests.titles.g1865.table import ADA, BEN, CLEO, DORA, Table, stock_table

TRAINS = {"red": (), "white": ("2",), "green": ("2", "2")}


def _table(
    price: int = 100, *, shares: int = 3, major: bool = False, zone: str = "red", **rulings: str
) -> Table:
    """FMS of Ada at this value."""
    table = stock_table(**rulings)
    table.is_launched("FMS", price, ADA, shares=2)
    if major:
        table.is_converted("FMS")
    table.holds(ADA, "FMS", shares - 2)
    for number, kind in enumerate(TRAINS[zone]):
        table.train_is_owned(f"{kind}-{number}", "FMS")
    assert zone_of(table.game, table.data, "FMS") == zone
    return table


@pytest.mark.clause("1865/4.4-b")
@pytest.mark.clause("1865/4.4-c")
def test_players_sell_at_the_present_value_to_the_pool() -> None:
    """3 shares at 90 bring 270 of the bank; who is not president leaves the value as it is."""
    table = _table(90, major=True, shares=4)
    table.holds(BEN, "FMS", 3)
    table.stock_turn_is(BEN)
    events = table.act(BEN, SellCertificates("FMS", 3))
    assert paid(events, BANK, BEN, 270, "certificate_sold", "FMS")
    assert table.shares(POOL, "FMS") == 3 and price_moves(events) == []


@pytest.mark.clause("1865/4.4-d")
@pytest.mark.clause("1865/4.9-c")
def test_each_share_of_the_president_lowers_the_value_by_a_space() -> None:
    """Value 100, the president sells 2 shares: 80; both are paid at 100. A minor's 20 % certificate is one share."""
    table = _table(100, major=True, shares=5)
    events = table.act(ADA, SellCertificates("FMS", 2))
    assert paid(events, BANK, ADA, 200, "certificate_sold", "FMS") and table.price_of("FMS") == 80
    minor = _table(100, shares=3)
    minor.act(ADA, SellCertificates("FMS", 1))
    assert minor.price_of("FMS") == 90


@pytest.mark.clause("1865/4.4-b")
def test_by_one_ruling_each_share_meets_its_own_value() -> None:
    """The president's two shares at 100 bring 100 and 90."""
    table = _table(100, major=True, shares=5, sale_of_several_shares="share_by_share")
    events = table.act(ADA, SellCertificates("FMS", 2))
    assert paid(events, BANK, ADA, 190, "certificate_sold", "FMS") and table.price_of("FMS") == 80


@pytest.mark.clause("1865/4.4-e")
@pytest.mark.clause("1865/4.4-f")
def test_the_president_s_certificate_needs_another_president() -> None:
    """Without one it cannot be sold; with one it is exchanged for two certificates first, and the new one is president."""
    table = _table(100, major=True, shares=3)
    table.holds(BEN, "FMS", 1)
    assert table.refusal(ADA, SellCertificates("FMS", 2)) == ("1865.president_not_replaced", "1865/4.4-e")
    table.holds(BEN, "FMS", 1)
    table.holds(CLEO, "FMS", 2)
    events = table.act(ADA, SellCertificates("FMS", 3))
    assert new_directors(events) == [("FMS", BEN)] and table.game.held(BEN, "FMS") == (0,)
    assert table.shares(ADA, "FMS") == 0 and table.shares(POOL, "FMS") == 3
    assert paid(events, BANK, ADA, 300, "certificate_sold", "FMS") and table.price_of("FMS") == 70


@pytest.mark.clause("1865/4.4-f")
def test_what_the_president_keeps_of_the_exchange_is_his() -> None:
    """He sells the president's certificate in part: one of the two he got for it stays."""
    table = _table(100, shares=2)
    table.holds(CLEO, "FMS", 2)
    events = table.act(ADA, SellCertificates("FMS", 1))
    assert new_directors(events) == [("FMS", CLEO)] and table.shares(ADA, "FMS") == 1
    assert 0 in table.game.held(CLEO, "FMS")


@pytest.mark.clause("1865/4.4-g")
def test_the_presidency_goes_to_the_greater_holding_of_a_player() -> None:
    """Equal holdings leave it; the Dragons and the bank pool are nobody."""
    table = _table(100, major=True, shares=3, zone="white")
    table.holds(BEN, "FMS", 2)
    table.holds(table.dragons, "FMS", 4)
    table.stock_turn_is(BEN)
    assert new_directors(table.act(BEN, BuyCertificate("FMS", "FMS"))) == []
    table.stock_turn_is(BEN)
    assert table.director("FMS") == ADA
    events = table.act(BEN, BuyCertificate("FMS", table.dragons))
    assert new_directors(events) == [("FMS", BEN)] and table.game.held(BEN, "FMS")[-1] == 0


@pytest.mark.clause("1865/4.4-g")
def test_a_sale_may_bring_another_president_too() -> None:
    """Ada sells until Ben has more."""
    table = _table(100, major=True, shares=5)
    table.holds(BEN, "FMS", 3)
    assert new_directors(table.act(ADA, SellCertificates("FMS", 2))) == []
    assert new_directors(table.act(ADA, SellCertificates("FMS", 1))) == [("FMS", BEN)]


@pytest.mark.clause("1865/4.4-h")
@pytest.mark.parametrize(
    ("major", "in_pool", "most"), [(False, 2, 0), (False, 1, 1), (True, 3, 2), (True, 5, 0)]
)
def test_the_pool_has_no_more_than_half(major: bool, in_pool: int, most: int) -> None:
    """A minor with 40 % in it: no more; a major with 30 %: two shares."""
    table = _table(100, major=major, shares=2)
    table.holds(POOL, "FMS", in_pool)
    table.holds(BEN, "FMS", most + 1 if major else 1)
    table.stock_turn_is(BEN)
    sizes = [command.shares for command in table.offered(BEN) if isinstance(command, SellCertificates)]
    assert max(sizes, default=0) == most
    refused = table.refusal(BEN, SellCertificates("FMS", most + 1))
    assert refused == (
        ("1865.pool_limit", "1865/4.4-h") if most == 0 or major else ("shares_not_owned", "1865/4.4-b")
    )


@pytest.mark.clause("1865/4.4-i")
def test_shares_of_a_company_that_has_not_operated_stay() -> None:
    """Nobody sells them."""
    table = stock_table()
    table.is_launched("FMS", 100, ADA, operated=False)
    table.holds(BEN, "FMS", 1)
    assert table.refusal(ADA, SellCertificates("FMS", 1)) == ("1865.company_not_operated", "1865/4.4-i")
    assert table.offered(ADA, SellCertificates) == []


def test_nobody_sells_what_is_not_his() -> None:
    """Too many, none, certificates of others, and the president's by its number."""
    table = _table(100, shares=3)
    table.holds(BEN, "FMS", 1)
    for command, code in (
        (SellCertificates("FMS", 4), "shares_not_owned"),
        (SellCertificates("FMS", 0), "value_out_of_range"),
        (SellCertificates("FMS", 1, (2,)), "shares_not_owned"),
        (SellCertificates("FMS", 2, (0,)), "shares_not_owned"),
        (SellCertificates("FMS", 1, (99,)), "unknown_certificate"),
        (SellCertificates("XYZ", 1), "unknown_company"),
        (SellCertificates("FA", 1), "company_without_price"),
    ):
        assert table.refusal(ADA, command)[0] == code, command
    table.act(ADA, SellCertificates("FMS", 1, (1,)))


@pytest.mark.clause("1865/4.4-j")
@pytest.mark.clause("1865/4.4-k")
@pytest.mark.clause("1865/4.4-l")
@pytest.mark.clause("1865/4.4-m")
@pytest.mark.parametrize(
    ("price", "zone", "premium_price"),
    [(100, "white", 110), (100, "green", 130), (165, "white", 180), (165, "green", 200)],
)
def test_three_sources_and_what_they_cost(price: int, zone: str, premium_price: int) -> None:
    """The offer pays the company, the pool and the Dragons the bank; the Dragons take a premium."""
    table = _table(price, major=True, shares=2, zone=zone)
    table.holds(POOL, "FMS", 1)
    table.holds(table.dragons, "FMS", 1)
    for source, cost, payee in (
        ("FMS", price, "FMS"),
        (POOL, price, BANK),
        (table.dragons, premium_price, BANK),
    ):
        table.stock_turn_is(BEN)
        choice = next(each for each in table.choices(BEN) if each.command == BuyCertificate("FMS", source))
        assert choice.cost == cost
        events = table.act(BEN, BuyCertificate("FMS", source))
        assert paid(events, BEN, payee, cost, "certificate_bought", "FMS")
    table.stock_turn_is(BEN)
    for source in (ADA, BANK, "FA", POOL):
        assert table.refusal(BEN, BuyCertificate("FMS", source)) == (
            "certificate_not_available",
            "1865/4.4-j",
        )


@pytest.mark.clause("1865/4.4-n")
def test_a_dragon_share_of_a_red_company_has_no_premium() -> None:
    """Value 100, red: 100."""
    table = _table(100, shares=2)
    table.holds(table.dragons, "FMS", 1)
    table.stock_turn_is(BEN)
    assert paid(
        table.act(BEN, BuyCertificate("FMS", table.dragons)), BEN, BANK, 100, "certificate_bought", "FMS"
    )


@pytest.mark.clause("1865/4.4-o")
def test_who_sold_shares_of_a_company_buys_none_in_the_same_round() -> None:
    """Not in the same turn, and not in a later one of the round; in the next round he may."""
    table = _table(100, major=True, shares=4)
    table.is_launched("FA", 60, BEN)
    table.act(ADA, SellCertificates("FMS", 1))
    assert table.refusal(ADA, BuyCertificate("FMS", POOL)) == ("sold_this_round", "1865/4.4-o")
    table.act(ADA, Pass())
    table.act(BEN, BuyCertificate("FMS", POOL))
    table.act(CLEO, Pass())
    assert table.refusal(ADA, BuyCertificate("FMS", "FMS")) == ("sold_this_round", "1865/4.4-o")
    table.stock_turn_is(ADA, turn=3)
    table.act(ADA, BuyCertificate("FMS", "FMS"))


@pytest.mark.clause("1865/4.4-p")
@pytest.mark.parametrize(("major", "most"), [(False, 3), (True, 6)])
def test_nobody_has_more_than_60_percent(major: bool, most: int) -> None:
    """A minor: president's certificate and one share; a major: six shares."""
    table = _table(60, major=major, shares=most - 1)
    table.act(ADA, BuyCertificate("FMS", "FMS"))
    table.stock_turn_is(ADA)
    assert table.refusal(ADA, BuyCertificate("FMS", "FMS")) == ("1865.percent_limit", "1865/4.4-p")


@pytest.mark.clause("1865/4.4-q")
@pytest.mark.clause("1865/4.4-r")
@pytest.mark.parametrize(("players", "limit"), [(2, 36), (3, 24), (4, 18)])
def test_nobody_has_more_certificates_than_the_limit(players: int, limit: int) -> None:
    """36, 24, 18 by number of players; sea companies do not count."""
    table = stock_table(players)
    companies = ("RCSF", "SFSS", "FCS", "SFS", "FA", "CFC", "CFD")
    for company in companies:
        table.is_launched(company, 60, BEN, shares=2)
        table.is_converted(company)
    table.has_maritime(ADA, "M1", "M2")
    left = limit - 1
    for company in companies:
        table.holds(ADA, company, min(6, left))
        left -= min(6, left)
    assert left == 0
    table.stock_turn_is(ADA)
    table.act(ADA, BuyCertificate("CFD", "CFD"))
    table.stock_turn_is(ADA)
    assert table.refusal(ADA, BuyCertificate("CFD", "CFD")) == ("certificate_limit", "1865/4.4-q")
    assert table.refusal(ADA, StartCompany("FMS", 60)) == ("certificate_limit", "1865/4.4-q")


@pytest.mark.clause("1865/4.4-j")
def test_a_certificate_may_be_named() -> None:
    """Number 3 and no other; one that is elsewhere is not to be had, nor one that there is not."""
    table = _table(100, shares=3)
    table.stock_turn_is(BEN)
    for number, code in (
        (1, "certificate_not_available"),
        (0, "certificate_not_available"),
        (9, "unknown_certificate"),
    ):
        assert table.refusal(BEN, BuyCertificate("FMS", "FMS", number))[0] == code
    table.act(BEN, BuyCertificate("FMS", "FMS", 3))
    assert table.game.held(BEN, "FMS") == (3,)


def test_a_purchase_needs_the_cash() -> None:
    """One less than the value is not enough."""
    table = _table(100, shares=2)
    table.has_cash(BEN, 99)
    table.stock_turn_is(BEN)
    assert table.refusal(BEN, BuyCertificate("FMS", "FMS")) == ("not_enough_cash", "1865/4.4-k")
    table.has_cash(BEN, 100)
    assert payments(table.act(BEN, BuyCertificate("FMS", "FMS")), "certificate_bought")
    assert only(table.log, CertificateMove)[-1].target == BEN
    assert DORA not in table.game.players
