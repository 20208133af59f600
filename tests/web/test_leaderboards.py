"""The page of ratings, with the reliability of players beside them."""

from __future__ import annotations

import asyncio
import re
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

from google.protobuf.message import Message
from starlette.requests import Request

from services.common.settings.service import Settings
from services.gen.signalbox.lobby.v1 import player_pb2, tournaments_service_pb2 as wire
from services.gen.signalbox.rules.v1 import rules_pb2, title_pb2
from services.web.pages.leaderboards import LeaderboardPages
from services.web.pages.site import Site
from services.web.sessions import OwnEndedSessions

UNIT = 1_000_000
LINES = (
    wire.LeaderboardLine(
        rank=1,
        player=player_pb2.Player(player_id="a", name="Ann <b>"),
        shown=25 * UNIT,
        elo=1_240 * UNIT,
        games=9,
        reliability=wire.Reliability(games=10, finish_rate=900_000, response_ms=125_000, expiry_rate=12_345),
    ),
    wire.LeaderboardLine(
        rank=2,
        player=player_pb2.Player(player_id="b", name="Bob"),
        shown=-UNIT // 2,
        elo=1_160 * UNIT,
        games=1,
        is_provisional=True,
        reliability=wire.Reliability(games=1, finish_rate=UNIT),
    ),
)


def board_page(query: str) -> tuple[list[Message], str]:
    """What the page asks the services, and its text."""
    asked: list[Message] = []

    async def ask(request: Message, _kind: Any, _caller: Any) -> Message:
        asked.append(request)
        if isinstance(request, wire.GetLeaderboardRequest):
            return wire.GetLeaderboardResponse(lines=LINES, next_page_token="50")
        return rules_pb2.ListTitlesResponse(titles=[title_pb2.TitleSummary(title="1824")])

    backend: Any = SimpleNamespace(ask=ask, check_sight=None, moves=None, clocks=None)
    limits: Any = SimpleNamespace(entered=lambda *_, **__: nullcontext())
    site = Site(Settings(), limits, backend, OwnEndedSessions())
    (route,) = LeaderboardPages(site).routes()
    request = Request(
        {"type": "http", "method": "GET", "path": route.path, "query_string": query.encode(), "headers": []}
    )
    answer = asyncio.run(route.endpoint(request))
    return asked, bytes(answer.body).decode()


def test_ratings_stand_beside_reliability() -> None:
    """By rank; where no clock ran there is nothing about turns. The board that was chosen stays so on the next page."""
    asked, page = board_page("board=title+1824")
    assert isinstance(asked[0], wire.GetLeaderboardRequest)
    assert asked[0].board == "title 1824"
    rows = [re.sub(r"<[^>]*>", "|", each) for each in re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)]
    ann, bob = (re.split(r"[|\n]+", row)[1:-1] for row in rows[1:])
    assert ann == ["1", "Ann &lt;b&gt;", "25", "1240", "9", "90 % of 10", "2 min 5 s", "1.2 %"]
    assert bob == ["2", "Bob", "-0.5 (provisional)", "1160", "1", "100 % of 1"]
    assert '<option value="title 1824" selected>' in page
    assert "/leaderboard?board=title%201824&amp;page=50" in page
