"""The file of a copy: thrown away when it is no copy, never because of something that passes."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import NoReturn

import pytest
from structlog.typing import EventDict

from services.common.eventlog import sqlite_database
from services.common.eventlog.port import Appended, LogFileError
from services.common.kafka import copyaside, copydrop, copyfile
from services.common.kafka.copyaside import copies_set_aside, missing_bytes
from services.common.kafka.copyfile import Batch, CopyFile
from services.common.kafka.landmarks import Landmark
from services.gen.signalbox.log.v1 import log_pb2 as pb

ENDS = {("rules.events", 0): 7}


def test_a_file_that_somebody_holds_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed open is reported; afterwards the file has all it had."""
    monkeypatch.setattr(sqlite_database, "BUSY_TIMEOUT_SECONDS", 0.05)
    path = tmp_path / "copy.db"
    first = CopyFile(path, "a", ENDS)
    first.write(Batch([], [], ENDS))
    first.close()
    with sqlite3.connect(path, isolation_level=None) as holder:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LogFileError, match="cannot be opened"):
            CopyFile(path, "a", ENDS)
        holder.execute("ROLLBACK")
    holder.close()
    again = CopyFile(path, "a", ENDS)
    assert again.offsets() == ENDS
    again.close()


@pytest.mark.parametrize("content", [b"no database " * 500, b""], ids=["damaged", "empty"])
def test_what_is_no_copy_is_made_anew(tmp_path: Path, content: bytes) -> None:
    """A damaged file hinders nobody."""
    path = tmp_path / "copy.db"
    path.write_bytes(content)
    copy = CopyFile(path, "a", ENDS)
    assert copy.offsets() == {}
    copy.close()


def test_only_the_latest_snapshot_of_a_game_is_kept(tmp_path: Path) -> None:
    """As in Kafka: a copy grows with the events, not with the states after them."""
    copy = CopyFile(tmp_path / "copy.db", "a", ENDS)
    for sequence in (400, 800):
        snapshot = pb.Snapshot(stream="game/1", sequence=sequence, schema=1, payload=b"state")
        copy.write(Batch([], [("game/1", snapshot)], ENDS))
    latest = copy.snapshots.latest("game/1")
    assert latest is not None and latest.sequence == 800
    assert copy.snapshots.latest("game/1", 799) is None
    copy.close()


