"""Commands for a game whose beginning is in the archive, decided without waiting for the archive."""

from __future__ import annotations

from services.common.archive.errors import DeletedFromArchive, InArchive
from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import Record
from services.rules.cluster.records import Unknown
from services.rules.kernel.commands import Pass
from services.rules.requests import CommandAccepted, CommandRejected
from tests.rules.cluster.test_deciding import SingleOwner


class ArchivedCopy(MemoryEventLog):
    """A copy in which streams raise `missing` while it is set."""

    missing: Exception | None = None

    def read(self, stream: str, after: int = 0, up_to: int | None = None) -> list[Record]:
        """See `EventLog.read`."""
        if self.missing is not None:
            raise self.missing
        return super().read(stream, after, up_to)


def archived(missing: Exception) -> tuple[SingleOwner, ArchivedCopy]:
    """An owner that has forgotten a game, which is in the archive."""
    copy = ArchivedCopy(ManualClock())
    owner = SingleOwner(copy=copy)
    owner.create()
    owner.commit()
    owner.processor.drop(lambda _: True)
    copy.missing = missing
    return owner, copy


def test_a_command_has_its_game_brought_back() -> None:
    """It is refused for a moment and changes nothing; once the game is here, the same request is carried out."""
    owner, copy = archived(InArchive("game/g", 5))
    refused = owner.send("g", "ann", "r1", 5, Pass())
    assert isinstance(refused, CommandRejected)
    assert (refused.rejection.code, refused.rejection.retryable) == ("game_archived", True)
    assert owner.brought_back == ["g"]
    assert not owner.processor.staged.staged
    copy.missing = None
    assert owner.send("g", "ann", "r1", 5, Pass()) == CommandAccepted(6, 6)


def test_a_deleted_game_takes_no_command() -> None:
    """It is unknown, and nobody looks for it."""
    owner, _ = archived(DeletedFromArchive("the game was deleted"))
    assert isinstance(owner.send("g", "ann", "r1", 5, Pass()), Unknown)
    assert owner.brought_back == []
