"""Coal companies of 1824, clause by clause (section IV.2)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1824.commands import BuyCompany, ExchangeCompany
from tests.positions.map import placed_tokens
from tests.positions.rounds import acted, before_steps, within_round
from tests.positions.shares import bought_companies, closed, opened, purchases
from tests.titles.g1824.table import ADA, BEN, CLEO, DORA, PLAYERS, Table, clear_table, new_table, owned_table

PRICES = (120, 140, 160, 180, 200)
REGIONALS = {"EPP": "BK", "EOD": "MS", "MLB": "CL", "SPB": "SB"}


def stock_table(phase: str = "3", **rulings: str) -> Table:
    """Ben owns EPP with 70 G, a 1g-train and its token on C6; a stock round of this phase begins with him."""
    table = owned_table({"EPP": BEN}, 4, **rulings)
    table.phase_is(phase)
    table.owns_trains("EPP", "1g")
    table.has_cash("EPP", 70)
    table.stock_round_is(BEN)
    return table


def before_the_first_5_train(owners: dict[str, str], **rulings: str) -> Table:
    """Dora's BH, the only open regional, is about to buy the first 5-train in the first round of a set."""
    table = owned_table(owners, 4, **rulings)
    table.phase_is("4")
    table.trains_are_sold("4")
    table.price_is("BH", 100)
    table.holds(DORA, "BH", 5, director=True)
    table.company_runs("BH", 2_000)
    table.operating_round_is("BH", count=2)
    return table


@pytest.mark.parametrize("price", PRICES)
@pytest.mark.clause("1824/IV.2-b", "1824/IV.2-c", "1824/IV.2-h", "1824/VI.3-b")
def test_the_price_of_a_coal_company_sets_everything(price: int) -> None:
    """Its buyer pays 120 to 200 G; half of it is the regional's price, it keeps all but 120 G and gets a 1g-train."""
    table = new_table(4)
    offered = [choice for choice in table.offered(DORA, BuyCompany) if isinstance(choice, BuyCompany)]
    assert tuple(choice.price for choice in offered if choice.company == "EPP") == PRICES
    for wrong in (100, 130, 220):
        refused = table.refusal(DORA, BuyCompany("EPP", wrong))
        assert refused == ("price_not_offered", "1824/IV.2-b")
    table.act(DORA, BuyCompany("EPP", price))
    assert table.game.money(DORA) == 680 - price
    assert (table.game.money("EPP"), trains_of(table.game).owned["EPP"]) == (price - 120, ("1g-0",))
    assert table.price_of("BK") == companies_of(table.game)["BK"].par == price // 2
    assert market_of(table.game).markers["BK"][1] == 2
    assert BuyCertificate("BK") in table.offered(table.asked())


@pytest.mark.clause("1824/IV.2-d")
def test_a_coal_company_is_never_sold() -> None:
    """No sale of it is offered, and asking for one is refused."""
    table = stock_table()
    assert table.refusal(BEN, SellCertificates("EPP", 1)) == ("company_not_offered", "1824/IV.2-d")
    assert table.offered(BEN, SellCertificates) == []


@pytest.mark.clause("1824/IV.2-e", "1824/VII.11-p")
def test_a_coal_company_owns_two_trains_at_most() -> None:
    """It buys a second g-train and is refused a third."""
    table = stock_table("2")
    table.has_cash("EPP", 500)
    table.operating_round_is("EPP")
    table.act(BEN, BuyTrain("EPP", "1g-1", 120))
    assert trains_of(table.game).owned["EPP"] == ("1g-0", "1g-1")
    table.operating_round_is("EPP")
    assert table.refusal(BEN, BuyTrain("EPP", "1g-2", 120)) == ("train_limit", "1824/VII.11-p")


