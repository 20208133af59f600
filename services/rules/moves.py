"""The state of games, for those who watch many of them: the last sequence and who may act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.common.archive.errors import ArchiveUnavailable, DamagedObject, DeletedFromArchive
from services.common.watching.latest import LatestFeeds, StreamState
from services.gen.signalbox.rules.v1 import rules_pb2 as pb
from services.rules.adapters.messages import MalformedMessageError
from services.rules.kernel.decide import acting_players
from services.rules.kernel.values import EVERYBODY
from services.rules.reading import GameReader
from services.rules.sessions import UnknownGameError

GAMES_MAX = 500
NOTHING_NEW = StreamState(0, b"")


def move_feeds(reader: GameReader) -> LatestFeeds:
    """The moves of every game that `reader` knows, encoded for `WatchMoves`."""
    return LatestFeeds(_Games(reader), reader.notifier)


def watched_games(games: Sequence[pb.WatchedGame]) -> Mapping[str, int]:
    """The sequence that a request of `WatchMoves` knows of each game. Raises `MalformedMessageError`."""
    if not 0 < len(games) <= GAMES_MAX:
        raise MalformedMessageError("games", f"{len(games)} games; 1 to {GAMES_MAX} can be watched")
    after: dict[str, int] = {}
    for number, game in enumerate(games):
        if not game.game_id:
            raise MalformedMessageError(f"games[{number}].game_id", "is empty")
        if game.game_id in after:
            raise MalformedMessageError(f"games[{number}].game_id", "names a game that is named before")
        if game.after_sequence < 0:
            raise MalformedMessageError(
                f"games[{number}].after_sequence", f"{game.after_sequence} is negative"
            )
        after[game.game_id] = game.after_sequence
    return after


def not_found(game_id: str) -> bytes:
    """What somebody gets who can see no game with this id."""
    return pb.WatchMovesResponse(game_id=game_id, not_found=True).SerializeToString()


def seen_later(game_id: str) -> bytes:
    """What somebody gets who sees the game some time after its players do."""
    return pb.WatchMovesResponse(game_id=game_id, seen_later=True).SerializeToString()


class _Games:
    """See `LatestSource`."""

    def __init__(self, reader: GameReader) -> None:
        self._reader = reader

    def is_known(self, name: str, sequence: int) -> bool:
        """See `LatestSource`."""
        try:
            return self._reader.is_known(name, sequence)
        except (ArchiveUnavailable, DamagedObject, DeletedFromArchive):
            return False

    def state(self, name: str) -> StreamState | None:
        """See `LatestSource`."""
        try:
            found = self._reader.game_at(name)
        except (UnknownGameError, DeletedFromArchive):
            return None
        except (ArchiveUnavailable, DamagedObject):
            # Nothing happens in it, and the other games of its watchers go on.
            return NOTHING_NEW
        game = found.game
        seats = acting_players(found.loaded.title, found.loaded.data, game)
        is_for_everybody = game.audience == EVERYBODY
        message = pb.WatchMovesResponse(
            game_id=name,
            sequence=game.sequence,
            acting_players=seats,
            acting_bearers=[game.bearer_of(seat).account for seat in seats],
            finished=game.finished,
            suspended=game.suspended,
            seen_by_everybody=is_for_everybody,
        )
        return StreamState(game.sequence, message.SerializeToString(), is_for_everybody)

    def absent(self, name: str) -> bytes:
        """See `LatestSource`."""
        return not_found(name)
