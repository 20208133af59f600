"""States and events that readers get from the owner in the same process, in the place of reading them from the copy."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import Appended, AppendResult, Conflict, NewRecord, Record
from services.common.kafka.copybatch import Applied
from services.common.notifier import LocalNotifier
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster.following import FollowingSessions
from services.rules.history import stream_of
from services.rules.kernel.commands import Pass
from services.rules.kernel.game import Game
from tests.rules.cluster.harness import FIRST
from tests.rules.cluster.test_deciding import SingleOwner
from tests.rules.conftest import TITLES, Desk


class CountingLog(MemoryEventLog):
    """Counts how often it is read."""

    reads = 0

    def read(self, stream: str, after: int = 0, up_to: int | None = None) -> list[Record]:
        """See `EventLog.read`."""
        self.reads += 1
        return super().read(stream, after, up_to)


class Reader:
    """Reads the game of a desk from a copy of its log, which gets one move after the other."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.log = CountingLog(ManualClock(0))
        self.sessions = FollowingSessions(self.log, desk.snapshots, TITLES, LocalNotifier(), lambda _: None)
        self._take(0, FIRST)
        assert self.sessions.get("g").game.sequence == FIRST

    def _take(self, after: int, last: int) -> AppendResult:
        records = self.desk.log.read(stream_of("g"), after, last)
        new = [NewRecord(each.type, each.schema_version, each.payload) for each in records]
        return self.log.append(stream_of("g"), after, new)

    def move(self, player: str, game: Callable[[Game], Game] | None) -> Game:
        """A player passes; the reader gets what `game` makes of the owner's state with it, if anything. Returns that state."""
        before = self.desk.game().sequence
        after = self.desk.do(player, Pass())
        result = self._take(before, after)
        assert isinstance(result, Appended)
        commit = pb.Commit(stream=stream_of("g"), first_sequence=result.first)
        state = self.desk.game()
        given = None if game is None else game(state)
        self.sessions.applied(Applied(commit, result, 0, before, was_read=game is None), given)
        return state


@pytest.fixture
def reader(desk: Desk) -> Reader:
    """At the first move."""
    return Reader(desk)


def the_same(game: Game) -> Game:
    return game


def test_a_reader_takes_the_state_that_the_owner_has(reader: Reader) -> None:
    """It reads nothing for it."""
    before = reader.log.reads
    for player in ("ann", "bob"):
        state = reader.move(player, the_same)
        assert reader.sessions.get("g").game is state
    assert reader.log.reads == before
    assert reader.sessions.state_at("g", state.sequence - 1).sequence == state.sequence - 1


def test_a_reader_that_is_behind_reads(reader: Reader) -> None:
    """The state that is given is not the next one after its own."""
    reader.move("ann", None)
    state = reader.move("bob", the_same)
    loaded = reader.sessions.cached("g")
    assert loaded is not None and loaded.game.sequence == FIRST
    assert reader.sessions.get("g").game == state


def test_a_state_of_another_sequence_is_not_taken(reader: Reader, desk: Desk) -> None:
    """Only that right after the events that have come."""
    first = desk.game()
    state = reader.move("ann", lambda _: first)
    assert reader.sessions.get("g").game == state


def test_what_does_not_count_leads_to_no_state(reader: Reader, desk: Desk) -> None:
    """Another commit was first."""
    desk.do("ann", Pass())
    commit = pb.Commit(stream=stream_of("g"), first_sequence=FIRST + 1)
    reader.sessions.applied(Applied(commit, Conflict(FIRST + 1), 0, 0, was_read=False), desk.game())
    assert reader.sessions.get("g").game.sequence == FIRST


def test_the_owner_does_not_wait_for_a_reader(reader: Reader) -> None:
    """Who folds just now holds the game; the next one who looks reads what came meanwhile."""
    loaded = reader.sessions.get("g")
    with ThreadPoolExecutor(1) as pool:
        pool.submit(loaded.lock.acquire).result()
        state = reader.move("ann", the_same)
        assert loaded.game.sequence == FIRST
        pool.submit(loaded.lock.release).result()
    assert reader.sessions.get("g").game == state


def test_what_an_owner_decided_is_known_until_it_is_committed() -> None:
    """State and events of each commit; nothing of one that is not staged any more."""
    owner = SingleOwner()
    owner.create()
    owner.send("g", "ann", "r", FIRST, Pass())
    created, passed = owner.processor.staged.staged
    known = [owner.processor.decided(each) for each in (created, passed)]
    assert [None if each is None else each.game.sequence for each in known] == [FIRST, FIRST + 1]
    assert [each.sequence for one in known if one is not None for each in one.events] == list(
        range(1, FIRST + 2)
    )
    owner.commit()
    assert owner.processor.decided(passed) is None
