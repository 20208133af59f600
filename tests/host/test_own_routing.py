"""The embedded host's own questions to routing, which stay in the process."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import grpc
import pytest

from services.client import Routes
from services.client.calls import NotAnsweredError
from services.host.embedded import EmbeddedHost
from services.host.in_process import OwnRouting
from services.routing.domain.solver import solve
from services.routing.domain.verify import RunFault
from services.routing.handlers import InvalidAnswerError
from services.routing.ports import SolverFailedError
from services.rules.adapters.routing import NOTHING_FOUND
from services.rules.ports import RoutingUnavailableError
from tests.hosting import hosting
from tests.integration.tables import person
from tests.routing.service.fake_workers import FakeWorkers
from tests.routing.service.serving import Serving, easy_problem, endless_problem, request, serving

SECONDS = 60.0


@pytest.fixture
def fake_workers() -> FakeWorkers:
    """Workers that do as the test says."""
    return FakeWorkers()


@pytest.fixture
def routing(fake_workers: FakeWorkers) -> Iterator[Serving]:
    """A routing service for players with one such worker."""
    with serving(fake_workers.make, workers=1, serves_players=True) as server:
        server.service.wait_ready()
        yield server


def test_nobody_uses_routing_without_a_token(tmp_path_factory: pytest.TempPathFactory) -> None:
    """All three calls are for players only; with a token a player gets an answer."""
    with hosting(tmp_path_factory.mktemp("host")) as host:
        _check_tokens(host)


def _check_tokens(host: EmbeddedHost) -> None:
    with pytest.raises(NotAnsweredError) as refused:
        Routes(host.addresses.routing).solve(easy_problem())
    assert refused.value.status is grpc.StatusCode.UNAUTHENTICATED
    for name, made_up in (("signalbox-caller", "me"), ("authorization", "Bearer of bad news")):
        with grpc.insecure_channel(host.addresses.routing) as channel:
            stream: grpc.UnaryStreamMultiCallable[bytes, bytes] = channel.unary_stream(
                "/signalbox.routing.v1.Routing/SolveStream"
            )
            with pytest.raises(grpc.RpcError) as ended:
                next(stream(request(endless_problem()).SerializeToString(), metadata=((name, made_up),)))
        assert ended.value.code() is grpc.StatusCode.UNAUTHENTICATED
    player = person(host.addresses, "Ann")
    assert Routes(host.addresses.routing, player.token).solve(easy_problem()).proven


def test_answers_and_failures(routing: Serving, fake_workers: FakeWorkers) -> None:
    """The answer is routing's; what fails is unavailable; a withheld answer leaves the best runs unknown."""
    own = OwnRouting(routing.service.service, SECONDS)
    with ThreadPoolExecutor(1) as thread:
        withheld = thread.submit(own.solve, easy_problem())
        fake_workers.next().fails(InvalidAnswerError(RunFault("value_wrong", "runs", "wrong")))
        assert withheld.result(SECONDS) == NOTHING_FOUND
        failed = thread.submit(own.solve, easy_problem())
        fake_workers.next().fails(SolverFailedError("broken"))
        with pytest.raises(RoutingUnavailableError, match="broken"):
            failed.result(SECONDS)
        answered = thread.submit(own.solve, easy_problem())
        fake_workers.next().answers()
        assert answered.result(SECONDS) == solve(easy_problem())


def test_a_search_that_lasts_too_long_gives_its_best(routing: Serving, fake_workers: FakeWorkers) -> None:
    """The seconds given are the search's end. A busy machine may need more of them to begin it."""
    seconds, found = 0.2, None
    while found is None:
        with suppress(RoutingUnavailableError):
            found = OwnRouting(routing.service.service, seconds).solve(easy_problem())
        seconds *= 2
        assert seconds < SECONDS
    assert not found.proven
    assert set(fake_workers.asked_of) == {easy_problem().company}


def test_a_question_waits_for_the_workers(fake_workers: FakeWorkers) -> None:
    """While they warm up it waits its time, as after a new start of the host; beyond that the best runs are unavailable."""
    fake_workers.may_be_ready.clear()
    with (
        serving(fake_workers.make, workers=1, serves_players=True) as server,
        ThreadPoolExecutor(1) as thread,
    ):
        with pytest.raises(RoutingUnavailableError):
            OwnRouting(server.service.service, 0.1).solve(easy_problem())
        early = thread.submit(OwnRouting(server.service.service, SECONDS).solve, easy_problem())
        fake_workers.may_be_ready.set()
        fake_workers.next().answers()
        assert early.result(SECONDS).proven
