"""The events of games as watchers get them."""

from __future__ import annotations

from collections.abc import Sequence

from services.common.watching.feeds import Feeds
from services.gen.signalbox.rules.v1 import rules_pb2 as pb
from services.rules.adapters.records import without_seed
from services.rules.reading import GameReader


def game_feeds(reader: GameReader) -> Feeds:
    """The events of every game that `reader` knows, encoded for `WatchGame`."""
    return Feeds(_GameEvents(reader), reader.notifier, reader.timeout_seconds)


class _GameEvents:
    """See `FeedSource`."""

    def __init__(self, reader: GameReader) -> None:
        self._reader = reader

    def has(self, name: str, sequence: int) -> bool:
        """Raises `UnknownGameError`, `UnreachedSequenceError`."""
        return self._reader.has_reached(name, sequence)

    def check(self, name: str, after: int) -> None:
        """Raises `UnknownGameError`, `UnreachedSequenceError`."""
        self._reader.check_reached(name, after)

    def read(self, name: str, after: int, up_to: int) -> Sequence[bytes]:
        """See `FeedSource`."""
        events = self._reader.logged(name, after, up_to)
        return [pb.WatchGameResponse(event=without_seed(event)).SerializeToString() for event in events]
