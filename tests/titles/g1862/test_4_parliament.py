"""Parliamentary rounds of 1862: auctions and the opening of chartered companies (3.1, 4.1, 4.2)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.auctions.commands import Bid
from services.rules.parts.auctions.state import auction_of
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1862.state import charter_of
from tests.positions.auctions import auction_passes
from tests.positions.rounds import begun_steps, passed
from tests.titles.g1862.table import ADA, BEN, CLEO, DORA, Table, new_table

EARLY = ("ESR", "ECR", "EUR", "L&H", "WNR", "Y&N", "N&B", "SVR")
OFFER = (*EARLY, "I&B", "FDR", "NGC", "W&F", "E&H", "ENR", "WVR", "L&D")


def parliament(players: int = 4, **rulings: str) -> Table:
    """The first parliamentary round, ESR first on the offer."""
    return new_table(players, offer=OFFER, by=rulings)


def won(table: Table, symbol: str = "ESR", price: int = 0) -> str:
    """The acting player wins the company for this bid, all others pass; returns the winner."""
    winner = table.asked()
    table.act(winner, Bid(symbol, price))
    while (auction := auction_of(table.game)) is not None and not auction.won:
        table.pass_on()
    return winner


@pytest.mark.clause("1862/4.1-a")
def test_auctions_are_opened_clockwise_from_the_priority_holder() -> None:
    """The priority holder opens an auction or passes, then the player on his left, and so on."""
    table = parliament()
    table.parliament_is(CLEO)
    for player in (CLEO, DORA, ADA):
        assert table.asked() == player
        assert table.refusal(BEN, Bid("ESR", 0)) == ("not_your_turn", "")
        table.pass_on()
    table.act(BEN, Bid("ESR", 0))
    assert table.asked() == CLEO


@pytest.mark.clause("1862/4.1-a", "1862/4.1-k", "1862/2.4.4-i")
def test_the_second_parliament_begins_with_the_priority_holder_again() -> None:
    """The first round ended with everybody's pass, and the priority stayed where it was."""
    table = parliament()
    table.priority_is(CLEO)
    table.pass_round()
    assert table.game.current_round.number == 2
    assert table.asked() == CLEO


@pytest.mark.clause("1862/4.1-b")
def test_an_auction_opens_with_a_multiple_of_five() -> None:
    """An available company and 0, 5, 10 and so on."""
    table = parliament()
    assert table.refusal(ADA, Bid("ESR", 3)) == ("bid_not_allowed", "1862/4.1-b")
    assert table.refusal(ADA, Bid("ESR", -1))[0] == "bid_not_allowed"
    assert table.refusal(ADA, Bid("XYZ", 0)) == ("unknown_company", "")
    assert table.refusal(ADA, Bid("I&B", 0)) == ("company_not_offered", "1862/3.2-a")
    table.act(ADA, Bid("ESR", 0))
    assert new_table(offer=OFFER).act(ADA, Bid("ESR", 15))


@pytest.mark.clause("1862/4.1-c")
def test_later_bids_are_higher() -> None:
    """Every later bid is a higher multiple of five for the same company."""
    table = parliament()
    table.act(ADA, Bid("ESR", 10))
    assert table.refusal(BEN, Bid("ESR", 10)) == ("bid_not_allowed", "1862/4.1-c")
    assert table.refusal(BEN, Bid("ESR", 12)) == ("bid_not_allowed", "1862/4.1-c")
    assert table.refusal(BEN, Bid("ECR", 20)) == ("company_not_offered", "1862/4.1-c")
    table.act(BEN, Bid("ESR", 25))
    auction = auction_of(table.game)
    assert auction is not None
    assert (auction.leader, auction.price) == (BEN, 25)


@pytest.mark.clause("1862/4.1-d")
def test_who_passes_is_out_of_the_auction() -> None:
    """The bidding goes round without those who passed."""
    table = parliament()
    table.act(ADA, Bid("ESR", 0))
    table.act(BEN, Pass())
    table.act(CLEO, Bid("ESR", 5))
    table.act(DORA, Pass())
    assert table.asked() == ADA
    assert table.refusal(BEN, Bid("ESR", 50)) == ("auction_lost", "1862/4.1-d")
    assert table.refusal(CLEO, Bid("ESR", 50)) == ("not_your_turn", "")
    table.act(ADA, Bid("ESR", 10))
    assert table.asked() == CLEO


