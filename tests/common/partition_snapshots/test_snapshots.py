"""Snapshots of a partition of a copy: what is restored is what was there, and whatever is wrong is never used."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from services.common.clock import ManualClock
from services.common.eventlog.archived import BROUGHT_BACK, ArchivedStreams, Marker
from services.common.eventlog.port import Appended, Conflict, Record, Repeated
from services.common.eventlog.whole_streams import DamagedStream, WholeStream
from services.common.kafka.copyfile import Batch
from services.common.kafka.landmarks import Landmark
from services.common.kafka.topics import EVENTS, SNAPSHOTS
from services.common.objectstore.folder import FolderStore
from services.common.objectstore.port import StoreUnavailable
from services.common.partition_snapshots import restoring, writing
from services.common.partition_snapshots.format import (
    Log,
    Manifest,
    in_pieces,
    manifest_bytes,
    number_in,
    piece_of,
    read_manifest,
    read_piece,
)
from tests.common.partition_snapshots.copies import (
    ENDS,
    LOG,
    commit,
    content,
    copy_in,
    damage,
    fill,
    newest_manifest,
    part,
    pieces,
    snapshots_in,
    snapshotter,
    source,
)
from tests.conftest import REPOSITORY

STREAMS = [f"game/{partition}.{number}" for partition in range(2) for number in range(5)]
HOUR_MS = 3_600_000


@pytest.fixture(autouse=True)
def kafka(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """What Kafka says: all that was copied is in it, and more. Small pieces."""
    said: dict[str, object] = {"beginnings": dict.fromkeys(ENDS, 0), "ends": ENDS, "lost_landmarks": []}
    for name in said:
        monkeypatch.setattr(restoring, name, lambda *_, name=name: said[name])
    monkeypatch.setattr(writing, "in_pieces", lambda streams: in_pieces(streams, 1))
    return said


def written(tmp_path: Path, times: int = 1) -> list[WholeStream]:
    """Snapshots of a file with some games; the content of its partition 0."""
    with copy_in(tmp_path / "owner.db") as copy:
        fill(copy, STREAMS)
        writer = snapshotter(copy, tmp_path / "store")
        assert writer.run_once() == 1
        for number in range(2, times + 1):
            fill(copy, [f"game/0.x{number}"], offset=10 * number)
            assert writer.run_once() == 1
        return content(copy)


def is_restored(tmp_path: Path, name: str = "new.db", log: Log = LOG) -> bool:
    """Whether a file with nothing is filled, as it says; parts of it never count."""
    with copy_in(tmp_path / name) as copy:
        chosen = part(copy)
        done = source(tmp_path / "store", log).fill(chosen, lambda: True)
        assert bool(copy.offsets()) is done
    return done


def test_what_is_restored_is_what_was_there(tmp_path: Path) -> None:
    """Records, requests and states, of this partition alone, and how far it was read; reading on goes as ever."""
    expected = written(tmp_path)
    with copy_in(tmp_path / "new.db") as copy:
        assert source(tmp_path / "store").fill(part(copy), lambda: True)
        assert content(copy) == expected and len(expected) == 5
        assert content(copy, 1) == []
        assert copy.offsets() == {name: 10 for name in ENDS if name[1] == 0}
        assert copy.landmarks() == {(EVENTS.name, 0): Landmark(9, 7)}
        again, other, following = commit("game/0.1", 3), commit("game/0.1", 3), commit("game/0.1", 4)
        other.request.request_id = "other"
        results = copy.write(Batch([again, other, following], [], {}, {}))
        assert [type(each) for each in results] == [Repeated, Conflict, Appended]
        state = copy.snapshots.latest("game/0.1")
        assert state is not None and state.payload == b"state"
    with copy_in(tmp_path / "new.db") as reopened:
        assert reopened.dropped.left == frozenset()


def test_a_snapshot_is_of_one_moment(tmp_path: Path) -> None:
    """What is written to the file while it is read is not in it."""
    with copy_in(tmp_path / "owner.db") as copy:
        fill(copy, STREAMS)
        before = content(copy)
        with part(copy).reading() as moment:
            assert moment is not None
            fill(copy, [*STREAMS, "game/0.new"], first=4, last=4, offset=20)
            assert sorted(moment.streams, key=lambda each: each.stream) == before
            assert set(moment.offsets.values()) == {10}


def test_a_partition_without_records_has_no_snapshot(tmp_path: Path) -> None:
    """There would be nothing by which its log is recognised."""
    with copy_in(tmp_path / "owner.db") as copy:
        assert snapshotter(copy, tmp_path / "store").run_once() == 0


def test_a_snapshot_is_due_after_records_or_hours(tmp_path: Path) -> None:
    """And never without a new record; one of records that Kafka has lost is replaced at once."""
    clock = ManualClock(HOUR_MS)
    with copy_in(tmp_path / "owner.db") as copy:
        fill(copy, STREAMS)
        writer = snapshotter(copy, tmp_path / "store", clock, records=11)
        assert writer.run_once() == 0
        clock.advance(24 * HOUR_MS)
        assert writer.run_once() == 1
        clock.advance(48 * HOUR_MS)
        assert writer.run_once() == 0
        fill(copy, ["game/0.later"], offset=20)
        assert writer.run_once() == 1
        fill(copy, ["game/0.more"], offset=31)
        assert writer.run_once() == 1
        fill(copy, ["game/0.set-back"], offset=15)
        assert writer.run_once() == 1
        assert snapshotter(copy, tmp_path / "store", clock, records=11).run_once() == 0


def test_two_snapshots_stay(tmp_path: Path) -> None:
    """With their pieces, and nothing of those before, nor of a writer that was cut off."""
    store = FolderStore(tmp_path / "store")
    cut_off = snapshots_in(tmp_path / "store").writer(0)
    cut_off.add([WholeStream("game/0.1")])
    written(tmp_path, times=4)
    assert snapshots_in(tmp_path / "store").numbers(0) == [3, 4]
    numbers = {number_in(name, f"pieces/{LOG.name}/0/") for name in store.names("pieces/")}
    assert numbers == {3, 4}


def test_one_of_two_writers_of_a_number_wins(tmp_path: Path) -> None:
    """The other one's does not count, and is seen by nobody."""
    first, second = (snapshots_in(tmp_path / "store").writer(0) for _ in range(2))
    for writer, stream in ((first, "game/0.1"), (second, "game/0.2")):
        writer.add([WholeStream(stream)])
    assert second.finish({"a": 1}, 0, 0, 0) is not None
    assert first.finish({"a": 2}, 0, 0, 0) is None
    newest = snapshots_in(tmp_path / "store").newest(0)
    assert newest is not None and newest.offsets == {"a": 1}


