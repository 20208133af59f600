"""A whole game driven through `decide` alone: no servers, no clock, chance only from the table's seed."""

from __future__ import annotations

from random import Random

from services.bench.script import with_best_runs
from services.bots import BOTS
from services.routing.domain.solution import RouteSolution
from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Command, CreateGame, Undo
from services.rules.kernel.decide import Accepted, acting_players, choices, create, decide, decide_undo
from services.rules.kernel.events import Event
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import Rejection
from services.rules.titles import TITLES

STATES_KEPT = 40


class Play:
    """A game with its whole log. `found` is what the asked player may do in the present state, best runs filled in.

    `unproven`: the game cannot go on, because the best runs it needs are too hard to prove in a test."""

    def __init__(self, table: CreateGame, bot: str) -> None:
        self.table = table
        self.title = TITLES[table.title]
        created = create(self.title, table)
        assert isinstance(created, Accepted), created
        self.game: Game = created.game
        self.events: list[Event] = list(created.events)
        self.data = self.title.data_of(self.game)
        self.draw = Random(table.seed)
        self.bots = {player: BOTS[bot](self.draw.randrange(2**32)) for player in table.players}
        self.states: list[Game] = [self.game]
        self.look()

    def look(self) -> None:
        """Ask the game what may be done now, and by whom."""
        self.solution: RouteSolution | None = None
        self.unproven = False
        self.found: tuple[Choice, ...] = ()
        self.player = ""
        if not self.game.finished:
            self.player = acting_players(self.title, self.data, self.game)[0]
            listed = choices(self.title, self.data, self.game, self.player)
            self.found = tuple(self._with_best_runs(choice) for choice in listed)

    def _with_best_runs(self, choice: Choice) -> Choice:
        solved = with_best_runs(self.title, self.data, self.game, choice)
        if solved.solution is not None:
            self.solution, self.unproven = solved.solution, solved.unproven
        return solved.choice

    def decided(self, player: str, command: Command) -> Accepted | Rejection:
        """What a command would lead to; changes nothing."""
        return decide(self.title, self.data, self.game, player, command, self.solution)

    def choose(self) -> Command:
        """What the asked player's bot wants."""
        return self.bots[self.player].choose(self.found)

    def carry_out(self, accepted: Accepted) -> None:
        """Go on with an outcome that `decided` or `undo` gave."""
        self.events += accepted.events
        self.game = accepted.game
        self.states = [*self.states[-STATES_KEPT:], self.game]
        self.look()

    def undo(self) -> Accepted | Rejection | None:
        """The asked player takes the game back to some earlier state; nothing when there is none yet."""
        if len(self.states) < 2:
            return None
        place = self.draw.randrange(len(self.states) - 1)
        earlier = self.states[place]
        command = Undo(earlier.sequence)
        since = self.events[earlier.sequence :]
        outcome = decide_undo(self.title, self.data, self.game, self.player, command, earlier, since)
        if isinstance(outcome, Accepted):
            self.states = self.states[: place + 1]
        return outcome
