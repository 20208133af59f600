"""Worth over time and what a figure consists of."""

from __future__ import annotations

from services.gen.signalbox.ledger.v1 import ledger_pb2 as ledger
from services.gen.signalbox.rules.v1 import game_pb2
from services.web.pages.books import HEIGHT, WIDTH, curves, parts_of


def point(*totals: int) -> ledger.NetWorthPoint:
    """What two players are worth."""
    players = [ledger.PlayerWorth(player=f"p{number}", total=total) for number, total in enumerate(totals)]
    return ledger.NetWorthPoint(players=players)


def test_curves_fill_the_chart() -> None:
    """The most is at the top and 0 at the bottom, whatever the rounds; who owes more than he has is below."""
    first, second = curves([point(50, 100), point(0, 200)])
    assert (first.points, first.last) == (f"0.0,{HEIGHT * 0.75:.1f} {WIDTH}.0,{HEIGHT}.0", 0)
    assert second.points == f"0.0,{HEIGHT * 0.5:.1f} {WIDTH}.0,0.0"
    (alone,) = curves([point(0)])
    assert alone.points == f"0.0,{HEIGHT}.0"
    assert curves([point(-100, 100)])[0].points == f"0.0,{HEIGHT}.0"


def test_worth_is_the_sum_of_its_parts() -> None:
    """Shares at their price, and companies at the price paid by who directs them; closed ones are worth nothing."""
    game = game_pb2.GameView(
        companies=[
            game_pb2.CompanyView(company="BK", price=170),
            game_pb2.CompanyView(company="KK1", director="p1", price_paid=240),
            game_pb2.CompanyView(company="KK2", director="p1", price_paid=120, closed=True),
            game_pb2.CompanyView(company="MS"),
        ],
        holdings=[
            game_pb2.Holding(holder="p1", company="BK", shares=2),
            game_pb2.Holding(holder="p1", company="MS", shares=1),
            game_pb2.Holding(holder="p2", company="BK", shares=5),
        ],
    )
    assert [(each.company, each.value) for each in parts_of(game, "p1")] == [("BK", 340), ("KK1", 240)]
