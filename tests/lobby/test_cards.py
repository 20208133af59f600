"""Cards of games in memory and in a file."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.lobby.adapters.memory_cards import MemoryCards
from services.lobby.adapters.sqlite_cards import SqliteCards
from services.lobby.card_codec import UnreadableCard, decode_card
from services.lobby.ports import GameCards
from tests.contracts.game_cards_contract import GameCardsContract, card


class TestMemoryCards(GameCardsContract):
    """In a dict."""

    @pytest.fixture
    def cards(self) -> GameCards:
        """None."""
        return MemoryCards()


class TestSqliteCards(GameCardsContract):
    """In a file."""

    @pytest.fixture
    def cards(self, tmp_path: Path) -> Iterator[GameCards]:
        """None, in a new file."""
        cards = SqliteCards(tmp_path / "cards.db")
        yield cards
        cards.close()


def test_cards_outlive_the_process(tmp_path: Path) -> None:
    """After opening the file again they are there, but nobody knows yet whether they are all."""
    first = SqliteCards(tmp_path / "cards.db")
    first.put(card())
    first.mark_complete()
    first.close()
    second = SqliteCards(tmp_path / "cards.db")
    assert second.recent(10) == [card()]
    assert not second.is_complete
    second.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE lobby_cards_schema SET version = 99",
        "DROP TABLE lobby_cards",
        "UPDATE lobby_cards SET card = x'0aff'",
        "DELETE FROM lobby_cards",
    ],
)
def test_cards_that_cannot_be_read_are_as_good_as_none(tmp_path: Path, damage: str) -> None:
    """Of another version, missing or damaged: none is handed out, and new ones are kept."""
    first = SqliteCards(tmp_path / "cards.db")
    first.put(card())
    first.close()
    with sqlite3.connect(tmp_path / "cards.db") as other:
        other.execute(damage)
    second = SqliteCards(tmp_path / "cards.db")
    assert second.recent(10) == second.of_player("ann", False, 10) == second.timed() == []
    assert second.get("g1") is None
    assert second.put(card())
    assert second.of_player("ann", True, 10) == [card()]
    second.close()


def test_what_is_no_card_is_told() -> None:
    """By name."""
    with pytest.raises(UnreadableCard, match="no card of a game"):
        decode_card(b"\x0a\xff")
