"""Cases of the rulings in which the platform `18xx.games` is special: ties, nothing there, a first turn."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.title import Context
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.state import map_of
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1824.building import PLACE
from services.rules.titles.g1824.commands import BuyCompany, DiscardTrain, ExchangeCompany
from services.rules.titles.g1824.companies import REGIONAL, decider, of_kind
from services.rules.titles.g1824.homes import keep_spaces_free
from tests.positions.shares import opened
from tests.titles.g1824.operating_positions import broke, buyer, major
from tests.titles.g1824.state_positions import before_formation, form
from tests.titles.g1824.table import ADA, BEN, CLEO, DORA, Table, clear_table, new_table, owned_table


def first_4_train(owners: dict[str, str], **rulings: str) -> Table:
    """Dora's BH has bought the first 4-train."""
    table = owned_table(owners, 4, mountain_forced_exchange="may_discard", **rulings)
    table.phase_is("3")
    table.trains_are_sold("3")
    major(table, "BH", DORA, treasury=500)
    table.owns_trains("BH", "1g")
    table.operating_round_is("BH", count=2)
    table.act(DORA, BuyTrain("BH", "4-0", 280))
    return table


def first_5_train(owners: dict[str, str], *, held: dict[str, str], **rulings: str) -> Table:
    """Dora's BH is about to buy the first 5-train; players hold three shares each of these regionals (company: holder)."""
    table = owned_table(owners, 4, **rulings)
    table.phase_is("4")
    table.trains_are_sold("4")
    major(table, "BH", DORA, treasury=2_000, price=100)
    for company, holder in held.items():
        table.holds(holder, company, 3)
    table.operating_round_is("BH", count=2)
    return table


def coal_turn(**shares: int) -> Table:
    """Ben, who owns EPP, may exchange it; players (by name) hold so many shares of BK."""
    table = owned_table({"EPP": BEN}, 4, coal_exchange_majority="no_swap", holders_counted="by_list")
    table.phase_is("3")
    for player, count in shares.items():
        table.holds(player, "BK", count)
    table.stock_round_is(BEN)
    return table


@pytest.mark.clause("1824/IV.1-h", "1824/IV.1-i")
def test_the_owner_of_several_mountain_companies_is_asked_for_each() -> None:
    """Cleo exchanges the first of hers and discards the other."""
    table = first_4_train({"B1": CLEO, "B2": CLEO})
    assert table.refusal(CLEO, ExchangeCompany("B2", "MS")) == ("interrupt_first", "1824/IV.1-i")
    table.act(CLEO, ExchangeCompany("B1", "MS"))
    assert table.asked() == CLEO
    table.act(CLEO, Pass())
    assert companies_of(table.game)["B2"].closed and table.shares(CLEO, "MS") == 1


@pytest.mark.clause("1824/IV.1-k")
@pytest.mark.parametrize(("ruling", "asked"), [("skipped", DORA), ("asked", CLEO)])
def test_a_mountain_company_for_which_nothing_is_left(ruling: str, asked: str) -> None:
    """By ruling the owner is asked all the same, and can only discard it."""
    table = owned_table({"B1": CLEO}, 4, mountain_forced_exchange="may_discard", idle_turns=ruling)
    table.phase_is("3")
    table.trains_are_sold("3")
    major(table, "BH", DORA, shares=10, treasury=500)
    for symbol in of_kind(table.data, REGIONAL):
        for number in table.game.held(BANK, symbol)[1:]:
            table.gets_certificates(DORA, symbol, number)
    table.owns_trains("BH", "1g")
    table.operating_round_is("BH", count=2)
    table.act(DORA, BuyTrain("BH", "4-0", 280))
    assert table.asked() == asked
    if asked == CLEO:
        assert table.offered(CLEO) == [Pass()]


@pytest.mark.clause("1824/IV.2-o")
def test_regionals_exchanged_together_keep_their_order_and_unsold_coal_companies_exchange_nothing() -> None:
    """MS stood above BK and still does; the certificate of CL, whose coal company nobody bought, stays in the bank."""
    table = first_5_train({"EPP": BEN, "EOD": CLEO}, held={})
    for company in ("MS", "BK"):
        table.marker_stands(company, 5, 2)
    table.act(DORA, BuyTrain("BH", "5-0", 400))
    assert market_of(table.game).cells[(5, 2)] == ("MS", "BK")
    assert 0 in table.game.held(BANK, "CL") and table.director("CL") == ""


@pytest.mark.clause("1824/IV.2-p")
def test_several_regionals_open_at_the_forced_exchange() -> None:
    """Both at once by ruling, each with its own capital; neither has a turn in this round."""
    table = first_5_train(
        {"EPP": BEN, "EOD": CLEO}, held={"BK": BEN, "MS": CLEO}, forced_coal_exchange_opening="at_once"
    )
    events = table.act(DORA, BuyTrain("BH", "5-0", 400))
    assert opened(events) == ["BK", "MS"]
    assert (table.game.money("BK"), table.game.money("MS")) == (480, 480)
    assert table.game.current_round.order == ("BH",)


