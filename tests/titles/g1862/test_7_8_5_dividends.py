"""Dividends of 1862, the share price after them, and the George Hudson manoeuvre (7.8.5, 7.8.6)."""

import pytest
from msgspec.structs import replace

from services.rules.kernel.events import Event
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import DeclareDividend
from services.rules.parts.trains.state import Run, train_turn, trains_of
from services.rules.titles.g1862.operating.dividends import spaces_right
from services.rules.titles.g1862.state import ServiceKind
from tests.positions.market import price_moves
from tests.positions.trains import dividends
from tests.titles.g1862.table import ADA, BEN, CLEO, Table, new_table

RICHARD, LUCY = ADA, BEN


def earned(
    revenue: int, subsidy: int = 0, *options: str, price: int = 82, cash: int = 0, **rulings: str
) -> Table:
    """L&E at this price has just run for so much; its last local run brought the subsidy."""
    table = new_table(4, *options, offer=("L&E",), by=rulings)
    table.is_founded("L&E", price, RICHARD, shares=5, chartered=False, treasury=cash)
    kind: ServiceKind = "local" if subsidy else "express"
    (train,) = table.owns_trains("L&E", "A", runs_as=kind)
    run = Run(train, ("C6.0", "C4.0"), (), ("C6", "C4"), revenue, subsidy)
    table.operating_round_is("L&E", step="run_trains")
    table.has_run("L&E", revenue, subsidy, run)
    table.step_is("declare_dividend")
    return table


def declare(table: Table, kind: str) -> tuple[Event, ...]:
    """Ada declares for L&E."""
    return table.act(RICHARD, DeclareDividend("L&E", kind))


@pytest.mark.clause("1862/7.8.5-c", "1862/7.8.5-a")
def test_who_is_paid() -> None:
    """At 19 a share Richard's 50 % bring 95, Lucy's 20 % 38, the company's own 20 % 38 and the pool's 10 % nothing."""
    table = earned(190)
    table.holds(LUCY, "L&E", 2)
    table.holds("pool", "L&E", 1)
    before = {holder: table.game.money(holder) for holder in (RICHARD, LUCY, CLEO, "bank")}
    assert dividends(declare(table, "pay")) == [("L&E", "pay", 190, 19, 9)]
    after = {holder: table.game.money(holder) - before[holder] for holder in before}
    assert after == {RICHARD: 95, LUCY: 38, CLEO: 0, "bank": -(95 + 38 + 38)}
    assert table.game.money("L&E") == 38


@pytest.mark.clause("1862/7.8.5-c")
def test_unsold_shares_of_a_chartered_company_pay_nobody() -> None:
    """What the bank still has of a chartered company brings its treasury nothing."""
    table = new_table(4, offer=("L&E",))
    table.is_founded("L&E", 82, ADA, shares=5, chartered=True)
    table.operating_round_is("L&E", step="run_trains")
    table.has_run("L&E", 100)
    table.step_is("declare_dividend")
    table.owns_trains("L&E", "A")
    declare(table, "pay")
    assert table.game.money("L&E") == 0


@pytest.mark.clause("1862/7.8.5-a", "1862/7.8.5-b")
def test_withheld_revenue_and_the_subsidy_go_to_the_treasury() -> None:
    """Withheld 190 and a subsidy of 40 make 230; paid out, the subsidy is kept all the same."""
    table = earned(190, 40)
    events = declare(table, "withhold")
    assert table.game.money("L&E") == 230
    assert len(price_moves(events, "withheld")) == len(price_moves(events)) == 1
    table = earned(190, 40)
    declare(table, "pay")
    assert table.game.money("L&E") == 40 + 5 * 19


@pytest.mark.clause("1862/7.8.5-a")
def test_no_other_way_of_paying() -> None:
    """A director cannot split the revenue, and nobody declares for another company."""
    table = earned(190)
    assert table.refusal(ADA, DeclareDividend("L&E", "half")) == ("dividend_kind", "1862/7.8.5-a")
    assert table.refusal(ADA, DeclareDividend("SVR", "pay"))[0] == "not_your_turn"
    assert table.refusal(BEN, DeclareDividend("L&E", "pay"))[0] == "not_your_turn"


@pytest.mark.clause("1862/7.8.5-d")
def test_without_dividend_the_price_moves_left() -> None:
    """One space left is two prices down: from 82 to 74."""
    table = earned(190)
    declare(table, "withhold")
    assert table.price_of("L&E") == 74


@pytest.mark.clause("1862/7.8.5-d", "1862/7.8-d")
def test_a_company_that_earns_nothing_falls_without_being_asked() -> None:
    """Revenue 0 is withheld automatically."""
    table = earned(0)
    table.step_is("run_trains")
    table.carry_on()
    assert table.price_of("L&E") == 74
    assert table.game.current_round.step != "declare_dividend"


@pytest.mark.clause("1862/7.8.5-e", "1862/7.8.5-f")
@pytest.mark.parametrize(
    ("revenue", "spaces", "price"),
    [(80, 0, 82), (90, 1, 90), (160, 1, 90), (170, 2, 100), (250, 3, 110), (330, 4, 122), (900, 4, 122)],
)
def test_how_far_a_dividend_lifts_the_price(revenue: int, spaces: int, price: int) -> None:
    """From 82: below 82 nothing, from 82 one space, from 164 two, from 246 three, from 328 four and never more."""
    table = earned(revenue)
    assert spaces_right(table.data, 82, revenue) == spaces
    declare(table, "pay")
    assert table.price_of("L&E") == price


