"""Snapshots are a shortcut: with them, without them and past broken ones the state is the same, byte for byte."""

from __future__ import annotations

import time
from functools import lru_cache
from pathlib import Path

import pytest

from services.common.eventlog import Snapshot
from services.common.memory_event_log import MemoryEventLog, MemorySnapshotStore
from services.rules.adapters.snapshots import SNAPSHOT_SCHEMA, decode_snapshot, encode_snapshot, state_bytes
from services.rules.domain import commands as c, events as e
from services.rules.domain.evolve import replay
from services.rules.history import stream_of
from services.rules.recorded.files import read_record
from services.rules.recorded.replay import play
from services.rules.sessions import EVENTS_PER_SNAPSHOT, continue_from, trusted
from services.rules.titles import TITLES
from tests.rules.service.desk import GAME, Desk
from tests.titles.g1824.positions_c import pilsen_table

RECORDED = "p3-s201"


@lru_cache(maxsize=1)
def recorded_log(shared: Path) -> tuple[e.Event, ...]:
    """All events of a recorded game."""
    record = read_record(shared / "fixtures" / "18xx.games" / "1824" / f"{RECORDED}.json.gz")
    found = play(record, TITLES["1824"], time.perf_counter)
    assert found.matches
    return tuple(found.events)


def snapshot(log: tuple[e.Event, ...], at: int, schema: int = SNAPSHOT_SCHEMA, told: int = 0) -> Snapshot:
    """A snapshot of the state after `at` events, that says it is of another schema or sequence."""
    return Snapshot(stream_of(GAME), told or at, schema, encode_snapshot(replay(log[:at])))


def test_a_snapshot_comes_back_byte_equal(shared: Path) -> None:
    """All along a recorded game the state read from its snapshot is the state that was stored."""
    log = recorded_log(shared)
    for at in range(1, len(log) + 1, 97):
        state = replay(log[:at])
        restored = decode_snapshot(encode_snapshot(state), SNAPSHOT_SCHEMA, at)
        assert restored == state
        assert restored is not None
        assert state_bytes(restored) == state_bytes(state)


@pytest.mark.parametrize("part", [0.1, 0.5, 0.99])
def test_snapshot_and_tail_make_the_state_of_the_whole_log(shared: Path, part: float) -> None:
    """A recorded game folded from its log is the same as a snapshot of it with what came after."""
    log = recorded_log(shared)
    at = int(len(log) * part)
    restored = trusted(snapshot(log, at))
    assert restored is not None
    continued = continue_from(restored, list(log[at:]))
    assert continued is not None
    assert state_bytes(continued) == state_bytes(replay(log))


def broken() -> dict[str, Snapshot]:
    """Snapshots that must not be believed."""
    log = tuple(pilsen_table("2").log)
    good = snapshot(log, 40)
    flipped = bytearray(good.payload)
    flipped[len(flipped) // 2] ^= 1
    return {
        "damaged": Snapshot(good.stream, 40, good.schema, bytes(flipped)),
        "cut off": Snapshot(good.stream, 40, good.schema, good.payload[:-3]),
        "empty": Snapshot(good.stream, 40, good.schema, b""),
        "another schema": snapshot(log, 40, schema=SNAPSHOT_SCHEMA + 1),
        "another sequence": snapshot(log, 40, told=41),
    }


@pytest.mark.parametrize("fault", broken())
def test_what_does_not_fit_counts_as_no_snapshot(fault: str) -> None:
    """Damaged bytes, another schema and another sequence are passed over, and the log is folded instead."""
    strange = broken()[fault]
    assert trusted(strange) is None
    store = MemorySnapshotStore()
    store.put(strange.stream, strange.sequence, strange.schema, strange.payload)
    desk = Desk(MemoryEventLog(), store)
    desk.place(pilsen_table("2").log)
    assert state_bytes(desk.game()) == desk.folded()


def test_no_snapshot_is_the_log_alone() -> None:
    """A game that never had a snapshot is folded from its first event."""
    assert trusted(None) is None


def test_a_snapshot_of_what_was_undone_is_not_continued() -> None:
    """After an undo past the snapshot the state is folded from the log, for now and for every sequence."""
    desk = Desk(MemoryEventLog(), MemorySnapshotStore())
    start = desk.create("free")
    for price in (60, 70):
        desk.move(desk.asked(), c.Pass(), f"pass {price}")
    desk.sessions.close()
    kept = desk.snapshots.latest(stream_of(GAME))
    assert kept is not None
    assert kept.sequence > start
    desk.move("ann", c.Undo(start))
    desk.move(desk.asked(), c.Pass())
    again = Desk(desk.log, desk.snapshots)
    assert state_bytes(again.game()) == state_bytes(desk.game()) == desk.folded()
    for at in range(1, again.sequence() + 1):
        assert state_bytes(again.sessions.state_at(GAME, at)) == desk.folded(up_to=at)


def test_a_long_game_keeps_a_snapshot_as_it_goes() -> None:
    """A snapshot is stored every few hundred events without anybody asking, and a restart goes on from it."""
    desk = Desk(MemoryEventLog(), MemorySnapshotStore())
    desk.create()
    while desk.sequence() < 2 * EVENTS_PER_SNAPSHOT:
        desk.play_on(moves=5)
    kept = desk.snapshots.latest(stream_of(GAME))
    assert kept is not None
    assert kept.sequence >= EVENTS_PER_SNAPSHOT
    again = Desk(desk.log, desk.snapshots)
    assert again.sessions.look(GAME).snapshot_sequence == kept.sequence
    assert state_bytes(again.game()) == state_bytes(desk.game()) == desk.folded()