@pytest.mark.clause("1824/IV.2-m")
@pytest.mark.parametrize(
    ("shares", "director"),
    [
        ({}, BEN),
        ({ADA: 2}, BEN),
        ({DORA: 3, ADA: 3}, DORA),
        ({ADA: 3, DORA: 3}, ADA),
        ({ADA: 3, DORA: 4}, DORA),
    ],
    ids=["nobody else", "equal to the owner", "first on the list", "the other first", "the biggest"],
)
def test_who_directs_after_a_coal_exchange_by_ruling(shares: dict[str, int], director: str) -> None:
    """The former coal owner unless others have more; of several bigger ones who have as many the first on the list."""
    table = coal_turn(**shares)
    assert table.director("BK") == "", "before the exchange nobody directs"
    table.act(BEN, ExchangeCompany("EPP", "BK"))
    assert (table.director("BK"), table.game.held(BEN, "BK")) == (director, (0,))


@pytest.mark.clause("1824/IV.1-l")
def test_two_with_equal_shares_of_a_regional_without_price() -> None:
    """Two exchanges each: still nobody directs BH."""
    owners = {"B1": ADA, "B2": BEN}
    table = owned_table(owners, 4, regional_without_price="no_director", holders_counted="by_list")
    table.phase_is("3")
    for player in (ADA, BEN):
        table.holds(player, "BH", 1)
    table.stock_round_is(ADA)
    for symbol, player in owners.items():
        table.act(player, ExchangeCompany(symbol, "BH"))
    assert (table.shares(ADA, "BH"), table.shares(BEN, "BH"), table.director("BH")) == (2, 2, "")


@pytest.mark.clause("1824/IV.4.4-k")
@pytest.mark.parametrize(
    ("holders", "who"), [((ADA, BEN), BEN), ((ADA,), ADA), ((DORA, ADA), DORA), ((), BEN)], ids=str
)
def test_who_decides_for_a_state_without_director(holders: tuple[str, ...], who: str) -> None:
    """The first shareholder from the priority card on, which is Ben's; without any Ben himself."""
    table = clear_table(4, state_without_director="operates")
    table.is_open("SD")
    for player in holders:
        table.holds(player, "SD", 1)
    table.priority_is(BEN)
    assert decider(table.game, "SD") == who


@pytest.mark.clause("1824/IV.4.4-k")
def test_a_state_places_no_second_token_in_its_first_turn_without_director() -> None:
    """Only where it has had a turn before."""
    table = clear_table(4, state_without_director="operates")
    table.tiles_lie((("G10", "57", 1), ("G8", "9", 1), ("G6", "9", 1), ("G4", "57", 1)))
    table.is_open("SD")
    table.token_stands("SD", "G10")
    table.charter_has_tokens("SD", 40, 100)
    table.has_cash("SD", 200)
    table.operating_round_is("SD", step="place_token")
    assert not PLACE.is_waiting(table.game, Context(table.data))
    table.has_operated("SD")
    assert PLACE.is_waiting(table.game, Context(table.data))


@pytest.mark.clause("1824/IV.4.4-h")
def test_the_next_tile_brings_tokens_of_an_added_space_together() -> None:
    """KK stands in the second space of a city that has one; once the hex is upgraded it takes the first."""
    table = before_formation("KK", {}, home_spaces="numbered")
    table.holds(ADA, "KK", 3)
    form(table, "KK")
    assert map_of(table.game).tokens["E12", 1] == ("", "KK")
    draft = table.draft()
    keep_spaces_free(draft, table.data, "E12", map_of(table.game).tiles)
    table.take(draft)
    assert map_of(table.game).tokens["E12", 1] == ("KK", "")


@pytest.mark.clause("1824/VI.8-b", "1824/VII.12-c")
def test_the_limit_of_the_bank_does_not_hold_while_trains_are_bought() -> None:
    """With 70 % of BH in the bank another 10 % may go by ruling."""
    table = broke(cash=0, emergency_sales="any_time", bank_limit_for_sales="after_sale")
    major(table, "BH", BEN, shares=2)
    table.holds(ADA, "BH", 1)
    table.operating_round_is("MS")
    table.act(ADA, SellCertificates("BH", 1))
    assert table.shares(BANK, "BH") == 8


