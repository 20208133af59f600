"""What the first train of each kind sets off in 1824, and the export of trains (VII.14, VII.15)."""

from __future__ import annotations

import pytest

from services.rules.kernel.events import Event
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.commands import LayTile
from services.rules.parts.map.data import map_data
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.data import train_kinds_of
from services.rules.parts.trains.state import phase_of, trains_of
from services.rules.titles.g1824.commands import DiscardTrain, ExchangeCompany
from tests.positions.reading import moved_cash, moved_trains, payments
from tests.positions.rounds import rounds, within_round
from tests.positions.shares import opened
from tests.positions.trains import phases
from tests.titles.g1824.operating_positions import major, train_commands
from tests.titles.g1824.table import ADA, BEN, CLEO, Table, clear_table, owned_table

NORMAL = ("2", "3", "4", "5", "6", "8", "10")


def first_of(kind: str, *others: str, **rulings: str) -> Table:
    """MS can buy the first train of this kind now; CL of the second player has other trains."""
    table = clear_table(4, **rulings)
    major(table, "MS", ADA, treasury=4000)
    major(table, "CL", BEN, shares=2)
    table.token_stands("MS", "C12")
    table.owns_trains("CL", *others)
    before = NORMAL[NORMAL.index(kind) - 1]
    table.phase_is(before)
    table.trains_are_sold(before)
    table.operating_round_is("MS")
    return table


def buy_first(table: Table, kind: str) -> tuple[Event, ...]:
    """MS buys the first train of this kind."""
    return table.act(ADA, BuyTrain("MS", f"{kind}-0", train_kinds_of(table.data)[kind].price))


def end_of_set(table: Table, *, number: int = 1, count: int = 1) -> tuple[Event, ...]:
    """What follows when the last company of an operating round has finished its turn."""
    table.operating_round_is("BH", number=number, count=count)
    table.has_passed_step("buy_trains")
    return table.carry_on()


@pytest.mark.clause("1824/VII.14-a")
@pytest.mark.parametrize("kind", NORMAL[1:])
def test_first_train_of_a_type_starts_its_phase(kind: str) -> None:
    """The first train bought starts the phase; the second one starts nothing."""
    table = first_of(kind)
    assert phases(buy_first(table, kind)) == [kind]
    second = BuyTrain("MS", f"{kind}-1", train_kinds_of(table.data)[kind].price)
    assert phases(table.act(ADA, second)) == []


@pytest.mark.clause("1824/VII.14-b")
def test_the_game_starts_with_yellow_tiles_and_2_trains() -> None:
    """At the first operating round only yellow tiles can be laid, only 2-trains bought, and the set has one round."""
    table = owned_table({"UG1": ADA})
    table.has_cash("UG1", 500)
    lays = [lay for lay in table.offered(ADA, LayTile) if isinstance(lay, LayTile)]
    assert {map_data(table.data).tiles[lay.tile].face.colour for lay in lays} == {"yellow"}
    assert table.game.current_round.count == 1
    table.operating_round_is("UG1")
    assert {offer.train for offer in train_commands(table, ADA)} == {"2-0"}


@pytest.mark.clause("1824/VII.14-f", "1824/VII.11-a")
def test_first_4_train_removes_2_trains() -> None:
    """All 2-trains go without compensation, 3-trains stay, and the 3g-train comes on sale."""
    table = first_of("4", "2", "2", "3", "1g")
    events = buy_first(table, "4")
    assert moved_trains(events, "rusted") == [("2-0", "CL", ""), ("2-1", "CL", "")]
    assert moved_cash(events) == [("MS", BANK, 280)]
    assert trains_of(table.game).owned["CL"] == ("3-0", "1g-0")
    assert "3g-0" in {offer.train for offer in train_commands(table, ADA)}


@pytest.mark.clause("1824/VII.14-f", "1824/VII.11-h")
def test_first_3g_train_removes_1g_trains_in_play_and_in_the_bank() -> None:
    """Not the 4-train but the first 3g-train bought takes the 1g-trains out, also those nobody bought."""
    table = first_of("4", "1g", "2g")
    buy_first(table, "4")
    assert set(trains_of(table.game).owned["CL"]) == {"1g-0", "2g-0"}
    events = buy_first(table, "3g")
    assert moved_trains(events, "rusted") == [("1g-0", "CL", "")]
    assert len(moved_trains(events, "removed")) == 5
    assert trains_of(table.game).owned["CL"] == ("2g-0",)
    assert not {offer.train for offer in train_commands(table, ADA) if offer.train.startswith("1g")}