def test_a_copy_on_a_full_disk_opens_and_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has to be written for it; what does not fit is refused."""
    path = tmp_path / "copy.db"
    first = CopyFile(path, "a", ENDS)
    first.write(Batch([], [], ENDS))
    first.close()

    def full(*_: object) -> NoReturn:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(copyfile, "save_position_within", full)
    copy = CopyFile(path, "a", ENDS)
    assert copy.offsets() == ENDS
    with pytest.raises(sqlite3.OperationalError, match="full"):
        copy.write(Batch([], [], ENDS, {name: Landmark(6, 1) for name in ENDS}))
    copy.close()


def diverge(path: Path, times: int) -> None:
    """So often Kafka has lost what the copy has."""
    for _ in range(times):
        copy = CopyFile(path, "a", dict.fromkeys(ENDS, 0))
        copy.write(Batch([], [], ENDS))
        copy.close()
    CopyFile(path, "a", dict.fromkeys(ENDS, 0)).close()


def test_each_copy_that_is_set_aside_stays(tmp_path: Path) -> None:
    """The second one does not take the place of the first, nor a later one that of one that an operator has deleted."""
    path = tmp_path / "copy.db"
    diverge(path, 2)
    names = [each.name for each in copies_set_aside(path)]
    assert names == ["copy.db.diverged", "copy.db.diverged-2"]
    (tmp_path / "copy.db.diverged-2-wal").touch()
    copies_set_aside(path)[0].unlink()
    diverge(path, 1)
    assert [each.name for each in copies_set_aside(path)] == ["copy.db.diverged-2", "copy.db.diverged-3"]
    for each in copies_set_aside(path):
        kept = CopyFile(each, "a", ENDS)
        assert kept.offsets() == ENDS
        kept.close()


def said(lines: list[EventDict]) -> bool:
    """Whether room is missing."""
    return any(line["event"].startswith("no room for a whole copy") for line in lines)


def test_a_volume_without_room_for_a_second_copy_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, logged: list[EventDict]
) -> None:
    """Nothing is lost for it: the file is set aside all the same, and what is missing is said until there is room."""
    path, free = tmp_path / "copy.db", 1 << 30
    monkeypatch.setattr(copyaside, "free_bytes", lambda _: free)
    diverge(path, 1)
    assert missing_bytes(path) == 0 and not said(logged)
    (first,) = copies_set_aside(path)
    with first.open("ab") as file:
        file.truncate(10_000_000)
    free = 1_000_000
    diverge(path, 1)
    assert len(copies_set_aside(path)) == 2 and said(logged)
    assert missing_bytes(path) == 9_000_000 - path.stat().st_size
    free = 10_000_000
    assert missing_bytes(path) == 0
    free = 0
    first.unlink()
    assert missing_bytes(path) < 1_000_000


def commit(stream: str) -> pb.Commit:
    """The first append of a stream."""
    request = pb.Request(request_id="r", player="ann", content_hash=b"h", outcome=b"o")
    return pb.Commit(stream=stream, first_sequence=1, facts=[pb.Fact(type="t")], request=request)


def partition_in_name(stream: str) -> int:
    """Of "game/1.7" it is 1."""
    return int(stream.removeprefix("game/").partition(".")[0])


def test_marks_of_transactions_wait_for_the_next_record(tmp_path: Path) -> None:
    """Each commit is followed by one: they would cost a second write. A partition without records is noted once."""
    marks, others = {("rules.events", 0): 8}, {("rules.events", 1): 5}
    copy = CopyFile(tmp_path / "copy.db", "a", ENDS)
    copy.write(Batch([], [], ENDS))
    assert copy.offsets() == ENDS
    copy.write(Batch([], [], marks))
    assert copy.offsets() == ENDS
    copy.write(Batch([commit("game/1.7")], [], others))
    assert copy.offsets() == {**marks, **others}
    copy.write(Batch([], [], {("rules.events", 0): 9}))
    copy.drop([0], ["rules.events"])
    copy.write(Batch([commit("game/1.8")], [], others))
    assert copy.offsets() == others
    copy.close()


def dropping(path: Path) -> CopyFile:
    """A copy of two partitions with 50 streams each, of which the first is to go."""
    ends = {("rules.events", 0): 50, ("rules.events", 1): 50}
    copy = CopyFile(path, "a", ends, partition_of_stream=partition_in_name)
    names = [f"game/{partition}.{number}" for number in range(50) for partition in range(2)]
    snapshots: list[tuple[str, pb.Snapshot | None]] = [
        (name, pb.Snapshot(stream=name, sequence=1, schema=1, payload=b"state")) for name in names
    ]
    landmarks = {name: Landmark(49, 1) for name in ends}
    copy.write(Batch([commit(name) for name in names], snapshots, ends, landmarks))
    copy.drop([0], ["rules.events"])
    return copy


def test_a_partition_is_deleted_with_all_that_belongs_to_it(tmp_path: Path) -> None:
    """It is no copy from the beginning on, goes in steps, and nothing of the others goes with it."""
    copy = dropping(tmp_path / "copy.db")
    assert set(copy.offsets()) == set(copy.landmarks()) == {("rules.events", 1)}
    steps = 0
    while copy.dropped.left:
        copy.dropped.step()
        steps += 1
    assert steps > 50 / copydrop.DELETED_AT_ONCE
    assert len(copy.log.streams()) == 50
    assert {partition_in_name(stream) for stream in copy.log.streams()} == {1}
    assert copy.log.read("game/0.7") == [] and copy.log.requests("game/0.7") == []
    assert copy.snapshots.latest("game/0.7") is None
    assert copy.snapshots.latest("game/1.7") is not None and len(copy.log.requests("game/1.7")) == 1
    assert [type(each) for each in copy.write(Batch([commit("game/0.7")], [], {}))] == [Appended]
    copy.close()


def test_deleting_goes_on_after_a_restart(tmp_path: Path) -> None:
    """What a process that ended has left is no copy, and is deleted by the next one."""
    path = tmp_path / "copy.db"
    copy = dropping(path)
    copy.dropped.step()
    copy.close()
    again = CopyFile(path, "a", {("rules.events", 1): 50}, partition_of_stream=partition_in_name)
    assert again.dropped.left == {0}
    while again.dropped.left:
        again.dropped.step()
    assert {partition_in_name(stream) for stream in again.log.streams()} == {1}
    again.close()
    last = CopyFile(path, "a", {("rules.events", 1): 50}, partition_of_stream=partition_in_name)
    assert last.dropped.left == frozenset()
    last.close()
