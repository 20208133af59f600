"""A process that is killed between any two steps: the next one goes on, and nothing is lost or there twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from services.rules.archive.policy import ArchivePolicy, Policy
from tests.conftest import REPOSITORY
from tests.rules.archive.conftest import ArchiveDesk
from tests.rules.archive.test_archiving import rows, without_positions

BRING_BACK = (
    "import sys; from pathlib import Path; from tests.rules.archive.conftest import ArchiveDesk\n"
    "desk = ArchiveDesk(Path(sys.argv[1])); desk.archiver.want('g'); desk.archiver.bring_back(); desk.close()"
)
DELETE = ("-m", "services.cli", "archive", "delete", "g", "--yes", "--reason", "old", "--operator", "o")


def run(desk: ArchiveDesk, *arguments: str, crash_at: str = "") -> int:
    """A process of its own with the files of a desk; its exit code."""
    environment = os.environ | {
        "SIGNALBOX_ARCHIVE": f"folder:{desk.folder / 'archive'}",
        "SIGNALBOX_DATABASE": str(desk.folder / desk.name),
        "SIGNALBOX_CRASH_AT": crash_at,
    }
    done = subprocess.run([sys.executable, *arguments], cwd=REPOSITORY, env=environment, capture_output=True)
    return done.returncode


@pytest.mark.integration
@pytest.mark.parametrize("point", ["archive.after-put", "archive.after-list", "archive.after-drop"])
def test_archiving_goes_on_after_a_kill(archive_desk: ArchiveDesk, point: str) -> None:
    """The game is read as before, after the kill and after the next run."""
    records = without_positions(archive_desk.finish())
    archive_desk.close()
    archiving = ("-m", "services.cli", "archive", "run")
    assert run(archive_desk, *archiving, crash_at=point) == -signal.SIGKILL
    archive_desk._open()
    assert without_positions(archive_desk.archive.log.read("game/g")) == records
    archive_desk.close()
    assert run(archive_desk, *archiving) == 0
    archive_desk._open()
    assert rows(archive_desk) == 0
    assert without_positions(archive_desk.archive.log.read("game/g")) == records
    assert len(archive_desk.objects()) == 1


@pytest.mark.integration
def test_a_game_comes_back_after_a_kill(archive_desk: ArchiveDesk) -> None:
    """It was said that it is taken out, and nothing else was done."""
    records = without_positions(archive_desk.finish())
    archive_desk.archive_all()
    archive_desk.close()
    folder = str(archive_desk.folder)
    assert run(archive_desk, "-c", BRING_BACK, folder, crash_at="archive.after-live") == -signal.SIGKILL
    assert run(archive_desk, "-c", BRING_BACK, folder) == 0
    archive_desk._open()
    assert without_positions(archive_desk.file.read("game/g")) == records


@pytest.mark.integration
def test_what_nobody_asks_for_again_after_a_kill_is_no_exception_for_ever(archive_desk: ArchiveDesk) -> None:
    """It was said that the game is taken out: nobody deletes it. Its owner takes it out at his next pass, and it goes back to
    the archive in its time; then it is one as any other."""
    archive_desk.finish()
    archive_desk.archive_all()
    archive_desk.close()
    folder = str(archive_desk.folder)
    assert run(archive_desk, "-c", BRING_BACK, folder, crash_at="archive.after-live") == -signal.SIGKILL
    archive_desk._open()
    policy = ArchivePolicy(archive_desk.store, clock=archive_desk.clock)
    assert list(policy.chosen(Policy(("g",)))) == []
    archive_desk.archive.keep_games_with(lambda _: False, lambda _: False)
    archive_desk.archiver.run_once()
    assert rows(archive_desk) == 0, "its owner does that"
    archive_desk.archive.keep_games_with(lambda _: True, lambda _: False)
    archive_desk.archiver.run_once()
    assert rows(archive_desk) > 0
    archive_desk.restart()
    archive_desk.begin("later")
    archive_desk.pass_days()
    assert archive_desk.archiver.run_once() == 1
    assert [game.game_id for game, _ in policy.chosen(Policy(("g",)))] == ["g"]


@pytest.mark.integration
def test_a_deletion_goes_on_after_a_kill(archive_desk: ArchiveDesk) -> None:
    """From the first step on the game counts as deleted; the next run removes its object."""
    archive_desk.finish()
    archive_desk.archive_all()
    archive_desk.finish("h")
    archive_desk.archive_all()
    assert run(archive_desk, *DELETE, crash_at="archive.after-deletion") == -signal.SIGKILL
    assert len(archive_desk.objects()) == 2
    again = [each if each != "g" else "h" for each in DELETE]
    assert run(archive_desk, *again) == 0
    assert archive_desk.objects() == []
