"""Positions of 1862 for tests: a table driven through the real core, and facts written by hand to get to the middle of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from services.rules.domain import commands as c, events as e
from services.rules.domain.decide import Accepted, create
from services.rules.domain.evolve import replay
from services.rules.domain.game import Game
from services.rules.domain.shares import DIRECTOR
from services.rules.titles.g1862.companies import certificate_count
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

    def pass_round(self) -> list[e.Event]:
        """Everybody passes until the round at hand is over or a question comes up that cannot be passed."""
        before = self.game.current_round
        found: list[e.Event] = []
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
        percent: int = 50,
        chartered: bool = True,
        quoted: bool = True,
        treasury: int = 0,
        tokens: int = 3,
    ) -> None:
        """The company was opened at this price; its director (if named) holds so much of it, the rest is unsold.

        Quoted, it has this much money and so many tokens on its charter."""
        self.write(e.CharterSideSet(symbol, chartered))
        if quoted or not chartered:
            self.price(symbol, price)
        self.write(e.IpoMarkerSet(symbol, min(100, max(54, price))))
        if not chartered:
            numbers = self.game.held(e.BANK, symbol)
            self.write(e.CertificatesMoved(symbol, numbers, e.BANK, symbol, "issued", 100))
        if director:
            self.hold(director, symbol, percent, director=True)
        if quoted:
            self.write(e.CompanyOpened(symbol), e.CharterTokensSet(symbol, (0,) * tokens))
            self.cash(symbol, treasury)

    def hold(
        self, player: str, symbol: str, percent: int, *, director: bool = False, source: str = ""
    ) -> None:
        """Give plain certificates out of the unsold ones (or `source`), or the director's and the rest plain with the
        office; `player` may be the pool."""
        if not source:
            source = e.BANK if self.game.companies[symbol].chartered else symbol
        numbers: tuple[int, ...] = ()
        if director:
            numbers = (DIRECTOR,)
            percent -= 30
            if player in self.game.players:
                self.write(e.DirectorChanged(symbol, player))
        free = [number for number in self.game.held(source, symbol) if number != DIRECTOR]
        assert len(free) * 10 >= percent, f"{source} has no {percent} % of {symbol} left"
        numbers += tuple(free[: percent // 10])
        if numbers:
            sizes = self.data.companies[symbol].certificates
            total = sum(sizes[number] for number in numbers)
            self.write(e.CertificatesMoved(symbol, numbers, source, player, "bought", total))

    def price(self, symbol: str, price: int) -> None:
        """Put the market marker of a company on this price."""
        column = self.data.market.rows[0].index(price)
        if symbol in self.game.markers:
            self.write(e.PriceMoved(symbol, 0, column, "sale", price))
        else:
            self.write(e.PriceStarted(symbol, price, 0, column))

    def train(self, company: str, *kinds: str, runs_as: e.ServiceKind = "express") -> tuple[str, ...]:
        """Give the company the next trains of these letters; returns their ids. Nothing else follows."""
        given = []
        for kind in kinds:
            train = f"{kind}-{self.game.depot_gone.get(kind, 0)}"
            self.write(e.TrainMoved(train, e.BANK, company, "bought"), e.TrainKindChosen(train, runs_as))
            given.append(train)
        return tuple(given)

    def parliament(self, first: str = "", *, turn: int = 2, number: int = 1, count: int = 1) -> None:
        """A parliamentary round begins with this player, who holds the priority marker."""
        order = self._seats(first)
        self.write(
            e.PriorityMoved(order[0]),
            e.RoundStarted("parliamentary", turn, number, count, order),
            e.TurnStarted(0),
            e.StepStarted("open_auction"),
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
    licences: dict[str, e.ServiceKind] | None = None,
    by: Mapping[str, str] | None = None,
    **rulings: str,
) -> Table:
    """A new game at the start of its first parliamentary round, under the rulebook's rulings but for those named one by
    one, or `by` a mapping.

    The companies of `offer` take the first places of it, those of `licences` have these."""
    chosen = tuple(e.Ruling(name, value) for name, value in {**(by or {}), **rulings}.items())
    command = c.CreateGame("1862", PLAYERS[:players], options, chosen, seed=seed)
    outcome = create(TITLE, command)
    assert isinstance(outcome, Accepted), outcome
    data = TITLE.load(options, outcome.game.rulings)
    log = [_renamed(event, _swaps(outcome.game, offer), licences or {}) for event in outcome.events]
    return Table(replay(log), data, log)


def _swaps(game: Game, offer: tuple[str, ...]) -> dict[str, str]:
    """Which company stands for which once those of `offer` are the first."""
    drawn = tuple(game.companies)
    wanted = (*offer, *(symbol for symbol in drawn if symbol not in offer))
    return dict(zip(drawn, wanted, strict=True))


def _renamed(event: e.Event, swaps: dict[str, str], licences: dict[str, e.ServiceKind]) -> e.Event:
    if isinstance(event, e.CompanyOffered):
        symbol = swaps[event.company]
        return replace(event, company=symbol, licence=licences.get(symbol, event.licence))
    if isinstance(event, e.CertificatesMoved | e.CompanyClosed):
        return replace(event, company=swaps[event.company])
    return event
