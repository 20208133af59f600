"""The client against a service that fails in known ways."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from services.client import Games, MovedOnError, NotAnsweredError, Rejected
from services.client.calls import ATTEMPTS
from services.gen.signalbox.rules.v1 import rejection_pb2, rules_pb2 as pb, rules_pb2_grpc
from services.rules.kernel.commands import Pass


class Moody(rules_pb2_grpc.RulesServicer):
    """Answers `Execute` with prepared answers, one after the other, and records the requests."""

    def __init__(self) -> None:
        self.moods: list[grpc.StatusCode | pb.ExecuteResponse] = []
        self.requests: list[pb.ExecuteRequest] = []

    def Execute(self, request: pb.ExecuteRequest, context: grpc.ServicerContext) -> pb.ExecuteResponse:
        """The next answer."""
        self.requests.append(request)
        mood = self.moods.pop(0)
        if isinstance(mood, grpc.StatusCode):
            context.set_trailing_metadata((("signalbox-sequence", "12"),))
            context.abort(mood, "as prepared")
        return mood


@pytest.fixture
def moody() -> Iterator[tuple[Moody, Games]]:
    """The service and a client of it."""
    servicer, server = Moody(), grpc.server(ThreadPoolExecutor(2))
    rules_pb2_grpc.add_RulesServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    games = Games(f"127.0.0.1:{port}", "token")
    yield servicer, games
    games.close()
    server.stop(None).wait()


ACCEPTED = pb.ExecuteResponse(accepted=pb.Accepted(first_sequence=8, last_sequence=9))


def test_a_lost_answer_is_asked_for_again_with_the_same_request(moody: tuple[Moody, Games]) -> None:
    """Twice unavailable, then accepted: three equal requests, one outcome."""
    service, games = moody
    service.moods = [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, ACCEPTED]
    assert games.execute("g", 7, Pass()) == ACCEPTED.accepted
    assert service.requests == [service.requests[0]] * 3
    assert service.requests[0].request_id and service.requests[0].expected_sequence == 7


def test_different_commands_have_different_request_ids(moody: tuple[Moody, Games]) -> None:
    """The same command sent twice on purpose is two requests."""
    service, games = moody
    service.moods = [ACCEPTED, ACCEPTED]
    games.execute("g", 7, Pass())
    games.execute("g", 7, Pass())
    assert service.requests[0].request_id != service.requests[1].request_id


def test_the_client_gives_up_in_the_end(moody: tuple[Moody, Games]) -> None:
    """After the last attempt the status is raised; an error that a retry does not cure is raised at once."""
    service, games = moody
    service.moods = [*[grpc.StatusCode.UNAVAILABLE] * ATTEMPTS, grpc.StatusCode.INVALID_ARGUMENT]
    with pytest.raises(NotAnsweredError) as away:
        games.execute("g", 7, Pass())
    assert away.value.status is grpc.StatusCode.UNAVAILABLE and len(service.requests) == ATTEMPTS
    with pytest.raises(NotAnsweredError) as broken:
        games.execute("g", 7, Pass())
    assert broken.value.status is grpc.StatusCode.INVALID_ARGUMENT and len(service.requests) == ATTEMPTS + 1


def test_a_stale_sequence_tells_where_the_game_stands(moody: tuple[Moody, Games]) -> None:
    """ABORTED becomes `MovedOnError` and is not repeated."""
    service, games = moody
    service.moods = [grpc.StatusCode.ABORTED]
    with pytest.raises(MovedOnError) as moved:
        games.execute("g", 7, Pass())
    assert moved.value.sequence == 12 and len(service.requests) == 1


def test_a_refusal_carries_reason_sentence_and_clause(moody: tuple[Moody, Games]) -> None:
    """A rejection is raised with everything it says."""
    service, games = moody
    refused = rejection_pb2.Rejection(
        code="may_not_pass", message="something has to be done", clause="1824/VII.11-m"
    )
    service.moods = [pb.ExecuteResponse(rejected=refused)]
    with pytest.raises(Rejected, match="something has to be done") as raised:
        games.execute("g", 7, Pass())
    assert (raised.value.reason, raised.value.clause) == ("may_not_pass", "1824/VII.11-m")
