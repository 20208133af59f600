"""Order and number of operating rounds, and the order within a company's turn of 1824 (VII.1, VII.4, VII.5)."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.commands import LayTile, PlaceToken
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend, RunTrains
from services.rules.parts.trains.state import trains_of
from tests.positions.map import charters, placed_tokens
from tests.positions.reading import moved_cash
from tests.positions.rounds import (
    before_steps,
    before_turns,
    begun_steps,
    ended_turns,
    new_orders,
    round_orders,
    rounds,
)
from tests.positions.shares import operated
from tests.titles.g1824.operating_positions import buyer, major, neighbour, pilsen_table, run
from tests.titles.g1824.table import ADA, BEN, CLEO, DORA, Table, clear_table, new_table, owned_table

ALL_MINORS = ("EPP", "EOD", "MLB", "SPB", "SD1", "SD2", "SD3", "UG1", "UG2", "KK1", "KK2")


def count_after_stock_round(table: Table) -> int:
    """How many operating rounds follow when everybody passes in a stock round."""
    table.stock_round_is()
    _, _, _, count = rounds(table.pass_stock_round())[0]
    return count


def order_after_stock_round(table: Table) -> tuple[str, ...]:
    """The order of the operating round that follows when everybody passes in a stock round."""
    table.stock_round_is()
    return round_orders(table.pass_stock_round())[0]


def rounds_of_set(table: Table) -> list[tuple[str, int, int]]:
    """(kind, number, count) of the rounds from the end of a stock round to the next stock round."""
    table.stock_round_is(turn=2)
    table.pass_stock_round()
    while table.game.current_round.kind == "operating":
        table.carry_on()
        if table.game.current_round.kind == "operating":
            table.pass_on()
    started = rounds(table.log)
    last = max(place for place, began in enumerate(started) if began[:2] == ("stock", 2))
    return [(kind, number, count) for kind, _, number, count in started[last + 1 :]]


@pytest.mark.clause("1824/VII.1-a")
def test_directors_and_owners_decide_for_their_companies() -> None:
    """Each company of the round is led by its owner or director; to all others the turn is closed."""
    table = owned_table({"EPP": BEN, "SD2": CLEO})
    major(table, "MS", DORA)
    table.token_stands("MS", "C12")
    table.operating_round_is("EPP", "SD2", "MS", step="lay_track")
    for company, player in (("EPP", BEN), ("SD2", CLEO), ("MS", DORA)):
        assert (table.game.actor, table.asked()) == (company, player)
        assert table.refusal(ADA, Pass()) == ("not_your_turn", "")
        table.has_cash(company, 500)
        while table.game.actor == company:
            if table.game.current_round.step == "buy_trains":
                table.act(player, BuyTrain(company, *cheapest(table, player)))
            if table.game.actor == company:
                table.pass_on()


def cheapest(table: Table, player: str) -> tuple[str, int]:
    """Train and price of the cheapest purchase the player is offered."""
    offers = [command for command in table.offered(player) if isinstance(command, BuyTrain)]
    best = min(offers, key=lambda offer: offer.price)
    return best.train, best.price


@pytest.mark.clause("1824/VII.1-b", "1824/VII.14-b")
def test_one_operating_round_before_the_first_3_train() -> None:
    """In the yellow phase each stock round is followed by one operating round."""
    assert rounds_of_set(clear_table()) == [("operating", 1, 1), ("stock", 1, 1)]


@pytest.mark.clause("1824/VII.1-c", "1824/VII.14-d")
@pytest.mark.parametrize("phase", ["3", "4"])
def test_two_operating_rounds_from_the_first_3_train(phase: str) -> None:
    """From the first 3-train on two operating rounds follow a stock round."""
    table = clear_table()
    table.phase_is(phase)
    assert rounds_of_set(table) == [("operating", 1, 2), ("operating", 2, 2), ("stock", 1, 1)]


@pytest.mark.clause("1824/VII.1-d", "1824/VII.14-k")
@pytest.mark.parametrize(("phase", "count"), [("5", 2), ("6", 3), ("8", 3), ("10", 3)])
def test_three_operating_rounds_from_the_first_6_train(phase: str, count: int) -> None:
    """Ruling operating_rounds_in_phase_5 = two: three rounds only from the first 6-train on."""
    table = clear_table()
    table.phase_is(phase)
    assert count_after_stock_round(table) == count


@pytest.mark.parametrize(("phase", "count"), [("4", 2), ("5", 3), ("6", 3)])
def test_three_operating_rounds_from_the_first_5_train_under_that_ruling(phase: str, count: int) -> None:
    """Ruling operating_rounds_in_phase_5 = three: three rounds from the first 5-train on."""
    table = clear_table(operating_rounds_in_phase_5="three")
    table.phase_is(phase)
    assert count_after_stock_round(table) == count


@pytest.mark.clause("1824/VII.1-e")
def test_train_bought_within_a_set_does_not_lengthen_it() -> None:
    """The first 3-train bought in a single round: the next round is a stock round, and the set after it has two."""
    table = pilsen_table("2", treasury=400)
    table.trains_are_sold("2")
    table.operating_round_is("MS")
    table.act(ADA, BuyTrain("MS", "3-0", 180))
    events = table.pass_on()
    assert [kind for kind, *_ in rounds(events)] == ["stock"]
    table.pass_stock_round()
    assert (table.game.current_round.kind, table.game.current_round.count) == ("operating", 2)


@pytest.mark.clause("1824/VII.4-a")
def test_mountain_companies_pay_before_any_company_acts() -> None:
    """Owners get 25 for each mountain company right at the start of the round, before the first company's turn."""
    table = owned_table({"B1": BEN, "B2": BEN, "B3": CLEO, "EPP": ADA})
    table.stock_round_is()
    events = table.pass_stock_round()
    income = [(BANK, BEN, 25), (BANK, BEN, 25), (BANK, CLEO, 25)]
    assert moved_cash(events, "company_income") == moved_cash(before_turns(events)) == income


