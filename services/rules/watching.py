"""The events of games as watchers get them."""

from __future__ import annotations

from collections.abc import Sequence

from services.common.watching.feeds import Feeds
from services.gen.signalbox.rules.v1 import rules_pb2 as pb
from services.rules.reading import GameReader

# A watcher may know events of another replica that are not here yet.
REACH_SECONDS = 10.0


def game_feeds(reader: GameReader) -> Feeds:
    """The events of every game that `reader` knows, encoded for `WatchGame`."""
    return Feeds(_GameEvents(reader), reader.notifier)


class _GameEvents:
    """See `FeedSource`."""

    def __init__(self, reader: GameReader) -> None:
        self._reader = reader

    def check(self, name: str, after: int) -> None:
        """Raises `UnknownGameError`, `UnreachedSequenceError`."""
        self._reader.reach(name, max(1, after), REACH_SECONDS)
        self._reader.check_reached(name, after)

    def read(self, name: str, after: int, up_to: int) -> Sequence[bytes]:
        """See `FeedSource`."""
        events = self._reader.logged(name, after, up_to)
        return [pb.WatchGameResponse(event=event).SerializeToString() for event in events]
