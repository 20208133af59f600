"""Where the services meet: the ledger's hold stops play, and routing that is away is told as such."""

from __future__ import annotations

from pathlib import Path

import grpc
import pytest
from prometheus_client import CollectorRegistry

from services.common.grpc_server import HostedService, create_server
from services.common.memory_event_log import MemoryEventLog, MemorySnapshotStore
from services.common.settings import Settings
from services.common.telemetry import Telemetry
from services.gen.signalbox.routing.v1.routing_pb2_grpc import add_RoutingServicer_to_server
from services.host.embedded import ROUTING_NAME
from services.host.glue import LedgerFollower, RulesLog
from services.ledger.bootstrap import open_ledger
from services.ledger.domain.audit import RulesReport
from services.ledger.handlers import Ledger
from services.routing.domain.solver import solve
from services.routing.grpc_server import make_servicer
from services.rules.adapters.routing import GrpcRouteSolver
from services.rules.domain import commands as c
from services.rules.ports import RoutingUnavailableError
from services.rules.titles.g1824.title import TITLE
from tests.rules.service.desk import GAME, Desk
from tests.titles.g1824.positions_c import pilsen_table

pytestmark = pytest.mark.integration


def booked(desk: Desk, folder: Path) -> Ledger:
    """A ledger that follows this desk, its books in `folder`."""
    ledger = open_ledger(folder / "books.db", RulesLog(desk.rules), desk.rules, CollectorRegistry())
    desk.rules.add_follower(LedgerFollower(ledger))
    return ledger


def test_a_difference_in_the_books_stops_the_game(tmp_path: Path) -> None:
    """After a difference every command is ledger_hold, after a restart too, until an operator lets the game go on."""
    desk = Desk(MemoryEventLog(), MemorySnapshotStore())
    ledger = booked(desk, tmp_path)
    desk.create()
    desk.move(desk.asked(), c.Pass())
    assert ledger.holds() == ()
    ledger.audit(GAME, RulesReport(desk.sequence(), {**desk.game().cash, "ann": 1}, {}, {}))
    assert desk.refused(desk.asked(), c.Pass()) == "ledger_hold"
    ledger.close()

    again = Desk(desk.log, desk.snapshots)
    ledger = booked(again, tmp_path)
    assert again.refused(again.asked(), c.Pass()) == "ledger_hold"
    ledger.release(GAME)
    again.move(again.asked(), c.Pass(), "after the release")
    assert ledger.holds() == ()
    ledger.close()


def test_books_that_missed_events_catch_up(tmp_path: Path) -> None:
    """A ledger that was away reads what it missed from the log with the next command, and agrees with rules."""
    desk = Desk(MemoryEventLog(), MemorySnapshotStore())
    desk.create()
    desk.play_on(4)
    ledger = booked(desk, tmp_path)
    desk.play_on(1)
    audit = ledger.compared(GAME)
    assert audit is not None
    assert audit.passed
    with ledger.reading(GAME) as book:
        assert book.sequence == desk.sequence()
    assert ledger.handle("nowhere", ()) == 0
    ledger.close()


def test_routes_over_the_wire_are_those_of_the_solver() -> None:
    """Asked over gRPC the answer is the solver's; with nobody there routing is unavailable."""
    table = pilsen_table("2", "1g")
    problem = TITLE.route_problem(table.game, table.data, "MS")
    hosted = HostedService(ROUTING_NAME, add_RoutingServicer_to_server, make_servicer())
    server, port = create_server([hosted], Settings(), Telemetry())
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        assert GrpcRouteSolver(channel, 5).solve(problem) == solve(problem)
        server.stop(0)
        with pytest.raises(RoutingUnavailableError):
            GrpcRouteSolver(channel, 1).solve(problem)
