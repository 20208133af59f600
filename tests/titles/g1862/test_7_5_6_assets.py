"""What the survivor of a merger takes over, and the absorbed company back on offer (3.1-b, 6.5.4.3-b, 7.5.6, 7.5.7)."""

import pytest

from services.rules.kernel.commands import AnswerOffer
from services.rules.kernel.events import Event
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.map.board import token_cities
from services.rules.parts.map.commands import ChooseToken
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import StartCompany
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.commands import ChooseSurvivor, Merge
from services.rules.titles.g1862.companies import is_started
from services.rules.titles.g1862.state import charter_of
from tests.positions.map import before_last_charter, token_changes
from tests.positions.market import removed_prices
from tests.positions.reading import paid
from tests.positions.shares import reset
from tests.titles.g1862.mergers import join, merging_table, set_up_company, shares
from tests.titles.g1862.reading import licences
from tests.titles.g1862.table import ADA, BEN, CLEO, Table

CITIES = ("B5", "B9", "C4", "C6", "E4", "E8", "F5", "G8", "H7")


def two_of_one_director(*options: str, tokens: int = 7, chartered: bool = False, **rulings: str) -> Table:
    """Ada's N&E and WStI are joined, each with so many tokens in all, and N&E is about to merge; Ben's I&B comes later."""
    table = merging_table(4, *options, **rulings)
    for symbol in ("N&E", "WStI"):
        set_up_company(
            table, symbol, 90, {ADA: 6}, director=ADA, treasury=200, tokens=tokens, chartered=chartered
        )
    set_up_company(table, "I&B", 54, {BEN: 6}, director=BEN, treasury=300)
    join(table, "N&E", "WStI")
    table.operating_round_is("N&E", "WStI", "I&B", step="merge")
    return table


def merge(table: Table, survivor: str = "N&E") -> tuple[Event, ...]:
    """Ada merges the two; nobody has an option."""
    table.act(ADA, Merge("N&E", "WStI"))
    return table.act(ADA, ChooseSurvivor(survivor))


def places(table: Table, symbol: str) -> set[str]:
    """The hexes with a token of a company."""
    return {hex_id for hex_id, _ in token_cities(map_of(table.game).tokens, symbol)}


@pytest.mark.clause("1862/7.5.6-a", "1862/7.5.6-f", "1862/6.5.4.3-b")
@pytest.mark.parametrize(("survivor", "absorbed"), [("N&E", "WStI"), ("WStI", "N&E")])
def test_cash_trains_and_licences(survivor: str, absorbed: str) -> None:
    """The survivor has the cash and trains of both and all their licences, the absorbed company nothing of it."""
    table = two_of_one_director()
    trains = {train for symbol in ("N&E", "WStI") for train in trains_of(table.game).owned[symbol]}
    events = merge(table, survivor)
    assert paid(events, absorbed, survivor, 200, "treasury_transferred", absorbed)
    assert (table.game.money(survivor), table.game.money(absorbed)) == (400, 0)
    assert set(trains_of(table.game).owned[survivor]) == trains
    assert not trains_of(table.game).owned.get(absorbed)
    assert set(charter_of(table.game, survivor).licences) == {"freight", "local"}
    assert len(charter_of(table.game, survivor).licences) == 2


@pytest.mark.clause("1862/7.5.6-f")
def test_a_licence_both_have_is_kept_once() -> None:
    """Two companies with the same licence leave the survivor with one of it."""
    table = two_of_one_director()
    table.licences_are("N&E", "freight", "local")
    merge(table)
    assert charter_of(table.game, "N&E").licences == ("freight", "local")


@pytest.mark.clause("1862/7.5.6-b", "1862/7.5.6-d", "1862/7.5.6-e")
def test_tokens_are_replaced_and_spare_ones_kept_up_to_seven() -> None:
    """The absorbed company's token on the map becomes the survivor's where it stands; of the spare ones so many are kept
    that there are seven in all."""
    table = two_of_one_director(tokens=4)
    table.token_stands("WStI", "B5")
    events = merge(table)
    assert places(table, "N&E") == {"C8", "D9", "B5"}
    assert places(table, "WStI") == set()
    assert len(unplaced_tokens(table.game, "N&E")) == 4
    replaced = [change for change in token_changes(before_last_charter(events)) if change.successor == "N&E"]
    assert {change.hex for change in replaced} == {"D9", "B5"}


@pytest.mark.clause("1862/7.5.6-b")
def test_few_spare_tokens_are_all_kept() -> None:
    """Below the limit the survivor has exactly the spare tokens of both."""
    table = two_of_one_director(tokens=2)
    merge(table)
    assert len(unplaced_tokens(table.game, "N&E")) == 2


@pytest.mark.clause("1862/7.5.6-b", "1862/7.7-b")
def test_spare_tokens_cost_the_survivor_nothing_more() -> None:
    """They were paid for when the companies were quoted, and are placed free of charge."""
    table = two_of_one_director(tokens=2)
    merge(table)
    assert unplaced_tokens(table.game, "N&E") == (0, 0)


