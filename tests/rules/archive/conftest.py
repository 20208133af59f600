"""A rules service over a file and an archive in a folder, with games that ended long ago."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from services.common.archive.store import DAY_MS, ArchiveStore
from services.common.clock import ManualClock
from services.common.eventlog.port import Record
from services.common.eventlog.sqlite import open_sqlite
from services.common.objectstore.folder import FolderStore
from services.common.settings.service import Settings
from services.rules.archive.archiver import Archiver
from services.rules.archive.opening import RulesArchive
from services.rules.handlers import Rules
from services.rules.kernel.commands import CreateGame
from services.rules.kernel.directing.commands import Direct, Direction, EndGame
from services.rules.kernel.values import EVERYBODY, Audience, Score
from services.rules.requests import CommandAccepted, CommandResult, Request
from services.rules.sessions import GameSessions
from tests.rules.conftest import TITLES, Desk, NotedFacts, NotedFailures
from tests.rules.tiny import LocalSolver

AFTER_DAYS = 10
ROUNDS = 3


class ArchiveDesk(Desk):
    """One process. `restart` starts it anew with the same files."""

    def __init__(self, folder: Path, name: str = "signalbox.db") -> None:
        self.folder = folder
        self.name = name
        self.clock = ManualClock()
        self.solver = LocalSolver()
        self.alarm = NotedFailures()
        self.follower = NotedFacts()
        self._open()

    def _open(self) -> None:
        self.file, self.stored = open_sqlite(self.folder / self.name, self.clock)
        self.registry = CollectorRegistry()
        settings = Settings(
            database=self.folder / self.name,
            archive=f"folder:{self.folder / 'archive'}",
            archive_after_days=AFTER_DAYS,
        )
        self.archive = RulesArchive(settings, self.file, self.registry, self.clock)
        self.forget()

    def forget(self) -> None:
        """Nothing is in memory any more."""
        self.sessions = GameSessions(self.archive.log, self.stored, TITLES)
        self.rules = Rules(self.archive.log, self.sessions, TITLES, self.solver, self.alarm)

    @property
    def archiver(self) -> Archiver:
        """What archives; run by the tests themselves."""
        return self.archive.archiver

    @property
    def store(self) -> ArchiveStore:
        """The archive."""
        return ArchiveStore(FolderStore(self.folder / "archive"))

    def objects(self) -> list[Path]:
        """The files of archived games."""
        return sorted((self.folder / "archive" / "contents").rglob("*.*"))

    def restart(self) -> None:
        """End the process and start it again."""
        self.close()
        self._open()

    def close(self) -> None:
        """End the process."""
        self.archive.close()
        self.file.close()

    def begin(self, game_id: str = "g", audience: Audience = EVERYBODY) -> None:
        """Ann and Bob play some rounds."""
        command = CreateGame("tiny", ("ann", "bob"), undo_policy="free", audience=audience)
        assert isinstance(self.rules.create(game_id, command), CommandAccepted)
        self.play_some(ROUNDS, game_id)

    def finish(self, game_id: str = "g", audience: Audience = EVERYBODY) -> list[Record]:
        """A game from its beginning to its end, and something written after it; the records of the game."""
        self.begin(game_id, audience)
        scores = (Score("ann", 10), Score("bob", 5))
        assert isinstance(self.direct(EndGame(scores), game_id), CommandAccepted)
        records = self.file.read(f"game/{game_id}")
        self.begin(f"live-{game_id}")
        return records

    def direct(self, direction: Direction, game_id: str = "g") -> CommandResult:
        """What Olga decides."""
        command = Direct(direction, "why not", "pia")
        return self.rules.execute(Request(game_id, "olga", f"olga-{direction.KIND}", 0, command))

    def pass_days(self, days: int = AFTER_DAYS + 1) -> None:
        """Time passes."""
        self.clock.advance(days * DAY_MS)

    def archive_all(self) -> int:
        """Archive what is due after some days, and forget what is in memory."""
        self.pass_days()
        done = self.archiver.run_once()
        self.forget()
        return done


@pytest.fixture
def archive_desk(tmp_path: Path) -> Iterator[ArchiveDesk]:
    """A process without games."""
    desk = ArchiveDesk(tmp_path)
    yield desk
    desk.close()
