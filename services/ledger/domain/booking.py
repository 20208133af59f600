"""Books facts: translates each into journal entries. Only `apply` changes the book, and only by appending."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from services.ledger.domain import facts as f
from services.ledger.domain.accounts import BANK, DEBT, DEBTS, ISSUE, MONEY, shares_of
from services.ledger.domain.book import Book
from services.ledger.domain.errors import GapError, MalformedFactError
from services.ledger.domain.journal import (
    Declared,
    Entry,
    Moment,
    Restricted,
    RoundClosed,
    Seated,
    TakenBack,
    Transfer,
    Valued,
)

Entries = Iterable[Entry]


def apply(book: Book, fact: f.Fact) -> bool:
    """Book one fact; False when it was booked before. A fact that raises changes nothing.

    Raises `GapError` when facts before it are missing and `MalformedFactError` when it cannot be booked."""
    if fact.sequence <= book.sequence:
        return False
    if fact.sequence != book.sequence + 1:
        raise GapError(book.game_id, book.sequence + 1, fact.sequence)
    book.write(fact.sequence, entries_for(book, fact))
    return True


def entries_for(book: Book, fact: f.Fact) -> Entries:
    """The entries that book `fact`; `MalformedFactError` names why it cannot be booked."""
    if (book.sequence == 0) != isinstance(fact, f.GameCreated):
        raise _malformed(book, fact, "a log begins with GameCreated, and nothing but its beginning is one")
    booker = _BOOKERS.get(type(fact))
    if booker is None:
        raise _malformed(book, fact, f"no way to book a fact of type {type(fact).__name__}")
    return booker(book, fact)


def _malformed(book: Book, fact: f.Fact, problem: str) -> MalformedFactError:
    return MalformedFactError(book.game_id, fact.sequence, problem)


def _transfer(
    book: Book, fact: f.Fact, debit: str, credit: str, amount: int, unit: str, reason: str, subject: str
) -> Transfer:
    if amount <= 0:
        raise _malformed(book, fact, f"{type(fact).__name__} of {amount} {unit}, it must be above 0")
    if debit == credit:
        raise _malformed(book, fact, f"{type(fact).__name__} from {debit} to itself")
    return Transfer(
        fact.sequence, f"{book.game_id}/{fact.sequence}/0", debit, credit, amount, unit, reason, subject
    )


def _game_created(book: Book, fact: f.GameCreated) -> Entries:
    return (
        Seated(fact.sequence, fact.players),
        Moment(fact.sequence),
        _transfer(book, fact, ISSUE, BANK, fact.bank_cash, MONEY, "bank_opened", ""),
    )


def _cash_moved(book: Book, fact: f.CashMoved) -> Entries:
    source, target = fact.source or ISSUE, fact.target or ISSUE
    return (_transfer(book, fact, source, target, fact.amount, MONEY, fact.reason, fact.subject),)


def _certificates_moved(book: Book, fact: f.CertificatesMoved) -> Entries:
    source, target = fact.source or ISSUE, fact.target or ISSUE
    unit = shares_of(fact.company)
    move = _transfer(book, fact, source, target, fact.shares, unit, fact.reason, fact.company)
    value = book.value_at(fact.company, fact.sequence)
    if value.owner and value.owner != target:
        return (move, replace(value, sequence=fact.sequence, owner=target))
    return (move,)


def _company_bought(book: Book, fact: f.CompanyBought) -> Entries:
    return (Valued(fact.sequence, fact.company, fact.price, fact.owner),)


def _company_closed(book: Book, fact: f.CompanyClosed) -> Entries:
    return (Valued(fact.sequence, fact.company, 0),)


def _price_set(book: Book, fact: f.PriceSet) -> Entries:
    if fact.price < 0:
        raise _malformed(book, fact, f"price {fact.price} of {fact.company} is below 0")
    return (Valued(fact.sequence, fact.company, fact.price),)


def _initial_price_set(book: Book, fact: f.InitialPriceSet) -> Entries:
    if book.value_at(fact.company, fact.sequence).price:
        return ()
    return _price_set(book, f.PriceSet(fact.sequence, fact.company, fact.price))


def _debt_changed(book: Book, fact: f.DebtChanged) -> Entries:
    debit, credit = (DEBTS, fact.player) if fact.amount > 0 else (fact.player, DEBTS)
    return (_transfer(book, fact, debit, credit, abs(fact.amount), DEBT, fact.reason, ""),)


def _dividend_declared(book: Book, fact: f.DividendDeclared) -> Entries:
    return (Declared(fact.sequence, fact.company, fact.kind, fact.revenue, fact.per_share),)


def _phase_started(book: Book, fact: f.PhaseStarted) -> Entries:
    return (replace(book.moments[-1], sequence=fact.sequence, phase=fact.phase),)


def _round_started(book: Book, fact: f.RoundStarted) -> Entries:
    phase = book.moments[-1].phase
    return (Moment(fact.sequence, fact.kind, fact.turn, fact.number, phase, "", fact.order),)


def _round_ended(book: Book, fact: f.RoundEnded) -> Entries:
    over = replace(book.moments[-1], sequence=fact.sequence, actor="", round_over=True)
    return (RoundClosed(fact.sequence), over)


def _order_changed(book: Book, fact: f.OrderChanged) -> Entries:
    return (replace(book.moments[-1], sequence=fact.sequence, order=fact.order),)


def _turn_started(book: Book, fact: f.TurnStarted) -> Entries:
    last = book.moments[-1]
    actor = last.order[fact.position] if 0 <= fact.position < len(last.order) else ""
    return (replace(last, sequence=fact.sequence, actor=actor),)


def _turn_ended(book: Book, fact: f.TurnEnded) -> Entries:
    return (replace(book.moments[-1], sequence=fact.sequence, actor=""),)


def _game_ended(book: Book, fact: f.GameEnded) -> Entries:
    return () if book.moments[-1].round_over else (RoundClosed(fact.sequence),)


def _unmoved(book: Book, fact: f.Unmoved) -> Entries:
    return ()


def _audience_set(book: Book, fact: f.AudienceSet) -> Entries:
    return (Restricted(fact.sequence),)


def _undone(book: Book, fact: f.Undone) -> Entries:
    if not 0 < fact.to_sequence < fact.sequence:
        raise _malformed(
            book, fact, f"undo to sequence {fact.to_sequence}, 1 to {fact.sequence - 1} are possible"
        )
    restored: list[Entry] = [TakenBack(fact.sequence, fact.to_sequence)]
    for index, transfer in enumerate(_still_to_reverse(book.transfers_after(fact.to_sequence))):
        restored.append(_reversed(book.game_id, fact.sequence, index, transfer))
    for company, history in book.values.items():
        if history[-1].sequence > fact.to_sequence:
            restored.append(replace(book.value_at(company, fact.to_sequence), sequence=fact.sequence))
    restored.append(replace(book.moment_at(fact.to_sequence), sequence=fact.sequence))
    return restored


def _still_to_reverse(transfers: list[Transfer]) -> list[Transfer]:
    """Newest first; a transfer that an earlier undo took back, and what took it back, cancel out and stay
    as they are.

    Without that, taking back the same stretch again and again would double the journal each time."""
    candidates = {transfer.id for transfer in transfers}
    settled: set[str] = set()
    left = []
    for transfer in reversed(transfers):
        if transfer.id in settled:
            continue
        if transfer.correction_of in candidates:
            settled.add(transfer.correction_of)
        else:
            left.append(transfer)
    return left


def _reversed(game_id: str, sequence: int, index: int, transfer: Transfer) -> Transfer:
    return replace(
        transfer,
        sequence=sequence,
        id=f"{game_id}/{sequence}/{index}",
        debit=transfer.credit,
        credit=transfer.debit,
        reason="undone",
        correction_of=transfer.id,
    )


_BOOKERS: dict[type[f.Fact], Callable[[Book, Any], Entries]] = {
    f.Unmoved: _unmoved,
    f.GameCreated: _game_created,
    f.AudienceSet: _audience_set,
    f.CashMoved: _cash_moved,
    f.CertificatesMoved: _certificates_moved,
    f.CompanyBought: _company_bought,
    f.CompanyClosed: _company_closed,
    f.PriceSet: _price_set,
    f.InitialPriceSet: _initial_price_set,
    f.DebtChanged: _debt_changed,
    f.DividendDeclared: _dividend_declared,
    f.PhaseStarted: _phase_started,
    f.RoundStarted: _round_started,
    f.RoundEnded: _round_ended,
    f.OrderChanged: _order_changed,
    f.TurnStarted: _turn_started,
    f.TurnEnded: _turn_ended,
    f.GameEnded: _game_ended,
    f.Undone: _undone,
}
