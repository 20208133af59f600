"""Mountain companies of 1824, clause by clause (section IV.1)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend
from services.rules.parts.trains.state import phase_of, trains_of
from services.rules.titles.g1824.commands import BuyCompany, ExchangeCompany
from services.rules.titles.g1824.companies import REGIONAL, of_kind
from services.rules.titles.g1824.figures import cards_of
from services.rules.titles.g1824.state import reserved_of
from tests.positions.reading import Payment, payments
from tests.positions.rounds import acted, before_turns, questions, within_round
from tests.positions.shares import purchases
from tests.titles.g1824.table import ADA, BEN, CLEO, DORA, FAY, Table, new_table, owned_table


def stock_table(phase: str = "3", **rulings: str) -> Table:
    """Ada owns B1, Dora B2; a stock round of this phase begins with Ada."""
    table = owned_table({"B1": ADA, "B2": DORA}, 4, **rulings)
    table.phase_is(phase)
    table.stock_round_is(ADA)
    return table


def before_the_first_4_train(owners: dict[str, str], **rulings: str) -> Table:
    """Ben's BK, with MS of Dora after it, is about to buy the first 4-train."""
    table = owned_table(owners, 4, **rulings)
    table.phase_is("3")
    table.trains_are_sold("3")
    for company, director in (("BK", BEN), ("MS", DORA)):
        table.price_is(company, 100)
        table.holds(director, company, 5, director=True)
        table.company_runs(company, 500)
        table.owns_trains(company, "1g")
    table.operating_round_is("BK", "MS", count=2)
    return table


@pytest.mark.clause("1824/IV.1-a")
def test_a_mountain_company_is_bought_for_120() -> None:
    """It costs 120 G, paid to the bank, and no other price is taken."""
    table = new_table(4)
    bank = table.game.money(BANK)
    assert table.refusal(DORA, BuyCompany("B1", 100))[0] == "price_not_offered"
    table.act(DORA, BuyCompany("B1", 120))
    assert table.game.money(DORA) == 560
    assert table.game.money(BANK) == bank + 120


@pytest.mark.clause("1824/IV.1-b")
def test_a_mountain_company_is_never_sold() -> None:
    """No sale of it is offered, and asking for one is refused."""
    table = stock_table()
    assert table.refusal(ADA, SellCertificates("B1", 1)) == ("company_not_offered", "1824/IV.1-b")
    assert SellCertificates("B1", 1) not in table.offered(ADA)


@pytest.mark.clause("1824/IV.1-c")
def test_a_mountain_company_has_no_money_and_no_train() -> None:
    """The price paid stays with the bank, no train kind suits it, and it has no turn in which it could buy one."""
    table = new_table(4)
    table.act(DORA, BuyCompany("B1", 120))
    assert table.game.money("B1") == 0
    assert trains_of(table.game).owned.get("B1", ()) == ()
    assert cards_of(table.data)["B1"].train_kinds == ()
    table.owns_private(ADA, "SD1")
    table.leave_initial_round()
    assert table.game.current_round.order == ("SD1",)


@pytest.mark.clause("1824/IV.1-d", "1824/VII.4-a")
def test_mountain_companies_pay_25_at_the_start_of_each_operating_round() -> None:
    """Each pays its owner 25 G before any company acts, in both rounds of a set, and nothing once a 4-train is out."""
    table = owned_table({"B1": ADA, "B2": ADA, "B3": BEN, "SD1": CLEO})
    assert (table.game.money(ADA), table.game.money(BEN)) == (730, 705)
    table.phase_is("3")
    table.owns_trains("SD1", "3")
    table.stock_round_is(ADA)
    paid = payments(before_turns(table.pass_stock_round()))
    assert paid == [
        Payment(BANK, ADA, 25, "company_income", "B1"),
        Payment(BANK, ADA, 25, "company_income", "B2"),
        Payment(BANK, BEN, 25, "company_income", "B3"),
    ]
    table.turn_is(1)
    second = table.carry_on()
    assert table.game.current_round.number == 2
    assert len(payments(second)) == 3
    table.phase_is("4")
    table.stock_round_is(ADA)
    assert payments(table.pass_stock_round()) == []


