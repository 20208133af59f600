"""A table for tests of any title: driven through the real core, with facts written by hand to get to the middle of a game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from services.routing.domain.solver import solve
from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Command, Pass
from services.rules.kernel.decide import Accepted, acting_players, choices, decide
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import (
    CashMoved,
    Event,
    PriorityMoved,
    RoundStarted,
    StepStarted,
    TurnStarted,
)
from services.rules.kernel.fold import apply
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import Rejection
from services.rules.kernel.title import Context, Title
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.board import CityId, face
from services.rules.parts.map.events import CharterTokensSet, TileLaid, TokenPlaced
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.parts.market.market import price_of
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.shares import shares_held
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.bestruns import question_for
from services.rules.parts.trains.data import phases_of, train_kinds_of
from services.rules.parts.trains.events import PhaseStarted, TrainKindSold, TrainMoved
from services.rules.parts.trains.state import phase_of, trains_of


@dataclass(slots=True)
class TitleTable:
    """A game of `title` with its log. `act` goes through the rules; everything below `write` writes facts without asking
    them."""

    title: ClassVar[Title]
    game: Game
    data: TitleData
    log: list[Event] = field(default_factory=list)

    def act(self, player: str, command: Command) -> tuple[Event, ...]:
        """What the command leads to; it must be accepted. Runs are proven best with the real solver."""
        outcome = self._decide(player, command)
        assert isinstance(outcome, Accepted), outcome
        self.game = outcome.game
        self.log += outcome.events
        return outcome.events

    def refusal(self, player: str, command: Command) -> tuple[str, str]:
        """Reason code and clause with which the command is refused."""
        outcome = self._decide(player, command)
        assert isinstance(outcome, Rejection), f"accepted: {command}"
        return outcome.code, outcome.clause

    def _decide(self, player: str, command: Command) -> Accepted | Rejection:
        question = question_for(self.title, self.game, self.data, command)
        best = solve(question) if question is not None else None
        return decide(self.title, self.data, self.game, player, command, best)

    def choices(self, player: str) -> tuple[Choice, ...]:
        """All choices of a player."""
        return choices(self.title, self.data, self.game, player)

    def offered(self, player: str, kind: type[Command] = Command) -> list[Command]:
        """The commands of one kind that a player may send as they are listed."""
        return [choice.command for choice in self.choices(player) if isinstance(choice.command, kind)]

    def asked(self) -> str:
        """The player who has to answer now, empty when nobody has."""
        return next(iter(acting_players(self.title, self.data, self.game)), "")

    def pass_on(self, turns: int = 1) -> list[Event]:
        """The acting player passes, so many times."""
        return [event for _ in range(turns) for event in self.act(self.asked(), Pass())]

    def write(self, *events: Event) -> None:
        """Fold these facts in as they are."""
        self.game = self.game.copy()
        for event in events:
            apply(self.game, event)
        self.log += events

    def carry_on(self) -> tuple[Event, ...]:
        """Let the title carry the game on from a position written by hand, as after a move."""
        draft = self.draft()
        self.title.advance(draft, Context(self.data))
        return self.take(draft)

    def draft(self) -> Draft:
        """A draft on the position, for rules that are called without a command."""
        return Draft(self.game, self.data)

    def take(self, draft: Draft) -> tuple[Event, ...]:
        """Accept what was drafted."""
        self.game = draft.game
        self.log += draft.events
        return tuple(draft.events)

    def cash(self, holder: str, amount: int) -> None:
        """Give the holder exactly this much, from or to the bank."""
        change = amount - self.game.money(holder)
        if change > 0:
            self.write(CashMoved(BANK, holder, change, "correction"))
        elif change < 0:
            self.write(CashMoved(holder, BANK, -change, "correction"))

    def bank(self, amount: int) -> None:
        """Leave exactly this much in the bank; the difference goes to, or comes from, the last player."""
        holder = self.game.players[-1]
        self.cash(holder, self.game.money(holder) + self.game.money(BANK) - amount)

    def token(self, company: str, hex_id: str, city: int = 0, slot: int | None = None) -> None:
        """Put a token of the company, the cheapest of its charter, in the first free slot unless given."""
        slots = face(self.data, map_of(self.game).tiles, hex_id).stops[city].slots
        taken = map_of(self.game).tokens.get((hex_id, city)) or ("",) * slots
        charter = unplaced_tokens(self.game, company)
        place = taken.index("") if slot is None else slot
        self.write(
            TokenPlaced(company, hex_id, city, place, "home", slots), CharterTokensSet(company, charter[1:])
        )

    def home(self, *companies: str) -> None:
        """Put the home tokens of these companies."""
        for company in companies:
            home = cards_of(self.data)[company].home
            assert home is not None
            self.token(company, home.hex, home.stop)

    def tile(self, hex_id: str, tile: str, rotation: int) -> None:
        """Lay a tile on the map, the lowest piece that is not out yet."""
        copy = sum(laid.tile == tile for laid in map_of(self.game).tiles.values())
        self.write(TileLaid("", hex_id, tile, rotation, copy, hex_id in map_of(self.game).tiles))

    def train(self, company: str, *kinds: str) -> tuple[str, ...]:
        """Give the company the next trains of these kinds out of the depot; returns their ids. Nothing else follows."""
        given = []
        for kind in kinds:
            train = f"{kind}-{trains_of(self.game).depot_gone.get(kind, 0)}"
            self._sell_train(kind, train, company)
            given.append(train)
        return tuple(given)

    def _sell_train(self, kind: str, train: str, company: str) -> None:
        """The train leaves the depot for the company; the first of its kind is noted as such."""
        self.write(TrainMoved(train, BANK, company, "bought"))
        if kind not in trains_of(self.game).depot_sold:
            self.write(TrainKindSold(kind))

    def deplete(self, kind: str, *, leave: int = 0) -> None:
        """Sell the trains of a letter out of the game until so many are left in the depot."""
        while trains_of(self.game).depot_gone.get(kind, 0) < train_kinds_of(self.data)[kind].count - leave:
            self.train("", kind)

    def phase(self, name: str) -> None:
        """Begin this phase: all trains before it are sold, the first of it too; nothing else is touched."""
        order = list(phases_of(self.data))
        for earlier in order[: order.index(name)]:
            self.deplete(earlier)
        if not trains_of(self.game).depot_gone.get(name):
            self.train("", name)
        if phase_of(self.game) != name:
            self.write(PhaseStarted(name))

    def _seats(self, first: str) -> tuple[str, ...]:
        players = self.game.players
        at = players.index(first or players[0])
        return players[at:] + players[:at]

    def stock_round(self, first: str = "", *, turn: int = 2) -> None:
        """A stock round begins with this player, who holds the priority marker."""
        order = self._seats(first)
        self.write(
            PriorityMoved(order[0]),
            RoundStarted("stock", turn, 1, 1, order),
            TurnStarted(0),
            StepStarted("stock_turn"),
        )

    def operating_round(
        self, *order: str, step: str = "buy_trains", number: int = 1, count: int = 1, turn: int = 2
    ) -> None:
        """An operating round of these companies; the first one stands in the step named."""
        self.write(RoundStarted("operating", turn, number, count, order), TurnStarted(0), StepStarted(step))

    def shares(self, holder: str, company: str) -> int:
        """How many shares of a company the holder has."""
        return shares_held(self.game, self.data, holder, company)

    def price_of(self, company: str) -> int:
        """The present market price."""
        return price_of(self.game, self.data, company)

    def director(self, company: str) -> str:
        """Who directs the company."""
        return companies_of(self.game)[company].director

    def tokens(self, company: str) -> dict[CityId, tuple[str, ...]]:
        """The cities with a token of the company."""
        return {city: slots for city, slots in map_of(self.game).tokens.items() if company in slots}


def of_type(events: tuple[Event, ...] | list[Event], *kinds: type[Event]) -> list[Event]:
    """The events of these kinds, in order."""
    return [event for event in events if isinstance(event, kinds)]
