"""What one player may keep in the lobby, and what a long history of a table costs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.common.auth.tokens import Principal
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import EventLog
from services.common.eventlog.sqlite import open_sqlite
from services.common.settings.accounts import QuotaSettings
from services.common.settings.service import Settings
from services.lobby.bootstrap import Lobby, bootstrap_lobby
from services.lobby.bootstrap_ports import GamePorts, LobbyPorts
from services.lobby.domain.catalogue import TableChoices
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.tables import Table
from tests.contracts.game_summaries_contract import status
from tests.lobby.fakes import FixedCatalogue, FixedSeeds, PlainPasswords, RecordingStarter
from tests.lobby.join_costs import records_read_by_joins

ANN, BOB, CY = Principal("p-ann", "Ann"), Principal("p-bob", "Bob"), Principal("p-cy", "Cy")
QUOTA = QuotaSettings(open_tables=2, seats=3, stored_bytes=20_000, joins_per_table=20)


@pytest.fixture(params=["memory", "sqlite"])
def event_log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EventLog]:
    """An empty log, in memory and as on the embedded host."""
    log = MemoryEventLog() if request.param == "memory" else open_sqlite(tmp_path / "log.db")[0]
    yield log
    log.close()


def lobby_over(log: EventLog, quota: QuotaSettings = QUOTA) -> Lobby:
    """A lobby with these quotas."""
    return bootstrap_lobby(
        LobbyPorts(
            log=log,
            games=GamePorts(FixedCatalogue(), RecordingStarter()),
            signing_key=Ed25519PrivateKey.generate(),
            settings=Settings(quota=quota),
            seeds=FixedSeeds(),
            passwords=PlainPasswords(),
        )
    )


def opened(lobby: Lobby, owner: Principal, request_id: str) -> Table:
    """A new table for two."""
    table = lobby.tables.create(owner, request_id, TableChoices("1824", 2))
    assert isinstance(table, Table), table
    return table


def reason_of(answer: Table | Rejection) -> RejectionReason | None:
    """Why a request was rejected, None if it was not."""
    return answer.reason if isinstance(answer, Rejection) else None


def test_open_tables_are_limited(event_log: EventLog) -> None:
    """Two open tables, not three; closing one makes room. A restarted lobby counts the same, and a repeat is answered."""
    lobby = lobby_over(event_log)
    first, _ = opened(lobby, ANN, "c1"), opened(lobby, ANN, "c2")
    for each in (lobby, lobby_over(event_log)):
        refused = each.tables.create(ANN, "c3", TableChoices("1824", 2))
        assert reason_of(refused) is RejectionReason.TOO_MANY_OPEN_TABLES
        assert opened(each, ANN, "c1") == first
    opened(lobby, BOB, "c1")
    lobby.tables.leave(ANN, "l", first.table_id)
    opened(lobby, ANN, "c3")


def test_seats_are_limited_until_games_end(event_log: EventLog) -> None:
    """Three seats at open and running tables, not four; the end of a game makes room, an undone end takes it again."""
    lobby = lobby_over(event_log)
    tables = [opened(lobby, owner, f"c{n}") for n, owner in enumerate((ANN, ANN, CY, CY))]
    for table in tables[:3]:
        assert reason_of(lobby.tables.join(BOB, "j", table.table_id)) is None
    game_id = started_game(lobby, tables[0])
    assert reason_of(lobby.tables.join(BOB, "j", tables[3].table_id)) is RejectionReason.TOO_MANY_SEATS
    assert reason_of(lobby.tables.create(BOB, "c", TableChoices("1824", 2))) is RejectionReason.TOO_MANY_SEATS
    lobby.followed.follow_status(status(game_id, 9, acting_players=(), ending="bankruptcy"))
    assert reason_of(lobby.tables.join(BOB, "j", tables[3].table_id)) is None
    lobby.tables.leave(BOB, "l", tables[3].table_id)
    lobby.followed.follow_status(status(game_id, 10))
    assert reason_of(lobby.tables.join(BOB, "j2", tables[3].table_id)) is RejectionReason.TOO_MANY_SEATS


def started_game(lobby: Lobby, table: Table) -> str:
    """Id of the game of a full table."""
    started = lobby.tables.start(Principal(table.owner_id, "Owner"), "s", table.table_id)
    assert isinstance(started, Table), started
    return started.game_id


def test_stored_bytes_are_limited(event_log: EventLog) -> None:
    """Opening and closing tables without end stops; others are not affected, and what was stored is what the log has."""
    lobby = lobby_over(event_log)
    answers = []
    for number in range(100):
        answer = lobby.tables.create(ANN, f"c{number}", TableChoices("1824", 2))
        answers.append(reason_of(answer))
        if isinstance(answer, Table):
            lobby.tables.leave(ANN, "l", answer.table_id)
    first_refused = answers.index(RejectionReason.TOO_MUCH_STORED)
    assert 10 < first_refused < 40
    assert set(answers[first_refused:]) == {RejectionReason.TOO_MUCH_STORED}
    assert sum(len(record.payload) for record in event_log.read_all()) < QUOTA.stored_bytes
    opened(lobby, BOB, "c")


def test_joins_of_one_table_are_limited(event_log: EventLog) -> None:
    """One player cannot make the history of another's table as long as they like."""
    lobby = lobby_over(event_log)
    table = opened(lobby, ANN, "c")
    for number in range(20):
        assert reason_of(lobby.tables.join(BOB, f"j{number}", table.table_id)) is None
        lobby.tables.leave(BOB, f"l{number}", table.table_id)
    assert reason_of(lobby.tables.join(BOB, "j", table.table_id)) is RejectionReason.JOINED_TOO_OFTEN
    assert reason_of(lobby.tables.join(CY, "j", table.table_id)) is None


def test_a_long_history_costs_nothing(event_log: EventLog, monkeypatch: pytest.MonkeyPatch) -> None:
    """After 1,000 joins and leaves another one reads as few records as the first."""
    lobby = lobby_over(event_log, QuotaSettings())
    table = opened(lobby, ANN, "c")
    first, last = records_read_by_joins(lobby, event_log, table.table_id, 1_000, monkeypatch)
    assert last <= first + 2
