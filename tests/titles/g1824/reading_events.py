"""What the events of a move of 1824 say: those of one kind, rounds that begin, money and trains that move."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from services.rules.kernel.events import CashMoved, Event, RoundStarted
from services.rules.parts.trains.events import TrainMoved

Kind = TypeVar("Kind", bound=Event)


def only(events: Iterable[Event], kind: type[Kind]) -> list[Kind]:
    """The events of one kind, in order."""
    return [event for event in events if isinstance(event, kind)]


def rounds(events: Iterable[Event]) -> list[tuple[str, int, int, int]]:
    """Kind, game turn, number and count of every round that begins."""
    return [(each.kind, each.turn, each.number, each.count) for each in only(events, RoundStarted)]


def moved_cash(events: Iterable[Event], *reasons: str) -> list[tuple[str, str, int]]:
    """(source, target, amount) of the payments for these reasons, in order."""
    return [
        (event.source, event.target, event.amount)
        for event in only(events, CashMoved)
        if event.reason in reasons
    ]


def moved_trains(events: Iterable[Event], *reasons: str) -> list[tuple[str, str, str]]:
    """(train, source, target) of the trains that moved for these reasons, in order."""
    return [
        (event.train, event.source, event.target)
        for event in only(events, TrainMoved)
        if event.reason in reasons
    ]
