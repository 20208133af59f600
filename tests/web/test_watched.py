"""Who asks rules for a game that several watch."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import AsyncExitStack
from typing import Any

import pytest

from services.gen.signalbox.rules.v1 import rules_pb2 as wire
from services.web.calls import Caller
from services.web.problems import ProblemError, of_http
from services.web.watched import WatchedGames

SECONDS = 30.0
END = 1e12


class Moves:
    """Rules as one game sees it: refuses some callers, and follows for the others."""

    def __init__(self, refused: dict[str, int]) -> None:
        """`refused`: status by address."""
        self._refused = refused
        self.asked: list[str] = []
        self.active = 0
        self.sequence = 1

    async def __call__(
        self, game_id: str, _after: int, caller: Caller
    ) -> AsyncGenerator[wire.WatchMovesResponse, None]:
        """See `WatchedGames`."""
        self.asked.append(caller.address)
        if status := self._refused.get(caller.address):
            raise of_http(status, "refused", "")
        self.active += 1
        try:
            yield wire.WatchMovesResponse(game_id=game_id, sequence=self.sequence, seen_by_everybody=True)
            await asyncio.Event().wait()
        finally:
            self.active -= 1


def run(test: Coroutine[Any, Any, None]) -> None:
    """Run a test to its end, which has to come."""
    asyncio.run(asyncio.wait_for(test, SECONDS))


async def _handed_over() -> None:
    moves = Moves({})
    games = WatchedGames(moves)
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
    games = WatchedGames(moves)
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


async def _ended() -> None:
    moves = Moves({"a": 401})
    games = WatchedGames(moves)
    with pytest.raises(ProblemError) as failed:
        async with games.joined("g", Caller("a", "Bearer x"), "p1", END):
            pass
    assert failed.value.problem.status == 401
    async with games.joined("g", Caller("b", "Bearer y"), "p2", END) as (_, viewer):
        games.end_session("Bearer x")
        assert viewer.refusal is None
        games.end_session("Bearer y")
        assert viewer.refusal is not None and viewer.refusal.problem.status == 401


def test_an_ended_session_watches_nothing() -> None:
    """Neither one that rules refuses nor one that signs out; others stay."""
    run(_ended())
