"""How a game of 1824 begins, clause by clause (sections I to III, XII)."""

import pytest

from services.lobby.domain.seats import draw_seats
from services.rules.adapters.view import game_view
from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import create
from services.rules.kernel.rejections import Rejection
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.commands import LayTile
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.data import train_kinds_of
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1824.commands import BuyCompany
from services.rules.titles.g1824.companies import COAL, MOUNTAIN, NATIONAL, PRE_STATE, REGIONAL, of_kind
from services.rules.titles.g1824.figures import cards_of
from services.rules.titles.g1824.state import reserved_of
from services.rules.titles.g1824.title import TITLE
from services.rules.titles.g1824.view import view
from tests.titles.g1824.table import ADA, BEN, CLEO, DORA, EMIL, PLAYERS, new_table


@pytest.mark.clause("1824/I-j", "1824/I-k")
def test_a_game_has_25_companies_and_72_share_certificates() -> None:
    """6 mountain, 4 coal, 7 pre-state, 5 regional and 3 state companies; the majors' certificates lie in the bank."""
    table = new_table(4)
    kinds = (MOUNTAIN, COAL, PRE_STATE, REGIONAL, NATIONAL)
    in_play = [symbol for symbol, company in companies_of(table.game).items() if not company.closed]
    assert [sum(cards_of(table.data)[symbol].kind == kind for symbol in in_play) for kind in kinds] == [
        6,
        4,
        7,
        5,
        3,
    ]
    majors = of_kind(table.data, REGIONAL, NATIONAL)
    assert sum(len(table.game.held(BANK, symbol)) for symbol in majors) == 72


@pytest.mark.clause("1824/I-l")
def test_train_cards_are_48_without_the_10_trains() -> None:
    """48 trains of all kinds but the 10-train, of which there is always another."""
    table = new_table()
    counts = {name: kind.count for name, kind in train_kinds_of(table.data).items()}
    assert counts.pop("10") == 0
    assert sum(counts.values()) == 48
    table.phase_is("10")
    table.owns_trains("", *["10"] * 9)
    assert trains_of(table.game).depot_gone["10"] == 10
    assert table.owns_trains("BK", "10") == ("10-10",)


@pytest.mark.parametrize("players", [2, 7])
@pytest.mark.clause("1824/II-a")
def test_other_numbers_of_players_are_refused(players: int) -> None:
    """Two or seven players cannot play the base game; three to six can, also with Goods Time."""
    seats = tuple(f"player {number}" for number in range(players))
    outcome = create(TITLE, CreateGame("1824", seats))
    assert isinstance(outcome, Rejection)
    assert outcome.code == "player_count"
    for number in (3, 4, 5, 6):
        assert new_table(number).game.players == PLAYERS[:number]
        assert new_table(number, "goods_time").game.options == ("goods_time",)


@pytest.mark.clause("1824/III.1-a")
def test_seats_are_drawn_and_stay() -> None:
    """The draw decides the seats, and clockwise from them is the order of every stock round."""
    seats = draw_seats(7, (ADA, BEN, CLEO, DORA))
    assert seats != draw_seats(8, (ADA, BEN, CLEO, DORA))
    table = new_table(4)
    table.stock_round_is(CLEO)
    table.pass_on()
    assert table.asked() == DORA
    table.pass_on()
    assert table.asked() == ADA
    assert table.game.players == (ADA, BEN, CLEO, DORA)


@pytest.mark.clause("1824/III.1-b")
def test_first_seat_gets_the_priority_card_before_the_initial_stock_round() -> None:
    """The first seat has the priority card, and the game opens with the initial stock round."""
    table = new_table(5)
    assert table.game.priority == ADA
    assert table.game.current_round.kind == "1824.initial_stock"
    assert (table.game.current_round.turn, table.game.current_round.number) == (1, 1)


