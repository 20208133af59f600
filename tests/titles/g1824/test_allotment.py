"""Two players share out stacks of private companies before their first stock round (X.3-a, X.5)."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import CreateGame, Pass
from services.rules.kernel.decide import Accepted, create
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.market.market import price_of
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1824.commands import BuyCompany
from services.rules.titles.g1824.companies import MOUNTAIN, in_play, of_kind
from services.rules.titles.g1824.state import State
from services.rules.titles.g1824.title import TITLE
from tests.positions.reading import payments
from tests.titles.g1824.cisleithania import OPTION, allotted, table_of_two
from tests.titles.g1824.table import ADA, BEN, PLAYERS, Table

SMALL, COALS = {"SD2", "SD3", "KK2"}, {"EPP", "EOD", "MLB"}


def offered(table: Table) -> set[str]:
    """The companies that the player asked may take."""
    commands = table.offered(table.asked(), BuyCompany)
    return {command.company for command in commands if isinstance(command, BuyCompany)}


@pytest.mark.clause("1824/X.3-a")
def test_four_stacks_of_two() -> None:
    """One small pre-state and one coal company are drawn; each of the nine pairs comes up. The others follow from it."""
    drawn = set()
    for seed in range(60):
        outcome = create(TITLE, CreateGame("1824", PLAYERS[:2], (OPTION,), seed=seed))
        assert isinstance(outcome, Accepted)
        first, *others = [set(stack.companies) for stack in State.of(outcome.game).stacks]
        assert len(first & SMALL) == len(first & COALS) == 1
        assert others == [{"SD1", "KK1"}, SMALL - first, COALS - first]
        drawn.add(frozenset(first))
    assert len(drawn) == 9


def test_the_stacks_follow_from_the_seed_as_on_another_platform() -> None:
    """The seeds of two of its games, with the companies that were drawn there."""
    for seed, expected in ((781740745, ("EOD", "SD2")), (911864202, ("MLB", "SD3"))):
        outcome = create(TITLE, CreateGame("1824", PLAYERS[:2], (OPTION,), seed=seed))
        assert isinstance(outcome, Accepted)
        assert State.of(outcome.game).stacks[0].companies == expected


@pytest.mark.clause("1824/X.5-a")
def test_the_starting_player_takes_first() -> None:
    """Any company of any stack; the other player gets the rest of that stack."""
    table = table_of_two()
    assert table.asked() == ADA and offered(table) == {"SD1", "SD2", "SD3", "KK1", "KK2", *COALS}
    table.act(ADA, BuyCompany("KK1", 240))
    assert table.asked() == BEN and offered(table) == {"SD1"}
    assert table.refusal(BEN, BuyCompany("EPP", 120)) == ("1824.stack_order", "1824/X.5-a")
    table.act(BEN, BuyCompany("SD1", 240))


def test_a_company_that_does_not_exist_is_not_in_the_wrong_stack() -> None:
    """It is called unknown."""
    assert table_of_two().refusal(ADA, BuyCompany("XX", 120)) == ("unknown_company", "")


@pytest.mark.clause("1824/X.5-b")
def test_the_second_player_takes_from_two_stacks() -> None:
    """And the starting player gets the other company of each."""
    table = table_of_two()
    table.act(ADA, BuyCompany("KK1", 240))
    table.act(BEN, BuyCompany("SD1", 240))
    assert table.asked() == BEN and not {"KK1", "SD1"} & offered(table)
    table.act(BEN, BuyCompany("SD2", 120))
    assert table.asked() == ADA and offered(table) == {"EOD"}
    table.act(ADA, BuyCompany("EOD", 120))
    assert table.asked() == BEN and offered(table) == {"SD3", "KK2", "EPP", "MLB"}
    table.act(BEN, BuyCompany("EPP", 120))
    assert table.asked() == ADA and offered(table) == {"MLB"}


@pytest.mark.clause("1824/X.5-c")
def test_the_starting_player_takes_from_the_last_stack() -> None:
    """Then each has four companies."""
    table = table_of_two()
    for player, company, price in (
        (ADA, "KK1", 240),
        (BEN, "SD1", 240),
        (BEN, "SD2", 120),
        (ADA, "EOD", 120),
        (BEN, "EPP", 120),
        (ADA, "MLB", 120),
    ):
        table.act(player, BuyCompany(company, price))
    assert table.asked() == ADA and offered(table) == {"SD3", "KK2"}
    table.act(ADA, BuyCompany("KK2", 120))
    table.act(BEN, BuyCompany("SD3", 120))
    assert [table.certificates(player) for player in (ADA, BEN)] == [4, 4]


@pytest.mark.clause("1824/X.5-a")
def test_another_platform_lets_the_second_player_begin() -> None:
    """By ruling the seats change places for the stacks, not for the mountain companies."""
    table = table_of_two(allotment_begins="second_player")
    seats = table.game.current_round.order
    assert seats == (BEN, ADA, ADA, BEN, ADA, BEN, BEN, ADA, ADA, BEN)


@pytest.mark.clause("1824/X.5-d")
def test_all_companies_are_paid_for() -> None:
    """At their prices, a construction company at 120, which may be all that a player has."""
    table = table_of_two()
    assert table.refusal(ADA, BuyCompany("EOD", 160)) == ("price_not_offered", "1824/X.5-d")
    table.has_cash(ADA, 119)
    assert table.refusal(ADA, BuyCompany("EOD", 120)) == ("not_enough_cash", "1824/X.5-d")
    table.has_cash(ADA, 120)
    table.act(ADA, BuyCompany("EOD", 120))
    table = allotted()
    assert table.game.money(ADA) == 830 - 120 - 240 - 120 - 160 - 120
    assert table.game.money(BEN) == 830 - 120 - 240 - 120 - 120 - 120
    assert [each.target for each in payments(table.log, "company_bought")] == [BANK] * 10


@pytest.mark.clause("1824/X.5-e")
def test_a_coal_company_sets_the_price_of_its_regional() -> None:
    """Twice the regional's price, from which the coal company buys a 1g-train at once; in the first stack the price is
    fixed."""
    table = allotted()
    assert (price_of(table.game, table.data, "BK"), price_of(table.game, table.data, "CL")) == (80, 60)
    assert trains_of(table.game).owned["EPP"] == ("1g-0",) and table.game.money("EPP") == 40
    assert trains_of(table.game).owned["MLB"] == ("1g-1",) and table.game.money("MLB") == 0
    assert price_of(table.game, table.data, "MS") == 50 and not trains_of(table.game).owned.get("EOD")


@pytest.mark.clause("1824/X.5-f")
def test_nobody_passes_in_the_allotment() -> None:
    """Neither who chooses nor who gets the rest."""
    table = table_of_two(mountain_company_in_allotment="optional")
    assert table.refusal(ADA, Pass()) == ("may_not_pass", "1824/X.5-f")
    table.act(ADA, BuyCompany("KK1", 240))
    assert table.refusal(BEN, Pass()) == ("may_not_pass", "1824/X.5-f")


@pytest.mark.clause("1824/X.5-g")
def test_each_buys_a_mountain_company() -> None:
    """Whichever is left; nobody may pass."""
    table = allotted()
    assert [table.director(company) for company in ("B1", "B2")] == [ADA, BEN]
    assert [each.amount for each in payments(table.log) if each.subject == "B1"] == [120]


def after_the_stacks(**rulings: str) -> Table:
    """Each player has four companies, whichever; next may be the mountain companies."""
    table = table_of_two(**rulings)
    while not offered(table) <= {"B1", "B2"}:
        table.act(table.asked(), next(iter(table.offered(table.asked(), BuyCompany))))
    return table


@pytest.mark.clause("1824/X.5-g")
def test_nobody_leaves_a_mountain_company() -> None:
    """Each has to take one right after the stacks, and nothing else."""
    table = after_the_stacks()
    table.has_cash(ADA, 500)
    assert table.refusal(ADA, Pass()) == ("may_not_pass", "1824/X.5-g")
    assert {type(each) for each in table.offered(ADA)} == {BuyCompany}


@pytest.mark.clause("1824/X.5-g")
def test_a_mountain_company_may_be_left_by_ruling() -> None:
    """The stock round goes on after the stacks and ends when both have passed; what is unsold leaves the game then."""
    table = after_the_stacks(mountain_company_in_allotment="optional")
    assert table.game.current_round.kind == "1824.initial_stock" and table.asked() == ADA
    table.pass_on()
    table.act(BEN, BuyCompany("B2", 120))
    assert [each for each in of_kind(table.data, MOUNTAIN) if in_play(table.game, each)] == ["B1", "B2"]
    table.pass_on()
    table.pass_on()
    assert table.game.current_round.kind == "operating"
    assert [each for each in of_kind(table.data, MOUNTAIN) if in_play(table.game, each)] == ["B2"]


@pytest.mark.clause("1824/X.5-g")
def test_a_mountain_company_may_be_bought_in_any_turn_by_ruling() -> None:
    """Instead of a share or after one; each player has no more than one."""
    table = after_the_stacks(mountain_company_in_allotment="optional")
    for player in (ADA, BEN):
        table.has_cash(player, 1000)
    table.act(ADA, BuyCertificate("BK"))
    table.act(BEN, BuyCompany("B2", 120))
    table.act(ADA, BuyCompany("B1", 120))
    table.act(BEN, BuyCertificate("BK"))
    assert [table.director(company) for company in ("B1", "B2")] == [ADA, BEN]
    table = after_the_stacks(mountain_company_in_allotment="optional")
    table.has_cash(ADA, 1000)
    table.act(ADA, BuyCompany("B1", 120))
    table.act(BEN, Pass())
    assert table.refusal(ADA, BuyCompany("B2", 120)) == ("company_not_offered", "1824/X.5-g")


@pytest.mark.clause("1824/X.5-h")
def test_the_stock_round_goes_on_without_sales() -> None:
    """Shares may be bought, the starting player first, and not sold."""
    table = allotted()
    assert table.game.current_round.kind == "1824.initial_stock" and table.asked() == ADA
    table.has_cash(ADA, 500)
    table.act(ADA, BuyCertificate("BK"))
    table.act(BEN, BuyCertificate("CL"))
    assert table.refusal(ADA, SellCertificates("BK", 1)) == ("sales_forbidden", "1824/VI.3-d")
