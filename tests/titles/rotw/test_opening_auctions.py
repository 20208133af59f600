"""The auctions before the first turn (rotw/auction)."""

from __future__ import annotations

import pytest

from services.rules.kernel.choice import filled
from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.auctions.commands import Bid
from services.rules.titles.rotw.commands import NameShare
from services.rules.titles.rotw.state import own
from tests.positions.auctions import auction_passes
from tests.positions.reading import CertificateMove, only, paid, payments
from tests.positions.rounds import ended_rounds, priorities, rounds
from tests.titles.rotw.table import ADA, BEN, BLACK, BLUE, CLEO, RED, Table, new_table


def opening(players: int = 3, **rulings: str) -> Table:
    """The opening auctions of a game in which Ada is the first player."""
    table = new_table(players, by=rulings)
    table.priority_is(ADA)
    table.round_is("rotw.opening", *table.game.players, step="name_share", turn=1)
    return table


def name(company: str, thousands: int, source: str = BANK) -> NameShare:
    """The command to name a share."""
    return NameShare(company, source, thousands * 1000)


@pytest.mark.clause("rotw/auction-a", "rotw/auction-k")
def test_auctions_go_on_until_all_have_passed() -> None:
    """The first turn begins when the last player has passed on starting one."""
    table = opening()
    assert rounds(table.act(ADA, Pass())) == []
    assert rounds(table.act(BEN, Pass())) == []
    events = table.act(CLEO, Pass())
    assert ended_rounds(events)[0] == "rotw.opening"
    assert rounds(events)[0] == ("rotw.companies", 1, 1, 3)
    assert own(table.game).idle_turns == 0


@pytest.mark.clause("rotw/auction-b")
def test_the_first_player_names_a_share_and_bids() -> None:
    """Nobody else may; the bid stands, and the next player is asked for more."""
    table = opening()
    assert table.refusal(BEN, name(RED, 8)) == ("not_your_turn", "")
    table.act(ADA, name(RED, 9))
    assert table.asked() == BEN and table.game.current_round.step == "bid"
    assert table.refusal(BEN, Bid(BLUE, 12000)) == ("company_not_offered", "rotw/auction-b")


@pytest.mark.clause("rotw/auction-c")
def test_the_opening_bid_is_at_least_the_starting_value() -> None:
    """BLACK starts at 3: 2,000 and 2,500 are refused."""
    table = opening()
    assert table.refusal(ADA, name(BLACK, 2)) == ("bid_not_allowed", "rotw/auction-c")
    assert table.refusal(ADA, NameShare(BLACK, BANK, 3500)) == ("bid_not_allowed", "rotw/auction-c")
    choice = next(each for each in table.choices(ADA) if each.command == name(BLACK, 3))
    assert (choice.minimum, choice.maximum, choice.step) == (3000, 25000, 1000)
    table.act(ADA, name(BLACK, 3))


def test_who_has_just_the_price_may_name_the_share() -> None:
    """With 4,000 BLACK for 3 or 4, and PURPLE for 4."""
    table = opening()
    table.has_cash(ADA, 4000)
    found = [(each.command, each.minimum, each.maximum) for each in table.choices(ADA)]
    assert [(named.company, least, most) for named, least, most in found if isinstance(named, NameShare)] == [
        ("PURPLE", 4000, 4000),
        (BLACK, 3000, 4000),
    ]


@pytest.mark.clause("rotw/auction-d")
def test_each_raises_or_is_out_of_this_auction() -> None:
    """Clockwise; the smallest raise is 1,000."""
    table = opening()
    table.act(ADA, name(RED, 8))
    assert table.refusal(BEN, Bid(RED, 8000)) == ("bid_not_allowed", "rotw/auction-d")
    assert table.refusal(BEN, Bid(RED, 9500)) == ("bid_not_allowed", "rotw/auction-d")
    table.act(BEN, Bid(RED, 9000))
    assert table.asked() == CLEO
    assert auction_passes(table.act(CLEO, Pass())) == [(CLEO, RED)]
    table.act(ADA, Bid(RED, 10000))
    assert table.asked() == BEN
    assert table.refusal(CLEO, Bid(RED, 12000)) == ("auction_lost", "rotw/auction-d")
    assert table.refusal(ADA, Bid(RED, 12000)) == ("not_your_turn", "")


@pytest.mark.clause("rotw/auction-e", "rotw/auction-f", "rotw/control-c", "rotw/overview-e")
def test_the_last_one_left_gets_the_share() -> None:
    """The company gets the money, the winner the share and, with the first one, control; the value stays."""
    table = opening()
    table.act(ADA, name(BLUE, 7))
    table.act(BEN, Bid(BLUE, 9000))
    table.act(CLEO, Pass())
    events = table.act(ADA, Pass())
    assert paid(events, BEN, BLUE, 9000, "auction_won", BLUE)
    assert [(each.source, each.target, each.shares) for each in only(events, CertificateMove)] == [
        (BANK, BEN, 1)
    ]
    assert (table.director(BLUE), table.price_of(BLUE)) == (BEN, 7000)
    assert (table.game.money(BLUE), table.game.money(BEN)) == (9000, 16000)


def test_a_share_too_few_gives_no_control() -> None:
    """Who already has as many keeps the board."""
    table = opening()
    table.owns(ADA, BLUE, 1, controls=True)
    table.act(ADA, name(BLUE, 7))
    table.act(BEN, Bid(BLUE, 8000))
    table.pass_on(2)
    assert (table.shares(BEN, BLUE), table.director(BLUE)) == (1, ADA)


