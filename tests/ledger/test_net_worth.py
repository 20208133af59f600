"""Net worth now and at the end of every round."""

from __future__ import annotations

from services.ledger.domain.net_worth import PlayerWorth, present_worth, worth_over_time

from .tables import booked

GAME = """
create 1000 ann,bob
cash bank ann 400 starting_cash
cash bank bob 400 starting_cash
round stock 1 1 ann,bob
price BH 100
shares issue bank BH 10 bought
cash ann bank 300 certificate_bought BH
shares bank ann BH 3 bought
cash bob bank 80 company_bought EPP
private EPP bob 80
shares issue bob EPP 1 bought
finish
round operating 1 1 BH
price BH 110
debt bob 45 loan
finish
round operating 1 2 BH
"""


def test_worth_is_cash_and_certificates_less_debt() -> None:
    """Certificates count at the price of their shares, private companies once at the price paid, debt is taken
    off."""
    ann, bob = present_worth(booked(GAME)).players
    assert ann == PlayerWorth("ann", cash=100, certificates=330, private_companies=0, debt=0)
    assert bob == PlayerWorth("bob", cash=320, certificates=0, private_companies=80, debt=45)
    assert (ann.total, bob.total) == (430, 355)


def test_every_round_that_ended_is_a_point() -> None:
    """A point stands at the last sequence of its round and names the round."""
    points = worth_over_time(booked(GAME))
    assert [(point.sequence, point.moment.round_kind) for point in points] == [
        (12, "stock"),
        (16, "operating"),
    ]
    assert [[worth.total for worth in point.players] for point in points] == [[400, 400], [430, 355]]


def test_the_end_of_the_game_ends_the_last_round() -> None:
    """A game stopped in the middle of a round ends with a point; after the end of a round it adds none."""
    stopped = worth_over_time(booked(GAME + "cash bank ann 5 dividend\nover"))
    assert (stopped[-1].sequence, stopped[-1].players[0].total) == (19, 435)
    played_out = worth_over_time(booked(GAME + "cash bank ann 5 dividend\nfinish\nover"))
    assert [point.sequence for point in played_out] == [12, 16, 19]


def test_rounds_that_were_taken_back_leave_no_point() -> None:
    """After an undo only the ends of rounds before its target stand; going there again makes a new point."""
    undone = booked(GAME + "undo 13")
    assert [point.sequence for point in worth_over_time(undone)] == [12]
    again = booked(GAME + "undo 13\nprice BH 120\nfinish")
    assert [point.sequence for point in worth_over_time(again)] == [12, 20]
    assert worth_over_time(again)[-1].players[0].certificates == 360


def test_a_private_company_counts_for_its_holder() -> None:
    """A private company counts for its buyer, for the next holder once its certificate moves, and closed
    for nobody."""
    moved = present_worth(booked(GAME + "shares bob ann EPP 1 exchanged"))
    assert [worth.private_companies for worth in moved.players] == [80, 0]
    returned = present_worth(booked(GAME + "shares bob issue EPP 1 exchanged"))
    assert [worth.private_companies for worth in returned.players] == [0, 0]
    closed = present_worth(booked(GAME + "closed EPP"))
    assert [worth.private_companies for worth in closed.players] == [0, 0]


def test_shares_that_are_not_quoted_yet_count_at_their_first_price() -> None:
    """The price of the initial offer counts until the market has one, and nothing once the company is reset."""
    offered = GAME + "initial SB 74\nshares issue bob SB 3 bought\n"
    assert present_worth(booked(offered)).players[1].certificates == 222
    quoted = offered + "price SB 82\ninitial SB 100\n"
    assert present_worth(booked(quoted)).players[1].certificates == 246
    assert present_worth(booked(quoted + "price SB 0\nclosed SB")).players[1].certificates == 0


def test_the_first_price_after_a_reset_counts_again() -> None:
    """A company that is opened anew is worth what its shares are offered for, not what it was worth before."""
    anew = GAME + "price BH 0\nclosed BH\ninitial BH 62\n"
    assert present_worth(booked(anew)).players[0].certificates == 186
