"""What a browser replaces on the page of a game when the game has moved on."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, Generic, NamedTuple, TypeVar

from services.web.clocks import GameClocks
from services.web.pages.gameview import GameReader, ShownGame, ShownPicture
from services.web.pages.runs import NOTHING_DRAWN, DrawnRuns
from services.web.pages.site import Site
from services.web.pages.visitors import Visitor

GAMES_KEPT = 64
CHANGES_KEPT = 128
# A whole one has a quarter of a megabyte.
PICTURES_KEPT = 16
# The id of a command stays in the log for ever and is unique within its game.
COMMAND_ID_BYTES = 9
Value = TypeVar("Value")


class Known(NamedTuple):
    """The picture that a browser shows: its sequence and checksum."""

    sequence: int
    checksum: str = ""


def new_command_id() -> str:
    """An id for the next command that a page sends; sent again it is the same command."""
    return secrets.token_urlsafe(COMMAND_ID_BYTES)


class Changes(NamedTuple):
    """What is new after a known picture. `text`: JSON for `static/game.mjs`."""

    now: Known
    text: str


class ChangeWriter:
    """Writes changes: for one visitor, and once for all who only watch a game that everybody may see."""

    def __init__(self, site: Site, reader: GameReader) -> None:
        self._site = site
        self._reader = reader
        self._games: Kept[tuple[ShownGame, str]] = Kept(GAMES_KEPT)
        self._changes: Kept[Changes] = Kept(CHANGES_KEPT)
        self._clocks: Kept[str] = Kept(GAMES_KEPT)
        self._pictures: Kept[ShownPicture] = Kept(PICTURES_KEPT)

    async def for_visitor(self, visitor: Visitor, game_id: str, least: int, known: Known) -> Changes:
        """The changes with what this visitor may do. Raises `ProblemError`."""
        return await self._written(visitor, await self._shown(visitor, game_id, least), least, known)

    async def for_watchers(self, one: Visitor, game_id: str, sequence: int, known: Known) -> Changes:
        """The changes up to a sequence or a later one, as all see them who play no seat. `one`: of them. Raises
        `ProblemError`."""

        async def written() -> Changes:
            shown = await self._seen(one, game_id, sequence)
            return await self._written(one.as_watcher, shown, sequence, known)

        return await self._changes.get((game_id, one.language, sequence, known), written)

    async def page_for_watchers(
        self, one: Visitor, game_id: str, sequence: int
    ) -> tuple[ShownGame, str, ShownPicture]:
        """The game, its panels and its picture at a sequence or a later one, as all see them who play no seat. `one`: of them.
        Raises `ProblemError`."""
        shown, panels = await self._seen(one, game_id, sequence)
        at = shown.game.sequence
        picture = await self._pictures.get(
            (game_id, one.language, at),
            lambda: self._reader.picture(one.as_watcher, game_id, at, at, shown.names),
        )
        return shown, panels, picture

    async def clocks(self, one: Visitor, game_id: str, clocks: GameClocks) -> str:
        """The clocks of a game as all who watch it see them, `one` of them. Raises `ProblemError`."""

        async def written() -> str:
            names = await self._site.backend.names([each.seat for each in clocks.seats], one.caller)
            return self._site.written("clocks.html", one.as_watcher, clocks=clocks, names=names)

        return await self._clocks.get((game_id, one.language, clocks), written)

    async def has_seat(self, visitor: Visitor, game_id: str, sequence: int) -> bool:
        """Whether a visitor plays in a game that everybody may see. Raises `ProblemError`."""
        shown, _ = await self._seen(visitor, game_id, sequence)
        return any(each.bearer == visitor.player_id for each in shown.game.seats)

    async def _seen(self, one: Visitor, game_id: str, sequence: int) -> tuple[ShownGame, str]:
        key = (game_id, one.language, sequence)
        return await self._games.get(key, lambda: self._shown(one.as_watcher, game_id, sequence))

    async def _shown(self, visitor: Visitor, game_id: str, least: int) -> tuple[ShownGame, str]:
        """The game and its panels."""
        shown = await self._reader.shown(visitor, game_id, 0, least)
        return shown, self.panels(visitor, shown)

    def panels(self, visitor: Visitor, shown: ShownGame, drawn: DrawnRuns = NOTHING_DRAWN) -> str:
        """What stands beside the picture of a game."""
        request_id = new_command_id()
        return self._site.written("panels.html", visitor, shown=shown, request_id=request_id, drawn=drawn)

    async def _written(
        self, visitor: Visitor, seen: tuple[ShownGame, str], least: int, known: Known
    ) -> Changes:
        shown, panels = seen
        sequence = shown.game.sequence
        picture = await self._reader.picture(
            visitor, shown.game.game_id, sequence, least, shown.names, (known.sequence, known.checksum)
        )
        changes: dict[str, Any] = {
            "known": known.sequence,
            "sequence": sequence,
            "checksum": picture.checksum,
            "document": picture.document,
            "elements": dict(picture.elements),
            "panels": panels,
            "title": shown.heading,
        }
        return Changes(Known(sequence, picture.checksum), json.dumps(changes, separators=(",", ":")))


class Kept(Generic[Value]):
    """The latest values that were asked for, each made once for all who ask at the same time. Used on one event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, asyncio.Future[Value]] = OrderedDict()

    async def get(self, key: Hashable, make: Callable[[], Awaitable[Value]]) -> Value:
        """The value of a key. One that could not be made is made anew for the next who asks. Raises what `make` does."""
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = asyncio.ensure_future(make())
            found.add_done_callback(lambda made: self._drop_failed(key, made))
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        # Somebody who leaves does not end what the others wait for.
        return await asyncio.shield(found)

    def _drop_failed(self, key: Hashable, made: asyncio.Future[Value]) -> None:
        if (made.cancelled() or made.exception() is not None) and self._kept.get(key) is made:
            del self._kept[key]
