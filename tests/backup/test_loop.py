"""Backing up again and again: what passes is tried again, what does not ends the process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from services.backup import loop
from services.backup.backup import BackedUp, OtherLog
from services.backup.catalogue import BackupReplaced
from services.backup.format import Point
from services.backup.loop import BackupLoop
from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.settings import KafkaSettings
from services.common.objectstore.folder import FolderStore
from services.common.objectstore.port import StoreUnavailable
from services.common.process.stopping import StopFlag

POINT = Point(number=4, time_ms=5_000, consistent=True, writer=0, identity="", partitions=[], bytes=70)


class Scripted:
    """A backup whose runs end as given; the last one stops the loop."""

    def __init__(self, ends: list[BackedUp | Exception], stop: StopFlag) -> None:
        self._ends: Iterator[BackedUp | Exception] = iter(ends)
        self._left = len(ends)
        self._stop = stop
        self.is_closed = False

    def run(self) -> BackedUp:
        """The next end."""
        self._left -= 1
        if not self._left:
            self._stop.set()
        end = next(self._ends)
        if isinstance(end, Exception):
            raise end
        return end

    def close(self) -> None:
        """The end of all."""
        self.is_closed = True


def run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *ends: BackedUp | Exception
) -> tuple[CollectorRegistry, Scripted]:
    """The loop over these runs, with hardly a pause."""
    stop, registry = StopFlag(), CollectorRegistry()
    backup = Scripted(list(ends), stop)
    monkeypatch.setattr(loop, "Backup", lambda *_: backup)
    kafka = KafkaSettings(servers=("localhost:1",))
    try:
        BackupLoop(kafka, FolderStore(tmp_path), 0.0, registry).run(stop)
    finally:
        assert backup.is_closed
    return registry, backup


def test_what_passes_is_tried_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Metrics say how often, and until when everything is in the store."""
    done = BackedUp(POINT, 3, 70)
    registry, _ = run(monkeypatch, tmp_path, StoreUnavailable("away"), KafkaUnreachable("away"), done)
    values = {
        (sample.name, sample.labels.get("result", "")): sample.value
        for metric in registry.collect()
        for sample in metric.samples
        if not sample.name.endswith("_created")
    }
    assert values == {
        ("signalbox_backup_point_timestamp_seconds", ""): 5.0,
        ("signalbox_backup_stored_bytes", ""): 70.0,
        ("signalbox_backup_runs_total", "failed"): 2.0,
        ("signalbox_backup_runs_total", "succeeded"): 1.0,
    }


@pytest.mark.parametrize("problem", [BackupReplaced("another"), OtherLog("other topics")])
def test_what_no_other_try_mends_ends_the_process(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, problem: Exception
) -> None:
    """It is raised."""
    with pytest.raises(type(problem)):
        run(monkeypatch, tmp_path, problem, BackedUp(POINT, 0, 0))
