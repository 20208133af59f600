"""The archive as a set of objects: what is in it, and how something is put in and deleted."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from services.common.archive.contents import ArchivedStream, Heading, heading_of, read
from services.common.archive.errors import DamagedObject
from services.common.archive.names import (
    CONTENTS,
    DELETED,
    GAMES,
    LIVE,
    ObjectName,
    content_name,
    day_of,
    deleted_name,
    deleted_prefix,
    game_name,
    live_name,
    parsed,
)
from services.common.objectstore.port import ObjectExists, ObjectMissing, ObjectStore

DAY_MS = 24 * 3600 * 1000


class Deletion(msgspec.Struct, frozen=True):
    """Who deleted a game, when and why. It stays in the archive."""

    game_id: str
    title: str
    operator: str
    reason: str
    time_ms: int


_decode_deletion = msgspec.json.Decoder(Deletion).decode


class ArchiveStore:
    """One archive. Every call may raise `StoreRefused` and `StoreUnavailable`, and take as long as its store does."""

    def __init__(self, objects: ObjectStore) -> None:
        self._objects = objects

    def __str__(self) -> str:
        return str(self._objects)

    def put(self, game_id: str, heading: Heading, content: bytes) -> str:
        """Write a game and read it back; returns the name of its object. May be repeated. Raises `DamagedObject` where the
        store gives back another one."""
        name = content_name(game_id, heading.records)
        try:
            self._objects.put(name, content)
        except ObjectExists:
            # Of a program with another compressor, perhaps: what it says has to be the same.
            found = self._objects.get(name)
        else:
            found = self._objects.get(name)
            if found != content:
                raise DamagedObject(f"{name}: was read back as another one than was written")
        stored = read(name, found, heading.stream, heading.records)
        if (stored.heading.raw_bytes, stored.heading.ended_ms) != (heading.raw_bytes, heading.ended_ms):
            raise DamagedObject(f"{name}: is there already, with another game")
        return name

    def list_game(self, game_id: str, sequence: int, now_ms: int) -> None:
        """Say that the object of a game is there and right. May be repeated."""
        self._objects.put(game_name(game_id, sequence, now_ms), b"")

    def get(self, name: str, stream: str, sequence: int) -> ArchivedStream:
        """The game in an object. Raises `ObjectMissing` and `DamagedObject`."""
        return read(name, self._objects.get(name), stream, sequence)

    def heading(self, name: str) -> Heading:
        """What an object is about. Raises `ObjectMissing` and `DamagedObject`."""
        return heading_of(name, self._objects.get(name))

    def games(self, since_ms: int = 0) -> Iterator[ObjectName]:
        """All games, or those that were archived on the day of a time or later."""
        return self._named(GAMES, since_ms)

    def contents(self) -> Iterator[ObjectName]:
        """The objects with games; of those that no listing of `games` has, nobody knows yet."""
        return self._named(CONTENTS, 0)

    def deleted(self, since_ms: int = 0) -> Iterator[ObjectName]:
        """All deleted games, or those that were deleted on the day of a time or later."""
        return self._named(DELETED, since_ms)

    def live(self) -> Iterator[ObjectName]:
        """The games that were taken out again, up to the sequence with which each was archived."""
        return self._named(LIVE, 0)

    def deletion(self, name: str) -> Deletion:
        """Who deleted a game. Raises `ObjectMissing`, `DamagedObject`."""
        try:
            return _decode_deletion(self._objects.get(name))
        except msgspec.MsgspecError as problem:
            raise DamagedObject(f"{name}: {problem}") from problem

    def recent_deletion(self, game_id: str, now_ms: int) -> ObjectName | None:
        """Whether a game was deleted today or yesterday: what was deleted earlier is in every listing."""
        for day in (day_of(now_ms), day_of(now_ms - DAY_MS)):
            for name in self._objects.names(deleted_prefix(game_id, day)):
                return parsed(name)
        return None

    def is_live(self, game_id: str, sequence: int) -> bool:
        """Whether the game was taken out again after it was archived up to this sequence."""
        try:
            self._objects.get(live_name(game_id, sequence))
        except ObjectMissing:
            return False
        return True

    def note_live(self, game_id: str, sequence: int) -> None:
        """Say that the game was taken out again. May be repeated."""
        self._objects.put(live_name(game_id, sequence), b"")

    def forget_live(self, game_id: str, sequence: int) -> None:
        """The game is in the archive as it was. May be repeated."""
        self._objects.delete(live_name(game_id, sequence))

    def note_deleted(self, deletion: Deletion, sequence: int, is_hidden: bool) -> str:
        """Say that a game is deleted; its objects are removed afterwards. Returns the name of the object that says it."""
        name = deleted_name(deletion.game_id, sequence, deletion.time_ms, is_hidden)
        try:
            self._objects.put(name, msgspec.json.encode(deletion))
        except ObjectExists:
            return name
        return name

    def remove(self, name: str) -> None:
        """Remove an object. May be repeated."""
        self._objects.delete(name)

    def _named(self, kind: str, since_ms: int) -> Iterator[ObjectName]:
        for name in self._objects.names(kind, f"{kind}{day_of(since_ms)}" if since_ms else ""):
            found = parsed(name)
            if found is not None:
                yield found
