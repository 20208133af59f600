"""Positions of 1862 for tests: a table driven through the real core, and facts written by hand to get to the middle of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import Accepted, create
from services.rules.kernel.events import (
    CertificatesMoved,
    Event,
    PriorityMoved,
    RoundStarted,
    StepStarted,
    TurnStarted,
)
from services.rules.kernel.fold import replay
from services.rules.kernel.game import Game
from services.rules.kernel.values import Ruling
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.events import CharterTokensSet
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.events import PriceMoved, PriceStarted
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.events import (
    CompanyAdded,
    CompanyClosed,
    CompanyOpened,
    DirectorChanged,
    ParSet,
    SharesDivided,
)
from services.rules.parts.shares.shares import DIRECTOR, shares_of
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.companies import certificate_count
from services.rules.titles.g1862.events import CharterSideSet, CompanyOffered, LicencesSet, TrainKindChosen
from services.rules.titles.g1862.figures import director_shares
from services.rules.titles.g1862.state import ServiceKind, charter_of
from services.rules.titles.g1862.title import TITLE
from tests.titles.table import TitleTable, of_type as of_type

ADA, BEN, CLEO, DORA, EMIL, FAY, GUS, HAL = PLAYERS = (
    "Ada",
    "Ben",
    "Cleo",
    "Dora",
    "Emil",
    "Fay",
    "Gus",
    "Hal",
)


@dataclass(slots=True)
class Table(TitleTable):
    """A game of 1862."""

    title = TITLE

    def pass_round(self) -> list[Event]:
        """Everybody passes until the round at hand is over or a question comes up that cannot be passed."""
        before = self.game.current_round
        found: list[Event] = []
        while not self.game.interrupts and not self.game.finished:
            now = self.game.current_round
            if (now.kind, now.turn, now.number) != (before.kind, before.turn, before.number):
                break
            found += self.pass_on()
        return found

    def found(
        self,
        symbol: str,
        price: int,
        director: str = "",
        *,
        shares: int = 5,
        chartered: bool = True,
        quoted: bool = True,
        treasury: int = 0,
        tokens: int = 3,
    ) -> None:
        """The company was opened at this price; its director (if named) holds so much of it, the rest is unsold.

        Quoted, it has this much money and so many tokens on its charter."""
        self.write(CharterSideSet(symbol, chartered))
        if quoted or not chartered:
            self.price(symbol, price)
        self.write(ParSet(symbol, min(100, max(54, price))))
        if not chartered:
            numbers = self.game.held(BANK, symbol)
            self.write(CertificatesMoved(symbol, numbers, BANK, symbol, "issued", 10))
        if director:
            self.hold(director, symbol, shares, director=True)
        if quoted:
            self.write(CompanyOpened(symbol), CharterTokensSet(symbol, (0,) * tokens))
            self.cash(symbol, treasury)

    def hold(
        self, player: str, symbol: str, shares: int, *, director: bool = False, source: str = ""
    ) -> None:
        """Give plain certificates out of the unsold ones (or `source`), or the director's and the rest plain with the
        office; `player` may be the pool."""
        if not source:
            source = BANK if charter_of(self.game, symbol).chartered else symbol
        numbers: tuple[int, ...] = ()
        if director:
            numbers = (DIRECTOR,)
            shares -= director_shares(self.data)
            if player in self.game.players:
                self.write(DirectorChanged(symbol, player))
        free = [number for number in self.game.held(source, symbol) if number != DIRECTOR]
        assert len(free) >= shares, f"{source} has no {shares} shares of {symbol} left"
        numbers += tuple(free[:shares])
        if numbers:
            total = shares_of(self.data, symbol, numbers)
            self.write(CertificatesMoved(symbol, numbers, source, player, "bought", total))

    def price(self, symbol: str, price: int) -> None:
        """Put the market marker of a company on this price."""
        column = chart_of(self.data).rows[0].index(price)
        if symbol in market_of(self.game).markers:
            self.write(PriceMoved(symbol, 0, column, "sale", price))
        else:
            self.write(PriceStarted(symbol, price, 0, column))

    def train(self, company: str, *kinds: str, runs_as: ServiceKind = "express") -> tuple[str, ...]:
        """Give the company the next trains of these letters; returns their ids. Nothing else follows."""
        given = []
        for kind in kinds:
            train = f"{kind}-{trains_of(self.game).depot_gone.get(kind, 0)}"
            self._sell_train(kind, train, company)
            self.write(TrainKindChosen(train, runs_as))
            given.append(train)
        return tuple(given)

    def parliament(self, first: str = "", *, turn: int = 2, number: int = 1, count: int = 1) -> None:
        """A parliamentary round begins with this player, who holds the priority marker."""
        order = self._seats(first)
        self.write(
            PriorityMoved(order[0]),
            RoundStarted("1862.parliamentary", turn, number, count, order),
            TurnStarted(0),
            StepStarted("open_auction"),
        )

    def certificates(self, player: str) -> int:
        """How many certificates count toward the player's limit."""
        return certificate_count(self.game, player)


def new_table(
    players: int = 4,
    /,
    *options: str,
    seed: int = 0,
    offer: tuple[str, ...] = (),
    licences: dict[str, ServiceKind] | None = None,
    by: Mapping[str, str] | None = None,
    **rulings: str,
) -> Table:
    """A new game at the start of its first parliamentary round, under the rulebook's rulings but for those named one by
    one, or `by` a mapping.

    The companies of `offer` take the first places of it, those of `licences` have these."""
    chosen = tuple(Ruling(name, value) for name, value in {**(by or {}), **rulings}.items())
    command = CreateGame("1862", PLAYERS[:players], options, chosen, seed=seed)
    outcome = create(TITLE, command)
    assert isinstance(outcome, Accepted), outcome
    data = TITLE.load(options, outcome.game.rulings)
    log = [_renamed(event, _swaps(outcome.game, offer), licences or {}) for event in outcome.events]
    return Table(replay(log), data, log)


def _swaps(game: Game, offer: tuple[str, ...]) -> dict[str, str]:
    """Which company stands for which once those of `offer` are the first."""
    drawn = tuple(companies_of(game))
    wanted = (*offer, *(symbol for symbol in drawn if symbol not in offer))
    return dict(zip(drawn, wanted, strict=True))


def _renamed(event: Event, swaps: dict[str, str], licences: dict[str, ServiceKind]) -> Event:
    if isinstance(event, CompanyOffered):
        symbol = swaps[event.company]
        return replace(event, company=symbol, licence=licences.get(symbol, event.licence))
    if isinstance(event, LicencesSet):
        symbol = swaps[event.company]
        licence = licences.get(symbol)
        return replace(event, company=symbol, licences=(licence,) if licence else event.licences)
    if isinstance(event, CompanyAdded | SharesDivided | CompanyClosed | CertificatesMoved):
        return replace(event, company=swaps[event.company])
    return event
