"""Converts between domain types and the messages of ledger.proto."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from services.gen.signalbox.events.v1.sentence_pb2 import (
    SUBJECT_COMPANY,
    SUBJECT_PLAYER,
    Sentence,
    SentencePart,
)
from services.gen.signalbox.ledger.v1 import ledger_pb2 as pb
from services.ledger.domain.accounts import DEBT, MONEY, OTHER_HOLDERS, Account, company_of, shares_of
from services.ledger.domain.audit import Audit
from services.ledger.domain.journal import Moment
from services.ledger.domain.net_worth import Point
from services.ledger.domain.statement import Line, Piece, explain, pieces
from services.ledger.domain.trial_balance import TrialBalance
from services.ledger.ports import Hold


class UnclearAccountError(ValueError):
    """An account in a request names no holder, no unit, or no company where it needs one."""


def account_of(message: pb.Account) -> Account:
    """The account in a request; `UnclearAccountError` when it is incomplete or contradictory."""
    if not message.holder:
        raise UnclearAccountError("account.holder is empty")
    if (message.unit == pb.UNIT_SHARES) != bool(message.company):
        raise UnclearAccountError("account.company belongs to UNIT_SHARES, and only there")
    units = {pb.UNIT_MONEY: MONEY, pb.UNIT_DEBT: DEBT, pb.UNIT_SHARES: shares_of(message.company)}
    unit = units.get(message.unit)
    if unit is None:
        raise UnclearAccountError(f"account.unit {message.unit} is not a unit")
    return Account(message.holder, unit)


def account_message(account: Account) -> pb.Account:
    """An account."""
    unit, company = _unit_fields(account.unit)
    return pb.Account(holder=account.holder, unit=unit, company=company)


def _unit_fields(unit: str) -> tuple[pb.Unit, str]:
    company = company_of(unit)
    if company:
        return pb.UNIT_SHARES, company
    return (pb.UNIT_MONEY if unit == MONEY else pb.UNIT_DEBT), ""


def balances_message(sequence: int, balances: Mapping[Account, int], holder: str) -> pb.GetBalancesResponse:
    """Balances after `sequence`, those of one holder or with an empty `holder` all."""
    return pb.GetBalancesResponse(
        sequence=sequence,
        balances=[
            pb.Balance(account=account_message(account), amount=amount)
            for account, amount in sorted(balances.items())
            if holder in ("", account.holder)
        ],
    )


def statement_message(
    lines: Iterable[Line], players: Collection[str], next_page_token: str
) -> pb.GetStatementResponse:
    """One page of a statement of a game with these players."""
    return pb.GetStatementResponse(
        lines=[_line(line, players) for line in lines], next_page_token=next_page_token
    )


def _line(line: Line, players: Collection[str]) -> pb.StatementLine:
    return pb.StatementLine(
        sequence=line.transfer.sequence,
        transfer_id=line.transfer.id,
        counterparty=line.counterparty,
        change=line.change,
        balance=line.balance,
        reason=line.transfer.reason,
        subject=line.transfer.subject,
        correction_of=line.transfer.correction_of,
        moment=_moment(line.moment),
        explanation=explain(line),
        sentence=Sentence(parts=[_part(piece, players) for piece in pieces(line)]),
    )


def _part(piece: Piece, players: Collection[str]) -> SentencePart:
    if not piece.is_holder or piece.text in OTHER_HOLDERS:
        return SentencePart(text=piece.text)
    subject = SUBJECT_PLAYER if piece.text in players else SUBJECT_COMPANY
    return SentencePart(text=piece.text, subject=subject)


def _moment(moment: Moment) -> pb.Moment:
    return pb.Moment(
        round_kind=moment.round_kind,
        turn=moment.turn,
        round_number=moment.round_number,
        phase=moment.phase,
        actor=moment.actor,
    )


def trial_balance_message(found: TrialBalance) -> pb.GetTrialBalanceResponse:
    """A trial balance."""
    response = pb.GetTrialBalanceResponse(sequence=found.sequence, balanced=found.balanced)
    for row in found.rows:
        response.rows.add(
            account=account_message(row.account), debits=row.debits, credits=row.credits, balance=row.balance
        )
    for name, total in sorted(found.totals.items()):
        unit, company = _unit_fields(name)
        response.totals.add(unit=unit, company=company, sum=total)
    return response


def net_worth_message(points: Iterable[Point], present: Point) -> pb.GetNetWorthResponse:
    """Net worth over time."""
    return pb.GetNetWorthResponse(points=[_point(point) for point in points], present=_point(present))


def _point(point: Point) -> pb.NetWorthPoint:
    message = pb.NetWorthPoint(sequence=point.sequence, moment=_moment(point.moment))
    for worth in point.players:
        message.players.add(
            player=worth.player,
            cash=worth.cash,
            certificates=worth.certificates,
            private_companies=worth.private_companies,
            debt=worth.debt,
            total=worth.total,
        )
    return message


def audit_message(
    sequence: int, compared: Audit | None, broken_laws: Iterable[str], hold: Hold | None
) -> pb.GetAuditResponse:
    """The latest comparison, the laws broken now and the hold."""
    response = pb.GetAuditResponse(sequence=sequence, broken_laws=broken_laws)
    if compared:
        response.compared_sequence = compared.sequence
        for each in compared.differences:
            response.differences.add(account=account_message(each.account), book=each.book, rules=each.rules)
    if hold:
        response.hold.CopyFrom(hold_message(hold))
    return response


def hold_message(hold: Hold) -> pb.Hold:
    """A hold."""
    return pb.Hold(game_id=hold.game_id, reason=hold.reason, detail=hold.detail, sequence=hold.sequence)
