"""A table for tests of any title: driven through the real core, and described in the vocabulary of tests/positions."""

from __future__ import annotations

from dataclasses import dataclass

from services.routing.domain.solver import solve
from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Command, Pass
from services.rules.kernel.decide import Accepted, acting_players, choices, decide
from services.rules.kernel.events import Event
from services.rules.kernel.rejections import Rejection
from services.rules.parts.trains.bestruns import question_for
from tests.positions.auctions import AuctionFacts
from tests.positions.map import MapFacts
from tests.positions.market import MarketFacts
from tests.positions.money import MoneyFacts
from tests.positions.rounds import RoundFacts
from tests.positions.shares import SharesFacts
from tests.positions.trains import TrainsFacts


@dataclass(slots=True)
class TitleTable(MoneyFacts, SharesFacts, MarketFacts, MapFacts, TrainsFacts, AuctionFacts, RoundFacts):
    """A game of `title` with its log. `act` goes through the rules; the vocabulary writes facts without asking them."""

    def act(self, player: str, command: Command) -> tuple[Event, ...]:
        """What the command leads to; it must be accepted. Runs are proven best with the real solver."""
        outcome = self._decide(player, command)
        assert isinstance(outcome, Accepted), outcome
        self.game = outcome.game
        self.log += outcome.events
        return outcome.events

    def refusal(self, player: str, command: Command) -> tuple[str, str]:
        """Reason code and clause with which the command is refused."""
        outcome = self.rejection(player, command)
        return outcome.code, outcome.clause

    def rejection(self, player: str, command: Command) -> Rejection:
        """With what the command is refused."""
        outcome = self._decide(player, command)
        assert isinstance(outcome, Rejection), f"accepted: {command}"
        return outcome

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
