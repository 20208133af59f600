"""The end of the game, the FAQ and the variants (rotw/end, rotw/faq, rotw/bonds-g)."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.decide import Accepted, end_by_hand
from services.rules.kernel.events import Event
from services.rules.parts.shares.worth import worth_of_shares
from services.rules.titles.rotw.commands import COMMANDS, PayDividend
from services.rules.titles.rotw.control import acting_order
from services.rules.titles.rotw.figures import figures_of
from services.rules.titles.rotw.state import own
from services.rules.titles.rotw.title import TITLE
from tests.positions.market import price_moves, removed_prices
from tests.positions.reading import payments
from tests.positions.rounds import causes_of_end, ends_of_game, rounds
from tests.titles.rotw.table import (
    ADA,
    BEN,
    BLUE,
    CLEO,
    RED,
    YELLOW,
    Table,
    deliver,
    new_table,
    running_table,
)

FIVE = ("Ashford", "Carlow", "Dunmore", "Elmira", "Fulton")


def pass_to_the_end(table: Table) -> list[Event]:
    """Everybody passes, and pays nothing, until the game is over."""
    events: list[Event] = []
    while not table.game.finished:
        player = table.asked()
        command = next(
            (each.command for each in table.choices(player) if isinstance(each.command, PayDividend)), Pass()
        )
        events += table.act(player, command)
    return events


def last_auctions(players: int = 3, *options: str) -> Table:
    """The auctions of the last turn: enough cities are empty; only one player has shares and money."""
    table = running_table(players, *options)
    table.end_is_due("rotw.cities_emptied", turn=2, number=1)
    table.new_auctions_begin()
    return table


@pytest.mark.clause("rotw/end-a")
def test_the_last_turn_is_played_out() -> None:
    """The sixth city of the small map empties in the first round: two more rounds, dividends, mergers and auctions follow."""
    table = running_table(cash=0)
    table.has_links(RED, "Brookton", "Carlow")
    table.is_emptied(*FIVE)
    table.goods_are("Brookton", "blue")
    events = [*table.act(ADA, deliver(RED, "Brookton", "blue", "1"))]
    assert causes_of_end(events) == [("rotw.cities_emptied", 2, 1)] and not table.game.finished
    events += pass_to_the_end(table)
    assert [kind for kind, *_ in rounds(events)] == [
        "rotw.companies",
        "rotw.companies",
        "rotw.dividends",
        "rotw.mergers",
        "rotw.new_shares",
    ]
    assert ends_of_game(events) == ["rotw.cities_emptied"]


def test_one_city_too_few_ends_nothing() -> None:
    """Five are empty: the next turn comes."""
    table = running_table(cash=0)
    table.is_emptied(*FIVE)
    assert causes_of_end(table.pass_on(2)) == []


@pytest.mark.clause("rotw/end-b", "rotw/faq-i")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_sixteen_empty_cities_end_the_game(players: int) -> None:
    """Whatever the number of players."""
    assert figures_of(new_table(players, "large").data).empty_cities == 16


@pytest.mark.clause("rotw/end-c")
@pytest.mark.parametrize(("players", "cities"), [(2, 10), (3, 12), (4, 14), (5, 16), (6, 18)])
def test_by_number_of_players(players: int, cities: int) -> None:
    """An option, with house values: the base game's table is not known."""
    assert figures_of(new_table(players, "large", "empty_cities_by_players").data).empty_cities == cities


@pytest.mark.clause("rotw/end-d", "rotw/bonds-g")
@pytest.mark.parametrize(
    ("value", "bonds", "then"), [(14, 2, 12000), (1, 3, 0), (2, 2, 0), (3, 2, 1000), (9, 0, 9000)]
)
def test_bonds_lower_the_value(value: int, bonds: int, then: int) -> None:
    """By one each, to nothing at least, once the game is over."""
    table = last_auctions()
    table.value_is(RED, value)
    if bonds:
        table.has_bonds(RED, bonds)
    assert table.price_of(RED) == value * 1000
    events = table.pass_on(3)
    assert table.game.finished and table.price_of(RED) == then
    assert len(price_moves(events, "rotw.outstanding_bonds")) == (then > 0 and bonds > 0)
    assert removed_prices(events) == ([] if then else [RED])
    assert (RED in acting_order(table.game, table.data)) == (then > 0)


