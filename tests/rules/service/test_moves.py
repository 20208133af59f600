"""Watching the moves of many games over gRPC."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest

from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.common.settings.service import Settings
from services.gen.signalbox.rules.v1 import rules_pb2 as pb
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from services.rules.kernel.decide import acting_players
from services.rules.moves import GAMES_MAX
from tests.rules.service.desk import SEATS, Desk
from tests.rules.service.served import served, stub_of, token

SECONDS = 60.0


@pytest.fixture
def desk() -> Desk:
    """Two games that have begun."""
    desk = Desk(MemoryEventLog(), MemorySnapshotStore())
    desk.create()
    desk.create(game_id="g2")
    return desk


@pytest.fixture
def stub(desk: Desk) -> Iterator[RulesStub]:
    """Where they are served."""
    with served(desk, Settings()) as port, stub_of(port) as stub:
        yield stub


def request_of(**after: int) -> pb.WatchMovesRequest:
    """Watch these games after these sequences."""
    return pb.WatchMovesRequest(
        games=[pb.WatchedGame(game_id=game, after_sequence=known) for game, known in after.items()]
    )


def test_every_move_of_every_game_is_sent(desk: Desk, stub: RulesStub) -> None:
    """With its sequence and who may act then; of a game that nobody can see nothing but that."""
    stream = stub.WatchMoves(request_of(g1=0, nowhere=0, g2=0), metadata=token("ann"), timeout=SECONDS)
    first = [next(stream) for _ in range(3)]
    assert [(each.game_id, each.not_found) for each in first] == [
        ("g1", False),
        ("nowhere", True),
        ("g2", False),
    ]
    assert first[1] == pb.WatchMovesResponse(game_id="nowhere", not_found=True)
    for game in ("g2", "g1", "g2"):
        desk.play_on(1, game)
        answer = next(stream)
        now = desk.rules.reader.game_at(game)
        acting = acting_players(now.loaded.title, now.loaded.data, now.game)
        assert (answer.game_id, answer.sequence) == (game, now.game.sequence)
        assert tuple(answer.acting_players) == acting == tuple(answer.acting_bearers)
        assert set(acting) <= set(SEATS) and not answer.finished and not answer.suspended
    stream.cancel()


def test_a_watch_goes_on_after_the_last_sequence(desk: Desk, stub: RulesStub) -> None:
    """What is known is not sent again."""
    known = {game: desk.sequence(game) for game in ("g1", "g2")}
    desk.play_on(2, "g2")
    stream = stub.WatchMoves(request_of(**known), metadata=token("ann"), timeout=SECONDS)
    answer = next(stream)
    assert (answer.game_id, answer.sequence) == ("g2", desk.sequence("g2"))
    stream.cancel()


@pytest.mark.parametrize(
    ("games", "field"),
    [
        ([], "games: 0 games"),
        ([pb.WatchedGame(game_id=str(number)) for number in range(GAMES_MAX + 1)], "games: 501 games"),
        ([pb.WatchedGame()], "games[0].game_id"),
        ([pb.WatchedGame(game_id="g1"), pb.WatchedGame(game_id="g1")], "games[1].game_id"),
        ([pb.WatchedGame(game_id="g1", after_sequence=-1)], "games[0].after_sequence"),
    ],
)
def test_malformed_requests_are_named(stub: RulesStub, games: list[pb.WatchedGame], field: str) -> None:
    """Which field is wrong, and how."""
    stream = stub.WatchMoves(pb.WatchMovesRequest(games=games), metadata=token("ann"), timeout=SECONDS)
    with pytest.raises(grpc.RpcError) as refused:
        next(stream)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert field in (refused.value.details() or "")


def test_nobody_watches_without_a_token(stub: RulesStub) -> None:
    """As with a single game."""
    with pytest.raises(grpc.RpcError) as refused:
        next(stub.WatchMoves(request_of(g1=0), timeout=SECONDS))
    assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED
