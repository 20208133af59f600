"""The stream by which the page of a game hears of moves, as server-sent events."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack

from starlette.requests import Request
from starlette.responses import Response

from services.web.clocks import GameClocks
from services.web.pages import fields
from services.web.pages.changes import ChangeWriter, Known
from services.web.pages.site import HEADERS, Site
from services.web.pages.times import now_ms
from services.web.pages.visitors import Visitor, check_signed_in
from services.web.problems import ProblemError
from services.web.streams import EVENTS, LAST_EVENT_ID, SILENCE_SECONDS, HeldStream, StreamForm
from services.web.viewers import Viewer, session_ended
from services.web.watched import WatchedGame

FORM = StreamForm(EVENTS, None)
AWAY = b"event: away\ndata: {}\n\n"
BACK = b"event: back\ndata: {}\n\n"


class LiveStreams:
    """Their endpoint."""

    def __init__(self, site: Site, writer: ChangeWriter) -> None:
        self._site = site
        self._writer = writer

    async def live(self, request: Request) -> Response:
        """A move of the visitor's own game gives its sequence alone; who only watches gets with it what to replace on the page.
        An event's id resumes the stream. Raises `ProblemError`."""
        visitor = self._site.visitor(request)
        game_id = request.path_params["game_id"]
        async with AsyncExitStack() as holding:
            holding.enter_context(self._site.limits.entered(visitor.caller.address, is_stream=True))
            check_signed_in(visitor)
            known = _known(request)
            # Each visitor's own right; a stream that others share already does not say it.
            await self._site.checks.check(game_id, visitor.caller)
            joining = self._site.watched.joined(
                game_id, visitor.caller, visitor.player_id, visitor.end_seconds
            )
            game, viewer = await holding.enter_async_context(joining)
            pieces = self._pieces(game, viewer, visitor, known)
            return HeldStream(holding.pop_all(), pieces, EVENTS, HEADERS)

    async def _pieces(
        self, game: WatchedGame, viewer: Viewer, visitor: Visitor, known: Known
    ) -> AsyncGenerator[bytes, None]:
        """Events until the viewer has to begin again. A slow viewer gets the latest state when it reads again."""
        is_shared, is_away, clocks = game.is_seen_by_everybody, False, None
        yield b"retry: 2000\n\n"
        while viewer.seconds_left > 0 and game.is_seen_by_everybody == is_shared:
            version = viewer.news.version
            if viewer.refusal is not None:
                yield FORM.problem(viewer.refusal)
                return
            if is_away != (game.problem is not None):
                is_away = not is_away
                yield AWAY if is_away else BACK
            if game.state is not None and game.state.sequence > known.sequence:
                known, piece = await self._news(game, visitor, known, game.state.sequence)
                yield piece
                continue
            if game.clocks is not None and game.clocks is not clocks:
                clocks = game.clocks
                yield await self._times(game, clocks, visitor)
                continue
            await viewer.news.changed_since(version, min(SILENCE_SECONDS, viewer.seconds_left))
            if viewer.news.version == version:
                yield FORM.silence
        if viewer.seconds_left <= 0:
            yield FORM.problem(session_ended())

    async def _times(self, game: WatchedGame, clocks: GameClocks, visitor: Visitor) -> bytes:
        """An event without an id: it is no move."""
        try:
            text = await self._writer.clocks(visitor, game.game_id, clocks)
        except ProblemError:
            # Names are not known just now; the next clocks are shown.
            return FORM.silence
        data = json.dumps({"now": now_ms(), "clocks": text})
        return f"event: clocks\ndata: {data}\n\n".encode()

    async def _news(
        self, game: WatchedGame, visitor: Visitor, known: Known, sequence: int
    ) -> tuple[Known, bytes]:
        """What to send about a sequence, and what the browser knows then."""
        game_id, writer = game.game_id, self._writer
        bare = Known(sequence), _event(str(sequence), json.dumps({"sequence": sequence}))
        if not game.is_seen_by_everybody:
            return bare
        try:
            if not known.checksum or await writer.has_seat(visitor, game_id, sequence):
                return bare
            changes = await writer.for_watchers(visitor, game_id, sequence, known)
        except ProblemError:
            # The browser asks for itself, and shows what is wrong.
            return bare
        name = f"{changes.now.sequence}-{changes.now.checksum}"
        return changes.now, _event(name, changes.text, "changes")


def _known(request: Request) -> Known:
    """What the browser shows. Raises `ProblemError`."""
    given = request.headers.get(LAST_EVENT_ID, "")
    query = request.query_params
    sequence, _, checksum = (
        given.partition("-") if given else (query.get("after", "0"), "", query.get("checksum", ""))
    )
    return Known(fields.sequence(sequence, LAST_EVENT_ID if given else "after"), checksum)


def _event(name: str, data: str, kind: str = "message") -> bytes:
    return f"id: {name}\nevent: {kind}\ndata: {data}\n\n".encode()