@pytest.mark.clause("1862/4.1-e")
def test_cash_has_to_cover_the_bid_and_the_cheapest_director() -> None:
    """162 above the bid; below 162 a player is not asked at all, and a raise he could not pay is refused."""
    table = parliament(3)
    table.has_cash(BEN, 166)
    table.has_cash(CLEO, 161)
    table.has_cash(ADA, 180)
    assert table.refusal(ADA, Bid("ESR", 20)) == ("1862.cash_for_par", "1862/4.1-e")
    events = table.act(ADA, Bid("ESR", 0))
    assert auction_passes(events) == [(CLEO, "ESR")]
    assert table.asked() == BEN
    assert table.refusal(BEN, Bid("ESR", 5)) == ("1862.cash_for_par", "1862/4.1-e")
    table.has_cash(BEN, 167)
    table.act(BEN, Bid("ESR", 5))


@pytest.mark.clause("1862/4.1-e")
def test_who_may_stay_in_an_auction_by_ruling() -> None:
    """By the print cash has to cover the bid that stands; by the other ruling the one to come."""
    by_print, by_other = "covers_standing_bid", "covers_next_bid"
    for ruling, cash, stays in ((by_print, 162, True), (by_print, 161, False), (by_other, 166, False)):
        table = parliament(3, staying_in_an_auction=ruling)
        table.has_cash(BEN, cash)
        events = table.act(ADA, Bid("ESR", 0))
        assert ((BEN, "ESR") in auction_passes(events)) is not stays


@pytest.mark.clause("1862/4.1-f")
def test_at_the_certificate_limit_a_player_must_pass() -> None:
    """13 certificates with four players: no auction is opened and none joined."""
    table = parliament(4)
    for symbol in ("ECR", "EUR"):
        table.is_founded(symbol, 54, BEN, shares=9)
    assert table.certificates(BEN) == 14
    table.parliament_is(BEN)
    assert table.refusal(BEN, Bid("ESR", 0)) == ("certificate_limit", "1862/4.1-f")
    assert BEN in passed(table.carry_on())
    assert table.asked() == CLEO
    assert (BEN, "ESR") in auction_passes(table.act(CLEO, Bid("ESR", 0)))


@pytest.mark.clause("1862/4.1-g")
def test_a_winner_opens_no_other_auction_but_may_join() -> None:
    """One charter a round for an opener; in others' auctions he still bids."""
    table = parliament(3)
    won(table)
    table.act(ADA, StartCompany("ESR", 54))
    table.act(ADA, Pass())
    assert table.asked() == BEN
    table.act(BEN, Bid("ECR", 0))
    table.act(CLEO, Pass())
    table.act(ADA, Bid("ECR", 5))
    table.act(BEN, Pass())
    table.act(ADA, StartCompany("ECR", 54))
    table.act(ADA, Pass())
    table.act(BEN, Pass())
    table.parliament_is(ADA)
    table.auction_was_won(ADA, "EUR", 0)
    assert table.refusal(ADA, Bid("EUR", 0)) == ("1862.charter_won", "1862/4.1-g")
    assert ADA in passed(table.carry_on())


@pytest.mark.clause("1862/4.1-h")
@pytest.mark.clause("1862/4.2-a")
@pytest.mark.clause("1862/4.2-b")
def test_the_last_bidder_wins_and_pays_the_bank() -> None:
    """When all others passed the leader pays his bid and has to open the company at once; the others pay nothing."""
    table = parliament(3)
    table.act(ADA, Bid("ESR", 20))
    table.act(BEN, Bid("ESR", 30))
    table.act(CLEO, Pass())
    table.act(ADA, Pass())
    assert [table.game.money(player) for player in (ADA, BEN, CLEO)] == [800, 770, 800]
    assert table.game.money(BANK) == 12630
    assert table.asked() == BEN
    assert table.refusal(BEN, Pass()) == ("wrong_step", "")
    assert table.refusal(BEN, StartCompany("ECR", 54)) == ("company_not_offered", "1862/4.2-a")
    table.act(BEN, StartCompany("ESR", 54))


@pytest.mark.clause("1862/4.1-i")
def test_next_auction_belongs_to_the_winners_left() -> None:
    """Whichever player opened the auction, the player left of its winner goes on."""
    table = parliament()
    table.act(ADA, Bid("ESR", 0))
    table.act(BEN, Pass())
    table.act(CLEO, Bid("ESR", 5))
    table.act(DORA, Pass())
    table.act(ADA, Pass())
    table.act(CLEO, StartCompany("ESR", 54))
    table.act(CLEO, Pass())
    assert table.asked() == DORA


