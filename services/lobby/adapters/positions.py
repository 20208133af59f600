"""Positions of games from what rules shows of them."""

from __future__ import annotations

from collections.abc import Iterable

from services.gen.signalbox.events.v1.events_pb2 import DECISION_KIND_END_GAME, DirectorDecided, GameEvent
from services.gen.signalbox.rules.v1.game_pb2 import GameView
from services.lobby.domain.positions import EndRuling, LastDividend, Position, SeatWorth, SharesHeld


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


def end_ruling_of(events: Iterable[GameEvent]) -> EndRuling | None:
    """The decision of a director by which the game has ended, None where it goes on or ended by itself."""
    found: EndRuling | None = None
    decided, sequence = DirectorDecided(), 0
    for event in events:
        match event.WhichOneof("body"):
            case "director_decided":
                decided, sequence = event.director_decided, event.sequence
            case "game_ended" if decided.kind == DECISION_KIND_END_GAME and event.sequence == sequence + 1:
                worths = tuple(SeatWorth(each.player, each.value) for each in event.game_ended.scores)
                found = EndRuling(sequence - 1, decided.author, decided.reason, decided.confirmed_by, worths)
            case "undone" if found is not None and event.undone.to_sequence <= found.sequence + 1:
                found = None
    return found
