"""Overview and set-up (rotw/overview, rotw/setup)."""

from __future__ import annotations

import pytest

from services.rules.kernel.events import Event
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.data import cards_of
from services.rules.titles.rotw.auctions import OPENING
from services.rules.titles.rotw.board import GOODS, board_of
from services.rules.titles.rotw.commands import COMMANDS, NameShare
from services.rules.titles.rotw.figures import railroad
from services.rules.titles.rotw.state import own
from services.rules.titles.rotw.title import TITLE
from tests.positions.reading import payments
from tests.positions.rounds import priorities, rounds
from tests.titles.rotw.table import (
    ADA,
    BEN,
    CLEO,
    COMPANIES,
    RED,
    added,
    deliver,
    drawn,
    new_table,
    running_table,
)


@pytest.mark.clause("rotw/overview-a")
def test_every_company_has_ten_shares() -> None:
    """All of them are somewhere from the start, and the log says before that there is such a company."""
    table = new_table(4)
    assert added(table.log) == [*COMPANIES]
    for company in COMPANIES:
        held = [
            number
            for (_, each), numbers in table.game.holdings.items()
            if each == company
            for number in numbers
        ]
        assert sorted(held) == list(range(10))


@pytest.mark.clause("rotw/overview-b")
def test_the_player_with_most_shares_controls() -> None:
    """Not the one who was first: Ben, who has two shares to Ada's three, buys two more."""
    table = running_table()
    table.owns(BEN, RED, 2)
    table.has_issued(RED, 2)
    table.priority_is(BEN)
    for player in (ADA, CLEO):
        table.has_cash(player, 0)
    table.new_auctions_begin()
    controllers = []
    for _ in range(2):
        table.act(BEN, NameShare(RED, "pool", 8000))
        controllers.append(table.director(RED))
    assert controllers == [ADA, BEN]


@pytest.mark.clause("rotw/overview-c")
def test_a_turn_has_four_phases() -> None:
    """Company rounds, dividends, mergers, auctions, and again; a phase in which nobody can do anything goes by.
    The opening auctions belong to the first turn."""
    opening = new_table().game.current_round
    assert (opening.kind, opening.turn) == (OPENING, 1)
    table = running_table()
    events: list[Event] = []
    while not [each for each in rounds(events) if each[0] == "rotw.companies" and each[1] == 3]:
        events += table.pass_on()
    assert rounds(events) == [
        ("rotw.companies", 2, 2, 3),
        ("rotw.companies", 2, 3, 3),
        ("rotw.dividends", 2, 1, 1),
        ("rotw.mergers", 2, 1, 1),
        ("rotw.new_shares", 2, 1, 1),
        ("rotw.companies", 3, 1, 3),
    ]


@pytest.mark.clause("rotw/overview-d")
def test_deliveries_are_paid_once() -> None:
    """What a delivery brought comes with the income of its turn, and not again in the next."""
    table = running_table()
    table.has_links(RED, "Ashford", "Brookton", "Carlow")
    table.goods_are("Ashford", "blue", "blue")
    table.company_round_is(RED, number=3)
    events = table.act(ADA, deliver(RED, "Ashford", "blue", "1", "2"))
    assert [each.amount for each in payments(events, "company_income")] == [4000]
    table.company_round_is(RED, number=3, turn=3)
    assert payments(table.pass_on(), "company_income") == []


@pytest.mark.clause("rotw/setup-a")
def test_what_is_not_used() -> None:
    """No command plays a card, builds a city or buys an engine."""
    assert {each.__name__ for each in COMMANDS} == {
        "NameShare",
        "BuildLink",
        "DeliverGood",
        "RepayBonds",
        "PayDividend",
        "ProposeMerger",
    }
    assert [part.name for part in TITLE.parts] == ["shares", "market", "auctions"]


@pytest.mark.clause("rotw/setup-b")
@pytest.mark.parametrize(("players", "cash"), [(2, 25000), (3, 25000), (4, 20000), (5, 20000), (6, 20000)])
def test_starting_cash(players: int, cash: int) -> None:
    """25,000 with two or three players, else 20,000."""
    table = new_table(players)
    assert [table.game.money(player) for player in table.game.players] == [cash] * players


@pytest.mark.clause("rotw/setup-c")
def test_the_first_player_is_drawn() -> None:
    """The seed decides: equal seeds draw equally, and everybody comes up. The result is a fact of the log."""
    found = {new_table(4, seed=seed).game.priority for seed in range(40)}
    assert found == set(new_table(4).game.players)
    table, again = new_table(4, seed=7), new_table(4, seed=7)
    assert table.game.priority == again.game.priority == priorities(table.log)[0]
    assert table.asked() == table.game.priority


@pytest.mark.clause("rotw/setup-d", "rotw/setup-e")
def test_starting_values() -> None:
    """Each company has its own (house values), marked on the track in thousands, here as dollars."""
    table = new_table(4)
    assert {company: table.price_of(company) for company in COMPANIES} == dict(
        zip(COMPANIES, (8000, 7000, 6000, 5000, 4000, 3000), strict=True)
    )
    for company in cards_of(table.data):
        assert railroad(table.data, company).start_value == table.price_of(company)


@pytest.mark.clause("rotw/setup-f")
def test_five_shares_available_five_in_reserve() -> None:
    """The bank has those that can be auctioned, the company the others."""
    table = new_table(4)
    for company in COMPANIES:
        assert (table.shares(BANK, company), table.shares(company, company)) == (5, 5)


@pytest.mark.clause("rotw/setup-g", "rotw/setup-i", "rotw/faq-h")
def test_companies_start_with_nothing() -> None:
    """Income markers at zero, apart from the share values; no money, track or bonds."""
    table = new_table(4)
    state = own(table.game)
    assert (state.links, state.income, table.game.debts) == ({}, {}, {})
    assert {table.game.money(company) for company in COMPANIES} == {0}
    table.income_is(RED, 7)
    assert table.price_of(RED) == 8000


@pytest.mark.clause("rotw/setup-h")
def test_goods_are_drawn() -> None:
    """As many cubes as the city prints, of at most 25 of each colour; the draw is in the log, and each seed has its own."""
    table = new_table(4, seed=3)
    placed = drawn(table.log)
    cities = board_of(table.data).cities
    assert {name: len(cubes) for name, cubes in placed.items()} == {
        name: city.cubes for name, city in cities.items()
    }
    everything = [cube for cubes in placed.values() for cube in cubes]
    assert set(everything) == set(GOODS) and max(everything.count(good) for good in GOODS) <= 25
    assert own(table.game).goods == placed
    assert placed == drawn(new_table(4, seed=3).log) != drawn(new_table(4, seed=4).log)


@pytest.mark.parametrize(("ruling", "fewer"), [("fewer", 1), ("full", 0)])
def test_fewer_cubes_for_few_players(ruling: str, fewer: int) -> None:
    """With two or three players one less in each city, but one at least (a ruling)."""
    for players, less in ((3, fewer), (4, 0)):
        table = new_table(players, "large", goods_for_few=ruling)
        for name, cubes in drawn(table.log).items():
            assert len(cubes) == max(1, board_of(table.data).cities[name].cubes - less)
