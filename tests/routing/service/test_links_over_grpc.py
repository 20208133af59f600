"""The questions about links over gRPC: the handlers' answers, and the same refusals as for runs."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest

from services.gen.signalbox.routing.v1 import routing_pb2 as pb
from tests.routing.service.fake_workers import FakeWorkers
from tests.routing.service.serving import SECONDS, Serving, serving, trailing
from tests.routing.test_link_handlers import EAST, WEST


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    """A server whose workers are never asked."""
    with serving(FakeWorkers().make) as running:
        yield running


def board() -> pb.TrackProblem:
    """Two cities with a hex between them."""
    problem = pb.TrackProblem(start="A", end="Z", count=2)
    for place, name in enumerate(("A", "h", "Z")):
        added = problem.hexes.add(id=name, cost=3 if name == "h" else 0, is_city=name != "h")
        for side in range(6):
            beyond = {EAST: place + 1, WEST: place - 1}.get(side, -1)
            added.sides.add(beyond=("A", "h", "Z")[beyond] if 0 <= beyond < 3 else "")
    return problem


def network() -> pb.DeliveryProblem:
    """One own link from a city with a blue cube to a blue city."""
    problem = pb.DeliveryProblem(company="RED")
    problem.cities.add(id="A")
    problem.cities.add(id="B", colour="blue")
    problem.links.add(id="1", one="A", other="B", owner="RED")
    problem.cubes.add(city="A", colour="blue")
    return problem


def test_track(server: Serving) -> None:
    """The one track there is, proven."""
    answer = server.stub.SolveTrack(pb.SolveTrackRequest(problem=board()), timeout=SECONDS)
    assert answer == pb.SolveTrackResponse(tracks=[pb.Track(cost=3, hexes=["A", "h", "Z"])], proven=True)


def test_deliveries(server: Serving) -> None:
    """The one delivery there is, proven."""
    answer = server.stub.SolveDeliveries(pb.SolveDeliveriesRequest(problem=network()), timeout=SECONDS)
    found = pb.CubeDelivery(city="A", colour="blue", own=1, others=0, links=["1"], target="B")
    assert answer == pb.SolveDeliveriesResponse(deliveries=[found], proven=True, own_most=1)


def test_what_is_wrong_is_named(server: Serving) -> None:
    """INVALID_ARGUMENT with the path of the field and the code."""
    problem = network()
    problem.links[0].other = "Q"
    with pytest.raises(grpc.RpcError) as refused:
        server.stub.SolveDeliveries(pb.SolveDeliveriesRequest(problem=problem), timeout=SECONDS)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    trailers = trailing(refused.value)
    assert trailers["signalbox-field"] == "problem.links[0].other"
    assert trailers["signalbox-reason"] == "unknown_id"