@pytest.mark.clause("1824/VII.4-b", "1824/VII.4-c")
def test_coal_companies_then_pre_states_in_printed_order() -> None:
    """Coal companies 1 to 4, then SD1 to SD3, UG1, UG2, KK1, KK2, by any owner and in whatever order they were bought."""
    table = new_table()
    owners = (ADA, BEN, CLEO, DORA)
    for at, symbol in enumerate(reversed(ALL_MINORS)):
        table.owns_private(owners[at % 4], symbol)
    table.leave_initial_round()
    assert table.game.current_round.order == ALL_MINORS


def majors_table(*cells: tuple[str, int, int]) -> Table:
    """These regionals of the first player are open with their markers put on these cells (row, column) in turn."""
    table = clear_table()
    for company, row, column in cells:
        major(table, company, ADA, shares=2)
        table.marker_stands(company, row, column)
    return table


@pytest.mark.clause("1824/VII.4-d")
def test_majors_by_falling_price_after_the_minors() -> None:
    """Prices 130, 90 and 60 act in this order, after the coal companies; a major that is not open does not act."""
    table = owned_table({"EOD": BEN})
    for company, row in (("BH", 4), ("CL", 0), ("BK", 1)):
        major(table, company, ADA, shares=2)
        table.marker_stands(company, row, 3 if company == "CL" else 0)
    table.price_is("SB", 100)
    assert [table.price_of(symbol) for symbol in ("CL", "BK", "BH")] == [130, 90, 60]
    assert order_after_stock_round(table) == ("EOD", "CL", "BK", "BH")


@pytest.mark.clause("1824/VII.4-e")
def test_upper_marker_of_a_cell_acts_first() -> None:
    """Of three markers in one cell the one that came there first lies on top."""
    table = majors_table(("SB", 2, 4), ("BH", 2, 4), ("CL", 2, 4))
    assert order_after_stock_round(table) == ("SB", "BH", "CL")


@pytest.mark.clause("1824/VII.4-f")
def test_marker_farther_right_acts_first() -> None:
    """At 100 in the columns 1, 3 and 5 the marker of column 5 acts first, that of column 1 last."""
    table = majors_table(("CL", 0, 0), ("SB", 4, 4), ("BH", 2, 2))
    assert {table.price_of(symbol) for symbol in ("CL", "SB", "BH")} == {100}
    assert order_after_stock_round(table) == ("SB", "BH", "CL")


