"""Positions of 1824 for tests: a table driven through the real core, and facts written by hand to get to the middle of a game."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import Accepted, create
from services.rules.kernel.events import (
    CertificatesMoved,
    Event,
    PlayerPassed,
    RoundStarted,
    TurnEnded,
    TurnStarted,
)
from services.rules.kernel.values import Ruling
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.events import PriceMoved, PriceStarted
from services.rules.parts.shares.events import (
    CompanyBought,
    CompanyOpened,
    CompanyOperated,
    DirectorChanged,
    ParSet,
)
from services.rules.parts.shares.shares import DIRECTOR
from services.rules.titles.g1824.companies import PRIVATES, certificate_count, of_kind
from services.rules.titles.g1824.events import CertificatesReserved
from services.rules.titles.g1824.figures import cards_of
from services.rules.titles.g1824.state import reserved_of
from services.rules.titles.g1824.title import TITLE
from tests.titles.table import TitleTable, of_type as of_type

ADA, BEN, CLEO, DORA, EMIL, FAY = PLAYERS = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay")


@dataclass(slots=True)
class Table(TitleTable):
    """A game of 1824."""

    title = TITLE

    def pass_stock_round(self) -> list[Event]:
        """Everybody passes until the stock round at hand is over."""
        before = self.game.current_round
        found: list[Event] = []
        while (self.game.current_round.kind, self.game.current_round.turn) == (before.kind, before.turn):
            found += self.pass_on()
        return found

    def own(self, player: str, *companies: str, price: int = 0) -> None:
        """Let the player have these private companies, with nothing paid to anyone; `price` is for coal companies (else 120)."""
        for symbol in companies:
            company = cards_of(self.data)[symbol]
            paid = price or company.price or company.price_options[0]
            self.write(
                CertificatesMoved(symbol, (DIRECTOR,), BANK, player, "bought", 1),
                CompanyBought(symbol, player, paid),
            )
            if company.treasury_price_less is not None:
                self.write(CompanyOpened(symbol))
            if company.kind == "coal" and company.exchange and company.exchange.company:
                self.price(company.exchange.company, paid // 2)

    def price(self, company: str, price: int) -> None:
        """Start a company at this price in the third column."""
        row = next(row for row, cells in enumerate(chart_of(self.data).rows) if cells[2] == price)
        self.write(ParSet(company, price), PriceStarted(company, price, row, 2))

    def move_price(self, company: str, row: int, column: int) -> None:
        """Put the marker of a company on a cell of the chart, counted from 0."""
        price = chart_of(self.data).rows[row][column]
        self.write(PriceMoved(company, row, column, "sale", price))

    def hold(self, player: str, company: str, shares: int, *, director: bool = False) -> None:
        """Give plain certificates from the bank, or the director's one and the rest plain with the office."""
        if director:
            self.write(CertificatesMoved(company, (DIRECTOR,), BANK, player, "bought", 2))
            self.write(DirectorChanged(company, player))
            shares -= 2
        kept = reserved_of(self.game, company)
        free = [n for n in self.game.held(BANK, company) if n != DIRECTOR and n not in kept]
        numbers = tuple(free[:shares])
        assert len(numbers) == shares, f"the bank has no {shares} shares of {company} left"
        if numbers:
            self.write(CertificatesMoved(company, numbers, BANK, player, "bought", shares))

    def release(self, company: str) -> None:
        """Nothing of this major is kept for an exchange any more."""
        self.write(CertificatesReserved(company, ()))

    def open(self, company: str, treasury: int = 0) -> None:
        """The major is open and has had turns before, with this much money. Begin the round you want after this."""
        self.write(CompanyOpened(company))
        self.write(
            RoundStarted("operating", 1, 1, 1, (company,)), CompanyOperated(company), TurnEnded(company)
        )
        self.cash(company, treasury)

    def leave_initial_round(self) -> None:
        """Everybody passes: what is not bought leaves the game, and the first operating round begins."""
        self.write(RoundStarted("1824.initial_stock", 1, 1, 1, self.game.players), TurnStarted(0))
        self.write(*(PlayerPassed(player) for player in self.game.players))
        self.carry_on()

    def certificates(self, player: str) -> int:
        """How many certificates count toward the player's limit."""
        return certificate_count(self.game, self.data, player)


def new_table(players: int = 4, /, *options: str, **rulings: str) -> Table:
    """A new game under the rulebook's rulings, but for those named, at the start of its initial stock round."""
    chosen = tuple(Ruling(name, value) for name, value in rulings.items())
    outcome = create(TITLE, CreateGame("1824", PLAYERS[:players], options, chosen))
    assert isinstance(outcome, Accepted), outcome
    return Table(outcome.game, TITLE.data_of(outcome.game), list(outcome.events))


def clear_table(players: int = 4, /, *options: str, **rulings: str) -> Table:
    """A game whose initial stock round is over and in which nobody bought anything: no private company is left, nothing
    is kept for an exchange."""
    table = new_table(players, *options, **rulings)
    table.leave_initial_round()
    return table


def owned_table(owners: dict[str, str], players: int = 4, /, *options: str, **rulings: str) -> Table:
    """A game after the initial stock round in which these private companies (company: owner) and no others were bought."""
    table = new_table(players, *options, **rulings)
    for symbol in of_kind(table.data, *PRIVATES):
        if symbol in owners:
            table.own(owners[symbol], symbol)
    table.leave_initial_round()
    return table