@pytest.mark.parametrize(("phase", "possible"), [("2", False), ("3", True), ("4", False)])
@pytest.mark.clause("1824/IV.1-e", "1824/VII.14-e")
def test_exchange_by_choice_between_the_first_3_train_and_the_first_4_train(
    phase: str, possible: bool
) -> None:
    """From the first 3-train to the first 4-train it may be exchanged for 10 % of any regional, and of no state."""
    table = stock_table(phase)
    if not possible:
        refused = table.refusal(ADA, ExchangeCompany("B1", "CL"))
        assert refused == ("1824.exchange_not_possible", "1824/VII.14-e")
        assert table.offered(ADA, ExchangeCompany) == []
        return
    assert table.offered(ADA, ExchangeCompany) == [
        ExchangeCompany("B1", symbol) for symbol in of_kind(table.data, REGIONAL)
    ]
    assert table.refusal(ADA, ExchangeCompany("B1", "SD")) == ("company_not_offered", "1824/IV.1-e")
    cash = table.game.money(ADA)
    table.act(ADA, ExchangeCompany("B1", "CL"))
    assert table.shares(ADA, "CL") == 1
    assert table.game.money(ADA) == cash
    assert companies_of(table.game)["B1"].closed
    assert table.game.held(ADA, "B1") == ()


@pytest.mark.clause("1824/IV.1-f")
def test_exchange_by_choice_is_the_purchase_of_the_turn() -> None:
    """It is made in the owner's own turn, uses up the purchase, and is not to be had after a purchase."""
    table = stock_table()
    assert table.refusal(DORA, ExchangeCompany("B2", "CL"))[0] == "not_your_turn"
    events = table.act(ADA, ExchangeCompany("B1", "CL"))
    assert (acted(events), purchases(events)) == ([ADA], [(ADA, "CL", 1)])
    assert table.asked() == BEN
    bought = stock_table()
    bought.has_bought(ADA, "SD")
    assert bought.refusal(ADA, ExchangeCompany("B1", "CL")) == ("already_bought", "1824/IV.1-f")


def sold_bh(**rulings: str) -> Table:
    """Ada has sold a share of BH in her turn, and owns B1."""
    table = stock_table(**rulings)
    table.price_is("BH", 60)
    table.holds(ADA, "BH", 6, director=True)
    table.company_runs("BH", 600)
    table.stock_round_is(ADA)
    table.act(ADA, SellCertificates("BH", 1))
    return table


@pytest.mark.clause("1824/VI.4-e", "1824/IV.1-f")
@pytest.mark.parametrize("of_coal", ["allowed", "refused"])
def test_no_exchange_for_a_company_sold_in_the_same_round(of_coal: str) -> None:
    """The exchange counts as a purchase: not in the turn of the sale, nor in a later one; in the next stock round again. It may
    be made for another company at once, also where no coal company may be exchanged after a sale."""
    table = sold_bh(coal_exchange_after_sale=of_coal)
    refused = ("sold_this_round", "1824/VI.4-e")
    others = [ExchangeCompany("B1", each) for each in of_kind(table.data, REGIONAL) if each != "BH"]
    assert table.refusal(ADA, ExchangeCompany("B1", "BH")) == refused
    assert table.offered(ADA, ExchangeCompany) == others
    table.pass_on(4)
    assert (table.asked(), table.refusal(ADA, ExchangeCompany("B1", "BH"))) == (ADA, refused)
    table.stock_round_is(ADA, turn=3)
    table.act(ADA, ExchangeCompany("B1", "BH"))
    assert table.shares(ADA, "BH") == 6