@pytest.mark.clause("1824/VII.14-g")
def test_first_4_train_closes_the_mountain_companies() -> None:
    """The owner must hand the mountain company in at once, before play goes on; it pays no more."""
    table = owned_table({"B1": BEN})
    major(table, "MS", ADA, treasury=4000)
    table.token_stands("MS", "C12")
    table.phase_is("3")
    table.trains_are_sold("3")
    table.operating_round_is("MS")
    buy_first(table, "4")
    assert table.asked() == BEN
    assert table.refusal(ADA, BuyTrain("MS", "4-1", 280)) == ("interrupt_first", "")
    table.act(BEN, ExchangeCompany("B1", "BH"))
    assert companies_of(table.game)["B1"].closed
    assert table.shares(BEN, "BH") == 1
    table.pass_on()
    assert table.game.current_round.kind == "stock"
    assert not moved_cash(table.pass_stock_round(), "company_income")


@pytest.mark.clause("1824/VII.14-g", "1824/VII.14-i", "1824/VII.14-k")
@pytest.mark.parametrize(
    ("kind", "state", "pre_state"), [("4", "SD", "SD1"), ("5", "UG", "UG1"), ("6", "KK", "KK1")]
)
def test_states_are_founded_at_the_end_of_the_operating_round(kind: str, state: str, pre_state: str) -> None:
    """SD with the 4-train, UG with the 5-train, KK with the 6-train: not at the purchase, but when that round ends."""
    table = owned_table({pre_state: BEN})
    major(table, "MS", ADA, treasury=4000)
    table.token_stands("MS", "C12")
    before = NORMAL[NORMAL.index(kind) - 1]
    table.phase_is(before)
    table.trains_are_sold(before)
    table.operating_round_is("MS", number=1, count=2)
    buy_first(table, kind)
    assert not companies_of(table.game)[state].opened
    assert not companies_of(table.game)[pre_state].closed
    events = table.pass_on()
    assert state in opened(within_round(events))
    assert companies_of(table.game)[pre_state].closed


@pytest.mark.clause("1824/VII.14-i")
def test_first_5_train_closes_the_coal_companies() -> None:
    """Every coal company is exchanged at once; the train removes no train."""
    table = owned_table({"EPP": BEN})
    major(table, "MS", ADA, treasury=4000)
    table.token_stands("MS", "C12")
    table.owns_trains("EPP", "1g")
    table.phase_is("4")
    table.trains_are_sold("4")
    table.operating_round_is("MS")
    events = buy_first(table, "5")
    assert companies_of(table.game)["EPP"].closed
    assert table.director("BK") == BEN
    assert moved_trains(events, "transferred") == [("1g-0", "EPP", "BK")]
    assert moved_trains(events, "rusted") == []


@pytest.mark.clause("1824/VII.14-j", "1824/VII.11-b", "1824/VII.11-i")
def test_first_6_train_removes_3_trains_and_first_4g_train_the_old_goods_trains() -> None:
    """3-trains go with the 6-train; 2g-trains, and 1g-trains still in play, with the first 4g-train."""
    table = first_of("6", "3", "4")
    table.owns_trains("CL", "1g")
    table.owns_trains("BH", "2g", "3g")
    table.is_open("BH")
    table.directs(CLEO, "BH")
    events = buy_first(table, "6")
    assert moved_trains(events, "rusted") == [("3-0", "CL", "")]
    assert trains_of(table.game).owned["CL"] == ("4-0", "1g-0")
    events = buy_first(table, "4g")
    assert set(moved_trains(events, "rusted")) == {("1g-0", "CL", ""), ("2g-0", "BH", "")}
    assert trains_of(table.game).owned["BH"] == ("3g-0",)


@pytest.mark.clause("1824/VII.14-l", "1824/VII.11-x")
def test_first_6_train_lowers_the_limits() -> None:
    """A regional with three and a state with four trains that stay have to give up one each."""
    table = first_of("6", "4", "5", "5")
    table.is_open("SD")
    table.directs(CLEO, "SD")
    table.owns_trains("SD", "1g", "1g", "2g", "2g")
    buy_first(table, "6")
    asked = [(interrupt.player, interrupt.company) for interrupt in table.game.interrupts]
    assert asked == [(BEN, "CL"), (CLEO, "SD")]
    table.act(BEN, DiscardTrain("CL", "4-0"))
    table.act(CLEO, DiscardTrain("SD", "1g-0"))
    assert (len(trains_of(table.game).owned["CL"]), len(trains_of(table.game).owned["SD"])) == (2, 3)
    assert table.game.interrupts == ()


