"""Buying trains in 1824: from the bank, from other companies; duty, limits and order (VII.11)."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import AnswerOffer, Pass
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend, RunTrains
from services.rules.parts.trains.data import train_kinds_of
from services.rules.parts.trains.depot import next_copy
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1824.commands import DiscardTrain, TradeInTrain
from tests.positions.reading import DebtChange, moved_cash, moved_trains, only
from tests.positions.rounds import ended_turns
from tests.titles.g1824.operating_positions import buyer, major, neighbour, pilsen_table, run, train_commands
from tests.titles.g1824.table import ADA, BEN, Table, clear_table, new_table, owned_table

KINDS = ("2", "3", "4", "5", "6", "8", "10", "1g", "2g", "3g", "4g", "5g")


def coal_buyer(*trains: str, treasury: int = 1000, phase: str = "2") -> Table:
    """EPP of the first player has these trains and stands before its purchases."""
    table = owned_table({"EPP": ADA})
    table.owns_trains("EPP", *trains)
    table.phase_is(phase)
    table.has_cash("EPP", treasury)
    table.operating_round_is("EPP")
    return table


def prices_from_bank(table: Table, player: str = ADA) -> dict[str, int]:
    """Kind and price of the trains offered by the bank without trade-in."""
    offers = [offer for offer in train_commands(table, player) if offer.seller == BANK]
    return {offer.train.rsplit("-", 1)[0]: offer.price for offer in offers}


@pytest.mark.clause(
    "1824/VII.11-a",
    "1824/VII.11-b",
    "1824/VII.11-c",
    "1824/VII.11-d",
    "1824/VII.11-e",
    "1824/VII.11-f",
    "1824/VII.11-g",
    "1824/VII.11-h",
    "1824/VII.11-i",
    "1824/VII.11-j",
    "1824/VII.11-k",
    "1824/VII.11-l",
    "1824/VII.13-b",
)
@pytest.mark.parametrize(
    ("phase", "train", "price", "old", "reduced"),
    [
        ("2", "2", 80, "", 0),
        ("3", "3", 180, "2", 140),
        ("4", "4", 280, "3", 190),
        ("5", "5", 400, "4", 260),
        ("6", "6", 600, "5", 400),
        ("8", "8", 800, "6", 500),
        ("10", "10", 1000, "8", 600),
        ("2", "1g", 120, "", 0),
        ("3", "2g", 240, "1g", 180),
        ("4", "3g", 360, "2g", 240),
        ("6", "4g", 600, "3g", 420),
        ("8", "5g", 800, "4g", 500),
    ],
)
def test_prices_of_trains(phase: str, train: str, price: int, old: str, reduced: int) -> None:
    """The bank gets exactly the printed price, or half of the old train's price less for a trade-in."""
    table = buyer(*([old] if old else []), phase=phase)
    given = trains_of(table.game).owned.get("MS", ("",))
    wanted = BuyTrain("MS", f"{train}-{trains_of(table.game).depot_gone.get(train, 0)}", price)
    cheap = BuyTrain("MS", wanted.train, price - 10)
    letter = "abcdefghijkl"[KINDS.index(train)]
    assert table.refusal(ADA, cheap) == ("train_price", f"1824/VII.11-{letter}")
    before = table.game
    assert moved_cash(table.act(ADA, wanted), "train_bought") == [("MS", BANK, price)]
    if old:
        table.game = before
        traded = TradeInTrain("MS", wanted.train, reduced, given[0])
        assert moved_cash(table.act(ADA, traded), "train_bought") == [("MS", BANK, reduced)]


