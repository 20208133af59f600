"""Positions of 1862 for tests: a table driven through the real core, and facts written by hand to get to the middle of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from services.routing.domain.solver import solve
from services.rules.domain import commands as c, events as e
from services.rules.domain.board import CityId, face
from services.rules.domain.choice import Choice
from services.rules.domain.decide import Accepted, acting_players, choices, create, decide
from services.rules.domain.draft import Draft
from services.rules.domain.evolve import apply, replay
from services.rules.domain.game import Game
from services.rules.domain.market import price_of
from services.rules.domain.rejections import Rejection
from services.rules.domain.shares import DIRECTOR, percent_held
from services.rules.domain.title import Context
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1862.companies import certificate_count
from services.rules.titles.g1862.title import TITLE

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
class Table:
    """A game with its log. `act` goes through the rules; everything below `write` writes facts without asking them."""

    game: Game
    data: TitleData
    log: list[e.Event] = field(default_factory=list)

    def act(self, player: str, command: c.Command) -> tuple[e.Event, ...]:
        """What the command leads to; it must be accepted. Runs are proven best with the real solver."""
        outcome = self._decide(player, command)
        assert isinstance(outcome, Accepted), outcome
        self.game = outcome.game
        self.log += outcome.events
        return outcome.events

    def refusal(self, player: str, command: c.Command) -> tuple[str, str]:
        """Reason code and clause with which the command is refused."""
        outcome = self._decide(player, command)
        assert isinstance(outcome, Rejection), f"accepted: {command}"
        return outcome.code, outcome.clause

    def _decide(self, player: str, command: c.Command) -> Accepted | Rejection:
        question = TITLE.route_question(self.game, self.data, command)
        best = solve(question) if question is not None else None
        return decide(TITLE, self.data, self.game, player, command, best)

    def choices(self, player: str) -> tuple[Choice, ...]:
        """All choices of a player."""
        return choices(TITLE, self.data, self.game, player)

    def offered(self, player: str, kind: type[c.Command] = c.Command) -> list[c.Command]:
        """The commands of one kind that a player may send as they are listed."""
        return [choice.command for choice in self.choices(player) if isinstance(choice.command, kind)]

    def asked(self) -> str:
        """The player who has to answer now, empty when nobody has."""
        return next(iter(acting_players(TITLE, self.data, self.game)), "")

    def pass_on(self, turns: int = 1) -> list[e.Event]:
        """Whoever is asked passes, so many times."""
        return [event for _ in range(turns) for event in self.act(self.asked(), c.Pass())]

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

    def write(self, *events: e.Event) -> None:
        """Fold these facts in as they are."""
        self.game = self.game.copy()
        for event in events:
            apply(self.game, event)
        self.log += events

    def carry_on(self) -> tuple[e.Event, ...]:
        """Let the title carry the game on from a position written by hand, as after a move."""
        draft = self.draft()
        TITLE.advance(draft, Context(self.data))
        return self.take(draft)

    def draft(self) -> Draft:
        """A draft on the position, for rules that are called without a command."""
        return Draft(self.game, self.data)

    def take(self, draft: Draft) -> tuple[e.Event, ...]:
        """Accept what was drafted."""
        self.game = draft.game
        self.log += draft.events
        return tuple(draft.events)

    def cash(self, holder: str, amount: int) -> None:
        """Give the holder exactly this much, from or to the bank."""
        change = amount - self.game.money(holder)
        if change > 0:
            self.write(e.CashMoved(e.BANK, holder, change, "correction"))
        elif change < 0:
            self.write(e.CashMoved(holder, e.BANK, -change, "correction"))

    def bank(self, amount: int) -> None:
        """Leave exactly this much in the bank; the difference goes to, or comes from, the last player."""
        holder = self.game.players[-1]
        self.cash(holder, self.game.money(holder) + self.game.money(e.BANK) - amount)

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

    def token(self, company: str, hex_id: str, city: int = 0, slot: int | None = None) -> None:
        """Place a token of the company from its charter in the first free slot unless told otherwise."""
        slots = face(self.data, self.game.tiles, hex_id).stops[city].slots
        taken = self.game.tokens.get((hex_id, city)) or ("",) * slots
        place = taken.index("") if slot is None else slot
        self.write(e.TokenPlaced(company, hex_id, city, place, 0, "home", slots))

    def home(self, *companies: str) -> None:
        """Place the home tokens of these companies."""
        for company in companies:
            home = self.data.companies[company].home
            assert home is not None
            self.token(company, home.hex, home.stop)

    def tile(self, hex_id: str, tile: str, rotation: int) -> None:
        """Lay a tile on the map, the lowest piece that is not out yet."""
        copy = sum(laid.tile == tile for laid in self.game.tiles.values())
        self.write(e.TileLaid("", hex_id, tile, rotation, copy, hex_id in self.game.tiles))

    def train(self, company: str, *kinds: str, runs_as: e.ServiceKind = "express") -> tuple[str, ...]:
        """Give the company the next trains of these letters; returns their ids. Nothing else follows."""
        given = []
        for kind in kinds:
            train = f"{kind}-{self.game.depot_gone.get(kind, 0)}"
            self.write(e.TrainMoved(train, e.BANK, company, "bought"), e.TrainKindChosen(train, runs_as))
            given.append(train)
        return tuple(given)

    def deplete(self, kind: str, *, leave: int = 0) -> None:
        """Sell the trains of a letter out of the game until so many are left in the depot."""
        while self.game.depot_gone.get(kind, 0) < self.data.trains[kind].count - leave:
            self.train("", kind)

    def phase(self, name: str) -> None:
        """Begin this phase: all trains before it are sold, the first of it too; nothing else is touched."""
        order = list(self.data.phases)
        for earlier in order[: order.index(name)]:
            self.deplete(earlier)
        if not self.game.depot_gone.get(name):
            self.train("", name)
        if self.game.phase != name:
            self.write(e.PhaseStarted(name))

    def _seats(self, first: str) -> tuple[str, ...]:
        players = self.game.players
        at = players.index(first or players[0])
        return players[at:] + players[:at]

    def parliament(self, first: str = "", *, turn: int = 2, number: int = 1, count: int = 1) -> None:
        """A parliamentary round begins with this player, who holds the priority marker."""
        order = self._seats(first)
        self.write(
            e.PriorityMoved(order[0]),
            e.RoundStarted("parliamentary", turn, number, count, order),
            e.TurnStarted(0),
            e.StepStarted("open_auction"),
        )

    def stock_round(self, first: str = "", *, turn: int = 2) -> None:
        """A stock round begins with this player, who holds the priority marker."""
        order = self._seats(first)
        self.write(
            e.PriorityMoved(order[0]),
            e.RoundStarted("stock", turn, 1, 1, order),
            e.TurnStarted(0),
            e.StepStarted("stock_turn"),
        )

    def operating_round(
        self, *order: str, step: str = "buy_trains", number: int = 1, count: int = 1, turn: int = 2
    ) -> None:
        """An operating round of these companies; the first one stands in the step named."""
        self.write(
            e.RoundStarted("operating", turn, number, count, order), e.TurnStarted(0), e.StepStarted(step)
        )

    def percent(self, holder: str, company: str) -> int:
        """How much of a company the holder has, in percent."""
        return percent_held(self.game, self.data, holder, company)

    def price_of(self, company: str) -> int:
        """The present market price."""
        return price_of(self.game, self.data, company)

    def certificates(self, player: str) -> int:
        """How many certificates count toward the player's limit."""
        return certificate_count(self.game, player)

    def director(self, company: str) -> str:
        """Who directs the company."""
        return self.game.companies[company].director

    def tokens(self, company: str) -> dict[CityId, tuple[str, ...]]:
        """The cities with a token of the company."""
        return {city: slots for city, slots in self.game.tokens.items() if company in slots}


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


def of_type(events: tuple[e.Event, ...] | list[e.Event], *kinds: type[e.Event]) -> list[e.Event]:
    """The events of these kinds, in order."""
    return [event for event in events if isinstance(event, kinds)]
