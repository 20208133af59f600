"""Cards of games in Redis: quick lists that may be lost."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from services.common.redis.connection import RedisConnection
from services.common.redis.settings import RedisSettings
from services.common.telemetry.logs import configure_logging
from services.host.brokers.missing import BrokersMissing
from services.host.brokers.opening import open_redis
from services.host.brokers.redis import RedisServer
from services.lobby.adapters.memory_cards import MemoryCards
from services.lobby.adapters.redis_cards import RedisCards
from services.lobby.domain.games import GameCard
from services.lobby.ports import GameCards, Place
from tests.brokers import need
from tests.contracts.game_cards_contract import GameCardsContract, card, ids
from tests.redis_connections import connected, forget_all

pytestmark = pytest.mark.integration

SECONDS = 20.0


class Unlisted(MemoryCards):
    """A store whose lists must not be needed."""

    def recent(self, most: int, before: Place | None = None) -> list[GameCard]:
        """Not asked."""
        raise AssertionError("asked behind Redis")

    def of_player(
        self, player_id: str, only_waiting: bool, most: int, before: Place | None = None
    ) -> list[GameCard]:
        """Not asked."""
        raise AssertionError("asked behind Redis")


def until(holds: Callable[[], bool]) -> None:
    """Wait for something that happens beside the test."""
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, "does not happen"
        time.sleep(0.01)


@pytest.fixture
def connection(redis_address: str, redis_prefix: str) -> Iterator[RedisConnection]:
    """The way to the Redis of the session, below a prefix of this test."""
    connection = RedisConnection(
        RedisSettings(address=redis_address, key_prefix=redis_prefix, timeout_seconds=2.0)
    )
    connection.start()
    assert connection.is_up
    yield connection
    connection.close()


class TestRedisCards(GameCardsContract):
    """Lists come from Redis alone."""

    @pytest.fixture
    def cards(self, connection: RedisConnection) -> GameCards:
        """None, and Redis knows that there are none."""
        cards = RedisCards(connection, Unlisted())
        cards._pages_behind = lambda: iter(())  # type: ignore[method-assign]
        assert cards.fill()
        assert cards.is_filled
        return cards


def test_an_emptied_redis_costs_time_alone(connection: RedisConnection) -> None:
    """Lists come from behind it at once and are right, and it is filled again; then they come from it again."""
    behind = MemoryCards()
    cards = RedisCards(connection, behind)
    for number in range(450):
        cards.put(card(f"g{number:03}", time_ms=1_000 + number))
    cards.mark_complete()
    cards.start()
    until(lambda: cards.is_filled)
    before = cards.recent(1_000)
    assert len(before) == 450
    forget_all(connection)
    assert cards.recent(1_000) == before
    assert cards.of_player("ann", True, 1_000) == before
    assert cards.is_complete
    until(lambda: cards.is_filled)
    behind.recent = lambda *_: []  # type: ignore[method-assign]
    assert cards.recent(1_000) == before
    cards.close()


def test_a_redis_emptied_while_it_is_filled_is_not_taken_for_full(connection: RedisConnection) -> None:
    """Whoever fills it notices, and does it again."""
    cards = RedisCards(connection, MemoryCards())
    for number in range(3):
        cards.put(card(f"g{number}"))
    pages = cards._pages_behind

    def emptied_in_between():  # type: ignore[no-untyped-def]
        yield from pages()
        forget_all(connection)

    cards._pages_behind = emptied_in_between  # type: ignore[method-assign]
    assert not cards.fill()
    assert not cards.is_filled
    assert len(cards.recent(10)) == 3
    cards._pages_behind = pages  # type: ignore[method-assign]
    assert cards.fill()
    assert cards.is_filled


def test_one_replica_fills_and_lists_come_from_behind_meanwhile(connection: RedisConnection) -> None:
    """What others put until then is known first; whoever cannot know it leaves Redis unfilled and tries again."""
    behind = MemoryCards()
    behind.put(card("g1"))
    late = iter((False, True))

    def know_all() -> bool:
        assert not another.fill()
        assert not another.is_filled
        assert ids(another.recent(10)) == []
        return next(late)

    another = RedisCards(connection, MemoryCards())
    assert another.fill()
    cards = RedisCards(connection, behind, know_all)
    assert not cards.fill()
    assert not cards.is_filled
    assert cards.fill()
    assert ids(another.recent(10)) == ["g1"]


def test_lists_of_one_replica_are_those_of_the_other(connection: RedisConnection) -> None:
    """A card put by one is on the list of the other, which has not heard of it; an older one changes nothing."""
    first, second = RedisCards(connection, MemoryCards()), RedisCards(connection, MemoryCards())
    assert first.fill()
    first.put(card("g1"))
    assert ids(second.recent(10)) == ["g1"]
    first.put(card("g1", 9, acting_players=("bob",)))
    second.put(card("g1", 5))
    assert ids(second.of_player("bob", True, 10)) == ["g1"]
    assert second.of_player("ann", True, 10) == []


def test_a_card_that_was_lost_alone_is_noticed(connection: RedisConnection) -> None:
    """As when Redis throws keys away because its memory is full: the list comes from behind."""
    cards = RedisCards(connection, MemoryCards())
    cards.put(card("g1"))
    assert cards.fill()
    connection.ask(lambda redis: redis.delete(connection.key("cards", "card", "g1")), otherwise=None)
    assert ids(cards.recent(10)) == ["g1"]


def test_a_card_whose_keeper_died_before_redis_had_it_is_written(connection: RedisConnection) -> None:
    """By whoever puts it again, though it is no news, and never an older one; and by every replica that starts."""
    behind = MemoryCards()
    first, second = RedisCards(connection, behind), RedisCards(connection, behind)
    assert first.fill()
    behind.put(card("g1", 2))
    assert not second.put(card("g1", 1))
    assert first.recent(10) == [card("g1", 2)]
    behind.put(card("g2"))
    assert first.is_filled
    assert ids(first.recent(10)) == ["g1"]
    behind.mark_complete()
    second.start()
    until(lambda: second.is_filled)
    behind.recent = lambda *_: []  # type: ignore[method-assign]
    assert ids(first.recent(10)) == ["g2", "g1"]
    second.close()


@pytest.mark.parametrize("gone", [("card", "g1"), ("for", "ann"), ("of", "ann"), ("all",)])
def test_what_was_lost_alone_is_made_again(connection: RedisConnection, gone: tuple[str, ...]) -> None:
    """Filling mends lists of games that have not moved on since, and a game that moves on waits for nobody it waited for."""
    behind = MemoryCards()
    cards = RedisCards(connection, behind)
    cards.put(card("g1"))
    cards.put(card("g2"))
    assert cards.fill()
    connection.ask(lambda redis: redis.delete(connection.key("cards", *gone)), otherwise=None)
    if gone[0] != "card":
        assert cards.fill()
        assert ids(cards.of_player("ann", True, 10)) == ids(cards.of_player("ann", False, 10)) == ["g2", "g1"]
    cards.put(card("g1", 2, time_ms=2_000, acting_players=("bob",)))
    assert cards.is_filled
    assert cards.of_player("ann", True, 10) == behind.of_player("ann", True, 10) == [card("g2")]
    assert ids(cards.recent(10)) == ["g1", "g2"]


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis to be killed and configured."""
    try:
        server = open_redis(tmp_path / "redis", is_own=True)
    except BrokersMissing as missing:
        need(str(missing))
    with server:
        yield server


