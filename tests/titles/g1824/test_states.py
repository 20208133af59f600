"""The state railways of 1824, clause by clause (section IV.4.4)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.events import Event
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.state import unplaced_tokens
from services.rules.parts.shares.commands import BuyCertificate
from services.rules.parts.shares.shares import shares_of
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend, RunTrains
from services.rules.parts.trains.data import train_kinds_of
from services.rules.parts.trains.state import phase_of, trains_of
from services.rules.titles.g1824.commands import DiscardTrain
from services.rules.titles.g1824.state import reserved_of
from tests.positions.market import price_moves
from tests.positions.reading import paid
from tests.positions.rounds import within_round
from tests.positions.shares import opened
from tests.titles.g1824.operating_positions import run
from tests.titles.g1824.state_positions import TRIGGERS, TRIOS, before_formation, form, owners_of
from tests.titles.g1824.table import ADA, BEN, CLEO, DORA, Table, owned_table


@pytest.mark.parametrize(
    ("state", "trio"), [("SD", (2, 1, 1)), ("UG", (2, 1)), ("KK", (2, 1))], ids=["SD", "UG", "KK"]
)
@pytest.mark.clause("1824/IV.3-c", "1824/IV.3-d", "1824/IV.3-e", "1824/IV.4.4-c", "1824/VII.14-g")
def test_the_state_forms_at_the_end_of_the_round_of_its_train(state: str, trio: tuple[int, ...]) -> None:
    """At the end of that round, not before, its pre-states are exchanged for 20 % and 10 % of it."""
    table = before_formation(state, owners_of(state))
    train = TRIGGERS[state]
    bought = table.act(DORA, BuyTrain("BH", f"{train}-0", train_kinds_of(table.data)[train].price))
    assert state not in opened(bought)
    while table.game.current_round.number == 1:
        table.pass_on()
    owners = owners_of(state)
    assert [table.shares(owners[symbol], state) for symbol in TRIOS[state]] == list(trio)
    assert 0 in table.game.held(ADA, state)
    assert all(companies_of(table.game)[symbol].closed for symbol in TRIOS[state])
    assert reserved_of(table.game, state) == ()
    assert state in table.game.current_round.order


@pytest.mark.parametrize(("state", "capital"), [("SD", 720), ("UG", 840), ("KK", 840)])
@pytest.mark.clause("1824/IV.4.4-b", "1824/IV.4.4-f")
def test_capital_with_all_pre_states_owned(state: str, capital: int) -> None:
    """120 G for each share that is not kept: 720 G for SD, 840 G for UG and KK."""
    table = before_formation(state, owners_of(state))
    assert table.price_of(state) == 120
    for symbol in TRIOS[state]:
        table.has_cash(symbol, 0)
    events = form(table, state)
    assert paid(events, BANK, state, capital, "capital_paid_in", state)
    assert table.game.money(state) == capital


@pytest.mark.parametrize(
    ("value", "owners", "capital"),
    [
        ("added", {"SD1": ADA, "SD2": BEN}, 960),
        ("share_only", {"SD1": ADA, "SD2": BEN}, 840),
        ("added", {"SD2": BEN, "SD3": CLEO}, 960 + 240),
        ("share_only", {"SD2": BEN, "SD3": CLEO}, 960),
        ("added", {}, 1_200 + 480),
        ("share_only", {}, 1_200),
    ],
)
@pytest.mark.clause("1824/IV.4.4-i")
def test_capital_with_missing_pre_states(value: str, owners: dict[str, str], capital: int) -> None:
    """Each released share brings 120 G, and by default the missing pre-state its 120 or 240 G on top."""
    table = before_formation("SD", owners, missing_pre_state_capital=value)
    for symbol in owners:
        table.has_cash(symbol, 0)
    form(table, "SD")
    assert table.game.money("SD") == capital


@pytest.mark.clause("1824/IV.4.4-g")
def test_the_state_takes_over_money_trains_and_tokens() -> None:
    """SD gets 30, 40 and 50 G, four trains and the tokens in Wien, Graz and Innsbruck; 100 G tokens are left to it."""
    table = before_formation("SD", owners_of("SD"))
    for symbol, money in (("SD1", 30), ("SD2", 40), ("SD3", 50)):
        table.has_cash(symbol, money)
        if not table.tokens(symbol):
            table.home_tokens_stand(symbol)
    table.owns_trains("SD1", "1g", "1g")
    table.owns_trains("SD3", "1g")
    form(table, "SD")
    assert table.game.money("SD") == 720 + 120
    assert trains_of(table.game).owned["SD"] == ("1g-0", "1g-1", "1g-2")
    assert set(table.tokens("SD")) == {("E12", 0), ("G10", 0), ("G4", 0)}
    assert unplaced_tokens(table.game, "SD") == (100, 100)
    assert not any(table.tokens(symbol) or table.game.money(symbol) for symbol in TRIOS["SD"])


@pytest.mark.clause("1824/IV.4.4-g", "1824/VII.11-x")
def test_trains_above_the_limit_of_the_state_are_discarded_by_its_director() -> None:
    """KK forms in phase 6 with four trains and may own three: its director gives one up before the next round."""
    table = before_formation("KK", owners_of("KK"))
    table.owns_trains("KK1", "4g", "4g")
    table.owns_trains("KK2", "4g", "2g")
    for symbol in TRIOS["KK"]:
        if not table.tokens(symbol):
            table.home_tokens_stand(symbol)
    table.act(DORA, BuyTrain("BH", "6-0", 600))
    while not table.game.interrupts:
        table.pass_on()
    assert table.asked() == ADA
    assert table.game.interrupts[0].kind == "1824.discard_train"
    assert table.game.current_round.number == 1
    table.act(ADA, DiscardTrain("KK", "2g-1"))
    assert len(trains_of(table.game).owned["KK"]) == 3


@pytest.mark.clause("1824/IV.4.4-g", "1824/VII.11-x")
def test_a_state_without_director_gives_up_a_train_too() -> None:
    """A holder of 10 % answers for SD when phase 6 leaves it with a train too many and it has no director."""
    table = before_formation("KK", {"SD2": BEN, "SD3": CLEO})
    table.owns_trains("SD2", "4g", "5g")
    table.owns_trains("SD3", "4g", "5g")
    table.operating_round_is("BH", count=2)
    table.turn_is(1)
    table.carry_on()
    assert table.director("SD") == ""
    assert len(trains_of(table.game).owned["SD"]) == 4
    table.step_is("buy_trains")
    table.operating_round_is("BH", number=2, count=3)
    table.act(DORA, BuyTrain("BH", "6-0", 600))
    assert (table.asked(), table.game.interrupts[0].company) == (BEN, "SD")
    table.act(BEN, DiscardTrain("SD", "4g-0"))
    assert len(trains_of(table.game).owned["SD"]) == 3


@pytest.mark.clause("1824/IV.4.4-d")
def test_the_biggest_holder_becomes_director() -> None:
    """Ben with 30 % gets SD and its certificate, and Ada two of 10 % for the one SD1 brought her."""
    table = before_formation("SD", owners_of("SD"))
    table.holds(BEN, "SD", 2)
    form(table, "SD")
    assert table.director("SD") == BEN
    assert (table.shares(BEN, "SD"), table.shares(ADA, "SD")) == (3, 2)
    assert 0 in table.game.held(BEN, "SD")
    assert len(table.game.held(ADA, "SD")) == 2


@pytest.mark.parametrize(
    ("owners", "bought", "card", "director"),
    [
        ({"SD1": CLEO, "SD2": BEN}, {BEN: 1}, BEN, CLEO),
        ({"SD2": CLEO, "SD3": BEN}, {CLEO: 2, BEN: 2}, BEN, CLEO),
        ({"SD2": ADA, "SD3": CLEO}, {CLEO: 2, BEN: 3}, BEN, CLEO),
        ({"SD2": ADA}, {CLEO: 3, BEN: 3}, CLEO, CLEO),
        ({"SD2": CLEO}, {ADA: 3, BEN: 3}, CLEO, ADA),
        ({"SD2": CLEO}, {ADA: 3, DORA: 3}, CLEO, DORA),
    ],
    ids=[
        "owner of 1",
        "owner of 2",
        "owner of 3",
        "priority card",
        "clockwise from the card",
        "left of the card",
    ],
)
@pytest.mark.clause("1824/IV.4.4-e")
def test_ties_for_director_at_formation(
    owners: dict[str, str], bought: dict[str, int], card: str, director: str
) -> None:
    """Among equals the former owner of number 1, then 2, then 3, then the priority card, then clockwise from it."""
    table = before_formation("SD", owners)
    table.priority_is(card)
    for player, count in bought.items():
        table.holds(player, "SD", count)
    form(table, "SD")
    shares = sorted((table.shares(player, "SD") for player in table.game.players), reverse=True)
    assert shares[0] == shares[1]
    assert table.director("SD") == director
    assert 0 in table.game.held(director, "SD")


@pytest.mark.clause("1824/IV.4.4-j")
def test_a_state_operates_with_two_shares_in_players_hands() -> None:
    """Ada's 20 % of SD are all that is out, and SD has its turn."""
    table = before_formation("SD", {"SD1": ADA})
    form(table, "SD")
    assert table.director("SD") == ADA
    assert table.shares(BANK, "SD") == 8
    assert table.game.actor == "SD"
    assert table.asked() == ADA


