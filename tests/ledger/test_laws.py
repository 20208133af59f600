"""Laws over random streams of facts, checked against a model that keeps one whole state per sequence."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field

from hypothesis import given, strategies as st

from services.ledger.domain import facts as f
from services.ledger.domain.accounts import DEBT, DEBTS, ISSUE, MONEY, Account, shares_of
from services.ledger.domain.book import Book
from services.ledger.domain.booking import apply
from services.ledger.domain.net_worth import present_worth, worth_over_time
from services.ledger.domain.statement import statement
from services.ledger.domain.trial_balance import trial_balance

PLAYERS = ("ann", "bob", "cy")
COMPANIES = ("BH", "SB", "EPP")
holders = st.sampled_from(("", "bank", "pool", *PLAYERS, *COMPANIES))
sides = st.tuples(holders, holders).filter(lambda pair: pair[0] != pair[1])
companies = st.sampled_from(COMPANIES)
amounts = st.integers(1, 500)
facts_without_place = st.one_of(
    st.builds(lambda s, a: f.CashMoved(0, s[0], s[1], a, "dividend", "BH"), sides, amounts),
    st.builds(lambda s, c, p: f.CertificatesMoved(0, c, p, s[0], s[1], "bought"), sides, companies, amounts),
    st.builds(lambda p, a: f.DebtChanged(0, p, a, "loan"), st.sampled_from(PLAYERS), amounts),
    st.builds(lambda c, p: f.PriceSet(0, c, p), st.sampled_from(COMPANIES[:2]), amounts),
    st.builds(lambda c: f.PriceSet(0, c, 0), st.sampled_from(COMPANIES[:2])),
    st.builds(lambda c, p: f.InitialPriceSet(0, c, p), st.sampled_from(COMPANIES[:2]), amounts),
    st.builds(lambda p, a: f.CompanyBought(0, "EPP", p, a), st.sampled_from(PLAYERS), amounts),
    st.builds(lambda c: f.CompanyClosed(0, c), companies),
    st.builds(lambda t: f.RoundStarted(0, "stock", t, 1, PLAYERS), st.integers(1, 9)),
    st.just(f.RoundEnded(0)),
    st.builds(lambda to: f.Undone(0, to), st.integers(1, 60)),
    st.just(f.Unmoved(0)),
)


def placed(drawn: list[f.Fact]) -> list[f.Fact]:
    """The drawn facts behind a beginning, each at its sequence; targets of undos folded into what is
    possible."""
    log: list[f.Fact] = [f.GameCreated(1, PLAYERS, 12000)]
    for fact in drawn:
        at = len(log) + 1
        if isinstance(fact, f.Undone):
            log.append(f.Undone(at, 1 + fact.to_sequence % (at - 1)))
        else:
            log.append(type(fact)(at, *[getattr(fact, name) for name in fact.__struct_fields__[1:]]))
    return log


streams = st.lists(facts_without_place, max_size=60).map(placed)


@dataclass
class Model:
    """One whole state: balances, worth of certificates, whether a round is on, and the worth at rounds'
    ends."""

    balances: dict[tuple[str, str], int] = field(default_factory=dict)
    prices: dict[str, int] = field(default_factory=dict)
    private: dict[str, tuple[str, int]] = field(default_factory=dict)
    points: list[list[int]] = field(default_factory=list)

    def move(self, source: str, target: str, unit: str, amount: int) -> None:
        """Move an amount."""
        for holder, change in ((source or ISSUE, -amount), (target or ISSUE, amount)):
            self.balances[holder, unit] = self.balances.get((holder, unit), 0) + change

    def worth(self, player: str) -> int:
        """What a player is worth."""
        shares = sum(self.balances.get((player, shares_of(c)), 0) * p for c, p in self.prices.items())
        private = sum(price for owner, price in self.private.values() if owner == player)
        debt = self.balances.get((player, DEBT), 0)
        return self.balances.get((player, MONEY), 0) + shares + private - debt

    def follow(self, fact: f.Fact) -> None:
        """Take in a fact, undo left out."""
        match fact:
            case f.GameCreated(bank_cash=cash):
                self.move("", "bank", MONEY, cash)
            case f.CashMoved(source=source, target=target, amount=amount):
                self.move(source, target, MONEY, amount)
            case f.CertificatesMoved(company=company, source=source, target=target, shares=shares):
                self.move(source, target, shares_of(company), shares)
                if company in self.private:
                    self.private[company] = (target or ISSUE, self.private[company][1])
            case f.DebtChanged(player=player, amount=amount):
                self.move(DEBTS, player, DEBT, amount)
            case f.PriceSet(company=company, price=price):
                self.prices[company] = price
            case f.InitialPriceSet(company=company, price=price):
                self.prices[company] = self.prices.get(company) or price
            case f.CompanyBought(company=company, owner=owner, price=price):
                self.private[company] = (owner, price)
            case f.CompanyClosed(company=company):
                self.private.pop(company, None)
                self.prices.pop(company, None)
            case f.RoundEnded():
                self.points.append([self.worth(player) for player in PLAYERS])


def states_of(log: list[f.Fact]) -> list[Model]:
    """The state after every sequence; an undo puts back the whole state of its target."""
    states = [Model()]
    for fact in log:
        if isinstance(fact, f.Undone):
            states.append(deepcopy(states[fact.to_sequence]))
        else:
            states.append(deepcopy(states[-1]))
            states[-1].follow(fact)
    return states


def used(balances: dict[Account, int] | dict[tuple[str, str], int]) -> dict[tuple[str, str], int]:
    """The balances that are not 0."""
    return {(holder, unit): amount for (holder, unit), amount in balances.items() if amount}


def book_of(log: list[f.Fact]) -> Book:
    """The book of a stream."""
    book = Book("g")
    for fact in log:
        apply(book, fact)
    return book


@given(streams)
def test_balances_equal_the_model_at_every_sequence(log: list[f.Fact]) -> None:
    """However facts and undos follow each other, each sequence has the balances of the model, for ever."""
    states, book, growing = states_of(log), book_of(log), Book("g")
    for fact in log:
        apply(growing, fact)
        assert used(growing.balances) == used(states[fact.sequence].balances)
        assert used(book.balances_at(fact.sequence)) == used(states[fact.sequence].balances)


@given(streams)
def test_the_trial_balance_is_balanced_at_every_sequence(log: list[f.Fact]) -> None:
    """Summed up from the transfers alone, every unit adds up to 0 and every row equals the balance kept."""
    book = book_of(log)
    for sequence in range(1, len(log) + 1):
        found = trial_balance(book, sequence)
        assert found.balanced
        assert {row.account: row.balance for row in found.rows} == book.balances_at(sequence)


@given(streams)
def test_statements_explain_every_balance(log: list[f.Fact]) -> None:
    """The changes of a statement add up to the balance, line by line."""
    book = book_of(log)
    for account, balance in book.balances.items():
        lines = statement(book, account)
        assert sum(line.change for line in lines) == lines[-1].balance == balance


@given(streams)
def test_worth_equals_the_model(log: list[f.Fact]) -> None:
    """Wealth now and at the end of every round that stands is the model's."""
    book, final = book_of(log), states_of(log)[-1]
    assert [worth.total for worth in present_worth(book).players] == [final.worth(each) for each in PLAYERS]
    assert [[worth.total for worth in point.players] for point in worth_over_time(book)] == final.points


@given(streams, st.integers(0, 60))
def test_a_restored_book_goes_on_like_the_one_it_was_stored_from(log: list[f.Fact], cut: int) -> None:
    """A book made again from its journal at any point ends with the same journal and balances."""
    book = book_of(log[: 1 + cut])
    again = Book.restored("g", book.sequence, book.entries)
    for fact in log:
        apply(again, fact)
    whole = book_of(log)
    assert (again.entries, again.balances, again.sequence) == (whole.entries, whole.balances, whole.sequence)


@given(streams)
def test_every_transfer_has_an_id_of_its_own(log: list[f.Fact]) -> None:
    """No id is given twice, and a correction names a transfer in the book with the sides changed."""
    transfers = {each.id: each for each in book_of(log).transfers}
    assert len(transfers) == len(book_of(log).transfers)
    for each in transfers.values():
        if each.correction_of:
            corrected = transfers[each.correction_of]
            assert (corrected.debit, corrected.credit) == (each.credit, each.debit)
            assert (corrected.amount, corrected.unit) == (each.amount, each.unit)
