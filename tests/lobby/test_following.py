"""What the lobby takes from the course of its games."""

from itertools import permutations
from typing import Any

import pytest
from msgspec.structs import replace

from services.common.clock import ManualClock
from services.common.errors import Unavailable
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import NewRecord
from services.lobby.adapters.memory_summaries import MemorySummaries
from services.lobby.adapters.memory_wake_ups import MemoryWakeUps
from services.lobby.directory import TABLE_STREAM, TableDirectory
from services.lobby.domain.catalogue import TableChoices
from services.lobby.domain.clocks import TurnEnd, turn_ends
from services.lobby.domain.games import GameResult, GameStatus, GameSummary, SeatBearer
from services.lobby.domain.players import HOUSE_BOT, Player
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.table_requests import decide_create
from services.lobby.domain.tables import (
    OverduePlayer,
    PlayerJoined,
    Table,
    TableEvent,
    TableGameBegun,
    TableStarted,
    TableState,
)
from services.lobby.event_codec import encode
from services.lobby.handlers.following import GRACE_MS, FollowedGames
from tests.contracts.game_summaries_contract import status as plain_status
from tests.lobby.fakes import no_clocks

ANN, BOB = Player("ann", "Ann"), Player("bob", "Bob")
RESULTS = (GameResult("bob", 700), GameResult("ann", 500))


class Followed:
    """A table of Ann and Bob whose game has begun, and the lobby that follows it."""

    def __init__(self, turn_seconds: int = 0, has_begun: bool = True) -> None:
        self.clock = ManualClock(0)
        self.log = MemoryEventLog(self.clock)
        created = decide_create("t1", ANN, TableChoices("1824", 2), 42, 0, turn_seconds)
        assert not isinstance(created, Rejection)
        begun = [TableGameBegun("g1")] if has_begun else []
        events: list[TableEvent] = [created, PlayerJoined(BOB), TableStarted("g1", ("ann", "bob")), *begun]
        self.log.append(TABLE_STREAM + "t1", 0, [encode(event) for event in events])
        self.begin_again()

    def begin_again(self) -> None:
        """A lobby that knows the log alone."""
        self.summaries, self.wake_ups = MemorySummaries(), MemoryWakeUps()
        self.games = FollowedGames(
            self.log,
            TableDirectory(self.log),
            self.summaries,
            self.wake_ups,
            self.clock,
            no_clocks(self.log),
        )

    @property
    def table(self) -> Table:
        """The table as folded from the log."""
        table = TableDirectory(self.log).get("t1")
        assert table is not None
        return table

    def follow(self, *statuses: GameStatus) -> Table:
        """The table after these."""
        for each in statuses:
            self.games.follow_status(each)
        return self.table

    def overdue_at(self, at_ms: int) -> tuple[OverduePlayer, ...]:
        """Who is overdue at this time, after a run of the turn timer."""
        self.clock.advance(at_ms - self.clock.now_ms())
        self.games.record_overdue_turns()
        return self.table.overdue


def status(sequence: int, **more: Any) -> GameStatus:
    """A status a second after the one before."""
    return plain_status("g1", sequence, **({"time_ms": sequence * 1_000} | more))


def ended(sequence: int, ending: str = "bank_broken", **more: Any) -> GameStatus:
    """The game has ended."""
    return status(sequence, ending=ending, results=RESULTS, acting_players=(), **more)


def test_an_end_finishes_the_table_once() -> None:
    """With ending and results, best first; the same status again writes nothing."""
    followed = Followed()
    table = followed.follow(status(5), ended(9))
    assert (table.state, table.ending, table.results) == (TableState.FINISHED, "bank_broken", RESULTS)
    position = followed.log.last_position()
    followed.follow(ended(9), status(5), ended(9))
    followed.begin_again()
    followed.follow(ended(9))
    assert followed.log.last_position() == position