def test_a_failed_writer_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is tried again and again: a store that takes pieces and no manifest would be full in the end."""
    put = FolderStore.put

    def put_pieces(self: FolderStore, name: str, content: bytes) -> None:
        if not name.startswith("pieces/"):
            raise StoreUnavailable("full")
        put(self, name, content)

    monkeypatch.setattr(FolderStore, "put", put_pieces)
    with copy_in(tmp_path / "owner.db") as copy:
        fill(copy, STREAMS)
        writer = snapshotter(copy, tmp_path / "store")
        with pytest.raises(StoreUnavailable):
            writer.run_once()
    assert pieces(tmp_path / "store") == []


def test_what_is_in_the_archive_stays_there(tmp_path: Path) -> None:
    """Whether the owner knew it, or the replica that restores, or both: as if each commit had come by itself."""
    with copy_in(tmp_path / "owner.db") as copy:
        fill(copy, STREAMS)
        archived = ArchivedStreams(copy.log.database)
        assert archived.archive("game/0.1", 6, "contents/0.1.6")
        records, requests = copy.log.read("game/0.2"), copy.log.requests("game/0.2")
        assert archived.archive("game/0.2", 6, "contents/0.2.6")
        assert archived.bring_back(Marker("game/0.2", 6, "contents/0.2.6"), records, requests)
        snapshotter(copy, tmp_path / "store").run_once()
    with copy_in(tmp_path / "new.db") as copy:
        archived = ArchivedStreams(copy.log.database)
        archived.learn([Marker("game/0.3", 6, "contents/0.3.6"), Marker("game/0.4", 2, "contents/0.4.2")])
        assert source(tmp_path / "store").fill(part(copy), lambda: True)
        found = {each.stream: len(each.records) for each in content(copy)}
        assert found == {"game/0.0": 6, "game/0.1": 0, "game/0.2": 6, "game/0.3": 0, "game/0.4": 4}
        marker = archived.find("game/0.1")
        assert marker is not None and marker.object == "contents/0.1.6"
        back = archived.find("game/0.2")
        assert back is not None and back.state == BROUGHT_BACK
        assert [each.stream for each in archived.gone_on()] == ["game/0.4"]


def rewritten(store: Path, change: Callable[[Manifest], Manifest]) -> None:
    """Another manifest with a right digest in the place of the newest."""
    path = newest_manifest(store)
    found = change(read_manifest("", path.read_bytes()))
    path.write_bytes(manifest_bytes(found))


FOREIGN: dict[str, Callable[[Path], object]] = {
    "manifest damaged": lambda store: damage(newest_manifest(store)),
    "manifest cut off": lambda store: newest_manifest(store).write_bytes(b"{}"),
    "other format": lambda store: rewritten(store, lambda it: replace(it, format="signalbox partition 2")),
    "other topics": lambda store: rewritten(store, lambda it: replace(it, log=Log("made anew", 2))),
    "other number of partitions": lambda store: rewritten(
        store, lambda it: replace(it, log=Log(LOG.identity, 3))
    ),
    "other partition": lambda store: rewritten(store, lambda it: replace(it, partition=1)),
    "other number": lambda store: rewritten(store, lambda it: replace(it, number=9)),
    "without commits": lambda store: rewritten(store, lambda it: replace(it, offsets={SNAPSHOTS.name: 10})),
    "of one more topic": lambda store: rewritten(
        store, lambda it: replace(it, offsets=it.offsets | {"more": 10})
    ),
    "past the end": lambda store: rewritten(
        store, lambda it: replace(it, offsets=dict.fromkeys(it.offsets, 1001))
    ),
    "last record behind": lambda store: rewritten(store, lambda it: replace(it, last_offset=10)),
}


@pytest.mark.parametrize("wrong", FOREIGN)
def test_what_does_not_fit_is_passed_over(tmp_path: Path, wrong: str) -> None:
    """Where it is the only one nothing is restored, and nothing was begun; else the one before it."""
    written(tmp_path)
    FOREIGN[wrong](tmp_path / "store")
    assert not is_restored(tmp_path)
    with copy_in(tmp_path / "new.db") as reopened:
        assert reopened.dropped.left == frozenset()
        assert content(reopened) == []


def test_a_topic_of_which_nothing_was_read_then_is_read_from_its_beginning(tmp_path: Path) -> None:
    """The first games have no states before their partition has a snapshot."""
    written(tmp_path)
    rewritten(tmp_path / "store", lambda it: replace(it, offsets={EVENTS.name: 10}))
    with copy_in(tmp_path / "new.db") as copy:
        assert source(tmp_path / "store").fill(part(copy), lambda: True)
        assert copy.offsets() == {(EVENTS.name, 0): 10}


def test_the_one_before_is_taken_where_the_newest_does_not_fit(tmp_path: Path) -> None:
    """For example after a piece of it was written by half."""
    written(tmp_path, times=2)
    damage(newest_manifest(tmp_path / "store"))
    with copy_in(tmp_path / "new.db") as copy:
        assert source(tmp_path / "store").fill(part(copy), lambda: True)
        assert set(copy.offsets().values()) == {10}


@pytest.mark.parametrize("what", ["lost_landmarks", "beginnings"])
def test_another_log_under_the_same_name_has_no_snapshot(
    tmp_path: Path, kafka: dict[str, object], what: str
) -> None:
    """Brokers were set back and have other records there now, or have none below some offset."""
    written(tmp_path)
    kafka[what] = [(EVENTS.name, 0)] if what == "lost_landmarks" else dict.fromkeys(ENDS, 11)
    assert not is_restored(tmp_path)


def test_other_topics_have_their_snapshots_elsewhere(tmp_path: Path) -> None:
    """Made anew, of another prefix, or another number of partitions."""
    written(tmp_path)
    for log in (Log("p2.rules.events:A", 2), Log(LOG.identity, 3)):
        assert not is_restored(tmp_path, log=log)


@pytest.mark.parametrize("wrong", ["damaged", "missing", "of another partition"])
def test_a_wrong_piece_ends_the_restore(tmp_path: Path, wrong: str) -> None:
    """What was put in before it counts for nothing, and is deleted."""
    written(tmp_path)
    last = pieces(tmp_path / "store")[-1]
    if wrong == "damaged":
        damage(last)
    elif wrong == "missing":
        last.unlink()
    else:
        piece, data = piece_of(last.relative_to(tmp_path / "store").as_posix(), [WholeStream("game/1.0")])
        last.write_bytes(data)
        rewritten(tmp_path / "store", lambda it: replace(it, pieces=(*it.pieces[:-1], piece)))
    assert not is_restored(tmp_path)
    with copy_in(tmp_path / "new.db") as reopened:
        assert reopened.dropped.left == {0}
        assert len(content(reopened)) == 4
        while reopened.dropped.left:
            reopened.dropped.step()
        assert content(reopened) == []


@pytest.mark.parametrize("wrong", ["stream", "sequence", "position"])
def test_a_record_that_is_another_ends_the_restore(tmp_path: Path, wrong: str) -> None:
    """Records are put into the file as they are stored; each is looked at nevertheless."""
    good = Record("game/0.0", 2, "t", 1, b"", 1, 0)
    change: dict[str, Any] = {"stream": "game/0.1", "sequence": 3, "position": 1}
    bad = WholeStream("game/0.0", (replace(good, sequence=1), replace(good, **{wrong: change[wrong]})))
    piece, data = piece_of("p", [bad])
    with (
        copy_in(tmp_path / "new.db") as copy,
        pytest.raises(DamagedStream, match="has another record than 2"),
    ):
        part(copy).put(read_piece(piece, data)).result()


def test_a_store_that_is_away_is_not_asked_again_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other partitions are read from Kafka without a wait."""
    asked = []

    def away(*_: object) -> None:
        asked.append(1)
        raise StoreUnavailable("no route to host")

    monkeypatch.setattr(FolderStore, "names", away)
    registry = CollectorRegistry()
    found = source(tmp_path / "store", registry=registry)
    with copy_in(tmp_path / "new.db") as copy:
        assert [found.fill(part(copy, number), lambda: True) for number in range(2)] == [False, False]
    assert len(asked) == 1
    assert registry.get_sample_value("signalbox_partition_restores_total", {"result": "failed"}) == 2


