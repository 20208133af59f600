"""Positions of 1824 for tests: a table driven through the real core, and facts written by hand to get to the middle of a game."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.domain import commands as c, events as e
from services.rules.domain.decide import Accepted, create
from services.rules.domain.shares import DIRECTOR
from services.rules.titles.g1824.companies import PRIVATES, certificate_count, of_kind
from services.rules.titles.g1824.title import TITLE
from tests.titles.table import TitleTable, of_type as of_type

ADA, BEN, CLEO, DORA, EMIL, FAY = PLAYERS = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay")


@dataclass(slots=True)
class Table(TitleTable):
    """A game of 1824."""

    title = TITLE

    def pass_stock_round(self) -> list[e.Event]:
        """Everybody passes until the stock round at hand is over."""
        before = self.game.current_round
        found: list[e.Event] = []
        while (self.game.current_round.kind, self.game.current_round.turn) == (before.kind, before.turn):
            found += self.pass_on()
        return found

    def own(self, player: str, *companies: str, price: int = 0) -> None:
        """Let the player have these private companies, with nothing paid to anyone; `price` is for coal companies (else 120)."""
        for symbol in companies:
            company = self.data.companies[symbol]
            paid = price or company.price or company.price_options[0]
            self.write(
                e.CertificatesMoved(symbol, (DIRECTOR,), e.BANK, player, "bought", 100),
                e.CompanyBought(symbol, player, paid),
            )
            if company.treasury_price_less is not None:
                self.write(e.CompanyOpened(symbol))
            if company.kind == "coal" and company.exchange and company.exchange.company:
                self.price(company.exchange.company, paid // 2)

    def price(self, company: str, price: int) -> None:
        """Start a company at this price in the third column."""
        row = next(row for row, cells in enumerate(self.data.market.rows) if cells[2] == price)
        self.write(e.PriceStarted(company, price, row, 2))

    def move_price(self, company: str, row: int, column: int) -> None:
        """Put the marker of a company on a cell of the chart, counted from 0."""
        price = self.data.market.rows[row][column]
        self.write(e.PriceMoved(company, row, column, "sale", price))

    def hold(self, player: str, company: str, percent: int, *, director: bool = False) -> None:
        """Give plain certificates from the bank, or the director's one and the rest plain with the office."""
        if director:
            self.write(e.CertificatesMoved(company, (DIRECTOR,), e.BANK, player, "bought", 20))
            self.write(e.DirectorChanged(company, player))
            percent -= 20
        kept = self.game.companies[company].reserved
        free = [n for n in self.game.held(e.BANK, company) if n != DIRECTOR and n not in kept]
        numbers = tuple(free[: percent // 10])
        assert 10 * len(numbers) == percent, f"the bank has no {percent} % of {company} left"
        if numbers:
            self.write(e.CertificatesMoved(company, numbers, e.BANK, player, "bought", percent))

    def release(self, company: str) -> None:
        """Nothing of this major is kept for an exchange any more."""
        self.write(e.CertificatesReserved(company, ()))

    def open(self, company: str, treasury: int = 0) -> None:
        """The major is open and has had turns before, with this much money. Begin the round you want after this."""
        self.write(e.CompanyOpened(company))
        self.write(e.RoundStarted("operating", 1, 1, 1, (company,)), e.TurnEnded(company))
        self.cash(company, treasury)

    def leave_initial_round(self) -> None:
        """Everybody passes: what is not bought leaves the game, and the first operating round begins."""
        self.write(e.RoundStarted("initial_stock", 1, 1, 1, self.game.players), e.TurnStarted(0))
        self.write(*(e.PlayerPassed(player, False) for player in self.game.players))
        self.carry_on()

    def certificates(self, player: str) -> int:
        """How many certificates count toward the player's limit."""
        return certificate_count(self.game, self.data, player)


def new_table(players: int = 4, /, *options: str, **rulings: str) -> Table:
    """A new game under the rulebook's rulings, but for those named, at the start of its initial stock round."""
    chosen = tuple(e.Ruling(name, value) for name, value in rulings.items())
    outcome = create(TITLE, c.CreateGame("1824", PLAYERS[:players], options, chosen))
    assert isinstance(outcome, Accepted), outcome
    return Table(outcome.game, TITLE.load(options, outcome.game.rulings), list(outcome.events))


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
