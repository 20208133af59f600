"""The rpcs of ledger.proto: decode, ask the book, encode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import NoReturn, Protocol

import grpc

from services.common.errors import InvalidRequest, Unavailable
from services.common.shown import shown
from services.gen.signalbox.ledger.v1 import ledger_pb2 as pb, ledger_pb2_grpc
from services.ledger import messages
from services.ledger.acts import OperatorActs
from services.ledger.domain.audit import broken_laws
from services.ledger.domain.book import Book
from services.ledger.domain.errors import SequenceOutOfRangeError
from services.ledger.domain.net_worth import present_worth, worth_over_time
from services.ledger.domain.statement import statement
from services.ledger.domain.trial_balance import trial_balance
from services.ledger.handlers import Ledger, UnknownGameError
from services.ledger.ports import Hold, UnwritableStoreError
from services.ledger.sight import CallerSight, GameSight

LINES_PER_PAGE = 100
LINES_PER_PAGE_MAX = 1000
CATCH_UP_SECONDS = 3.0
RULES_UNAVAILABLE = "rules does not answer now"


class BookReplica(Protocol):
    """A cluster replica, which keeps its ledger up to date from rules. All methods raise `Unavailable`."""

    def catch_up(self, game_id: str, seconds: float) -> bool:
        """Book missing events; False when rules does not answer in time."""

    def hold_for_operator(self, game_id: str, why: str) -> Hold:
        """See `Ledger.hold_for_operator`."""

    def release(self, game_id: str) -> None:
        """See `Ledger.release`."""

    def rebuild(self, game_id: str) -> int:
        """See `Ledger.rebuild`."""


def no_operator(_context: grpc.ServicerContext) -> bool:
    """No caller is an operator."""
    return False


class LedgerServicer(ledger_pb2_grpc.LedgerServicer):
    """Answers from the books, and does what operators ask for."""

    def __init__(
        self,
        ledger: Ledger,
        is_operator: Callable[[grpc.ServicerContext], bool] = no_operator,
        replica: BookReplica | None = None,
        sight: GameSight | None = None,
        acts: OperatorActs | None = None,
    ) -> None:
        """`replica`: catches up before every read; without one the books are never behind. `sight`: see `CallerSight`. `acts`:
        records what operators do; needed where there are any."""
        self._acts = acts
        self._sight = CallerSight(sight, is_operator)
        self._ledger = ledger
        self._is_operator = is_operator
        self._replica = replica

    @contextmanager
    def _reading(self, game_id: str, context: grpc.ServicerContext) -> Iterator[Book]:
        with ExitStack() as reading:
            book, is_current = self._opened(game_id, context, reading)
            if book.sequence == 1 and not is_current:
                # The second event may say that not everybody may see the game.
                context.abort(grpc.StatusCode.UNAVAILABLE, f"game {shown(game_id)}: {RULES_UNAVAILABLE}")
            if book.is_restricted:
                # Nobody waits for the books while rules is asked.
                reading.close()
                limit = self._seen_by(game_id, context)
                book, is_current = self._opened(game_id, context, reading)
                book = book if limit is None else book.until(limit)
            try:
                yield book
            except SequenceOutOfRangeError as outside:
                if not is_current and outside.asked > outside.last:
                    context.abort(grpc.StatusCode.UNAVAILABLE, f"{outside}; {RULES_UNAVAILABLE}")
                context.abort(grpc.StatusCode.OUT_OF_RANGE, str(outside))

    def _opened(self, game_id: str, context: grpc.ServicerContext, reading: ExitStack) -> tuple[Book, bool]:
        """The book, and whether it is up to date with rules."""
        is_current = self._catch_up(game_id, context)
        try:
            return reading.enter_context(self._ledger.reading(game_id)), is_current
        except UnknownGameError:
            # A pending rebuild may drop the book just before it is opened: catch up and try once more.
            is_current = is_current and self._catch_up(game_id, context)
        try:
            return reading.enter_context(self._ledger.reading(game_id)), is_current
        except UnknownGameError:
            if not is_current:
                context.abort(grpc.StatusCode.UNAVAILABLE, f"game {shown(game_id)}: {RULES_UNAVAILABLE}")
            _abort_unknown(game_id, context)

    def _seen_by(self, game_id: str, context: grpc.ServicerContext) -> int | None:
        """How far the caller sees the game; aborts where not at all, as for a game that is not there."""
        try:
            return self._sight.limit(game_id, context)
        except UnknownGameError:
            _abort_unknown(game_id, context)
        except Unavailable as away:
            context.abort(grpc.StatusCode.UNAVAILABLE, str(away))

    def _catch_up(self, game_id: str, context: grpc.ServicerContext) -> bool:
        """Catch up with rules, within half of the call's remaining time."""
        if self._replica is None:
            return True
        remaining = context.time_remaining()
        seconds = CATCH_UP_SECONDS if remaining is None else min(CATCH_UP_SECONDS, remaining / 2)
        try:
            return self._replica.catch_up(game_id, seconds)
        except Unavailable as away:
            context.abort(grpc.StatusCode.UNAVAILABLE, str(away))

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
            _abort_invalid(context, str(unclear))
        with self._reading(request.game_id, context) as book:
            lines = statement(book, account, start, size + 1)
            token = str(start + size) if len(lines) > size else ""
            return messages.statement_message(lines[:size], book.players, token)

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
            # Those who see the game later see later what was found.
            compared = None if compared is None or compared.sequence > book.sequence else compared
            hold = None if hold is None or hold.sequence > book.sequence else hold
            return messages.audit_message(book.sequence, compared, broken_laws(book), hold)

    def ListHolds(self, request: pb.ListHoldsRequest, context: grpc.ServicerContext) -> pb.ListHoldsResponse:
        """All games held of which the caller sees so much."""
        held = [hold for hold in self._ledger.holds() if self._sees(hold, context)]
        return pb.ListHoldsResponse(holds=[messages.hold_message(hold) for hold in held])

    def _sees(self, hold: Hold, context: grpc.ServicerContext) -> bool:
        try:
            with self._ledger.reading(hold.game_id) as book:
                if not book.is_restricted:
                    return True
            limit = self._sight.limit(hold.game_id, context)
        except (UnknownGameError, Unavailable):
            return False
        return limit is None or hold.sequence <= limit

    def HoldGame(self, request: pb.HoldGameRequest, context: grpc.ServicerContext) -> pb.HoldGameResponse:
        """Hold a game."""
        with self._operating(request.game_id, context):
            if not request.reason.strip():
                _abort_invalid(context, "reason: is needed")
            self._catch_up(request.game_id, context)
            if not self._ledger.sequence_of(request.game_id):
                _abort_unknown(request.game_id, context)
            self._record(context, "hold", request)
            hold = (self._replica or self._ledger).hold_for_operator(request.game_id, request.reason.strip())
            return pb.HoldGameResponse(hold=messages.hold_message(hold))

    def ReleaseHold(
        self, request: pb.ReleaseHoldRequest, context: grpc.ServicerContext
    ) -> pb.ReleaseHoldResponse:
        """Release a held game."""
        with self._operating(request.game_id, context):
            hold = self._ledger.hold_of(request.game_id)
            if hold is None:
                context.abort(grpc.StatusCode.NOT_FOUND, f"game {shown(request.game_id)} is not held")
            self._record(context, "release_hold", request)
            (self._replica or self._ledger).release(request.game_id)
            return pb.ReleaseHoldResponse(hold=messages.hold_message(hold))

    def RebuildBook(
        self, request: pb.RebuildBookRequest, context: grpc.ServicerContext
    ) -> pb.RebuildBookResponse:
        """Rebuild a book from the log."""
        with self._operating(request.game_id, context):
            self._record(context, "rebuild_book", request)
            sequence = (self._replica or self._ledger).rebuild(request.game_id)
            return pb.RebuildBookResponse(sequence=sequence)

    def _record(
        self,
        context: grpc.ServicerContext,
        act: str,
        request: pb.HoldGameRequest | pb.ReleaseHoldRequest | pb.RebuildBookRequest,
    ) -> None:
        if self._acts is None:
            return
        try:
            self._acts.record(context, request.request_id, act, request.game_id, request.reason)
        except InvalidRequest as malformed:
            _abort_invalid(context, str(malformed))

    @contextmanager
    def _operating(self, game_id: str, context: grpc.ServicerContext) -> Iterator[None]:
        if not self._is_operator(context):
            context.abort(grpc.StatusCode.PERMISSION_DENIED, "only operators may do this")
        try:
            yield
        except UnknownGameError:
            context.abort(grpc.StatusCode.NOT_FOUND, f"no books of game {shown(game_id)}")
        except (Unavailable, UnwritableStoreError) as away:
            context.abort(grpc.StatusCode.UNAVAILABLE, str(away))


def _abort_unknown(game_id: str, context: grpc.ServicerContext) -> NoReturn:
    context.abort(grpc.StatusCode.NOT_FOUND, f"no books of game {shown(game_id)}")


def _page(request: pb.GetStatementRequest, context: grpc.ServicerContext) -> tuple[int, int]:
    size = request.page_size or LINES_PER_PAGE
    if not 1 <= size <= LINES_PER_PAGE_MAX:
        _abort_invalid(context, f"page_size {size} is not within 1 to {LINES_PER_PAGE_MAX}")
    token = request.page_token or "0"
    if not (token.isascii() and token.isdigit() and len(token) <= len(str(2**31))):
        _abort_invalid(context, f"page_token {shown(token)} was not given by GetStatement")
    return size, int(token)


def _abort_invalid(context: grpc.ServicerContext, why: str) -> NoReturn:
    context.abort(grpc.StatusCode.INVALID_ARGUMENT, why)
