"""The regional without director and the bank pool of two players (X.4)."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.map.commands import LayTile, PlaceToken
from services.rules.parts.map.state import unplaced_tokens
from services.rules.parts.market.market import price_of
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates
from services.rules.parts.shares.shares import shares_held
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend, RunTrains
from services.rules.parts.trains.depot import next_copy
from services.rules.titles.g1824.bond import PLACE_BOND_TOKEN
from services.rules.titles.g1824.companies import is_sold_out
from services.rules.titles.g1824.figures import figures_of
from services.rules.titles.g1824.state import bond_of
from services.rules.titles.g1824.trains import export_train
from tests.positions.map import placed_tokens
from tests.positions.reading import moved_cash
from tests.positions.trains import earnings
from tests.titles.g1824.cisleithania import OPTION, allotted
from tests.titles.g1824.operating_positions import best_revenue, run
from tests.titles.g1824.table import ADA, BEN, Table, new_table


def in_stock_round(**rulings: str) -> Table:
    """A stock round of Ada, with money; MS is without director."""
    table = allotted(**rulings)
    table.pass_stock_round()
    table.has_cash(ADA, 900)
    table.has_cash(BEN, 900)
    table.stock_round_is(ADA)
    return table


def paying(price: tuple[int, int], shares: int, **rulings: str) -> Table:
    """MS has paid at the price of this cell; Ada holds so many of its shares."""
    table = allotted(**rulings)
    table.pass_stock_round()
    table.stock_round_is(ADA)
    for _ in range(shares):
        table.has_cash(ADA, 1000)
        table.act(ADA, BuyCertificate("MS", POOL))
        table.pass_on()
    table.marker_stands("MS", *price)
    table.has_cash("SD1", 0)
    table.owns_trains("SD1", "3")
    table.operating_round_is("SD1", "MS", step="buy_trains")
    table.pass_on()
    return table


@pytest.mark.clause("1824/X.4-d")
def test_it_begins_at_50_in_the_bottom_row() -> None:
    """The regional of the coal company in the first stack, in row 7, column 2."""
    for coal, regional in (("EPP", "BK"), ("EOD", "MS"), ("MLB", "CL")):
        table = allotted(coal)
        assert bond_of(table.game) == regional
        assert market_of(table.game).markers[regional] == (6, 1)
        assert price_of(table.game, table.data, regional) == 50
        assert table.director(regional) == ""


@pytest.mark.clause("1824/X.4-e")
def test_all_its_shares_are_for_sale_at_once() -> None:
    """A 10 % certificate or that of 20 %, as the buyer likes; up to all of them."""
    table = allotted()
    assert len(table.game.held(POOL, "MS")) == 9 and not table.game.held(BANK, "MS")
    table.has_cash(ADA, 1000)
    offered = table.offered(ADA, BuyCertificate)
    assert BuyCertificate("MS", POOL) in offered and BuyCertificate("MS", POOL, 0) in offered
    for number in range(9):
        table.stock_round_is(ADA)
        table.has_cash(ADA, 1000)
        table.act(ADA, BuyCertificate("MS", POOL, number))
    assert shares_held(table.game, table.data, ADA, "MS") == 10
    assert is_sold_out(table.game, table.data, "MS")


@pytest.mark.clause("1824/X.4-f")
def test_nobody_directs_it_and_it_owns_nothing() -> None:
    """Not even a player with all its shares; in its turn it only pays."""
    table = in_stock_round()
    for number in range(4):
        table.stock_round_is(ADA)
        table.act(ADA, BuyCertificate("MS", POOL, number))
    assert table.director("MS") == ""
    table.owns_trains("SD1", "3")
    table.has_cash("SD1", 0)
    table.operating_round_is("SD1", "MS", step="buy_trains")
    events = table.pass_on()
    assert moved_cash(events, "1824.bond_income")
    assert table.game.money("MS") == 0
    assert table.game.actor != "MS" and not earnings(events)


@pytest.mark.clause("1824/X.4-g")
@pytest.mark.parametrize(
    ("cell", "shares", "rounding", "amount"),
    [((6, 1), 2, "up", 10), ((5, 5), 1, "up", 11), ((5, 5), 3, "up", 32), ((5, 5), 3, "down", 31)],
)
def test_it_pays_its_price_in_every_operating_round(
    cell: tuple[int, int], shares: int, rounding: str, amount: int
) -> None:
    """The price is divided among ten shares; what a holder gets is rounded up. The marker moves as after a dividend."""
    table = paying(cell, shares, bond_income_rounding=rounding)
    assert moved_cash(table.log, "1824.bond_income") == [(BANK, ADA, amount)]
    assert market_of(table.game).markers["MS"] == (cell[0], cell[1] + 1)


@pytest.mark.clause("1824/X.4-h", "1824/X.4-b")
def test_its_shares_are_bought_and_sold_like_any() -> None:
    """Sold shares go to the pool, the marker falls; while half of it lies there none may be sold."""
    table = in_stock_round()
    for _ in range(5):
        table.stock_round_is(ADA)
        table.act(ADA, BuyCertificate("MS", POOL))
    table.stock_round_is(ADA)
    assert table.refusal(ADA, SellCertificates("MS", 1)) == ("1824.bank_limit", "1824/VI.8-b")
    table.act(ADA, BuyCertificate("MS", POOL))
    table.marker_stands("MS", 5, 4)
    table.stock_round_is(ADA)
    before = table.game.money(ADA)
    table.act(ADA, SellCertificates("MS", 1))
    assert table.game.money(ADA) == before + 90 and shares_held(table.game, table.data, POOL, "MS") == 5
    assert market_of(table.game).markers["MS"] == (6, 4)


@pytest.mark.clause("1824/X.4-i")
def test_the_20_percent_certificate_costs_twice_the_price() -> None:
    """To buy and to sell; it counts as one certificate."""
    table = in_stock_round()
    count, money = table.certificates(ADA), table.game.money(ADA)
    table.act(ADA, BuyCertificate("MS", POOL, 0))
    assert (table.certificates(ADA), table.game.money(ADA)) == (count + 1, money - 100)
    for number in range(1, 6):
        table.stock_round_is(ADA)
        table.act(ADA, BuyCertificate("MS", POOL, number))
    table.stock_round_is(ADA)
    before = table.game.money(ADA)
    assert SellCertificates("MS", 2, (0,)) in table.offered(ADA, SellCertificates)
    table.act(ADA, SellCertificates("MS", 2, (0,)))
    assert table.game.money(ADA) == before + 100 and 0 in table.game.held(POOL, "MS")


@pytest.mark.clause("1824/X.4-j")
def test_the_20_percent_certificate_is_never_split() -> None:
    """Nobody sells half of it, nor gets it for a 10 % certificate and the price of another."""
    table = in_stock_round()
    for number in (0, 1, 2, 3, 4):
        table.stock_round_is(ADA)
        table.act(ADA, BuyCertificate("MS", POOL, number))
    table.stock_round_is(ADA)
    assert table.refusal(ADA, SellCertificates("MS", 1, (0,))) == ("shares_not_owned", "1824/X.4-j")
    table.act(ADA, SellCertificates("MS", 1))
    assert sorted(table.game.held(ADA, "MS")) == [0, 1, 2, 3]


def with_open_regional(seller_shares: int, director_shares: int = 5) -> Table:
    """A stock round of Ben, who holds so many shares of BK, which Ada directs."""
    table = in_stock_round()
    table.nothing_is_kept("BK")
    table.holds(ADA, "BK", director_shares, director=True)
    table.holds(BEN, "BK", seller_shares)
    table.company_runs("BK")
    table.stock_round_is(BEN)
    return table


@pytest.mark.clause("1824/X.4-b")
def test_sold_shares_go_to_the_pool() -> None:
    """They are bought there, beside those that nobody has bought yet in the bank."""
    table = with_open_regional(2)
    table.act(BEN, SellCertificates("BK", 1))
    (number,) = table.game.held(POOL, "BK")
    assert number not in table.game.held(BANK, "BK")
    table.pass_on()
    table.act(ADA, BuyCertificate("BK", POOL))
    assert number in table.game.held(ADA, "BK") and not table.game.held(POOL, "BK")


def test_without_the_variant_there_is_no_pool() -> None:
    """Three players buy from the bank alone."""
    table = new_table(3, OPTION)
    assert table.refusal(table.asked(), BuyCertificate("SD", POOL))[0] == "certificate_not_available"


@pytest.mark.clause("1824/X.4-c")
def test_the_pool_takes_a_player_above_60_percent() -> None:
    """The bank does not."""
    table = with_open_regional(2, director_shares=6)
    table.act(BEN, SellCertificates("BK", 1))
    table.pass_on()
    assert table.refusal(ADA, BuyCertificate("BK")) == ("1824.holding_limit", "1824/VI.7-d")
    table.act(ADA, BuyCertificate("BK", POOL))
    assert shares_held(table.game, table.data, ADA, "BK") == 7


@pytest.mark.clause("1824/VII.10-g")
@pytest.mark.parametrize(
    ("ruling", "kind", "amounts"),
    [("nobody", "pay", []), ("company", "pay", [6]), ("company", "withhold", [])],
)
def test_dividends_of_the_pool_by_ruling(ruling: str, kind: str, amounts: list[int]) -> None:
    """Shares in the bank pay the bank; on another platform those of the pool pay their company, if it pays any."""
    table = in_stock_round(pool_dividends=ruling)
    table.nothing_is_kept("BK")
    table.holds(ADA, "BK", 5, director=True)
    table.holds(BEN, "BK", 2)
    table.company_runs("BK")
    table.stock_round_is(BEN)
    table.act(BEN, SellCertificates("BK", 2))
    table.tile_lies("B5", "57", 2)
    table.token_stands("BK", "B5")
    table.owns_trains("BK", "2")
    table.operating_round_is("BK", step="run_trains")
    table.act(ADA, RunTrains("BK", (run("2-0", "B5 A4"),)))
    events = table.act(ADA, DeclareDividend("BK", kind))
    assert [amount for *_, amount in moved_cash(events, "1824.pool_dividend")] == amounts


@pytest.mark.clause("1824/X.4-k")
def test_its_base_token_is_there_from_the_start() -> None:
    """By ruling it comes in its first turn."""
    assert allotted().tokens("MS") == {("C12", 0): ("MS",)}
    assert allotted(bond_home_token="first_turn").tokens("MS") == {}


def last_bought(kind: str, **rulings: str) -> Table:
    """Ben's SD1 has bought the last train of a kind."""
    table = allotted(**rulings)
    table.pass_stock_round()
    for earlier in ("2", "3", "4")[: ("4", "5").index(kind) + 2]:
        table.trains_are_sold(earlier)
    table.trains_are_sold(kind, leave=1)
    table.has_cash("SD1", 1000)
    table.operating_round_is("SD1", step="buy_trains")
    train = next_copy(table.game, table.data, kind)
    table.act(BEN, BuyTrain("SD1", train, {"4": 280, "5": 400}[kind]))
    return table