@pytest.mark.clause("1824/VII.4-d")
def test_order_follows_an_emergency_sale() -> None:
    """A sale during the round lowers a price: a company that has not acted yet falls back behind a dearer one."""
    table = majors_table(("MS", 0, 4), ("CL", 2, 4), ("BK", 3, 5))
    table.has_cash(ADA, 0)
    table.holds(ADA, "CL", 4)
    table.marker_stands("CL", 3, 6)
    table.marker_stands("BK", 2, 5)
    assert (table.price_of("CL"), table.price_of("BK")) == (140, 135)
    table.operating_round_is("MS", "CL", "BK")
    events = table.act(ADA, SellCertificates("CL", 1))
    assert table.price_of("CL") == 130
    assert new_orders(events) == [("MS", "BK", "CL")]


@pytest.mark.clause("1824/VII.5-a", "1824/VII.8-a")
def test_a_company_acts_step_by_step() -> None:
    """Base token, track, token, run, revenue, trains: each step comes in this order and none before its time."""
    table = clear_table()
    major(table, "MS", ADA, treasury=500)
    table.tiles_lie((("C14", "9", 1), ("C16", "4", 1)))
    table.owns_trains("MS", "2")
    table.operating_round_is("BK", "MS", step="lay_track")
    table.directs(ADA, "BK")
    table.has_passed_step("buy_trains")
    table.step_is("buy_trains")
    events = table.carry_on()
    assert (operated(events), ended_turns(events)) == (["BK"], ["BK"])
    begun = before_steps(events)
    assert [company for company, *_ in placed_tokens(begun)] == ["MS"]
    assert charters(begun) == [("MS", (40, 100))]
    assert begun_steps(events) == ["lay_track"]
    assert table.game.current_round.step == "lay_track"
    assert table.refusal(ADA, PlaceToken("MS", "C12", 0)) == ("wrong_step", "")
    table.act(ADA, LayTile("MS", "C12", "57", 1))
    steps = [table.game.current_round.step]
    table.act(ADA, RunTrains("MS", (run("2-0", "C12 C14 C16"),)))
    steps.append(table.game.current_round.step)
    table.act(ADA, DeclareDividend("MS", "withhold"))
    steps.append(table.game.current_round.step)
    assert steps == ["run_trains", "declare_dividend", "buy_trains"]
    assert table.refusal(ADA, LayTile("MS", "C14", "9", 1)) == ("wrong_step", "")


@pytest.mark.clause("1824/VII.5-a")
def test_token_comes_between_track_and_run() -> None:
    """A company that can reach a free city is asked for a token after its track and before its run."""
    table = clear_table()
    major(table, "MS", ADA, treasury=500)
    table.tiles_lie((("B9", "14", 1), ("C10", "58", 2), ("C12", "57", 1)))
    table.token_stands("MS", "B9")
    table.owns_trains("MS", "2")
    table.operating_round_is("MS", step="lay_track")
    table.pass_on()
    assert table.game.current_round.step == "place_token"
    assert table.refusal(ADA, RunTrains("MS", (run("2-0", "B9 C10"),))) == ("wrong_step", "")
    table.act(ADA, PlaceToken("MS", "C12", 0))
    assert table.game.current_round.step == "run_trains"
    assert table.refusal(ADA, PlaceToken("MS", "C12", 0)) == ("wrong_step", "")


@pytest.mark.clause("1824/VII.5-b")
def test_track_token_and_trains_are_optional() -> None:
    """Track and token may be passed over, and so may the train by a company that has one."""
    table = pilsen_table("2", treasury=500)
    table.operating_round_is("MS", step="lay_track")
    assert Pass() in table.offered(ADA)
    table.pass_on()
    table.act(ADA, RunTrains("MS", (run("2-0", "B5 A4"),)))
    table.act(ADA, DeclareDividend("MS", "pay"))
    assert table.game.current_round.step == "buy_trains"
    assert Pass() in table.offered(ADA)
    table.pass_on()
    assert trains_of(table.game).owned["MS"] == ("2-0",)