@pytest.mark.parametrize(
    ("kind", "count"), list(zip(KINDS, (9, 7, 4, 3, 3, 2, 0, 6, 5, 4, 3, 2), strict=True)), ids=KINDS
)
@pytest.mark.clause(
    "1824/VII.11-a", "1824/VII.11-b", "1824/VII.11-c", "1824/VII.11-d", "1824/VII.11-e", "1824/VII.11-f"
)
@pytest.mark.clause(
    "1824/VII.11-g", "1824/VII.11-h", "1824/VII.11-i", "1824/VII.11-j", "1824/VII.11-k", "1824/VII.11-l"
)
def test_number_of_trains(kind: str, count: int) -> None:
    """The depot has so many trains of each kind, and of the 10-train always another."""
    table = new_table()
    if count:
        table.owns_trains("", *[kind] * (count - 1))
        assert next_copy(table.game, table.data, kind) == f"{kind}-{count - 1}"
    table.owns_trains("", *[kind] * (1 if count else 20))
    assert bool(next_copy(table.game, table.data, kind)) is (not count)


@pytest.mark.clause(
    "1824/VII.11-h", "1824/VII.11-i", "1824/VII.11-j", "1824/VII.11-k", "1824/VII.11-l", "1824/VII.14-c"
)
@pytest.mark.parametrize(
    ("phase", "goods"),
    [
        ("2", {"1g": 120}),
        ("3", {"1g": 120, "2g": 240}),
        ("4", {"1g": 120, "2g": 240, "3g": 360}),
        ("5", {"1g": 120, "2g": 240, "3g": 360}),
        ("6", {"1g": 120, "2g": 240, "3g": 360, "4g": 600}),
        ("8", {"1g": 120, "2g": 240, "3g": 360, "4g": 600, "5g": 800}),
    ],
)
def test_goods_trains_on_sale_by_phase(phase: str, goods: dict[str, int]) -> None:
    """Each kind comes on sale with the first train of its normal kind, beside all kinds before it."""
    table = buyer(phase=phase)
    assert {kind: price for kind, price in prices_from_bank(table).items() if kind.endswith("g")} == goods


@pytest.mark.clause("1824/VII.11-h", "1824/VII.14-c")
def test_no_goods_train_before_the_first_2_train() -> None:
    """Until a company has bought a 2-train nothing else is on sale; then the 1g-train is."""
    table = clear_table()
    major(table, "MS", ADA, treasury=1000)
    table.operating_round_is("MS")
    assert prices_from_bank(table) == {"2": 80}
    assert table.refusal(ADA, BuyTrain("MS", "1g-0", 120)) == ("train_not_available", "1824/VII.11-r")
    table.act(ADA, BuyTrain("MS", "2-0", 80))
    assert prices_from_bank(table) == {"2": 80, "1g": 120}


@pytest.mark.clause("1824/VII.11-m")
def test_company_without_train_must_buy() -> None:
    """Even without a route it may not pass until it owns a train; then it may."""
    table = buyer(treasury=200)
    assert table.refusal(ADA, Pass()) == ("may_not_pass", "1824/VII.11-m")
    assert Pass() not in table.offered(ADA)
    table.act(ADA, BuyTrain("MS", "2-1", 80))
    assert Pass() in table.offered(ADA)


@pytest.mark.clause("1824/VII.11-m")
def test_turn_does_not_end_without_a_train() -> None:
    """A company without a train and without a coin stands in the purchase step, and its owner must buy."""
    table = owned_table({"SD2": BEN})
    table.has_cash("SD2", 0)
    table.operating_round_is("SD2", step="lay_track")
    table.act(BEN, Pass())
    assert (table.game.actor, table.game.current_round.step, table.asked()) == ("SD2", "buy_trains", BEN)
    assert [type(command) for command in table.offered(BEN)] == [BuyTrain]


@pytest.mark.clause("1824/VII.11-n")
def test_coal_company_need_not_buy_while_the_bank_has_no_goods_train() -> None:
    """With all 1g-trains gone it may pass, or buy one offered by another company, which it may also decline."""
    table = coal_buyer()
    table.trains_are_sold("1g")
    table.operating_round_is("EPP", step="lay_track")
    events = table.act(ADA, Pass())
    assert ended_turns(events) == ["EPP"]
    table = coal_buyer(phase="3")
    table.trains_are_sold("1g", leave=1)
    table.trains_are_sold("2g")
    neighbour(table, BEN, "1g")
    table.operating_round_is("EPP")
    assert set(table.offered(ADA)) == {BuyTrain("EPP", "1g-5", 120, "CL"), Pass()}
    before = table.game
    assert ended_turns(table.act(ADA, Pass())) == ["EPP"]
    table.game = before
    table.act(ADA, BuyTrain("EPP", "1g-5", 120, "CL"))
    table.act(BEN, AnswerOffer(True))
    assert trains_of(table.game).owned["EPP"] == ("1g-5",)


