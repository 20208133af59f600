"""Buying certificates, opening a regional and the limits on holdings in 1824 (VI.4, VI.5, VI.7)."""

import pytest

from services.rules.kernel.commands import Command, Pass
from services.rules.kernel.events import CashMoved, CertificatesMoved
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.state import unplaced_tokens
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.shares.events import CompanyOpened
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1824.commands import BuyCompany, ExchangeCompany
from tests.titles.g1824.positions import ADA, BEN, CLEO, Table, clear_table, new_table, owned_table
from tests.titles.g1824.reading_events import only


@pytest.mark.clause("1824/VI.4-a")
def test_one_share_of_any_company_on_the_chart() -> None:
    """One 10 % certificate of each company with a marker can be bought, of no other."""
    table = clear_table(3)
    table.price("MS", 70)
    offered = {command.company for command in table.offered(ADA) if isinstance(command, BuyCertificate)}
    assert offered == set(market_of(table.game).markers) == {"SD", "UG", "KK", "MS"}
    events = table.act(ADA, BuyCertificate("KK"))
    assert [each.shares for each in only(events, CertificatesMoved)] == [1]
    assert table.game.money(ADA) == 820 - 120
    assert table.refusal(BEN, BuyCertificate("BH")) == ("company_without_price", "1824/VI.4-b")


@pytest.mark.clause("1824/VI.4-a")
def test_nothing_is_left_to_buy_of_a_company_without_shares_in_the_bank() -> None:
    """When players hold all plain certificates a further one is refused."""
    table = clear_table(3)
    table.price("BH", 70)
    table.hold(BEN, "BH", 6, director=True)
    table.hold(CLEO, "BH", 4)
    refused = ("certificate_not_available", "1824/VI.4-a")
    assert table.refusal(ADA, BuyCertificate("BH")) == refused
    assert table.refusal(ADA, BuyCertificate("BH", number=3)) == refused


@pytest.mark.clause("1824/VI.4-b", "1824/IV.4.3-c")
def test_the_buyer_of_the_directors_certificate_sets_the_price_and_pays_it_twice() -> None:
    """BH at 90 costs 180 G for 20 %, its marker stands at 90, and its 10 % certificates are on sale from then on."""
    table = clear_table(3)
    bank = table.game.money(BANK)
    table.act(ADA, StartCompany("BH", 90))
    assert (table.game.money(ADA), table.game.money(BANK)) == (820 - 180, bank + 180)
    assert (table.game.held(ADA, "BH"), table.director("BH")) == ((0,), ADA)
    assert (market_of(table.game).markers["BH"], table.price_of("BH")) == ((3, 2), 90)
    assert table.refusal(BEN, StartCompany("BH", 60)) == ("company_has_price", "1824/VI.4-b")
    table.act(BEN, BuyCertificate("BH"))
    assert table.game.money(BEN) == 820 - 90


@pytest.mark.clause("1824/VI.4-c", "1824/IV.4.3-b")
def test_starting_prices_of_a_regional_without_coal() -> None:
    """60, 70, 80, 90 and 100 G are offered; anything else is refused."""
    table = clear_table(3)
    starts = [command for command in table.offered(ADA) if isinstance(command, StartCompany)]
    assert sorted(start.price for start in starts if start.company == "BH") == [60, 70, 80, 90, 100]
    for price in (50, 65, 110, 120):
        assert table.refusal(ADA, StartCompany("BH", price)) == ("price_not_offered", "1824/VI.4-c")


@pytest.mark.clause("1824/VI.4-d")
@pytest.mark.parametrize(
    ("command", "cost"),
    [
        (BuyCertificate("SD"), 120),
        (BuyCertificate("MS"), 70),
        (StartCompany("BH", 60), 120),
        (StartCompany("BH", 100), 200),
    ],
)
def test_a_purchase_is_paid_in_full(command: Command, cost: int) -> None:
    """One G too little and it is refused; with exactly the price it is made."""
    table = clear_table(3)
    table.price("MS", 70)
    table.cash(ADA, cost - 1)
    table.stock_round(ADA)
    assert table.refusal(ADA, command) == ("not_enough_cash", "1824/VI.4-d")
    assert command not in table.offered(ADA)
    table.cash(ADA, cost)
    table.act(ADA, command)
    assert table.game.money(ADA) == 0


