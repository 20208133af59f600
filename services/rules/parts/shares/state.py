"""What a game knows of its companies, and of purchases and sales of their shares in the turn and round at hand."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct

from services.rules.kernel.game import Game, PartNote, PartState
from services.rules.kernel.titledata import TitleData

PART = "shares"


class Company(Struct, frozen=True, gc=False):
    """What may change about one company. `shares`: how many it is divided into. `par` is the first price of a share,
    `price_paid` what its owner paid for the whole of it; 0 while there is none."""

    opened: bool = False
    closed: bool = False
    operated: bool = False
    director: str = ""
    shares: int = 0
    par: int = 0
    price_paid: int = 0

    @property
    def bought(self) -> bool:
        """Whether a player bought the whole of it."""
        return self.price_paid > 0


class SharesState(PartState):
    """Companies by symbol."""

    PART: ClassVar[str] = PART

    companies: dict[str, Company] = {}

    def copy(self) -> SharesState:
        """An independent copy."""
        return SharesState(self.companies.copy())

    def position(self, data: TitleData) -> object:
        """All of it."""
        return self.companies


class StockTurn(PartNote, frozen=True):
    """`bought`: the company of the certificate bought in this turn; `sold`: the companies sold, in order."""

    PART: ClassVar[str] = PART

    bought: str = ""
    sold: tuple[str, ...] = ()


class StockRound(PartNote, frozen=True):
    """`sold` pairs (player, company) sold in this round; `purchases` has one for every share bought in it."""

    PART: ClassVar[str] = PART

    sold: tuple[tuple[str, str], ...] = ()
    purchases: tuple[tuple[str, str], ...] = ()


def companies_of(game: Game) -> dict[str, Company]:
    """The companies of a game by symbol, those that something was written about."""
    try:
        found: Any = game.parts[PART]
    except KeyError:
        return {}
    companies: dict[str, Company] = found.companies
    return companies


def stock_turn(game: Game) -> StockTurn:
    """Purchase and sales of the turn at hand."""
    return StockTurn.of_turn(game)


def stock_round(game: Game) -> StockRound:
    """Purchases and sales of the round at hand."""
    return StockRound.of_round(game)
