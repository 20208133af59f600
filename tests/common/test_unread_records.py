"""A projection reads each record once, also those that are written while it reads."""

from __future__ import annotations

import pytest

from services.common.eventlog import unread
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import NewRecord
from services.common.eventlog.unread import UnreadRecords


class GrowingLog(MemoryEventLog):
    """A log to which somebody appends right after each look at its end, `more` times."""

    more = 3

    def write(self) -> None:
        """Append to a stream that is read, and to one that is not."""
        for stream in ("read.a", "other.a"):
            self.append(stream, len(self.read(stream)), [NewRecord("Event", 1, b"")])

    def last_position(self) -> int:
        """See `EventLog.last_position`."""
        position = super().last_position()
        if self.more:
            self.more -= 1
            self.write()
        return position


@pytest.mark.parametrize("batch", [1, 2, 3, 1000])
def test_each_record_comes_once(monkeypatch: pytest.MonkeyPatch, batch: int) -> None:
    """Whatever is written between the look at the end and the reading."""
    monkeypatch.setattr(unread, "BATCH_SIZE", batch)
    log = GrowingLog()
    log.write()
    records = UnreadRecords(log, "read.")
    met: list[int] = []
    for _ in range(5):
        before = len(log.read("read.a"))
        met += [record.sequence for record in records]
        assert len(met) >= before
    assert met == [1, 2, 3, 4]


def test_a_record_that_was_not_taken_comes_again() -> None:
    """And those before it do not."""
    log = GrowingLog()
    log.more = 0
    for _ in range(3):
        log.write()
    records = UnreadRecords(log, "read.")
    for record in records:
        if record.sequence == 2:
            break
    assert [record.sequence for record in records] == [2, 3]


def test_all_streams_come_in_the_order_of_writing() -> None:
    """From the beginning, where each is read by itself, and from then on."""
    log = GrowingLog()
    for number in range(6):
        stream = ("read.b", "read.a")[number % 2]
        log.append(stream, len(log.read(stream)), [NewRecord("Event", 1, b"")])
    records = UnreadRecords(log, "read.")
    met = [record.position for record in records]
    log.write()
    met += [record.position for record in records]
    assert met == [record.position for record in log.read_all(0, 1000, "read.")]
