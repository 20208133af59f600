"""What operators do with an archive: list it, check it, and delete games by a policy."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain

from msgspec import Struct

from services.common.archive.contents import Heading
from services.common.archive.errors import DamagedObject
from services.common.archive.names import ObjectName, content_name
from services.common.archive.store import DAY_MS, ArchiveStore, Deletion
from services.common.clock import Clock, SystemClock
from services.common.errors import SignalboxError
from services.common.objectstore.port import ObjectMissing
from services.common.process.crashpoints import reach


class NotInArchive(SignalboxError):
    """The archive has no such game."""


class ArchivedGame(Struct, frozen=True):
    """A game in the archive. `sequence`: its last event there; `listings`: what says that it is there; `contents`: its objects,
    also those of an earlier end."""

    game_id: str
    sequence: int
    listings: tuple[str, ...] = ()
    contents: tuple[str, ...] = ()


class Policy(Struct, frozen=True):
    """Which games are to be deleted: of these ids, of a title, with an end so many days ago. Empty and 0 are no condition."""

    game_ids: Collection[str] = ()
    title: str = ""
    older_than_days: int = 0


class ArchivePolicy:
    """One archive, for an operator who waits. Every call may raise what the store raises."""

    def __init__(
        self,
        store: ArchiveStore,
        is_needed: Callable[[str], bool] = lambda _: False,
        clock: Clock | None = None,
    ) -> None:
        """`is_needed`: whether a finished game is still needed, as one under appeal."""
        self._store = store
        self._is_needed = is_needed
        self._clock = clock or SystemClock()

    def games(self) -> dict[str, ArchivedGame]:
        """All games, by id."""
        found = _grouped(self._store.games())
        contents: dict[str, list[str]] = {}
        for each in self._store.contents():
            contents.setdefault(each.game_id, []).append(each.name)
        deleted = {(each.game_id, each.sequence) for each in self._store.deleted()}
        return {
            game_id: ArchivedGame(
                game_id,
                max(each.sequence for each in names),
                tuple(each.name for each in names),
                tuple(contents.get(game_id, ())),
            )
            for game_id, names in sorted(found.items())
            if not all((game_id, each.sequence) in deleted for each in names)
        }

    def game(self, game_id: str) -> ArchivedGame:
        """One game. Raises `NotInArchive`."""
        found = self.games().get(game_id)
        if found is None:
            raise NotInArchive(f"{game_id}: is not in the archive {self._store}")
        return found

    def heading(self, game: ArchivedGame) -> Heading:
        """What a game is. Raises `DamagedObject` and `ObjectMissing`."""
        return self._store.heading(content_name(game.game_id, game.sequence))

    def chosen(self, policy: Policy) -> Iterator[tuple[ArchivedGame, Heading]]:
        """The games that a policy is about and that nobody needs. Raises `NotInArchive` for an id that is not there, and
        `DamagedObject`, `ObjectMissing`."""
        games, live = self.games(), {(each.game_id, each.sequence) for each in self._store.live()}
        for missing in sorted(set(policy.game_ids) - set(games)):
            raise NotInArchive(f"{missing}: is not in the archive {self._store}")
        before_ms = self._clock.now_ms() - policy.older_than_days * DAY_MS
        for game in games.values():
            if policy.game_ids and game.game_id not in policy.game_ids:
                continue
            if (game.game_id, game.sequence) in live or self._is_needed(game.game_id):
                continue
            heading = self.heading(game)
            if (policy.title or heading.title) == heading.title and heading.ended_ms <= before_ms:
                yield game, heading

    def delete(self, game: ArchivedGame, heading: Heading, operator: str, reason: str) -> bool:
        """Delete a game for good; False where it was taken out of the archive meanwhile."""
        now_ms = self._clock.now_ms()
        said = Deletion(game.game_id, heading.title, operator, reason, now_ms)
        name = self._store.note_deleted(said, game.sequence, heading.restricted)
        reach("archive.after-deletion")
        # Who takes a game out says so before looking for deletions: one of the two sees the other.
        if self._store.is_live(game.game_id, game.sequence):
            self._store.remove(name)
            return False
        self._remove(chain(game.contents, game.listings))
        return True

    def finish(self) -> int:
        """Remove what is left of games whose deletion was cut off; returns how many objects that were."""
        deleted = {(each.game_id, each.sequence) for each in self._store.deleted()}
        left = [
            each.name
            for each in chain(self._store.contents(), self._store.games())
            if (each.game_id, each.sequence) in deleted
        ]
        self._remove(left)
        return len(left)

    def findings(self) -> Iterator[str]:
        """What is wrong with the archive: each game is read as a whole."""
        listed = {(each.game_id, each.sequence) for each in self._store.games()}
        deleted = {(each.game_id, each.sequence) for each in self._store.deleted()}
        contents = {(each.game_id, each.sequence): each.name for each in self._store.contents()}
        for game_id, sequence in sorted(listed - set(contents) - deleted):
            yield f"{game_id} up to {sequence}: is listed, and its object is missing"
        for key in sorted(contents):
            if key in deleted:
                yield f"{contents[key]}: is left of a deletion that was cut off"
                continue
            game_id, sequence = key
            try:
                self._store.get(contents[key], ObjectName("", game_id, sequence).stream, sequence)
            except (DamagedObject, ObjectMissing) as problem:
                yield str(problem)

    def _remove(self, names: Iterable[str]) -> None:
        for name in names:
            self._store.remove(name)


def _grouped(names: Iterable[ObjectName]) -> dict[str, list[ObjectName]]:
    found: dict[str, list[ObjectName]] = {}
    for each in names:
        found.setdefault(each.game_id, []).append(each)
    return found
