"""Positions of games from what rules shows of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.rules.v1.game_pb2 import GameView
from services.lobby.domain.positions import (
    GameRuling,
    LastDividend,
    MoneyTransfer,
    Position,
    SeatWorth,
    SharesHeld,
)


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


def rulings_of(events: Iterable[GameEvent]) -> tuple[GameRuling, ...]:
    """The decisions of directors that changed the position of a game, in their order, also where the game has left them again."""
    found: list[GameRuling] = []
    before = GameEvent()
    for event in events:
        if before.HasField("director_decided"):
            found.extend(_ruling(before, event))
        before = event
    return tuple(found)


def _ruling(decided: GameEvent, led_to: GameEvent) -> Iterator[GameRuling]:
    """What was decided, by the first event to which it led; nothing where that left the position as it was."""
    decision = decided.director_decided
    common = decided.sequence - 1, decision.author, decision.reason, decision.confirmed_by
    match decision.kind:
        case events_pb2.DECISION_KIND_ROLL_BACK:
            yield GameRuling(*common, to_sequence=led_to.undone.to_sequence)
        case events_pb2.DECISION_KIND_CORRECT:
            moved = led_to.cash_moved
            transfer = MoneyTransfer(moved.source, moved.target, moved.amount, moved.subject)
            yield GameRuling(*common, transfer=transfer)
        case events_pb2.DECISION_KIND_END_GAME:
            worths = tuple(SeatWorth(each.player, each.value) for each in led_to.game_ended.scores)
            yield GameRuling(*common, worths=worths)
