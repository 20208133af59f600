"""What operators do about games and commands that are held up: recorded before it is done, and safe to repeat."""

from __future__ import annotations

import pytest

from services.common.auth.tokens import Principal
from services.common.clock import ManualClock
from services.common.errors import InvalidRequest, Unavailable
from services.common.eventlog.memory import MemoryEventLog
from services.common.staff.stream import STAFF_STREAM, StreamStaffLog
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct
from services.lobby.domain.rejections import Rejection
from services.lobby.handlers.queues import QueueHandlers, Settled
from services.lobby.queues import BlockedGame, NothingHeldUp, Record, WaitingCommand
from services.lobby.staff_directory import StaffDirectory

OLGA = Principal("operator:olga", "olga", "operator")
OWNER = "rules.owner"


class FewQueues:
    """One blocked game and one waiting command, settled at once unless `is_slow`; an act fails once while `fails`."""

    are_there = True

    def __init__(self) -> None:
        self.is_blocked = self.is_waiting = True
        self.is_slow = self.fails = False
        self.done: list[tuple[object, ...]] = []

    def blocked(self) -> list[BlockedGame]:
        """See `Queues`."""
        return [self.blocked_game(OWNER, "g1", 0)] if self.is_blocked else []

    def blocked_game(self, reader: str, game_id: str, most: int) -> BlockedGame:
        """See `Queues`."""
        if (reader, game_id) != (OWNER, "g1") or not self.is_blocked:
            raise NothingHeldUp(f"{game_id}: is not blocked by {reader}")
        return BlockedGame(reader, game_id, "unknown fact", 1, 1, is_release_asked=False)

    def release(self, reader: str, game_id: str, record: Record, seconds: float) -> bool:
        """See `Queues`."""
        self.blocked_game(reader, game_id, 0)
        self._do(record, ("release", reader, game_id))
        self.is_blocked = self.is_slow
        return not self.is_blocked

    def waiting(self) -> list[WaitingCommand]:
        """See `Queues`."""
        return []

    def skip(
        self, partition: int, offset: int, operator: str, reason: str, record: Record, seconds: float
    ) -> bool:
        """See `Queues`."""
        if not self.is_waiting:
            raise NothingHeldUp("the owner is at 6")
        self._do(record, ("skip", partition, offset, operator, reason))
        self.is_waiting = self.is_slow
        return not self.is_waiting

    def _do(self, record: Record, done: tuple[object, ...]) -> None:
        record("g1")
        if self.fails:
            self.fails = False
            raise Unavailable("Kafka does not answer")
        self.done.append(done)


class Repairs:
    """The handlers over a log in memory."""

    def __init__(self) -> None:
        self.queues, clock = FewQueues(), ManualClock()
        self.log = MemoryEventLog(clock)
        staff_log, directory = StreamStaffLog(self.log, clock), StaffDirectory(clock)
        staff_log.follow(directory.take)
        staff_log.start()
        self._directory = directory
        self.handlers = QueueHandlers(self.queues, staff_log, directory, clock)

    @property
    def acts(self) -> list[tuple[str, str, str, str, str]]:
        """What is recorded, the oldest first."""
        found, _ = self._directory.acts({}, "", 100)
        return [(each.act, each.author_name, each.reason, each.game_id, each.detail) for each in found[::-1]]

    def release(
        self, request_id: str = "r1", game_id: str = "g1", reason: str = " mended "
    ) -> Settled | Rejection:
        """Release the game."""
        return self.handlers.release(OLGA, request_id, OWNER, game_id, reason)

    def skip(self, request_id: str = "s1", offset: int = 5, reason: str = "it hangs") -> Settled | Rejection:
        """Skip the command."""
        return self.handlers.skip(OLGA, request_id, 2, offset, reason)


def act_of(outcome: Settled | Rejection) -> StaffAct:
    """The act of what was done."""
    assert isinstance(outcome, Settled), outcome
    return outcome.act


def why(outcome: Settled | Rejection) -> str:
    """Why nothing was done."""
    assert isinstance(outcome, Rejection), outcome
    return outcome.reason.value


RELEASED = ("release_dead_letters", "olga", "mended", "g1", OWNER)
SKIPPED = ("skip_command", "olga", "it hangs", "g1", "partition 2, offset 5")


def test_both_are_recorded_with_author_and_reason() -> None:
    """And carried out once, however often the request comes."""
    repairs = Repairs()
    first, skipped = repairs.release(), repairs.skip()
    assert isinstance(first, Settled) and first.is_settled
    assert (act_of(repairs.release()), act_of(repairs.skip())) == (act_of(first), act_of(skipped))
    assert repairs.acts == [RELEASED, SKIPPED]
    assert repairs.queues.done == [("release", OWNER, "g1"), ("skip", 2, 5, "olga", "it hangs")]


def test_what_was_cut_off_is_done_by_the_repeat() -> None:
    """It was recorded; the record is not doubled."""
    repairs = Repairs()
    for call, recorded in ((repairs.release, RELEASED), (repairs.skip, SKIPPED)):
        repairs.queues.fails = True
        with pytest.raises(Unavailable):
            call()
        assert recorded in repairs.acts
        act_of(call())
    assert repairs.acts == [RELEASED, SKIPPED] and len(repairs.queues.done) == 2


def test_what_is_not_settled_in_time_is_said() -> None:
    """The act stays recorded."""
    repairs = Repairs()
    repairs.queues.is_slow = True
    for outcome in (repairs.release(), repairs.skip()):
        assert isinstance(outcome, Settled) and not outcome.is_settled
    assert len(repairs.acts) == 2


def test_what_cannot_be_is_refused_and_not_recorded() -> None:
    """No reason, one that is too long, nothing that is held up, a malformed request id."""
    repairs = Repairs()
    assert why(repairs.release(reason=" ")) == why(repairs.skip(reason="")) == "REASON_MISSING"
    assert why(repairs.skip(reason="x" * 1_001)) == "REASON_TOO_LONG"
    assert why(repairs.release(game_id="g2")) == "GAME_NOT_BLOCKED"
    repairs.queues.is_waiting = False
    assert why(repairs.skip()) == "COMMAND_NOT_WAITING"
    for call in (repairs.release, repairs.skip):
        with pytest.raises(InvalidRequest):
            call(request_id="")
    assert not repairs.log.read(STAFF_STREAM) and not repairs.queues.done


def test_a_request_id_is_of_one_content() -> None:
    """Another game, command or reason under it is refused."""
    repairs = Repairs()
    repairs.release(), repairs.skip()
    for outcome in (
        repairs.release(game_id="g2"),
        repairs.release(reason="other"),
        repairs.skip(offset=6),
        repairs.skip(reason="other"),
    ):
        assert why(outcome) == "REQUEST_ID_REUSED"


def test_a_blocked_game_is_shown() -> None:
    """One that is not is refused by name."""
    repairs = Repairs()
    assert repairs.handlers.blocked_game(OWNER, "g1") == repairs.queues.blocked()[0]
    refused = repairs.handlers.blocked_game("ledger.books", "g1")
    assert isinstance(refused, Rejection) and refused.sentence == "g1: is not blocked by ledger.books"
