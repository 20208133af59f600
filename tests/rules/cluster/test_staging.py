"""The owner's log shows what is staged on top of what is written, and drops it on request."""

from __future__ import annotations

from collections.abc import Sequence
from threading import RLock

import pytest

from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.common.eventlog.port import (
    Appended,
    AppendResult,
    Conflict,
    EventLog,
    NewRecord,
    Repeated,
    RequestRecord,
)
from services.common.kafka.commits import facts_of, request_of
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster import staging
from services.rules.cluster.staging import RecordTooLarge, StagedLog, StagedSnapshots
from tests.contracts.event_log_contract import EventLogContract, bodies, fact, request


def write(copy: MemoryEventLog, commit: pb.Commit) -> AppendResult:
    """The copy meets a commit."""
    return copy.append(commit.stream, commit.first_sequence - 1, facts_of(commit), request_of(commit))


class CommittedAtOnce(StagedLog):
    """A staged log whose every append is a transaction that the copy has met at once."""

    def __init__(self, copy: MemoryEventLog) -> None:
        super().__init__(copy, ManualClock())
        self._written = copy
        self._order = RLock()

    def append(
        self, stream: str, expected: int, records: Sequence[NewRecord], request: RequestRecord | None = None
    ) -> AppendResult:
        """See `EventLog.append`."""
        with self._order:
            result = super().append(stream, expected, records, request)
            staged = list(self.staged)
            self.clear_staged()
            for commit in staged:
                self.applied(commit, write(self._written, commit))
            return result


class TestStagedLog(EventLogContract):
    """With a commit after each append it is a log like any other."""

    @pytest.fixture
    def log(self) -> EventLog:
        """An empty log."""
        return CommittedAtOnce(MemoryEventLog(ManualClock()))


@pytest.fixture
def copy() -> MemoryEventLog:
    """What is written: one record in game 1."""
    copy = MemoryEventLog(ManualClock())
    copy.append("game/1", 0, [fact(b"1")], request("r1"))
    return copy


@pytest.fixture
def log(copy: MemoryEventLog) -> StagedLog:
    """With two more appends staged."""
    log = StagedLog(copy, ManualClock())
    assert log.append("game/1", 1, [fact(b"2")], request("r2")) == Appended(2, 2)
    assert log.append("game/1", 2, [fact(b"3"), fact(b"4")], request("r3")) == Appended(3, 4)
    return log


def test_staged_appends_are_seen_and_not_written(log: StagedLog, copy: MemoryEventLog) -> None:
    """Records, requests and conflicts count them; the copy knows nothing."""
    assert bodies(log.read("game/1")) == [b"1", b"2", b"3", b"4"]
    assert bodies(log.read("game/1", 1, 3)) == [b"2", b"3"]
    assert bodies(log.read("game/1", 0, 1)) == [b"1"]
    assert log.append("game/1", 2, [fact()]) == Conflict(4)
    assert log.append("game/1", 4, [fact()], request("r2")) == Repeated(b"done", True)
    assert sorted(each.request_id for each in log.requests("game/1")) == ["r1", "r2", "r3"]
    assert bodies(copy.read("game/1")) == [b"1"]
    assert [commit.first_sequence for commit in log.staged] == [2, 3]


def test_what_the_copy_has_met_leaves_the_top(log: StagedLog, copy: MemoryEventLog) -> None:
    """Reading gives the same at every moment of it."""
    for commit in list(log.staged):
        result = write(copy, commit)
        assert bodies(log.read("game/1")) == [b"1", b"2", b"3", b"4"]
        log.applied(commit, result)
        assert bodies(log.read("game/1")) == [b"1", b"2", b"3", b"4"]
    assert log._tails == {}
    assert log.diverged() == set()
    assert log.append("game/1", 4, [fact(b"5")]) == Appended(5, 5)


def test_dropping_goes_back_to_what_is_written(log: StagedLog) -> None:
    """In the chosen streams alone."""
    log.append("game/2", 0, [fact(b"other")])
    log.drop(lambda stream: stream == "game/1")
    assert bodies(log.read("game/1")) == [b"1"]
    assert log.outcome("game/1", "r2") is None
    assert [commit.stream for commit in log.staged] == ["game/2"]
    assert log.append("game/1", 1, [fact(b"2")], request("r2")) == Appended(2, 2)


def test_rolling_back_drops_the_latest(log: StagedLog) -> None:
    """The appends before stay."""
    log.roll_back(1)
    assert bodies(log.read("game/1")) == [b"1", b"2"]
    assert log.outcome("game/1", "r3") is None
    assert log.append("game/1", 2, [fact(b"new")]) == Appended(3, 3)


def test_another_writer_is_found_out(log: StagedLog, copy: MemoryEventLog) -> None:
    """Another writer's commit in a stream drops what is staged in it, and is returned once."""
    copy.append("game/1", 1, [fact(b"theirs")])
    theirs = pb.Commit(stream="game/1", first_sequence=2, facts=[pb.Fact(type="x")], append_id="theirs")
    ours = log.staged[0]
    log.applied(theirs, Appended(2, 2))
    log.applied(ours, Conflict(2))
    assert log.diverged() == {"game/1"}
    assert log.diverged() == set()
    assert bodies(log.read("game/1")) == [b"1", b"theirs"]


def test_commits_of_others_elsewhere_are_nothing_to_us(log: StagedLog) -> None:
    """Most of what the copy meets is of games that others own."""
    theirs = pb.Commit(stream="game/9", first_sequence=1, facts=[pb.Fact(type="x")], append_id="theirs")
    log.applied(theirs, Appended(1, 1))
    assert log.diverged() == set()


def test_too_large_an_append_stages_nothing(log: StagedLog, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused with its size, and the stream goes on."""
    monkeypatch.setattr(staging, "VALUE_BYTES_MAX", 1000)
    with pytest.raises(RecordTooLarge, match="more than 1000"):
        log.append("game/1", 4, [fact(b"x" * 1000)])
    assert len(log.staged) == 2
    assert log.append("game/1", 4, [fact(b"5")]) == Appended(5, 5)


def test_snapshots_are_staged_and_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """They go into the transaction; the latest is one that is written; one too large is left out."""
    written = MemorySnapshotStore()
    snapshots = StagedSnapshots(written)
    snapshots.put("game/1", 5, 1, b"state")
    assert snapshots.latest("game/1") is None
    assert [(each.stream, each.sequence, each.payload) for each in snapshots.staged] == [
        ("game/1", 5, b"state")
    ]
    monkeypatch.setattr(staging, "VALUE_BYTES_MAX", 100)
    snapshots.put("game/1", 6, 1, b"x" * 100)
    assert len(snapshots.staged) == 1
    written.put("game/1", 4, 1, b"older")
    latest = snapshots.latest("game/1")
    assert latest is not None and latest.sequence == 4
