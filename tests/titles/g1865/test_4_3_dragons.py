"""The Dragons of 1865: what they sell and buy (4.3)."""

import pytest

from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.titles.g1865.companies import zone_of
from tests.positions.market import price_moves
from tests.positions.reading import CertificateMove, only, paid, payments
from tests.positions.shares import new_directors
from tests.titles.g1865.table import (
    ADA,
    BEN,
    CLEO,
    Table,
    dragon_candidates,
    dragon_choices,
    dragon_turns,
    stock_table,
)


def _with(zones: dict[str, str], **prices: int) -> Table:
    """Companies in these zones on the row of phase 2, at 80 or the price named."""
    table = stock_table()
    trains = {"red": (), "white": ("2",), "green": ("2", "2")}
    for place, (company, zone) in enumerate(zones.items()):
        table.is_launched(company, prices.get(company, 80), (ADA, BEN, CLEO)[place % 3], shares=2)
        for number, kind in enumerate(trains[zone]):
            table.train_is_owned(f"{kind}-{number}{place}", company)
        assert zone_of(table.game, table.data, company) == zone
    return table


def _dragons_hold(table: Table, company: str, shares: int) -> None:
    table.holds(table.dragons, company, shares)


@pytest.mark.clause("1865/4.3-a")
@pytest.mark.clause("1865/4.3-b")
def test_they_sell_what_is_red_and_then_buy_one_green_certificate() -> None:
    """All shares of the red company go to the pool for nothing that anybody sees; then one purchase."""
    table = _with({"FMS": "red", "FA": "green"})
    _dragons_hold(table, "FMS", 2)
    events = table.dragons_take_turn()
    assert only(events, CertificateMove) == [
        CertificateMove("FMS", (1, 2), table.dragons, POOL, "sold", 2),
        CertificateMove("FA", (1,), "FA", table.dragons, "bought", 1),
    ]
    assert [(each.company, each.price) for each in price_moves(events, "sale")] == [("FMS", 60)]
    assert payments(events) == payments(events, "certificate_bought") and dragon_turns(events) == ["acted"]


@pytest.mark.clause("1865/4.3-b")
def test_they_do_not_sell_what_has_not_operated() -> None:
    """As nobody does."""
    table = stock_table()
    table.is_launched("FMS", 80, ADA, shares=2, operated=False)
    _dragons_hold(table, "FMS", 1)
    assert only(table.dragons_take_turn(), CertificateMove) == []


@pytest.mark.clause("1865/4.3-c")
@pytest.mark.parametrize(("in_pool", "held", "sold"), [(5, 2, 0), (4, 2, 1), (3, 2, 2), (0, 3, 3)])
def test_the_bank_pool_takes_no_more_of_a_major_than_half(in_pool: int, held: int, sold: int) -> None:
    """50 % in the pool: they sell nothing; 40 %: one of two 10 % shares."""
    table = _with({"FMS": "red"})
    table.is_converted("FMS")
    table.holds(POOL, "FMS", in_pool)
    _dragons_hold(table, "FMS", held)
    moved = only(table.dragons_take_turn(), CertificateMove)
    assert sum(each.shares for each in moved) == sold
    assert table.shares(POOL, "FMS") == in_pool + sold


@pytest.mark.clause("1865/4.3-c")
def test_40_percent_of_a_minor_is_all_the_pool_takes() -> None:
    """Two 20 % shares; a third would be 60 %."""
    table = _with({"FMS": "red"})
    table.holds(POOL, "FMS", 1)
    _dragons_hold(table, "FMS", 2)
    table.dragons_take_turn()
    assert (table.shares(POOL, "FMS"), table.shares(table.dragons, "FMS")) == (2, 1)


@pytest.mark.clause("1865/4.3-d")
@pytest.mark.parametrize(
    ("phase", "limit"), [("2", 6), ("3", 10), ("4", 10), ("5", 16), ("6", 16), ("7", 16)]
)
def test_they_stop_at_their_certificate_limit(phase: str, limit: int) -> None:
    """6 in phase 2, 10 in phases 3 and 4, 16 from phase 5 on."""
    table = _with({"FMS": "white", "FA": "white", "CFC": "white", "CFD": "white", "FCS": "green"})
    if phase != "2":
        table.phase_is(phase)
    others = ("FMS", "FA", "CFC", "CFD")
    for company in others:
        table.is_converted(company)
    shares = [min(4, limit - 1 - 4 * place) for place in range(len(others))]
    for company, held in zip(others, shares, strict=True):
        if held > 0:
            _dragons_hold(table, company, held)
    assert dragon_choices(table.dragons_take_turn()) == [("FCS", "FCS")]
    assert dragon_turns(table.dragons_take_turn()) == ["passed"]


