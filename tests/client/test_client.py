"""The client against a service that fails in known ways."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from services.client import Games, MovedOnError, NotAnsweredError, Rejected, Retries
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.rules.v1 import rejection_pb2, rules_pb2 as pb, rules_pb2_grpc
from services.rules.kernel.commands import Pass

# No slow machine ends the attempts of these.
PATIENT = Retries(seconds=300.0, first_pause_seconds=0.01, longest_pause_seconds=0.1)
BRIEF = Retries(seconds=2.0, first_pause_seconds=0.01, longest_pause_seconds=0.1)
HINT_MS = 250
LONG_HINT_MS = 120_000
# What waited for a long hint would last at least twice as long.
SECONDS = 60.0


class Moody(rules_pb2_grpc.RulesServicer):
    """Answers `Execute` with prepared answers, one after the other, and records the requests."""

    address = ""

    def __init__(self) -> None:
        self.moods: list[grpc.StatusCode | pb.ExecuteResponse] = []
        self.requests: list[pb.ExecuteRequest] = []
        self.hints: tuple[tuple[str, str], ...] = ()
        self.watched: list[int] = []
        self.asked = threading.Event()

    def Execute(self, request: pb.ExecuteRequest, context: grpc.ServicerContext) -> pb.ExecuteResponse:
        """The next answer."""
        self.requests.append(request)
        self.asked.set()
        if not self.moods:
            context.set_trailing_metadata(self.hints)
            context.abort(grpc.StatusCode.UNAVAILABLE, "as always")
        mood = self.moods.pop(0)
        if isinstance(mood, grpc.StatusCode):
            context.set_trailing_metadata((("signalbox-sequence", "12"), *self.hints))
            context.abort(mood, "as prepared")
        return mood

    def WatchGame(
        self, request: pb.WatchGameRequest, context: grpc.ServicerContext
    ) -> Iterator[pb.WatchGameResponse]:
        """Two events up to the seventh, then it stops in one way or another."""
        if request.after_sequence > 7:
            context.abort(grpc.StatusCode.NOT_FOUND, "no such game")
        self.watched.append(request.after_sequence)
        for sequence in range(request.after_sequence + 1, min(request.after_sequence + 3, 8)):
            yield pb.WatchGameResponse(event=GameEvent(sequence=sequence))
        if len(self.watched) < 3:
            ends = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
            context.abort(ends[len(self.watched) % 2], "the service stops")


@pytest.fixture
def moody() -> Iterator[tuple[Moody, Games]]:
    """The service and a client of it."""
    servicer, server = Moody(), grpc.server(ThreadPoolExecutor(2))
    rules_pb2_grpc.add_RulesServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    servicer.address = f"127.0.0.1:{port}"
    games = Games(servicer.address, "token", PATIENT)
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
    """After its time the status is raised; an error that a repeat does not cure is raised at once."""
    service, games = moody
    brief = Games(service.address, "token", BRIEF)
    began = time.monotonic()
    with pytest.raises(NotAnsweredError) as away:
        brief.execute("g", 7, Pass())
    brief.close()
    assert away.value.status in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
    assert BRIEF.seconds / 2 < time.monotonic() - began < SECONDS
    count = len(service.requests)
    assert count > 2
    service.moods = [grpc.StatusCode.INVALID_ARGUMENT]
    with pytest.raises(NotAnsweredError) as broken:
        games.execute("g", 7, Pass())
    assert broken.value.status is grpc.StatusCode.INVALID_ARGUMENT and len(service.requests) == count + 1


def test_the_hint_of_the_server_counts(moody: tuple[Moody, Games]) -> None:
    """A call refused for now is repeated when the server said, not before; one refused for good is not."""
    service, games = moody
    service.hints = (("grpc-retry-pushback-ms", str(HINT_MS)),)
    service.moods = [grpc.StatusCode.RESOURCE_EXHAUSTED, ACCEPTED]
    began = time.monotonic()
    games.execute("g", 7, Pass())
    assert time.monotonic() - began >= HINT_MS / 1000 and len(service.requests) == 2
    service.hints = (("grpc-retry-pushback-ms", "-1"),)
    service.moods = [grpc.StatusCode.UNAVAILABLE]
    with pytest.raises(NotAnsweredError):
        games.execute("g", 7, Pass())
    assert len(service.requests) == 3


def test_what_a_server_cancels_is_repeated_and_what_the_caller_ends_is_not(
    moody: tuple[Moody, Games],
) -> None:
    """CANCELLED is how a server ends calls when it stops; `close` ends a call that is being repeated, at once."""
    service, games = moody
    service.moods = [grpc.StatusCode.CANCELLED, ACCEPTED]
    assert games.execute("g", 7, Pass()) == ACCEPTED.accepted
    service.hints = (("grpc-retry-pushback-ms", str(LONG_HINT_MS)),)
    service.asked.clear()
    began = time.monotonic()
    with ThreadPoolExecutor(1) as thread:
        repeated = thread.submit(games.execute, "g", 7, Pass())
        assert service.asked.wait(SECONDS)
        games.close()
        with pytest.raises(NotAnsweredError):
            repeated.result()
    assert time.monotonic() - began < SECONDS
    assert len(service.requests) == 3


def test_a_watch_that_is_cut_off_is_resumed(moody: tuple[Moody, Games]) -> None:
    """After the last event that came, again and again; each event comes once. A refusal ends it."""
    service, games = moody
    assert [event.sequence for event in games.watch("g", after=2)] == [3, 4, 5, 6, 7]
    assert service.watched == [2, 4, 6]
    with pytest.raises(NotAnsweredError) as refused:
        list(games.watch("g", after=99))
    assert refused.value.status is grpc.StatusCode.NOT_FOUND


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