@pytest.mark.clause("1824/VII.11-n")
def test_duty_of_a_coal_company_returns_with_a_goods_train() -> None:
    """As soon as the bank has a g-train again, by the first 3-train, the coal company must buy."""
    table = coal_buyer(phase="3")
    table.trains_are_sold("1g")
    assert table.refusal(ADA, Pass()) == ("may_not_pass", "1824/VII.11-m")
    assert table.offered(ADA) == [BuyTrain("EPP", "2g-0", 240)]


@pytest.mark.clause("1824/VII.11-n")
def test_free_coal_company_gets_no_help_of_its_owner() -> None:
    """A train it need not buy is paid from its treasury alone."""
    table = coal_buyer(phase="3", treasury=119)
    table.trains_are_sold("1g", leave=1)
    table.trains_are_sold("2g")
    neighbour(table, BEN, "1g")
    table.operating_round_is("EPP")
    table.has_cash(ADA, 1000)
    assert table.refusal(ADA, BuyTrain("EPP", "1g-5", 120, "CL")) == ("not_enough_cash", "1824/V-b")
    assert table.refusal(ADA, SellCertificates("CL", 1))[0] == "sales_forbidden"


@pytest.mark.clause("1824/VII.11-o")
def test_train_does_not_run_in_the_turn_it_is_bought() -> None:
    """Trains come after the runs: a bought train cannot run, nor can the company go back to its runs."""
    table = pilsen_table("2", treasury=500)
    table.phase_is("3")
    given = neighbour(table, ADA, "3")
    table.operating_round_is("MS", step="run_trains")
    table.act(ADA, RunTrains("MS", (run("2-0", "B5 A4"),)))
    table.act(ADA, DeclareDividend("MS", "withhold"))
    table.act(ADA, BuyTrain("MS", given[0], 1, "CL"))
    assert table.refusal(ADA, RunTrains("MS", (run(given[0], "B5 A4"),))) == ("wrong_step", "")


@pytest.mark.clause("1824/VII.11-p")
def test_no_purchase_at_the_limit_even_if_it_would_remove_a_train() -> None:
    """A regional with four trains of phase 3 may not buy the first 4-train though it would remove its 2-trains."""
    table = buyer("2", "3", "3", "3", phase="3")
    table.trains_are_sold("3")
    assert table.refusal(ADA, BuyTrain("MS", "4-0", 280)) == ("train_limit", "1824/VII.11-p")
    neighbour(table, BEN, "1g")
    assert table.refusal(ADA, BuyTrain("MS", "1g-0", 120, "CL")) == ("train_limit", "1824/VII.11-p")


@pytest.mark.clause("1824/VII.11-p", "1824/VII.14-h", "1824/VII.14-l")
@pytest.mark.parametrize(
    ("phase", "kind", "limit"), [("2", "2", 4), ("3", "3", 4), ("4", "4", 3), ("6", "6", 2)]
)
def test_limit_of_a_regional_counts_normal_and_goods_trains(phase: str, kind: str, limit: int) -> None:
    """4 trains before phase 4, 3 in phase 4, 2 from phase 6: one below it a train may be bought, at it none."""
    table = buyer(*["1g"] * (limit - 1), phase=phase)
    train = f"{kind}-{trains_of(table.game).depot_gone[kind]}"
    table.act(ADA, BuyTrain("MS", train, train_kinds_of(table.data)[kind].price))
    assert len(trains_of(table.game).owned["MS"]) == limit
    assert not prices_from_bank(table)


