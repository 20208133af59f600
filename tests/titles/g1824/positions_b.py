"""Reading the events of a move of 1824 in tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from services.rules.domain import events as e

Kind = TypeVar("Kind", bound=e.Event)


def only(events: Iterable[e.Event], kind: type[Kind]) -> list[Kind]:
    """The events of one kind, in order."""
    return [event for event in events if isinstance(event, kind)]


def rounds(events: Iterable[e.Event]) -> list[tuple[str, int, int, int]]:
    """Kind, game turn, number and count of every round that begins."""
    return [(each.kind, each.turn, each.number, each.count) for each in only(events, e.RoundStarted)]
