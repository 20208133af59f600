"""Absorption in 1865 (6)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.map.state import unplaced_tokens
from services.rules.parts.shares.commands import BuyCertificate, StartCompany
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.state import owned_by
from services.rules.titles.g1865.absorption.finance import means_of, total_cost
from services.rules.titles.g1865.commands import Absorb, LaunchAnew
from services.rules.titles.g1865.companies import zone_of
from services.rules.titles.g1865.state import own
from tests.positions.map import placed_tokens
from tests.positions.market import price_moves, removed_prices
from tests.positions.reading import DebtChange, moved_cash, moved_trains, only, paid, payments
from tests.positions.rounds import ended_turns
from tests.positions.shares import opened, reset
from tests.titles.g1865.absorbing import ABSORB, A, B, pair
from tests.titles.g1865.table import (
    ADA,
    BEN,
    CLEO,
    TO_CAGLIARI,
    absorbed,
    maritime_moves,
    new_rows,
    stock_table,
    traffic_changes,
    used_ports,
)


@pytest.mark.clause("1865/6-a")
@pytest.mark.clause("1865/6-b")
@pytest.mark.clause("1865/6-d")
def test_a_company_absorbs_or_is_absorbed_at_the_start_of_its_turn() -> None:
    """RCSF at turn absorbs FMS, which then does not operate; FMS at turn is absorbed instead of operating."""
    absorbing = pair()
    events = absorbing.act(ADA, ABSORB)
    assert absorbed(events) == [(B, A, 100)] and reset(events) == [(B, A)]
    assert absorbing.game.actor == A and absorbing.game.current_round.step == "lay_track"
    while absorbing.game.actor == A:
        events += tuple(
            absorbing.act(ADA, Pass() if Pass() in absorbing.offered(ADA) else absorbing.offered(ADA)[0])
        )
    assert B not in ended_turns(events)
    giving_in = pair(B, A)
    events = giving_in.act(ADA, ABSORB)
    assert absorbed(events) == [(B, A, 100)] and giving_in.game.actor == A
    assert ended_turns(events) == []


@pytest.mark.clause("1865/6-a")
@pytest.mark.clause("1865/6-b")
def test_who_is_not_at_turn_and_who_operated_in_the_round() -> None:
    """A company that operated in this round may still absorb the one at turn, but is not absorbed by it."""
    table = pair(A, B)
    table.turn_is(1)
    table.step_is("absorb")
    table.act(ADA, ABSORB)
    late = pair(A, B)
    late.turn_is(1)
    late.step_is("absorb")
    assert late.refusal(ADA, Absorb(B, A, ("F39",), ())) == ("1865.operated_this_round", "1865/6-b")
    third = pair(A, B)
    third.is_launched("FA", 60, ADA)
    third.company_turn_is("FA", A, B, step="absorb")
    assert third.refusal(ADA, ABSORB) == ("1865.absorption_not_possible", "1865/6-a")
    assert third.refusal(ADA, Absorb("FA", "FA", (), ())) == ("1865.absorption_not_possible", "1865/6-a")
    assert third.refusal(ADA, Absorb("FA", "XYZ", (), ()))[0] == "unknown_company"


@pytest.mark.clause("1865/6-a")
@pytest.mark.clause("1865/6-b")
def test_a_company_absorbs_one_other_in_its_turn() -> None:
    """It does not absorb a third one then, nor is it absorbed by that."""
    table = pair(a_treasury=1500)
    table.is_launched("SFSS", 60, ADA, shares=2, treasury=1500)
    table.token_is_removed("SFSS", "C24", 0, 0)
    table.charter_has_tokens("SFSS", 0, 0, 0)
    table.token_stands("SFSS", "F39")
    table.company_turn_is(A, B, "SFSS", step="absorb")
    pairs = {(each.company, each.target) for each in table.offered(ADA, Absorb) if isinstance(each, Absorb)}
    assert {(A, B), (A, "SFSS"), ("SFSS", A)} <= pairs
    giving_in = next(
        each for each in table.offered(ADA, Absorb) if isinstance(each, Absorb) and each.target == A
    )
    table.act(ADA, ABSORB)
    assert table.game.actor == A and table.offered(ADA, Absorb) == []
    assert table.refusal(ADA, giving_in)[0] == "wrong_step"
    table.step_is("absorb")
    assert table.refusal(ADA, giving_in) == ("1865.absorption_not_possible", "1865/6-b")


@pytest.mark.clause("1865/6-d")
def test_by_one_ruling_the_turn_of_the_absorber_is_over() -> None:
    """It does not operate after absorbing."""
    table = pair(after_absorbing="turn_over")
    assert ended_turns(table.act(ADA, ABSORB))[0] == A
    giving_in = pair(B, A, after_absorbing="turn_over")
    giving_in.act(ADA, ABSORB)
    assert giving_in.game.actor == A


@pytest.mark.clause("1865/6-c")
def test_both_need_the_same_president() -> None:
    """And nobody else commands it."""
    table = pair()
    table.directs(BEN, B)
    assert table.refusal(ADA, ABSORB) == ("1865.other_president", "1865/6-c")
    assert pair().refusal(BEN, ABSORB)[0] == "not_your_turn"


@pytest.mark.clause("1865/6.1-a")
@pytest.mark.parametrize("new", [A, B])
def test_both_must_have_operated(new: str) -> None:
    """Once at least."""
    table = stock_table()
    for company in (A, B):
        table.is_launched(company, 100, ADA, shares=2, treasury=500, operated=company != new)
    table.tiles_lie(TO_CAGLIARI)
    table.company_turn_is(A, B, step="absorb")
    assert table.refusal(ADA, ABSORB) == ("1865.not_operated_yet", "1865/6.1-a")


@pytest.mark.clause("1865/6.1-b")
def test_both_must_be_joined() -> None:
    """By a direct route between tokens, or by tokens in the same city; without either they are not."""
    table = stock_table()
    for company in (A, B):
        table.is_launched(company, 100, ADA, shares=2, treasury=500)
    table.company_turn_is(A, B, step="absorb")
    assert table.refusal(ADA, ABSORB) == ("1865.not_joined", "1865/6.1-b")
    table.token_stands(B, "F39")
    table.company_turn_is(A, B, step="absorb")
    assert Absorb(A, B, (), ()) in table.offered(ADA)


@pytest.mark.clause("1865/6.1-c")
def test_the_absorber_needs_the_means() -> None:
    """A 200, B 150, no shares in the offer, three loans: 1850 in all."""
    table = pair(a_treasury=200, b_treasury=150)
    table.gets_certificates(BEN, A, *table.game.held(A, A), source=A)
    assert means_of(table.game, table.data, A, B) == 1850
    poor = pair(a_treasury=0, price=490, b_shares=5)
    poor.gets_certificates(BEN, A, *poor.game.held(A, A), source=A)
    assert total_cost(poor.game, poor.data, B) == 5 * 490
    assert poor.refusal(ADA, ABSORB) == ("1865.without_means", "1865/6.1-c")
    assert ABSORB not in poor.offered(ADA, Absorb)


@pytest.mark.clause("1865/6.1-c")
def test_means_that_just_suffice() -> None:
    """200 in the treasury, 200 to pay; one less is too little."""
    for treasury, loans in ((200, 3), (199, 3)):
        table = pair(a_treasury=treasury)
        table.gets_certificates(BEN, A, *table.game.held(A, A), source=A)
        table.borrows(A, 500 * loans, "1865.loan")
        assert (ABSORB in table.offered(ADA, Absorb)) == (treasury == 200)


@pytest.mark.clause("1865/6.2-c")
def test_nobody_has_more_than_three_loans() -> None:
    """Two of A and two of B are too many, whatever the money."""
    table = pair()
    table.borrows(A, 1000, "1865.loan")
    table.borrows(B, 1000, "1865.loan")
    assert table.refusal(ADA, ABSORB) == ("1865.without_means", "1865/6.2-c")


@pytest.mark.clause("1865/6.2-a")
@pytest.mark.clause("1865/6.2-d")
@pytest.mark.clause("1865/6.2-f")
def test_all_shareholders_but_the_offer_are_paid() -> None:
    """B's treasury first; then players, the pool and the Dragons, the latter two to the bank. Red: no premium."""
    table = pair(a_treasury=300, b_treasury=150, price=150, b_shares=2)
    table.is_converted(B)
    table.holds(BEN, B, 1)
    table.holds(POOL, B, 1)
    table.holds(table.dragons, B, 1)
    assert zone_of(table.game, table.data, B) == "red"
    events = table.act(ADA, ABSORB)
    assert moved_cash(events)[0] == (B, A, 150)
    assert moved_cash(events, "1865.shareholder_paid") == [
        (A, ADA, 300),
        (A, BEN, 150),
        (A, BANK, 150),
        (A, BANK, 150),
    ]
    assert table.game.held(B, B) and table.shares(B, B) == 10


