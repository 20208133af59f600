"""The log of staff acts in an event log, and the bytes in which acts are kept."""

from __future__ import annotations

import base64

import pytest

from services.common.auth.tokens import Principal
from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import NewRecord
from services.common.staff.acts import BAN, UnreadableAct, act_in, new_act, record_of
from services.common.staff.stream import STAFF_STREAM, StreamStaffLog
from services.common.staff.topic import read_stored, stored
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct

OPERATOR = Principal("olga", "Olga")
# As version 1 was stored first; never written again.
STORED_V1 = (
    "CglzdGFmZl9hY3QQARpICgMwMWESA2JhbhoEb2xnYSIET2xnYSoIY2hlYXRpbmcwgNCV/7wxOgNhbm5CAmcxSIDQlf"
    "+8MVIEbW9yZViA0JX/vDFiAnQx"
)


def act(request_id: str) -> StaffAct:
    """A ban."""
    return new_act(OPERATOR, request_id, ManualClock(), BAN, "cheating", player_id="ann")


def test_each_act_is_known_once_and_after_a_restart() -> None:
    """To all followers; writing it again changes nothing."""
    clock = ManualClock()
    log = MemoryEventLog(clock)
    staff, seen = StreamStaffLog(log, clock), list[StaffAct]()
    staff.follow(seen.append)
    staff.start()
    for each in ("r1", "r2", "r1"):
        staff.write(act(each))
    assert seen == [act("r1"), act("r2")]
    later, seen_later = StreamStaffLog(log, clock), list[StaffAct]()
    later.follow(seen_later.append)
    later.start()
    assert seen_later == seen
    later.write(act("r2"))
    assert len(log.read(STAFF_STREAM)) == 2


def test_an_act_of_a_newer_version_is_passed_over() -> None:
    """With an error in the log; the acts after it are known."""
    clock = ManualClock()
    log = MemoryEventLog(clock)
    log.append(STAFF_STREAM, 0, [NewRecord("staff_act", 9, b"")])
    staff, seen = StreamStaffLog(log, clock), list[StaffAct]()
    staff.follow(seen.append)
    staff.write(act("r1"))
    assert seen == [act("r1")]


def test_stored_acts_stay_readable() -> None:
    """The same fact on both hosts."""
    whole = StaffAct(
        act_id="01a",
        act="ban",
        author_id="olga",
        author_name="Olga",
        reason="cheating",
        time_ms=1_700_000_000_000,
        player_id="ann",
        game_id="g1",
        until_time_ms=1_700_000_000_000,
        detail="more",
        tokens_end_time_ms=1_700_000_000_000,
        token_id="t1",
    )
    assert {field.name for field, _ in whole.ListFields()} == set(StaffAct.DESCRIPTOR.fields_by_name)
    assert read_stored(base64.b64decode(STORED_V1)) == whole
    assert read_stored(stored(whole)) == whole
    record = record_of(whole)
    assert act_in(record.type, record.schema_version, record.payload) == whole


@pytest.mark.parametrize("value", [None, b"", b"\xff", b"\n\tstaff_act\x10\x01\x1a\x01\xff"])
def test_what_is_no_act_is_refused(value: bytes | None) -> None:
    """By name."""
    with pytest.raises(UnreadableAct):
        read_stored(value)
