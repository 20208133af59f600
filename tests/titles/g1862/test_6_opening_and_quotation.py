"""Companies opened in a stock round, and the quotation of both kinds (6.5.3, 6.5.4)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.auctions.commands import Bid
from services.rules.parts.map.state import unplaced_tokens
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.shares.shares import DIRECTOR
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import Hop, RunTrains, TrainRun
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.commands import BuyNewTrain, BuyTokens
from services.rules.titles.g1862.mergers.restarting import restart
from services.rules.titles.g1862.state import charter_of
from services.rules.titles.g1862.stock.starting import ipo_marker_for, opening_prices
from tests.positions.reading import paid
from tests.positions.rounds import questions
from tests.titles.g1862.table import ADA, BEN, CLEO, Table, new_table

OFFER = ("ESR", "ECR", "EUR", "L&H", "WNR", "Y&N", "N&B", "SVR")
PRICES = (
    54,
    56,
    58,
    60,
    62,
    65,
    68,
    71,
    74,
    78,
    82,
    86,
    90,
    95,
    100,
    105,
    110,
    116,
    122,
    128,
    134,
    142,
    150,
    158,
)


def stock(players: int = 3, *options: str, **rulings: str) -> Table:
    """A stock round begins with Ada; nothing is open."""
    table = new_table(players, *options, offer=OFFER, by=rulings)
    table.stock_round_is(ADA)
    return table


def opened(price: int = 74, *options: str) -> Table:
    """Ada has opened ESR at this price and bought a fourth share; it is her turn again."""
    table = stock(3, *options)
    table.act(ADA, StartCompany("ESR", price))
    table.pass_on(2)
    table.act(ADA, BuyCertificate("ESR", "ESR"))
    table.pass_on(2)
    assert table.asked() == ADA
    return table


@pytest.mark.clause("1862/6.5.3-a")
def test_a_company_on_the_offer_can_be_opened() -> None:
    """The director's certificate has to be in the initial offer: not of a company that is open or comes later."""
    table = stock()
    table.is_founded("ECR", 54, BEN)
    assert table.refusal(ADA, StartCompany("ECR", 54)) == ("company_has_price", "1862/6.5.3-a")
    later = list(companies_of(table.game))[8]
    assert table.refusal(ADA, StartCompany(later, 54)) == ("company_not_offered", "1862/3.2-a")
    table.act(ADA, StartCompany("ESR", 54))
    assert table.game.held(ADA, "ESR") == (DIRECTOR,)


@pytest.mark.clause("1862/6.5.3-b")
@pytest.mark.clause("1862/6.5.3-c")
@pytest.mark.clause("1862/3.2-d")
@pytest.mark.clause("1862/3.2-e")
@pytest.mark.clause("1862/3.2-g")
def test_a_company_without_room_for_its_home_cannot_be_opened() -> None:
    """Witham is empty, then has a free slot, then none: ECR can be opened but for the last."""
    table = stock()
    assert StartCompany("ECR", 54) in table.offered(ADA, StartCompany)
    for symbol in ("ESR", "EUR"):
        table.is_founded(symbol, 54, BEN)
    table.tile_lies("D13", "15", 0)
    assert StartCompany("ECR", 54) in table.offered(ADA, StartCompany)
    table.token_stands("ESR", "D13")
    assert StartCompany("ECR", 54) in table.offered(ADA, StartCompany)
    table.token_stands("EUR", "D13")
    assert StartCompany("ECR", 54) not in table.offered(ADA, StartCompany)
    assert table.refusal(ADA, StartCompany("ECR", 54)) == ("1862.home_blocked", "1862/3.2-g")
    table.parliament_is(ADA)
    assert table.refusal(ADA, Bid("ECR", 0)) == ("1862.home_blocked", "1862/3.2-g")


@pytest.mark.clause("1862/6.5.3-d")
def test_the_market_marker_goes_beneath_those_on_its_space() -> None:
    """Opened at 74, where ECR stands already."""
    table = stock()
    table.is_founded("ECR", 74, BEN)
    table.act(ADA, StartCompany("ESR", 74))
    assert table.price_of("ESR") == 74
    assert market_of(table.game).cells[market_of(table.game).markers["ESR"]] == ("ECR", "ESR")
    assert table.director("ESR") == ADA


@pytest.mark.clause("1862/6.5.3-e")
def test_opening_prices_from_54_to_200() -> None:
    """Every price of the ladder from 54 to 200, no other."""
    table = stock()
    assert opening_prices(table.data)[: len(PRICES)] == PRICES
    assert opening_prices(table.data)[-5:] == (166, 174, 182, 191, 200)
    assert len(opening_prices(table.data)) == 29
    for price in (52, 210, 55, 0):
        assert table.refusal(ADA, StartCompany("ESR", price)) == ("price_not_offered", "1862/6.5.3-e")