@pytest.mark.clause("1824/VI.4-e")
def test_a_company_sold_may_not_be_bought_again_in_the_same_round() -> None:
    """Not in the same turn, nor in the next one; again in the next stock round. Others may buy it at once."""
    table = clear_table(3)
    table.price("BH", 60)
    table.hold(ADA, "BH", 6, director=True)
    table.open("BH", 600)
    table.stock_round(ADA)
    table.act(ADA, SellCertificates("BH", 1))
    refused = ("sold_this_round", "1824/VI.4-e")
    assert table.refusal(ADA, BuyCertificate("BH")) == refused
    table.pass_on()
    table.act(BEN, BuyCertificate("BH"))
    table.pass_on()
    assert (table.asked(), table.refusal(ADA, BuyCertificate("BH"))) == (ADA, refused)
    table.stock_round(ADA, turn=3)
    table.act(ADA, BuyCertificate("BH"))
    assert table.shares(ADA, "BH") == 6


def half_sold(**rulings: str) -> Table:
    """Ada started BH at 80 and has 30 %, Ben has 10 % and buys another share."""
    table = clear_table(3, **rulings)
    table.price("BH", 80)
    table.hold(ADA, "BH", 3, director=True)
    table.hold(BEN, "BH", 1)
    table.stock_round(BEN)
    table.act(BEN, BuyCertificate("BH"))
    return table


@pytest.mark.clause("1824/VI.5-a", "1824/IV.4.3-d", "1824/IV.4.3-e")
def test_a_regional_opens_with_half_of_it_in_players_hands() -> None:
    """Not with 40 %, but at once with 50 %, which two players hold together; BH gets ten times 80 G."""
    table = clear_table(3)
    table.price("BH", 80)
    table.hold(ADA, "BH", 3, director=True)
    table.stock_round(BEN)
    table.act(BEN, BuyCertificate("BH"))
    assert not companies_of(table.game)["BH"].opened
    table = half_sold()
    assert companies_of(table.game)["BH"].opened
    assert table.game.money("BH") == 800


def test_ruling_one_player_may_have_to_hold_the_half_that_opens_a_regional() -> None:
    """Under `one_player` 30 % and 20 % do not open it; the director's own 50 % do."""
    table = half_sold(regional_opening="one_player")
    assert not companies_of(table.game)["BH"].opened
    table.hold(ADA, "BH", 1)
    table.stock_round(ADA)
    table.act(ADA, BuyCertificate("BH"))
    assert table.shares(ADA, "BH") == 5
    assert companies_of(table.game)["BH"].opened


@pytest.mark.clause("1824/VI.5-a")
def test_a_regional_does_not_open_without_a_director() -> None:
    """Half of BK in players' hands opens nothing while its director's certificate is kept for the coal company."""
    table = owned_table({"EPP": CLEO}, 3)
    table.hold(BEN, "BK", 4)
    table.stock_round(BEN)
    table.act(BEN, BuyCertificate("BK"))
    assert table.shares(BEN, "BK") == 5
    assert not companies_of(table.game)["BK"].opened
    assert table.director("BK") == ""


@pytest.mark.clause("1824/VI.5-b")
def test_the_director_gets_charter_tokens_and_treasury() -> None:
    """At the opening of BH at 80 G its three tokens are on the charter, 800 G in the treasury, paid by the bank."""
    table = clear_table(3)
    table.price("BH", 80)
    table.hold(ADA, "BH", 4, director=True)
    table.stock_round(ADA)
    events = table.act(ADA, BuyCertificate("BH"))
    assert CompanyOpened("BH") in events
    assert CashMoved(BANK, "BH", 800, "capital_paid_in", "BH") in events
    state = companies_of(table.game)["BH"]
    assert (state.director, unplaced_tokens(table.game, "BH"), state.opened) == (ADA, (0, 40, 100), True)
    table.pass_stock_round()
    assert (table.game.actor, table.asked()) == ("BH", ADA)


LIMITS = [(3, 21), (4, 16), (5, 13), (6, 11)]


def with_certificates(players: int, count: int, **rulings: str) -> Table:
    """Ada has so many plain certificates of majors and is about to act; MS has a price, BH none."""
    table = clear_table(players, **rulings)
    for state in ("SD", "UG", "KK"):
        held = min(count - table.certificates(ADA), 8)
        table.hold(ADA, state, held)
    table.price("MS", 60)
    table.cash(ADA, 1000)
    table.stock_round(ADA)
    assert table.certificates(ADA) == count
    return table


