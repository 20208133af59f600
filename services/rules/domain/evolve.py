"""The fold: each event written into the state, never decided. Unknown or ill-fitting events are named, not guessed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from services.rules.domain import events as e, evolve_board, evolve_deals, evolve_rounds, evolve_shares
from services.rules.domain.evolve_base import BrokenLog as BrokenLog
from services.rules.domain.game import Game

WRITERS: dict[type[e.Event], Callable[[Game, Any], None]] = {
    **evolve_shares.WRITERS,
    **evolve_board.WRITERS,
    **evolve_rounds.WRITERS,
    **evolve_deals.WRITERS,
}


def evolve(game: Game, event: e.Event) -> Game:
    """The state after `event`; `game` itself is left as it was."""
    successor = game.copy()
    apply(successor, event)
    return successor


def fold(game: Game, events: Iterable[e.Event]) -> Game:
    """Apply all `events` to `game` in place and return it."""
    for event in events:
        apply(game, event)
    return game


def apply(game: Game, event: e.Event) -> None:
    """Write `event` into `game`, which the caller owns."""
    writer = WRITERS.get(type(event))
    if writer is None:
        raise BrokenLog(f"no way to apply an event of type {type(event).__name__}")
    writer(game, event)
    game.sequence += 1


def effective(log: Iterable[e.Event]) -> list[e.Event | None]:
    """The log with what was undone blanked out: `None` keeps its place, so that sequences stay true."""
    kept: list[e.Event | None] = []
    for event in log:
        if isinstance(event, e.Undone):
            kept[event.to_sequence :] = [None] * (len(kept) - event.to_sequence)
            kept.append(None)
        else:
            kept.append(event)
    return kept


def replay(log: Iterable[e.Event]) -> Game:
    """The state after a whole log from its first event, undone stretches left out."""
    game = Game()
    for event in effective(log):
        if event is None:
            game.sequence += 1
        else:
            apply(game, event)
    return game
