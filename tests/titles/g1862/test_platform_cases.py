"""Cases of the rulings in which the platform `18xx.games` is special: ties, and nothing or nobody there."""

from __future__ import annotations

import pytest

from services.rules.parts.auctions.commands import Bid
from services.rules.parts.auctions.state import auction_of
from services.rules.parts.shares.commands import StartCompany
from tests.titles.g1862.table import ADA, BEN, CLEO, Table, new_table


def after_a_bid(**cash: int) -> Table:
    """Ada has bid 0 for ESR; others (by name) have so much money."""
    table = new_table(3, offer=("ESR",), by={"staying_in_an_auction": "covers_next_bid"})
    for player, amount in cash.items():
        table.has_cash(player, amount)
    table.act(ADA, Bid("ESR", 0))
    return table


@pytest.mark.clause("1862/4.1-e")
@pytest.mark.parametrize(("cash", "stays"), [(167, True), (166, False)])
def test_who_can_just_pay_the_next_bid_stays(cash: int, stays: bool) -> None:
    """By ruling 162 and the bid of 5 that has to come are enough, to the last coin."""
    auction = auction_of(after_a_bid(Ben=cash, Cleo=500).game)
    assert auction is not None and (BEN in auction.bidders) is stays


@pytest.mark.clause("1862/4.1-e")
def test_who_bids_all_he_can_stays_in_front() -> None:
    """By ruling the others need the bid to come; the bidder does not overbid himself."""
    table = after_a_bid(Ada=162, Ben=500, Cleo=500)
    auction = auction_of(table.game)
    assert auction is not None and auction.bidders == (ADA, BEN, CLEO)


@pytest.mark.clause("1862/4.2-g")
@pytest.mark.parametrize(("cash", "asked"), [(216, ADA), (215, BEN)])
def test_a_winner_who_cannot_pay_for_another_share_is_not_asked(cash: int, asked: str) -> None:
    """Also a table that asks idle players goes on when less than par, 54, is left."""
    table = new_table(3, offer=("ESR",), by={"idle_turns": "asked"})
    table.has_cash(ADA, cash)
    table.act(ADA, Bid("ESR", 0))
    table.pass_on(2)
    table.act(ADA, StartCompany("ESR", 54))
    assert table.asked() == asked


@pytest.mark.clause("1862/4.1-h")
def test_an_auction_in_which_nobody_else_can_stay_ends() -> None:
    """Ada has won with her first bid, and opens the company."""
    table = after_a_bid(Ben=166, Cleo=0)
    auction = auction_of(table.game)
    assert auction is not None and auction.won
    assert table.asked() == ADA and not table.offered(CLEO)