@pytest.mark.clause("1824/VI.4-e", "1824/IV.1-h")
def test_a_forced_exchange_for_a_company_sold_before_it() -> None:
    """What the first 4-train forces is no purchase of a stock round."""
    table = before_the_first_4_train({"B1": BEN})
    table.stock_round_is(BEN)
    table.has_sold(BEN, "MS")
    table.operating_round_is("BK", "MS", count=2)
    table.act(BEN, BuyTrain("BK", "4-0", 280))
    table.act(BEN, ExchangeCompany("B1", "MS"))
    assert table.shares(BEN, "MS") == 1


@pytest.mark.parametrize(("ruling", "possible"), [("refused", False), ("allowed", True)])
def test_ruling_an_exchange_for_a_company_sold_in_the_same_round(ruling: str, possible: bool) -> None:
    """Under `allowed` it is the purchase that follows the sale."""
    table = sold_bh(exchange_for_company_sold=ruling)
    assert (ExchangeCompany("B1", "BH") in table.offered(ADA)) == possible
    if possible:
        table.act(ADA, ExchangeCompany("B1", "BH"))
        assert (table.shares(ADA, "BH"), table.asked()) == (6, BEN)


@pytest.mark.clause("1824/IV.1-g")
def test_a_player_who_exchanged_has_another_turn() -> None:
    """Three passes before and three after the exchange do not end the round: its owner is asked again."""
    table = stock_table()
    table.pass_on(3)
    table.act(DORA, ExchangeCompany("B2", "CL"))
    table.pass_on(3)
    assert table.game.current_round.kind == "stock"
    assert table.asked() == DORA
    table.pass_on()
    assert table.game.current_round.turn == 3


@pytest.mark.clause("1824/IV.1-h", "1824/IV.1-i")
def test_first_4_train_forces_the_exchanges_in_the_order_of_the_numbers() -> None:
    """At once each owner is asked, B1 to B3, and must take 10 % of a regional before play goes on."""
    table = before_the_first_4_train({"B3": ADA, "B1": CLEO, "B2": ADA})
    events = table.act(BEN, BuyTrain("BK", "4-0", 280))
    assert questions(events) == [
        ("1824.exchange_company", CLEO, "B1"),
        ("1824.exchange_company", ADA, "B2"),
        ("1824.exchange_company", ADA, "B3"),
    ]
    assert table.refusal(ADA, ExchangeCompany("B2", "CL"))[0] == "not_your_turn"
    assert table.refusal(CLEO, Pass()) == ("may_not_pass", "1824/IV.1-h")
    assert table.refusal(CLEO, ExchangeCompany("B1", "UG")) == ("company_not_offered", "1824/IV.1-e")
    table.act(CLEO, ExchangeCompany("B1", "SB"))
    assert table.refusal(ADA, ExchangeCompany("B3", "CL")) == ("interrupt_first", "1824/IV.1-i")
    table.act(ADA, ExchangeCompany("B2", "CL"))
    table.act(ADA, ExchangeCompany("B3", "CL"))
    assert (table.shares(CLEO, "SB"), table.shares(ADA, "CL")) == (1, 2)
    assert table.asked() == BEN
    assert all(companies_of(table.game)[symbol].closed for symbol in ("B1", "B2", "B3"))


@pytest.mark.clause("1824/IV.1-e", "1824/IV.1-h")
def test_no_earlier_train_forces_the_exchanges() -> None:
    """The first 3-train allows the exchange and asks nobody for it."""
    table = owned_table({"B1": CLEO}, 4)
    table.phase_is("2")
    table.trains_are_sold("2")
    table.price_is("BK", 100)
    table.holds(BEN, "BK", 5, director=True)
    table.company_runs("BK", 500)
    table.operating_round_is("BK")
    events = table.act(BEN, BuyTrain("BK", "3-0", 180))
    assert phase_of(table.game) == "3"
    assert questions(events) == []