@pytest.mark.clause("1824/IV.2-f", "1824/VII.11-m")
def test_a_coal_company_must_own_a_train() -> None:
    """Without a train it may not end its turn while the bank has a g-train."""
    table = owned_table({"EPP": BEN})
    table.phase_is("2")
    table.has_cash("EPP", 200)
    table.operating_round_is("EPP")
    assert table.refusal(BEN, Pass()) == ("may_not_pass", "1824/VII.11-m")
    table.act(BEN, BuyTrain("EPP", "1g-0", 120))
    assert trains_of(table.game).owned["EPP"] == ("1g-0",)


@pytest.mark.clause("1824/IV.2-g")
def test_a_coal_company_owns_g_trains_only() -> None:
    """A normal train is refused, and only g-trains are offered."""
    table = stock_table("3")
    table.has_cash("EPP", 1_000)
    table.operating_round_is("EPP")
    assert table.refusal(BEN, BuyTrain("EPP", "3-1", 180)) == ("train_kind", "1824/IV.2-g")
    trains = {choice.train for choice in table.offered(BEN, BuyTrain) if isinstance(choice, BuyTrain)}
    assert trains == {"1g-1", "2g-0"}


@pytest.mark.parametrize(
    ("revenue", "mines", "owner", "treasury"), [(100, 20, 50, 70), (80, 10, 40, 50)], ids=["coal 1", "coal 2"]
)
@pytest.mark.clause("1824/IV.2-i", "1824/IV.2-j", "1824/VII.10-b", "1824/VII.10-c")
def test_revenue_of_a_coal_company_is_split_and_its_mine_income_is_not(
    revenue: int, mines: int, owner: int, treasury: int
) -> None:
    """The rulebook's two examples: half of 100 and of 80 G to the owner, the rest and 20 and 10 G to the treasury."""
    table = stock_table()
    table.has_cash("EPP", 0)
    before = table.game.money(BEN)
    table.operating_round_is("EPP", step="run_trains")
    table.has_run("EPP", revenue, mines)
    table.carry_on()
    assert table.game.money(BEN) == before + owner
    assert table.game.money("EPP") == treasury


@pytest.mark.parametrize(("phase", "possible"), [("2", False), ("3", True), ("4", True)])
@pytest.mark.clause("1824/IV.2-a", "1824/IV.2-k", "1824/VII.14-e")
def test_exchange_by_choice_from_the_first_3_train_on(phase: str, possible: bool) -> None:
    """From the first 3-train on, as the purchase of his turn, the owner may take the director's certificate of BK."""
    table = stock_table(phase)
    if not possible:
        refused = table.refusal(BEN, ExchangeCompany("EPP", "BK"))
        assert refused == ("1824.exchange_not_possible", "1824/VII.14-e")
        return
    assert table.refusal(BEN, ExchangeCompany("EPP", "MS")) == ("1824.exchange_not_possible", "1824/IV.2-a")
    events = table.act(BEN, ExchangeCompany("EPP", "BK"))
    assert (acted(events), purchases(events)) == ([BEN], [(BEN, "BK", 1)])
    assert (table.game.held(BEN, "BK"), table.director("BK")) == ((0,), BEN)
    assert companies_of(table.game)["EPP"].closed
    assert table.asked() == CLEO
    spent = stock_table(phase)
    spent.has_bought(BEN, "SD")
    assert spent.refusal(BEN, ExchangeCompany("EPP", "BK")) == ("already_bought", "1824/IV.1-f")


@pytest.mark.clause("1824/VI.1-c", "1824/IV.2-k")
@pytest.mark.parametrize(
    ("ruling", "sold", "refused"),
    [("allowed", True, False), ("refused", True, True), ("refused", False, False)],
)
def test_exchange_after_a_sale_in_the_same_turn(ruling: str, sold: bool, refused: bool) -> None:
    """He may, as sales come before purchases; another platform refuses it, though not to one who sold nothing."""
    table = stock_table("3", coal_exchange_after_sale=ruling)
    if sold:
        table.has_sold(BEN, "SD")
    if refused:
        assert table.refusal(BEN, ExchangeCompany("EPP", "BK")) == ("buy_before_sell", "1824/VI.1-c")
    else:
        table.act(BEN, ExchangeCompany("EPP", "BK"))


