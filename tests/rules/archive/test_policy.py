"""Deleting by a policy, checking, and exporting, as the commands do it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from services.audit.sqlite_check import check_sqlite
from services.cli import archive, export_game
from services.common.eventlog.claim import FileClaim
from services.migration.errors import MigrationFailed
from services.migration.sqlite_endpoint import SqliteEndpoint
from services.rules.archive.policy import ArchivePolicy, NotInArchive, Policy
from services.rules.kernel.values import Audience
from tests.rules.archive.conftest import AFTER_DAYS, ArchiveDesk

CliRun = tuple[int, str]


@pytest.fixture
def desk(archive_desk: ArchiveDesk) -> ArchiveDesk:
    """Two archived games, and one that is played."""
    archive_desk.finish("old")
    archive_desk.pass_days(5)
    archive_desk.finish("young", Audience(is_invited=True))
    assert archive_desk.archive_all() == 2
    return archive_desk


def policy_of(desk: ArchiveDesk, needed: str = "") -> ArchivePolicy:
    """The archive of a desk, at its time."""
    return ArchivePolicy(desk.store, needed.split().__contains__, desk.clock)


def chosen(desk: ArchiveDesk, wanted: Policy, needed: str = "") -> list[str]:
    """The games that a policy would delete."""
    return [game.game_id for game, _ in policy_of(desk, needed).chosen(wanted)]


def test_a_policy_chooses_by_age_title_and_id(desk: ArchiveDesk) -> None:
    """And never what somebody needs."""
    assert chosen(desk, Policy(older_than_days=AFTER_DAYS + 3)) == ["old"]
    assert chosen(desk, Policy(older_than_days=AFTER_DAYS)) == ["old", "young"]
    assert chosen(desk, Policy(title="tiny")) == ["old", "young"]
    assert chosen(desk, Policy(title="1824")) == []
    assert chosen(desk, Policy(("young",))) == ["young"]
    assert chosen(desk, Policy(title="tiny"), needed="old") == ["young"]
    with pytest.raises(NotInArchive, match="live-old"):
        chosen(desk, Policy(("live-old",)))


def test_a_game_that_was_taken_out_is_not_chosen(desk: ArchiveDesk) -> None:
    """Also not when that happens between the choice and the deletion."""
    policy = policy_of(desk)
    ((game, heading),) = policy.chosen(Policy(("old",)))
    desk.archiver.want("old")
    desk.archiver.bring_back()
    assert chosen(desk, Policy(title="tiny")) == ["young"]
    assert not policy.delete(game, heading, "olga", "too old")
    assert "old" in policy.games()
    assert list(desk.store.deleted()) == []


def test_a_deleted_game_is_in_no_list_and_said_to_be_deleted(desk: ArchiveDesk) -> None:
    """By whom and why stays; one that few could see is hidden."""
    policy = policy_of(desk)
    for game, heading in list(policy.chosen(Policy(title="tiny"))):
        assert policy.delete(game, heading, "olga", "too old")
    assert policy.games() == {}
    found = {each.game_id: each for each in desk.store.deleted()}
    assert {name: each.is_hidden for name, each in found.items()} == {"old": False, "young": True}
    said = desk.store.deletion(found["old"].name)
    assert (said.operator, said.reason, said.title) == ("olga", "too old", "tiny")
    assert desk.objects() == []
    assert list(policy.findings()) == []


def test_a_deletion_that_was_cut_off_is_found_and_finished(desk: ArchiveDesk) -> None:
    """What is left is no game any more."""
    policy = policy_of(desk)
    ((game, heading),) = policy.chosen(Policy(("old",)))
    kept = {path: path.read_bytes() for path in desk.objects()}
    policy.delete(game, heading, "olga", "too old")
    for path, content in kept.items():
        path.write_bytes(content)
    assert "old" not in policy.games()
    assert [finding for finding in policy.findings() if "cut off" in finding]
    assert policy.finish() == 1
    assert list(policy.findings()) == []


def test_the_check_names_what_is_damaged_or_missing(desk: ArchiveDesk) -> None:
    """And says nothing of an archive that is right."""
    policy = policy_of(desk)
    assert list(policy.findings()) == []
    first, second = desk.objects()
    first.write_bytes(first.read_bytes()[:-1])
    second.unlink()
    missing, damaged = policy.findings()
    assert "young" in missing and "missing" in missing
    assert "old" in damaged and "damaged" in damaged


@pytest.fixture
def run(desk: ArchiveDesk, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    """The settings of the desk."""
    monkeypatch.chdir(desk.folder)
    monkeypatch.setenv("SIGNALBOX_ARCHIVE", f"folder:{desk.folder / 'archive'}")
    monkeypatch.setenv("SIGNALBOX_DATABASE", str(desk.folder / desk.name))
    return CliRunner()


@pytest.fixture
def app() -> typer.Typer:
    """The command line."""
    made = typer.Typer()
    archive.register(made)
    export_game.register(made)
    return made


def said(run: CliRunner, app: typer.Typer, *arguments: str) -> CliRun:
    """The exit code of a command and what it printed."""
    found = run.invoke(app, list(arguments))
    return found.exit_code, found.output


def test_the_commands_list_and_show(run: CliRunner, app: typer.Typer, desk: ArchiveDesk) -> None:
    """What is there, by its names and by its first line."""
    code, listed = said(run, app, "archive", "list")
    assert code == 0
    assert [line.split()[0] for line in listed.splitlines()] == ["old", "young"]
    code, shown = said(run, app, "archive", "show", "young")
    assert code == 0
    for word in ("tiny", "ann, bob", "seen by   some"):
        assert word in shown
    assert said(run, app, "archive", "show", "nothing")[0] == 1
    assert said(run, app, "archive", "list", "--store", "nothing")[0] == 2
    assert said(run, app, "archive", "check") == (0, "nothing found\n")


def test_an_export_is_that_of_the_log(
    run: CliRunner, app: typer.Typer, desk: ArchiveDesk, tmp_path: Path
) -> None:
    """From the archive alone, and by the command that reads the file."""
    code, _ = said(run, app, "archive", "export", "old", "-o", str(tmp_path / "one"))
    assert code == 0
    code, _ = said(run, app, "export", "old", "-o", str(tmp_path / "other"))
    assert code == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    desk.archiver.want("old")
    desk.archiver.bring_back()
    said(run, app, "export", "old", "-o", str(tmp_path / "again"))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "again").read_bytes()


def test_a_deletion_is_shown_before_it_is_meant(run: CliRunner, app: typer.Typer, desk: ArchiveDesk) -> None:
    """Without --yes nothing changes; a deletion needs a choice and a reason."""
    assert said(run, app, "archive", "delete")[0] == 2
    code, shown = said(run, app, "archive", "delete", "--older-than", "1")
    assert code == 0
    assert "2 games would be deleted" in shown
    assert len(desk.objects()) == 2
    assert said(run, app, "archive", "delete", "old", "--yes")[0] == 2
    code, shown = said(
        run, app, "archive", "delete", "old", "--yes", "--reason", "too old", "--operator", "o"
    )
    assert code == 0
    assert "1 game deleted" in shown
    code, shown = said(run, app, "archive", "list", "--deleted")
    assert "o: too old" in shown


def test_a_file_is_archived_by_a_command(run: CliRunner, app: typer.Typer, desk: ArchiveDesk) -> None:
    """By the real clock everything in this test is old; a file in use is left alone."""
    desk.finish("third")
    desk.close()
    assert said(run, app, "archive", "run") == (0, "1 game archived\n")
    assert said(run, app, "archive", "run", "--database", "nowhere.db")[0] == 1
    assert said(run, app, "archive", "back") == (0, "3 games brought back\n")
    assert said(run, app, "archive", "back") == (0, "0 games brought back\n")
    desk._open()
    assert desk.file.read("game/third")
    with closing(FileClaim(desk.folder / desk.name)):
        code, problem = said(run, app, "archive", "run")
    assert code == 2
    assert "uses it" in problem


def test_a_file_with_archived_games_is_not_moved(run: CliRunner, app: typer.Typer, desk: ArchiveDesk) -> None:
    """Until they are in it again. A check of the file counts them, and passes over them."""
    desk.close()
    path = desk.folder / desk.name
    with pytest.raises(MigrationFailed, match="2 games are in the archive"):
        SqliteEndpoint(path, must_exist=True)
    report = check_sqlite(path)
    assert report.archived == 2
    # Of a title that only tests have.
    assert {each.stream for each in report.findings} == {"live-old", "live-young"}
    said(run, app, "archive", "back")
    SqliteEndpoint(path, must_exist=True).close()
    desk._open()
