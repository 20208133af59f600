"""Positions of games from what rules shows of them."""

from __future__ import annotations

from collections.abc import Iterable

from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.rules.v1.game_pb2 import GameView
from services.lobby.domain.positions import LastDividend, Position, SeatWorth, SharesHeld


def position_of(view: GameView, events: Iterable[GameEvent]) -> Position:
    """The position of a view, with all events of the game until then."""
    worths = tuple(SeatWorth(each.player, each.value) for each in view.players)
    seats = {each.seat for each in worths}
    held = tuple(
        SharesHeld(each.holder, each.company, each.shares) for each in view.holdings if each.holder in seats
    )
    return Position(view.sequence, worths, held, tuple(_last_dividends(events, view.sequence)))


def _last_dividends(events: Iterable[GameEvent], up_to: int) -> Iterable[LastDividend]:
    declared: list[LastDividend] = []
    for event in events:
        if event.sequence > up_to:
            break
        match event.WhichOneof("body"):
            case "dividend_declared":
                body = event.dividend_declared
                declared.append(
                    LastDividend(body.company, body.kind, body.revenue, body.per_share, event.sequence)
                )
            case "undone":
                declared = [each for each in declared if each.sequence <= event.undone.to_sequence]
    return {each.company: each for each in declared}.values()