@pytest.mark.clause("1862/4.1-j")
def test_parliament_ends_when_all_decline_in_turn() -> None:
    """An auction starts the count anew; after it all players have to decline."""
    table = parliament(3)
    table.pass_on(2)
    won(table)
    table.act(CLEO, StartCompany("ESR", 54))
    table.act(CLEO, Pass())
    table.pass_on()
    assert table.game.current_round.number == 1
    events = table.pass_on()
    assert CLEO in passed(events)
    assert table.game.current_round.number == 2


@pytest.mark.clause("1862/4.1-k")
def test_priority_stays_in_parliament() -> None:
    """Auctions and passes leave the priority marker where it is."""
    table = parliament(3)
    table.parliament_is(BEN)
    table.pass_on()
    won(table)
    table.act(CLEO, StartCompany("ESR", 54))
    table.pass_round()
    assert table.game.current_round.kind == "stock"
    assert table.game.priority == BEN
    assert table.asked() == BEN


@pytest.mark.clause("1862/4.2-c")
@pytest.mark.clause("1862/4.2-d")
def test_par_is_on_the_chartered_chart_and_the_director_costs_three_times_it() -> None:
    """ESR at 74: the director's certificate costs 222, paid to the bank."""
    table = parliament(3)
    won(table)
    offered = [each.price for each in table.offered(ADA, StartCompany) if isinstance(each, StartCompany)]
    assert offered == [54, 58, 62, 68, 74, 82, 90, 100]
    for price in (56, 71, 110, 0):
        assert table.refusal(ADA, StartCompany("ESR", price)) == ("price_not_offered", "1862/4.2-c")
    table.act(ADA, StartCompany("ESR", 74))
    assert table.game.money(ADA) == 800 - 222
    assert table.game.money("ESR") == 0
    assert companies_of(table.game)["ESR"].par == 74
    assert table.shares(ADA, "ESR") == 3
    assert table.director("ESR") == ADA


@pytest.mark.clause("1862/4.2-e")
def test_par_must_be_payable_after_the_bid() -> None:
    """With 250 left after the bid 82 is the highest par."""
    table = parliament(3)
    table.has_cash(ADA, 290)
    won(table, price=40)
    assert table.refusal(ADA, StartCompany("ESR", 90)) == ("not_enough_cash", "1862/4.2-e")
    table.act(ADA, StartCompany("ESR", 82))


@pytest.mark.clause("1862/4.2-f")
def test_no_shares_are_sold_while_opening() -> None:
    """Neither before nor after setting par does the winner sell shares."""
    table = parliament(3)
    table.is_founded("ECR", 54, ADA, shares=6)
    won(table)
    assert table.refusal(ADA, SellCertificates("ECR", 1))[0] == "wrong_step"
    table.act(ADA, StartCompany("ESR", 54))
    assert table.refusal(ADA, SellCertificates("ECR", 1))[0] == "wrong_step"


@pytest.mark.clause("1862/4.2-g")
def test_up_to_two_more_shares_at_par() -> None:
    """One or two more shares of the company alone, at par, while cash lasts."""
    table = parliament(3)
    won(table)
    table.act(ADA, StartCompany("ESR", 100))
    assert table.refusal(ADA, BuyCertificate("ECR")) == ("company_not_offered", "1862/4.2-g")
    for source, number in ((POOL, -1), (POOL, 1), (BANK, 0)):
        refused = table.refusal(ADA, BuyCertificate("ESR", source, number))
        assert refused == ("certificate_not_available", "1862/4.2-g")
    assert table.refusal(ADA, BuyCertificate("ESR", BANK, 8)) == ("unknown_certificate", "")
    table.act(ADA, BuyCertificate("ESR"))
    assert table.game.money(ADA) == 800 - 400
    table.act(ADA, BuyCertificate("ESR"))
    assert table.shares(ADA, "ESR") == 5
    assert table.asked() == BEN


@pytest.mark.clause("1862/4.2-g")
def test_who_cannot_pay_another_share_is_not_asked() -> None:
    """With less than par left the opening is over with the director's certificate."""
    table = parliament(3)
    table.has_cash(ADA, 215)
    won(table)
    table.act(ADA, StartCompany("ESR", 54))
    assert table.asked() == BEN
    other = parliament(3)
    other.has_cash(ADA, 217)
    won(other)
    other.act(ADA, StartCompany("ESR", 54))
    other.has_cash(ADA, 53)
    assert other.refusal(ADA, BuyCertificate("ESR")) == ("not_enough_cash", "1862/4.2-g")


