"""The lobby follows the games of its host: summaries, results and reopened tables, from the first event or from an old file."""

from __future__ import annotations

import threading
from collections.abc import Callable

from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import NewRecord
from services.host.in_process import LobbyFollower
from services.lobby.adapters.memory_summaries import MemorySummaries
from services.lobby.adapters.memory_wake_ups import MemoryWakeUps
from services.lobby.directory import TABLE_STREAM, TableDirectory
from services.lobby.domain.catalogue import TableChoices
from services.lobby.domain.games import GameResult, GameSummary
from services.lobby.domain.players import Player
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.table_requests import decide_create
from services.lobby.domain.tables import (
    PlayerJoined,
    Table,
    TableEvent,
    TableGameBegun,
    TableStarted,
    TableState,
)
from services.lobby.event_codec import encode
from services.lobby.handlers.following import FollowedGames
from services.lobby.turn_timer import TurnTimer
from services.rules.kernel.commands import Pass, Undo
from services.rules.titles.g1824.commands import RepayDebt
from tests.lobby.fakes import no_clocks
from tests.rules.conftest import Desk


def desk_with_table() -> Desk:
    """Rules and lobby over one log; Ann and Bob are about to begin game "g" under free undo."""
    desk = Desk()
    created = decide_create("t", Player("ann", "Ann"), TableChoices("1824", 2), 1, 0)
    assert not isinstance(created, Rejection)
    events: list[TableEvent] = [
        created,
        PlayerJoined(Player("bob", "Bob")),
        TableStarted("g", ("ann", "bob")),
        TableGameBegun("g"),
    ]
    desk.log.append(TABLE_STREAM + "t", 0, [encode(event) for event in events])
    return desk


def lobby_beside(desk: Desk) -> FollowedGames:
    """A lobby that knows the log alone."""
    directory = TableDirectory(desk.log)
    return FollowedGames(
        desk.log, directory, MemorySummaries(), MemoryWakeUps(), ManualClock(), no_clocks(desk.log)
    )


def table_in(log: MemoryEventLog) -> Table:
    """The table as the log tells it."""
    table = TableDirectory(log).get("t")
    assert table is not None
    return table


def play_to_the_end(desk: Desk) -> int:
    """Both pay all they have; gives the sequence before the last payment."""
    desk.do("ann", RepayDebt(100))
    before = desk.do("ann", Pass())
    desk.do("bob", RepayDebt(100))
    return before


def test_results_follow_the_game() -> None:
    """Its end finishes the table before the player has the outcome, an undo reopens it."""
    desk = desk_with_table()
    lobby = lobby_beside(desk)
    desk.rules.add_follower(LobbyFollower(desk.log, desk.rules, lobby))
    desk.create(undo_policy="free")
    summary = lobby.summaries.get("g")
    assert summary is not None
    assert (summary.table_id, summary.waits_for, summary.status.round_kind) == ("t", ("ann",), "stock")
    before = play_to_the_end(desk)
    table = table_in(desk.log)
    assert (table.state, table.ending) == (TableState.FINISHED, "bank")
    assert table.results == (GameResult("ann", 0), GameResult("bob", 0))
    desk.do("bob", Undo(before))
    assert table_in(desk.log).state is TableState.PLAYING
    assert not desk.alarm.failures


def test_an_old_file_is_brought_up_to_date() -> None:
    """Games played while no lobby followed get summaries and results; nothing is done twice; lists are complete then."""
    desk = desk_with_table()
    desk.create()
    desk.create("other")
    play_to_the_end(desk)
    lobby = lobby_beside(desk)
    catch_up = LobbyFollower(desk.log, desk.rules, lobby).catch_up
    catch_up(lambda: False)
    assert table_in(desk.log).state is TableState.FINISHED
    assert lobby.summaries.is_complete
    assert {summary.game_id: summary.sequence for summary in lobby.summaries.recent(9)} == {
        game_id: desk.game(game_id).sequence for game_id in ("g", "other")
    }
    position = desk.log.last_position()
    catch_up(lambda: False)
    LobbyFollower(desk.log, desk.rules, lobby_beside(desk)).catch_up(lambda: False)
    assert desk.log.last_position() == position


def test_a_game_that_cannot_be_read_leaves_the_lists_incomplete() -> None:
    """The others are listed all the same."""
    desk = desk_with_table()
    desk.create("good")
    desk.log.append("game/bad", 0, [NewRecord("share_burnt", 1, b"?")])
    lobby = lobby_beside(desk)
    LobbyFollower(desk.log, desk.rules, lobby).catch_up(lambda: False)
    assert [summary.game_id for summary in lobby.summaries.recent(9)] == ["good"]
    assert not lobby.summaries.is_complete


def test_catching_up_ends_when_it_is_not_wanted() -> None:
    """At the next game; the lists stay incomplete."""
    desk = desk_with_table()
    desk.create()
    lobby = lobby_beside(desk)
    LobbyFollower(desk.log, desk.rules, lobby).catch_up(lambda: True)
    assert lobby.summaries.recent(9) == []
    assert not lobby.summaries.is_complete


def test_the_turn_timer_catches_up_and_checks_clocks() -> None:
    """First everything missed, then overdue turns; it retries after a failure and stops at once."""
    desk = desk_with_table()
    desk.create()
    lobby = lobby_beside(desk)
    failures = [RuntimeError("not yet")]
    caught_up = threading.Event()

    def catch_up(is_cancelled: Callable[[], bool]) -> None:
        if failures:
            raise failures.pop()
        LobbyFollower(desk.log, desk.rules, lobby).catch_up(is_cancelled)
        caught_up.set()

    turn_timer = TurnTimer(lobby, catch_up, check_seconds=0.01, catch_up_seconds=0.02)
    turn_timer.start()
    assert caught_up.wait(60)
    turn_timer.stop()
    assert lobby.summaries.is_complete
    TurnTimer(lobby, catch_up).stop()


def test_the_turn_timer_stops_between_two_games() -> None:
    """Many wake-ups are due and each takes long: it stops after the current game."""
    lobby, looked, is_looking = lobby_beside(Desk()), list[str](), threading.Event()
    for number in range(50):
        lobby.wake_ups.set(f"g{number}", 0)

    def get(game_id: str) -> None:
        looked.append(game_id)
        is_looking.set()
        assert turn_timer._thread._is_closing.wait(60)

    lobby.summaries.get = get  # type: ignore[method-assign]
    turn_timer = TurnTimer(lobby, lambda _: None)
    turn_timer.start()
    assert is_looking.wait(60)
    turn_timer.stop()
    assert len(looked) == 1


def test_a_status_that_the_lobby_failed_to_store_is_passed_again() -> None:
    """The end of a game could not be written when it arrived: the next catch-up writes it."""
    desk = desk_with_table()
    lobby = lobby_beside(desk)
    follower = LobbyFollower(desk.log, desk.rules, lobby)
    desk.rules.add_follower(follower)
    desk.create()
    follower.catch_up(lambda: False)
    kept = lobby.summaries.put
    lobby.summaries.put = fail  # type: ignore[method-assign]
    play_to_the_end(desk)
    assert desk.alarm.failures
    lobby.summaries.put = kept  # type: ignore[method-assign]
    follower.catch_up(lambda: False)
    summary = lobby.summaries.get("g")
    assert summary is not None
    assert (summary.sequence, summary.status.ending) == (desk.game().sequence, "bank")
    assert table_in(desk.log).state is TableState.FINISHED


def fail(summary: GameSummary) -> bool:
    """As a full disk does."""
    raise OSError("no space left")
