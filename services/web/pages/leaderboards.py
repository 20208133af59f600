"""The page of leaderboards: ratings of all tournaments, and beside them how reliable players are."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.gen.signalbox.lobby.v1 import tournaments_service_pb2 as wire
from services.gen.signalbox.rules.v1 import rules_pb2
from services.web.pages.site import Site
from services.web.pages.visitors import Visitor

PAGE = 50
SIZES = range(3, 7)


class LeaderboardPages:
    """Its endpoint."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._ask = site.backend.ask

    def routes(self) -> list[Route]:
        """For an application."""
        return [Route("/leaderboard", self._site.page(self._board))]

    async def _board(self, request: Request, visitor: Visitor) -> Response:
        board = request.query_params.get("board", "overall")
        asked = wire.GetLeaderboardRequest(
            board=board, page_size=PAGE, page_token=request.query_params.get("page", "")
        )
        found = await self._ask(asked, wire.GetLeaderboardResponse, visitor.caller)
        listed = await self._ask(rules_pb2.ListTitlesRequest(), rules_pb2.ListTitlesResponse, visitor.caller)
        return self._site.shown(
            "leaderboard.html",
            visitor,
            board=board,
            lines=found.lines,
            next_page=found.next_page_token,
            titles=[each.title for each in listed.titles],
            sizes=SIZES,
        )
