"""Undo: reversed by further transfers, never erased."""

from __future__ import annotations

from services.ledger.domain.accounts import DEBT, Account, shares_of

from .tables import booked, money

TURN = """
create 1000 ann,bob
cash bank ann 400 starting_cash
shares issue bank BH 10 bought
cash ann bank 200 certificate_bought BH
shares bank ann BH 2 bought
debt ann 30 loan
"""


def test_an_undo_reverses_newest_first_and_says_what_it_corrects() -> None:
    """Each transfer after the target is booked the other way round, marked with the id of what it takes
    back."""
    book = booked(TURN + "undo 3")
    corrections = [each for each in book.transfers if each.sequence == 7]
    assert [each.correction_of for each in corrections] == ["g/6/0", "g/5/0", "g/4/0"]
    assert [each.id for each in corrections] == ["g/7/0", "g/7/1", "g/7/2"]
    assert [each.reason for each in corrections] == ["undone"] * 3
    assert (corrections[2].debit, corrections[2].credit, corrections[2].amount) == ("bank", "ann", 200)


def test_an_undo_restores_balances_and_keeps_what_was_booked() -> None:
    """After an undo the balances are those of the target, and every earlier transfer still stands in the
    book."""
    before, after = booked(TURN), booked(TURN + "undo 3")
    assert after.transfers[: len(before.transfers)] == before.transfers
    assert (money(after, "ann"), money(after, "bank")) == (400, 600)
    assert after.balances[Account("ann", shares_of("BH"))] == 0
    assert after.balances[Account("ann", DEBT)] == 0
    assert after.balances_at(6) == before.balances


def test_undoing_the_same_stretch_again_does_not_reverse_what_is_reversed() -> None:
    """Doing and undoing many times adds one pair of transfers each time, not twice as many."""
    again = "cash bank ann 7 dividend\nundo 2\n"
    book = booked("create 1000 ann\ncash bank ann 400 starting_cash\n" + again * 30)
    assert money(book, "ann") == 400
    assert len(book.transfers) == 2 + 2 * 30


def test_an_undo_past_an_undo_takes_both_back() -> None:
    """Going back behind an earlier undo leaves the balances of the target."""
    book = booked(TURN + "undo 4\ncash bank ann 9 dividend\nundo 2")
    assert money(book, "ann") == 400
    assert book.balances[Account("bank", shares_of("BH"))] == 0


def test_going_back_into_an_undone_stretch_books_it_again() -> None:
    """The target of an undo may itself have been undone: then the game stands there once more."""
    book = booked(TURN + "undo 2\nundo 4")
    assert money(book, "ann") == 200
    assert book.transfers[-1].correction_of == "g/7/2"


def test_an_undo_restores_prices_and_the_place_in_the_game() -> None:
    """Market price, owner of a private company, phase, round and actor are those of the target again."""
    book = booked(
        """
        create 1000 ann,bob
        round stock 1 1 ann,bob
        turn 0
        price BH 100
        private EPP ann 80
        phase 3
        turn 1
        price BH 90
        closed EPP
        round operating 1 1 BH
        undo 5
        """
    )
    assert book.value_at("BH", 11).price == 100
    assert (book.value_at("EPP", 11).price, book.value_at("EPP", 11).owner) == (80, "ann")
    moment = book.moment_at(11)
    assert (moment.round_kind, moment.phase, moment.actor) == ("stock", "", "ann")
    assert book.value_at("BH", 10).price == 90