@pytest.mark.clause("rotw/end-d", "rotw/bonds-g")
@pytest.mark.parametrize(("value", "bonds", "then"), [(14, 2, 12000), (1, 3, 0), (3, 2, 1000), (9, 0, 9000)])
def test_bonds_count_however_the_game_ends(value: int, bonds: int, then: int) -> None:
    """What a player is worth in play, and gets where the game is ended by hand, is what the end by the rules gives."""
    table = last_auctions()
    table.value_is(RED, value)
    if bonds:
        table.has_bonds(RED, bonds)
    worth = {each: TITLE.player_value(table.game, table.data, each) for each in table.game.players}
    of_others = worth_of_shares(table.game, table.data, ADA) - table.shares(ADA, RED) * table.price_of(RED)
    assert worth[ADA] == table.game.money(ADA) + table.shares(ADA, RED) * then + of_others
    ended = end_by_hand(TITLE, table.data, table.game)
    assert isinstance(ended, Accepted)
    assert {each.player: each.value for each in ended.game.scores} == worth
    assert {each: TITLE.player_value(ended.game, table.data, each) for each in worth} == worth
    table.pass_on(3)
    assert {each.player: each.value for each in table.game.scores} == worth
    assert {each: TITLE.player_value(table.game, table.data, each) for each in worth} == worth


@pytest.mark.clause("rotw/end-e", "rotw/end-f")
def test_shares_are_cashed_at_their_values() -> None:
    """Sean: four of BLUE (14, two bonds), one of YELLOW (9), 12,000 in cash: 69,000. Treasuries count for nothing."""
    table = last_auctions()
    table.owns(CLEO, BLUE, 2)
    table.gets_certificates(CLEO, BLUE, *table.game.held(BEN, BLUE)[:2], source=BEN)
    table.owns(CLEO, YELLOW, 1)
    table.value_is(BLUE, 14)
    table.value_is(YELLOW, 9)
    table.has_bonds(BLUE, 2)
    for holder, cash in ((CLEO, 12000), (ADA, 0), (BEN, 1000), (BLUE, 50000), (YELLOW, 50000)):
        table.has_cash(holder, cash)
    table.pass_on(2)
    scores = {each.player: each.value for each in table.game.scores}
    assert scores == {CLEO: 69000, ADA: 24000, BEN: 13000}
    assert table.game.scores[0].player == CLEO


def test_equals_share_their_rank() -> None:
    """No rule breaks a tie: they are listed in seat order with the same value."""
    table = last_auctions()
    for player in (ADA, BEN):
        table.gets_certificates("bank", RED if player == ADA else BLUE, 0, 1, 2, source=player)
    for player in table.game.players:
        table.has_cash(player, 5000)
    table.pass_on(3)
    assert [(each.player, each.value) for each in table.game.scores] == [
        (ADA, 5000),
        (BEN, 5000),
        (CLEO, 5000),
    ]


def test_a_game_in_which_nothing_is_done_ends() -> None:
    """A house rule: three turns in a row without a link or a delivery."""
    table = running_table()
    table.idle_turns_are(2)
    table.new_auctions_begin()
    assert ends_of_game(table.pass_on(3)) == ["rotw.nothing_done"]
    assert own(table.game).idle_turns == 2
    once = running_table()
    once.idle_turns_are(0)
    once.new_auctions_begin()
    assert ends_of_game(once.pass_on(3)) == [] and own(once.game).idle_turns == 1
    busy = running_table()
    busy.idle_turns_are(2)
    busy.has_chosen(BLUE, "build")
    busy.new_auctions_begin()
    assert ends_of_game(busy.pass_on(3)) == [] and own(busy.game).idle_turns == 0