def asks_for_token(table: Table) -> bool:
    """Whether Ben is asked where the token of MS goes."""
    return any((each.kind, each.player) == (PLACE_BOND_TOKEN, BEN) for each in table.game.interrupts)


@pytest.mark.clause("1824/X.4-l")
def test_the_last_4_train_brings_a_token_anywhere() -> None:
    """Its buyer's director may place it, free of charge, connected or not, but not in a full city or a second time in a hex."""
    table = last_bought("4")
    assert table.asked() == BEN
    assert table.refusal(ADA, PlaceToken("MS", "B5", 0))[0] in ("not_your_turn", "interrupt_first")
    assert table.refusal(BEN, PlaceToken("MS", "C12", 0))[0] == "token_twice"
    assert table.refusal(BEN, PlaceToken("MS", "B9", 0)) == ("1824.token_reserved", "1824/VII.8-g")
    assert PlaceToken("MS", "H3", 0) in table.offered(BEN, PlaceToken)
    money = table.game.money("SD1")
    events = table.act(BEN, PlaceToken("MS", "H3", 0))
    assert [reason for *_, reason in placed_tokens(events)] == ["1824.granted"]
    assert table.game.money("SD1") == money and table.tokens("MS").keys() == {("C12", 0), ("H3", 0)}
    assert unplaced_tokens(table.game, "MS") == (0,)


