"""A client of the ledger."""

from __future__ import annotations

from collections.abc import Iterator

from services.client.calls import Caller, new_request_id
from services.client.retries import RIDE_OVER, Retries
from services.gen.signalbox.ledger.v1 import ledger_pb2 as pb
from services.gen.signalbox.ledger.v1.ledger_pb2_grpc import LedgerStub

LEDGER = pb.DESCRIPTOR.services_by_name["Ledger"]


class Books:
    """The ledger service for one signed-in player."""

    def __init__(self, address: str, token: str, retries: Retries = RIDE_OVER) -> None:
        self._caller = Caller(address, LEDGER, token, retries=retries)
        self._stub = LedgerStub(self._caller.channel)

    def trial_balance(self, game_id: str, sequence: int = 0) -> pb.GetTrialBalanceResponse:
        """Debits and credits of all accounts after a sequence, 0 for now."""
        request = pb.GetTrialBalanceRequest(game_id=game_id, sequence=sequence)
        return self._caller.call(self._stub.GetTrialBalance, request, pb.GetTrialBalanceResponse)

    def balances(self, game_id: str, holder: str = "", sequence: int = 0) -> list[pb.Balance]:
        """The balances of a holder (empty: of all) after a sequence, 0 for now."""
        request = pb.GetBalancesRequest(game_id=game_id, holder=holder, sequence=sequence)
        return list(self._caller.call(self._stub.GetBalances, request, pb.GetBalancesResponse).balances)

    def statement(self, game_id: str, account: pb.Account) -> Iterator[pb.StatementLine]:
        """Everything that ever changed one account, oldest first."""
        token, more = "", True
        while more:
            request = pb.GetStatementRequest(game_id=game_id, account=account, page_token=token)
            page = self._caller.call(self._stub.GetStatement, request, pb.GetStatementResponse)
            yield from page.lines
            token = page.next_page_token
            more = bool(token)

    def net_worth(self, game_id: str) -> pb.GetNetWorthResponse:
        """What every player was worth at the end of each round, and is worth now."""
        request = pb.GetNetWorthRequest(game_id=game_id)
        return self._caller.call(self._stub.GetNetWorth, request, pb.GetNetWorthResponse)

    def audit(self, game_id: str) -> pb.GetAuditResponse:
        """The latest comparison of the books with the rules."""
        return self._caller.call(
            self._stub.GetAudit, pb.GetAuditRequest(game_id=game_id), pb.GetAuditResponse
        )

    def holds(self) -> list[pb.Hold]:
        """The held games, by game id."""
        return list(
            self._caller.call(self._stub.ListHolds, pb.ListHoldsRequest(), pb.ListHoldsResponse).holds
        )

    def hold(self, game_id: str, reason: str) -> pb.Hold:
        """Hold a game until it is released; for operators. Returns its hold, the first one if it was held already."""
        request = pb.HoldGameRequest(game_id=game_id, reason=reason, request_id=new_request_id())
        return self._caller.call(self._stub.HoldGame, request, pb.HoldGameResponse).hold

    def release_hold(self, game_id: str, reason: str = "") -> pb.Hold:
        """Release a held game; for operators. Returns its hold."""
        request = pb.ReleaseHoldRequest(game_id=game_id, reason=reason, request_id=new_request_id())
        return self._caller.call(self._stub.ReleaseHold, request, pb.ReleaseHoldResponse).hold

    def rebuild(self, game_id: str, reason: str = "") -> int:
        """Rebuild a book from the log; for operators. Returns the last sequence booked."""
        request = pb.RebuildBookRequest(game_id=game_id, reason=reason, request_id=new_request_id())
        return self._caller.call(self._stub.RebuildBook, request, pb.RebuildBookResponse).sequence

    def close(self) -> None:
        """Close the channel."""
        self._caller.close()