@pytest.mark.clause("1862/6.5.3-f")
def test_the_opener_pays_the_company() -> None:
    """Three times 200 go into the treasury; who cannot pay that is refused."""
    table = stock()
    bank = table.game.money(BANK)
    table.act(ADA, StartCompany("ESR", 200))
    assert table.game.money(ADA) == 200
    assert table.game.money("ESR") == 600
    assert table.game.money(BANK) == bank
    table.has_cash(BEN, 599)
    assert table.refusal(BEN, StartCompany("ECR", 200)) == ("not_enough_cash", "1862/6.5.3-f")


@pytest.mark.clause("1862/6.5.3-g")
def test_unsold_shares_lie_on_the_charter() -> None:
    """The seven plain shares are the company's own."""
    table = stock()
    table.act(ADA, StartCompany("ESR", 74))
    assert table.game.held("ESR", "ESR") == (1, 2, 3, 4, 5, 6, 7)
    assert table.game.held(BANK, "ESR") == ()


@pytest.mark.clause("1862/6.5.3-h")
def test_the_marker_on_the_chart_of_initial_offers() -> None:
    """The space nearest to the price, the lower of two, from 54 to 100."""
    data = stock().data
    spaces = {
        54: 54,
        56: 54,
        58: 58,
        60: 58,
        65: 62,
        71: 68,
        78: 74,
        86: 82,
        95: 90,
        100: 100,
        105: 100,
        200: 100,
        40: 54,
    }
    for price, space in spaces.items():
        assert ipo_marker_for(data, price) == space
    table = stock()
    table.act(ADA, StartCompany("ESR", 65))
    assert companies_of(table.game)["ESR"].par == 62


@pytest.mark.clause("1862/6.5.3-i")
def test_that_marker_prices_no_share_of_an_unchartered_company() -> None:
    """Opened at 65 the marker says 62, but a share costs 65."""
    table = stock()
    table.act(ADA, StartCompany("ESR", 65))
    before = table.game.money(BEN)
    table.act(BEN, BuyCertificate("ESR", "ESR"))
    assert table.game.money(BEN) == before - 65


@pytest.mark.clause("1862/6.5.4-a")
def test_quoted_with_half_bought_from_it_not_with_shares_from_the_pool() -> None:
    """30 % and two more shares from the company quote it; a share that changes hands through the pool adds nothing."""
    table = opened()
    assert not companies_of(table.game)["ESR"].opened
    table.holds(POOL, "ESR", 1, source=ADA)
    table.stock_round_is(BEN, turn=3)
    table.act(BEN, BuyCertificate("ESR", POOL))
    assert not companies_of(table.game)["ESR"].opened
    table.act(CLEO, BuyCertificate("ESR", "ESR"))
    assert companies_of(table.game)["ESR"].opened


@pytest.mark.clause("1862/6.5.4-b")
def test_quoted_companies_fall_and_operate() -> None:
    """Once quoted a sale lowers its price, and it stands in the order of the next operating round."""
    table = opened()
    table.act(ADA, BuyCertificate("ESR", "ESR"))
    table.act(ADA, BuyTokens("ESR", 2))
    table.stock_round_is(ADA, turn=3)
    table.act(ADA, SellCertificates("ESR", 1))
    assert table.price_of("ESR") == 71
    table.pass_round()
    assert table.game.current_round.kind == "operating"
    assert table.game.current_round.order == ("ESR",)


@pytest.mark.clause("1862/6.5.4-c")
@pytest.mark.clause("1862/6.5.4.1-a")
def test_a_chartered_company_gets_ten_times_par_when_quoted() -> None:
    """Par 74: 740 from the bank less 180 for three tokens, and the licence it was dealt."""
    table = new_table(3, offer=OFFER, licences={"ESR": "local"})
    table.is_founded("ESR", 74, ADA, shares=4, quoted=False)
    table.stock_round_is(BEN)
    assert table.game.money("ESR") == 0
    events = table.act(BEN, BuyCertificate("ESR"))
    assert paid(events, BANK, "ESR", 740, "capital_paid_in", "ESR")
    assert table.game.money("ESR") == 740 - 180
    assert charter_of(table.game, "ESR").licences == ("local",)
    assert table.price_of("ESR") == 74


@pytest.mark.clause("1862/6.5.4.1-b")
def test_an_unchartered_company_is_paid_share_by_share() -> None:
    """Three shares at the opening, one with each purchase, also after quotation."""
    table = stock()
    table.act(ADA, StartCompany("ESR", 74))
    assert table.game.money("ESR") == 222
    table.act(BEN, BuyCertificate("ESR", "ESR"))
    assert table.game.money("ESR") == 296
    events = table.act(CLEO, BuyCertificate("ESR", "ESR"))
    assert table.game.money("ESR") == 370
    assert questions(events) == [("1862.buy_tokens", ADA, "ESR")]
    table.act(ADA, BuyTokens("ESR", 2))
    table.act(ADA, BuyCertificate("ESR", "ESR"))
    assert table.game.money("ESR") == 370 - 80 + 74