@pytest.mark.clause("1824/X.4-l")
@pytest.mark.parametrize("ruling", ["may_pass", "always"])
def test_he_may_also_leave_it(ruling: str) -> None:
    """But not on another platform; the last 5-train brings no second chance."""
    table = last_bought("4", bond_tokens_placed=ruling)
    if ruling == "always":
        assert table.refusal(BEN, Pass()) == ("may_not_pass", "1824/X.4-l")
        return
    table.act(BEN, Pass())
    table.trains_are_sold("5", leave=1)
    table.has_cash("SD1", 1000)
    train = next_copy(table.game, table.data, "5")
    table.act(BEN, BuyTrain("SD1", train, 400))
    assert not asks_for_token(table)


@pytest.mark.clause("1824/X.4-m")
@pytest.mark.parametrize("last_5_exported", [False, True])
def test_when_the_last_4_train_is_exported(last_5_exported: bool) -> None:
    """The last 5-train brings the token instead; when that is exported too, nothing does."""
    table = allotted()
    table.pass_stock_round()
    for kind in ("2", "3"):
        table.trains_are_sold(kind)
    table.trains_are_sold("4", leave=1)
    draft = table.draft()
    export_train(draft, table.data)
    table.take(draft)
    table.trains_are_sold("5", leave=1)
    table.has_cash("SD1", 1000)
    table.operating_round_is("SD1", step="buy_trains")
    if last_5_exported:
        draft = table.draft()
        export_train(draft, table.data)
        table.take(draft)
        table.act(BEN, BuyTrain("SD1", "6-0", 600))
        assert not asks_for_token(table)
    else:
        table.act(BEN, BuyTrain("SD1", next_copy(table.game, table.data, "5"), 400))
        assert asks_for_token(table)


