"""Converts protobuf events to the ledger's own facts. No other module of the ledger's core knows the protobuf events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from google.protobuf.message import Message

from services.common.balances import Balances
from services.common.eventlog.schema_versions import (
    FIRST_VERSION,
    check_upcasts,
    schema_version_of,
    unknown_version,
)
from services.gen.signalbox.events.v1 import events_pb2
from services.ledger.domain import facts as f
from services.ledger.domain.audit import ReportedBalances, booked_for_rules
from services.ledger.domain.book import Book
from services.ledger.domain.errors import MalformedFactError, UnknownFactError

TITLE_EVENT = "title_event"


def fact_of(event: events_pb2.GameEvent) -> f.Fact:
    """The fact of `event`. `UnknownFactError` for an event whose body or version is not known here (it might move money),
    `MalformedFactError` for a movement without a reason. An event that only a title knows moves nothing, whatever its
    version."""
    kind = event.WhichOneof("body") or ""
    if kind == TITLE_EVENT:
        return f.Unmoved(event.sequence)
    version, current = event.schema_version, _VERSIONS.get(kind, FIRST_VERSION)
    older = _OLDER.get((kind, version))
    if version != current and older is None:
        problem = unknown_version(kind or "the event", version, current)
        raise UnknownFactError(event.game_id, event.sequence, problem)
    if not kind:
        raise UnknownFactError(event.game_id, event.sequence, "the event has no body known to this ledger")
    body, converter = getattr(event, kind), _CONVERTERS.get(kind)
    if older is not None:
        body, converter = older.message.FromString(body.SerializeToString()), older.convert
    if converter is None:
        return f.Unmoved(event.sequence)
    if kind in _WITH_REASON and not body.reason:
        raise MalformedFactError(event.game_id, event.sequence, f"{kind} has no reason")
    return converter(event.sequence, body)


_WITH_REASON = frozenset(("cash_moved", "certificates_moved", "debt_changed"))


def reported_balances(sequence: int, balances: Balances) -> ReportedBalances:
    """The balances that rules has after a sequence."""
    return ReportedBalances(sequence, balances.cash, balances.shares, balances.debts)


def booked_balances(book: Book, sequence: int) -> Balances:
    """The balances that the books have after a sequence; `SequenceOutOfRangeError` when that is not booked."""
    booked = booked_for_rules(book, sequence)
    return Balances(booked.cash, booked.shares, booked.debts)


def _game_created(sequence: int, body: events_pb2.GameCreated) -> f.Fact:
    return f.GameCreated(sequence, tuple(body.players), body.bank_cash)


def _audience_set(sequence: int, body: events_pb2.AudienceSet) -> f.Fact:
    return f.AudienceSet(sequence)


def _cash_moved(sequence: int, body: events_pb2.CashMoved) -> f.Fact:
    reason = body.reason
    return f.CashMoved(sequence, body.source, body.target, body.amount, reason, body.subject)


def _certificates_moved(sequence: int, body: events_pb2.CertificatesMoved) -> f.Fact:
    reason = body.reason
    return f.CertificatesMoved(sequence, body.company, body.shares, body.source, body.target, reason)


def _company_bought(sequence: int, body: events_pb2.CompanyBought) -> f.Fact:
    return f.CompanyBought(sequence, body.company, body.owner, body.price)


def _company_closed(sequence: int, body: events_pb2.CompanyClosed | events_pb2.CompanyReset) -> f.Fact:
    return f.CompanyClosed(sequence, body.company)


def _price_set(sequence: int, body: events_pb2.PriceStarted | events_pb2.PriceMoved) -> f.Fact:
    return f.PriceSet(sequence, body.company, body.price)


def _initial_price_set(sequence: int, body: events_pb2.ParSet) -> f.Fact:
    return f.InitialPriceSet(sequence, body.company, body.price)


def _price_removed(sequence: int, body: events_pb2.PriceRemoved) -> f.Fact:
    return f.PriceSet(sequence, body.company, 0)


def _debt_changed(sequence: int, body: events_pb2.DebtChanged) -> f.Fact:
    return f.DebtChanged(sequence, body.player, body.amount, body.reason)


def _dividend_declared(
    sequence: int, body: events_pb2.DividendDeclared | events_pb2.DividendDeclaredV1
) -> f.Fact:
    kind = body.kind
    return f.DividendDeclared(sequence, body.company, kind, body.revenue, body.per_share)


def _phase_started(sequence: int, body: events_pb2.PhaseStarted) -> f.Fact:
    return f.PhaseStarted(sequence, body.phase)


def _round_started(sequence: int, body: events_pb2.RoundStarted) -> f.Fact:
    return f.RoundStarted(sequence, body.kind, body.turn, body.number, tuple(body.order))


def _round_ended(sequence: int, body: events_pb2.RoundEnded) -> f.Fact:
    return f.RoundEnded(sequence)


def _order_changed(sequence: int, body: events_pb2.OrderChanged) -> f.Fact:
    return f.OrderChanged(sequence, tuple(body.order))


def _turn_started(sequence: int, body: events_pb2.TurnStarted) -> f.Fact:
    return f.TurnStarted(sequence, body.position)


def _turn_ended(sequence: int, body: events_pb2.TurnEnded) -> f.Fact:
    return f.TurnEnded(sequence)


def _game_ended(sequence: int, body: events_pb2.GameEnded) -> f.Fact:
    return f.GameEnded(sequence)


def _undone(sequence: int, body: events_pb2.Undone) -> f.Fact:
    return f.Undone(sequence, body.to_sequence)


_CONVERTERS: dict[str, Callable[[int, Any], f.Fact]] = {
    "game_created": _game_created,
    "audience_set": _audience_set,
    "cash_moved": _cash_moved,
    "certificates_moved": _certificates_moved,
    "company_bought": _company_bought,
    "company_closed": _company_closed,
    "price_started": _price_set,
    "price_moved": _price_set,
    "par_set": _initial_price_set,
    "price_removed": _price_removed,
    "company_reset": _company_closed,
    "debt_changed": _debt_changed,
    "dividend_declared": _dividend_declared,
    "phase_started": _phase_started,
    "round_started": _round_started,
    "round_ended": _round_ended,
    "order_changed": _order_changed,
    "turn_started": _turn_started,
    "turn_ended": _turn_ended,
    "game_ended": _game_ended,
    "undone": _undone,
}


class _Older(NamedTuple):
    """An event as an older version stored it, and how it becomes a fact."""

    message: type[Message]
    convert: Callable[[int, Any], f.Fact]


_VERSIONS: dict[str, int] = {
    field.name: schema_version_of(getattr(events_pb2, field.message_type.name))
    for field in events_pb2.GameEvent.DESCRIPTOR.oneofs_by_name["body"].fields
    if field.message_type is not None and field.name != TITLE_EVENT
}
_OLDER = {("dividend_declared", 1): _Older(events_pb2.DividendDeclaredV1, _dividend_declared)}
check_upcasts(_VERSIONS, _OLDER)
