"""What a trace shows and the state does not keep: facts of the present round, gathered from the events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from services.rules.domain import events as e
from services.rules.domain.evolve import apply
from services.rules.domain.game import Game
from services.rules.domain.titledata import TitleData


@dataclass(slots=True)
class Chronicle:
    """Companies that ever came past their dividend, and the player who acted last in the round at hand, as far as the
    peer notes it. A title adds what else its lines show."""

    data: TitleData
    operated: set[str] = field(default_factory=set)
    last_to_act: str = ""

    def follow(self, game: Game, events: Sequence[e.Event]) -> None:
        """Read the `events` of one command and fold them into `game`, the state before them and the caller's own."""
        self.note_acting(game, events)
        for event in events:
            self._note_common(game, event)
            self.note(game, event)
            apply(game, event)

    def note_acting(self, game: Game, events: Sequence[e.Event]) -> None:
        """Note who acted in the command; `game` is the state before it."""

    def note(self, game: Game, event: e.Event) -> None:
        """Note what else the title shows; `game` is the state before the event."""

    def _note_common(self, game: Game, event: e.Event) -> None:
        match event:
            case e.RoundStarted():
                self.last_to_act = ""
            case e.DividendDeclared():
                self.operated.add(event.company)
            case e.StepStarted(step="buy_trains"):
                self.operated.add(game.actor)
            case _:
                pass