@pytest.mark.clause("1824/VII.14-m", "1824/VII.11-c", "1824/VII.11-j")
def test_first_8_train_removes_4_trains_and_first_5g_train_3g_trains() -> None:
    """4-trains go with the 8-train; with the first 5g-train all 3g-trains and older goods trains go."""
    table = first_of("8", "4", "5")
    table.is_open("BH")
    table.directs(CLEO, "BH")
    table.owns_trains("BH", "3g", "4g")
    events = buy_first(table, "8")
    assert moved_trains(events, "rusted") == [("4-0", "CL", "")]
    events = buy_first(table, "5g")
    assert moved_trains(events, "rusted") == [("3g-0", "BH", "")]
    assert trains_of(table.game).owned["BH"] == ("4g-0",)


@pytest.mark.clause("1824/VII.14-n", "1824/VII.11-d")
def test_first_10_train_removes_5_trains() -> None:
    """5-trains go, 6-trains and 8-trains stay for good."""
    table = first_of("10", "5", "6")
    table.owns_trains("MS", "8")
    events = buy_first(table, "10")
    assert moved_trains(events, "rusted") == [("5-0", "CL", "")]
    assert trains_of(table.game).owned["CL"] == ("6-0",)


@pytest.mark.clause("1824/VII.14-o", "1824/VII.11-h", "1824/VII.11-i", "1824/VII.11-j")
@pytest.mark.parametrize("old", ["1g", "2g", "3g"])
def test_first_10_train_removes_the_old_goods_trains(old: str) -> None:
    """Ruling goods_trains_at_first_10 = removed: 1g-, 2g- and 3g-trains go, 4g- and 5g-trains stay."""
    table = first_of("10", old, "4g")
    buy_first(table, "10")
    assert trains_of(table.game).owned["CL"] == ("4g-0",)
    on_sale = {offer.train.partition("-")[0] for offer in train_commands(table, ADA)}
    assert on_sale == {"10", "4g", "5g"}


@pytest.mark.parametrize("old", ["1g", "2g", "3g"])
def test_old_goods_trains_stay_under_that_ruling(old: str) -> None:
    """Ruling goods_trains_at_first_10 = kept: the first 10-train leaves goods trains alone."""
    table = first_of("10", old, "4g", goods_trains_at_first_10="kept")
    buy_first(table, "10")
    assert trains_of(table.game).owned["CL"] == (f"{old}-0", "4g-0")


@pytest.mark.clause("1824/VII.11-e", "1824/VII.11-f", "1824/VII.11-g", "1824/VII.11-k", "1824/VII.11-l")
def test_trains_that_never_become_obsolete() -> None:
    """Through all first purchases 6-, 8-, 10-, 4g- and 5g-trains stay; 10-trains never run out."""
    table = first_of("10", "6", "4g")
    table.is_open("BH")
    table.directs(CLEO, "BH")
    table.owns_trains("BH", "8", "5g")
    eight = trains_of(table.game).owned["BH"][0]
    buy_first(table, "10")
    assert trains_of(table.game).owned["CL"] == ("6-0", "4g-0")
    assert trains_of(table.game).owned["BH"] == (eight, "5g-0")
    table.owns_trains("", *["10"] * 30)
    table.act(ADA, BuyTrain("MS", "10-31", 1000))


@pytest.mark.clause("1824/VII.14-e")
def test_first_3_train_opens_the_exchanges() -> None:
    """In phase 2 neither coal nor mountain companies can be exchanged, in phase 3 both."""
    table = owned_table({"EPP": ADA, "B1": ADA})
    table.price_is("BH", 60)
    exchanges = {ExchangeCompany("EPP", "BK"), ExchangeCompany("B1", "BH")}
    table.phase_is("2")
    table.stock_round_is()
    assert not exchanges & set(table.offered(ADA))
    refused = table.refusal(ADA, ExchangeCompany("EPP", "BK"))
    assert refused == ("1824.exchange_not_possible", "1824/VII.14-e")
    table.phase_is("3")
    table.stock_round_is()
    assert exchanges <= set(table.offered(ADA))