@pytest.mark.clause("1824/IV.1-h")
def test_ruling_lets_the_owner_discard_a_mountain_company() -> None:
    """Under ruling `may_discard` the owner may pass, and the company goes for nothing."""
    table = before_the_first_4_train({"B1": CLEO}, mountain_forced_exchange="may_discard")
    table.act(BEN, BuyTrain("BK", "4-0", 280))
    cash = table.game.money(CLEO)
    table.act(CLEO, Pass())
    assert companies_of(table.game)["B1"].closed
    assert table.game.money(CLEO) == cash
    assert not any(table.shares(CLEO, symbol) for symbol in of_kind(table.data, REGIONAL))


@pytest.mark.clause("1824/IV.1-h", "1824/IV.1-i", "1824/VII.14-a")
def test_export_of_the_first_4_train_forces_the_exchanges_too() -> None:
    """A first 4-train sold abroad closes the mountain companies just as one bought by a company."""
    table = before_the_first_4_train({"B1": CLEO, "B2": ADA})
    table.operating_round_is("BK", number=2, count=2)
    events = table.act(BEN, Pass())
    assert phase_of(table.game) == "4"
    assert questions(within_round(events)) == [], "the exchanges wait until the round is over"
    assert table.asked() == CLEO
    table.act(CLEO, ExchangeCompany("B1", "MS"))
    assert table.asked() == ADA
    assert table.refusal(ADA, Pass()) == ("may_not_pass", "1824/IV.1-h")


@pytest.mark.clause("1824/IV.1-j")
def test_exchanged_certificate_earns_in_the_same_operating_round() -> None:
    """Cleo got 25 G for B1 at the start of the round and 10 G for her 10 % of MS when MS pays 100 G later in it."""
    table = before_the_first_4_train({"B1": CLEO})
    table.act(BEN, BuyTrain("BK", "4-0", 280))
    table.act(CLEO, ExchangeCompany("B1", "MS"))
    table.pass_on()
    assert table.game.actor == "MS"
    table.has_run("MS", 100)
    table.step_is("declare_dividend")
    cash = table.game.money(CLEO)
    table.act(DORA, DeclareDividend("MS", "pay"))
    assert table.game.money(CLEO) == cash + 10


@pytest.mark.clause("1824/IV.1-k")
def test_no_certificate_is_kept_and_none_left_means_no_compensation() -> None:
    """Only director's certificates are kept; with one 10 % certificate left B1 takes it and B2 goes for nothing."""
    fresh = new_table(4)
    kept = {symbol: reserved_of(fresh.game, symbol) for symbol in of_kind(fresh.data, REGIONAL)}
    assert kept == {"BK": (0,), "MS": (0,), "CL": (0,), "SB": (0,), "BH": ()}
    table = before_the_first_4_train({"B1": CLEO, "B2": ADA})
    for symbol in ("CL", "SB", "BH"):
        table.holds(DORA, symbol, 8)
    table.holds(DORA, "BK", 5)
    table.holds(DORA, "MS", 4)
    cash = table.game.money(ADA)
    table.act(BEN, BuyTrain("BK", "4-0", 280))
    assert table.offered(CLEO) == [ExchangeCompany("B1", "MS")]
    table.act(CLEO, ExchangeCompany("B1", "MS"))
    assert table.asked() == BEN
    assert companies_of(table.game)["B2"].closed
    assert table.game.held(ADA, "B2") == ()
    assert table.game.money(ADA) == cash