@pytest.mark.clause("1824/IV.2-l")
def test_the_directors_certificate_is_kept_for_the_coal_owner() -> None:
    """Nobody can buy it, neither before the coal company is sold nor after."""
    table = new_table(4)
    assert table.refusal(DORA, StartCompany("BK", 60)) == ("certificate_reserved", "1824/IV.2-l")
    table.act(DORA, BuyCompany("EPP", 120))
    assert table.refusal(CLEO, StartCompany("BK", 60))[0] == "company_has_price"
    assert table.refusal(CLEO, BuyCertificate("BK", number=0)) == ("certificate_reserved", "1824/IV.2-l")


@pytest.mark.clause("1824/IV.2-m")
def test_bigger_holder_takes_the_directors_certificate_after_the_exchange() -> None:
    """Ada's 30 % beat the 20 % that Ben exchanged for: she gets the certificate, he two of 10 %."""
    table = stock_table()
    table.holds(ADA, "BK", 3)
    table.act(BEN, ExchangeCompany("EPP", "BK"))
    assert table.director("BK") == ADA
    assert (table.shares(ADA, "BK"), table.shares(BEN, "BK")) == (3, 2)
    assert 0 in table.game.held(ADA, "BK")
    assert len(table.game.held(BEN, "BK")) == 2


@pytest.mark.clause("1824/IV.2-m")
def test_equal_holder_does_not_take_the_directors_certificate() -> None:
    """With 20 % each the former coal owner keeps it."""
    table = stock_table()
    table.holds(ADA, "BK", 2)
    table.act(BEN, ExchangeCompany("EPP", "BK"))
    assert table.director("BK") == BEN
    assert table.game.held(BEN, "BK") == (0,)


@pytest.mark.clause("1824/IV.2-m")
def test_ruling_leaves_the_certificate_and_gives_the_office_alone() -> None:
    """Under ruling `no_swap` Ada directs BK while Ben keeps the certificate."""
    table = stock_table(coal_exchange_majority="no_swap")
    table.holds(ADA, "BK", 3)
    table.act(BEN, ExchangeCompany("EPP", "BK"))
    assert table.director("BK") == ADA
    assert table.game.held(BEN, "BK") == (0,)


@pytest.mark.clause("1824/VI.7-c", "1824/IV.2-k")
def test_ruling_exchanges_a_coal_company_above_the_limit() -> None:
    """Ben has 19 certificates of 16: he sells first, unless the ruling lets him exchange EPP, after which he has as many."""
    for value, refused in (("after_selling", True), ("allowed", False)):
        table = stock_table(coal_exchange_over_limit=value)
        for symbol in ("BH", "MS", "CL"):
            table.price_is(symbol, 60)
            table.holds(BEN, symbol, 6)
            table.company_runs(symbol)
        table.stock_round_is(BEN)
        assert table.certificates(BEN) > 16
        if refused:
            assert table.refusal(BEN, ExchangeCompany("EPP", "BK")) == ("must_sell", "1824/VI.7-c")
        else:
            before = table.certificates(BEN)
            table.act(BEN, ExchangeCompany("EPP", "BK"))
            assert (table.director("BK"), table.certificates(BEN)) == (BEN, before)