def idle_state(**rulings: str) -> Table:
    """SD has formed with 10 % each for Ben and Cleo and nobody for director; its first round is on."""
    table = before_formation("SD", {"SD2": BEN, "SD3": CLEO}, **rulings)
    table.owns_trains("SD2", "1g")
    form(table, "SD")
    return table


@pytest.mark.clause("1824/IV.4.4-k", "1824/IV.4.4-j")
def test_a_state_nobody_holds_20_percent_of_does_not_operate() -> None:
    """SD has no director, no turn of its own, and falls from 120 to 110 and on to 100 G, one cell in each round."""
    table = idle_state()
    assert (table.director("SD"), table.game.held(BANK, "SD")[0]) == ("", 0)
    assert table.game.actor == "BH"
    assert table.price_of("SD") == 110
    events: list[Event] = []
    while table.game.current_round.kind == "operating":
        assert table.asked() == DORA
        events += table.pass_on()
    table.pass_stock_round()
    assert table.price_of("SD") == 100
    moves = [move for move in price_moves(table.log) if move.company == "SD"]
    assert [(move.row, move.column, move.reason) for move in moves] == [
        (0, 1, "1824.no_director"),
        (0, 0, "1824.no_director"),
    ]


@pytest.mark.clause("1824/IV.4.4-l")
def test_the_buyer_of_a_second_share_becomes_director() -> None:
    """Ben buys a second 10 % of SD: at once he has office and certificate, and SD operates in the next round."""
    table = idle_state()
    table.owns_trains("SD", "1g")
    table.stock_round_is(BEN, turn=3)
    table.act(BEN, BuyCertificate("SD"))
    assert table.director("SD") == BEN
    assert table.game.held(BEN, "SD") == (0,)
    table.pass_stock_round()
    assert table.game.actor == "SD"
    assert table.asked() == BEN


