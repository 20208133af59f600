"""Bankruptcy by price and by train, and redeeming a share (7.12, 7.13)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.events import Event
from services.rules.kernel.title import Context
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.map.board import token_cities
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import SellCertificates, StartCompany
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.commands import Merge, RaiseCash, RedeemCertificate
from services.rules.titles.g1862.state import charter_of
from services.rules.titles.g1862.trains.bankruptcy import go_bankrupt
from tests.positions.reading import CertificateMove, moved_trains, only, paid, payments
from tests.positions.rounds import ended_turns
from tests.positions.shares import reset
from tests.titles.g1862.mergers import merging_table, set_up_company, shares
from tests.titles.g1862.table import ADA, BEN, CLEO, Table


def weak_company(
    price: int = 65, *, train: bool = False, treasury: int = 40, stakes: dict[str, int] | None = None
) -> Table:
    """N&E with shares everywhere, tokens on the map and on the charter, and a licence gained in a merger; I&B comes next."""
    table = merging_table()
    holders = stakes or {ADA: 4, BEN: 3, "N&E": 2, POOL: 1}
    set_up_company(table, "N&E", price, holders, director=ADA, train=train, treasury=treasury)
    set_up_company(table, "I&B", 60, {CLEO: 6}, director=CLEO, treasury=1_000)
    table.token_stands("N&E", "B13")
    table.token_stands("N&E", "D9")
    table.token_stands("I&B", "H5")
    table.licences_are("N&E", "freight", "local")
    for player in table.game.players:
        table.has_cash(player, 0)
    table.operating_round_is("N&E", "I&B", step="buy_trains")
    return table


def dissolve(table: Table, cause: str) -> tuple[Event, ...]:
    """N&E goes bankrupt."""
    draft = table.draft()
    go_bankrupt(draft, Context(table.data), "N&E", "price" if cause == "price" else "train")
    return table.take(draft)


@pytest.mark.clause("1862/7.12-c", "1862/7.12-a")
def test_players_are_refunded_when_the_train_was_missing() -> None:
    """At 65 every share of a player brings 32; treasury and pool get nothing."""
    table = weak_company(65)
    events = dissolve(table, "train")
    refunds = [
        (fact.target, fact.amount) for fact in payments(events) if fact.reason == "1862.bankruptcy_refund"
    ]
    assert refunds == [(ADA, 128), (BEN, 96)]
    assert (table.game.money(ADA), table.game.money(BEN)) == (128, 96)


@pytest.mark.clause("1862/7.12-c", "1862/7.12-b")
def test_nothing_is_refunded_when_the_price_was_the_cause() -> None:
    """A company whose marker is down at the end of the market pays nobody, with a train or without."""
    table = weak_company(7, train=True)
    table.price_is("N&E", 0)
    events = dissolve(table, "price")
    assert not [fact for fact in payments(events) if fact.reason == "1862.bankruptcy_refund"]


@pytest.mark.clause("1862/7.12-d", "1862/7.12-e", "1862/7.12-f")
def test_what_is_left_of_a_bankrupt_company() -> None:
    """Cash, trains and tokens are gone, all certificates are with the bank in their order, and it has its first licence."""
    table = weak_company(65, train=True)
    bank = table.game.money(BANK)
    events = dissolve(table, "train")
    company, charter = companies_of(table.game)["N&E"], charter_of(table.game, "N&E")
    assert paid(events, "N&E", BANK, 40, "1862.company_dissolved", "N&E")
    assert table.game.money(BANK) == bank + 40 - 128 - 96
    assert ("A-0", "N&E", "") in moved_trains(events, "removed")
    assert not trains_of(table.game).owned.get("N&E")
    assert token_cities(map_of(table.game).tokens, "N&E") == ()
    assert table.game.held(BANK, "N&E") == tuple(range(8))
    assert shares(table, "N&E") == {BANK: 10}
    assert "N&E" not in market_of(table.game).markers
    assert (company.opened, company.director, company.par) == (False, "", 0)
    assert unplaced_tokens(table.game, "N&E") == ()
    assert (charter.licences, charter.offered_from) == (("freight",), "A")


@pytest.mark.clause("1862/7.12-f")
def test_a_bankrupt_company_can_be_started_again() -> None:
    """In the next stock round somebody takes its director's certificate at a price of his choice."""
    table = weak_company()
    dissolve(table, "train")
    table.has_cash(BEN, 500)
    table.stock_round_is(BEN)
    table.act(BEN, StartCompany("N&E", 100))
    assert (table.director("N&E"), table.price_of("N&E")) == (BEN, 100)


@pytest.mark.clause("1862/7.12-a", "1862/7.11.2-c")
def test_bankrupt_in_the_step_of_buying_trains() -> None:
    """Neither shares nor a refinancing pay for a train: the company is dissolved and the next one is at turn."""
    table = weak_company(treasury=0, stakes={ADA: 10})
    table.phase_is("G")
    events = table.act(ADA, RaiseCash("N&E", "refinancing"))
    assert reset(events) == [("N&E", "")]
    assert table.game.actor == "I&B"


