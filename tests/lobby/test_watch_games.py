"""A player watches the player's games: every change is told, rung for or not, until the service stops."""

import time
from collections.abc import Callable, Iterator

import grpc
import pytest

from services.common.notifier import LocalBell
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.lobby.adapters.memory_cards import MemoryCards
from services.lobby.bootstrap import Lobby
from services.lobby.domain.games import GameCard, card_after
from services.lobby.handlers.watching import PAGE_SIZE, GameWatchHandlers, topic_of
from tests.contracts.game_cards_contract import standing
from tests.lobby.conftest import Metadata

SECONDS = 20.0
NEVER_SECONDS = 3_600.0
SOON_SECONDS = 0.01


def card(game_id: str, sequence: int, time_ms: int = 0) -> GameCard:
    """A game of Ann."""
    return card_after(None, standing(game_id, sequence, time_ms or sequence, players=("ann", "bob")), "", 0)


def for_a_while() -> Callable[[], bool]:
    """Whether there is still hope."""
    end = time.monotonic() + SECONDS
    return lambda: time.monotonic() < end


def told(watch: Iterator[GameCard], count: int) -> list[tuple[str, int]]:
    """The next cards told."""
    return [(each.game_id, each.sequence) for each in (next(watch) for _ in range(count))]


@pytest.fixture
def cards() -> MemoryCards:
    """No games yet."""
    return MemoryCards()


@pytest.fixture
def bell() -> LocalBell:
    """A bell of its own."""
    return LocalBell()


def test_all_games_then_what_is_rung_for(cards: MemoryCards, bell: LocalBell) -> None:
    """All pages first; a ring tells what moved on, once, and leaves out what did not."""
    count = 2 * PAGE_SIZE + 1
    for number in range(count):
        cards.put(card(f"g{number}", 1, 1_000 + number))
    watch = GameWatchHandlers(cards, cards, bell, NEVER_SECONDS).watch("ann", for_a_while())
    assert told(watch, count) == [(f"g{number}", 1) for number in reversed(range(count))]
    for sequence in (2, 3):
        cards.put(card("g7", sequence, 5_000 + sequence))
    cards.put(card("new", 1, 6_000))
    bell.announce(topic_of("ann"))
    assert told(watch, 2) == [("new", 1), ("g7", 3)]
    cards.put(card("g9", 4, 7_000))
    bell.announce(topic_of("ann"))
    assert told(watch, 1) == [("g9", 4)]


def test_a_lost_ring_costs_time_alone(cards: MemoryCards, bell: LocalBell) -> None:
    """Nobody rings and the shared lists never learn of it: what is kept is looked at all the same, on every page."""
    kept = MemoryCards()
    for number in range(PAGE_SIZE + 1):
        for each in (cards, kept):
            each.put(card(f"g{number}", 1, 1_000 + number))
    watch = GameWatchHandlers(cards, kept, bell, SOON_SECONDS).watch("ann", for_a_while())
    told(watch, PAGE_SIZE + 1)
    kept.put(card("g0", 2, 1_000))
    assert told(watch, 1) == [("g0", 2)]


def test_an_older_card_is_never_told_after_a_later_one(cards: MemoryCards, bell: LocalBell) -> None:
    """What is kept lags behind the shared lists for a while."""
    kept = MemoryCards()
    cards.put(card("g", 5))
    kept.put(card("g", 3))
    watch = GameWatchHandlers(cards, kept, bell, SOON_SECONDS).watch("ann", for_a_while())
    assert told(watch, 1) == [("g", 5)]
    kept.put(card("other", 1))
    assert told(watch, 1) == [("other", 1)]


def test_a_watch_ends(cards: MemoryCards, bell: LocalBell) -> None:
    """When its caller is gone, and when the service stops, though a ring comes late."""
    watching = GameWatchHandlers(cards, cards, bell, NEVER_SECONDS)
    asked = iter((True, False))
    assert list(watching.watch("ann", lambda: next(asked))) == []
    watching.end_watches()
    assert list(watching.watch("ann", lambda: True)) == []


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
        lobby.followed.follow_standing(standing(game_id, sequence, sequence, players=tuple(players), **more))

    follow("g", 1, ids[:2], round_kind="stock")
    watches = [stub.WatchGames(wire.WatchGamesRequest(), timeout=SECONDS, metadata=who) for who in (ann, bob)]
    other = stub.WatchGames(wire.WatchGamesRequest(), timeout=SECONDS, metadata=cem)
    for watch in watches:
        assert next(watch).game.round_kind == "stock"
    follow("g", 2, ids[:2], round_kind="operating")
    for watch in watches:
        assert next(watch).game.round_kind == "operating"
    follow("g", 3, ids[:2], ending="bank_broken")
    for watch in watches:
        assert next(watch).game.ending == "bank_broken"
    follow("of Cem", 1, ids[2:])
    assert next(other).game.game_id == "of Cem"
    lobby.watching.end_watches()
    assert [list(watch) for watch in (*watches, other)] == [[], [], []]


def test_strangers_watch_nothing(stub: LobbyServiceStub) -> None:
    """Without a token there are no own games."""
    with pytest.raises(grpc.RpcError) as stranger:
        next(stub.WatchGames(wire.WatchGamesRequest(), timeout=SECONDS))
    assert stranger.value.code() is grpc.StatusCode.UNAUTHENTICATED