def test_only_the_first_status_names_the_players() -> None:
    """Later ones have those of the summary, or, for a lobby that has lost it, those of the table."""
    followed = Followed()
    followed.follow(status(5), status(6, players=(), acting_players=("bob",)))
    whole = followed.summaries.get("g1")
    assert whole is not None and whole.status.players == ("ann", "bob")
    assert [clock.player_id for clock in whole.clocks if clock.is_asked] == ["bob"]
    followed.begin_again()
    followed.follow(status(6, players=(), acting_players=("bob",)))
    again = followed.summaries.get("g1")
    assert again is not None and again.status == whole.status


def test_players_are_named_by_their_seats() -> None:
    """Since version 3 of the status: title, players and whose turn it is come out as if they were named."""
    followed = Followed()
    named = status(6, title="1824", acting_players=("bob",), actor="bob")
    short = replace(named, title="", players=(), acting_players=(), actor="", acting_seats=(1,), actor_seat=2)
    followed.follow(status(5, title="1824"), short)
    known = followed.summaries.get("g1")
    assert known is not None and known.status == named
    assert [clock.player_id for clock in known.clocks if clock.is_asked] == ["bob"]
    followed.begin_again()
    followed.follow(short)
    again = followed.summaries.get("g1")
    assert again is not None and again.status == named


def test_a_table_that_is_not_read_yet_is_waited_for() -> None:
    """The first status of a game may come before the start of its table: the log is read up to date for it, once."""
    written = Followed(turn_seconds=60)
    asked: list[int] = []

    def freshen() -> None:
        asked.append(log.last_position())
        for record in written.log.read(TABLE_STREAM + "t1"):
            log.append(
                TABLE_STREAM + "t1",
                record.sequence - 1,
                [NewRecord(record.type, record.schema_version, record.payload)],
            )

    log, summaries = MemoryEventLog(written.clock), MemorySummaries()
    games = FollowedGames(
        log, TableDirectory(log), summaries, MemoryWakeUps(), written.clock, no_clocks(log), freshen=freshen
    )
    games.follow_status(status(5))
    games.follow_status(status(6))
    kept = summaries.get("g1")
    assert kept is not None
    assert (kept.table_id, kept.turn_seconds, asked) == ("t1", 60, [0])


def test_an_end_waits_for_the_table_that_the_summary_names() -> None:
    """Another replica put the summary; the copy of the log here has not reached the table yet."""
    written = Followed()
    written.follow(status(5))
    log = MemoryEventLog(written.clock)

    def freshen() -> None:
        for record in written.log.read(TABLE_STREAM + "t1"):
            new = NewRecord(record.type, record.schema_version, record.payload)
            log.append(TABLE_STREAM + "t1", record.sequence - 1, [new])

    directory = TableDirectory(log)
    games = FollowedGames(
        log, directory, written.summaries, MemoryWakeUps(), written.clock, no_clocks(log), freshen=freshen
    )
    games.follow_status(ended(9))
    table = directory.get("t1")
    assert table is not None
    assert table.state is TableState.FINISHED


def test_an_undo_takes_the_end_back() -> None:
    """A later status without an end reopens the table; another end finishes it again with the new results."""
    followed = Followed()
    followed.follow(ended(9))
    table = followed.follow(status(10))
    assert (table.state, table.ending, table.results) == (TableState.PLAYING, "", ())
    table = followed.follow(ended(15, "bankruptcy"))
    assert (table.state, table.ending) == (TableState.FINISHED, "bankruptcy")


@pytest.mark.parametrize(
    "order", list(permutations((status(5), ended(9), status(10), ended(14, "bankruptcy"))))
)
def test_any_order_leads_to_the_latest(order: tuple[GameStatus, ...]) -> None:
    """Statuses that come late change neither table nor summary."""
    followed = Followed()
    table = followed.follow(*order)
    assert (table.state, table.ending) == (TableState.FINISHED, "bankruptcy")
    summary = followed.summaries.get("g1")
    assert summary is not None
    assert summary.sequence == 14


@pytest.mark.parametrize("order", list(permutations((status(5), ended(9), status(10)))))
def test_a_late_end_does_not_close_a_reopened_table(order: tuple[GameStatus, ...]) -> None:
    """In either order the game goes on."""
    assert Followed().follow(*order).state is TableState.PLAYING