@pytest.mark.clause("1824/VII.15-a", "1824/VII.14-c")
def test_no_export_before_the_first_2_train_is_bought() -> None:
    """Ruling export_needs_first_2_train = yes: nothing goes abroad while no company has bought a 2-train."""
    table = clear_table()
    assert moved_trains(end_of_set(table), "1824.exported") == []
    table.owns_trains("", "2")
    assert moved_trains(end_of_set(table), "1824.exported") == [("2-1", BANK, "")]
    assert moved_trains(end_of_set(table), "1824.exported") == [("2-2", BANK, "")]


def test_export_from_the_start_under_that_ruling() -> None:
    """Ruling export_needs_first_2_train = no: the first 2-train goes abroad even if nobody bought one."""
    table = clear_table(export_needs_first_2_train="no")
    gone = trains_of(table.game).depot_gone["2"]
    assert "2" not in trains_of(table.game).depot_sold
    assert moved_trains(end_of_set(table), "1824.exported") == [(f"2-{gone}", BANK, "")]


@pytest.mark.clause("1824/VII.15-a")
def test_export_comes_at_the_end_of_the_set_only() -> None:
    """In a set of two rounds one train goes, after the second round."""
    table = clear_table()
    table.phase_is("3")
    table.owns_trains("", "3")
    first = end_of_set(table, number=1, count=2)
    assert moved_trains(within_round(first), "1824.exported") == []
    second = end_of_set(table, number=2, count=2)
    assert len(moved_trains(within_round(second), "1824.exported")) == 1


@pytest.mark.clause("1824/VII.15-b", "1824/VII.14-a")
def test_exported_train_of_a_new_type_starts_its_phase() -> None:
    """With all 2-trains gone the first 3-train goes abroad: phase 3 begins, with two rounds in the next set."""
    table = clear_table()
    table.phase_is("2")
    table.trains_are_sold("2")
    events = end_of_set(table)
    assert moved_trains(events, "1824.exported") == [("3-0", BANK, "")]
    assert phases(events) == ["3"]
    assert all("3-0" not in trains for trains in trains_of(table.game).owned.values())
    table.pass_stock_round()
    assert phase_of(table.game) in ("3", "4")
    assert 2 in [count for *_, count in rounds(table.log)]


@pytest.mark.clause("1824/VII.15-b", "1824/VII.14-g")
def test_exported_4_train_removes_2_trains_and_founds_sd() -> None:
    """The export of the first 4-train does all that its purchase would, and SD forms at the end of the same round."""
    table = owned_table({"SD1": BEN})
    table.owns_trains("SD1", "2")
    table.phase_is("3")
    table.trains_are_sold("3")
    events = end_of_set(table)
    assert moved_trains(events, "1824.exported")[0] == ("4-0", BANK, "")
    assert moved_trains(events, "rusted") == [("2-0", "SD1", "")]
    assert "SD" in opened(events)


@pytest.mark.clause("1824/VII.15-b", "1824/VII.11-x")
def test_a_company_gives_up_one_train_after_an_exported_4_train() -> None:
    """MS owns four trains and may own three from then on: Ada is asked once, and the stock round follows."""
    table = clear_table()
    major(table, "MS", ADA, shares=2)
    table.owns_trains("MS", "2g", "2g", "2g", "2g")
    table.phase_is("3")
    table.trains_are_sold("3")
    end_of_set(table)
    assert [each.company for each in table.game.interrupts] == ["MS"]
    table.act(ADA, DiscardTrain("MS", "2g-0"))
    assert len(trains_of(table.game).owned["MS"]) == 3 and table.game.current_round.kind == "stock"


@pytest.mark.clause("1824/VII.15-c")
def test_goods_trains_are_never_exported() -> None:
    """With four kinds of goods trains on sale it is the next normal train that goes."""
    table = clear_table()
    table.phase_is("6")
    table.trains_are_sold("6")
    events = end_of_set(table)
    assert moved_trains(events, "1824.exported")[0] == ("8-0", BANK, "")


@pytest.mark.clause("1824/VII.15-d")
def test_export_moves_no_money() -> None:
    """Nobody pays and nobody gets anything for an exported train."""
    table = clear_table()
    table.owns_trains("", "2")
    events = end_of_set(table)
    assert moved_trains(within_round(events), "1824.exported")
    assert payments(within_round(events)) == []