@pytest.mark.clause("1865/6.2-e")
@pytest.mark.parametrize(
    ("trains", "row", "price"), [(("2", "2"), "2", 180), (("2",), "2", 160), ((), "2", 150)]
)
def test_the_premium_of_the_target_s_zone(trains: tuple[str, ...], row: str, price: int) -> None:
    """B major at 150, green: 180 for each share, 360 for the president's certificate; white 160; red 150."""
    table = pair(price=150)
    table.is_converted(B)
    for number, kind in enumerate(trains):
        table.train_is_owned(f"{kind}-{number}", B)
    table.row_is(B, row)
    table.company_turn_is(A, B, step="absorb")
    events = table.act(ADA, ABSORB)
    assert absorbed(events) == [(B, A, price)]
    assert moved_cash(events, "1865.shareholder_paid") == [(A, ADA, 2 * price)]


@pytest.mark.clause("1865/6.2-b")
@pytest.mark.parametrize(("ruling", "proceeds"), [("price_stays", [120, 120]), ("price_falls", [120, 110])])
def test_then_own_shares_are_sold_from_the_offer(ruling: str, proceeds: list[int]) -> None:
    """As few as needed, at the present value, to the pool, which takes no more than half of a company."""
    table = pair(a_treasury=0, price=110, b_shares=2, shares_sold_to_absorb=ruling)
    assert means_of(table.game, table.data, A, B) == sum(proceeds) + 1500
    events = table.act(ADA, ABSORB)
    assert [each.amount for each in payments(events, "certificate_sold")] == proceeds
    assert table.shares(POOL, A) == 2 and only(events, DebtChange) == []
    assert table.price_of(A) == (120 if ruling == "price_stays" else 100)
    assert (price_moves(events) == []) == (ruling == "price_stays")