@pytest.mark.clause("1824/VI.7-a", "1824/VI.7-b")
@pytest.mark.parametrize(("players", "limit"), LIMITS)
def test_no_purchase_above_the_certificate_limit(players: int, limit: int) -> None:
    """The last certificate below the limit can be bought, the next one cannot, nor the director's certificate."""
    with_certificates(players, limit - 1).act(ADA, BuyCertificate("MS"))
    with_certificates(players, limit - 1).act(ADA, StartCompany("BH", 60))
    full = with_certificates(players, limit)
    refused = ("certificate_limit", "1824/VI.7-b")
    assert full.refusal(ADA, BuyCertificate("MS")) == refused
    assert full.refusal(ADA, StartCompany("BH", 60)) == refused


def with_shares_to_sell(players: int, count: int) -> Table:
    """Ada has so many certificates, two of them of BH, of which she may sell one, and the mountain company B1; the 3-train
    is out, and it is her turn in a stock round."""
    table = owned_table({"B1": ADA}, players)
    table.phase("3")
    table.price("BH", 60)
    table.hold(ADA, "BH", 3, director=True)
    table.hold(BEN, "BH", 3)
    table.open("BH")
    for state in ("SD", "UG", "KK"):
        held = min(count - table.certificates(ADA), 8)
        table.hold(ADA, state, held)
    assert table.certificates(ADA) == count
    table.stock_round(ADA)
    return table


@pytest.mark.clause("1824/VI.7-a", "1824/VI.7-b")
@pytest.mark.parametrize(("players", "limit"), LIMITS)
def test_no_exchange_of_a_mountain_company_above_the_certificate_limit(players: int, limit: int) -> None:
    """With one certificate less than the limit B1 can be exchanged for a share, with as many as allowed it cannot."""
    table = with_shares_to_sell(players, limit - 1)
    table.act(ADA, ExchangeCompany("B1", "MS"))
    assert table.certificates(ADA) == limit
    full = with_shares_to_sell(players, limit)
    assert full.refusal(ADA, ExchangeCompany("B1", "MS")) == ("certificate_limit", "1824/VI.7-b")
    assert full.offered(ADA, ExchangeCompany) == []


@pytest.mark.clause("1824/VI.7-a", "1824/VI.7-c")
@pytest.mark.parametrize(("players", "limit"), LIMITS)
def test_only_who_is_above_the_certificate_limit_has_to_sell(players: int, limit: int) -> None:
    """At the limit Ada may pass; with one more she has to sell, after which she can do nothing else and Ben is asked."""
    with_shares_to_sell(players, limit).act(ADA, Pass())
    over = with_shares_to_sell(players, limit + 1)
    assert over.refusal(ADA, Pass()) == ("must_sell", "1824/VI.7-c")
    over.act(ADA, SellCertificates("BH", 1))
    assert over.asked() == BEN


@pytest.mark.clause("1824/VI.7-c", "1824/VI.8-a")
def test_who_is_above_the_limit_and_has_nothing_to_sell_may_pass() -> None:
    """All 17 certificates are of states that have not formed: none can be sold, and the turn ends all the same."""
    table = with_certificates(4, 17)
    assert table.offered(ADA, SellCertificates) == []
    table.act(ADA, Pass())


def test_a_company_that_does_not_exist_is_refused() -> None:
    """Whatever is to be done with it, by reason `unknown_company`."""
    table = with_shares_to_sell(4, 5)
    for command in (
        BuyCertificate("XX"),
        StartCompany("XX", 60),
        SellCertificates("XX", 1),
        ExchangeCompany("B1", "XX"),
    ):
        assert table.refusal(ADA, command) == ("unknown_company", "")
    initial = new_table(4)
    assert initial.refusal(initial.asked(), BuyCompany("XX", 120)) == ("unknown_company", "")


def counted_with_privates(**rulings: str) -> int:
    """Ada's count with a coal company, a pre-state and one share."""
    table = owned_table({"EPP": ADA, "SD2": ADA}, 4, **rulings)
    table.hold(ADA, "KK", 1)
    return table.certificates(ADA)


