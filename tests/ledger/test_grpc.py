"""The rpcs over a real server on loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from prometheus_client import CollectorRegistry

from services.common.auth.operators import Operators
from services.common.auth.tokens import Principal, TokenIssuer, TokenVerifier
from services.common.clock import SystemClock
from services.common.errors import Unavailable
from services.common.eventlog.memory import MemoryEventLog
from services.common.staff.stream import StreamStaffLog
from services.gen.signalbox.events.v1 import events_pb2 as ev
from services.gen.signalbox.ledger.v1 import ledger_pb2 as pb, ledger_pb2_grpc
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct
from services.ledger import grpc_server
from services.ledger.acts import OperatorActs
from services.ledger.adapters.memory import MemoryBookStore
from services.ledger.bootstrap import SERVICE_NAME, open_ledger
from services.ledger.domain.audit import ReportedBalances
from services.ledger.grpc_server import LedgerServicer
from services.ledger.handlers import Ledger
from services.ledger.ports import Hold

from .wire import ListedLog, RecordedAlarms, RecordedHolds, event, opening

pytestmark = pytest.mark.integration
MONEY_OF_ANN = pb.Account(holder="ann", unit=pb.UNIT_MONEY)


@pytest.fixture
def registry() -> CollectorRegistry:
    """Metrics of this ledger alone."""
    return CollectorRegistry()


@pytest.fixture
def ledger(tmp_path: Path, registry: CollectorRegistry) -> Iterator[Ledger]:
    """A ledger over a file that has booked the opening of game g, a round and an undo."""
    opened = open_ledger(tmp_path / "ledger.db", ListedLog(), RecordedHolds(), registry)
    paid = ev.CashMoved(source="bank", target="bob", amount=9, reason="dividend", subject="BH")
    operating = ev.RoundStarted(kind="operating", turn=1, number=1, order=["BH"])
    more = [
        event(11, round_ended=ev.RoundEnded(kind="stock")),
        event(12, round_started=operating),
        event(13, cash_moved=paid),
        event(14, undone=ev.Undone(player="bob", to_sequence=12)),
    ]
    opened.handle("g", [*opening(), *more])
    yield opened
    opened.close()


@pytest.fixture
def stub(ledger: Ledger) -> Iterator[Any]:
    """A client of a running server."""
    with served(ledger) as stub:
        yield stub


@contextmanager
def served(ledger: Ledger, replica: grpc_server.BookReplica | None = None) -> Iterator[Any]:
    """A client of a running server over this ledger."""
    with serving(LedgerServicer(ledger, replica=replica)) as stub:
        yield stub


@contextmanager
def serving(servicer: LedgerServicer) -> Iterator[Any]:
    """A client of a running server."""
    server = grpc.server(ThreadPoolExecutor(2))
    ledger_pb2_grpc.add_LedgerServicer_to_server(servicer, server)
    assert SERVICE_NAME == "signalbox.ledger.v1.Ledger"
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield ledger_pb2_grpc.LedgerStub(channel)
    server.stop(None).wait()


def test_balances_are_given_at_any_sequence(stub: Any) -> None:
    """The latest balances and those of an earlier sequence, of all holders or of one."""
    latest = stub.GetBalances(pb.GetBalancesRequest(game_id="g"))
    assert latest.sequence == 14
    assert {each.account.holder for each in latest.balances} == {"ann", "bob", "bank", "issue"}
    before = stub.GetBalances(pb.GetBalancesRequest(game_id="g", holder="ann", sequence=7))
    assert list(before.balances) == [pb.Balance(account=MONEY_OF_ANN, amount=400)]


def test_a_statement_is_given_in_pages(stub: Any) -> None:
    """Following the page tokens returns every line once, the last page has no token."""
    lines: list[pb.StatementLine] = []
    token = ""
    while True:
        bob = pb.Account(holder="bob", unit=pb.UNIT_MONEY)
        page = stub.GetStatement(
            pb.GetStatementRequest(game_id="g", account=bob, page_size=2, page_token=token)
        )
        lines += page.lines
        token = page.next_page_token
        if not token:
            break
    assert [(line.change, line.balance) for line in lines] == [(400, 400), (9, 409), (-9, 400)]
    assert (lines[2].reason, lines[2].correction_of, lines[2].counterparty) == ("undone", "g/13/0", "bank")
    assert lines[1].explanation == "operating round 1.1: bob received 9 from bank: dividend (BH)"


def test_a_trial_balance_is_balanced(stub: Any) -> None:
    """Debits and credits per account, a zero total per unit."""
    found = stub.GetTrialBalance(pb.GetTrialBalanceRequest(game_id="g"))
    bank = next(row for row in found.rows if row.account == pb.Account(holder="bank", unit=pb.UNIT_MONEY))
    assert (bank.debits, bank.credits, bank.balance) == (809, 1209, 400)
    assert [(total.unit, total.company, total.sum) for total in found.totals] == [
        (pb.UNIT_MONEY, "", 0),
        (pb.UNIT_SHARES, "BH", 0),
    ]
    assert found.balanced


def test_net_worth_is_given_over_time(stub: Any) -> None:
    """A point at the end of the stock round and one for now."""
    worth = stub.GetNetWorth(pb.GetNetWorthRequest(game_id="g"))
    (point,) = worth.points
    assert (point.sequence, point.moment.round_kind) == (11, "stock")
    assert [(each.player, each.certificates, each.total) for each in point.players] == [
        ("ann", 200, 400),
        ("bob", 0, 400),
    ]
    assert (worth.present.sequence, worth.present.moment.round_kind) == (14, "operating")


def test_a_difference_is_seen_in_audit_holds_and_metrics(
    stub: Any, ledger: Ledger, registry: CollectorRegistry
) -> None:
    """Before the comparison nothing is reported; after it difference, hold and alarm are."""
    assert stub.GetAudit(pb.GetAuditRequest(game_id="g")) == pb.GetAuditResponse(sequence=14)
    shares = {("bank", "BH"): 8, ("ann", "BH"): 2}
    ledger.audit("g", ReportedBalances(14, {"bank": 400, "ann": 200, "bob": 399}, shares, {}))
    audit = stub.GetAudit(pb.GetAuditRequest(game_id="g"))
    assert audit.compared_sequence == 14
    assert [(each.account.holder, each.book, each.rules) for each in audit.differences] == [("bob", 400, 399)]
    assert [hold.reason for hold in stub.ListHolds(pb.ListHoldsRequest()).holds] == ["difference"]
    assert audit.hold.game_id == "g"
    assert registry.get_sample_value("signalbox_ledger_alarms_total", {"reason": "difference"}) == 1
    assert registry.get_sample_value("signalbox_ledger_events_booked_total") == 14


REFUSED = [
    ("GetBalances", pb.GetBalancesRequest(game_id="x"), "NOT_FOUND", "no books of game 'x'"),
    ("GetStatement", pb.GetStatementRequest(game_id="x", account=MONEY_OF_ANN), "NOT_FOUND", "'x'"),
    ("GetTrialBalance", pb.GetTrialBalanceRequest(game_id=""), "NOT_FOUND", "''"),
    ("GetNetWorth", pb.GetNetWorthRequest(game_id="x"), "NOT_FOUND", "'x'"),
    ("GetAudit", pb.GetAuditRequest(game_id="x"), "NOT_FOUND", "'x'"),
    ("GetBalances", pb.GetBalancesRequest(game_id="g", sequence=15), "OUT_OF_RANGE", "1 to 14 are booked"),
    ("GetTrialBalance", pb.GetTrialBalanceRequest(game_id="g", sequence=-1), "OUT_OF_RANGE", "sequence -1"),
    ("GetStatement", pb.GetStatementRequest(game_id="g"), "INVALID_ARGUMENT", "account.holder is empty"),
    (
        "GetStatement",
        pb.GetStatementRequest(game_id="g", account=pb.Account(holder="ann")),
        "INVALID_ARGUMENT",
        "account.unit 0 is not a unit",
    ),
    (
        "GetStatement",
        pb.GetStatementRequest(game_id="g", account=pb.Account(holder="ann", unit=pb.UNIT_SHARES)),
        "INVALID_ARGUMENT",
        "account.company belongs to UNIT_SHARES",
    ),
    (
        "GetStatement",
        pb.GetStatementRequest(game_id="g", account=MONEY_OF_ANN, page_size=1001),
        "INVALID_ARGUMENT",
        "page_size 1001",
    ),
    (
        "GetStatement",
        pb.GetStatementRequest(game_id="g", account=MONEY_OF_ANN, page_token="x"),
        "INVALID_ARGUMENT",
        "page_token 'x'",
    ),
]


@pytest.mark.parametrize(("method", "request_message", "code", "words"), REFUSED)
def test_a_refused_call_names_what_is_wrong(
    stub: Any, method: str, request_message: Any, code: str, words: str
) -> None:
    """Unknown games, sequences not booked and unclear requests each have their own status and words."""
    with pytest.raises(grpc.RpcError) as refused:
        getattr(stub, method)(request_message)
    assert refused.value.code() == grpc.StatusCode[code]
    assert words in str(refused.value.details())


class BookReplica:
    """A fake replica with a fixed answer to `catch_up`; `before` is called with the number of calls."""

    def __init__(self, ledger: Ledger, is_current: bool, before: Callable[[int], None]) -> None:
        self._ledger = ledger
        self.is_current = is_current
        self.before = before
        self.asked = 0

    def catch_up(self, game_id: str, seconds: float) -> bool:
        """See `grpc_server.BookReplica`."""
        self.asked += 1
        self.before(self.asked)
        return self.is_current

    def hold_for_operator(self, game_id: str, why: str) -> Hold:
        """See `grpc_server.BookReplica`."""
        return self._ledger.hold_for_operator(game_id, why)

    def release(self, game_id: str) -> None:
        """See `grpc_server.BookReplica`."""
        self._ledger.release(game_id)

    def rebuild(self, game_id: str) -> int:
        """See `grpc_server.BookReplica`."""
        return self._ledger.rebuild(game_id)


def refused(ledger: Ledger, replica: BookReplica, request: pb.GetBalancesRequest) -> tuple[str, str] | None:
    """Status and words of a read at this replica, None where it is answered."""
    with served(ledger, replica) as stub:
        try:
            stub.GetBalances(request)
        except grpc.RpcError as error:
            return error.code().name, str(error.details())
    return None


def nothing(_asked: int) -> None:
    """Nothing happens meanwhile."""


@pytest.mark.parametrize(
    ("is_current", "sequence", "code"),
    [(True, 15, "OUT_OF_RANGE"), (False, 15, "UNAVAILABLE"), (False, -1, "OUT_OF_RANGE")],
)
def test_a_sequence_that_may_be_booked_by_now_is_not_refused_for_good(
    ledger: Ledger, is_current: bool, sequence: int, code: str
) -> None:
    """While rules does not answer, it is unknown whether the game has reached the sequence asked for."""
    reported = refused(
        ledger,
        BookReplica(ledger, is_current, nothing),
        pb.GetBalancesRequest(game_id="g", sequence=sequence),
    )
    assert reported is not None
    assert reported[0] == code
    assert "1 to 14 are booked" in reported[1]


def test_a_book_dropped_before_it_is_read_is_made_again(tmp_path: Path) -> None:
    """A known game is never reported as unknown because an operator wants its book anew; an unknown one is."""
    store, log = MemoryBookStore(), ListedLog()
    log.written["g"] = opening()
    ledger = Ledger(store, log, RecordedHolds(), RecordedAlarms(), reads_log_when_opened=False)

    def dropped_at_first(asked: int) -> None:
        if asked > 1:
            ledger.handle("g", log.written["g"])

    replica = BookReplica(ledger, True, dropped_at_first)
    assert refused(ledger, replica, pb.GetBalancesRequest(game_id="g")) is None
    assert replica.asked == 2
    reported = refused(ledger, BookReplica(ledger, True, nothing), pb.GetBalancesRequest(game_id="x"))
    assert reported == ("NOT_FOUND", "no books of game 'x'")


def test_a_read_that_cannot_be_answered_now_is_unavailable(ledger: Ledger) -> None:
    """With the replica's message."""

    def newer(_asked: int) -> None:
        raise Unavailable("a newer ledger is needed")

    reported = refused(ledger, BookReplica(ledger, True, newer), pb.GetBalancesRequest(game_id="g"))
    assert reported == ("UNAVAILABLE", "a newer ledger is needed")


