"""The fold: each event written into the state, never decided."""

from __future__ import annotations

from collections.abc import Iterable

from services.rules.kernel.events import Event, LastingEvent, Undone
from services.rules.kernel.game import Game


def fold(game: Game, events: Iterable[Event]) -> Game:
    """Apply all `events` to `game` in place and return it."""
    for event in events:
        apply(game, event)
    return game


def apply(game: Game, event: Event) -> None:
    """Write `event` into `game`, which the caller owns."""
    event.write(game)
    game.sequence += 1


def effective(log: Iterable[Event]) -> list[Event | None]:
    """The log with what was undone blanked out: `None` keeps its place, so that sequences stay true."""
    kept: list[Event | None] = list(log)
    undoings = [(place, event) for place, event in enumerate(kept) if type(event) is Undone]
    for place, event in undoings:
        undone = kept[event.to_sequence : place + 1]
        kept[event.to_sequence : place + 1] = [
            each if isinstance(each, LastingEvent) else None for each in undone
        ]
    return kept


def taken_back(earlier: Game, since: Iterable[Event]) -> Game:
    """The state `earlier` once again, after all events `since` were undone: with what lasts of them."""
    game = earlier.copy()
    for event in since:
        if isinstance(event, LastingEvent):
            event.write(game)
    return game


def replay(log: Iterable[Event]) -> Game:
    """The state after a whole log from its first event, undone stretches left out."""
    game, kept = Game(), effective(log)
    for event in kept:
        if event is not None:
            event.write(game)
    game.sequence = len(kept)
    return game