@pytest.mark.clause("1862/7.5.6-c")
def test_double_tokens_are_lost() -> None:
    """In a city with a token of each one is lost for good: neither on the map nor on the charter."""
    table = two_of_one_director(tokens=2)
    table.token_stands("WStI", "C8")
    before = len(unplaced_tokens(table.game, "N&E")) + len(unplaced_tokens(table.game, "WStI"))
    events = merge(table)
    assert ("WStI", "C8", 0, 1, "", "removed") in token_changes(events)
    assert map_of(table.game).tokens["C8", 0] == ("N&E", "")
    assert len(unplaced_tokens(table.game, "N&E")) == before == 1


@pytest.mark.clause("1862/7.5.6-c")
def test_double_terminals_in_london_are_lost() -> None:
    """London is one place: terminals in different parts of it are one too many."""
    table = two_of_one_director()
    table.token_stands("N&E", "B15", 1)
    table.token_stands("WStI", "D15", 1)
    events = merge(table, "WStI")
    assert ("N&E", "B15", 1, 0, "", "removed") in token_changes(events)
    assert places(table, "WStI") == {"C8", "D9", "D15"}


def with_tokens(table: Table, first: int, second: int) -> None:
    """N&E and WStI have so many tokens on the map, none in the same city."""
    free = iter(CITIES)
    for symbol, count in (("N&E", first), ("WStI", second)):
        while len(places(table, symbol)) < count:
            table.token_stands(symbol, next(free))


@pytest.mark.clause("1862/7.5.6-e")
def test_excess_tokens_are_taken_off_as_the_director_chooses() -> None:
    """With nine tokens on the map two have to go, any of either company's, one by one; none is left for the charter."""
    table = two_of_one_director()
    with_tokens(table, 4, 5)
    merge(table)
    assert (table.asked(), table.game.interrupts[0].kind) == (ADA, "1862.remove_token")
    offered = table.offered(ADA)
    assert offered == [
        ChooseToken("N&E", hex_id, 0) for hex_id in ("C8", "B5", "B9", "C4", *offered_of(table))
    ]
    assert table.refusal(ADA, ChooseToken("N&E", "H7", 0)) == ("token_choice", "1862/7.5.6-e")
    assert table.refusal(ADA, ChooseToken("WStI", "C8", 0)) == ("interrupt_first", "1862/7.5.6-e")
    table.act(ADA, ChooseToken("N&E", "C8", 0))
    assert table.game.interrupts[0].kind == "1862.remove_token"
    table.act(ADA, ChooseToken("N&E", "D9", 0))
    assert not table.game.interrupts
    assert places(table, "N&E") == {"B5", "B9", "C4", "C6", "E4", "E8", "F5"}
    assert unplaced_tokens(table.game, "N&E") == ()


def offered_of(table: Table) -> list[str]:
    """The hexes with tokens of WStI, in the order in which they came."""
    return [hex_id for hex_id, _ in token_cities(map_of(table.game).tokens, "WStI")]


@pytest.mark.clause("1862/7.5.6-e", "1862/11.4-a")
def test_eight_tokens_by_agreement() -> None:
    """With the option of eight stations one more stays."""
    table = two_of_one_director("eight_stations")
    with_tokens(table, 4, 4)
    merge(table)
    assert not table.game.interrupts
    assert len(places(table, "N&E")) == 8


@pytest.mark.clause("1862/7.5.6-e", "1862/6.3-c")
def test_the_new_director_chooses() -> None:
    """The exchange makes Cleo director of Ada's company: she chooses the tokens that go."""
    table = merging_table()
    set_up_company(table, "N&E", 90, {ADA: 4, CLEO: 3}, director=ADA, tokens=7)
    set_up_company(table, "WStI", 90, {CLEO: 7}, director=CLEO, tokens=7)
    join(table, "N&E", "WStI")
    with_tokens(table, 4, 4)
    table.operating_round_is("N&E", "WStI", step="merge")
    table.act(ADA, Merge("N&E", "WStI"))
    table.act(CLEO, AnswerOffer(True))
    table.act(ADA, ChooseSurvivor("N&E"))
    assert (table.director("N&E"), table.asked()) == (CLEO, CLEO)
    assert table.offered(CLEO, ChooseToken)


@pytest.mark.clause("1862/7.5.6-e")
def test_a_home_token_that_stays_under_the_other_ruling() -> None:
    """Where the survivor's home token may not be chosen it is not offered; that of the absorbed company is."""
    for value, offered in (("removable", True), ("stays", False)):
        table = two_of_one_director(survivor_home_token=value)
        table.token_stands("N&E", "B13")
        table.token_stands("WStI", "B5")
        with_tokens_after_homes(table)
        merge(table)
        offers = [command.hex for command in table.offered(ADA) if isinstance(command, ChooseToken)]
        assert ("B13" in offers) is offered
        assert "B5" in offers