@pytest.mark.clause("1824/IV.4.4-k")
def test_ruling_lets_a_state_without_director_place_tokens() -> None:
    """Under ruling `operates` SD without pre-states gets its free token although nobody directs it."""
    idle = before_formation("SD", {})
    form(idle, "SD")
    assert idle.tokens("SD") == {}
    placing = before_formation("SD", {}, state_without_director="operates")
    form(placing, "SD")
    assert set(placing.tokens("SD")) == {("E12", 0)}


@pytest.mark.clause("1824/IV.4.4-k")
@pytest.mark.parametrize("ruling", ["idle", "operates"])
def test_ruling_lets_a_state_without_director_run(ruling: str) -> None:
    """Then the holder of a share runs its trains and divides what they earn, and its price follows; it buys none."""
    table = before_formation("SD", {"SD2": BEN}, state_without_director=ruling)
    table.tile_lies("G10", "57", 1)
    table.tile_lies("G8", "9", 1)
    table.tile_lies("G6", "9", 1)
    form(table, "SD")
    assert table.director("SD") == ""
    table.tile_lies("G4", "57", 1)
    table.owns_trains("SD", "4")
    table.operating_round_is("SD", "BH", step="run_trains")
    table.carry_on()
    if ruling == "idle":
        assert table.game.actor == "BH"
        return
    assert (table.asked(), table.game.actor) == (BEN, "SD")
    table.act(BEN, RunTrains("SD", (run("4-1", "G10 G8 G6 G4"),)))
    before = table.game.money(BEN)
    table.act(BEN, DeclareDividend("SD", "pay"))
    assert table.game.money(BEN) > before
    assert table.game.actor == "BH"


