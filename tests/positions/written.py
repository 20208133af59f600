"""A game with its log into which facts are written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import Event
from services.rules.kernel.fold import apply
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context, Title
from services.rules.kernel.titledata import TitleData


@dataclass(slots=True)
class WrittenGame:
    """A game of `title` with its log."""

    title: ClassVar[Title]
    game: Game
    data: TitleData
    log: list[Event] = field(default_factory=list)

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