@pytest.mark.clause("1862/7.8.5-f")
@pytest.mark.parametrize(("dividend", "spaces"), [(81, 0), (82, 1), (163, 1), (164, 2), (246, 3), (328, 4)])
def test_the_limits_of_each_space(dividend: int, spaces: int) -> None:
    """At a price of 82 the dividends from which another space is gained."""
    assert spaces_right(earned(dividend).data, 82, dividend) == spaces


@pytest.mark.clause("1862/7.8.5-g")
@pytest.mark.parametrize(("ruling", "order"), [("goes_under", ("SVR", "L&E")), ("stays", ("L&E", "SVR"))])
def test_a_marker_goes_to_the_bottom_of_its_own_space(ruling: str, order: tuple[str, ...]) -> None:
    """A dividend below the price puts the marker under the other one on its space, or leaves it where it lies."""
    table = earned(50, unmoved_marker=ruling)
    table.is_founded("SVR", 82, BEN)
    cell = market_of(table.game).markers["L&E"]
    assert market_of(table.game).cells[cell] == ("L&E", "SVR")
    declare(table, "pay")
    assert market_of(table.game).cells[cell] == order


@pytest.mark.clause("1862/7.8.5-g")
def test_a_marker_that_moves_goes_under_the_others() -> None:
    """At 90 SVR lies already; L&E arrives under it."""
    table = earned(90)
    table.is_founded("SVR", 90, BEN)
    declare(table, "pay")
    assert market_of(table.game).cells[market_of(table.game).markers["SVR"]] == ("SVR", "L&E")


@pytest.mark.clause("1862/7.12-b")
def test_a_price_that_falls_to_nothing_bankrupts() -> None:
    """From 7 the next space left is bankruptcy."""
    table = earned(10, price=7)
    declare(table, "withhold")
    assert "L&E" not in market_of(table.game).markers
    assert not companies_of(table.game)["L&E"].opened


@pytest.mark.clause("1862/7.8.6-b", "1862/7.8.6-d", "1862/7.8.2-e")
def test_the_manoeuvre_raises_the_dividend_to_the_price() -> None:
    """Price 82, revenue 60: 30 are added, 90 paid, 9 a share, and the price moves one space right."""
    table = earned(60, 20, cash=100)
    before = table.game.money(RICHARD)
    assert dividends(declare(table, "1862.hudson")) == [("L&E", "1862.hudson", 90, 9, 10)]
    assert table.game.money(RICHARD) - before == 45
    assert table.game.money("L&E") == 100 + 20 - 30 + 45
    assert table.price_of("L&E") == 90


@pytest.mark.clause("1862/7.8.6-c")
def test_what_is_added_comes_from_treasury_and_subsidy() -> None:
    """30 are needed: a treasury of 10 and a subsidy of 20 do, one of 9 or less does not."""
    declare(earned(60, 20, cash=10), "1862.hudson")
    assert earned(60, 20, cash=9).refusal(ADA, DeclareDividend("L&E", "1862.hudson")) == (
        "1862.hudson_not_possible",
        "1862/7.8.6-c",
    )


@pytest.mark.clause("1862/7.8.6-a")
def test_the_manoeuvre_needs_local_trains_and_a_dividend_below_the_price() -> None:
    """Rejected without a local train's income, and where the revenue reaches the price anyway."""
    hudson = DeclareDividend("L&E", "1862.hudson")
    assert earned(60, cash=100).refusal(ADA, hudson) == ("1862.hudson_not_possible", "1862/7.8.6-a")
    assert earned(90, 20, cash=100).refusal(ADA, hudson) == ("1862.hudson_not_possible", "1862/7.8.6-a")
    assert earned(90, 20, price=90, cash=100).refusal(ADA, hudson) == (
        "1862.hudson_not_possible",
        "1862/7.8.6-a",
    )
    assert hudson not in earned(60, cash=100).offered(ADA)
    assert hudson in earned(60, 20, cash=100).offered(ADA)


@pytest.mark.clause("1862/7.8.6-a")
def test_the_subsidy_is_income_from_local_trains() -> None:
    """A local whose stations others count already brings its subsidy of 20, which is enough."""
    table = earned(0, 20, cash=100)
    (express,) = table.owns_trains("L&E", "A")
    local = trains_of(table.game).last_runs["L&E"][0]
    other = Run(express, ("C6.0", "C4.0"), (), ("C6", "C4"), 60, 0)
    table.has_run("L&E", 60, 20, other, local)
    assert dividends(declare(table, "1862.hudson")) == [("L&E", "1862.hudson", 90, 9, 10)]


@pytest.mark.clause("1862/7.8.6-a")
def test_any_trains_do_under_the_other_ruling() -> None:
    """There more than 10 of whatever trains are enough, and 10 are not."""
    hudson = DeclareDividend("L&E", "1862.hudson")
    earned(20, cash=100, hudson_income="any_trains").act(ADA, hudson)
    refused = earned(10, 20, cash=100, hudson_income="any_trains").refusal(ADA, hudson)
    assert refused == ("1862.hudson_not_possible", "1862/7.8.6-a")


@pytest.mark.clause("1862/11.3-d")
def test_beginners_have_no_manoeuvre() -> None:
    """It is refused in the beginners' game."""
    table = earned(60, 0, "simple_express", "beginners", cash=100)
    replace(train_turn(table.game), treasury_income=20).note_turn(table.game)
    assert table.refusal(ADA, DeclareDividend("L&E", "1862.hudson")) == (
        "1862.variant_forbids",
        "1862/11.3-d",
    )