@pytest.mark.clause("1824/III.2-a")
def test_holdings_are_public() -> None:
    """What anybody may read of a game names everybody's cash and certificates."""
    table = new_table(4)
    table.act(DORA, BuyCompany("EPP", 160))
    seen = game_view("g", TITLE, table.data, table.game)
    cash = {each.player: each.cash for each in seen.players}
    cash |= {each.company: each.cash for each in seen.companies}
    assert {holder: cash[holder] for holder in (ADA, DORA, "EPP")} == {ADA: 680, DORA: 520, "EPP": 40}
    kept = {each.company: each.numbers for each in view(table.game, table.data).reserved}
    assert kept == {
        state: reserved_of(table.game, state) for state in ("SD", "UG", "KK", "BK", "CL", "MS", "SB")
    }
    assert (DORA, "EPP", 1) in {(each.holder, each.company, each.shares) for each in seen.holdings}


@pytest.mark.parametrize(("players", "cash"), [(3, 820), (4, 680), (5, 560), (6, 460)])
@pytest.mark.clause("1824/III.3-a")
def test_starting_cash(players: int, cash: int) -> None:
    """Each player begins with 820, 680, 560 or 460 G with 3, 4, 5 or 6 players."""
    table = new_table(players)
    assert [table.game.money(player) for player in table.game.players] == [cash] * players


@pytest.mark.parametrize(("value", "bank"), [("from_bank", 9_280), ("beside_bank", 12_000)])
@pytest.mark.clause("1824/III.4-a")
def test_bank(value: str, bank: int) -> None:
    """The bank is 12,000 G; by default the players' cash comes out of it, by ruling it lies beside."""
    table = new_table(4, starting_cash=value)
    assert table.game.money(BANK) == bank
    assert sum(table.game.cash.values()) == (12_000 if value == "from_bank" else 14_720)


@pytest.mark.clause("1824/III.4-b")
def test_everything_starts_with_the_bank() -> None:
    """Private companies are on offer, and all certificates of regionals and states lie in the bank."""
    table = new_table(5)
    offered = {choice.company for choice in table.offered(EMIL, BuyCompany) if isinstance(choice, BuyCompany)}
    assert offered == set(of_kind(table.data, MOUNTAIN, COAL, PRE_STATE))
    for symbol in of_kind(table.data, REGIONAL, NATIONAL):
        assert len(table.game.held(BANK, symbol)) == 9
        assert table.shares(BANK, symbol) == 10


@pytest.mark.clause("1824/III.4-c", "1824/V-b")
def test_money_of_companies_is_never_mixed() -> None:
    """A company spends its own money alone: neither its director's nor that of his other company helps it."""
    table = new_table(4)
    table.leave_initial_round()
    table.phase_is("3")
    for company, treasury in (("MS", 900), ("BH", 190)):
        table.price_is(company, 80)
        table.holds(ADA, company, 5, director=True)
        table.company_runs(company, treasury)
    table.owns_trains("MS", "3", "3")
    table.operating_round_is("BH")
    before = dict(table.game.cash)
    table.act(ADA, BuyTrain("BH", "3-3", 180))
    assert table.game.money("BH") == 10
    assert (table.game.money(ADA), table.game.money("MS")) == (before[ADA], before["MS"])
    assert table.refusal(ADA, BuyTrain("BH", "3-4", 180)) == ("not_enough_cash", "1824/V-b")


@pytest.mark.clause("1824/XII.2-a", "1824/XII.2-d")
def test_goods_time_changes_the_map_and_nothing_else() -> None:
    """With Goods Time the coal company of Pilsen can lay a town tile beside its mine, and companies are as ever."""
    plain, marked = new_table(4), new_table(4, "goods_time")
    assert cards_of(marked.data) == cards_of(plain.data)
    assert train_kinds_of(marked.data) == train_kinds_of(plain.data)
    for table, suits in ((plain, False), (marked, True)):
        table.owns_private(ADA, "EPP")
        table.leave_initial_round()
        lays = [lay for lay in table.offered(ADA, LayTile) if isinstance(lay, LayTile) and lay.hex == "B7"]
        assert bool(lays)
        assert all((lay.tile in {"3", "4", "58"}) is suits for lay in lays)