@pytest.mark.clause("1824/VII.11-q")
def test_several_trains_in_one_turn() -> None:
    """Three 2-trains and a 1g-train one after the other."""
    table = buyer(treasury=1000)
    for train, price in (("2-1", 80), ("2-2", 80), ("1g-0", 120), ("2-3", 80)):
        assert table.game.actor == "MS"
        table.act(ADA, BuyTrain("MS", train, price))
    assert trains_of(table.game).owned["MS"] == ("2-1", "2-2", "1g-0", "2-3")


@pytest.mark.clause("1824/VII.11-r")
def test_normal_trains_in_ascending_order() -> None:
    """While one 2-train is left no 3-train is sold; after the last one the first 3-train is."""
    table = buyer()
    table.trains_are_sold("2", leave=1)
    assert prices_from_bank(table) == {"2": 80, "1g": 120}
    assert table.refusal(ADA, BuyTrain("MS", "3-0", 180)) == ("train_not_available", "1824/VII.11-r")
    table.act(ADA, BuyTrain("MS", "2-8", 80))
    assert prices_from_bank(table) == {"3": 180, "1g": 120}


@pytest.mark.clause("1824/VII.11-s")
def test_unsold_goods_trains_hold_nothing_back() -> None:
    """With no 1g-train ever sold the 2g-train and the next normal trains are on sale all the same."""
    table = buyer(phase="3")
    assert trains_of(table.game).depot_gone.get("1g", 0) == 0
    table.act(ADA, BuyTrain("MS", "2g-0", 240))
    table.trains_are_sold("3")
    table.act(ADA, BuyTrain("MS", "4-0", 280))
    table.act(ADA, BuyTrain("MS", "3g-0", 360))
    assert trains_of(table.game).owned["MS"] == ("2g-0", "4-0", "3g-0")


@pytest.mark.clause("1824/VII.11-t", "1824/VII.14-d")
def test_other_companies_sell_only_after_the_first_3_train() -> None:
    """In phase 2 no company sells a train, not even to one of the same director; with the first 3-train they do."""
    table = buyer("2")
    (train,) = neighbour(table, ADA, "2")
    table.operating_round_is("MS")
    across = BuyTrain("MS", train, 1, "CL")
    assert table.refusal(ADA, across) == ("train_not_available", "1824/VII.11-t")
    assert {offer.seller for offer in train_commands(table, ADA)} == {BANK}
    table.trains_are_sold("2")
    table.act(ADA, BuyTrain("MS", "3-0", 180))
    table.act(ADA, across)
    assert trains_of(table.game).owned["MS"] == ("2-0", "3-0", train)


@pytest.mark.clause("1824/VII.11-t", "1824/VII.14-a")
def test_an_exported_3_train_opens_sales_too() -> None:
    """Phase 3 may also start with the export of the first 3-train."""
    table = buyer("2")
    (train,) = neighbour(table, ADA, "2")
    table.train_is_owned("3-0", "", source=BANK)
    table.phase_alone_is("3")
    table.operating_round_is("MS")
    table.act(ADA, BuyTrain("MS", train, 1, "CL"))


@pytest.mark.clause("1824/VII.11-u")
def test_same_director_any_price_from_1() -> None:
    """From 1 G up to all the treasury holds, above the face value too; 0 G is refused. The seller gets the money."""
    table = buyer("2", phase="3", treasury=300)
    (train,) = neighbour(table, ADA, "3")
    table.operating_round_is("MS")
    table.has_cash("MS", 300)
    offer = next(
        choice
        for choice in table.choices(ADA)
        if isinstance(choice.command, BuyTrain) and choice.command.seller == "CL"
    )
    assert (offer.open_field, offer.minimum, offer.maximum, offer.cost) == ("price", 1, 300, 1)
    assert table.refusal(ADA, BuyTrain("MS", train, 0, "CL")) == ("train_price", "1824/VII.11-u")
    assert table.refusal(ADA, BuyTrain("MS", train, 301, "CL")) == ("not_enough_cash", "1824/V-b")
    for price in (1, 137, 300):
        before = table.game
        events = table.act(ADA, BuyTrain("MS", train, price, "CL"))
        assert moved_cash(events, "train_bought") == [("MS", "CL", price)]
        assert moved_trains(events, "bought") == [(train, "CL", "MS")]
        table.game = before


