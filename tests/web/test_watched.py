"""Who asks rules for a game that several watch."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any

import pytest

from services.gen.signalbox.rules.v1 import rules_pb2 as wire
from services.web import viewers
from services.web.calls import Caller
from services.web.clocks import GameClocks, SeatClock
from services.web.problems import ProblemError, of_http
from services.web.sessions import EndedSessions, OwnEndedSessions
from services.web.viewers import ViewerChecks
from services.web.watched import WatchedGames

SECONDS = 30.0
CROWD = 200
END = 1e12


class Moves:
    """Rules and lobby as one game sees them: they refuse some callers, and rules follows the game for the others."""

    def __init__(self, refused: Mapping[str, int], clocks: GameClocks | None = None) -> None:
        """`refused`: status by address."""
        self.refused = dict(refused)
        self.asked: list[str] = []
        self.active = 0
        self.sequence = 1
        self.acting = ("p1",)
        self.clocks = clocks
        self.clocks_read = 0
        self.unknown_clocks = 0
        """So often the lobby does not know the clocks yet."""
        self.moved = asyncio.Event()

    async def __call__(
        self, game_id: str, _after: int, caller: Caller
    ) -> AsyncGenerator[wire.WatchMovesResponse, None]:
        """See `WatchedGames`."""
        self.asked.append(caller.address)
        await self.may_see(game_id, caller)
        self.active += 1
        try:
            while True:
                self.moved.clear()
                yield wire.WatchMovesResponse(
                    game_id=game_id,
                    sequence=self.sequence,
                    acting_players=self.acting,
                    seen_by_everybody=True,
                )
                await self.moved.wait()
        finally:
            self.active -= 1

    async def may_see(self, _game_id: str, caller: Caller) -> None:
        """See `ViewerChecks`."""
        if status := self.refused.get(caller.address):
            raise of_http(status, "refused", "")

    async def read_clocks(self, _game_id: str, _caller: Caller) -> GameClocks | None:
        """See `WatchedGames`."""
        self.clocks_read += 1
        if self.clocks_read <= self.unknown_clocks:
            raise of_http(404, "no_clocks_yet", "")
        return self.clocks

    def checks(self, ended: EndedSessions | None = None) -> ViewerChecks:
        """Checks that do not let one wait."""
        return ViewerChecks(ended or OwnEndedSessions(), self.may_see, 0.001, 0.002)

    def games(self, checks: ViewerChecks | None = None) -> WatchedGames:
        """The games of a web process."""
        return WatchedGames(self, self.read_clocks, checks or self.checks())


def run(test: Coroutine[Any, Any, None]) -> None:
    """Run a test to its end, which has to come."""
    asyncio.run(asyncio.wait_for(test, SECONDS))


async def _handed_over() -> None:
    moves = Moves({})
    games = moves.games()
    async with AsyncExitStack() as second_stays:
        async with games.joined("g", Caller("a"), "p1", END):
            _, second = await second_stays.enter_async_context(games.joined("g", Caller("b"), "p2", END))
            assert (moves.asked, moves.active) == (["a"], 1)
        while moves.asked != ["a", "b"] or moves.active != 1:
            await asyncio.sleep(0)
        assert second.refusal is None
    while moves.active:
        await asyncio.sleep(0)


def test_another_asks_when_the_first_has_left() -> None:
    """The stream goes on with the token of the next, and ends with the last."""
    run(_handed_over())


async def _over_their_limit() -> None:
    moves = Moves({"a": 429})
    games = moves.games()
    with pytest.raises(ProblemError) as failed:
        async with games.joined("g", Caller("a"), "p1", END):
            pass
    assert failed.value.problem.status == 429
    async with games.joined("g", Caller("b"), "p2", END) as (game, _):
        assert game.is_seen_by_everybody
        async with games.joined("g", Caller("a"), "p1", END):
            assert moves.asked == ["a", "b"]


def test_who_is_over_a_limit_holds_up_nobody() -> None:
    """Others ask, and then it sees what they see."""
    run(_over_their_limit())


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for what has to come."""
    while not is_so():
        await asyncio.sleep(0.001)


async def _ended() -> None:
    moves, shared = Moves({"a": 401}), OwnEndedSessions()
    games = moves.games()
    with pytest.raises(ProblemError) as failed:
        async with games.joined("g", Caller("a", "Bearer x"), "p1", END):
            pass
    assert failed.value.problem.status == 401
    here, elsewhere = moves.checks(shared), moves.checks(shared)
    caller = Caller("b", "Bearer y")
    async with moves.games(elsewhere).joined("g", caller, "p2", END) as (_, viewer):
        await here.end(Caller("b", "Bearer x"), END)
        await elsewhere.check("g", caller)
        assert viewer.refusal is None
        await here.end(caller, END)
        await until(lambda: viewer.refusal is not None)
        assert viewer.refusal is not None and viewer.refusal.problem.status == 401
        with pytest.raises(ProblemError):
            await elsewhere.check("g", caller)


