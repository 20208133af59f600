"""Events that only 1862 knows."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from services.rules.kernel.events import BrokenLog, Event
from services.rules.kernel.game import Game
from services.rules.parts.map.board import LaidTile
from services.rules.titles.g1862.state import Charter, Exchange, Option, ServiceKind, State


class CompanyOffered(Event, frozen=True):
    """`company` is on the offer: it can be opened from `phase` on, and was dealt this licence (empty: none)."""

    company: str
    phase: str
    licence: ServiceKind

    def write(self, game: Game) -> None:
        """The charter is as new; the licences it may use are a fact of their own."""
        State.to_write(game).charters[self.company] = Charter(self.phase, self.licence)


class LicencesSet(Event, frozen=True):
    """`company` may run trains of these kinds."""

    company: str
    licences: tuple[ServiceKind, ...]

    def write(self, game: Game) -> None:
        """The licences are replaced."""
        _change(game, self.company, licences=self.licences)


class CharterSideSet(Event, frozen=True):
    """The charter of `company` lies on its chartered side, or on the other."""

    company: str
    chartered: bool

    def write(self, game: Game) -> None:
        """The side is replaced."""
        _change(game, self.company, chartered=self.chartered)


class ChartAreaSet(Event, frozen=True):
    """The marker of `company` on the chart of initial offers is in the chartered area, though the company is not chartered
    (any more), or it is not (1862/7.5.4-b)."""

    company: str
    chartered_area: bool

    def write(self, game: Game) -> None:
        """The area is replaced."""
        _change(game, self.company, in_chartered_area=self.chartered_area)


class ObligationTaken(Event, frozen=True):
    """`player` answers for `company` being quoted before the end of the next stock round (1862/4.3-a)."""

    player: str
    company: str

    def write(self, game: Game) -> None:
        """The obligation is open."""
        state = State.to_write(game)
        state.obligations = (*state.obligations, (self.player, self.company))


class ObligationMet(Event, frozen=True):
    """`company` was quoted in time; `player` answers no more for it."""

    player: str
    company: str

    def write(self, game: Game) -> None:
        """The obligation is gone."""
        _end_obligation(State.to_write(game), self.player, self.company)


class ObligationFailed(Event, frozen=True):
    """`company` was not quoted in time; `player` answers no more for it."""

    player: str
    company: str

    def write(self, game: Game) -> None:
        """The obligation is gone, the company listed as failed."""
        state = State.to_write(game)
        _end_obligation(state, self.player, self.company)
        state.failed = (*state.failed, self.company)


class FailuresCleared(Event, frozen=True):
    """A stock round begins: it does not matter any more whose obligations failed before."""

    def write(self, game: Game) -> None:
        """No company is listed as failed."""
        State.to_write(game).failed = ()


class TrainKindChosen(Event, frozen=True):
    """`train` runs as this kind from now on, for the rest of the game (1862/2.2-b)."""

    train: str
    kind: ServiceKind

    def write(self, game: Game) -> None:
        """Every train has one kind."""
        State.to_write(game).train_kinds[self.train] = self.kind


class WarrantiesSet(Event, frozen=True):
    """`train` has so many warranties left."""

    train: str
    count: int

    def write(self, game: Game) -> None:
        """Trains without warranty are not listed."""
        warranties = State.to_write(game).warranties
        warranties.pop(self.train, None)
        if self.count:
            warranties[self.train] = self.count


class TrainAbandoned(Event, frozen=True):
    """`train` left the game with its company."""

    train: str
    company: str

    def write(self, game: Game) -> None:
        """The train is listed with its last owner."""
        State.to_write(game).abandoned[self.train] = self.company


class AbandonedTrainTaken(Event, frozen=True):
    """`train`, which had left the game with its company, is in the game again."""

    train: str

    def write(self, game: Game) -> None:
        """The train is not listed any more."""
        State.to_write(game).abandoned.pop(self.train, None)


class StationAdded(Event, frozen=True):
    """The tile just laid on `hex` only adds a small station to `beneath`, which stays there (1862/7.6.4)."""

    hex: str
    beneath: LaidTile

    def write(self, game: Game) -> None:
        """The first piece is kept, however many stations are added to it."""
        State.to_write(game).beneath.setdefault(self.hex, self.beneath)


class StationsCovered(Event, frozen=True):
    """The tile just laid on `hex` replaced the one to which small stations had been added."""

    hex: str

    def write(self, game: Game) -> None:
        """Nothing is beneath the tile."""
        State.to_write(game).beneath.pop(self.hex, None)


class ExchangeStarted(Event, frozen=True):
    """Shares of `company` and `other` (empty: a refinancing) are exchanged 2 for 1 into `company` at `price`.

    `player` started it; `holders` act in this order."""

    kind: str
    company: str
    other: str
    player: str
    price: int
    holders: tuple[str, ...]

    def write(self, game: Game) -> None:
        """Nobody has acted yet."""
        started = Exchange(self.kind, self.company, self.other, self.player, self.price, self.holders)
        State.to_write(game).exchange = started


class OptionMarked(Event, frozen=True):
    """`holder` keeps certificate `number` of `company` as an option, to be redeemed or given up for these sums."""

    holder: str
    company: str
    number: int
    redeem_price: int
    give_up_price: int

    def write(self, game: Game) -> None:
        """A holder has one option at most."""
        option = Option(self.holder, self.company, self.number, self.redeem_price, self.give_up_price)
        exchange = _exchange(game)
        others = tuple(each for each in exchange.options if each.holder != self.holder)
        State.to_write(game).exchange = replace(exchange, options=(*others, option))


class OptionSettled(Event, frozen=True):
    """The option of `holder` on certificate `number` of `company` is redeemed, or given up."""

    holder: str
    company: str
    number: int
    redeemed: bool

    def write(self, game: Game) -> None:
        """The option is gone."""
        exchange = _exchange(game)
        left = tuple(each for each in exchange.options if each.holder != self.holder)
        State.to_write(game).exchange = replace(exchange, options=left)


class HolderSettled(Event, frozen=True):
    """`holder` is through with the exchange."""

    holder: str

    def write(self, game: Game) -> None:
        """The next holder acts."""
        exchange = _exchange(game)
        left = tuple(holder for holder in exchange.holders if holder != self.holder)
        State.to_write(game).exchange = replace(exchange, holders=left)


class ExchangeEnded(Event, frozen=True):
    """The exchange of shares into `company` is over."""

    company: str

    def write(self, game: Game) -> None:
        """No exchange is under way."""
        State.to_write(game).exchange = None


class MonopolyFormed(Event, frozen=True):
    """The company that absorbs all others forms (1862/10.3-a); the certificate limit is `certificate_limit` from now on."""

    name: str
    certificate_limit: int

    def write(self, game: Game) -> None:
        """Name and limit."""
        state = State.to_write(game)
        state.monopoly = self.name
        state.certificate_limit = self.certificate_limit


def _change(game: Game, symbol: str, **changes: Any) -> None:
    charters = State.to_write(game).charters
    charters[symbol] = replace(charters.get(symbol, Charter()), **changes)


def _end_obligation(state: State, player: str, company: str) -> None:
    state.obligations = tuple(each for each in state.obligations if each != (player, company))


def _exchange(game: Game) -> Exchange:
    exchange = State.of(game).exchange
    if exchange is None:
        raise BrokenLog("no exchange of shares is under way")
    return exchange


EVENTS: tuple[type[Event], ...] = (
    CompanyOffered,
    LicencesSet,
    CharterSideSet,
    ChartAreaSet,
    ObligationTaken,
    ObligationMet,
    ObligationFailed,
    FailuresCleared,
    TrainKindChosen,
    WarrantiesSet,
    TrainAbandoned,
    AbandonedTrainTaken,
    StationAdded,
    StationsCovered,
    ExchangeStarted,
    OptionMarked,
    OptionSettled,
    HolderSettled,
    ExchangeEnded,
    MonopolyFormed,
)