@pytest.mark.clause("1824/VII.11-v")
def test_other_director_exactly_the_face_value() -> None:
    """A 3-train of another director's company costs 180, neither 179 nor 181."""
    table = buyer("2", phase="3", treasury=300)
    (train,) = neighbour(table, BEN, "3")
    table.operating_round_is("MS")
    for price in (179, 181):
        assert table.refusal(ADA, BuyTrain("MS", train, price, "CL")) == ("train_price", "1824/VII.11-v")
    table.act(ADA, BuyTrain("MS", train, 180, "CL"))
    assert moved_cash(table.act(BEN, AnswerOffer(True)), "train_bought") == [("MS", "CL", 180)]


@pytest.mark.clause("1824/VII.11-w")
def test_trains_are_never_sold_to_the_bank_or_scrapped() -> None:
    """Below its limit a company cannot give up a train, and no choice moves a train to the bank."""
    table = buyer("2", "2")
    assert table.refusal(ADA, DiscardTrain("MS", "2-0")) == ("wrong_step", "")
    assert {type(command) for command in table.offered(ADA)} == {BuyTrain, Pass}
    assert all(offer.company == "MS" for offer in train_commands(table, ADA))


@pytest.mark.clause("1824/VII.11-x")
def test_trains_above_the_limit_go_without_compensation() -> None:
    """The first 4-train lowers CL's limit from 4 to 3: its director gives up one train, and nobody gets money."""
    table = buyer("3", phase="3")
    neighbour(table, BEN, "3", "3", "3", "1g")
    table.trains_are_sold("3")
    table.operating_round_is("MS")
    table.act(ADA, BuyTrain("MS", "4-0", 280))
    assert table.asked() == BEN
    assert table.refusal(ADA, BuyTrain("MS", "4-1", 280)) == ("interrupt_first", "")
    assert {command.train for command in table.offered(BEN) if isinstance(command, DiscardTrain)} == {
        *trains_of(table.game).owned["CL"]
    }
    money = dict(table.game.cash)
    events = table.act(BEN, DiscardTrain("CL", "1g-0"))
    assert moved_trains(events, "discarded") == [("1g-0", "CL", "")]
    assert table.game.cash == money
    assert len(trains_of(table.game).owned["CL"]) == 3
    assert (table.asked(), table.game.actor) == (ADA, "MS")


@pytest.mark.clause("1824/VII.11-x")
def test_state_without_director_gives_up_trains_too() -> None:
    """Nobody directs SD, which has four 4-trains when its limit falls to 3: the priority holder chooses."""
    table = buyer()
    table.is_open("SD")
    table.owns_trains("SD", "4", "4", "4", "4")
    table.phase_is("5")
    table.trains_are_sold("5")
    table.priority_is(BEN)
    table.operating_round_is("MS")
    table.act(ADA, BuyTrain("MS", "6-0", 600))
    assert table.asked() == BEN
    table.act(BEN, DiscardTrain("SD", "4-3"))
    assert trains_of(table.game).owned["SD"] == ("4-0", "4-1", "4-2")
    assert table.asked() == ADA


@pytest.mark.clause("1824/VII.11-u", "1824/VII.11-v")
def test_price_above_the_treasury_is_refused_to_a_company_with_a_train() -> None:
    """A company that need not buy pays from its treasury alone, from the bank and from others."""
    table = buyer("2", phase="3", treasury=179)
    (train,) = neighbour(table, BEN, "3")
    table.operating_round_is("MS")
    table.has_cash("MS", 179)
    table.has_cash(ADA, 1000)
    assert table.refusal(ADA, BuyTrain("MS", train, 180, "CL")) == ("not_enough_cash", "1824/V-b")
    assert not only(table.log, DebtChange)