@pytest.mark.clause("1824/VI.7-b")
def test_coal_and_pre_state_companies_count_toward_the_limit() -> None:
    """The rulebook exempts mountain companies only."""
    assert counted_with_privates() == 3


def test_ruling_coal_and_pre_state_companies_may_be_exempt_from_the_limit() -> None:
    """Under `not_counted` only the share counts."""
    assert counted_with_privates(coal_and_pre_states_in_certificate_limit="not_counted") == 1


def over_the_limit() -> Table:
    """Four players, limit 16: Ada has 16 certificates, among them BH's director's; Ben outbids her and she gets two
    plain ones for it, 17 in all."""
    table = clear_table(4)
    table.hold(ADA, "SD", 7, director=True)
    table.open("SD")
    table.hold(ADA, "UG", 6)
    table.price("BH", 60)
    table.hold(ADA, "BH", 4, director=True)
    table.hold(BEN, "BH", 4)
    table.open("BH")
    table.price("MS", 60)
    table.hold(ADA, "KK", 1)
    assert table.certificates(ADA) == 6 + 6 + 3 + 1
    table.stock_round(BEN)
    table.act(BEN, BuyCertificate("BH"))
    assert (table.director("BH"), table.certificates(ADA)) == (BEN, 17)
    table.pass_on(2)
    assert table.asked() == ADA
    return table


@pytest.mark.clause("1824/VI.7-c")
def test_who_loses_a_directors_certificate_sells_down_to_the_limit() -> None:
    """With 17 certificates Ada may neither pass nor buy nor exchange before she has sold one."""
    table = over_the_limit()
    refused = ("must_sell", "1824/VI.7-c")
    assert table.refusal(ADA, Pass()) == refused
    assert table.refusal(ADA, BuyCertificate("MS")) == refused
    assert table.refusal(ADA, StartCompany("SB", 60)) == refused
    assert {type(command) for command in table.offered(ADA)} == {SellCertificates}
    table.act(ADA, SellCertificates("BH", 1))
    assert table.certificates(ADA) == 16
    assert table.refusal(ADA, BuyCertificate("MS")) == ("certificate_limit", "1824/VI.7-b")
    table.act(ADA, Pass())


@pytest.mark.clause("1824/VI.7-c")
def test_who_sold_below_the_limit_may_buy_again() -> None:
    """After two shares sold Ada may buy one in the same turn."""
    table = over_the_limit()
    table.act(ADA, SellCertificates("BH", 2))
    table.act(ADA, BuyCertificate("MS"))
    assert table.certificates(ADA) == 16


@pytest.mark.clause("1824/VI.7-d")
def test_a_holder_of_60_percent_may_not_buy_more() -> None:
    """With 50 % one more share can be bought, with 60 % none."""
    table = clear_table(3)
    table.price("BH", 60)
    table.hold(ADA, "BH", 5, director=True)
    table.open("BH")
    table.stock_round(ADA)
    table.act(ADA, BuyCertificate("BH"))
    assert table.shares(ADA, "BH") == 6
    table.pass_on(2)
    assert table.refusal(ADA, BuyCertificate("BH")) == ("1824.holding_limit", "1824/VI.7-d")


@pytest.mark.clause("1824/VI.7-d")
def test_a_holder_of_less_than_60_percent_may_buy_the_directors_certificate() -> None:
    """50 % from exchanges and the director's certificate make 70 %, for the limit looks at what is held before."""
    table = clear_table(3)
    table.hold(ADA, "BH", 5)
    table.stock_round(ADA)
    table.act(ADA, StartCompany("BH", 60))
    assert table.shares(ADA, "BH") == 7


@pytest.mark.clause("1824/VI.7-e")
def test_an_exchange_may_lead_above_60_percent() -> None:
    """A mountain company is exchanged into a seventh share; nothing need be sold afterwards."""
    table = owned_table({"B1": ADA}, 3)
    table.phase("3")
    table.price("BH", 60)
    table.hold(ADA, "BH", 6, director=True)
    table.open("BH")
    table.stock_round(ADA)
    table.act(ADA, ExchangeCompany("B1", "BH"))
    assert table.shares(ADA, "BH") == 7
    table.pass_on(2)
    assert table.asked() == ADA
    table.act(ADA, Pass())
    assert table.shares(ADA, "BH") == 7
