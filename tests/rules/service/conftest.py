"""The rules service over a log in memory and over one in a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.common.eventlog.sqlite import open_sqlite
from tests.rules.service.desk import Desk


@pytest.fixture(params=["memory", "sqlite"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    """A rules service without games."""
    if request.param == "memory":
        yield Desk(MemoryEventLog(), MemorySnapshotStore())
        return
    log, snapshots = open_sqlite(tmp_path / "rules.db")
    yield Desk(log, snapshots)
    log.close()
