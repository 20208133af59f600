"""How play flows through rounds of several kinds until somebody has to decide or the game is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import GameEnded
from services.rules.kernel.game import Game
from services.rules.kernel.scoring import ranked
from services.rules.kernel.standstill import stands_still
from services.rules.kernel.title import Context, Step
from services.rules.kernel.titledata import TitleData

STALEMATE = "stalemate"


@dataclass(frozen=True, slots=True)
class RoundRules:
    """One kind of round. `advance` carries it on, true when somebody has to decide; `end` records what its end brings and
    that it has ended. `step_of`: the step of the player or company at turn."""

    step_of: Callable[[Game], Step | None]
    advance: Callable[[Draft, Context], bool]
    end: Callable[[Draft, Context], None]


def nothing_due(draft: Draft, context: Context) -> None:
    """Nothing happens automatically."""


@dataclass(frozen=True, slots=True)
class Flow:
    """The rounds of a title and what happens between them.

    `questions`: the step of each kind of interrupt. `start_next` begins the round after one that has ended, or ends the
    game. `settle` runs whenever play is carried on, `notice` whenever a decision is due or a round has ended: it records
    what brings the end. `closes_turn`: whether the round that has ended is the last of a game turn."""

    rounds: Mapping[str, RoundRules]
    questions: Mapping[str, Step]
    start_next: Callable[[Draft, Context], None]
    player_value: Callable[[Game, TitleData, str], int]
    closes_turn: Callable[[Game], bool]
    settle: Callable[[Draft, Context], None] = nothing_due
    notice: Callable[[Draft, Context], None] = nothing_due

    def step_of(self, game: Game, context: Context) -> Step | None:
        """The step at hand: the question put to somebody, else the step of the player or company at turn."""
        if game.finished or game.round is None:
            return None
        if game.interrupts:
            return self.questions[game.interrupts[0].kind]
        return self.rounds[game.round.kind].step_of(game)

    def advance(self, draft: Draft, context: Context) -> None:
        """Carry the game on until somebody has to decide or it is over.

        It is over as well when a whole game turn asked nobody and changed nothing: none ever would again. No rulebook
        thinks of that."""
        at_last_turn: Game | None = None
        game = draft.game
        while not game.finished:
            self.settle(draft, context)
            current = game.current_round
            if not game.interrupts and not current.ended:
                rules = self.rounds[current.kind]
                if not rules.advance(draft, context):
                    if not game.current_round.ended:
                        rules.end(draft, context)
                    continue
            self.notice(draft, context)
            if game.interrupts or not game.current_round.ended:
                return
            if self.closes_turn(game):
                if at_last_turn is not None and stands_still(at_last_turn, game, context.data):
                    draft.emit(GameEnded(STALEMATE, ranked(game, context.data, self.player_value)))
                    return
                at_last_turn = game.copy()
            self.start_next(draft, context)