@pytest.mark.parametrize("exported", [False, True], ids=["bought", "exported"])
@pytest.mark.clause("1824/IV.2-n")
def test_the_first_5_train_exchanges_all_coal_companies(exported: bool) -> None:
    """Bought or exported, it closes all four at once, each for its regional's director's certificate."""
    owners = dict(zip(REGIONALS, PLAYERS, strict=False))
    table = before_the_first_5_train(owners)
    if exported:
        table.owns_trains("BH", "2g")
        table.operating_round_is("BH", number=2, count=2)
        table.act(DORA, Pass())
    else:
        table.act(DORA, BuyTrain("BH", "5-0", 400))
        assert table.game.actor == "BH"
    for coal, regional in REGIONALS.items():
        assert companies_of(table.game)[coal].closed
        assert (coal, regional) in closed(table.log)
        assert table.game.held(owners[coal], regional) == (0,)
        assert table.director(regional) == owners[coal]


@pytest.mark.parametrize(("value", "price"), [("no_move", 60), ("one_down", 50)])
@pytest.mark.clause("1824/IV.2-o")
def test_price_at_the_forced_coal_exchange(value: str, price: int) -> None:
    """By default the marker of MS stays at 60; by ruling it falls like a sale, from row 6 of a higher start."""
    table = before_the_first_5_train({"EOD": CLEO}, forced_coal_exchange_price=value)
    table.marker_stands("MS", 5, 1)
    assert table.price_of("MS") == 60
    table.act(DORA, BuyTrain("BH", "5-0", 400))
    assert table.price_of("MS") == price


@pytest.mark.clause("1824/IV.2-o", "1824/VIII.3-d")
def test_forced_certificate_counts_as_sold_for_the_sold_out_rise() -> None:
    """With 80 % sold before, MS is sold out by the forced exchange and rises at the end of the next stock round."""
    table = before_the_first_5_train({"EOD": CLEO})
    table.holds(ADA, "MS", 5)
    table.holds(BEN, "MS", 3)
    table.marker_stands("MS", 5, 2)
    table.operating_round_is("BH", number=2, count=2)
    table.act(DORA, BuyTrain("BH", "5-0", 400))
    table.act(DORA, Pass())
    assert table.game.current_round.kind == "stock"
    table.pass_stock_round()
    assert table.price_of("MS") == 80


@pytest.mark.parametrize(("value", "at_once"), [("end_of_round", False), ("at_once", True)])
@pytest.mark.clause("1824/IV.2-p")
def test_opening_after_the_forced_coal_exchange(value: str, at_once: bool) -> None:
    """With 30 % beside the director's certificate MS opens at the end of the round with 480 G, and acts in the next one;
    with 20 % beside it BK does not."""
    table = before_the_first_5_train({"EOD": CLEO, "EPP": BEN}, forced_coal_exchange_opening=value)
    table.holds(CLEO, "MS", 3)
    table.holds(BEN, "BK", 2)
    events = table.act(DORA, BuyTrain("BH", "5-0", 400))
    assert ("MS" in opened(events)) is at_once
    assert list(table.game.current_round.order) == ["BH"]
    later = table.act(DORA, Pass())
    assert ("MS" in opened(within_round(later))) is not at_once
    assert table.game.money("MS") == 480
    assert table.game.current_round.order[-2:] == ("BH", "MS")
    assert not companies_of(table.game)["BK"].opened


@pytest.mark.clause("1824/IV.2-p", "1824/VII.15-a")
def test_opening_after_an_exported_first_5_train() -> None:
    """The exchange that an export forces opens MS at the end of that same round."""
    table = before_the_first_5_train({"EOD": CLEO})
    table.holds(ADA, "MS", 3)
    table.owns_trains("BH", "2g")
    table.operating_round_is("BH", number=2, count=2)
    events = table.act(DORA, Pass())
    assert "MS" in opened(within_round(events))
    assert table.game.money("MS") == 480


@pytest.mark.clause("1824/IV.2-q")
def test_a_regional_does_not_open_before_its_coal_company_is_exchanged() -> None:
    """70 % in players' hands do not open BK while EPP lives; the exchange does."""
    table = stock_table()
    table.holds(ADA, "BK", 6)
    table.act(BEN, BuyCertificate("BK"))
    assert not companies_of(table.game)["BK"].opened
    table.stock_round_is(BEN)
    table.act(BEN, ExchangeCompany("EPP", "BK"))
    assert companies_of(table.game)["BK"].opened


