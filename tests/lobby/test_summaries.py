"""Summaries of games in memory and in a file."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.lobby.adapters.memory_summaries import MemorySummaries
from services.lobby.adapters.sqlite_summaries import SqliteSummaries
from services.lobby.ports import GameSummaries
from services.lobby.summary_codec import UnreadableSummary, decode_summary
from tests.contracts.game_summaries_contract import GameSummariesContract, summary


class TestMemorySummaries(GameSummariesContract):
    """In a dict."""

    @pytest.fixture
    def summaries(self) -> GameSummaries:
        """None."""
        return MemorySummaries()


class TestSqliteSummaries(GameSummariesContract):
    """In a file."""

    @pytest.fixture
    def summaries(self, tmp_path: Path) -> Iterator[GameSummaries]:
        """None, in a new file."""
        summaries = SqliteSummaries(tmp_path / "summaries.db")
        yield summaries
        summaries.close()


def test_summaries_outlive_the_process(tmp_path: Path) -> None:
    """After opening the file again they are there, but nobody knows yet whether they are all."""
    first = SqliteSummaries(tmp_path / "summaries.db")
    first.put(summary())
    first.mark_complete()
    first.close()
    second = SqliteSummaries(tmp_path / "summaries.db")
    assert second.recent(10) == [summary()]
    assert not second.is_complete
    second.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE lobby_summaries_schema SET version = 99",
        "DROP TABLE lobby_summaries",
        "UPDATE lobby_summaries SET summary = x'0aff'",
        "DELETE FROM lobby_summaries",
    ],
)
def test_summaries_that_cannot_be_read_are_as_good_as_none(tmp_path: Path, damage: str) -> None:
    """Of another version, missing or damaged: none is returned, and new ones are kept."""
    first = SqliteSummaries(tmp_path / "summaries.db")
    first.put(summary())
    first.close()
    with sqlite3.connect(tmp_path / "summaries.db") as other:
        other.execute(damage)
    second = SqliteSummaries(tmp_path / "summaries.db")
    assert second.recent(10) == second.of_player("ann", False, 10) == second.timed() == []
    assert second.get("g1") is None
    assert second.put(summary())
    assert second.of_player("ann", True, 10) == [summary()]
    second.close()


def test_an_unreadable_summary_raises() -> None:
    """With a message that names it."""
    with pytest.raises(UnreadableSummary, match="not a summary of a game"):
        decode_summary(b"\x0a\xff")
