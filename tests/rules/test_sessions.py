"""States come back: from log, snapshot and tail, at any sequence, under undo and with little memory."""

from __future__ import annotations

from collections.abc import Iterator, Set as AbstractSet
from typing import get_args, get_origin

import pytest
from msgspec import Struct
from msgspec.structs import fields

from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import Appended, NewRecord, Snapshot
from services.common.notifier import LocalNotifier
from services.rules.adapters.codec import decode_event
from services.rules.adapters.registry import all_parts
from services.rules.adapters.snapshots import (
    SNAPSHOT_SCHEMA,
    decode_snapshot,
    encode_snapshot,
    state_bytes,
)
from services.rules.cluster.following import FollowingSessions
from services.rules.history import stream_of
from services.rules.kernel.commands import Pass, Undo
from services.rules.kernel.fold import replay
from services.rules.kernel.game import Game
from services.rules.parts.map.state import MapState
from services.rules.parts.trains.state import TrainsState
from services.rules.sessions import UnreachedSequenceError, trusted
from services.rules.titles.g1824.commands import RepayDebt
from tests.rules.conftest import EVENTS_PER_SNAPSHOT, TITLES, Desk


def replayed(desk: Desk, up_to: int | None = None) -> Game:
    """The state from the log alone."""
    records = desk.log.read(stream_of("g"), 0, up_to)
    return replay([decode_event(record.type, record.schema_version, record.payload) for record in records])


def test_every_earlier_state_is_byte_equal_to_the_fold_of_its_prefix(desk: Desk) -> None:
    """At each sequence, in the middle of a command too, from memory as from the log."""
    desk.play_some(4)
    last = desk.game().sequence
    for sequence in range(1, last + 1):
        expected = state_bytes(replayed(desk, sequence))
        assert state_bytes(desk.sessions.state_at("g", sequence)) == expected
    desk.reopen()
    for sequence in range(1, last + 1):
        assert state_bytes(desk.sessions.state_at("g", sequence)) == state_bytes(replayed(desk, sequence))


@pytest.mark.parametrize("sequence", [0, -1, 6, 2**62])
def test_a_sequence_the_game_never_reached_is_refused(desk: Desk, sequence: int) -> None:
    """There is no state before the first event or after the last."""
    with pytest.raises(UnreachedSequenceError):
        desk.sessions.state_at("g", sequence)


def test_a_game_that_appears_while_it_is_looked_for_is_found(desk: Desk) -> None:
    """A copy that catches up by itself just after it was looked at is not behind any more when it is asked."""
    copy = MemoryEventLog(ManualClock(0))

    def catch_up(_game_id: str) -> None:
        records = [
            NewRecord(each.type, each.schema_version, each.payload) for each in desk.log.read(stream_of("g"))
        ]
        assert isinstance(copy.append(stream_of("g"), 0, records), Appended)

    following = FollowingSessions(copy, desk.snapshots, TITLES, LocalNotifier(), catch_up)
    assert following.get("g").game == desk.game()


def test_a_snapshot_and_the_tail_give_the_live_state(desk: Desk) -> None:
    """A service that starts from a snapshot stands where the log stands."""
    desk.play_some(3)
    desk.sessions.close()
    desk.do("ann", RepayDebt(3))
    live = state_bytes(desk.game())
    desk.reopen()
    assert desk.snapshots.latest(stream_of("g")) is not None
    assert state_bytes(desk.game()) == live == state_bytes(replayed(desk))


def test_a_reader_shows_no_state_whose_events_it_has_not_read(desk: Desk) -> None:
    """A snapshot that came before the events it rests on is passed over, and the one before it serves."""
    first = desk.game().sequence
    desk.sessions.close()
    assert desk.do("ann", RepayDebt(3)) == first + 1
    copy = MemoryEventLog(ManualClock(0))
    records = [NewRecord(each.type, 1, each.payload) for each in desk.log.read(stream_of("g"))]
    assert isinstance(copy.append(stream_of("g"), 0, records), Appended)
    for player in ("ann", "bob"):
        desk.do(player, Pass())
    desk.sessions.close()
    newest = desk.snapshots.latest(stream_of("g"))
    assert newest is not None and newest.sequence == first + 3
    following = FollowingSessions(copy, desk.snapshots, TITLES, LocalNotifier(), lambda _: None)
    loaded = following.get("g")
    assert (loaded.game.sequence, loaded.snapshot_sequence) == (first + 1, first)
    assert loaded.game == replayed(desk, first + 1)


def test_snapshots_are_taken_as_a_game_grows(desk: Desk) -> None:
    """One every so many events or a few more, without anybody asking."""
    desk.play_some(55)
    snapshot = desk.snapshots.latest(stream_of("g"))
    assert snapshot is not None
    assert EVENTS_PER_SNAPSHOT <= snapshot.sequence < EVENTS_PER_SNAPSHOT + 50
    assert trusted(snapshot) == replayed(desk, snapshot.sequence)


