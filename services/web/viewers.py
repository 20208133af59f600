"""Those who watch games, and how long they may: whether a session was signed out is looked up every two seconds for all of them
at once, and rules is asked once a minute whether each may still see its game."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from services.common.telemetry.logs import get_logger
from services.common.watching.waking import Topic, Waker
from services.web.calls import Caller
from services.web.problems import ProblemError, of_http
from services.web.sessions import EndedSessions

LOOK_SECONDS = 2.0
RIGHT_SECONDS = 60.0
ASKED_AT_ONCE = 8
# Questions about those who come: when hundreds come together, the others wait here, where that costs the services nothing.
COMING_AT_ONCE = 32
COMING_SECONDS = 30.0
CROWDED_MS = 2_000
REFUSED = (401, 403, 404)
MaySee: TypeAlias = Callable[[str, Caller], Awaitable[None]]
"""Raises `ProblemError` where a caller may not see a game, or that is not known just now."""


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


@dataclass(slots=True)
class _Session:
    """The viewers of one session in one game. `due`: when rules is asked again, in the time of the loop."""

    caller: Caller
    due: float
    viewers: set[Viewer] = field(default_factory=set)

    def refuse(self, why: ProblemError) -> None:
        for each in self.viewers:
            each.refuse(why)


class ViewerChecks:
    """Sends viewers away who may not watch any more. Used on one event loop."""

    def __init__(
        self,
        ended: EndedSessions,
        may_see: MaySee,
        look_seconds: float = LOOK_SECONDS,
        right_seconds: float = RIGHT_SECONDS,
    ) -> None:
        """`look_seconds`: between two looks for sessions that were signed out, or whose right is due; `right_seconds`: between
        two questions about the right of a session, at most."""
        self._ended = ended
        self._may_see = may_see
        self._look_seconds = look_seconds
        self._right_seconds = right_seconds
        self._sessions: dict[tuple[str, str], _Session] = {}
        self._coming = asyncio.Semaphore(COMING_AT_ONCE)
        self._tasks: list[asyncio.Task[None]] = []

    async def check(self, game_id: str, caller: Caller) -> None:
        """Raises `ProblemError` where somebody may not watch a game, and where too many have come before for that to be known in
        time."""
        try:
            async with asyncio.timeout(COMING_SECONDS):
                await self._coming.acquire()
        except TimeoutError as late:
            raise of_http(503, "crowded", "too many come to watch just now", CROWDED_MS) from late
        try:
            await self.check_session(caller)
            await self._may_see(game_id, caller)
        finally:
            self._coming.release()

    async def check_session(self, caller: Caller) -> None:
        """Raises `ProblemError` where it was signed out."""
        if caller.authorization and await self._ended.among((caller.authorization,)):
            raise session_ended()

    async def end(self, caller: Caller, end_seconds: float) -> None:
        """A session was signed out: at once here, within seconds elsewhere. `end_seconds`: when its token ends."""
        self._refuse_ended({caller.authorization})
        await self._ended.end(caller.authorization, end_seconds)

    @contextmanager
    def watching(self, game_id: str, viewer: Viewer) -> Iterator[None]:
        """A viewer whose right has just been checked."""
        key = (viewer.caller.authorization, game_id)
        session = self._sessions.setdefault(key, _Session(viewer.caller, self._next_due()))
        session.viewers.add(viewer)
        if not self._tasks:
            rounds = (self._look_for_ended, self._ask_due)
            self._tasks = [asyncio.create_task(_repeat(self._look_seconds, each)) for each in rounds]
        try:
            yield
        finally:
            session.viewers.discard(viewer)
            if not session.viewers and self._sessions.get(key) is session:
                del self._sessions[key]
            if not self._sessions:
                self._stop()

    def _stop(self) -> None:
        for each in self._tasks:
            each.cancel()
        self._tasks = []

    def _next_due(self) -> float:
        """Not for all who come together at once."""
        return asyncio.get_running_loop().time() + self._right_seconds * random.uniform(0.5, 1.0)

    async def _look_for_ended(self) -> None:
        known = {authorization for authorization, _ in self._sessions}
        self._refuse_ended(set(await self._ended.among(known)))

    def _refuse_ended(self, ended: set[str]) -> None:
        for (authorization, _), session in self._sessions.items():
            if authorization in ended:
                session.refuse(session_ended())

    async def _ask_due(self) -> None:
        now = asyncio.get_running_loop().time()
        due = [(game_id, each) for (_, game_id), each in self._sessions.items() if each.due <= now]
        for start in range(0, len(due), ASKED_AT_ONCE):
            await asyncio.gather(*(self._ask(*each) for each in due[start : start + ASKED_AT_ONCE]))

    async def _ask(self, game_id: str, session: _Session) -> None:
        session.due = self._next_due()
        try:
            await self._may_see(game_id, session.caller)
        except ProblemError as failed:
            # What is not known now is asked again.
            if failed.problem.status in REFUSED:
                session.refuse(failed)


def session_ended() -> ProblemError:
    """For a session that ended by itself or was signed out."""
    return of_http(401, "unauthenticated", "the session has ended; sign in again")


async def _repeat(seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            await work()
        except Exception as error:
            get_logger("web").error("viewers are not checked", exc_info=error)
