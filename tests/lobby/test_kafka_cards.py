"""Cards of games in Kafka, with a copy at every replica."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from services.common.kafka.clients import new_producer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import LOBBY_CARDS
from services.host.brokers.kafka import KafkaServers
from services.lobby.cluster.kafka_cards import KafkaCards
from services.lobby.domain.games import card_after
from services.lobby.ports import GameCards
from tests.contracts.game_cards_contract import GameCardsContract, card, ids, standing
from tests.lobby.kafka_topics import own_topics

pytestmark = pytest.mark.integration

SECONDS = 20.0
OpenCards = Callable[[str], KafkaCards]


@pytest.fixture
def kafka(kafka_servers: KafkaServers) -> Iterator[KafkaSettings]:
    """The topic of the cards."""
    with own_topics(kafka_servers, LOBBY_CARDS) as kafka:
        yield kafka


@pytest.fixture
def open_cards(kafka: KafkaSettings, tmp_path: Path) -> Iterator[OpenCards]:
    """Opens the store of a replica, up to date."""
    opened: list[KafkaCards] = []

    def another(name: str) -> KafkaCards:
        cards = KafkaCards(replace(kafka, instance=name), tmp_path / f"{name}.db", SECONDS)
        cards.start()
        opened.append(cards)
        assert cards.wait_current(SECONDS)
        return cards

    yield another
    for cards in opened:
        cards.close()


class TestKafkaCards(GameCardsContract):
    """With the copy of one replica."""

    @pytest.fixture
    def cards(self, open_cards: OpenCards) -> GameCards:
        """None."""
        return open_cards("a")


def test_a_replica_that_lost_its_file_has_every_clock(open_cards: OpenCards) -> None:
    """The newest card of each game comes from Kafka, with the time everybody has used."""
    first = open_cards("a")
    timed = card_after(None, standing("g1"), "t1", 60)
    for step in range(2, 8):
        asked = ("bob",) if step % 2 else ("ann",)
        first.put(timed)
        timed = card_after(timed, standing("g1", step, step * 1_000, acting_players=asked), "t1", 60)
    assert first.put(timed)
    second = open_cards("b")
    kept = second.get("g1")
    assert kept == timed
    assert kept is not None
    assert [clock.used_ms for clock in kept.clocks] == [4_000, 2_000]
    assert second.timed() == [timed]


def test_a_late_writer_changes_nothing(open_cards: OpenCards) -> None:
    """A replica that lost its games and still writes: the later sequence counts at everybody."""
    first, second = open_cards("a"), open_cards("b")
    second.put(card("g1", 9))
    first.put(card("g1", 5))
    assert first.wait_current(SECONDS)
    assert second.wait_current(SECONDS)
    assert [each.get("g1") for each in (first, second, open_cards("c"))] == [card("g1", 9)] * 3


def test_what_is_no_card_is_passed_over(kafka: KafkaSettings, open_cards: OpenCards) -> None:
    """With an alarm; the cards behind it are read."""
    producer = new_producer(kafka)
    for value in (b"\x0a\xff", b"", None):
        producer.produce(LOBBY_CARDS.name_in(kafka), value, b"g", 0)
    producer.flush()
    cards = open_cards("a")
    cards.put(card("g1"))
    assert ids(open_cards("b").recent(10)) == ["g1"]


def test_closing_ends_the_threads(open_cards: OpenCards) -> None:
    """Nothing of the store is left running, and closing it again is harmless."""
    before = set(threading.enumerate())
    cards = open_cards("a")
    own = set(threading.enumerate()) - before
    assert len(own) >= 2
    cards.close()
    cards.close()
    assert not any(thread.is_alive() for thread in own)
