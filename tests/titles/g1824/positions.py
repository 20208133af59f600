"""Positions of 1824 for tests: a table driven through the real core, and facts written by hand to get to the middle of a game."""

from __future__ import annotations

from dataclasses import dataclass, field

from services.routing.domain.solver import solve
from services.rules.domain import commands as c, events as e
from services.rules.domain.board import CityId, face
from services.rules.domain.choice import Choice
from services.rules.domain.decide import Accepted, acting_players, choices, create, decide
from services.rules.domain.draft import Draft
from services.rules.domain.evolve import apply
from services.rules.domain.game import Game
from services.rules.domain.market import price_of
from services.rules.domain.rejections import Rejection
from services.rules.domain.shares import DIRECTOR, percent_held
from services.rules.domain.title import Context
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1824.companies import PRIVATES, certificate_count, of_kind
from services.rules.titles.g1824.title import TITLE

ADA, BEN, CLEO, DORA, EMIL, FAY = PLAYERS = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay")


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

    def pass_stock_round(self) -> list[e.Event]:
        """Everybody passes until the stock round at hand is over."""
        before = self.game.current_round
        found: list[e.Event] = []
        while (self.game.current_round.kind, self.game.current_round.turn) == (before.kind, before.turn):
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
        draft = Draft(self.game, self.data)
        TITLE.advance(draft, Context(self.data))
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
        """Leave exactly this much in the bank; the difference goes out of play with the last player."""
        holder = self.game.players[-1]
        self.cash(holder, self.game.money(holder) + self.game.money(e.BANK) - amount)

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

    def token(self, company: str, hex_id: str, city: int = 0, slot: int | None = None) -> None:
        """Place a token of the company, the cheapest of its charter, in the first free slot unless told otherwise."""
        slots = face(self.data, self.game.tiles, hex_id).stops[city].slots
        taken = self.game.tokens.get((hex_id, city)) or ("",) * slots
        charter = self.game.companies[company].charter
        place = taken.index("") if slot is None else slot
        self.write(e.TokenPlaced(company, hex_id, city, place, charter[0] if charter else 0, "home", slots))

    def home(self, *companies: str) -> None:
        """Place the base tokens of these companies on their printed homes."""
        for company in companies:
            home = self.data.companies[company].home
            assert home is not None
            self.token(company, home.hex, home.stop)

    def tile(self, hex_id: str, tile: str, rotation: int) -> None:
        """Lay a tile on the map, the lowest piece that is not out yet."""
        copy = sum(laid.tile == tile for laid in self.game.tiles.values())
        self.write(e.TileLaid("", hex_id, tile, rotation, copy, hex_id in self.game.tiles))

    def train(self, company: str, *kinds: str) -> tuple[str, ...]:
        """Give the company the next trains of these kinds out of the depot; returns their ids. Nothing else follows."""
        given = []
        for kind in kinds:
            train = f"{kind}-{self.game.depot_gone.get(kind, 0)}"
            self.write(e.TrainMoved(train, e.BANK, company, "bought"))
            given.append(train)
        return tuple(given)

    def deplete(self, kind: str, *, leave: int = 0) -> None:
        """Sell the trains of a kind out of the game until so many are left in the depot."""
        while self.game.depot_gone.get(kind, 0) < self.data.trains[kind].count - leave:
            self.train("", kind)

    def phase(self, name: str) -> None:
        """Begin this phase: all normal trains before it are sold, the first of it too; nothing else is touched."""
        order = list(self.data.phases)
        for earlier in order[: order.index(name)]:
            self.deplete(earlier)
        if not self.game.depot_gone.get(name):
            self.train("", name)
        if self.game.phase != name:
            self.write(e.PhaseStarted(name))

    def leave_initial_round(self) -> None:
        """Everybody passes: what is not bought leaves the game, and the first operating round begins."""
        self.write(e.RoundStarted("initial_stock", 1, 1, 1, self.game.players), e.TurnStarted(0))
        self.write(*(e.PlayerPassed(player, False) for player in self.game.players))
        self.carry_on()

    def stock_round(self, first: str = "", turn: int = 2) -> None:
        """A stock round begins with this player, who holds the priority card."""
        players = self.game.players
        at = players.index(first or players[0])
        self.write(
            e.PriorityMoved(players[at]),
            e.RoundStarted("stock", turn, 1, 1, players[at:] + players[:at]),
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
        """How much of a major the holder has, in percent."""
        return percent_held(self.game, self.data, holder, company)

    def price_of(self, company: str) -> int:
        """The present share price."""
        return price_of(self.game, self.data, company)

    def certificates(self, player: str) -> int:
        """How many certificates count toward the player's limit."""
        return certificate_count(self.game, self.data, player)

    def director(self, company: str) -> str:
        """Who decides for the company."""
        return self.game.companies[company].director

    def tokens(self, company: str) -> dict[CityId, tuple[str, ...]]:
        """The cities with a token of the company."""
        return {city: slots for city, slots in self.game.tokens.items() if company in slots}


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


def of_type(events: tuple[e.Event, ...] | list[e.Event], *kinds: type[e.Event]) -> list[e.Event]:
    """The events of these kinds, in order."""
    return [event for event in events if isinstance(event, kinds)]