@pytest.mark.clause("1824/VII.5-c")
def test_one_track_action_a_turn() -> None:
    """After a yellow tile no upgrade may follow in the same turn, nor a second yellow tile after an upgrade."""
    for first, second in (
        (LayTile("MS", "B7", "9", 1), LayTile("MS", "B5", "14", 1)),
        (LayTile("MS", "B5", "14", 1), LayTile("MS", "B7", "9", 1)),
    ):
        table = clear_table()
        major(table, "MS", ADA, treasury=500)
        table.tiles_lie((("B5", "57", 1),))
        table.token_stands("MS", "B5")
        table.phase_is("3")
        table.owns_trains("MS", "3")
        table.operating_round_is("MS", step="lay_track")
        assert {first, second} <= set(table.offered(ADA))
        table.act(ADA, first)
        assert table.refusal(ADA, second)[0] in ("wrong_step", "tile_already_laid")
        assert not table.offered(ADA, LayTile)


@pytest.mark.clause("1824/VII.5-c", "1824/VII.6-b")
def test_printed_wien_and_budapest_are_upgraded_by_their_yellow_tile() -> None:
    """The yellow tile of Budapest is a track action too: after it nothing else can be laid."""
    table = owned_table({"UG1": ADA})
    table.has_cash("UG1", 100)
    table.operating_round_is("UG1", step="lay_track")
    lays = [command for command in table.offered(ADA, LayTile) if isinstance(command, LayTile)]
    budapest = [lay for lay in lays if lay.hex == "F17"]
    assert {lay.tile for lay in budapest} == {"498"}
    table.act(ADA, budapest[0])
    assert not table.offered(ADA, LayTile)


@pytest.mark.clause("1824/VII.5-d")
def test_round_ends_after_every_company_has_acted() -> None:
    """With two rounds in the set the second one follows the first, and a stock round follows the second."""
    table = clear_table()
    table.phase_is("3")
    for company, city in (("MS", "C12"), ("CL", "B23")):
        major(table, company, ADA, shares=2)
        table.token_stands(company, city)
        table.owns_trains(company, "3")
    table.operating_round_is("MS", "CL", number=1, count=2)
    table.carry_on()
    seen = []
    while table.game.current_round.kind == "operating":
        seen.append((table.game.current_round.number, table.game.actor))
        table.pass_on()
    assert seen == [(1, "CL"), (2, "MS"), (2, "CL")]


def coal_company_that_cannot_pay(**rulings: str) -> Table:
    """EPP with its train and 100 G: too little for any goods train, enough for a 2-train that it may not own."""
    table = owned_table({"EPP": ADA}, 4, **rulings)
    table.phase_is("2")
    table.owns_trains("EPP", "1g")
    table.owns_trains("", "2")
    table.has_cash("EPP", 100)
    table.operating_round_is("EPP", step="lay_track")
    return table


@pytest.mark.clause("1824/VII.5-b", "1824/VII.11-p")
def test_nobody_is_asked_in_vain_about_trains_at_the_limit() -> None:
    """Ruling idle_turns = asked: a coal company with two trains has no room for another, whatever it could pay."""
    table = coal_company_that_cannot_pay(idle_turns="asked")
    table.owns_trains("EPP", "1g")
    table.has_cash("EPP", 1000)
    assert "buy_trains" not in begun_steps(table.pass_on())


@pytest.mark.clause("1824/VII.5-b", "1824/VII.11-t")
@pytest.mark.parametrize("others_have_trains", [False, True])
def test_who_has_1_gulden_is_asked_in_vain_where_others_have_trains(others_have_trains: bool) -> None:
    """Ruling idle_turns = asked: after the first 3-train a train of another company may cost as little."""
    table = buyer("2", treasury=1, phase="3", idle_turns="asked")
    table.trains_are_sold("3", leave=1)
    if others_have_trains:
        neighbour(table, BEN, "2")
    table.operating_round_is("MS", step="place_token")
    asked = table.pass_on()
    assert ("buy_trains" in begun_steps(asked)) is others_have_trains


def test_idle_turns_are_skipped() -> None:
    """Ruling idle_turns = skipped: a company that cannot pay any train it may own is not asked about trains."""
    table = coal_company_that_cannot_pay()
    events = table.pass_on()
    assert "buy_trains" not in begun_steps(events)
    assert "EPP" in ended_turns(events)


def test_idle_turns_are_asked_under_that_ruling() -> None:
    """Ruling idle_turns = asked: the same company is asked and can only pass."""
    table = coal_company_that_cannot_pay(idle_turns="asked")
    table.pass_on()
    assert (table.game.actor, table.game.current_round.step) == ("EPP", "buy_trains")
    assert table.offered(ADA) == [Pass()]
