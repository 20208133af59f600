"""Streams of the event loop, read by a test's own thread."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TypeVar

from services.common.grpc.loop import on_loop
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.rules.v1 import rules_pb2
from services.rules.reading import GameReader
from services.rules.watching import game_feeds

Item = TypeVar("Item")


def pulled(stream: AsyncIterator[Item]) -> Iterator[Item]:
    """The items of a stream, each when it is asked for."""

    async def following() -> list[Item]:
        async for item in stream:
            return [item]
        return []

    while item := on_loop(following()):
        yield from item


def watched(reader: GameReader, game_id: str, after: int) -> Iterator[GameEvent]:
    """The events of a game as a watcher gets them."""
    for message in pulled(game_feeds(reader).watch(game_id, after)):
        yield rules_pb2.WatchGameResponse.FromString(message).event
