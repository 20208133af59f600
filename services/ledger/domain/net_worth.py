"""Net worth: cash, certificates at market price, private companies at the price paid, less debt.

This is the table's running count, the same for every title. The final wealth by a title's own count is in
the game's scores.
"""

from __future__ import annotations

from dataclasses import dataclass

from services.ledger.domain.accounts import DEBT, MONEY, Account, company_of
from services.ledger.domain.book import START, Book
from services.ledger.domain.journal import Entry, Moment, RoundClosed, TakenBack, Transfer, Valued


@dataclass(frozen=True, slots=True)
class PlayerWorth:
    """The wealth of one player in whole units; `debt` is above 0 when something is owed."""

    player: str
    cash: int
    certificates: int
    private_companies: int
    debt: int

    @property
    def total(self) -> int:
        """What the player is worth."""
        return self.cash + self.certificates + self.private_companies - self.debt


@dataclass(frozen=True, slots=True)
class Point:
    """The wealth of all players in seat order after `sequence`, at `moment`."""

    sequence: int
    moment: Moment
    players: tuple[PlayerWorth, ...]


def present_worth(book: Book) -> Point:
    """What the players are worth at the last sequence booked."""
    values = {company: history[-1] for company, history in book.values.items()}
    return Point(
        book.sequence, book.moment_at(book.sequence), _worth_of_all(book.players, book.balances, values)
    )


def worth_over_time(book: Book) -> tuple[Point, ...]:
    """One point at the end of every round; rounds that were undone are left out."""
    course = _Course(book.players)
    for entry in book.entries:
        course.follow(entry)
    return course.histories[-1][1]


class _Course:
    """The journal read once more from its beginning, stopping at the end of every round.

    `histories` pairs a sequence with the points valid from there on, so that an undo finds those of its
    target."""

    __slots__ = ("balances", "histories", "moment", "players", "values")

    def __init__(self, players: tuple[str, ...]) -> None:
        self.players = players
        self.balances: dict[Account, int] = {}
        self.values: dict[str, Valued] = {}
        self.moment = START
        self.histories: list[tuple[int, tuple[Point, ...]]] = [(0, ())]

    def follow(self, entry: Entry) -> None:
        """Process the next entry."""
        if isinstance(entry, Transfer):
            self._move(entry.debit, entry.unit, -entry.amount)
            self._move(entry.credit, entry.unit, entry.amount)
        elif isinstance(entry, Valued):
            self.values[entry.company] = entry
        elif isinstance(entry, Moment):
            self.moment = entry
        elif isinstance(entry, RoundClosed):
            worth = _worth_of_all(self.players, self.balances, self.values)
            point = Point(entry.sequence, self.moment, worth)
            self.histories.append((entry.sequence, (*self.histories[-1][1], point)))
        elif isinstance(entry, TakenBack):
            restored = next(
                points for since, points in reversed(self.histories) if since <= entry.to_sequence
            )
            self.histories.append((entry.sequence, restored))

    def _move(self, holder: str, unit: str, change: int) -> None:
        account = Account(holder, unit)
        self.balances[account] = self.balances.get(account, 0) + change


def _worth_of_all(
    players: tuple[str, ...], balances: dict[Account, int], values: dict[str, Valued]
) -> tuple[PlayerWorth, ...]:
    certificates = dict.fromkeys(players, 0)
    for (holder, unit), shares in balances.items():
        value = values.get(company_of(unit))
        if value and not value.owner and holder in certificates:
            certificates[holder] += shares * value.price
    private = dict.fromkeys(players, 0)
    for value in values.values():
        if value.owner in private:
            private[value.owner] += value.price
    return tuple(
        PlayerWorth(
            player=player,
            cash=balances.get(Account(player, MONEY), 0),
            certificates=certificates[player],
            private_companies=private[player],
            debt=balances.get(Account(player, DEBT), 0),
        )
        for player in players
    )
