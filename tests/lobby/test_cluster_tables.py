"""The tables that a replica keeps beside its copy of the log, with Kafka: after an end, a kill, and without the copy."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devtools.brokers.kafka import KafkaServers
from services.common.eventlog.port import Record
from services.common.kafka.copy import LogCopy
from services.common.kafka.event_log import KafkaEventLog
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import LOBBY_EVENTS
from services.lobby.directory import TABLE_STREAM, TableDirectory
from services.lobby.domain.tables import TableState
from tests.lobby.folded_tables import assert_right
from tests.lobby.kafka_topics import own_topics
from tests.lobby.random_tables import RandomTables

pytestmark = pytest.mark.integration

SECONDS = 60.0


class CountedLog(KafkaEventLog):
    """Counts the records that are read on from a position."""

    records = 0

    def read_all(self, after_position: int = 0, limit: int = 1000, prefix: str = "") -> list[Record]:
        """See `EventLog.read_all`."""
        found = super().read_all(after_position, limit, prefix)
        self.records += len(found)
        return found


class Replica:
    """A copy of the log and the tables beside it, opened as a replica opens them."""

    def __init__(self, kafka: KafkaSettings, folder: Path) -> None:
        self.folder = folder
        self._copy = LogCopy(kafka, LOBBY_EVENTS, folder / "copy.db")
        self.log = CountedLog(kafka, LOBBY_EVENTS, self._copy)
        self.tables = TableDirectory(self.log, folder / "tables.db")
        self._copy.start()
        self.freshen()

    def freshen(self) -> None:
        """Waits for everything that is in Kafka."""
        assert self._copy.wait_current(SECONDS)

    def stop(self) -> None:
        """As a replica ends."""
        self.tables.close()
        self.log.close()


@pytest.fixture
def open_replica(kafka_servers: KafkaServers) -> Iterator[Callable[[Path], Replica]]:
    """Opens a replica in a folder."""
    opened: list[Replica] = []

    with own_topics(kafka_servers, LOBBY_EVENTS) as kafka:

        def another(folder: Path) -> Replica:
            opened.append(Replica(kafka, folder))
            return opened[-1]

        yield another
        for each in opened:
            each.stop()


def test_a_replica_reads_on_whatever_it_has(open_replica: Callable[[Path], Replica], tmp_path: Path) -> None:
    """Its tables where it ended or was killed; none of them without the copy that they were made from."""
    first = open_replica(tmp_path / "first")
    tables = RandomTables(first.log, 1)
    tables.write(60, unreadable=0.02)
    assert_right(first.tables, first.log, tables)
    # What a process that is killed now leaves.
    shutil.copytree(tmp_path / "first", tmp_path / "killed")
    first.stop()
    writer = open_replica(tmp_path / "writer")
    later = RandomTables(writer.log, 2)
    later.write(20)

    again = open_replica(tmp_path / "first")
    again.log.records = 0
    again.tables.count(TableState.OPEN)
    assert again.log.records <= 40
    assert_right(again.tables, again.log, tables)

    killed = open_replica(tmp_path / "killed")
    assert_right(killed.tables, killed.log, tables)

    again.stop()
    (tmp_path / "first" / "copy.db").unlink()
    anew = open_replica(tmp_path / "first")
    anew.log.records = 0
    anew.tables.count(TableState.OPEN)
    assert anew.log.records >= len(anew.log.read_all(0, 1000, TABLE_STREAM))
    assert_right(anew.tables, anew.log, tables)
    assert_right(writer.tables, writer.log, tables)