def test_a_slow_store_is_left(tmp_path: Path) -> None:
    """After one piece."""
    written(tmp_path)
    with copy_in(tmp_path / "new.db") as copy:
        slow = source(tmp_path / "store")
        slow._piece_seconds_max = -1.0
        assert not slow.fill(part(copy), lambda: True)
        assert content(copy) == []


def test_a_partition_that_went_elsewhere_is_not_filled_on(tmp_path: Path) -> None:
    """It is asked before each piece."""
    written(tmp_path)
    answers = iter([True, True, False])
    with copy_in(tmp_path / "new.db") as copy:
        assert not source(tmp_path / "store").fill(part(copy), lambda: next(answers))
        assert len(content(copy)) == 2 and copy.offsets() == {}


def run(tmp_path: Path, file: str, mode: str, crash_at: str = "") -> int:
    """A process of its own; its exit code."""
    program = [sys.executable, "-m", "tests.common.partition_snapshots.copies"]
    done = subprocess.run(
        [*program, str(tmp_path / "store"), str(tmp_path / file), mode],
        cwd=REPOSITORY,
        env=os.environ | {"SIGNALBOX_CRASH_AT": crash_at},
        capture_output=True,
    )
    return done.returncode


@pytest.mark.integration
@pytest.mark.parametrize(
    "point", ["partition.after-batch:1", "partition.after-batch:3", "partition.after-batch:5"]
)
def test_a_restore_that_was_killed_counts_for_nothing(tmp_path: Path, point: str) -> None:
    """Also behind its last batch. The file says that it has to delete the partition, and has it again afterwards."""
    expected = written(tmp_path)
    assert run(tmp_path, "new.db", "fill", point) == -signal.SIGKILL
    with copy_in(tmp_path / "new.db") as copy:
        assert copy.offsets() == {} and copy.dropped.left == {0}
        assert len(content(copy)) == int(point[-1])
        while copy.dropped.left:
            copy.dropped.step()
    assert run(tmp_path, "new.db", "fill") == 0
    with copy_in(tmp_path / "new.db") as copy:
        assert content(copy) == expected


@pytest.mark.integration
@pytest.mark.parametrize("point", ["partition.after-piece:2", "partition.before-manifest"])
def test_a_writer_that_was_killed_leaves_no_snapshot(tmp_path: Path, point: str) -> None:
    """The next one writes it, under the same number."""
    with copy_in(tmp_path / "owner.db") as copy:
        fill(copy, STREAMS)
    assert run(tmp_path, "owner.db", "write", point) == -signal.SIGKILL
    assert snapshots_in(tmp_path / "store").numbers(0) == []
    assert run(tmp_path, "owner.db", "write") == 0
    assert snapshots_in(tmp_path / "store").numbers(0) == [1]
    assert is_restored(tmp_path)