def test_operators_hold_release_and_rebuild_with_a_reason(ledger: Ledger) -> None:
    """Recorded before it is done, once for each request; what cannot be is neither done nor recorded."""
    acts: list[StaffAct] = []
    log = StreamStaffLog(MemoryEventLog(), SystemClock())
    log.follow(acts.append)
    issuer = TokenIssuer(Ed25519PrivateKey.generate(), 60, SystemClock())
    verifier = TokenVerifier(issuer.keys, SystemClock())
    servicer = LedgerServicer(ledger, Operators(verifier, ()), acts=OperatorActs(log, verifier))
    olga = Principal("operator:olga", "olga", "operator")
    metadata = (("authorization", f"Bearer {issuer.issue(olga).token}"),)
    with serving(servicer) as stub:
        wanted = pb.HoldGameRequest(game_id="g", reason=" a dispute ", request_id="h1")
        hold = stub.HoldGame(wanted, metadata=metadata).hold
        assert hold == pb.Hold(game_id="g", reason="operator", detail="a dispute", sequence=14)
        assert stub.HoldGame(wanted, metadata=metadata).hold == hold
        assert list(stub.ListHolds(pb.ListHoldsRequest()).holds) == [hold]
        rebuild = pb.RebuildBookRequest(game_id="g", reason="to be sure")
        with pytest.raises(grpc.RpcError):
            # The log of this test has no events of it.
            stub.RebuildBook(rebuild, metadata=metadata)
        assert stub.ReleaseHold(pb.ReleaseHoldRequest(game_id="g"), metadata=metadata).hold == hold
        for refused, code in (
            (pb.HoldGameRequest(game_id="g"), grpc.StatusCode.INVALID_ARGUMENT),
            (pb.HoldGameRequest(game_id="g", reason="x" * 1_001), grpc.StatusCode.INVALID_ARGUMENT),
            (pb.HoldGameRequest(game_id="other", reason="why"), grpc.StatusCode.NOT_FOUND),
        ):
            with pytest.raises(grpc.RpcError) as ended:
                stub.HoldGame(refused, metadata=metadata)
            assert ended.value.code() is code
    assert [(each.act, each.game_id, each.reason, each.author_id) for each in acts] == [
        ("hold", "g", "a dispute", "operator:olga"),
        ("rebuild_book", "g", "to be sure", "operator:olga"),
        ("release_hold", "g", "", "operator:olga"),
    ]


LONG = "x" * 100_000


@pytest.mark.parametrize(
    "call",
    [
        lambda stub: stub.GetBalances(pb.GetBalancesRequest(game_id=LONG)),
        lambda stub: stub.GetAudit(pb.GetAuditRequest(game_id=LONG + "\N{GRINNING FACE}")),
        lambda stub: stub.GetStatement(
            pb.GetStatementRequest(game_id="g", account=MONEY_OF_ANN, page_token=LONG)
        ),
        lambda stub: stub.RebuildBook(pb.RebuildBookRequest(game_id=LONG)),
    ],
)
def test_a_status_repeats_no_long_id(stub: Any, call: Callable[[Any], object]) -> None:
    """It shows the beginning of an id and how long it is."""
    with pytest.raises(grpc.RpcError) as refused:
        call(stub)
    assert refused.value.code() in (
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.PERMISSION_DENIED,
    )
    assert len(refused.value.details() or "") < 300
