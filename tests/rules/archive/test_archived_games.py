"""What a command gets from a replica, before it goes to the owner of its game."""

from __future__ import annotations

import pytest

from services.common.eventlog.archived import ArchivedStreams, Marker
from services.rules.archive.archived_games import ArchivedGames
from services.rules.kernel.commands import Pass
from services.rules.requests import CommandRejected, Request
from tests.rules.archive.conftest import ArchiveDesk


def late_pass(game_id: str) -> Request:
    """A move of Ann."""
    return Request(game_id, "ann", "late", 0, Pass())


def test_a_finished_game_answers_by_itself(archive_desk: ArchiveDesk) -> None:
    """It is in the archive; also once it is in memory again."""
    archive_desk.finish()
    archive_desk.archive_all()
    games = ArchivedGames(archive_desk.archive.log, archive_desk.sessions)
    for _ in range(2):
        answer = games.answer(late_pass("g"))
        assert isinstance(answer, CommandRejected) and answer.rejection.code == "game_finished"


def test_whether_a_game_that_goes_on_is_archived_is_asked_only_when_it_is_not_in_memory(
    archive_desk: ArchiveDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its owner decides the command."""
    asked: list[str] = []
    find = ArchivedStreams.find

    def noted(streams: ArchivedStreams, name: str) -> Marker | None:
        asked.append(name)
        return find(streams, name)

    monkeypatch.setattr(ArchivedStreams, "find", noted)
    archive_desk.begin()
    asked.clear()
    games = ArchivedGames(archive_desk.archive.log, archive_desk.sessions)
    assert games.answer(late_pass("g")) is None
    assert asked == []
    archive_desk.forget()
    games = ArchivedGames(archive_desk.archive.log, archive_desk.sessions)
    assert games.answer(late_pass("g")) is None
    assert asked == ["game/g"]
