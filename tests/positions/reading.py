"""What the facts of a move say: those of one kind, rounds that begin, and what changes hands.

Tests read movements from here, so that a reshaped movement is mended here alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from services.rules.kernel.events import CashMoved, CertificatesMoved, DebtChanged, Event, RoundStarted
from services.rules.parts.trains.events import TrainMoved

Kind = TypeVar("Kind", bound="Reading")


class Payment(NamedTuple):
    """Money that moved."""

    source: str
    target: str
    amount: int
    reason: str
    subject: str = ""


class CertificateMove(NamedTuple):
    """Certificates of one company that moved, by number."""

    company: str
    numbers: tuple[int, ...]
    source: str
    target: str
    reason: str
    shares: int


class DebtChange(NamedTuple):
    """What a player owes grew by the amount, or shrank if that is below 0."""

    player: str
    amount: int
    reason: str


class TrainMove(NamedTuple):
    """A train that changed its owner."""

    train: str
    source: str
    target: str
    reason: str


Reading = Event | Payment | CertificateMove | DebtChange | TrainMove


def read(event: Event) -> Reading:
    """What the event says: a movement as the tuple of its kind, any other event as it is."""
    match event:
        case CashMoved():
            return Payment(event.source, event.target, event.amount, event.reason, event.subject)
        case CertificatesMoved():
            moved = event.source, event.target, event.reason, event.shares
            return CertificateMove(event.company, event.numbers, *moved)
        case DebtChanged():
            return DebtChange(event.player, event.amount, event.reason)
        case TrainMoved():
            return TrainMove(event.train, event.source, event.target, event.reason)
    return event


def of_type(events: Iterable[Event], *kinds: type[Reading]) -> list[Reading]:
    """What the events of these kinds say, in order."""
    return [each for each in map(read, events) if isinstance(each, kinds)]


def only(events: Iterable[Event], kind: type[Kind]) -> list[Kind]:
    """What the events of one kind say, in order."""
    return [each for each in map(read, events) if isinstance(each, kind)]


def rounds(events: Iterable[Event]) -> list[tuple[str, int, int, int]]:
    """Kind, game turn, number and count of every round that begins."""
    return [(each.kind, each.turn, each.number, each.count) for each in only(events, RoundStarted)]


def payments(events: Iterable[Event], *reasons: str) -> list[Payment]:
    """All payments, or those for these reasons, in order."""
    return [each for each in only(events, Payment) if not reasons or each.reason in reasons]


def paid(
    events: Iterable[Event], source: str, target: str, amount: int, reason: str, subject: str = ""
) -> bool:
    """Whether this payment was made."""
    return Payment(source, target, amount, reason, subject) in payments(events)


def moved_cash(events: Iterable[Event], *reasons: str) -> list[tuple[str, str, int]]:
    """(source, target, amount) of all payments, or of those for these reasons, in order."""
    return [(each.source, each.target, each.amount) for each in payments(events, *reasons)]


def moved_trains(events: Iterable[Event], *reasons: str) -> list[tuple[str, str, str]]:
    """(train, source, target) of all trains that moved, or of those for these reasons, in order."""
    found = only(events, TrainMove)
    return [(each.train, each.source, each.target) for each in found if not reasons or each.reason in reasons]
