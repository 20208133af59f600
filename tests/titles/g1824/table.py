"""Positions of 1824 for tests: a table driven through the real core, and facts written by hand to get to the middle of a game."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import Accepted, create
from services.rules.kernel.events import Event
from services.rules.kernel.values import Ruling
from services.rules.parts.market.data import chart_of
from services.rules.parts.shares.limits import certificate_count
from services.rules.parts.shares.shares import DIRECTOR
from services.rules.titles.g1824.companies import PRIVATES, of_kind
from services.rules.titles.g1824.events import CertificatesReserved, DirectorLost, HomeSpaceChanged
from services.rules.titles.g1824.figures import cards_of
from services.rules.titles.g1824.state import reserved_of
from services.rules.titles.g1824.title import TITLE
from tests.positions.reading import Events, facts
from tests.titles.table import TitleTable

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

    def owns_private(self, player: str, *companies: str, price: int = 0) -> None:
        """The player has these private companies, with nothing paid to anyone; `price` is for coal companies (else 120)."""
        for symbol in companies:
            company = cards_of(self.data)[symbol]
            paid = price or company.price or company.price_options[0]
            self.gets_certificates(player, symbol, DIRECTOR)
            self.is_bought(symbol, player, paid)
            if company.treasury_price_less is not None:
                self.is_open(symbol)
            if company.kind == "coal" and company.exchange and company.exchange.company:
                self.price_is(company.exchange.company, paid // 2)

    def price_is(self, company: str, price: int) -> None:
        """The company started at this price, with its marker in the third column."""
        row = next(row for row, cells in enumerate(chart_of(self.data).rows) if cells[2] == price)
        self.par_is(company, price)
        self.marker_stands(company, row, 2)

    def kept(self, company: str) -> tuple[int, ...]:
        """What is kept for owners of private companies."""
        return reserved_of(self.game, company)

    def nothing_is_kept(self, company: str) -> None:
        """Nothing of this major is kept for an exchange any more."""
        self.write(CertificatesReserved(company, ()))

    def company_runs(self, company: str, treasury: int = 0) -> None:
        """The major is open and has had turns before, with this much money. Begin the round you want after this."""
        self.is_open(company)
        self.round_is("operating", company, turn=1)
        self.has_operated(company)
        self.turn_is_over(company)
        self.has_cash(company, treasury)

    def leave_initial_round(self) -> None:
        """Everybody passes: what is not bought leaves the game, and the first operating round begins."""
        self.round_is("1824.initial_stock", *self.game.players, turn=1)
        self.have_passed(*self.game.players)
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
            table.owns_private(owners[symbol], symbol)
    table.leave_initial_round()
    return table


def lost_directors(events: Events) -> list[tuple[str, str]]:
    """(company, director) where a company fell into receivership."""
    return [(each.company, each.player) for each in facts(events, DirectorLost)]


def moved_home_spaces(events: Events) -> list[tuple[str, int]]:
    """(state, space) where a tile changed the space that the first token of a state is to take."""
    return [(each.state, each.slot) for each in facts(events, HomeSpaceChanged)]