def with_tokens_after_homes(table: Table) -> None:
    """Four tokens of each on the map, the homes among them."""
    free = iter(CITIES[1:])
    for symbol in ("N&E", "WStI"):
        while len(places(table, symbol)) < 4:
            table.token_stands(symbol, next(free))


@pytest.mark.clause("1862/7.5.6-g", "1862/3.1-b")
@pytest.mark.parametrize(("value", "chartered"), [("non_chartered", False), ("chartered_if_both", True)])
def test_the_charter_is_turned_over(value: str, chartered: bool) -> None:
    """After a merger the charter lies on its non-chartered side, under the other ruling only if one of the two did."""
    table = two_of_one_director(chartered=True, charter_after_merger=value)
    table.puts_into_pool(BANK, "N&E", *table.game.held(BANK, "N&E"))
    merge(table)
    assert charter_of(table.game, "N&E").chartered is chartered
    assert not charter_of(table.game, "WStI").chartered
    table = two_of_one_director(chartered=True, charter_after_merger=value)
    table.charter_is("WStI", chartered=False)
    merge(table)
    assert not charter_of(table.game, "N&E").chartered


@pytest.mark.clause("1862/7.5.6-h")
def test_the_example_of_fdr_and_esr() -> None:
    """ESR gets FDR's cash, trains and licence, a spare token, two tokens on the map in place of FDR's, and one own share for
    the two that lay on FDR's charter."""
    table = merging_table()
    set_up_company(table, "ESR", 90, {ADA: 8}, director=ADA, treasury=100)
    set_up_company(table, "FDR", 90, {ADA: 8, "FDR": 2}, director=ADA, treasury=150)
    table.licences_are("FDR", "freight")
    table.licences_are("ESR", "local")
    join(table, "ESR", "FDR")
    table.token_stands("FDR", "G12")
    table.operating_round_is("FDR", "ESR", step="merge")
    table.act(ADA, Merge("FDR", "ESR"))
    table.act(ADA, ChooseSurvivor("ESR"))
    assert table.game.money("ESR") == 250
    assert len(trains_of(table.game).owned["ESR"]) == 2
    assert charter_of(table.game, "ESR").licences == ("local", "freight")
    assert len(unplaced_tokens(table.game, "ESR")) == 2 + 1
    assert places(table, "ESR") == {"C8", "D9", "G12"}
    assert shares(table, "ESR") == {ADA: 8, "ESR": 1, POOL: 1}


@pytest.mark.clause("1862/7.5.7-a", "1862/7.5.7-b", "1862/7.5.7-c", "1862/5.2.6-k")
def test_the_absorbed_company_is_on_offer_again() -> None:
    """All its certificates are with the bank in their order, it has no price, no marker on the chart, its first licence, and
    its place in the offer; nobody directs it."""
    table = two_of_one_director(chartered=True)
    table.licences_are("WStI", "local", "express")
    offered_from = charter_of(table.game, "WStI").offered_from
    events = merge(table)
    absorbed, charter = companies_of(table.game)["WStI"], charter_of(table.game, "WStI")
    assert reset(events) == [("WStI", "N&E")]
    assert removed_prices(events) == ["WStI"]
    assert table.game.held(BANK, "WStI") == tuple(range(8))
    assert "WStI" not in market_of(table.game).markers
    assert (absorbed.par, absorbed.director, absorbed.opened, absorbed.operated) == (0, "", False, False)
    assert (charter.licences, charter.offered_from) == (("local",), offered_from)
    assert unplaced_tokens(table.game, "WStI") == ()
    assert not is_started(table.game, "WStI")


@pytest.mark.clause("1862/7.5.7-c", "1862/7.5.6-f")
def test_licences_of_the_absorbed_company_go_over_at_once() -> None:
    """Before the tokens in excess are chosen WStI already has its first licence only; the log says so itself."""
    table = two_of_one_director()
    table.licences_are("WStI", "local", "express")
    with_tokens(table, 4, 4)
    events = merge(table)
    assert table.game.interrupts[0].kind == "1862.remove_token"
    assert licences(events) == [("N&E", ("freight", "local", "express")), ("WStI", ("local",))]
    assert charter_of(table.game, "WStI").licences == ("local",)


@pytest.mark.clause("1862/7.5.7-a")
def test_the_absorbed_company_can_be_started_again() -> None:
    """In the next stock round somebody buys its director's certificate at a new price."""
    table = two_of_one_director()
    merge(table)
    table.has_cash(BEN, 1_000)
    table.stock_round_is(BEN)
    assert StartCompany("WStI", 54) in table.offered(BEN)
    table.act(BEN, StartCompany("WStI", 54))
    assert table.director("WStI") == BEN
    assert charter_of(table.game, "WStI").licences == ("local",)