def test_an_end_that_was_replaced_unseen_is_replaced() -> None:
    """Undone and reached again between two statuses: the later end counts, an equal one changes nothing."""
    followed = Followed()
    followed.follow(ended(9))
    assert followed.follow(ended(20, "bankruptcy")).ending == "bankruptcy"
    version = followed.table.version
    assert followed.follow(ended(30, "bankruptcy")).version == version


def test_a_game_that_ended_had_begun() -> None:
    """Also where the lobby died before it wrote down that the game began."""
    followed = Followed(has_begun=False)
    assert followed.follow(status(1)).state is TableState.STARTING
    assert followed.follow(ended(2)).state is TableState.FINISHED


def test_a_game_without_a_table_has_a_summary_alone() -> None:
    """A game that no table began is listed and changes nothing else."""
    followed = Followed()
    position = followed.log.last_position()
    followed.follow(plain_status("other", 3, ending="bankruptcy", results=RESULTS))
    assert followed.log.last_position() == position
    summary = followed.summaries.get("other")
    assert summary is not None
    assert (summary.table_id, summary.status.ending) == ("", "bankruptcy")


def test_facts_come_before_the_summary() -> None:
    """When the log fails, there is no summary yet: passing the same status again writes the events."""
    followed = Followed()
    followed.follow(status(5))
    append = followed.log.append

    def fail(*_: object) -> None:
        raise Unavailable("no log")

    followed.log.append = fail  # type: ignore[assignment]
    with pytest.raises(Unavailable):
        followed.follow(ended(9))
    summary = followed.summaries.get("g1")
    assert summary is not None
    assert summary.sequence == 5
    followed.log.append = append  # type: ignore[method-assign]
    assert followed.follow(ended(9)).state is TableState.FINISHED


def test_a_summary_is_put_again_when_its_status_comes_again() -> None:
    """The replica that put it may have died before every store had it; a late status puts nothing."""
    followed = Followed()
    followed.follow(status(5))
    known = followed.summaries.get("g1")
    put: list[GameSummary] = []
    followed.summaries.put = put.append  # type: ignore[assignment]
    followed.follow(status(5), status(4))
    assert put == [known]


def test_a_turn_that_takes_too_long_is_recorded_once() -> None:
    """When the wake-up comes, not before; checking again, or the late move itself, adds nothing."""
    followed = Followed(turn_seconds=60)
    followed.follow(status(1, acting_players=("ann",)))
    assert followed.overdue_at(61_000 + GRACE_MS - 1) == ()
    assert followed.overdue_at(61_000 + GRACE_MS) == (OverduePlayer("ann", 1, 1_000, 1),)
    followed.games.reset_wake_ups()
    followed.overdue_at(90_000)
    followed.follow(status(2, time_ms=95_000, acting_players=("bob",)))
    assert followed.table.overdue == (OverduePlayer("ann", 1, 1_000, 1),)
    assert followed.overdue_at(155_000 + GRACE_MS)[1:] == (OverduePlayer("bob", 1, 95_000, 2),)


def test_the_turn_of_a_bot_is_never_overdue() -> None:
    """A bot of the house takes the seat of Ann after 50 s of 60 and has it for a day; when she is back she has a whole turn."""
    followed = Followed(turn_seconds=60)
    day_ms = 86_400_000
    bot = (SeatBearer("ann", HOUSE_BOT + "1", "bot"),)
    followed.follow(status(1), status(2, time_ms=51_000, bearers=bot))
    assert followed.overdue_at(day_ms) == ()
    ends = summary_ends(followed)
    assert ends == {"ann": TurnEnd(0, 60_000)}
    followed.follow(status(3, time_ms=day_ms))
    assert summary_ends(followed) == {"ann": TurnEnd(day_ms + 60_000, 60_000)}
    assert followed.overdue_at(day_ms + 60_000 + GRACE_MS) == (OverduePlayer("ann", 1, day_ms, 3),)


def summary_ends(followed: Followed) -> dict[str, TurnEnd]:
    """The ends of the turns at hand as lists of games show them."""
    summary = followed.summaries.get("g1")
    assert summary is not None
    return turn_ends(summary.clocks, 60, followed.clock.now_ms(), (), summary.status.bots)


