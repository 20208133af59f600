"""Which games are to be archived: finished, long ago, and not needed by anybody else."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from services.common.eventlog.archived import ArchivedStreams
from services.common.eventlog.port import EventLog, Record
from services.rules.adapters.codec import UnreadableEventError
from services.rules.adapters.records import decoded
from services.rules.history import STREAM_PREFIX
from services.rules.kernel.fold import replay
from services.rules.kernel.game import Game


class DueGame(Struct, frozen=True):
    """A finished game with all its records."""

    game_id: str
    game: Game
    records: list[Record]


class DueGames:
    """Looks through the games of a log again and again. For one thread."""

    def __init__(self, log: EventLog, archived: ArchivedStreams, is_kept: Callable[[str], bool]) -> None:
        """`is_kept`: whether somebody else needs this game where it is, whatever its age."""
        self._log = log
        self._archived = archived
        self._is_kept = is_kept
        # Games that nobody plays any more, with the sequence at which they were found unfinished.
        self._unfinished: dict[str, int] = {}

    def old(self, time_ms: int) -> Iterator[Record]:
        """The last records of games that may be due: written before a time, and not known to be unfinished."""
        after = 0
        while page := self._archived.last_records(STREAM_PREFIX, after):
            after = page[-1][0]
            for _, last in page:
                if last.recorded_time_ms < time_ms and self._unfinished.get(last.stream) != last.sequence:
                    yield last

    def due(self, last: Record) -> DueGame | None:
        """The game with this last record, if it is finished and nobody else needs it where it is. May raise whatever a
        damaged game leads to."""
        game_id = last.stream.removeprefix(STREAM_PREFIX)
        if self._is_kept(game_id):
            return None
        records = self._log.read(last.stream, 0, last.sequence)
        try:
            game = replay(decoded(records))
        except UnreadableEventError:
            # Of a newer program; it stays where it is.
            return None
        if game.finished:
            return DueGame(game_id, game, records)
        self._unfinished[last.stream] = last.sequence
        return None