@pytest.mark.clause("1824/IV.2-r", "1824/IV.4.2-c")
def test_money_and_trains_pass_to_the_regional() -> None:
    """BK inherits 70 G and the 1g-train at the exchange and gets 8 times 60 G when it opens."""
    table = stock_table()
    table.act(BEN, ExchangeCompany("EPP", "BK"))
    assert (table.game.money("BK"), trains_of(table.game).owned["BK"]) == (70, ("1g-0",))
    assert table.game.money("EPP") == 0
    assert trains_of(table.game).owned.get("EPP", ()) == ()
    table.holds(BEN, "BK", 2)
    table.act(CLEO, BuyCertificate("BK"))
    assert companies_of(table.game)["BK"].opened
    assert table.game.money("BK") == 70 + 480


@pytest.mark.parametrize("value", ["kept", "for_sale"])
@pytest.mark.clause("1824/IV.2-r")
def test_inherited_trains_are_of_no_use_before_the_regional_opens(value: str) -> None:
    """Nobody may buy the 1g-train of BK before it opens, unless the ruling allows it."""
    table = stock_table(trains_of_unopened_regional=value)
    table.act(BEN, ExchangeCompany("EPP", "BK"))
    table.price_is("BH", 100)
    table.holds(BEN, "BH", 5, director=True)
    table.company_runs("BH", 500)
    table.operating_round_is("BH")
    purchase = BuyTrain("BH", "1g-0", 1, "BK")
    if value == "kept":
        assert table.refusal(BEN, purchase) == ("train_not_available", "1824/VII.11-o")
        table.company_runs("BK", 70)
        table.operating_round_is("BH")
    table.act(BEN, purchase)
    assert trains_of(table.game).owned["BH"] == ("1g-0",)


@pytest.mark.parametrize(("value", "slot"), [("removed", ""), ("blocks", "B")])
@pytest.mark.clause("1824/IV.2-s")
def test_the_token_in_the_mine_after_the_exchange(value: str, slot: str) -> None:
    """The coal company's token leaves the map; by ruling a neutral one stays in the mine. BK gets none from it."""
    table = stock_table(coal_token_after_exchange=value)
    assert map_of(table.game).tokens[("C6", 0)] == ("EPP",)
    table.act(BEN, ExchangeCompany("EPP", "BK"))
    assert map_of(table.game).tokens[("C6", 0)] == (slot,)
    assert table.tokens("BK") == {}
    assert unplaced_tokens(table.game, "BK") == (0, 40, 100)


@pytest.mark.clause("1824/IV.2-t", "1824/VII.8-a")
def test_the_regional_places_its_base_token_in_its_first_turn() -> None:
    """BK places it free of charge on Prag when its first turn begins, not before."""
    table = stock_table()
    table.holds(BEN, "BK", 3)
    table.act(BEN, ExchangeCompany("EPP", "BK"))
    assert table.tokens("BK") == {}
    events = table.pass_stock_round()
    assert table.game.actor == "BK"
    assert placed_tokens(before_steps(events)) == [("BK", "B9", 0, 0, "home")]
    assert table.game.money("BK") == 70 + 480


@pytest.mark.clause("1824/IV.2-u", "1824/VI.3-e")
def test_unsold_coal_companies_leave_the_game() -> None:
    """After the initial stock round nobody can buy or hold them, and their tokens never come."""
    table = clear_table()
    table.stock_round_is(ADA)
    for coal in REGIONALS:
        assert companies_of(table.game)[coal].closed
        assert table.game.held(BANK, coal) == ()
        assert table.tokens(coal) == {}
    assert bought_companies(table.log) == []
    assert table.offered(ADA, BuyCompany) == []