@pytest.mark.clause("1824/IV.1-l", "1824/IV.4.1-e", "1824/IV.4.1-f")
def test_exchange_into_a_regional_without_price_sets_none() -> None:
    """BH has no price, no director and is not open after two exchanges; the buyer of its director's certificate sets it."""
    table = owned_table({"B1": ADA, "B2": ADA}, 4)
    table.phase_is("3")
    table.stock_round_is(ADA)
    assert table.refusal(ADA, ExchangeCompany("B1", "BH", 0)) == ("certificate_reserved", "1824/IV.1-f")
    table.act(ADA, ExchangeCompany("B1", "BH"))
    table.pass_on(3)
    table.act(ADA, ExchangeCompany("B2", "BH"))
    assert table.shares(ADA, "BH") == 2
    assert "BH" not in market_of(table.game).markers
    assert (table.director("BH"), table.game.held(BANK, "BH")[0]) == ("", 0)
    cash = table.game.money(BEN)
    table.act(BEN, StartCompany("BH", 80))
    assert (table.price_of("BH"), table.game.money(BEN)) == (80, cash - 160)
    assert (table.director("BH"), table.game.held(BEN, "BH")) == (BEN, (0,))


@pytest.mark.clause("1824/IV.1-l", "1824/VI.6-c")
def test_bigger_holder_takes_over_from_the_buyer_who_set_the_price() -> None:
    """With 30 % from exchanges Ada gets the director's certificate that Ben has just bought, for two of her own."""
    table = owned_table({"B1": ADA}, 4)
    table.phase_is("3")
    table.stock_round_is(BEN)
    table.holds(ADA, "BH", 3)
    table.act(BEN, StartCompany("BH", 60))
    assert table.director("BH") == ADA
    assert (table.shares(ADA, "BH"), table.shares(BEN, "BH")) == (3, 2)
    assert 0 in table.game.held(ADA, "BH")
    assert len(table.game.held(BEN, "BH")) == 2


@pytest.mark.clause("1824/IV.1-l")
def test_ruling_gives_a_regional_without_price_to_its_biggest_holder() -> None:
    """Under ruling `biggest_holder` 20 % from exchanges bring the director's certificate of a regional without price."""
    table = owned_table({"B1": ADA}, 4, regional_without_price="biggest_holder")
    table.phase_is("3")
    table.holds(ADA, "BH", 1)
    table.stock_round_is(ADA)
    table.act(ADA, ExchangeCompany("B1", "BH"))
    assert (table.director("BH"), table.game.held(ADA, "BH")) == (ADA, (0,))
    assert table.refusal(BEN, StartCompany("BH", 80)) == ("certificate_not_available", "1824/VI.4-b")


@pytest.mark.parametrize(("players", "numbers"), [(3, 4), (4, 6), (5, 6), (6, 4)])
@pytest.mark.clause("1824/IV.1-m")
def test_mountain_companies_on_offer(players: int, numbers: int) -> None:
    """B1 to B4 with three or six players, B1 to B6 with four or five."""
    table = new_table(players)
    bought = [choice for choice in table.offered(table.asked(), BuyCompany) if isinstance(choice, BuyCompany)]
    offered = [choice.company for choice in bought if choice.company.startswith("B")]
    assert offered == [f"B{number}" for number in range(1, numbers + 1)]
    if numbers == 4:
        assert table.refusal(table.asked(), BuyCompany("B5", 120))[0] == "company_closed"


@pytest.mark.parametrize(("value", "counted"), [("not_counted", 11), ("counted", 13)])
@pytest.mark.clause("1824/IV.1-n")
def test_mountain_companies_and_the_certificate_limit(value: str, counted: int) -> None:
    """At the limit of 11 a player may still buy a mountain company, unless the ruling counts them."""
    table = new_table(6, mountain_companies_in_certificate_limit=value)
    table.holds(FAY, "SD", 6)
    table.holds(FAY, "UG", 5)
    assert table.refusal(FAY, BuyCertificate("KK")) == ("certificate_limit", "1824/VI.7-b")
    if value == "not_counted":
        table.act(FAY, BuyCompany("B2", 120))
    else:
        assert table.refusal(FAY, BuyCompany("B2", 120)) == ("certificate_limit", "1824/VI.7-b")
        table.owns_private(FAY, "B2")
    table.owns_private(FAY, "B1")
    assert table.certificates(FAY) == counted