@pytest.mark.clause("1824/X.4-n")
def test_a_token_in_wien_when_it_turns_brown() -> None:
    """At once, where the director of the company that laid the tile wants it; it cannot be left."""
    table = allotted()
    table.pass_stock_round()
    table.home_tokens_stand(*(each for each in ("SD1", "KK1") if not table.tokens(each)))
    table.tile_lies("E12", "499", 0)
    table.tile_lies("E12", "491", 0)
    table.phase_is("5")
    table.operating_round_is("SD1", step="lay_track")
    lay = next(
        each
        for each in table.offered(BEN, LayTile)
        if isinstance(each, LayTile) and (each.hex, each.tile) == ("E12", "493")
    )
    table.act(BEN, lay)
    assert table.asked() == BEN
    assert table.refusal(BEN, Pass()) == ("may_not_pass", "1824/X.4-n")
    assert table.refusal(BEN, PlaceToken("MS", "H3", 0)) == ("token_choice", "1824/X.4-n")
    table.act(BEN, table.offered(BEN, PlaceToken)[0])
    assert {hex_id for hex_id, _ in table.tokens("MS")} == {"C12", "E12"}


# Prag, Brünn, a town, Krakau and the town in D25, east of the grey track in B17.
FROM_PRAG_TO_D25 = (
    ("B9", "57", 1),
    ("B11", "8", 5),
    ("C12", "6", 2),
    ("C14", "9", 1),
    ("C16", "58", 1),
    ("B19", "9", 1),
    ("B21", "9", 1),
    ("B23", "6", 5),
    ("C24", "9", 2),
    ("D25", "4", 2),
)
HOPS = ("B9 B11 C12", "C12 C14 C16", "C16 B17 B19 B21 B23", "B23 C24 D25")


def before_its_run(table: Table) -> Table:
    """MS, directed by Ada, has a 5-train and the line from Prag to D25, which yields 80."""
    table.tiles_lie(FROM_PRAG_TO_D25)
    table.nothing_is_kept("MS")
    table.holds(ADA, "MS", 5, director=True)
    table.company_runs("MS")
    table.token_stands("MS", "C12")
    table.owns_trains("MS", "5")
    table.operating_round_is("MS", step="run_trains")
    return table


def with_price(table: Table) -> Table:
    """MS has started."""
    table.leave_initial_round()
    table.price_is("MS", 80)
    return table


@pytest.mark.clause("1824/X.4-o")
def test_the_bukowina_bonus() -> None:
    """50 for a run to Wien or Prag and one of D25, E24 and E26: with two players, by ruling with three, not in the base game.
    The best runs are those with it."""
    always = new_table(3, OPTION, bukowina_bonus="always")
    for table, bonus in (
        (allotted("EPP"), 50),
        (with_price(new_table(3, OPTION)), 0),
        (with_price(always), 50),
    ):
        before_its_run(table)
        assert best_revenue(table, "MS") == (80 + bonus, 0)
        events = table.act(ADA, RunTrains("MS", (run("5-0", *HOPS),)))
        assert [each.revenue for each in earnings(events)] == [80 + bonus]
    assert figures_of(new_table(3).data).run_bonus is None


@pytest.mark.clause("1824/X.4-o")
@pytest.mark.parametrize(("hops", "revenue"), [(HOPS[:3], 70), (HOPS[1:], 60)])
def test_no_bonus_for_half_the_way(hops: tuple[str, ...], revenue: int) -> None:
    """Neither to Prag alone nor to D25 alone."""
    free = before_its_run(allotted("EPP", best_run="free"))
    events = free.act(ADA, RunTrains("MS", (run("5-0", *hops),)))
    assert [each.revenue for each in earnings(events)] == [revenue]
