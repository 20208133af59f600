"""Games that are watched here: one stream of rules serves all who have equal rights, however many they are.

A game that everybody may see has one stream, asked for with the token of its first viewer; when that one leaves, the next takes
over. Any other game has a stream for each player who watches it, so that rules decides what each of them gets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from typing import TypeAlias

from services.common.telemetry.logs import get_logger
from services.common.watching.waking import Topic, Waker
from services.gen.signalbox.rules.v1 import rules_pb2 as wire
from services.web.calls import Caller
from services.web.clocks import GameClocks
from services.web.problems import ProblemError, of_http
from services.web.viewers import REFUSED, Viewer, ViewerChecks

# Until a stream that broke is asked for again; twice as long after each failure.
RETRY_SECONDS = (0.5, 8.0)
# Between two looks at clocks; a lobby that has not heard of a move yet is asked again sooner.
CLOCK_SECONDS = (0.25, 60.0)
# Doubled so often, the first pause is longer than the longest.
TRIES_MAX = 8
Moves: TypeAlias = Callable[[str, int, Caller], AsyncGenerator[wire.WatchMovesResponse, None]]
"""The states of a game after a sequence, as a caller may see them."""
ReadClocks: TypeAlias = Callable[[str, Caller], Awaitable[GameClocks | None]]
"""The clocks of a game now, None for a game that never gets any; raises `ProblemError` where they are not known."""


class WatchedGame:
    """A game with viewers. `state` is the latest, None before the first; `problem`: why there is no stream of rules just now.
    `clocks`: the latest, None for a game without."""

    def __init__(self, game_id: str, moves: Moves, read_clocks: ReadClocks, waker: Waker) -> None:
        self.game_id = game_id
        self.state: wire.WatchMovesResponse | None = None
        self.problem: ProblemError | None = None
        self.clocks: GameClocks | None = None
        self._moves = moves
        self._read_clocks = read_clocks
        self._moved = Topic(waker)
        self._viewers: dict[Viewer, None] = {}
        self._asking: Viewer | None = None
        self._following: asyncio.Task[None] | None = None
        self._timing: asyncio.Task[None] | None = None

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
        if self._timing is not None and not self._viewers:
            self._timing.cancel()

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
        self._moved.changed()
        self._wake()
        if self._timing is None:
            self._timing = asyncio.create_task(self._follow_clocks())

    async def _follow_clocks(self) -> None:
        """Read them after each move, until they are those of the players to act, and now and then for what directors and
        players change in them."""
        tries = 0
        while (caller := self._caller) is not None:
            version = self._moved.version
            try:
                found = await self._read_clocks(self.game_id, caller)
            except ProblemError:
                # The lobby may be away, or may not have heard of the game yet: what is known stays.
                found = self.clocks
            else:
                if found is None:
                    return
            if found is not None and (self.clocks is None or found.shows_other_than(self.clocks)):
                self.clocks = found
                self._wake()
            is_behind = found is None or (self.state is not None and not found.is_at(self.state))
            tries = tries + 1 if is_behind else 0
            await self._moved.changed_since(version, _clock_pause(tries))
            if self._moved.version != version:
                tries = 0
        self._timing = None

    @property
    def _caller(self) -> Caller | None:
        first = next(iter(self._viewers), None)
        return None if first is None else first.caller

    def _wake(self) -> None:
        for each in self._viewers:
            each.news.changed()


class WatchedGames:
    """Those that somebody watches now. Used on one event loop."""

    def __init__(self, moves: Moves, read_clocks: ReadClocks, checks: ViewerChecks) -> None:
        self._moves = moves
        self._read_clocks = read_clocks
        self._checks = checks
        self._waker = Waker()
        self._games: dict[tuple[str, str], WatchedGame] = {}

    def sequence_for_all(self, game_id: str) -> int:
        """The latest sequence of a game that is watched here and that everybody may see; 0 for any other."""
        game = self._games.get((game_id, ""))
        if game is None or game.state is None or game.problem is not None:
            return 0
        return game.state.sequence if game.is_seen_by_everybody else 0

    @asynccontextmanager
    async def joined(
        self, game_id: str, caller: Caller, player_id: str, end_seconds: float
    ) -> AsyncIterator[tuple[WatchedGame, Viewer]]:
        """One viewer more of a game, whose right to see it is proven, with its first state. Raises `ProblemError`."""
        viewer = Viewer(self._waker, caller, end_seconds)
        with self._checks.watching(game_id, viewer):
            for rights in ("", player_id):
                async with self._entered((game_id, rights), viewer) as game:
                    await _first_state(game, viewer)
                    if rights or game.is_seen_by_everybody:
                        yield game, viewer
                        return

    @asynccontextmanager
    async def _entered(self, key: tuple[str, str], viewer: Viewer) -> AsyncIterator[WatchedGame]:
        game = self._games.get(key)
        if game is None:
            game = self._games[key] = WatchedGame(key[0], self._moves, self._read_clocks, self._waker)
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


def _clock_pause(tries: int) -> float:
    """Until clocks are read again. `tries`: how often in a row they were those before the last move."""
    first, most = CLOCK_SECONDS
    return min(first * 2 ** min(tries, TRIES_MAX), most) if tries else most