def test_an_ended_session_watches_nothing() -> None:
    """Neither one that rules refuses nor one that was signed out in any process; others stay."""
    run(_ended())


class Slow:
    """Rules that answers when it may."""

    def __init__(self) -> None:
        self.asked = self.most = 0
        self.may_answer = asyncio.Event()

    async def may_see(self, _game_id: str, _caller: Caller) -> None:
        """See `ViewerChecks`."""
        self.asked += 1
        self.most = max(self.most, self.asked)
        await self.may_answer.wait()
        self.asked -= 1

    def coming(self) -> tuple[ViewerChecks, Sequence[asyncio.Task[None]]]:
        """Many who come together."""
        checks = ViewerChecks(OwnEndedSessions(), self.may_see)
        return checks, [asyncio.create_task(checks.check("g", Caller(f"a{each}"))) for each in range(CROWD)]


async def _crowd() -> None:
    slow = Slow()
    _, coming = slow.coming()
    await until(lambda: slow.asked == viewers.COMING_AT_ONCE)
    slow.may_answer.set()
    await asyncio.gather(*coming)
    assert slow.most == viewers.COMING_AT_ONCE


def test_a_crowd_that_comes_waits_in_line() -> None:
    """Rules is asked about a few at a time, and about all."""
    run(_crowd())


async def _too_many() -> None:
    slow = Slow()
    checks, coming = slow.coming()
    late = (await asyncio.gather(*coming[viewers.COMING_AT_ONCE :], return_exceptions=True))[-1]
    assert isinstance(late, ProblemError)
    assert (late.problem.status, late.headers["Retry-After"]) == (503, "2")
    slow.may_answer.set()
    await asyncio.gather(*coming[: viewers.COMING_AT_ONCE], checks.check("g", Caller("again")))


def test_nobody_waits_in_line_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who would wait too long is refused, with a time to come again."""
    monkeypatch.setattr(viewers, "COMING_SECONDS", 0.01)
    run(_too_many())


async def _lost_right() -> None:
    moves = Moves({})
    games = moves.games()
    async with (
        games.joined("g", Caller("a", "Bearer x"), "p1", END) as (_, first),
        games.joined("g", Caller("a", "Bearer x"), "p1", END) as (_, second),
        games.joined("g", Caller("b", "Bearer y"), "p2", END) as (_, other),
    ):
        moves.refused["b"] = 503
        moves.refused["a"] = 404
        await until(lambda: first.refusal is not None)
        assert first.refusal is not None and first.refusal.problem.status == 404
        assert second.refusal is first.refusal and other.refusal is None


def test_who_may_no_longer_see_a_game_is_sent_away() -> None:
    """All of the session, once it is asked again; who is not known to have lost the right stays."""
    run(_lost_right())


def clock(seat: str, since_ms: int = 0) -> SeatClock:
    """A clock that runs, or one that stands still."""
    return SeatClock(seat, 5, since_ms, 2 * since_ms, bool(since_ms))


async def _clocks() -> None:
    moves = Moves({}, GameClocks((clock("p1", 7), clock("p2"))))
    games = moves.games()
    async with (
        games.joined("g", Caller("a"), "p1", END) as (game, viewer),
        games.joined("g", Caller("b"), "p2", END),
    ):
        await until(lambda: game.clocks is not None)
        assert moves.clocks_read == 1
        moves.sequence, moves.acting = 2, ("p2",)
        moves.moved.set()
        # The lobby does not know of the move yet: it is asked again.
        await until(lambda: moves.clocks_read > 2)
        assert game.clocks is not None and game.clocks.seats[0].since_ms == 7
        version, moves.clocks = viewer.news.version, GameClocks((clock("p1"), clock("p2", 9)))
        await until(lambda: game.clocks == moves.clocks)
        assert viewer.news.version > version


def test_clocks_are_read_once_for_all_viewers() -> None:
    """After a move, until they are those of the players to act."""
    run(_clocks())


async def _untimed() -> None:
    moves = Moves({})
    async with moves.games().joined("g", Caller("a"), "p1", END) as (game, _):
        await until(lambda: moves.clocks_read == 1)
        moves.sequence = 2
        moves.moved.set()
        await until(lambda: game.state is not None and game.state.sequence == 2)
        assert (game.clocks, moves.clocks_read) == (None, 1)


def test_a_game_without_clocks_is_asked_for_once() -> None:
    """It never gets any."""
    run(_untimed())


async def _clocks_come_late() -> None:
    moves = Moves({}, GameClocks((clock("p1", 7), clock("p2"))))
    moves.unknown_clocks = 2
    async with moves.games().joined("g", Caller("a"), "p1", END) as (game, _):
        await until(lambda: game.clocks is not None)
        assert moves.clocks_read == 3


def test_clocks_that_are_not_known_yet_are_asked_for_again() -> None:
    """Without a move in between, and soon."""
    run(_clocks_come_late())
