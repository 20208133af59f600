"""The clocks of tables in a file: the answers of a fold in memory, after a restart at any point."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import EventLog, NewRecord
from services.lobby import event_codec, projection_file
from services.lobby.clock_directory import CLOCK_STREAM, ClockCounts, ClockDirectory
from services.lobby.domain.table_clocks import (
    ClockEvent,
    ClocksCharged,
    ClocksHeld,
    ClocksPenalized,
    ClocksReleased,
    ExpiryDecided,
    ExpirySettled,
    SeatClock,
    SeatPenalty,
    TableClocks,
    TimeGranted,
    TurnKey,
    TurnReminded,
    evolve_clocks,
)
from services.lobby.domain.time_control.bank import Asked, Bank
from services.lobby.event_codec import READERS, UnknownRecord, decode, encode
from tests.lobby.folded_tables import as_on_disk

FUTURE = NewRecord("from_the_future", 1, b"")
IDS = [f"t{number}" for number in range(6)]


def folded(log: EventLog) -> dict[str, TableClocks | None]:
    """All clocks, None for those that cannot be read."""
    found: dict[str, TableClocks | None] = {}
    for table_id in IDS:
        clocks = TableClocks()
        try:
            for record in log.read(CLOCK_STREAM + table_id):
                clocks = evolve_clocks(clocks, decode(record))
            found[table_id] = clocks
        except UnknownRecord:
            found[table_id] = None
    return found


def asked(directory: ClockDirectory) -> dict[str, TableClocks | None]:
    """All clocks as a directory has them."""
    found: dict[str, TableClocks | None] = {}
    for table_id in IDS:
        try:
            found[table_id] = directory.get(table_id)
        except UnknownRecord:
            found[table_id] = None
    return found


def write_some(log: EventLog, chance: random.Random, events: int) -> None:
    """Events of clocks that may follow each other."""
    for _ in range(events):
        table_id = chance.choice(IDS)
        known = folded(log)[table_id] or TableClocks()
        later: list[ClockEvent] = [
            ClocksReleased(7) if known.is_held else ClocksHeld(5),
            charged(chance),
            ExpiryDecided("ann", 3, 0, "director", 4, f"r{chance.randrange(3)}", 9),
            ExpirySettled(f"r{chance.randrange(3)}", "done"),
            TurnReminded("ann", 3, 50),
            TimeGranted("ann", 60, "dan", "a storm") if known.charged else charged(chance),
            ClocksPenalized(9, (SeatPenalty("ann", 10),)),
        ]
        sequence = len(log.read(CLOCK_STREAM + table_id))
        log.append(CLOCK_STREAM + table_id, sequence, [encode(chance.choice(later))])
        log.append("lobby.other.1", len(log.read("lobby.other.1")), [FUTURE])


def charged(chance: random.Random) -> ClocksCharged:
    """Ann is asked, or nobody."""
    is_asked = Asked("ann", 1_000, chance.randrange(9)) if chance.random() < 0.5 else None
    clocks = SeatClock("ann", Bank(5_000, 10), is_asked), SeatClock("bob", Bank(6_000))
    return ClocksCharged(chance.randrange(9), 1_000, TurnKey("stock", 1, 1, "ann"), False, clocks)


def assert_right(directory: ClockDirectory, log: EventLog) -> None:
    """A directory answers as the fold does."""
    wanted = folded(log)
    assert asked(directory) == wanted
    known = [each for each in wanted.values() if each is not None]
    assert directory.counts() == ClockCounts(
        sum(bool(each.asked) for each in known), sum(len(each.pending) for each in known)
    )
    assert directory.held() == sorted(name for name, each in wanted.items() if each and each.is_held)


@pytest.mark.parametrize("seed", range(6))
def test_answers_are_those_of_a_fold_whatever_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Ended in order, killed between fold and commit, or not at all, between any events."""
    chance = random.Random(seed)
    monkeypatch.setattr(projection_file, "COMMIT_RECORDS", chance.choice([1, 10, 1000]))
    monkeypatch.setattr(projection_file, "COMMIT_SECONDS", chance.choice([0.0, 100.0]))
    log, path = MemoryEventLog(ManualClock()), tmp_path / "clocks.db"
    directory = ClockDirectory(log, path=path)
    for number in range(12):
        write_some(log, chance, chance.randrange(8))
        if chance.random() < 0.7:
            assert_right(directory, log)
        happens = chance.random()
        if happens < 0.3:
            directory.close()
            directory = ClockDirectory(log, path=path)
        elif happens < 0.6:
            path = as_on_disk(path, number)
            directory = ClockDirectory(log, path=path)
    assert_right(directory, log)


def test_clocks_of_a_newer_version_are_read_after_an_upgrade(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With everything that was written since."""
    log, path = MemoryEventLog(ManualClock()), tmp_path / "clocks.db"
    write_some(log, random.Random(9), 60)
    with monkeypatch.context() as older:
        known = {name: each for name, each in READERS.items() if name != "turn_reminded"}
        older.setattr(event_codec, "READERS", known)
        directory = ClockDirectory(log, path=path)
        assert asked(directory) == folded(log)
        assert None in folded(log).values()
        directory.close()
    assert_right(ClockDirectory(log, path=path), log)


def test_clocks_that_fit_no_row_stop_no_others(tmp_path: Path) -> None:
    """As with a grant in the log whose milliseconds are beyond 64 bits: unreadable, also after a restart."""
    log, path = MemoryEventLog(ManualClock()), tmp_path / "clocks.db"
    for table_id in IDS[:2]:
        log.append(CLOCK_STREAM + table_id, 0, [encode(ClocksHeld(5)), encode(charged(random.Random(1)))])
    directory = ClockDirectory(log, path=path)
    assert directory.held() == IDS[:2]
    log.append(CLOCK_STREAM + IDS[0], 2, [encode(TimeGranted("ann", 2**63 - 1, "dan", "")), FUTURE])
    log.append(CLOCK_STREAM + IDS[1], 2, [encode(ClocksReleased(7))])
    for _ in range(2):
        with pytest.raises(UnknownRecord, match="fits no row"):
            directory.get(IDS[0])
        assert directory.get(IDS[1]) == folded(log)[IDS[1]]
        assert directory.held() == IDS[:1]
        directory.close()
        directory = ClockDirectory(log, path=path)
