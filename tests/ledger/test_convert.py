"""The wire's events become the ledger's facts, and what cannot become one is named."""

from __future__ import annotations

import pytest
from google.protobuf import any_pb2

from services.common.eventlog.schema_versions import schema_version_of
from services.gen.signalbox.events.v1 import events_pb2 as ev
from services.ledger.convert import fact_of
from services.ledger.domain import facts as f
from services.ledger.domain.errors import MalformedFactError, UnknownFactError

from .wire import event

CONVERTED = [
    (
        event(1, game_created=ev.GameCreated(players=["ann", "bob"], bank_cash=12000)),
        f.GameCreated(1, ("ann", "bob"), 12000),
    ),
    (
        event(
            2,
            cash_moved=ev.CashMoved(
                source="bank", target="BH", amount=9, reason="1824.mine_income", subject="EPP"
            ),
        ),
        f.CashMoved(2, "bank", "BH", 9, "1824.mine_income", "EPP"),
    ),
    (
        event(
            3,
            certificates_moved=ev.CertificatesMoved(
                company="BH",
                numbers=[0, 3],
                source="bank",
                target="ann",
                shares=3,
                reason="director_swap",
            ),
        ),
        f.CertificatesMoved(3, "BH", 3, "bank", "ann", "director_swap"),
    ),
    (
        event(4, company_bought=ev.CompanyBought(company="EPP", owner="ann", price=160)),
        f.CompanyBought(4, "EPP", "ann", 160),
    ),
    (event(5, company_closed=ev.CompanyClosed(company="EPP")), f.CompanyClosed(5, "EPP")),
    (event(6, price_started=ev.PriceStarted(company="BH", price=100, row=1)), f.PriceSet(6, "BH", 100)),
    (event(7, price_moved=ev.PriceMoved(company="BH", price=110, row=1)), f.PriceSet(7, "BH", 110)),
    (event(7, par_set=ev.ParSet(company="BH", price=74)), f.InitialPriceSet(7, "BH", 74)),
    (event(7, price_removed=ev.PriceRemoved(company="BH")), f.PriceSet(7, "BH", 0)),
    (event(7, company_reset=ev.CompanyReset(company="BH", successor="SB")), f.CompanyClosed(7, "BH")),
    (
        event(7, cash_moved=ev.CashMoved(source="BH", target="bank", amount=20, reason="1862.hudson")),
        f.CashMoved(7, "BH", "bank", 20, "1862.hudson", ""),
    ),
    (
        event(8, debt_changed=ev.DebtChanged(player="ann", amount=-5, reason="repaid")),
        f.DebtChanged(8, "ann", -5, "repaid"),
    ),
    (
        event(
            9,
            dividend_declared=ev.DividendDeclared(
                company="BH", kind="half", revenue=80, per_share=4, share_count=9
            ),
        ),
        f.DividendDeclared(9, "BH", "half", 80, 4),
    ),
    (event(10, phase_started=ev.PhaseStarted(phase="3")), f.PhaseStarted(10, "3")),
    (
        event(
            11,
            round_started=ev.RoundStarted(
                kind="1824.initial_stock", turn=1, number=1, count=1, order=["bob", "ann"]
            ),
        ),
        f.RoundStarted(11, "1824.initial_stock", 1, 1, ("bob", "ann")),
    ),
    (event(12, round_ended=ev.RoundEnded(kind="stock")), f.RoundEnded(12)),
    (event(12, order_changed=ev.OrderChanged(order=["BH"])), f.OrderChanged(12, ("BH",))),
    (event(13, turn_started=ev.TurnStarted(position=1)), f.TurnStarted(13, 1)),
    (event(14, turn_ended=ev.TurnEnded(actor="ann")), f.TurnEnded(14)),
    (event(15, game_ended=ev.GameEnded(reason="bank")), f.GameEnded(15)),
    (event(16, undone=ev.Undone(player="ann", to_sequence=9)), f.Undone(16, 9)),
    (event(17, tile_laid=ev.TileLaid(company="BH", hex="E12")), f.Unmoved(17)),
    (event(18, title_event=any_pb2.Any(type_url="example.org/x.y.z", value=b"x")), f.Unmoved(18)),
]


@pytest.mark.parametrize(("given", "expected"), CONVERTED)
def test_an_event_becomes_its_fact(given: ev.GameEvent, expected: f.Fact) -> None:
    """Every field that the books need arrives, reasons and kinds as the title names them."""
    assert fact_of(given) == expected


def test_every_event_of_the_contract_becomes_a_fact() -> None:
    """No body of the contract is unknown; movements without a reason are refused by name instead."""
    refused = set()
    for body in ev.GameEvent.DESCRIPTOR.oneofs_by_name["body"].fields:
        empty = event(3)
        getattr(empty, body.name).SetInParent()
        empty.schema_version = schema_version_of(type(getattr(empty, body.name)))
        try:
            assert fact_of(empty).sequence == 3
        except MalformedFactError as error:
            assert error.problem == f"{body.name} has no reason"
            refused.add(body.name)
    assert refused == {"cash_moved", "certificates_moved", "debt_changed"}


def test_an_event_without_a_known_body_is_malformed() -> None:
    """An event that a newer rules service wrote might move money, so it is not passed over."""
    with pytest.raises(
        MalformedFactError, match="game g, sequence 5: the event has no body known to this ledger"
    ):
        fact_of(event(5))


def test_a_dividend_of_version_1_is_booked_as_one_of_version_2() -> None:
    """What the books need was in it already."""
    old = ev.DividendDeclaredV1(company="BH", kind="half", revenue=80, per_share=4)
    given = ev.GameEvent(game_id="g", sequence=9, schema_version=1)
    given.dividend_declared.ParseFromString(old.SerializeToString())
    assert fact_of(given) == f.DividendDeclared(9, "BH", "half", 80, 4)


@pytest.mark.parametrize("version", [-1, 0, 3])
def test_a_version_that_is_not_known_is_no_fact(version: int) -> None:
    """It might say something else than the version that is known."""
    given = event(5, dividend_declared=ev.DividendDeclared(company="BH"))
    given.schema_version = version
    problem = f"sequence 5: dividend_declared: schema version {version} is unknown, 2 is the newest known"
    with pytest.raises(UnknownFactError, match=problem):
        fact_of(given)


def test_what_one_title_alone_knows_may_have_any_version() -> None:
    """It moves nothing, so the ledger need not know the versions of a title."""
    given = event(5, title_event=any_pb2.Any(type_url="type.googleapis.com/other.v1.Event"))
    given.schema_version = 7
    assert fact_of(given) == f.Unmoved(5)