@pytest.mark.clause("1865/5-a")
@pytest.mark.clause("1865/6.2-b")
@pytest.mark.parametrize(("ruling", "order"), [("fixed", (B, A, "SFSS")), ("follows_prices", (B, "SFSS", A))])
def test_by_two_rulings_the_absorber_falls_behind_another_company(
    ruling: str, order: tuple[str, ...]
) -> None:
    """A sells two shares of its own and falls from 120 to 100; SFSS, at 110, still has its turn to come."""
    table = pair(a_treasury=0, price=110, shares_sold_to_absorb="price_falls", operating_order=ruling)
    table.is_launched("SFSS", 110, BEN)
    table.company_turn_is(B, A, "SFSS", step="absorb")
    table.act(ADA, ABSORB)
    assert table.game.current_round.order == order and table.game.actor == order[1]


@pytest.mark.clause("1865/6.2-c")
def test_then_loans_are_taken() -> None:
    """700 short: two loans, 300 left. Three are the most, with those of B."""
    table = pair(a_treasury=20, price=360, b_shares=2)
    table.gets_certificates(BEN, A, *table.game.held(A, A), source=A)
    events = table.act(ADA, ABSORB)
    assert only(events, DebtChange) == [DebtChange(A, 500, "1865.loan")] * 2
    assert paid(events, BANK, A, 500, "1865.loan_taken", A) and table.game.money(A) == 300
    indebted = pair(a_treasury=20, price=360, b_shares=2)
    indebted.gets_certificates(BEN, A, *indebted.game.held(A, A), source=A)
    indebted.borrows(B, 500, "1865.loan")
    events = indebted.act(ADA, ABSORB)
    assert indebted.game.debts == {A: 1500}
    full = pair(a_treasury=20, price=360, b_shares=2)
    full.gets_certificates(BEN, A, *full.game.held(A, A), source=A)
    full.borrows(B, 500, "1865.loan")
    full.borrows(A, 500, "1865.loan")
    assert full.refusal(ADA, ABSORB) == ("1865.without_means", "1865/6.1-c")


@pytest.mark.clause("1865/6.2-c")
def test_who_has_just_enough_borrows_nothing() -> None:
    """200 in the treasury, 200 to pay."""
    table = pair(a_treasury=200)
    events = table.act(ADA, ABSORB)
    assert only(events, DebtChange) == [] and table.game.money(A) == 0


