"""Positions of 1862 for tests: a table driven through the real core, and facts written by hand to get to the middle of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import Accepted, create
from services.rules.kernel.events import CertificatesMoved, Event
from services.rules.kernel.fold import replay
from services.rules.kernel.game import Game
from services.rules.kernel.values import Ruling
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.market.data import chart_of
from services.rules.parts.shares.events import CompanyAdded, CompanyClosed, SharesDivided
from services.rules.parts.shares.limits import certificate_count
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1862.events import (
    CharterSideSet,
    CompanyOffered,
    LicencesSet,
    MonopolyFormed,
    ObligationTaken,
    TrainKindChosen,
    WarrantiesSet,
)
from services.rules.titles.g1862.state import ServiceKind, charter_of
from services.rules.titles.g1862.title import TITLE
from tests.titles.table import TitleTable

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

    def is_founded(
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
        self.charter_is(symbol, chartered=chartered)
        if quoted or not chartered:
            self.price_is(symbol, price)
        self.par_is(symbol, min(100, max(54, price)))
        if not chartered:
            self.gets_certificates(symbol, symbol, *self.game.held(BANK, symbol))
        if director:
            self.holds(director, symbol, shares, director=True)
        if quoted:
            self.is_open(symbol)
            self.charter_has_tokens(symbol, *(0,) * tokens)
            self.has_cash(symbol, treasury)

    def seller(self, company: str) -> str:
        """The bank sells for a chartered company, any other has its shares in its treasury."""
        return BANK if charter_of(self.game, company).chartered else company

    def price_is(self, symbol: str, price: int) -> None:
        """The market marker of the company is on this price."""
        self.marker_stands(symbol, 0, chart_of(self.data).rows[0].index(price))

    def charter_is(self, symbol: str, *, chartered: bool) -> None:
        """The charter of the company lies on this side."""
        self.write(CharterSideSet(symbol, chartered))

    def licences_are(self, symbol: str, *kinds: ServiceKind) -> None:
        """The company may own trains of these kinds."""
        self.write(LicencesSet(symbol, kinds))

    def owns_trains(self, company: str, *kinds: str, runs_as: ServiceKind = "express") -> tuple[str, ...]:
        """The company gets the next trains of these letters out of the depot, run as this kind; their ids. No phase
        begins."""
        given = tuple(self.takes_next_train(company, kind) for kind in kinds)
        for train in given:
            self.runs_as(train, runs_as)
        return given

    def runs_as(self, train: str, kind: ServiceKind) -> None:
        """The train runs as this kind of train."""
        self.write(TrainKindChosen(train, kind))

    def warranties_are(self, train: str, count: int) -> None:
        """The train has so many warranties."""
        self.write(WarrantiesSet(train, count))

    def has_obligation(self, player: str, symbol: str) -> None:
        """The player has to open the company."""
        self.write(ObligationTaken(player, symbol))

    def monopoly_is(self, name: str, certificate_limit: int) -> None:
        """The company that absorbs all others has formed; the certificate limit is this one from now on."""
        self.write(MonopolyFormed(name, certificate_limit))

    def parliament_is(self, first: str = "", *, turn: int = 2, number: int = 1, count: int = 1) -> None:
        """A parliamentary round has begun with this player, who has the priority."""
        order = self.seats_from(first)
        self.priority_is(order[0])
        self.round_is(
            "1862.parliamentary", *order, step="open_auction", turn=turn, number=number, count=count
        )

    def certificates(self, player: str) -> int:
        """How many certificates count toward the player's limit."""
        return certificate_count(self.game, self.data, player)


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