@pytest.mark.clause("rotw/auction-g")
def test_after_a_won_auction_the_next_player_names() -> None:
    """Ada wins what she named, so Ben is next."""
    table = opening()
    table.act(ADA, name(RED, 8))
    table.pass_on(2)
    assert table.director(RED) == ADA and table.asked() == BEN
    table.act(BEN, name(BLUE, 7))


@pytest.mark.clause("rotw/auction-h")
@pytest.mark.parametrize(("ruling", "then"), [("same_player", ADA), ("next_player", BEN)])
def test_after_a_lost_auction_the_same_player_names(ruling: str, then: str) -> None:
    """Cleo wins what Ada named: Ada names again, or by the other reading Ben does."""
    table = opening(after_a_lost_auction=ruling)
    table.act(ADA, name(RED, 8))
    table.act(BEN, Pass())
    table.act(CLEO, Bid(RED, 9000))
    table.act(ADA, Pass())
    assert table.director(RED) == CLEO and table.asked() == then
    assert isinstance(table.offered(then, NameShare)[0], NameShare)


@pytest.mark.clause("rotw/auction-i")
def test_who_passes_instead_of_naming_is_out_for_good() -> None:
    """He is asked in no auction, and names nothing any more."""
    table = opening()
    table.act(ADA, Pass())
    table.act(BEN, name(RED, 8))
    assert table.asked() == CLEO
    assert table.refusal(ADA, Bid(RED, 9000)) == ("rotw.out_of_auctions", "rotw/auction-i")
    table.act(CLEO, Pass())
    assert table.asked() == CLEO
    table.act(CLEO, name(BLUE, 7))
    assert table.asked() == BEN
    assert table.refusal(ADA, name(BLUE, 7)) == ("rotw.out_of_auctions", "rotw/auction-i")


@pytest.mark.clause("rotw/auction-j")
def test_who_passes_within_an_auction_may_join_the_next() -> None:
    """Ben lets RED go, and bids for BLUE."""
    table = opening()
    table.act(ADA, name(RED, 8))
    table.pass_on(2)
    table.act(BEN, Pass())
    table.act(CLEO, name(BLUE, 7))
    assert table.asked() == ADA
    table.act(ADA, Bid(BLUE, 8000))
    assert table.asked() == CLEO


@pytest.mark.clause("rotw/auction-l")
def test_the_marker_goes_to_the_left_of_the_last_buyer() -> None:
    """Ben buys the last share, so Cleo has it; if nobody buys it stays where it is."""
    table = opening()
    table.act(ADA, Pass())
    table.act(BEN, name(RED, 8))
    table.act(CLEO, Pass())
    table.act(CLEO, Pass())
    events = table.act(BEN, Pass())
    assert priorities(events) == [CLEO]
    nobody = opening()
    assert priorities(nobody.pass_on(3)) == [] and nobody.game.priority == ADA


@pytest.mark.clause("rotw/auction-m")
def test_nobody_bids_more_than_his_cash() -> None:
    """25,000 is all there is; who cannot raise is not asked."""
    table = opening()
    assert table.refusal(ADA, name(RED, 26)) == ("not_enough_cash", "rotw/auction-m")
    table.has_cash(BEN, 8000)
    events = table.act(ADA, name(RED, 8))
    assert auction_passes(events) == [(BEN, RED)] and table.asked() == CLEO
    assert table.refusal(CLEO, Bid(RED, 26000)) == ("not_enough_cash", "rotw/auction-m")
    assert table.choices(CLEO)[0].maximum == 25000


def test_who_can_name_nothing_passes() -> None:
    """Less than the lowest value buys no share: the player is done without being asked."""
    table = opening()
    table.has_cash(BEN, 2000)
    table.act(ADA, Pass())
    assert table.asked() == CLEO


@pytest.mark.clause("rotw/auction-n")
def test_only_available_shares_are_auctioned() -> None:
    """Neither the reserve nor, here, what is issued; none once all five are sold."""
    table = opening()
    table.has_issued(RED, 1)
    for source in (RED, POOL, "nobody"):
        assert table.refusal(ADA, name(RED, 8, source)) == ("rotw.share_not_there", "rotw/auction-n")
    table.owns(BEN, RED, 5)
    assert table.refusal(ADA, name(RED, 8)) == ("rotw.share_not_there", "rotw/auction-n")
    assert RED not in {
        command.company for command in table.offered(ADA, NameShare) if isinstance(command, NameShare)
    }
    assert table.refusal(ADA, name("GOLD", 8)) == ("unknown_company", "")


def test_nothing_else_is_paid() -> None:
    """An auction moves the price of the share and nothing more."""
    table = opening()
    table.act(ADA, name(RED, 8))
    assert len(payments(table.pass_on(2))) == 1


def test_bids_are_listed_up_to_the_largest_number_of_a_command() -> None:
    """With more than a million a player is offered no bid that would be refused for its size."""
    table = new_table(4)
    player = table.asked()
    for each in table.game.players:
        table.has_cash(each, 3_000_000)
    name = next(each for each in table.choices(player) if isinstance(each.command, NameShare))
    assert name.maximum == 1_000_000
    table.act(player, name.command)
    bid = next(each for each in table.choices(table.asked()) if isinstance(each.command, Bid))
    assert bid.maximum == 1_000_000
    table.act(table.asked(), filled(bid, bid.maximum))
