"""What only a game of 1862 knows: the offer and its licences, obligations, exchanges of shares, what trains run as."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from services.rules.kernel.game import Game, PartState
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import LaidTile

PART = "1862"

# What a train runs as, and what a licence is for: `freight`, `local` or `express`.
ServiceKind = str


class Charter(Struct, frozen=True):
    """A company on the offer. `offered_from`: the phase from which it can be opened; `licence`: the one it was dealt, empty
    for none, `licences`: all it has. `chartered`: its charter lies on the chartered side; `in_chartered_area`: its marker
    is in the chartered area of the chart of initial offers, as after a merger."""

    offered_from: str = ""
    licence: ServiceKind = ""
    licences: tuple[ServiceKind, ...] = ()
    chartered: bool = False
    in_chartered_area: bool = False


class Option(Struct, frozen=True):
    """A certificate that `holder` keeps as an option, with the sums for which it is redeemed or given up."""

    holder: str
    company: str
    number: int
    redeem_price: int
    give_up_price: int


class Exchange(Struct, frozen=True):
    """An exchange of shares 2 for 1 that is under way, part of a `merger`, an `acquisition` or a `refinancing`: `holders` have
    still to act, the first one now."""

    kind: str
    company: str
    other: str
    player: str
    price: int
    holders: tuple[str, ...]
    options: tuple[Option, ...] = ()


class State(PartState):
    """`charters` by company. `obligations`: (player, company); `failed`: companies whose obligation failed since the last
    stock round began. `train_kinds` and `warranties` by train. `beneath`: the piece under a tile that only shows added
    stations, by hex. `certificate_limit`: the limit once the last great company has formed, else 0. `abandoned`: the trains
    that left the game with their company, and which it was."""

    PART: ClassVar[str] = PART

    charters: dict[str, Charter] = {}
    obligations: tuple[tuple[str, str], ...] = ()
    failed: tuple[str, ...] = ()
    exchange: Exchange | None = None
    train_kinds: dict[str, ServiceKind] = {}
    warranties: dict[str, int] = {}
    beneath: dict[str, LaidTile] = {}
    abandoned: dict[str, str] = {}
    monopoly: str = ""
    certificate_limit: int = 0

    def copy(self) -> State:
        """An independent copy."""
        return State(
            self.charters.copy(),
            self.obligations,
            self.failed,
            self.exchange,
            self.train_kinds.copy(),
            self.warranties.copy(),
            self.beneath.copy(),
            self.abandoned.copy(),
            self.monopoly,
            self.certificate_limit,
        )

    def position(self, data: TitleData) -> object:
        """Charters, obligations, warranties and the last great company."""
        return self.charters, self.warranties, self.obligations, self.failed, self.monopoly


own = State.of


_UNDEALT = Charter()


def charter_of(game: Game, symbol: str) -> Charter:
    """A company's charter, one as new if it was not dealt into the game."""
    return own(game).charters.get(symbol) or _UNDEALT