@pytest.mark.clause("1865/6.3-a")
def test_everything_passes_to_the_absorber() -> None:
    """Traffic, trains and sea companies; trains above the limit go to the pool, the smallest first."""
    table = pair()
    table.traffic_is(A, 5)
    table.traffic_is(B, 7)
    table.owns_trains(A, "2", "2", "3")
    table.owns_trains(B, "2", "3")
    table.has_maritime(B, "M3")
    table.company_turn_is(A, B, step="absorb")
    events = table.act(ADA, ABSORB)
    assert traffic_changes(events, "absorbed") == [(B, -7, "absorbed", A), (A, 7, "absorbed", B)]
    assert (table.traffic(A), table.traffic(B)) == (12, 0)
    assert moved_trains(events, "1865.absorbed") == [("2-2", B, A), ("3-1", B, A)]
    assert moved_trains(events, "discarded") == [("2-0", A, POOL)]
    assert len(owned_by(table.game, A)) == 4 and maritime_moves(events) == [("M3", A)]


@pytest.mark.clause("1865/3-j")
@pytest.mark.parametrize(
    ("ruling", "traffic"), [("brings_traffic", [(A, 2, "port", "M1")]), ("brings_nothing", [])]
)
def test_a_port_that_an_absorption_joins(ruling: str, traffic: list[tuple[str, int, str, str]]) -> None:
    """B has the sea company of Cagliari, A the token there: it brings its traffic, or by ruling never does."""
    table = pair(port_in_absorption=ruling)
    table.has_maritime(B, "M1")
    events = table.act(ADA, ABSORB)
    assert used_ports(events) == [("M1", A)] and traffic_changes(events, "port") == traffic


@pytest.mark.clause("1865/6.3-g")
@pytest.mark.clause("1865/5.2-b")
@pytest.mark.clause("1865/4.8-g")
@pytest.mark.parametrize(
    ("phase", "ruling", "tokens"), [("2", "as_converted", 4), ("3", "as_converted", 5), ("3", "all", 7)]
)
def test_the_target_is_launched_anew_as_a_major(phase: str, ruling: str, tokens: int) -> None:
    """Its home is any city with a free slot; relaunched in phase 3 it has 3 and 2 tokens."""
    table = pair(tokens_launched_anew=ruling)
    events = table.act(ADA, ABSORB)
    assert (
        removed_prices(events) == [B] and own(table.game).absorbed == (B,) and B not in own(table.game).rows
    )
    assert companies_of(table.game)[B].shares == 10 and len(table.game.held(B, B)) == 9
    if phase != "2":
        table.phase_is(phase)
    table.has_cash(CLEO, 1500)
    table.stock_turn_is(CLEO)
    for home, reason in (
        ("C38", "1865.home_not_free"),
        ("D37", "1865.home_not_free"),
        ("C40", "1865.home_not_free"),
        ("Z99", "1865.home_not_free"),
    ):
        assert table.refusal(CLEO, LaunchAnew(B, 80, home, 0)) == (reason, "1865/6.3-g")
    assert table.refusal(CLEO, LaunchAnew("FA", 80, "F7", 0)) == ("1865.not_absorbed", "1865/6.3-g")
    assert table.refusal(CLEO, StartCompany(B, 80)) == ("1865.home_not_chosen", "1865/6.3-g")
    assert table.refusal(CLEO, LaunchAnew(B, 55, "F7", 0)) == ("price_not_offered", "1865/4.6-b")
    assert LaunchAnew(B, 80, "F7", 0) in table.offered(CLEO)
    events = table.act(CLEO, LaunchAnew(B, 80, "F7", 0))
    assert placed_tokens(events) == [(B, "F7", 0, 0, "home")] and new_rows(events) == [(B, "2")]
    assert paid(events, CLEO, B, 160, "certificate_bought", B)
    assert own(table.game).absorbed == () and own(table.game).homes == {B: ("F7", 0)}
    table.holds(CLEO, B, 3)
    table.stock_turn_is(CLEO)
    assert opened(table.act(CLEO, BuyCertificate(B, B))) == [B]
    assert len(unplaced_tokens(table.game, B)) + len(table.tokens(B)) == tokens


@pytest.mark.clause("1865/4.4-o")
@pytest.mark.clause("1865/6.3-g")
def test_a_launch_anew_is_a_purchase_like_any_other() -> None:
    """Who sold shares of the company in this round may not launch it; with the launch the turn is over."""
    table = pair()
    table.act(ADA, ABSORB)
    table.has_cash(CLEO, 1500)
    table.stock_turn_is(CLEO)
    table.has_sold(CLEO, B)
    anew = LaunchAnew(B, 80, "F7", 0)
    assert table.refusal(CLEO, anew) == ("sold_this_round", "1865/4.4-o")
    table.stock_turn_is(CLEO)
    table.act(CLEO, anew)
    assert table.director(B) == CLEO and table.asked() == ADA
