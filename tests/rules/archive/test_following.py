"""A replica whose copy is behind learns that a game is in the archive before it has read how the game went on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from services.common.archive.errors import DeletedFromArchive
from services.common.archive.log import ArchivedEventLog
from services.common.archive.store import Deletion
from services.common.eventlog.memory import MemorySnapshotStore
from services.common.eventlog.port import AppendResult, Archived, NewRecord, Record
from services.common.kafka.copybatch import Applied
from services.common.notifier import LocalNotifier
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster.following import FollowingSessions
from tests.rules.archive.conftest import ArchiveDesk
from tests.rules.conftest import TITLES

BEHIND = 5


class Behind:
    """A replica with the beginning of a game in its copy, and in its memory."""

    def __init__(self, folder: Path, records: Sequence[Record]) -> None:
        self.desk = ArchiveDesk(folder, "behind.db")
        self.notifier = LocalNotifier()
        log: ArchivedEventLog = self.desk.archive.log
        self.sessions = FollowingSessions(log, MemorySnapshotStore(), TITLES, self.notifier, lambda _: None)
        self.read(records[:BEHIND])
        # What is newest in a file stays there.
        self.desk.file.append("game/other", 0, [NewRecord("x", 1, b"")])
        assert self.sessions.get("g").game.sequence == BEHIND

    def read(self, records: Sequence[Record]) -> AppendResult:
        """A commit with these events comes from Kafka."""
        new = [NewRecord(each.type, each.schema_version, each.payload) for each in records]
        before = records[0].sequence - 1
        result = self.desk.file.append("game/g", before, new)
        commit = pb.Commit(stream="game/g", first_sequence=before + 1)
        self.sessions.applied(Applied(commit, result, 0, before))
        return result


@pytest.fixture
def records(archive_desk: ArchiveDesk) -> list[Record]:
    """Of a finished game, which its owner has put into the archive."""
    records = archive_desk.finish()
    assert archive_desk.archive_all() == 1
    return records


@pytest.fixture
def behind(tmp_path: Path, records: list[Record]) -> Iterator[Behind]:
    """See `Behind`."""
    behind = Behind(tmp_path, records)
    yield behind
    behind.desk.close()


def test_a_reader_goes_on_with_what_is_in_the_archive(behind: Behind, records: list[Record]) -> None:
    """The game in memory does not stay where it was when the copy passes over the rest of it, and watchers hear of that."""
    last = records[-1].sequence
    behind.desk.archiver.learn()
    with behind.notifier.subscribe("g") as watcher:
        assert behind.read(records[BEHIND:-1]) == Archived(last)
        assert behind.sessions.get("g").game.sequence == last
        assert behind.sessions.get("g").game.finished
        assert watcher.wait(0.0)


def test_a_reader_shows_nothing_of_a_game_that_was_deleted(
    behind: Behind, records: list[Record], archive_desk: ArchiveDesk
) -> None:
    """As one that loads the game anew."""
    deletion = Deletion("g", "tiny", "olga", "too old", archive_desk.clock.now_ms())
    archive_desk.store.note_deleted(deletion, records[-1].sequence, is_hidden=False)
    behind.desk.archiver.learn()
    behind.read(records[BEHIND:])
    with pytest.raises(DeletedFromArchive):
        behind.sessions.get("g")
