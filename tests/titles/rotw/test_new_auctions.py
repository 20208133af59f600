"""The auctions of new shares at the end of a turn (rotw/newauction)."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.auctions.commands import Bid
from services.rules.titles.rotw.commands import NameShare
from tests.positions.reading import moved_cash
from tests.positions.rounds import priorities, rounds
from tests.titles.rotw.table import ADA, BEN, BLUE, CLEO, GREEN, RED, Table, running_table


def at_auctions(first: str = ADA, **rulings: str) -> Table:
    """The auctions of new shares have begun with this player; one share of RED lies on the issued board."""
    table = running_table(by=rulings)
    table.has_issued(RED, 1)
    table.priority_is(first)
    table.new_auctions_begin()
    return table


@pytest.mark.clause("rotw/newauction-a")
def test_auctions_go_round_until_all_pass() -> None:
    """From the first player on, clockwise; Ben may name a second share when the others have passed."""
    table = at_auctions(BEN)
    table.act(BEN, NameShare(GREEN, BANK, 6000))
    table.pass_on(2)
    assert table.asked() == CLEO
    table.act(CLEO, Pass())
    table.act(ADA, Pass())
    assert table.asked() == BEN
    table.act(BEN, NameShare(GREEN, BANK, 6000))
    assert table.game.current_round.kind == "rotw.new_shares" and table.shares(BEN, GREEN) == 2
    assert ("rotw.companies", 3, 1, 3) in rounds(table.act(BEN, Pass()))


def test_by_the_other_reading_each_names_one_share() -> None:
    """Then the phase is over; who passed on naming still bids."""
    table = at_auctions(new_auctions="once_each")
    table.act(ADA, Pass())
    table.act(BEN, NameShare(GREEN, BANK, 6000))
    assert table.asked() == CLEO
    table.act(CLEO, Pass())
    table.act(ADA, Bid(GREEN, 7000))
    table.act(BEN, Pass())
    assert table.asked() == CLEO and table.director(GREEN) == ADA
    events = table.act(CLEO, NameShare(GREEN, BANK, 6000))
    assert rounds(events) == [] and rounds(table.pass_on(2))[0] == ("rotw.companies", 3, 1, 3)


@pytest.mark.clause("rotw/newauction-b", "rotw/newauction-c")
def test_an_issued_share_is_paid_to_the_bank() -> None:
    """The company had its money when it was issued; its reserve is not for sale."""
    table = at_auctions()
    assert table.refusal(ADA, NameShare(RED, RED, 8000)) == ("rotw.share_not_there", "rotw/newauction-b")
    assert table.refusal(ADA, NameShare(BLUE, POOL, 7000)) == ("rotw.share_not_there", "rotw/newauction-b")
    assert NameShare(RED, POOL, 8000) in table.offered(ADA, NameShare)
    table.act(ADA, NameShare(RED, POOL, 8000))
    events = table.pass_on(2)
    assert moved_cash(events, "auction_won") == [(ADA, BANK, 8000)]
    assert (table.shares(POOL, RED), table.shares(ADA, RED)) == (0, 4)


@pytest.mark.clause("rotw/newauction-d")
def test_an_available_share_is_paid_to_the_company() -> None:
    """As in the opening auctions."""
    table = at_auctions()
    table.act(ADA, NameShare(RED, BANK, 9000))
    assert moved_cash(table.pass_on(2), "auction_won") == [(ADA, RED, 9000)]
    assert (table.shares(BANK, RED), table.shares(POOL, RED)) == (1, 1)


@pytest.mark.clause("rotw/newauction-e")
def test_the_least_bid_is_the_present_value() -> None:
    """RED stands at 11; raises and passes are as in the opening auctions."""
    table = running_table()
    table.value_is(RED, 11)
    table.new_auctions_begin()
    assert table.refusal(ADA, NameShare(RED, BANK, 10000)) == ("bid_not_allowed", "rotw/newauction-e")
    table.act(ADA, NameShare(RED, BANK, 11000))
    assert table.refusal(BEN, Bid(RED, 11000)) == ("bid_not_allowed", "rotw/auction-d")
    table.act(BEN, Bid(RED, 12000))
    assert table.price_of(RED) == 11000


def test_who_has_just_the_least_raise_may_bid_it() -> None:
    """7,000 after 6,000; with 6,000 he is not asked."""
    for cash, is_asked in ((7000, True), (6000, False)):
        table = at_auctions()
        table.has_cash(BEN, cash)
        table.act(ADA, NameShare(GREEN, BANK, 6000))
        assert (Bid(GREEN, 7000) in table.offered(BEN)) == is_asked


@pytest.mark.clause("rotw/newauction-g")
def test_the_marker_goes_on() -> None:
    """To the left of the last winner; it stays if there was none."""
    table = at_auctions()
    table.act(ADA, NameShare(GREEN, BANK, 6000))
    table.act(BEN, Bid(GREEN, 7000))
    table.pass_on(2)
    assert priorities(table.pass_on(3)) == [CLEO]
    two = at_auctions()
    two.act(ADA, NameShare(GREEN, BANK, 6000))
    two.pass_on(2)
    two.act(BEN, NameShare(BLUE, BANK, 7000))
    two.pass_on(2)
    assert priorities(two.pass_on(3)) == [CLEO]
    nobody = at_auctions(BEN)
    assert priorities(nobody.pass_on(3)) == [] and nobody.game.priority == BEN
