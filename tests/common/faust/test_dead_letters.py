"""What two processes make of the same blocked game: one let it go, the other comes late."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import pytest
from prometheus_client import CollectorRegistry

from services.common.faust.dead_letters import DeadLetters, position_of
from services.common.faust.handling import Handling
from services.common.faust.metrics import FollowerMetrics
from services.common.faust.records import Follow, FollowedRecord, key_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import BOOKS_DEAD_LETTERS, EVENTS

from .followers import Notes

pytestmark = pytest.mark.integration

GAME = "g"
FIRST = FollowedRecord(EVENTS.name, 0, 0, GAME, b"first", 0)
SECOND = FollowedRecord(EVENTS.name, 0, 1, GAME, b"second", 0)
FIRST_PLACE = (EVENTS.name, 0, 0)


@pytest.fixture
def three(kafka: KafkaSettings) -> Iterator[list[DeadLetters]]:
    """The blocked games of three processes."""
    with ExitStack() as stack:
        games = [stack.enter_context(closing(DeadLetters(kafka, BOOKS_DEAD_LETTERS))) for _ in range(3)]
        for each in games:
            each.start()
            each.wait_current()
        yield games


def positions(games: DeadLetters) -> list[tuple[str, int, int]]:
    """The dead letters of the game in the topic."""
    games.wait_current()
    return [position_of(each) for each in games.records_of(GAME)]


def test_a_dead_letter_added_after_another_let_the_game_go_stays(three: list[DeadLetters]) -> None:
    """A process that handled other records of the game does not release it; one that handled all of them does."""
    late, other, reader = three
    late.add(GAME, FIRST, "bad")
    assert other.let_go(GAME, {FIRST_PLACE})
    other.add(GAME, SECOND, "bad")
    assert not late.let_go(GAME, {FIRST_PLACE})
    assert (
        positions(reader) == [position_of(each) for each in other.records_of(GAME)] == [(EVENTS.name, 0, 1)]
    )
    assert late.let_go(GAME, {FIRST_PLACE, (EVENTS.name, 0, 1)})
    assert positions(reader) == []


def test_a_game_that_another_let_go_is_not_let_go_again(
    three: list[DeadLetters], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is written then: it might remove dead letters added meanwhile."""
    late, other, _ = three
    late.add(GAME, FIRST, "bad")
    assert other.let_go(GAME, {FIRST_PLACE})

    def write(_game_id: str) -> None:
        raise AssertionError("let go twice")

    monkeypatch.setattr(late, "note_released", write)
    assert late.let_go(GAME, {FIRST_PLACE})


def test_dead_letters_added_during_a_replay_are_handled_too(three: list[DeadLetters]) -> None:
    """Each of them once, though another let the game go and put as many aside anew."""
    replaying, other, reader = three
    replaying.add(GAME, FIRST, "bad")

    def meanwhile(record: FollowedRecord) -> None:
        if record.value == FIRST.value:
            other.let_go(GAME, {FIRST_PLACE})
            other.add(GAME, SECOND, "bad")

    notes = Notes(meanwhile)
    follow = Follow(EVENTS, notes, key_of)
    with ThreadPoolExecutor(1) as executor:
        handling = Handling("test", executor, FollowerMetrics(CollectorRegistry()), lambda: False)
        asyncio.run(handling.replay({EVENTS.name: follow}, replaying, GAME))
    assert notes.values() == [b"first", b"second"]
    assert positions(reader) == []
