"""What the facts of a move say about money, certificates, debts and trains: what changed hands, in order.

Tests read facts with functions of this package alone, so that a reshaped event is mended here. What facts of other kinds say
stands in the module of their part. Names are returned where one name says all, else tuples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

from services.rules.kernel.events import CashMoved, CertificatesMoved, DebtChanged, Event
from services.rules.parts.trains.events import TrainMoved

Fact = TypeVar("Fact", bound=Event)
Kind = TypeVar("Kind", bound="Movement")
Events = Iterable[Event]


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


Movement = Payment | CertificateMove | DebtChange | TrainMove


def movement(event: Event) -> Movement | None:
    """What changed hands, if anything did."""
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
    return None


def only(events: Events, kind: type[Kind]) -> list[Kind]:
    """The movements of one kind."""
    return [each for each in map(movement, events) if isinstance(each, kind)]


def payments(events: Events, *reasons: str) -> list[Payment]:
    """All payments, or those for these reasons."""
    return [each for each in only(events, Payment) if not reasons or each.reason in reasons]


def paid(events: Events, source: str, target: str, amount: int, reason: str, subject: str = "") -> bool:
    """Whether this payment was made."""
    return Payment(source, target, amount, reason, subject) in payments(events)


def moved_cash(events: Events, *reasons: str) -> list[tuple[str, str, int]]:
    """(source, target, amount) of all payments, or of those for these reasons."""
    return [(each.source, each.target, each.amount) for each in payments(events, *reasons)]


def moved_trains(events: Events, *reasons: str) -> list[tuple[str, str, str]]:
    """(train, source, target) of all trains that moved, or of those for these reasons."""
    found = only(events, TrainMove)
    return [(each.train, each.source, each.target) for each in found if not reasons or each.reason in reasons]


def facts(events: Events, kind: type[Fact]) -> Iterator[Fact]:
    """The facts of one kind; a title's own vocabulary is made of it."""
    return (each for each in events if isinstance(each, kind))


def index_of(events: Events, kind: type[Event]) -> int:
    """Where the first fact of the kind is."""
    return next(place for place, each in enumerate(events) if isinstance(each, kind))
