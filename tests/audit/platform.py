"""A small platform in one file: players, tables and games with their books, as the embedded host leaves them behind."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from prometheus_client import CollectorRegistry

from services.common.auth.tokens import Principal
from services.common.clock import ManualClock
from services.common.eventlog.sqlite import open_sqlite
from services.common.settings.service import Settings
from services.common.staff.acts import new_act
from services.host.in_process import LedgerFollower, LobbyFollower, RulesLog
from services.ledger.adapters.sqlite import SqliteBookStore
from services.ledger.bootstrap import open_ledger
from services.ledger.ports import Hold
from services.lobby.adapters.sqlite_summaries import SqliteSummaries
from services.lobby.bootstrap import Lobby, bootstrap_lobby
from services.lobby.bootstrap_ports import GamePorts, LobbyPorts
from services.lobby.domain.catalogue import TableChoices
from services.lobby.domain.players import Player
from services.lobby.domain.tables import Table
from services.migration.sqlite_endpoint import SqliteEndpoint
from services.rules.kernel.commands import Undo
from tests.lobby.fakes import FixedCatalogue, FixedSeeds, PlainPasswords, RecordingStarter
from tests.rules.service.desk import SEATS, Desk

ACTS = [
    new_act(Principal("olga", "Olga"), "r1", ManualClock(), "ban", "cheating", player_id="ann"),
    new_act(Principal("olga", "Olga"), "r2", ManualClock(), "hold", "a dispute", game_id="g2"),
]
HELD = Hold("g2", "difference", "ann has 5 money in the books, 6 in rules", 40)


def make_operated_platform(path: Path) -> None:
    """Three games and a table; one game is held (`HELD`), and operators have acted (`ACTS`)."""
    make_platform(path)
    with closing(SqliteBookStore(path)) as books:
        books.put_hold(HELD)
    with closing(SqliteEndpoint(path, must_exist=True)) as file:
        file.put_acts(ACTS)


def make_platform(path: Path, games: int = 3, moves: int = 30) -> None:
    """Games `g1`, `g2`, ... of so many moves each and then one taken back, and a table with three players."""
    log, snapshots = open_sqlite(path)
    desk = Desk(log, snapshots)
    ledger = open_ledger(path, RulesLog(desk.rules), desk.rules, CollectorRegistry())
    desk.rules.add_follower(LedgerFollower(ledger))
    summaries = SqliteSummaries(path)
    desk.rules.add_follower(LobbyFollower(log, desk.rules, _open_table(desk, summaries).followed))
    for number in range(1, games + 1):
        desk.create(policy="free", game_id=f"g{number}", seed=number)
    for number in range(1, games + 1):
        game_id = f"g{number}"
        desk.play_on(moves, game_id)
        before = desk.sequence(game_id)
        desk.play_on(1, game_id)
        desk.move(SEATS[0], Undo(before), game_id=game_id)
    desk.sessions.close()
    summaries.close()
    ledger.close()
    log.close()


def _open_table(desk: Desk, summaries: SqliteSummaries) -> Lobby:
    lobby = bootstrap_lobby(
        LobbyPorts(
            log=desk.log,
            games=GamePorts(FixedCatalogue(), RecordingStarter()),
            signing_key=Ed25519PrivateKey.generate(),
            settings=Settings(),
            seeds=FixedSeeds(),
            passwords=PlainPasswords(),
            summaries=summaries,
        )
    )
    callers = []
    for number, name in enumerate(("Ann", "Bob", "Cem")):
        player = lobby.players.register(f"register{number}", name, "a long password", address="a")
        assert isinstance(player, Player)
        callers.append(Principal(player.player_id, player.name))
    table = lobby.tables.create(callers[0], "open", TableChoices("1824", 3))
    assert isinstance(table, Table)
    for caller in callers[1:]:
        assert isinstance(lobby.tables.join(caller, "join", table.table_id), Table)
    assert isinstance(lobby.tables.start(callers[0], "start", table.table_id), Table)
    return lobby
