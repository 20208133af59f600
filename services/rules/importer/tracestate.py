"""Facts that a trace shows and the state of a game does not keep, collected from the events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from services.rules.kernel.events import Event, GameEnded, RoundStarted, StepStarted, TurnStarted
from services.rules.kernel.fold import apply
from services.rules.kernel.game import IDLE_TURN, Game, Turn
from services.rules.kernel.titledata import TitleData
from services.rules.parts.trains.events import DividendDeclared


@dataclass(slots=True)
class TraceState:
    """Companies that ever came past their dividend, the player who acted last in the round at hand, as far as the peer
    notes it, and the turn that came before the one at hand: when the game is over its last one still shows. A title adds
    what else its lines show."""

    data: TitleData
    operated: set[str] = field(default_factory=set)
    last_to_act: str = ""
    last_turn: Turn = IDLE_TURN

    def follow(self, game: Game, events: Sequence[Event]) -> None:
        """Read the `events` of one command and fold them into `game`, the state before them and the caller's own."""
        self.note_acting(game, events)
        for event in events:
            self._note_common(game, event)
            self.note(game, event)
            apply(game, event)

    def note_acting(self, game: Game, events: Sequence[Event]) -> None:
        """Note who acted in the command; `game` is the state before it."""

    def note(self, game: Game, event: Event) -> None:
        """Note what else the title shows; `game` is the state before the event."""

    def turn_shown(self, game: Game) -> Turn:
        """The turn at hand, or the last one of a game that is over."""
        return self.last_turn if game.finished else game.turn

    def _note_common(self, game: Game, event: Event) -> None:
        match event:
            case RoundStarted():
                self.last_to_act = ""
                self.last_turn = IDLE_TURN
            case TurnStarted():
                self.last_turn = game.turn
            case GameEnded() if game.turn != IDLE_TURN:
                self.last_turn = game.turn
            case DividendDeclared():
                self.operated.add(event.company)
            case StepStarted(step="buy_trains"):
                self.operated.add(game.actor)
            case _:
                pass
