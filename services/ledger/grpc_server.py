"""The rpcs of ledger.proto: decode, ask the book, encode."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import grpc

from services.gen.signalbox.ledger.v1 import ledger_pb2 as pb, ledger_pb2_grpc
from services.ledger import messages
from services.ledger.domain.audit import broken_laws
from services.ledger.domain.book import Book
from services.ledger.domain.errors import SequenceOutOfRangeError
from services.ledger.domain.net_worth import present_worth, worth_over_time
from services.ledger.domain.statement import statement
from services.ledger.domain.trial_balance import trial_balance
from services.ledger.handlers import Ledger, UnknownGameError

LINES_PER_PAGE = 100
LINES_PER_PAGE_MAX = 1000


class LedgerServicer(ledger_pb2_grpc.LedgerServicer):
    """Answers from the books; changes nothing."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    @contextmanager
    def _reading(self, game_id: str, context: grpc.ServicerContext) -> Iterator[Book]:
        try:
            with self._ledger.reading(game_id) as book:
                yield book
        except UnknownGameError:
            context.abort(grpc.StatusCode.NOT_FOUND, f"no books of game {game_id!r}")
        except SequenceOutOfRangeError as outside:
            context.abort(grpc.StatusCode.OUT_OF_RANGE, str(outside))

    def GetBalances(
        self, request: pb.GetBalancesRequest, context: grpc.ServicerContext
    ) -> pb.GetBalancesResponse:
        """The balances of a game at a sequence."""
        with self._reading(request.game_id, context) as book:
            sequence = request.sequence or book.sequence
            return messages.balances_message(sequence, book.balances_at(sequence), request.holder)

    def GetStatement(
        self, request: pb.GetStatementRequest, context: grpc.ServicerContext
    ) -> pb.GetStatementResponse:
        """One page of an account's statement."""
        size, start = _page(request, context)
        try:
            account = messages.account_of(request.account)
        except messages.UnclearAccountError as unclear:
            _refuse(context, str(unclear))
        with self._reading(request.game_id, context) as book:
            lines = statement(book, account, start, size + 1)
            token = str(start + size) if len(lines) > size else ""
            return messages.statement_message(lines[:size], token)

    def GetTrialBalance(
        self, request: pb.GetTrialBalanceRequest, context: grpc.ServicerContext
    ) -> pb.GetTrialBalanceResponse:
        """The trial balance of a game at a sequence."""
        with self._reading(request.game_id, context) as book:
            return messages.trial_balance_message(trial_balance(book, request.sequence or book.sequence))

    def GetNetWorth(
        self, request: pb.GetNetWorthRequest, context: grpc.ServicerContext
    ) -> pb.GetNetWorthResponse:
        """Every player's wealth at the end of each round and now."""
        with self._reading(request.game_id, context) as book:
            return messages.net_worth_message(worth_over_time(book), present_worth(book))

    def GetAudit(self, request: pb.GetAuditRequest, context: grpc.ServicerContext) -> pb.GetAuditResponse:
        """The latest audit of a game."""
        with self._reading(request.game_id, context) as book:
            compared, hold = self._ledger.compared(request.game_id), self._ledger.hold_of(request.game_id)
            return messages.audit_message(book.sequence, compared, broken_laws(book), hold)

    def ListHolds(self, request: pb.ListHoldsRequest, context: grpc.ServicerContext) -> pb.ListHoldsResponse:
        """All games held."""
        return pb.ListHoldsResponse(holds=[messages.hold_message(hold) for hold in self._ledger.holds()])


def _page(request: pb.GetStatementRequest, context: grpc.ServicerContext) -> tuple[int, int]:
    size = request.page_size or LINES_PER_PAGE
    if not 1 <= size <= LINES_PER_PAGE_MAX:
        _refuse(context, f"page_size {size} is not within 1 to {LINES_PER_PAGE_MAX}")
    token = request.page_token or "0"
    if not (token.isascii() and token.isdigit() and len(token) <= len(str(2**31))):
        _refuse(context, f"page_token {token!r} was not given by GetStatement")
    return size, int(token)


def _refuse(context: grpc.ServicerContext, why: str) -> NoReturn:
    context.abort(grpc.StatusCode.INVALID_ARGUMENT, why)
