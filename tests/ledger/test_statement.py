"""Statements explain a balance line by line."""

from __future__ import annotations

from services.gen.signalbox.events.v1.sentence_pb2 import SUBJECT_COMPANY, SUBJECT_PLAYER
from services.ledger.domain.accounts import DEBT, MONEY, Account, shares_of
from services.ledger.domain.statement import explain, statement
from services.ledger.messages import statement_message

from .tables import booked

GAME = """
create 1000 ann,bob
cash bank ann 400 starting_cash
shares issue bank BH 10 bought
round stock 1 1 ann,bob
turn 0
cash ann bank 200 certificate_bought BH
shares bank ann BH 2 bought
ended
round operating 1 2 BH
turn 0
declared BH pay 80 8
cash bank ann 16 dividend BH
debt ann 30 1824.loan
ended
turn 0
declared BH pay 100 10
cash bank ann 20 dividend BH
undo 15
"""


def test_lines_run_from_nothing_to_the_balance() -> None:
    """Changes and running balances lead to the balance in the book, oldest first."""
    book = booked(GAME)
    lines = statement(book, Account("ann", MONEY))
    assert [line.change for line in lines] == [400, -200, 16, 20, -20]
    assert [line.balance for line in lines] == [400, 200, 216, 236, 216]
    assert [line.counterparty for line in lines] == ["bank"] * 5
    assert lines[-1].balance == book.balances[Account("ann", MONEY)]


def test_every_line_says_why() -> None:
    """The sentence of a line names place, sides, amount and reason; a dividend names the run it rests on."""
    book = booked(GAME)
    assert [explain(line) for line in statement(book, Account("ann", MONEY))] == [
        "ann received 400 from bank: starting cash",
        "stock round 1.1, turn of ann: ann gave 200 to bank: certificate bought (BH)",
        "operating round 1.2, turn of BH: ann received 16 from bank: dividend (BH); "
        "BH earned 80, pay: 8 for a share",
        "operating round 1.2, turn of BH: ann received 20 from bank: dividend (BH); "
        "BH earned 100, pay: 10 for a share",
        "operating round 1.2, turn of BH: ann gave 20 to bank: takes back transfer g/17/0",
    ]


def test_a_line_in_parts_tells_players_companies_and_words_apart() -> None:
    """The parts make up the same sentence; the bank is no company."""
    book = booked(GAME)
    lines = statement(book, Account("ann", MONEY))
    answer = statement_message(lines, book.players, "")
    for line, message in zip(lines, answer.lines, strict=True):
        assert "".join(part.text for part in message.sentence.parts) == explain(line) == message.explanation
    parts = [part for line in answer.lines for part in line.sentence.parts]
    assert {part.text for part in parts if part.subject == SUBJECT_PLAYER} == {"ann"}
    assert {part.text for part in parts if part.subject == SUBJECT_COMPANY} == {"BH"}


def test_certificates_and_debts_have_statements_of_their_own() -> None:
    """Shares and debt are explained in their own words."""
    book = booked(GAME)
    (share,) = statement(book, Account("ann", shares_of("BH")))
    (debt,) = statement(book, Account("ann", DEBT))
    assert explain(share).endswith("ann received 2 shares of BH from bank: bought (BH)")
    assert explain(debt).endswith("ann received 30 of debt from debts: loan")


def test_words_of_a_title_are_told_without_its_name() -> None:
    """Kinds of rounds, reasons and dividends that one title alone knows read as plain words."""
    book = booked(
        """
        create 1000 ann
        round 1862.parliamentary 1 1 BH
        turn 0
        declared BH 1862.hudson 80 8
        cash bank ann 8 dividend BH
        cash ann bank 5 1862.warranty_bought BH
        """
    )
    assert [explain(line) for line in statement(book, Account("ann", MONEY))] == [
        "parliamentary round 1.1, turn of BH: ann received 8 from bank: dividend (BH); "
        "BH earned 80, hudson: 8 for a share",
        "parliamentary round 1.1, turn of BH: ann gave 5 to bank: warranty bought (BH)",
    ]


def test_a_page_continues_the_running_balance() -> None:
    """Lines of a later page carry the balance that counts the earlier ones."""
    book = booked(GAME)
    account = Account("ann", MONEY)
    assert statement(book, account, 1, 2) == statement(book, account)[1:3]
    assert statement(book, account, 99, 2) == ()


def test_an_account_never_used_has_no_lines() -> None:
    """Nothing is explained by nothing."""
    assert statement(booked(GAME), Account("bob", MONEY)) == ()


def test_a_dividend_is_not_explained_by_the_run_of_a_later_turn() -> None:
    """Only a decision of the same turn stands behind a dividend."""
    book = booked(
        """
        create 1000 ann
        round operating 1 1 BH,SB
        turn 0
        cash bank ann 7 dividend BH
        turn 1
        declared BH pay 80 8
        """
    )
    (line,) = statement(book, Account("ann", MONEY))
    assert line.declared is None