@pytest.mark.clause("1862/6.5.4.2-a")
@pytest.mark.clause("1862/11.4-a")
@pytest.mark.clause("1862/13.0-b")
def test_number_and_cost_of_tokens() -> None:
    """Chartered: three for 60 each. Others: two to seven for 40 each, eight only where that was agreed on."""
    chartered = new_table(3, offer=OFFER)
    chartered.is_founded("ESR", 54, ADA, shares=4, quoted=False)
    chartered.stock_round_is(ADA)
    events = chartered.act(ADA, BuyCertificate("ESR"))
    assert paid(events, "ESR", BANK, 180, "token_cost", "ESR")
    assert unplaced_tokens(chartered.game, "ESR") == (0, 0, 0)
    for options, most in (((), 7), (("eight_stations",), 8)):
        table = opened(100, *options)
        table.act(ADA, BuyCertificate("ESR", "ESR"))
        counts = [each.count for each in table.offered(ADA, BuyTokens) if isinstance(each, BuyTokens)]
        assert counts == list(range(2, most + 1))
        assert [choice.cost for choice in table.choices(ADA)] == [40 * count for count in counts]
        for count in (0, 1, most + 1):
            assert table.refusal(ADA, BuyTokens("ESR", count)) == ("1862.token_count", "1862/6.5.4.2-a")
        table.act(ADA, BuyTokens("ESR", most))
        assert table.game.money("ESR") == 500 - 40 * most
        assert len(unplaced_tokens(table.game, "ESR")) == most


@pytest.mark.clause("1862/6.5.4.2-b")
def test_tokens_may_cost_the_whole_treasury() -> None:
    """With 240 left six tokens at 40 can be paid, seven cannot."""
    table = opened(54)
    table.act(ADA, BuyCertificate("ESR", "ESR"))
    table.has_cash("ESR", 240)
    assert table.refusal(ADA, BuyTokens("ESR", 7)) == ("1862.token_count", "1862/6.5.4.2-b")
    table.act(ADA, BuyTokens("ESR", 6))
    assert table.game.money("ESR") == 0


@pytest.mark.clause("1862/6.5.4.2-b")
def test_the_director_chooses_what_the_treasury_can_pay() -> None:
    """Opened at 54 the treasury holds 270: six tokens are the most; nobody else is asked, and for no other company."""
    table = opened(54)
    table.act(ADA, BuyCertificate("ESR", "ESR"))
    assert table.asked() == ADA
    assert table.refusal(BEN, BuyTokens("ESR", 2)) == ("not_your_turn", "")
    assert table.refusal(ADA, BuyTokens("ESR", 7)) == ("1862.token_count", "1862/6.5.4.2-b")
    assert table.refusal(ADA, BuyTokens("ECR", 2)) == ("interrupt_first", "1862/6.5.4.2-b")
    assert table.refusal(ADA, Pass()) == ("interrupt_first", "")
    table.act(ADA, BuyTokens("ESR", 6))
    assert table.game.money("ESR") == 30
    assert table.asked() == BEN


@pytest.mark.clause("1862/6.5.4.3-a")
@pytest.mark.clause("1862/6.5.4.3-b")
def test_a_company_keeps_its_licence_and_gets_no_other_by_itself() -> None:
    """Through opening, quotation and a reset the licence of the draw stays the company's only one."""
    table = new_table(3, offer=OFFER, licences={"ESR": "freight"})
    table.is_founded("ESR", 54, ADA)
    assert charter_of(table.game, "ESR").licences == ("freight",)
    draft = table.draft()
    restart(draft, "ESR")
    table.take(draft)
    assert charter_of(table.game, "ESR").licences == ("freight",)
    simple = new_table(3, "simple_express")
    assert all(charter_of(simple.game, symbol).licences == () for symbol in companies_of(simple.game))


@pytest.mark.clause("1862/6.5.4.3-c")
def test_any_kind_of_train_may_be_bought_but_only_licensed_ones_run() -> None:
    """With a freight licence an express train is bought, but it does not run."""
    table = new_table(3, offer=OFFER, licences={"ESR": "freight"})
    table.is_founded("ESR", 100, ADA, treasury=500)
    table.home_tokens_stand("ESR")
    table.operating_round_is("ESR")
    table.act(ADA, BuyNewTrain("ESR", "A-0", 100, "express"))
    assert trains_of(table.game).owned["ESR"] == ("A-0",)
    table.operating_round_is("ESR", step="run_trains", number=2, count=2)
    run = TrainRun("A-0", (Hop(("F11", "F13")),))
    assert table.refusal(ADA, RunTrains("ESR", (run,))) == ("1862.licence_missing", "1862/7.8.4-a")
