"""What runs would earn, asked over gRPC without carrying them out."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest

from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.common.settings.service import Settings
from services.gen.signalbox.rules.v1 import rules_pb2 as pb
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from services.rules.adapters.codec import command_message
from services.rules.parts.trains.commands import RunTrains
from services.rules.parts.trains.state import train_turn
from tests.rules.service.desk import GAME, Desk
from tests.rules.service.served import served, stub_of, token
from tests.titles.g1824.operating_positions import pilsen_table
from tests.titles.g1824.table import ADA, BEN

SECONDS = 60.0


@pytest.fixture(scope="module")
def desk() -> Desk:
    """A company that may run."""
    desk = Desk(MemoryEventLog(), MemorySnapshotStore())
    table = pilsen_table("2")
    table.tiles_lie((("A6", "3", 5),))
    desk.place(table.log)
    return desk


@pytest.fixture(scope="module")
def stub(desk: Desk) -> Iterator[RulesStub]:
    """Where it is served."""
    with served(desk, Settings()) as port, stub_of(port) as stub:
        yield stub


def valued(stub: RulesStub, who: str, runs: RunTrains) -> pb.ValueRunsResponse:
    """The answer to a player's question."""
    request = pb.ValueRunsRequest(game_id=GAME, runs=command_message(runs).run_trains)
    answer: pb.ValueRunsResponse = stub.ValueRuns(request, metadata=token(who), timeout=SECONDS)
    return answer


def best(desk: Desk) -> RunTrains:
    """The best runs, as a player would draw them."""
    (choice,) = desk.rules.reader.options(GAME, ADA, with_best_runs=True).choices
    assert isinstance(choice.command, RunTrains)
    return choice.command


def test_runs_are_worth_what_they_then_earn(stub: RulesStub, desk: Desk) -> None:
    """The question changes nothing; the same runs, sent as a command, bring the same."""
    before = desk.trace()
    answer = valued(stub, ADA, best(desk))
    assert desk.trace() == before
    found = answer.valued
    assert (found.sequence, found.revenue) == (desk.sequence(), sum(run.revenue for run in found.runs))
    assert [run.train for run in found.runs] == ["2-0"] and found.revenue > 0
    copy = Desk(MemoryEventLog(), MemorySnapshotStore())
    table = pilsen_table("2")
    table.tiles_lie((("A6", "3", 5),))
    copy.place(table.log)
    copy.move(ADA, best(copy))
    turn = train_turn(copy.game())
    assert (turn.revenue, turn.treasury_income) == (found.revenue, found.treasury_income)


def test_runs_are_refused_as_a_command_would_be(stub: RulesStub, desk: Desk) -> None:
    """With code, clause and the better runs; those who do not play, or are not asked, learn nothing else."""
    worse = valued(stub, ADA, RunTrains("MS", ())).rejected
    assert (worse.code, worse.clause) == ("route_not_best", "1824/VII.10-e")
    assert worse.best_runs.revenue > 0
    assert valued(stub, "mallory", best(desk)).rejected.code == "not_a_player"
    assert valued(stub, BEN, best(desk)).rejected.code == "not_your_turn"


def test_an_unknown_game_has_no_runs(stub: RulesStub) -> None:
    """NOT_FOUND, as for all questions about games."""
    with pytest.raises(grpc.RpcError) as failed:
        stub.ValueRuns(pb.ValueRunsRequest(game_id="nothing"), metadata=token(ADA), timeout=SECONDS)
    assert failed.value.code() is grpc.StatusCode.NOT_FOUND
