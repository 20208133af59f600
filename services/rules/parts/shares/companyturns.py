"""Turns of companies in an operating round, one company after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import RoundEnded, TurnEnded, TurnStarted
from services.rules.kernel.flow import RoundRules
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context, Step
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import TurnStep, all_steps, never_over, take_steps
from services.rules.parts.market.market import operating_order
from services.rules.parts.shares.events import CompanyOperated
from services.rules.parts.shares.state import companies_of

OPERATING = "operating"


def operating_round(game: Game) -> tuple[int, int]:
    """The turn of the game and the operating round at hand; 0 is before the first operating round of the turn."""
    current = game.current_round
    return current.turn, current.number if current.kind == OPERATING else 0


def closes_set(game: Game) -> bool:
    """Whether the round at hand is the last operating round of its turn of the game."""
    current = game.current_round
    return current.kind == OPERATING and current.number >= current.count


def end_operating_round(draft: Draft, context: Context) -> None:
    """Nothing but the end itself."""
    draft.emit(RoundEnded(OPERATING))


def director_of_actor(game: Game, context: Context) -> tuple[str, ...]:
    """The director of the company at turn."""
    return (companies_of(game)[game.actor].director,)


def open_companies(game: Game, data: TitleData) -> tuple[str, ...]:
    """The open companies in operating order."""
    opened = [symbol for symbol, company in companies_of(game).items() if company.opened]
    return tuple(operating_order(game, data, opened))


def nothing_first(draft: Draft, context: Context) -> None:
    """A turn begins with its first step."""


def end_company_turn(draft: Draft) -> None:
    """The company at turn is through; that it has operated is recorded once."""
    company = draft.game.actor
    if not companies_of(draft.game)[company].operated:
        draft.emit(CompanyOperated(company))
    draft.emit(TurnEnded(company))


@dataclass(frozen=True, slots=True)
class CompanyTurns:
    """How companies take their turns. `steps`: all steps of a turn. `in_play`: whether a company of the order still has a
    turn, and having had one has operated. `begin`: what happens first in a turn. `is_over`: whether the turn at hand ends
    before its last step. `leaves_out`: whether a step has no place in the turn at hand."""

    steps: tuple[TurnStep, ...]
    in_play: Callable[[Game, str], bool]
    begin: Callable[[Draft, Context], None] = nothing_first
    is_over: Callable[[Game], bool] = never_over
    leaves_out: Callable[[Game, TurnStep], bool] = all_steps

    def step_of(self, game: Game) -> Step | None:
        """The step in which the company at turn stands."""
        name = game.current_round.step
        for each in self.steps:
            if each.step.name == name:
                return each.step
        return None

    def start_next(self, draft: Draft, context: Context) -> None:
        """Give the turn to the next company still in play; past the last one the round is out of companies."""
        current = draft.game.current_round
        position = current.position + 1
        while position < len(current.order) and not self.in_play(draft.game, current.order[position]):
            position += 1
        draft.emit(TurnStarted(position))
        if draft.game.actor:
            self.begin(draft, context)

    def advance(self, draft: Draft, context: Context) -> bool:
        """Carry the round on; true when somebody has to decide, false when no company is left."""
        while draft.game.actor:
            if take_steps(draft, context, self.steps, self.is_over, self.leaves_out):
                return True
            if self.in_play(draft.game, draft.game.actor):
                end_company_turn(draft)
            self.start_next(draft, context)
        return False

    def round_rules(self, end: Callable[[Draft, Context], None] = end_operating_round) -> RoundRules:
        """The rules of a round of such turns."""
        return RoundRules(self.step_of, self.advance, end)
