"""Two hosts never share a file: the second is refused at once, and so is a migration."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from services.common.eventlog.claim import FileClaim, FileInUse
from services.common.eventlog.port import LogFileError
from services.common.eventlog.sqlite import open_sqlite
from services.host.embedded import EmbeddedHost
from services.migration.errors import InUse
from services.migration.sqlite_endpoint import SqliteEndpoint
from tests.host_process import HostProcess
from tests.hosting import hosting, settings_in


def test_the_second_is_refused_with_a_sentence(tmp_path: Path) -> None:
    """It names file and process; the first goes on, and what only reads may open the file."""
    with hosting(tmp_path) as first:
        with pytest.raises(LogFileError, match=rf"signalbox\.db: process {os.getpid()} uses it"):
            EmbeddedHost(settings_in(tmp_path))
        with pytest.raises(InUse, match=f"process {os.getpid()}"):
            SqliteEndpoint(tmp_path / "signalbox.db", must_exist=True)
        log, _ = open_sqlite(tmp_path / "signalbox.db")
        log.close()
        assert first.rules.reader.last_sequence is not None
    with hosting(tmp_path):
        pass


def test_a_migration_keeps_hosts_out(tmp_path: Path) -> None:
    """And lets them in when it is done."""
    endpoint = SqliteEndpoint(tmp_path / "signalbox.db", must_exist=False)
    with pytest.raises(FileInUse):
        EmbeddedHost(settings_in(tmp_path))
    endpoint.close()
    EmbeddedHost(settings_in(tmp_path)).stop()


def test_another_name_of_the_file_is_the_same_file(tmp_path: Path) -> None:
    """A link to it, or a way round."""
    (tmp_path / "a").mkdir()
    real = tmp_path / "a" / "real.db"
    real.touch()
    link = tmp_path / "link.db"
    link.symlink_to(real)
    claim = FileClaim(real)
    for other in (link, tmp_path / "a" / ".." / "a" / "real.db"):
        with pytest.raises(FileInUse):
            FileClaim(other)
    claim.close()
    FileClaim(link).close()


def test_a_claim_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """A folder where the lock should be, for example."""
    (tmp_path / "x.db.lock").mkdir()
    with pytest.raises(LogFileError, match=r"x\.db\.lock: cannot be opened"):
        FileClaim(tmp_path / "x.db")


@pytest.mark.integration
def test_a_claim_ends_with_its_process(tmp_path: Path) -> None:
    """However that ends; until then `signalbox up` ends with exit code 1 and one sentence."""
    first = HostProcess(tmp_path)
    with pytest.raises(
        RuntimeError, match=rf"ended with 1: signalbox up: .*process {first.process.pid} uses it"
    ):
        HostProcess(tmp_path)
    first.end(signal.SIGKILL)
    assert HostProcess(tmp_path).end() == 0
