"""A table for tests of any title: driven through the real core, with facts written by hand to get to the middle of a game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from services.routing.domain.solver import solve
from services.rules.domain import commands as c, events as e
from services.rules.domain.board import CityId, face
from services.rules.domain.choice import Choice
from services.rules.domain.decide import Accepted, acting_players, choices, decide
from services.rules.domain.draft import Draft
from services.rules.domain.evolve import apply
from services.rules.domain.game import Game
from services.rules.domain.market import price_of
from services.rules.domain.rejections import Rejection
from services.rules.domain.shares import percent_held
from services.rules.domain.title import Context, Title
from services.rules.domain.titledata import TitleData


@dataclass(slots=True)
class TitleTable:
    """A game of `title` with its log. `act` goes through the rules; everything below `write` writes facts without asking
    them."""

    title: ClassVar[Title]
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
        question = self.title.route_question(self.game, self.data, command)
        best = solve(question) if question is not None else None
        return decide(self.title, self.data, self.game, player, command, best)

    def choices(self, player: str) -> tuple[Choice, ...]:
        """All choices of a player."""
        return choices(self.title, self.data, self.game, player)

    def offered(self, player: str, kind: type[c.Command] = c.Command) -> list[c.Command]:
        """The commands of one kind that a player may send as they are listed."""
        return [choice.command for choice in self.choices(player) if isinstance(choice.command, kind)]

    def asked(self) -> str:
        """The player who has to answer now, empty when nobody has."""
        return next(iter(acting_players(self.title, self.data, self.game)), "")

    def pass_on(self, turns: int = 1) -> list[e.Event]:
        """Whoever is asked passes, so many times."""
        return [event for _ in range(turns) for event in self.act(self.asked(), c.Pass())]

    def write(self, *events: e.Event) -> None:
        """Fold these facts in as they are."""
        self.game = self.game.copy()
        for event in events:
            apply(self.game, event)
        self.log += events

    def carry_on(self) -> tuple[e.Event, ...]:
        """Let the title carry the game on from a position written by hand, as after a move."""
        draft = self.draft()
        self.title.advance(draft, Context(self.data))
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

    def token(self, company: str, hex_id: str, city: int = 0, slot: int | None = None) -> None:
        """Place a token of the company, the cheapest of its charter, in the first free slot unless told otherwise."""
        slots = face(self.data, self.game.tiles, hex_id).stops[city].slots
        taken = self.game.tokens.get((hex_id, city)) or ("",) * slots
        charter = self.game.companies[company].charter
        place = taken.index("") if slot is None else slot
        self.write(e.TokenPlaced(company, hex_id, city, place, charter[0] if charter else 0, "home", slots))

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

    def train(self, company: str, *kinds: str) -> tuple[str, ...]:
        """Give the company the next trains of these kinds out of the depot; returns their ids. Nothing else follows."""
        given = []
        for kind in kinds:
            train = f"{kind}-{self.game.depot_gone.get(kind, 0)}"
            self.write(e.TrainMoved(train, e.BANK, company, "bought"))
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

    def director(self, company: str) -> str:
        """Who directs the company."""
        return self.game.companies[company].director

    def tokens(self, company: str) -> dict[CityId, tuple[str, ...]]:
        """The cities with a token of the company."""
        return {city: slots for city, slots in self.game.tokens.items() if company in slots}


def of_type(events: tuple[e.Event, ...] | list[e.Event], *kinds: type[e.Event]) -> list[e.Event]:
    """The events of these kinds, in order."""
    return [event for event in events if isinstance(event, kinds)]