@pytest.mark.clause("1824/VII.12-d")
@pytest.mark.parametrize("certificate", [False, True])
def test_a_director_sells_all_of_the_company_at_turn(certificate: bool) -> None:
    """By ruling, when nobody else is listed, and unless the director's certificate is his."""
    table = clear_table(4, holders_counted="by_list", emergency_sales="any_time")
    table.price_is("MS", 60)
    if certificate:
        table.holds(ADA, "MS", 4, director=True)
    else:
        table.holds(ADA, "MS", 4)
        table.directs(ADA, "MS")
    table.company_runs("MS", 0)
    table.phase_is("2")
    table.operating_round_is("MS")
    if certificate:
        refused = table.refusal(ADA, SellCertificates("MS", 4))
        assert refused == ("1824.director_not_replaced", "1824/VI.6-e")
    else:
        table.act(ADA, SellCertificates("MS", 4))
        assert (table.shares(ADA, "MS"), table.director("MS")) == (0, "")


@pytest.mark.clause("1824/VI.2-b")
def test_an_initial_round_of_passes_is_over_with_its_first_lap() -> None:
    """By ruling as by the rulebook."""
    for value in ("in_succession", "once"):
        table = new_table(3, passes_in_initial_round=value)
        table.pass_on(3)
        assert table.game.current_round.kind != "1824.initial_stock"


@pytest.mark.clause("1824/IV.4.4-c", "1824/IX.1-a")
def test_a_state_forms_in_an_earlier_round_of_the_last_set() -> None:
    """By ruling not in the very last round, but in the first of two it does."""
    table = before_formation("SD", {"SD1": ADA}, states_at_game_end="do_not_form")
    table.end_is_due("bank", turn=2, number=1)
    form(table, "SD")
    assert companies_of(table.game)["SD"].opened and not table.game.finished


@pytest.mark.clause("1824/VI.2-b")
def test_who_can_only_pass_is_skipped_once_the_coal_companies_are_sold() -> None:
    """Also where he is asked while one of them is on offer."""
    table = new_table(3, idle_turns="asked")
    for coal in ("EPP", "EOD", "MLB", "SPB"):
        table.owns_private(ADA, coal)
    table.has_cash(BEN, 0)
    table.act(CLEO, BuyCompany("B1", 120))
    assert table.asked() == ADA


@pytest.mark.clause("1824/VII.11-u", "1824/VII.11-v")
@pytest.mark.parametrize(("last_director", "price"), [(ADA, 1), (BEN, 280)])
def test_a_train_of_a_company_whose_last_director_buys_it(last_director: str, price: int) -> None:
    """CL fell into receivership: for the other companies of who directed it last its trains cost what they like."""
    table = buyer(
        "2",
        phase="4",
        treasury=500,
        holders_counted="by_list",
        emergency_sales="any_time",
        trains_of_state_without_director="for_sale",
    )
    table.price_is("CL", 60)
    table.holds(last_director, "CL", 2)
    table.directs(last_director, "CL")
    table.company_runs("CL", 0)
    (train,) = table.owns_trains("CL", "4")
    table.operating_round_is("CL")
    table.act(last_director, SellCertificates("CL", 2))
    assert table.director("CL") == ""
    table.operating_round_is("MS")
    if price > 1:
        assert table.refusal(ADA, BuyTrain("MS", train, 1, "CL")) == ("train_price", "1824/VII.11-v")
    table.act(ADA, BuyTrain("MS", train, price, "CL"))
    assert train in trains_of(table.game).owned["MS"]


@pytest.mark.clause("1824/VII.11-x")
def test_a_company_gives_up_all_its_trains_before_the_next_is_asked() -> None:
    """BH has two trains too many, MS one."""
    table = buyer("3", phase="3", discard_order="by_symbol")
    for company, director, count in (("CL", BEN, 1), ("BH", CLEO, 5)):
        major(table, company, director, shares=2)
        table.owns_trains(company, *["1g"] * count)
    table.owns_trains("MS", "2", "2", "2")
    table.trains_are_sold("3")
    table.operating_round_is("CL")
    table.has_cash("CL", 280)
    table.act(BEN, BuyTrain("CL", "4-0", 280))
    for _ in range(2):
        assert (table.asked(), table.game.interrupts[0].company) == (CLEO, "BH")
        table.act(CLEO, DiscardTrain("BH", trains_of(table.game).owned["BH"][0]))
    assert not table.game.interrupts or table.game.interrupts[0].company == "MS"


@pytest.mark.clause("1824/VI.3-g", "1824/IV.4.4-l")
def test_the_first_with_20_percent_after_formation_gets_the_certificate() -> None:
    """By ruling too: SD formed without director, and Ben's second share swaps with the bank."""
    rulings = {"state_director_certificate": "at_formation", "holders_counted": "by_list"}
    table = before_formation("SD", {"SD2": BEN, "SD3": CLEO}, **rulings)
    form(table, "SD")
    assert table.director("SD") == ""
    table.stock_round_is(BEN, turn=3)
    table.act(BEN, BuyCertificate("SD"))
    assert (table.director("SD"), table.game.held(BEN, "SD")) == (BEN, (0,))
