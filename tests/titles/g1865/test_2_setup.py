"""Setting up 1865, and the draft of the sea companies (section 2)."""

import pytest

from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.state import map_of
from services.rules.parts.shares.data import cards_of
from services.rules.titles.g1865.commands import TakeMaritime
from services.rules.titles.g1865.companies import home_of
from services.rules.titles.g1865.state import own
from tests.positions.rounds import rounds
from tests.titles.g1865.table import PLAYERS, new_table


@pytest.mark.clause("1865/2-a")
@pytest.mark.clause("1865/2-b")
@pytest.mark.parametrize(("players", "cash"), [(2, 360), (3, 330), (4, 300)])
def test_starting_cash_comes_out_of_8000(players: int, cash: int) -> None:
    """The bank has what the players do not."""
    table = new_table(players)
    assert [table.game.money(player) for player in table.game.players] == [cash] * players
    assert table.game.money(BANK) == 8000 - players * cash


@pytest.mark.clause("1865/2-c")
def test_all_home_tokens_stand_on_the_map() -> None:
    """Also those of companies that nobody has launched."""
    table = new_table()
    for company in cards_of(table.data):
        home = home_of(table.game, table.data, company)
        assert table.tokens(company) == {home: map_of(table.game).tokens[home]}


@pytest.mark.clause("1865/2-d")
def test_the_seed_draws_who_begins() -> None:
    """The same seed gives the same order; other seeds let every player begin; the rest follow clockwise."""
    first = {seed: new_table(4, seed=seed).game for seed in range(20)}
    assert {game.priority for game in first.values()} == set(PLAYERS)
    for seed, game in first.items():
        assert new_table(4, seed=seed).game.priority == game.priority
        at = PLAYERS.index(game.priority)
        assert game.current_round.order[:4] == PLAYERS[at:] + PLAYERS[:at]


@pytest.mark.clause("1865/2-e")
@pytest.mark.clause("1865/2-f")
def test_sea_companies_are_drafted_in_order_and_in_reverse_order() -> None:
    """A, B, C, C, B, A, for nothing; nobody takes one twice, or one that there is not."""
    table = new_table(3)
    first, second, third = order = table.game.current_round.order[:3]
    picks = ("M3", "M1", "M8", "M2", "M5", "M4")
    for player, name in zip((*order, third, second, first), picks, strict=True):
        assert table.asked() == player
        cash = table.game.money(player)
        assert table.refusal(player, TakeMaritime("M9")) == ("1865.maritime_unknown", "1865/1-n")
        if name != picks[0]:
            assert table.refusal(player, TakeMaritime("M3")) == ("1865.maritime_taken", "1865/2-e")
        assert TakeMaritime(name) in table.offered(player)
        table.act(player, TakeMaritime(name))
        assert table.game.money(player) == cash
    assert table.maritime(first) == ("M3", "M4") and table.maritime(third) == ("M8", "M2")
    assert table.game.current_round.kind == "stock"


@pytest.mark.clause("1865/2-g")
@pytest.mark.parametrize(("players", "left"), [(2, 4), (3, 2), (4, 0)])
def test_sea_companies_that_nobody_took_are_out(players: int, left: int) -> None:
    """As many as are not two for each player."""
    table = new_table(players)
    while table.game.current_round.kind == "1865.draft":
        table.act(table.asked(), table.offered(table.asked())[-1])
    assert len(own(table.game).maritime) == 8 - left


@pytest.mark.clause("1865/2-h")
def test_a_stock_round_and_two_operating_rounds_alternate() -> None:
    """Draft, then stock round, two operating rounds, stock round."""
    table = new_table(2)
    while table.game.current_round.turn < 3:
        player = table.asked()
        is_draft = table.game.current_round.kind == "1865.draft"
        table.act(player, table.offered(player, TakeMaritime)[0]) if is_draft else table.pass_on()
    assert rounds(table.log) == [
        ("1865.draft", 1, 1, 1),
        ("stock", 1, 1, 1),
        ("operating", 1, 1, 2),
        ("operating", 1, 2, 2),
        ("stock", 2, 1, 1),
        ("operating", 2, 1, 2),
        ("operating", 2, 2, 2),
        ("stock", 3, 1, 1),
    ]