@pytest.mark.clause("1862/7.12-b")
def test_bankrupt_by_sales_of_shares() -> None:
    """A director's sale that takes the marker down to the last space dissolves the company; the sale itself is paid."""
    table = weak_company(14, train=True)
    table.stock_round_is(ADA)
    events = table.act(ADA, SellCertificates("N&E", 2))
    assert reset(events) == [("N&E", "")]
    assert table.game.money(ADA) == 28
    assert shares(table, "N&E") == {BANK: 10}


@pytest.mark.clause("1862/7.12-b")
def test_bankrupt_by_withholding() -> None:
    """A price that falls to the last space without a dividend dissolves the company before it can buy a train."""
    table = weak_company(7)
    table.operating_round_is("N&E", "I&B", step="place_token")
    events = table.act(ADA, Pass())
    assert reset(events) == [("N&E", "")]
    assert table.game.actor == "I&B"


def with_share_in_pool(*options: str, price: int = 65, treasury: int = 100) -> Table:
    """N&E may redeem a share: two are in the pool."""
    table = merging_table(4, *options)
    set_up_company(table, "N&E", price, {ADA: 6, POOL: 2}, director=ADA, treasury=treasury)
    set_up_company(table, "I&B", 60, {CLEO: 6, POOL: 2}, director=CLEO, treasury=1_000)
    table.token_stands("N&E", "B13")
    table.token_stands("I&B", "H5")
    table.operating_round_is("N&E", "I&B", step="redeem_share")
    return table


@pytest.mark.clause("1862/7.13-a", "1862/7.13-b")
@pytest.mark.parametrize("chartered", [True, False])
def test_a_company_redeems_one_share_a_turn(chartered: bool) -> None:
    """Chartered or not, it pays the price from its treasury to the bank and puts the share on its charter; one a turn."""
    table = with_share_in_pool(treasury=200)
    table.charter_is("N&E", chartered=chartered)
    number = table.game.held(POOL, "N&E")[0]
    assert table.offered(ADA) == [RedeemCertificate("N&E"), Pass()]
    events = table.act(ADA, RedeemCertificate("N&E"))
    assert paid(events, "N&E", BANK, 65, "1862.share_redeemed", "N&E")
    redeemed = CertificateMove("N&E", (number,), POOL, "N&E", "1862.redeemed", 1)
    assert redeemed in only(events, CertificateMove)
    assert table.game.held("N&E", "N&E") == (number,)
    assert table.game.actor == "I&B"
    table.operating_round_is("N&E", step="redeem_share")
    table.has_taken_action("redeemed")
    assert table.refusal(ADA, RedeemCertificate("N&E")) == ("1862.redeem_not_possible", "1862/7.13-a")


@pytest.mark.clause("1862/7.13-c")
def test_only_its_own_shares() -> None:
    """A company redeems no share of another."""
    table = with_share_in_pool()
    assert table.refusal(ADA, RedeemCertificate("I&B")) == ("1862.redeem_not_possible", "1862/7.13-c")
    assert table.refusal(ADA, RedeemCertificate("LNER")) == ("unknown_company", "")


@pytest.mark.clause("1862/7.13-a", "1862/7.13-b")
def test_when_there_is_nothing_to_redeem() -> None:
    """Not without a share in the pool, nor without the money, nor in receivership; then the step passes by itself."""
    assert with_share_in_pool(treasury=65).offered(ADA, RedeemCertificate)
    table = with_share_in_pool(treasury=64)
    assert table.refusal(ADA, RedeemCertificate("N&E")) == ("not_enough_cash", "1862/7.13-b")
    assert "N&E" in ended_turns(table.carry_on())
    table = with_share_in_pool()
    pool = table.game.held(POOL, "N&E")
    table.gets_certificates(BEN, "N&E", *pool, source=POOL)
    assert table.refusal(ADA, RedeemCertificate("N&E")) == ("1862.redeem_not_possible", "1862/7.13-a")
    table = with_share_in_pool()
    table.has_no_director("N&E")
    assert table.refusal(ADA, RedeemCertificate("N&E")) == ("1862.in_receivership", "1862/7.13-a")


@pytest.mark.clause("1862/7.13-a")
def test_redeeming_is_a_choice() -> None:
    """A company may go on without redeeming."""
    table = with_share_in_pool()
    table.act(ADA, Pass())
    assert shares(table, "N&E")[POOL] == 2


@pytest.mark.clause("1862/11.3-b")
def test_beginners_redeem_nothing() -> None:
    """In the beginners' game there are never shares on charters."""
    table = with_share_in_pool("simple_express", "beginners")
    assert table.refusal(ADA, RedeemCertificate("N&E")) == ("1862.variant_forbids", "1862/11.3-b")
    assert "N&E" in ended_turns(table.carry_on())


@pytest.mark.clause("1862/7.14-a")
def test_acquisitions_come_after_redeeming() -> None:
    """A company that has redeemed a share may still acquire another in the same turn."""
    table = with_share_in_pool(treasury=200)
    table.directs(ADA, "I&B")
    table.tile_lies("C8", "14", 1)
    table.tile_lies("D9", "14", 1)
    table.token_stands("N&E", "C8")
    table.token_stands("I&B", "D9")
    table.act(ADA, RedeemCertificate("N&E"))
    assert table.game.current_round.step == "acquire"
    assert table.offered(ADA, Merge) == [Merge("N&E", "I&B")]