@pytest.mark.parametrize(("value", "formed"), [("form", True), ("do_not_form", False)])
@pytest.mark.clause("1824/IV.4.4-c", "1824/IX.1-a")
def test_a_state_whose_train_comes_in_the_last_round(value: str, formed: bool) -> None:
    """By default SD still forms before the final count, so that Ada has 20 % at 120 G; by ruling she has SD1's 240 G."""
    table = before_formation("SD", {"SD1": ADA}, states_at_game_end=value)
    table.operating_round_is("BH", number=2, count=2)
    table.end_is_due("bank", turn=2, number=2)
    table.act(DORA, BuyTrain("BH", "4-0", 280))
    while not table.game.finished:
        table.pass_on()
    assert companies_of(table.game)["SD"].opened is formed
    assert table.shares(ADA, "SD") == (2 if formed else 0)


@pytest.mark.parametrize(("value", "early"), [("at_20_percent", True), ("at_formation", False)])
@pytest.mark.clause("1824/VI.3-f", "1824/VI.3-g")
def test_director_of_a_state_whose_number_1_was_not_sold(value: str, early: bool) -> None:
    """Its director's certificate is never for sale; the first player with 20 % swaps for it, by ruling when SD forms."""
    table = owned_table({"SD2": BEN}, 4, state_director_certificate=value)
    table.stock_round_is(CLEO)
    assert table.refusal(CLEO, BuyCertificate("SD", number=0)) == ("certificate_reserved", "1824/VI.3-f")
    table.holds(CLEO, "SD", 1)
    table.act(CLEO, BuyCertificate("SD"))
    assert (table.game.held(CLEO, "SD") == (0,)) is early
    assert table.shares(CLEO, "SD") == 2


@pytest.mark.clause("1824/IV.4.4-c", "1824/VII.14-a")
def test_an_exported_train_forms_the_state_too() -> None:
    """The first 4-train exported at the end of a set forms SD at the end of that round."""
    table = before_formation("SD", owners_of("SD"))
    table.operating_round_is("BH", number=2, count=2)
    events = list(table.act(DORA, Pass()))
    assert phase_of(table.game) == "4"
    assert "SD" in opened(within_round(events))
    assert table.director("SD") == ADA


@pytest.mark.clause("1824/IV.4.4-f")
def test_unsold_pre_states_release_their_certificates() -> None:
    """Without SD3 30 % of SD stay kept and seven of 10 % are on sale; without SD1 six are, and 20 % of SD2 and SD3 stay."""
    for owners, kept, on_sale in (({"SD1": ADA, "SD2": BEN}, 3, 7), ({"SD2": ADA, "SD3": BEN}, 2, 6)):
        table = owned_table(owners)
        assert shares_of(table.data, "SD", reserved_of(table.game, "SD")) == kept
        table.holds(CLEO, "SD", on_sale)
        table.stock_round_is(DORA)
        refused = table.refusal(DORA, BuyCertificate("SD"))
        assert refused == ("certificate_not_available", "1824/VI.4-a")
