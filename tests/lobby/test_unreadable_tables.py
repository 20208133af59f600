"""Tables that this version cannot read, or that no row can hold: no question about other tables is affected."""

from pathlib import Path

import pytest

from services.common.auth.tokens import Principal
from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import NewRecord
from services.lobby.bootstrap import Lobby
from services.lobby.directory import TABLE_STREAM, TableDirectory
from services.lobby.domain.catalogue import TableChoices
from services.lobby.domain.table_clocks import ClockChosen
from services.lobby.domain.tables import Table, TableState
from services.lobby.domain.time_control.policy import ClockPolicy
from services.lobby.event_codec import UnknownRecord, encode
from services.lobby.handlers.requests import game_id_of
from tests.contracts.game_summaries_contract import status
from tests.watching import pulled

ANN, BOB = Principal("ann", "Ann"), Principal("bob", "Bob")
FUTURE = NewRecord("from_the_future", 1, b"")


def playing(lobby: Lobby, request_id: str) -> Table:
    """A table of Ann and Bob whose game has begun, with a minute for a turn."""
    table = lobby.tables.create(ANN, request_id, TableChoices("1824", 2), 60)
    assert isinstance(table, Table)
    lobby.tables.join(BOB, "j", table.table_id)
    started = lobby.tables.start(ANN, "s", table.table_id)
    assert isinstance(started, Table)
    return started


def make_unreadable(log: MemoryEventLog, table: Table) -> None:
    """A newer version writes on at this table."""
    log.append(TABLE_STREAM + table.table_id, table.version, [FUTURE])


@pytest.fixture
def tables(lobby: Lobby, log: MemoryEventLog) -> tuple[Table, Table]:
    """One that cannot be read any more, and one that can."""
    bad, good = playing(lobby, "c1"), playing(lobby, "c2")
    make_unreadable(log, bad)
    return bad, good


def test_others_are_found_and_listed(tables: tuple[Table, Table], log: MemoryEventLog) -> None:
    """By id, by game, by state and on pages, also in a new directory; asked for alone, it raises with the reason."""
    bad, good = tables
    directory = TableDirectory(log)
    assert directory.get(good.table_id) == directory.of_game(good.game_id) == good
    assert directory.in_state(TableState.PLAYING) == [good]
    assert directory.page(5, "", "", None) == ([good], "")
    with pytest.raises(UnknownRecord, match="from_the_future"):
        directory.get(bad.table_id)
    with pytest.raises(UnknownRecord, match="from_the_future"):
        directory.of_game(bad.game_id)


def test_a_start_that_cannot_be_read_still_names_its_game(log: MemoryEventLog) -> None:
    """Its statuses must not pass for those of a game without a table."""
    log.append(TABLE_STREAM + "t1", 0, [FUTURE])
    with pytest.raises(UnknownRecord):
        TableDirectory(log).of_game(game_id_of("t1"))


def test_a_table_that_fits_no_row_stops_no_other(lobby: Lobby, log: MemoryEventLog, tmp_path: Path) -> None:
    """As of a log whose clock has a deadline beyond 64 bits: in the lobby at hand, in one that starts, and in one that has a
    file of before."""
    bad, good = playing(lobby, "c1"), playing(lobby, "c2")
    kept = TableDirectory(log, tmp_path / "tables.db")
    assert kept.count(TableState.PLAYING) == 2
    log.append(
        TABLE_STREAM + bad.table_id, bad.version, [encode(ClockChosen(ClockPolicy(9, deadline=10**20)))]
    )
    log.append(TABLE_STREAM + bad.table_id, bad.version + 1, [FUTURE])
    later = lobby.tables.create(ANN, "later", TableChoices("1824", 2))
    assert isinstance(later, Table)
    for directory in (TableDirectory(log), kept):
        assert directory.get(good.table_id) == good
        assert directory.page(5, "", "", None) == ([later, good], "")
        assert directory.count(TableState.PLAYING) == 1
        with pytest.raises(UnknownRecord, match="fits no row"):
            directory.of_game(bad.game_id)
    kept.close()
    again = TableDirectory(log, tmp_path / "tables.db")
    with pytest.raises(UnknownRecord, match="fits no row"):
        again.get(bad.table_id)
    assert again.page(5, "", "", None) == ([later, good], "")


def test_watchers_of_all_tables_go_on(tables: tuple[Table, Table], lobby: Lobby, log: MemoryEventLog) -> None:
    """They see the change of another table after the unreadable one."""
    bad, _ = tables
    position = log.last_position()
    log.append(TABLE_STREAM + bad.table_id, bad.version + 1, [FUTURE])
    opened = lobby.tables.create(ANN, "later", TableChoices("1824", 2))
    assert isinstance(opened, Table)
    assert next(pulled(lobby.table_watching.watch(position, "", "ann"))).table == opened


def test_games_of_others_are_followed(tables: tuple[Table, Table], lobby: Lobby) -> None:
    """To their ends; a status of the unreadable table's game raises and can be passed again."""
    bad, good = tables
    with pytest.raises(UnknownRecord):
        lobby.followed.follow_status(status(bad.game_id, 5))
    assert lobby.followed.summaries.get(bad.game_id) is None
    lobby.followed.follow_status(status(good.game_id, 5, ending="bankruptcy", acting_players=()))
    assert lobby.tables.get(good.table_id).state is TableState.FINISHED


def test_turn_timers_of_other_tables_run(lobby: Lobby, log: MemoryEventLog, clock: ManualClock) -> None:
    """Though the turn of the unreadable table's game ran out before."""
    bad, good = playing(lobby, "c1"), playing(lobby, "c2")
    for table, late_ms in ((bad, 0), (good, 1)):
        since_ms = clock.now_ms() + late_ms
        lobby.followed.follow_status(status(table.game_id, 5, since_ms, players=table.seats))
    make_unreadable(log, bad)
    clock.advance(3_600_000)
    lobby.followed.record_overdue_turns()
    assert [each.player_id for each in lobby.tables.get(good.table_id).overdue] == ["ann"]