@pytest.mark.clause("rotw/faq-d", "rotw/faq-k")
@pytest.mark.parametrize("needed", [True, False])
def test_no_dividend_without_a_delivery(needed: bool) -> None:
    """A sole shareholder with 12,000 and value 6 who passes three times: nothing, and 4; without the rule 12,000, and 8."""
    table = running_table(delivery_for_dividends="needed" if needed else "not_needed")
    table.value_is(RED, 6)
    table.has_cash(RED, 12000)
    table.has_chosen(RED, "pass", "pass", "pass")
    cash = table.game.money(ADA)
    events = table.dividends_begin()
    if needed:
        assert table.price_of(RED) == 4000 and payments(events, "dividend") == []
        table.round_is("rotw.dividends", RED, step="dividend")
        assert table.refusal(ADA, PayDividend(RED, 1000)) == ("rotw.dividend_not_earned", "rotw/faq-d")
        table.act(ADA, PayDividend(RED, 0))
    else:
        table.act(ADA, PayDividend(RED, 12000))
        assert (table.game.money(ADA), table.price_of(RED)) == (cash + 12000 + 5000, 8000)


def test_a_delivery_in_any_round_earns_the_dividend() -> None:
    """Building alone does not."""
    for actions, asked in ((("build", "deliver", "pass"), True), (("build", "build", "build"), False)):
        table = running_table(cash=9000)
        table.has_chosen(RED, *actions)
        table.dividends_begin()
        assert (table.asked() == ADA and table.game.current_round.kind == "rotw.dividends") == asked


@pytest.mark.clause("rotw/faq-e")
@pytest.mark.parametrize(("small", "cities"), [(False, 20), (True, 8)])
def test_variant_1_needs_more_empty_cities(small: bool, cities: int) -> None:
    """House values; the delivery is needed as without the variant."""
    table = running_table(3, "more_empty_cities", *(() if small else ("large",)))
    assert figures_of(table.data).empty_cities == cities
    table.has_cash(RED, 9000)
    table.has_chosen(RED, "build", "build", "build")
    assert payments(table.dividends_begin(), "dividend") == [] and table.price_of(RED) == 6000


@pytest.mark.clause("rotw/faq-f")
@pytest.mark.parametrize(
    ("actions", "allowed"),
    [
        (("pass", "pass", "build"), False),
        (("pass", "build", "build"), True),
        (("pass", "pass", "deliver"), False),
        (("pass", "pass", "pass"), False),
        (("build", "build", "build"), True),
    ],
)
def test_variant_2_forbids_dividends_after_two_passes(actions: tuple[str, ...], allowed: bool) -> None:
    """A delivery is not needed."""
    table = running_table(3, "passes_forbid", cash=9000)
    table.has_chosen(RED, *actions)
    table.round_is("rotw.dividends", RED, step="dividend")
    if allowed:
        assert payments(table.act(ADA, PayDividend(RED, 9000)), "dividend")
    else:
        assert table.refusal(ADA, PayDividend(RED, 9000)) == ("rotw.dividend_not_earned", "rotw/faq-f")


@pytest.mark.clause("rotw/faq-g")
def test_no_major_lines() -> None:
    """Nothing but links, goods, shares and bonds is asked for, and no score has another source."""
    assert not [each for each in COMMANDS if "line" in each.__name__.lower()]
    assert [option.name for option in TITLE.options] == [
        "small_map",
        "more_empty_cities",
        "passes_forbid",
        "empty_cities_by_players",
        "private_money",
    ]


@pytest.mark.clause("rotw/faq-j")
def test_whether_money_is_private_is_for_the_table_to_say() -> None:
    """An option that the game carries for clients to follow; it changes no rule."""
    open_table, closed = new_table(4), new_table(4, "private_money")
    assert closed.game.options == ("private_money",)
    assert closed.game.cash == open_table.game.cash
