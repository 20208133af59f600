"""From the events of the wire to the ledger's own facts. Nothing behind this module knows the contract of
the events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from google.protobuf.descriptor import EnumDescriptor

from services.gen.signalbox.events.v1 import events_pb2
from services.ledger.domain import facts as f
from services.ledger.domain.errors import MalformedFactError, UnknownFactError


def fact_of(event: events_pb2.GameEvent) -> f.Fact:
    """The fact of `event`. `UnknownFactError` for a body (it might move money) and for a value of an enum that this
    ledger does not know, `MalformedFactError` for an enum without a value."""
    kind = event.WhichOneof("body")
    if kind is None:
        raise UnknownFactError(event.game_id, event.sequence, "the event has no body known to this ledger")
    converter = _CONVERTERS.get(kind)
    if converter is None:
        return f.Unmoved(event.sequence)
    try:
        return converter(event.sequence, getattr(event, kind))
    except KeyError as unknown:
        problem = f"{kind} has the enum value {unknown}, which this ledger does not know"
        kind_of_error = UnknownFactError if unknown.args[0] else MalformedFactError
        raise kind_of_error(event.game_id, event.sequence, problem) from unknown


def _words(enum: EnumDescriptor, prefix: str) -> dict[int, str]:
    """The field's word for each value of an enum, its unspecified one left out."""
    return {value.number: value.name.removeprefix(prefix).lower() for value in enum.values if value.number}


_BY_NAME = events_pb2.DESCRIPTOR.enum_types_by_name
_MONEY_REASONS = _words(_BY_NAME["MoneyReason"], "MONEY_REASON_")
_CERTIFICATE_REASONS = _words(_BY_NAME["CertificateReason"], "CERTIFICATE_REASON_")
_DEBT_REASONS = _words(_BY_NAME["DebtReason"], "DEBT_REASON_")
_DIVIDEND_KINDS = _words(_BY_NAME["DividendKind"], "DIVIDEND_KIND_")
_ROUND_KINDS = _words(_BY_NAME["RoundKind"], "ROUND_KIND_")


def _game_created(sequence: int, body: events_pb2.GameCreated) -> f.Fact:
    return f.GameCreated(sequence, tuple(body.players), body.bank_cash)


def _cash_moved(sequence: int, body: events_pb2.CashMoved) -> f.Fact:
    reason = _MONEY_REASONS[body.reason]
    return f.CashMoved(sequence, body.source, body.target, body.amount, reason, body.subject)


def _certificates_moved(sequence: int, body: events_pb2.CertificatesMoved) -> f.Fact:
    reason = _CERTIFICATE_REASONS[body.reason]
    return f.CertificatesMoved(sequence, body.company, body.percent, body.source, body.target, reason)


def _company_bought(sequence: int, body: events_pb2.CompanyBought) -> f.Fact:
    return f.CompanyBought(sequence, body.company, body.owner, body.price)


def _company_closed(sequence: int, body: events_pb2.CompanyClosed | events_pb2.CompanyReset) -> f.Fact:
    return f.CompanyClosed(sequence, body.company)


def _price_set(sequence: int, body: events_pb2.PriceStarted | events_pb2.PriceMoved) -> f.Fact:
    return f.PriceSet(sequence, body.company, body.price)


def _initial_price_set(sequence: int, body: events_pb2.IpoMarkerSet) -> f.Fact:
    return f.InitialPriceSet(sequence, body.company, body.price)


def _price_removed(sequence: int, body: events_pb2.PriceRemoved) -> f.Fact:
    return f.PriceSet(sequence, body.company, 0)


def _debt_changed(sequence: int, body: events_pb2.DebtChanged) -> f.Fact:
    return f.DebtChanged(sequence, body.player, body.amount, _DEBT_REASONS[body.reason])


def _dividend_declared(sequence: int, body: events_pb2.DividendDeclared) -> f.Fact:
    kind = _DIVIDEND_KINDS[body.kind]
    return f.DividendDeclared(sequence, body.company, kind, body.revenue, body.per_share)


def _phase_started(sequence: int, body: events_pb2.PhaseStarted) -> f.Fact:
    return f.PhaseStarted(sequence, body.phase)


def _round_started(sequence: int, body: events_pb2.RoundStarted) -> f.Fact:
    return f.RoundStarted(sequence, _ROUND_KINDS[body.kind], body.turn, body.number, tuple(body.order))


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
    "cash_moved": _cash_moved,
    "certificates_moved": _certificates_moved,
    "company_bought": _company_bought,
    "company_closed": _company_closed,
    "price_started": _price_set,
    "price_moved": _price_set,
    "ipo_marker_set": _initial_price_set,
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
