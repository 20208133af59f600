"""Games that are watched here: one stream of rules serves all who have equal rights, however many they are.

A game that everybody may see has one stream, asked for with the token of its first viewer; when that one leaves, the next takes
over. Any other game has a stream for each player who watches it, so that rules decides what each of them gets."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from typing import TypeAlias

from services.common.telemetry.logs import get_logger
from services.common.watching.waking import Topic, Waker
from services.gen.signalbox.rules.v1 import rules_pb2 as wire
from services.web.calls import Caller
from services.web.problems import ProblemError, of_http

# Until a stream that broke is asked for again; twice as long after each failure.
RETRY_SECONDS = (0.5, 8.0)
REFUSED = (401, 403, 404)
ENDED = of_http(401, "unauthenticated", "the session has ended; sign in again")
Moves: TypeAlias = Callable[[str, int, Caller], AsyncGenerator[wire.WatchMovesResponse, None]]
"""The states of a game after a sequence, as a caller may see them."""


class Viewer:
    """Somebody who watches one game. `refusal`: why nothing more comes."""

    def __init__(self, waker: Waker, caller: Caller, end_seconds: float) -> None:
        """`end_seconds`: when the token ends, in seconds since 1970 UTC."""
        self.caller = caller
        self.news = Topic(waker)
        self.refusal: ProblemError | None = None
        self._end_seconds = end_seconds

    @property
    def seconds_left(self) -> float:
        """Until the token ends."""
        return self._end_seconds - time.time()

    def refuse(self, why: ProblemError) -> None:
        """Nothing more comes."""
        self.refusal = why
        self.news.changed()


class WatchedGame:
    """A game with viewers. `state` is the latest, None before the first; `problem`: why there is no stream of rules just now."""

    def __init__(self, game_id: str, moves: Moves) -> None:
        self.game_id = game_id
        self.state: wire.WatchMovesResponse | None = None
        self.problem: ProblemError | None = None
        self._moves = moves
        self._viewers: dict[Viewer, None] = {}
        self._asking: Viewer | None = None
        self._following: asyncio.Task[None] | None = None

    @property
    def has_viewers(self) -> bool:
        """Whether anybody is left."""
        return bool(self._viewers)

    @property
    def is_seen_by_everybody(self) -> bool:
        """Whether all who are signed in have equal rights to it, as far as is known."""
        return self.state is not None and self.state.seen_by_everybody

    def enter(self, viewer: Viewer) -> None:
        """One viewer more."""
        self._viewers[viewer] = None
        if self._following is None:
            self._follow_from_now()

    def leave(self, viewer: Viewer) -> None:
        """One viewer less; the stream goes on with the token of another, or ends with the last."""
        self._viewers.pop(viewer, None)
        if self._following is not None and (viewer is self._asking or not self._viewers):
            self._following.cancel()
            self._following = None
            if self._viewers:
                self._follow_from_now()

    def _follow_from_now(self) -> None:
        self._following = asyncio.create_task(self._follow())
        self._following.add_done_callback(self._followed)

    def _followed(self, following: asyncio.Task[None]) -> None:
        """After an error of ours nobody waits for what will not come."""
        if not following.cancelled() and (error := following.exception()) is not None:
            get_logger("web").error("a game is not followed", game_id=self.game_id, exc_info=error)
            for each in self._viewers:
                each.refuse(of_http(500, "internal", "an error of ours; it is in our log"))

    async def _follow(self) -> None:
        least, most = RETRY_SECONDS
        seconds = least
        while (first := next(iter(self._viewers), None)) is not None:
            self._asking = first
            try:
                async with aclosing(self._moves(self.game_id, self._known, first.caller)) as states:
                    async for state in states:
                        seconds = least
                        self._take(state)
                failed = of_http(503, "unavailable", "the stream of moves ended")
            except ProblemError as problem:
                failed = problem
            if failed.problem.status in REFUSED:
                del self._viewers[first]
                first.refuse(failed)
                continue
            # The next one asks: this one may have used up what one player can have.
            self._viewers[first] = self._viewers.pop(first)
            self.problem = failed
            self._wake()
            await asyncio.sleep(seconds)
            seconds = min(2 * seconds, most)
        self._asking = self._following = None

    @property
    def _known(self) -> int:
        """After a failure the state is asked for again, so that it is known that rules is there."""
        return self.state.sequence if self.state is not None and self.problem is None else 0

    def _take(self, state: wire.WatchMovesResponse) -> None:
        """Raises `ProblemError` once who has seen the game sees it no more: the seat has another bearer."""
        if state.not_found and self.state is not None and self.state.sequence:
            raise of_http(404, "not_found", "there is no such game")
        self.state, self.problem = state, None
        self._wake()

    def _wake(self) -> None:
        for each in self._viewers:
            each.news.changed()


class WatchedGames:
    """Those that somebody watches now. Used on one event loop."""

    def __init__(self, moves: Moves) -> None:
        self._moves = moves
        self._waker = Waker()
        self._games: dict[tuple[str, str], WatchedGame] = {}
        self._sessions: dict[str, set[Viewer]] = {}

    def end_session(self, authorization: str) -> None:
        """Send away all who watch with a token."""
        for each in self._sessions.get(authorization, ()):
            each.refuse(ENDED)

    @asynccontextmanager
    async def joined(
        self, game_id: str, caller: Caller, player_id: str, end_seconds: float
    ) -> AsyncIterator[tuple[WatchedGame, Viewer]]:
        """One viewer more of a game, whose right to see it is proven, with its first state. Raises `ProblemError`."""
        viewer = Viewer(self._waker, caller, end_seconds)
        session = self._sessions.setdefault(caller.authorization, set())
        session.add(viewer)
        try:
            for rights in ("", player_id):
                async with self._entered((game_id, rights), viewer) as game:
                    await _first_state(game, viewer)
                    if rights or game.is_seen_by_everybody:
                        yield game, viewer
                        return
        finally:
            session.discard(viewer)
            if not session:
                self._sessions.pop(caller.authorization, None)

    @asynccontextmanager
    async def _entered(self, key: tuple[str, str], viewer: Viewer) -> AsyncIterator[WatchedGame]:
        game = self._games.get(key)
        if game is None:
            game = self._games[key] = WatchedGame(key[0], self._moves)
        game.enter(viewer)
        try:
            yield game
        finally:
            game.leave(viewer)
            if not game.has_viewers and self._games.get(key) is game:
                del self._games[key]


async def _first_state(game: WatchedGame, viewer: Viewer) -> None:
    """Wait until something is known about the game. Raises `ProblemError`."""
    while game.state is None:
        version = viewer.news.version
        if (problem := viewer.refusal or game.problem) is not None:
            raise problem
        await viewer.news.changed_since(version)
