"""Events of companies: who directs them, whether they are open, their first price, purchases and sales of their shares."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from services.rules.kernel.events import Event
from services.rules.kernel.game import Game
from services.rules.parts.shares.state import Company, SharesState, StockRound, StockTurn


class CompanyAdded(Event, frozen=True):
    """`company` is one of the companies of this game."""

    company: str

    def write(self, game: Game) -> None:
        """It is as new."""
        SharesState.to_write(game).companies[self.company] = Company()


class SharesDivided(Event, frozen=True):
    """`company` is divided into `shares` shares from now on."""

    company: str
    shares: int

    def write(self, game: Game) -> None:
        """The number is replaced."""
        _change(game, self.company, shares=self.shares)


class CompanyBought(Event, frozen=True):
    """`owner` bought the whole of `company` for `price`; it is worth that to him."""

    company: str
    owner: str
    price: int

    def write(self, game: Game) -> None:
        """The owner decides for it."""
        _change(game, self.company, director=self.owner, price_paid=self.price)


class CompanyOpened(Event, frozen=True):
    """`company` is operational from now on (floated, or formed)."""

    company: str

    def write(self, game: Game) -> None:
        """It is open."""
        _change(game, self.company, opened=True)


class CompanyOperated(Event, frozen=True):
    """`company` has had a turn in an operating round."""

    company: str

    def write(self, game: Game) -> None:
        """It has operated."""
        _change(game, self.company, operated=True)


class DirectorChanged(Event, frozen=True):
    """`director` decides for `company`; empty when nobody does."""

    company: str
    director: str

    def write(self, game: Game) -> None:
        """There is one director."""
        _change(game, self.company, director=self.director)


class ParSet(Event, frozen=True):
    """The first price of a share of `company` is `price`; 0: it has none."""

    company: str
    price: int

    def write(self, game: Game) -> None:
        """The price is replaced."""
        _change(game, self.company, par=self.price)


class CompanyClosed(Event, frozen=True):
    """`company` left the game; `successor` took over what it had, or empty."""

    company: str
    successor: str = ""

    def write(self, game: Game) -> None:
        """Nobody decides for it any more."""
        _change(game, self.company, closed=True, opened=False, director="")


class CompanyReset(Event, frozen=True):
    """`company` is as if never opened and can be opened again; `successor` took over what it had, or empty. It stays divided
    into as many shares."""

    company: str
    successor: str = ""

    def write(self, game: Game) -> None:
        """Everything else about it is as at the start."""
        companies = SharesState.to_write(game).companies
        companies[self.company] = Company(shares=companies.get(self.company, Company()).shares)


class SharesBought(Event, frozen=True):
    """`player` bought `count` shares of `company` in this turn."""

    player: str
    company: str
    count: int = 1

    def write(self, game: Game) -> None:
        """The turn knows the company, the round every share."""
        replace(StockTurn.of_turn(game), bought=self.company).note_turn(game)
        so_far = StockRound.of_round(game)
        bought = ((self.player, self.company),) * self.count
        replace(so_far, purchases=so_far.purchases + bought).note_round(game)


class SharesSold(Event, frozen=True):
    """`player` sold shares of `company` in this turn."""

    player: str
    company: str

    def write(self, game: Game) -> None:
        """The turn lists every sale, the round each player with the companies he sold."""
        turn, so_far = StockTurn.of_turn(game), StockRound.of_round(game)
        replace(turn, sold=(*turn.sold, self.company)).note_turn(game)
        sold = tuple(dict.fromkeys((*so_far.sold, (self.player, self.company))))
        replace(so_far, sold=sold).note_round(game)


def _change(game: Game, symbol: str, **changes: Any) -> None:
    companies = SharesState.to_write(game).companies
    companies[symbol] = replace(companies.get(symbol, Company()), **changes)


EVENTS: tuple[type[Event], ...] = (
    CompanyAdded,
    SharesDivided,
    CompanyBought,
    CompanyOpened,
    CompanyOperated,
    DirectorChanged,
    ParSet,
    CompanyClosed,
    CompanyReset,
    SharesBought,
    SharesSold,
)