def test_a_redis_that_throws_any_key_away_is_not_filled(own_redis: RedisServer) -> None:
    """Its lists cannot be trusted: they come from behind at every replica, and the log says so once."""
    lines = io.StringIO()
    configure_logging("info", lines)
    with connected(own_redis.address, "x:") as connection, own_redis.client() as client:
        behind = MemoryCards()
        cards, other = RedisCards(connection, behind), RedisCards(connection, behind)
        cards.put(card("g1"))
        assert cards.fill()
        client.config_set("maxmemory-policy", "allkeys-lru")
        assert not cards.fill()
        assert not cards.fill()
        client.delete("x:cards:all")
        assert not cards.is_filled
        assert not other.is_filled
        assert ids(cards.recent(10)) == ids(other.recent(10)) == ["g1"]
        client.config_set("maxmemory-policy", "volatile-lru")
        assert cards.fill()
        behind.recent = lambda *_: []  # type: ignore[method-assign]
        assert ids(cards.recent(10)) == ["g1"]
    told = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert [each["policy"] for each in told if "policy" in each] == ["allkeys-lru"]


def test_a_full_redis_gives_no_old_lists(own_redis: RedisServer) -> None:
    """It refuses cards: lists come from behind at every replica, until it has room again."""
    with connected(own_redis.address, "x:") as connection, own_redis.client() as client:
        behind = MemoryCards()
        cards, other = RedisCards(connection, behind), RedisCards(connection, behind)
        cards.put(card("g1"))
        assert cards.fill()
        client.config_set("maxmemory", "1")
        cards.put(card("g1", 2, acting_players=("bob",)))
        assert not cards.fill()
        assert ids(other.of_player("bob", True, 10)) == ids(cards.of_player("bob", True, 10)) == ["g1"]
        assert not other.is_filled
        client.config_set("maxmemory", "0")
        assert cards.fill()
        assert other.is_filled
        assert ids(other.of_player("bob", True, 10)) == ["g1"]


def test_without_redis_everything_is_answered(own_redis: RedisServer) -> None:
    """Dead when a card is put and when lists are asked for: nothing is missing; when it comes back it is filled."""
    connection = RedisConnection(RedisSettings(address=own_redis.address))
    connection.start()
    cards = RedisCards(connection, MemoryCards())
    cards.mark_complete()
    cards.start()
    until(lambda: cards.is_filled)
    own_redis.flush()
    until(lambda: cards.is_filled)
    own_redis.kill()
    cards.put(card("g1"))
    assert ids(cards.recent(10)) == ids(cards.of_player("ann", True, 10)) == ["g1"]
    assert not cards.is_filled
    own_redis.start()
    until(lambda: cards.is_filled)
    assert ids(cards.recent(10)) == ["g1"]
    cards.close()
    connection.close()