def test_damaged_foreign_and_misplaced_snapshots_count_as_none(desk: Desk) -> None:
    """Schema, hash, form and sequence must all fit; else the log alone is believed."""
    desk.play_some(2)
    game = desk.game()
    good = encode_snapshot(game)
    assert decode_snapshot(good, SNAPSHOT_SCHEMA, game.sequence) == game
    assert decode_snapshot(good, SNAPSHOT_SCHEMA + 1, game.sequence) is None
    assert decode_snapshot(good, SNAPSHOT_SCHEMA, game.sequence + 1) is None
    assert decode_snapshot(good[:-1], SNAPSHOT_SCHEMA, game.sequence) is None
    assert decode_snapshot(b"", SNAPSHOT_SCHEMA, game.sequence) is None
    flipped = bytes([*good[:-1], good[-1] ^ 1])
    assert decode_snapshot(flipped, SNAPSHOT_SCHEMA, game.sequence) is None
    assert trusted(Snapshot("game/g", game.sequence, 1, good)) is None
    desk.snapshots.put(stream_of("g"), game.sequence, SNAPSHOT_SCHEMA, flipped)
    desk.reopen()
    assert desk.game() == game


def _kinds_in(kind: object) -> Iterator[object]:
    """A type and all types within it, those of the fields of structs among them."""
    yield get_origin(kind) or kind
    inner = get_args(kind)
    if isinstance(kind, type) and issubclass(kind, Struct):
        inner = tuple(info.type for info in fields(kind))
    for each in inner:
        yield from _kinds_in(each)


def test_the_state_has_no_set() -> None:
    """Bytes of a state cannot depend on the process: nothing in the state of the kernel or of a part is a set."""
    states: list[type[Struct] | None] = [Game]
    for part in all_parts():
        states += [part.state, part.turn_note, part.round_note]
    kinds = {kind for state in states if state is not None for kind in _kinds_in(state)}
    assert kinds.isdisjoint({set, frozenset, AbstractSet})


def test_parts_come_by_name_whatever_came_first() -> None:
    """States and notes of parts are written in the same order in every process."""
    forth, back = Game(), Game()
    for game, parts in ((forth, (MapState, TrainsState)), (back, (TrainsState, MapState))):
        for part in parts:
            part.to_write(game)
    assert list(forth.parts) != list(back.parts)
    assert state_bytes(forth) == state_bytes(back)


def test_games_beyond_the_limit_leave_the_memory_and_come_back() -> None:
    """With room for two games ten are played on in turn; each stands where its log stands."""
    desk = Desk(games_in_memory=2)
    names = [f"g{number}" for number in range(10)]
    for name in names:
        desk.create(name)
    for _ in range(3):
        for name in names:
            desk.do("ann", RepayDebt(1), name)
    assert [desk.game(name).money("ann") for name in names] == [97] * 10


def test_undo_takes_back_ones_own_turn_and_nothing_is_erased(desk: Desk) -> None:
    """The state is that of the target; log and sequence go on."""
    desk.do("ann", RepayDebt(10))
    desk.do("ann", RepayDebt(20))
    assert desk.do("ann", Undo(6)) == 8
    game = desk.game()
    assert (game.money("ann"), game.sequence) == (90, 8)
    assert state_bytes(game) == state_bytes(replayed(desk))
    desk.reopen()
    assert desk.game() == game


def test_undo_past_the_own_turn_needs_the_free_policy() -> None:
    """Under `own_turn` another player's move ends the way back, under `free` it does not, under `none` nothing goes."""
    expected = {"own_turn": "undo_forbidden", "none": "undo_forbidden"}
    for policy, refusal in expected.items():
        desk = Desk()
        desk.create(undo_policy=policy)  # type: ignore[arg-type]
        desk.do("ann", RepayDebt(10))
        desk.do("ann", Pass())
        assert desk.refusal("ann", Undo(5)).rejection.code == refusal
        assert desk.refusal("bob", Undo(5)).rejection.code == refusal
    desk = Desk()
    desk.create(undo_policy="free")
    desk.do("ann", RepayDebt(10))
    desk.do("ann", Pass())
    desk.do("bob", Undo(5))
    assert desk.game().money("ann") == 100


@pytest.mark.parametrize("target", [0, -1, 3, 6, 7, 2**40])
def test_undo_goes_back_to_the_end_of_a_command_only(target: int) -> None:
    """Not before the set-up's end, not into its middle, not to now, not ahead."""
    desk = Desk()
    desk.create(undo_policy="free")
    desk.do("ann", RepayDebt(1))
    assert desk.refusal("ann", Undo(target)).rejection.code in ("undo_target", "value_out_of_range")


def test_undo_cannot_go_into_an_undone_stretch() -> None:
    """What was taken back is gone; before it and to the undo itself one may go."""
    desk = Desk()
    desk.create(undo_policy="free")
    for _ in range(4):
        desk.do("ann", RepayDebt(1))
    assert desk.do("ann", Undo(6)) == 10
    for gone in (7, 8, 9):
        assert desk.refusal("ann", Undo(gone)).rejection.code == "undo_target"
    desk.do("ann", RepayDebt(50))
    desk.do("ann", Undo(10))
    assert desk.game().money("ann") == 99
    desk.do("ann", Undo(5))
    assert desk.game().money("ann") == 100
    assert state_bytes(desk.game()) == state_bytes(replayed(desk))


def test_a_tail_that_undoes_past_the_snapshot_is_read_from_the_log() -> None:
    """Neither an undo within the tail nor one beyond the snapshot makes a wrong state."""
    desk = Desk()
    desk.create(undo_policy="free")
    desk.play_some(2)
    desk.sessions.close()
    taken = desk.game().sequence
    desk.do("ann", RepayDebt(2))
    desk.do("ann", RepayDebt(2))
    desk.do("ann", Undo(taken + 1))
    desk.reopen()
    assert state_bytes(desk.game()) == state_bytes(replayed(desk))
    desk.do("ann", Undo(taken - 1))
    desk.reopen()
    assert state_bytes(desk.game()) == state_bytes(replayed(desk))