@pytest.mark.clause("1862/4.2-h")
def test_with_half_of_it_the_company_is_quoted_at_par() -> None:
    """At 50 % the market marker comes to par, beneath those already there; with less the company waits."""
    table = parliament(3)
    table.is_founded("ECR", 74, BEN)
    won(table)
    table.act(ADA, StartCompany("ESR", 74))
    table.act(ADA, BuyCertificate("ESR"))
    assert "ESR" not in market_of(table.game).markers
    assert not companies_of(table.game)["ESR"].opened
    table.act(ADA, BuyCertificate("ESR"))
    assert companies_of(table.game)["ESR"].opened
    assert table.price_of("ESR") == 74
    assert market_of(table.game).cells[market_of(table.game).markers["ESR"]] == ("ECR", "ESR")


@pytest.mark.clause("1862/4.2-h")
def test_when_the_market_marker_comes_by_ruling() -> None:
    """Under one ruling the marker is on the market as soon as par is set."""
    for ruling, price in (("at_quotation", 0), ("at_par", 74)):
        table = parliament(3, chartered_market_marker=ruling)
        won(table)
        table.act(ADA, StartCompany("ESR", 74))
        assert table.price_of("ESR") == price
        assert companies_of(table.game)["ESR"].par == 74


@pytest.mark.clause("1862/4.2-i")
def test_unsold_shares_stay_in_the_initial_offer() -> None:
    """What the winner does not buy lies with the bank, to be bought at par in a stock round."""
    table = parliament(3)
    won(table)
    table.act(ADA, StartCompany("ESR", 74))
    table.act(ADA, Pass())
    assert table.shares(BANK, "ESR") == 7
    table.stock_round_is(BEN)
    table.act(BEN, BuyCertificate("ESR"))
    assert table.game.money(BEN) == 800 - 74


@pytest.mark.clause("1862/3.1-a")
@pytest.mark.clause("1862/3.1-b")
def test_two_ways_to_open_and_the_side_of_the_charter() -> None:
    """A company won in parliament is chartered, one opened in a stock round is not."""
    table = parliament(3)
    won(table)
    table.act(ADA, StartCompany("ESR", 54))
    table.stock_round_is(BEN)
    table.act(BEN, StartCompany("ECR", 54))
    assert charter_of(table.game, "ESR").chartered
    assert not charter_of(table.game, "ECR").chartered


@pytest.mark.clause("1862/4.1-a")
def test_who_can_just_pay_the_lowest_price_may_open_with_nothing() -> None:
    """162 are three shares at 54: a bid of 0 is offered, and no higher one; with 161 none is."""
    table = parliament()
    table.has_cash(ADA, 162)
    choices = [choice for choice in table.choices(ADA) if choice.command == Bid("ESR", 0)]
    assert [(choice.minimum, choice.maximum) for choice in choices] == [(0, 0)]
    table.has_cash(ADA, 161)
    assert table.offered(ADA, Bid) == []


def test_each_step_of_an_auction_is_recorded() -> None:
    """A bid starts the step of bidding, and the end of the auction that of the company's price."""
    table = parliament()
    events = table.act(ADA, Bid("ESR", 0))
    assert begun_steps(events) == ["bid"]
    events = tuple(table.pass_on(len(table.game.players) - 1))
    assert begun_steps(events) == ["open_company"]


@pytest.mark.clause("1862/3.2-a")
@pytest.mark.clause("1862/3.2-b")
@pytest.mark.clause("1862/3.2-c")
def test_the_groups_of_the_offer_come_with_phases_a_b_and_c() -> None:
    """The first eight companies at once, four more with the first B train, the last four with the first C train."""
    table = parliament()
    for phase, count in (("A", 8), ("B", 12), ("C", 16)):
        if phase != "A":
            table.phase_is(phase)
        offered = [each.company for each in table.offered(ADA, Bid) if isinstance(each, Bid)]
        assert offered == list(OFFER[:count])
        if count < 16:
            assert table.refusal(ADA, Bid(OFFER[count], 0)) == ("company_not_offered", "1862/3.2-a")


def test_a_company_can_be_won_once() -> None:
    """A company that is open is not on the offer any more."""
    table = parliament(3)
    table.is_founded("ESR", 54, BEN)
    assert table.refusal(ADA, Bid("ESR", 0)) == ("company_has_price", "1862/6.5.3-a")
