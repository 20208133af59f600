"""A player watches the player's games: every change is sent, with or without a notification, until the service stops."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from services.common.notifier import LocalNotifier
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.lobby.adapters.memory_summaries import MemorySummaries
from services.lobby.bootstrap import Lobby
from services.lobby.domain.games import GameSummary, summary_after
from services.lobby.handlers.watching import PAGE_SIZE, GameWatchHandlers, topic_of
from tests.contracts.game_summaries_contract import status
from tests.lobby.conftest import Metadata
from tests.watching import pulled

SECONDS = 60.0
NEVER_SECONDS = 3_600.0
SOON_SECONDS = 0.01


def summary(game_id: str, sequence: int, time_ms: int = 0) -> GameSummary:
    """A game of Ann."""
    return summary_after(None, status(game_id, sequence, time_ms or sequence, players=("ann", "bob")), "", 0)


def sent_by(watch: Iterator[GameSummary], count: int) -> list[tuple[str, int]]:
    """The next summaries sent."""
    return [(each.game_id, each.sequence) for each in (next(watch) for _ in range(count))]


@pytest.fixture
def summaries() -> MemorySummaries:
    """No games yet."""
    return MemorySummaries()


@pytest.fixture
def notifier() -> LocalNotifier:
    """A notifier of its own."""
    return LocalNotifier()


def test_all_games_then_those_notified(summaries: MemorySummaries, notifier: LocalNotifier) -> None:
    """All pages first; after a notification what changed is sent once, and nothing else."""
    count = 2 * PAGE_SIZE + 1
    for number in range(count):
        summaries.put(summary(f"g{number}", 1, 1_000 + number))
    watch = pulled(GameWatchHandlers(summaries, summaries, notifier, NEVER_SECONDS).watch("ann"))
    assert sent_by(watch, count) == [(f"g{number}", 1) for number in reversed(range(count))]
    for sequence in (2, 3):
        summaries.put(summary("g7", sequence, 5_000 + sequence))
    summaries.put(summary("new", 1, 6_000))
    notifier.publish(topic_of("ann"))
    assert sent_by(watch, 2) == [("new", 1), ("g7", 3)]
    summaries.put(summary("g9", 4, 7_000))
    notifier.publish(topic_of("ann"))
    assert sent_by(watch, 1) == [("g9", 4)]


def test_a_lost_notification_only_delays(summaries: MemorySummaries, notifier: LocalNotifier) -> None:
    """Without a notification and with outdated shared lists the store is still polled, on every page."""
    kept = MemorySummaries()
    for number in range(PAGE_SIZE + 1):
        for each in (summaries, kept):
            each.put(summary(f"g{number}", 1, 1_000 + number))
    watch = pulled(GameWatchHandlers(summaries, kept, notifier, SOON_SECONDS).watch("ann"))
    sent_by(watch, PAGE_SIZE + 1)
    kept.put(summary("g0", 2, 1_000))
    assert sent_by(watch, 1) == [("g0", 2)]


def test_an_older_summary_is_never_sent_after_a_later_one(
    summaries: MemorySummaries, notifier: LocalNotifier
) -> None:
    """The store lags behind the shared lists for a while."""
    kept = MemorySummaries()
    summaries.put(summary("g", 5))
    kept.put(summary("g", 3))
    watch = pulled(GameWatchHandlers(summaries, kept, notifier, SOON_SECONDS).watch("ann"))
    assert sent_by(watch, 1) == [("g", 5)]
    kept.put(summary("other", 1))
    assert sent_by(watch, 1) == [("other", 1)]


def test_a_watch_ends(summaries: MemorySummaries, notifier: LocalNotifier) -> None:
    """When the service stops, also one that begins later."""
    watching = GameWatchHandlers(summaries, summaries, notifier, NEVER_SECONDS)
    with ThreadPoolExecutor(1) as watcher:
        waiting = watcher.submit(list, pulled(watching.watch("ann")))
        watching.end_watches()
        assert waiting.result(SECONDS) == []
    assert list(pulled(watching.watch("ann"))) == []


def test_watching_over_grpc(
    stub: LobbyServiceStub, signed_in: Callable[[str], Metadata], lobby: Lobby
) -> None:
    """Turn, round and ending reach every player of the game and nobody else; the stream ends with the service."""
    ann, bob, cem = (signed_in(name) for name in ("Ann", "Bob", "Cem"))
    ids = [
        stub.LogIn(wire.LogInRequest(name=name, password="correct horse")).session.player.player_id
        for name in ("Ann", "Bob", "Cem")
    ]

    def follow(game_id: str, sequence: int, players: list[str], **more: str) -> None:
        lobby.followed.follow_status(status(game_id, sequence, sequence, players=tuple(players), **more))

    follow("g", 1, ids[:2], round_kind="stock")
    watches = [stub.WatchGames(wire.WatchGamesRequest(), timeout=SECONDS, metadata=who) for who in (ann, bob)]
    other = stub.WatchGames(wire.WatchGamesRequest(), timeout=SECONDS, metadata=cem)
    for watch in watches:
        assert next(watch).game.status.round_kind == "stock"
    follow("g", 2, ids[:2], round_kind="operating")
    for watch in watches:
        assert next(watch).game.status.round_kind == "operating"
    follow("g", 3, ids[:2], ending="bank_broken")
    for watch in watches:
        assert next(watch).game.status.ending == "bank_broken"
    follow("of Cem", 1, ids[2:])
    assert next(other).game.status.game_id == "of Cem"
    lobby.watching.end_watches()
    assert [list(watch) for watch in (*watches, other)] == [[], [], []]


def test_watching_needs_a_token(stub: LobbyServiceStub) -> None:
    """Without a token there are no own games."""
    with pytest.raises(grpc.RpcError) as stranger:
        next(stub.WatchGames(wire.WatchGamesRequest(), timeout=SECONDS))
    assert stranger.value.code() is grpc.StatusCode.UNAUTHENTICATED
