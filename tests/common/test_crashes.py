"""How often a process ended without being asked to."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.common.clock import ManualClock
from services.common.process.crashes import WINDOW_MS, CrashRecord


def test_starts_without_a_clean_end_are_counted(tmp_path: Path) -> None:
    """Until a clean end."""
    path = tmp_path / "starts"
    assert [CrashRecord(path).begin() for _ in range(3)] == [0, 1, 2]
    last = CrashRecord(path)
    assert last.begin() == 3
    last.end()
    last.end()
    assert CrashRecord(path).begin() == 0


def test_old_starts_do_not_count(tmp_path: Path) -> None:
    """A crash a day is no series."""
    clock = ManualClock()
    record = CrashRecord(tmp_path / "starts", clock)
    assert record.begin() == 0
    clock.advance(WINDOW_MS - 1)
    assert record.begin() == 1
    clock.advance(WINDOW_MS - 1)
    assert record.begin() == 1


def test_the_growing_pauses_of_kubernetes_hide_no_series(tmp_path: Path) -> None:
    """Of a process that lives for some minutes each time."""
    clock = ManualClock()
    record = CrashRecord(tmp_path / "starts", clock)
    for crashes, pause_seconds in enumerate((10, 20, 40, 80, 160)):
        assert record.begin() == crashes
        clock.advance((240 + pause_seconds) * 1000)
    assert record.begin() == 5


@pytest.mark.parametrize("content", [b"", b"nothing", b'{"a": 1}'])
def test_a_file_that_cannot_be_read_counts_as_empty(tmp_path: Path, content: bytes) -> None:
    """Nor does a folder that is missing hinder the start."""
    path = tmp_path / "starts"
    path.write_bytes(content)
    assert CrashRecord(path).begin() == 0
    assert CrashRecord(path).begin() == 1
    assert CrashRecord(tmp_path / "nowhere" / "starts").begin() == 0