@pytest.mark.clause("1865/4.3-e")
def test_they_buy_what_they_have_least_of() -> None:
    """A, B, C are green, of which they have 2, 1 and 3 certificates: they buy B."""
    table = _with({"FMS": "green", "FA": "green", "CFC": "green"})
    table.phase_is("3")
    for company, shares in (("FMS", 2), ("FA", 1), ("CFC", 3)):
        table.is_converted(company)
        _dragons_hold(table, company, shares)
    events = table.dragons_take_turn()
    assert dragon_choices(events) == [("FA", "FA")]
    (candidates,) = dragon_candidates(events)
    assert {each.company: each.held for each in candidates} == {"FMS": 2, "FA": 1, "CFC": 3}


@pytest.mark.clause("1865/4.3-f")
def test_then_the_highest_rank_decides() -> None:
    """Of equal holdings the company with more trains, though it is dearer."""
    table = _with({"FMS": "green", "FA": "green"}, FA=100)
    table.train_is_owned("2-9", "FA")
    assert dragon_choices(table.dragons_take_turn()) == [("FA", "FA")]


@pytest.mark.clause("1865/4.3-g")
def test_then_the_lowest_price_decides() -> None:
    """Of equal ranks the cheaper one."""
    table = _with({"FMS": "green", "FA": "green"}, FMS=90, FA=70)
    assert dragon_choices(table.dragons_take_turn()) == [("FA", "FA")]


@pytest.mark.clause("1865/4.3-h")
def test_then_the_topmost_marker_decides() -> None:
    """At the same value the one that was there first lies on top."""
    for first, second in (("FMS", "FA"), ("FA", "FMS")):
        table = _with({first: "green", second: "green"})
        assert dragon_choices(table.dragons_take_turn()) == [(first, first)]


@pytest.mark.clause("1865/4.3-i")
def test_they_prefer_the_offer_to_the_pool() -> None:
    """From the offer while there is something in it; its company is paid. Then from the pool, for nobody's money."""
    table = _with({"FMS": "green"})
    table.holds(POOL, "FMS", 2)
    events = table.dragons_take_turn()
    assert dragon_choices(events) == [("FMS", "FMS")] and paid(
        events, BANK, "FMS", 80, "certificate_bought", "FMS"
    )
    events = table.dragons_take_turn()
    assert dragon_choices(events) == [("FMS", POOL)] and payments(events) == []


@pytest.mark.clause("1865/4.3-j")
def test_they_pass_when_there_is_nothing_to_buy() -> None:
    """No company is green, or nothing of it is left."""
    assert dragon_turns(_with({"FMS": "white"}).dragons_take_turn()) == ["passed"]
    table = _with({"FMS": "green"})
    table.holds(BEN, "FMS", 3)
    assert dragon_turns(table.dragons_take_turn()) == ["passed"]


@pytest.mark.clause("1865/4.3-k")
def test_they_never_become_president() -> None:
    """With more shares than any player they direct nothing, and never take the president's certificate."""
    table = _with({"FMS": "green"})
    table.is_converted("FMS")
    for _ in range(6):
        assert new_directors(table.dragons_take_turn()) == []
    assert table.shares(table.dragons, "FMS") == 5 and table.director("FMS") == ADA
    unlaunched = stock_table()
    assert dragon_choices(unlaunched.dragons_take_turn()) == []


@pytest.mark.clause("1865/4.3-l")
@pytest.mark.parametrize(("major", "most"), [(False, 2), (True, 5)])
def test_they_never_have_more_than_half_of_a_company(major: bool, most: int) -> None:
    """Two certificates of a minor, five of a major."""
    table = _with({"FMS": "green"})
    if major:
        table.is_converted("FMS")
    for _ in range(7):
        table.dragons_take_turn()
    assert table.shares(table.dragons, "FMS") == most


@pytest.mark.clause("1865/4.3-m")
def test_white_companies_are_neither_bought_nor_sold() -> None:
    """What they have of a white company they keep."""
    table = _with({"FMS": "white"})
    _dragons_hold(table, "FMS", 1)
    assert only(table.dragons_take_turn(), CertificateMove) == []


@pytest.mark.clause("1865/4.3-n")
def test_their_money_is_the_bank_s() -> None:
    """What they pay for the offer leaves the bank; an empty bank does not stop them."""
    table = _with({"FMS": "green"})
    table.bank_has(0)
    events = table.dragons_take_turn()
    assert paid(events, BANK, "FMS", 80, "certificate_bought", "FMS") and table.game.money(BANK) == -80
    assert table.game.money(table.dragons) == 0
