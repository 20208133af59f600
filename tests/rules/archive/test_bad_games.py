"""What is wrong with one game, or with the store, and what that means for the others."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from services.common.eventlog.port import Record
from services.common.objectstore.folder import FolderStore
from services.common.objectstore.port import ObjectExists, ObjectTooLarge, StoreUnavailable
from services.rules.adapters.records import decoded
from tests.rules.archive.conftest import ArchiveDesk
from tests.rules.archive.test_archiving import failed, rows


@pytest.mark.parametrize("harm", ["fold", "too large", "another"])
def test_one_bad_game_does_not_keep_the_others_here(
    archive_desk: ArchiveDesk, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    """It is counted and named; those after it go to the archive in the same pass."""
    archive_desk.finish()
    archive_desk.finish("h")
    archive_desk.pass_days()
    put = FolderStore.put

    def stumbling(records: list[Record]) -> object:
        if records[0].stream == "game/g":
            raise KeyError("what no program writes")
        return decoded(records)

    def failing(store: FolderStore, name: str, content: bytes) -> None:
        if name.startswith("contents/g."):
            raise ObjectTooLarge(name) if harm == "too large" else ObjectExists(name)
        put(store, name, content)

    if harm == "fold":
        monkeypatch.setattr("services.rules.archive.finding.decoded", stumbling)
    else:
        monkeypatch.setattr(FolderStore, "put", failing)
    with capture_logs() as logs:
        archive_desk.archiver.run_once()
    assert rows(archive_desk) > 0 and rows(archive_desk, "h") == 0
    assert [each["game_id"] for each in logs if each["log_level"] == "error"] == ["g"]
    assert failed(archive_desk) == 1


def test_one_game_that_cannot_come_back_keeps_no_other_away(
    archive_desk: ArchiveDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is counted; the next one comes back."""
    for game_id in ("g", "h"):
        archive_desk.finish(game_id)
    archive_desk.archive_all()
    get = FolderStore.get

    def failing(store: FolderStore, name: str) -> bytes:
        if name.startswith("contents/g."):
            raise ObjectTooLarge(name)
        return get(store, name)

    monkeypatch.setattr(FolderStore, "get", failing)
    for game_id in ("g", "h"):
        archive_desk.archiver.want(game_id)
    archive_desk.archiver.bring_back()
    assert rows(archive_desk) == 0 and rows(archive_desk, "h") > 0
    assert failed(archive_desk) == 1


def test_a_store_that_is_away_ends_a_pass(archive_desk: ArchiveDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    """No game is to blame, and the next one would wait for it as well."""
    archive_desk.finish()
    archive_desk.finish("h")
    archive_desk.pass_days()
    asked = []

    def away(store: FolderStore, name: str, content: bytes) -> None:
        asked.append(name)
        raise StoreUnavailable(name)

    monkeypatch.setattr(FolderStore, "put", away)
    with pytest.raises(StoreUnavailable):
        archive_desk.archiver.run_once()
    assert len(asked) == 1 and not failed(archive_desk)
