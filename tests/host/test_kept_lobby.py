"""The host on one machine keeps the lobby's tables beside its database."""

from __future__ import annotations

from pathlib import Path

from services.cli.demo_settings import embedded_settings
from services.common.auth.tokens import Principal
from services.host.embedded import EmbeddedHost, file_beside
from services.lobby.domain.catalogue import TableChoices
from services.lobby.domain.tables import Table, TableState

ANN = Principal("p" + "a" * 24, "Ann")


def test_a_restart_reads_on(tmp_path: Path) -> None:
    """And a host whose files are gone makes them anew."""
    settings = embedded_settings(tmp_path)
    host = EmbeddedHost(settings)
    table = host._lobby.tables.create(ANN, "c", TableChoices("1824", 3))
    assert isinstance(table, Table)
    assert host._lobby.tables.get(table.table_id) == table
    host.stop()
    kept = file_beside(settings.database, "tables.db")
    for is_kept in (True, False):
        if not is_kept:
            kept.unlink()
        again = EmbeddedHost(settings)
        directory = again._lobby.followed.directory
        assert (directory._file._position > 0) is is_kept
        assert directory.in_state(TableState.OPEN) == [table]
        assert directory.usage_of(ANN.player_id).open_tables == 1
        again.stop()
        assert kept.exists()
