"""Answers that are older than promised are found, others are not."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from services.gen.signalbox.rules.v1 import rules_pb2 as pb, rules_pb2_grpc
from tests.faults import staleness
from tests.faults.failures import Failure
from tests.faults.players import NewGame
from tests.faults.staleness import GAMES_MAX, AcknowledgedSequences, Reader

OLD_SECONDS = 0.2
DRAW = random.Random(1)


def game(number: int = 1) -> NewGame:
    return NewGame(f"g{number}", {"ann": "token"})


class Games(rules_pb2_grpc.RulesServicer):
    """Every game is at the same sequence, or there is none."""

    def __init__(self) -> None:
        self.sequence = 0

    def _answer(self, context: grpc.ServicerContext) -> int:
        if not self.sequence:
            context.abort(grpc.StatusCode.NOT_FOUND, "no such game")
        if self.sequence < 0:
            context.abort(grpc.StatusCode.UNAVAILABLE, "no replica that has this game answers")
        return self.sequence

    def GetGame(self, request: pb.GetGameRequest, context: grpc.ServicerContext) -> pb.GetGameResponse:
        response = pb.GetGameResponse()
        response.game.sequence = self._answer(context)
        return response

    def ListEvents(
        self, request: pb.ListEventsRequest, context: grpc.ServicerContext
    ) -> pb.ListEventsResponse:
        return pb.ListEventsResponse(sequence=self._answer(context))

    def ListChoices(
        self, request: pb.ListChoicesRequest, context: grpc.ServicerContext
    ) -> pb.ListChoicesResponse:
        return pb.ListChoicesResponse(sequence=self._answer(context))


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Games, str]]:
    """Games, and where they are."""
    monkeypatch.setattr(staleness, "PAUSE_SECONDS", 0.01)
    games = Games()
    server = grpc.server(ThreadPoolExecutor(2))
    rules_pb2_grpc.add_RulesServicer_to_server(games, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield games, f"127.0.0.1:{port}"
    server.stop(None)


def read(address: str, acknowledged: AcknowledgedSequences, answers: int) -> Reader:
    """What a reader found in so many answers, or in a second without."""
    reader = Reader("rules-1", address, acknowledged, OLD_SECONDS, 1)
    reader.start()
    deadline = time.monotonic() + (30.0 if answers else 1.0)
    while (reader.answers < answers or not answers) and time.monotonic() < deadline:
        time.sleep(0.01)
    reader.stop()
    return reader


@pytest.mark.parametrize(("sequence", "is_stale"), [(7, False), (8, False), (6, True), (0, True)])
def test_an_answer_must_have_what_was_acknowledged_long_ago(
    served: tuple[Games, str], sequence: int, is_stale: bool
) -> None:
    """State, events and choices; that there is no such game is an answer too."""
    games, address = served
    acknowledged = AcknowledgedSequences()
    acknowledged.note(game(), 7)
    time.sleep(OLD_SECONDS)
    games.sequence = sequence
    found = read(address, acknowledged, 10)
    assert found.answers >= 10 and found.stale == (found.answers if is_stale else 0)
    assert {type(each) for each in found.failures} <= {Failure} and len(found.failures) <= found.stale
    assert all("answers" in each.what and "with sequence" in each.what for each in found.failures)


def test_a_call_without_an_answer_is_none(served: tuple[Games, str]) -> None:
    """A replica that says that it cannot answer breaks no promise."""
    games, address = served
    acknowledged = AcknowledgedSequences()
    acknowledged.note(game(), 7)
    time.sleep(OLD_SECONDS)
    games.sequence = -1
    assert (found := read(address, acknowledged, 0)).answers == found.stale == 0


def test_what_was_acknowledged_just_now_counts_for_no_answer() -> None:
    """But what came before it does; of older games there are none."""
    acknowledged = AcknowledgedSequences()
    assert acknowledged.before(time.monotonic(), DRAW) is None
    acknowledged.note(game(), 4)
    between = time.monotonic()
    assert acknowledged.before(between - 60.0, DRAW) is None
    time.sleep(0.01)
    acknowledged.note(game(), 9)
    acknowledged.note(game(), 9)
    found = acknowledged.before(between, DRAW)
    assert found is not None and (found.sequence, found.game) == (4, game())
    for number in range(2, GAMES_MAX + 2):
        acknowledged.note(game(number), 1)
    seen = [acknowledged.before(time.monotonic() + 1.0, DRAW) for _ in range(200)]
    assert {each.game.game_id for each in seen if each is not None} == {
        f"g{number}" for number in range(2, GAMES_MAX + 2)
    }
    assert None not in seen