def test_a_late_move_records_its_turn() -> None:
    """Without a check in time, the time of the next move shows that the turn was overdue."""
    followed = Followed(turn_seconds=60)
    followed.follow(status(1), status(2, time_ms=62_000, acting_players=("bob",)))
    assert followed.table.overdue == (OverduePlayer("ann", 1, 1_000, 1),)
    followed.follow(status(3, time_ms=70_000), status(4, time_ms=140_000, acting_players=("bob",)))
    assert followed.table.overdue == (OverduePlayer("ann", 2, 70_000, 3),)


def test_a_move_in_time_is_never_overdue() -> None:
    """Even where the wake-up comes after it."""
    followed = Followed(turn_seconds=60)
    followed.follow(status(1), status(2, time_ms=60_999, acting_players=("bob",)))
    assert followed.overdue_at(62_100) == ()


def test_lost_wake_ups_are_reset_from_the_clocks() -> None:
    """Nothing comes as long as they are lost; then the turn is recorded with the time it really began."""
    followed = Followed(turn_seconds=60)
    followed.follow(status(1))
    followed.wake_ups._times.clear()
    assert followed.overdue_at(80_000) == ()
    followed.games.reset_wake_ups()
    assert followed.overdue_at(80_000) == (OverduePlayer("ann", 1, 1_000, 1),)


def test_a_game_with_unknown_progress_is_left_alone() -> None:
    """Nothing is recorded and its wake-up does not come again at once; after the next reset it is checked again."""
    followed = Followed(turn_seconds=60)
    followed.follow(status(1))
    answers = [0, 80_000]
    followed.games = replace(followed.games, consumed_until=lambda _: answers.pop(0))
    assert followed.overdue_at(80_000) == ()
    assert followed.overdue_at(80_001) == ()
    assert answers == [80_000]
    followed.games.reset_wake_ups()
    assert followed.overdue_at(80_002) == (OverduePlayer("ann", 1, 1_000, 1),)


def test_progress_is_asked_only_when_it_matters() -> None:
    """Not for a turn that is recorded already, however often its wake-up comes."""
    followed, asked = Followed(turn_seconds=60), list[str]()

    def consumed_until(game_id: str) -> int:
        asked.append(game_id)
        return 10**9

    followed.games = replace(followed.games, consumed_until=consumed_until)
    followed.follow(status(1))
    for at_ms in (80_000, 90_000, 100_000):
        followed.games.reset_wake_ups()
        assert followed.overdue_at(at_ms) == (OverduePlayer("ann", 1, 1_000, 1),)
    assert asked == ["g1"]


def test_recording_overdue_turns_stops_when_cancelled() -> None:
    """After the current game."""
    followed, checked = Followed(turn_seconds=60), list[str]()
    for number in (1, 2, 3):
        followed.wake_ups.set(f"g{number}", number)
    followed.clock.advance(10)
    followed.summaries.get = checked.append  # type: ignore[method-assign, assignment]
    followed.games.record_overdue_turns(lambda: bool(checked))
    assert checked == ["g1"]


def test_a_clock_that_jumps_back_breaks_nothing() -> None:
    """Neither that of the lobby nor that of the writers; nobody is overdue for it."""
    followed = Followed(turn_seconds=60)
    followed.follow(status(1, time_ms=50_000), status(2, time_ms=7_000, acting_players=("bob",)))
    assert followed.overdue_at(0) == ()
    summary = followed.summaries.get("g1")
    assert summary is not None
    assert (summary.time_ms, [clock.used_ms for clock in summary.clocks]) == (50_000, [0, 0])
    assert followed.overdue_at(110_000 + GRACE_MS) == (OverduePlayer("bob", 1, 50_000, 2),)


def test_a_table_without_a_time_limit_has_no_wake_ups() -> None:
    """However long a turn takes."""
    followed = Followed()
    followed.follow(status(1))
    assert followed.wake_ups.due(10**15) == []
    assert followed.overdue_at(10**12) == ()
