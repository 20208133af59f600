"""Pages of operators about what is held up in a cluster: games with dead letters, commands that wait for their owners."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.gen.signalbox.lobby.v1 import staff_service_pb2 as staff
from services.web.pages import fields
from services.web.pages.sending import Failed, failed_with, shown_with
from services.web.pages.site import Site, to_page
from services.web.pages.visitors import Visitor, check_signed_in
from services.web.problems import ProblemError

PATH = "/operator/blocked"


class HeldUpPages:
    """Their endpoints."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._ask = site.backend.ask

    def routes(self) -> list[Route]:
        """For an application."""
        page = self._site.page
        return [
            Route(PATH, page(self._list)),
            Route(PATH + "/skip", page(self._skip), methods=["POST"]),
            Route(PATH + "/game", page(self._game)),
            Route(PATH + "/release", page(self._release), methods=["POST"]),
        ]

    async def _list(self, request: Request, visitor: Visitor) -> Response:
        return await self._list_page(request, visitor)

    async def _list_page(self, request: Request, visitor: Visitor, failed: Failed | None = None) -> Response:
        check_signed_in(visitor)
        games = await self._ask(
            staff.ListBlockedGamesRequest(), staff.ListBlockedGamesResponse, visitor.caller
        )
        commands = await self._ask(
            staff.ListWaitingCommandsRequest(), staff.ListWaitingCommandsResponse, visitor.caller
        )
        players = [each.player_id for each in commands.commands]
        return shown_with(
            self._site,
            "operator_blocked.html",
            visitor,
            failed,
            is_cluster=games.can_be_blocked and commands.can_wait,
            games=games.games,
            commands=commands.commands,
            names=await self._site.backend.names(players, visitor.caller),
            done=request.query_params.get("done", ""),
        )

    async def _skip(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        form = await self._site.form(request, visitor)
        try:
            wanted = staff.SkipCommandRequest(
                request_id=form.get("request_id", ""),
                partition=fields.small(form, "partition"),
                offset=fields.whole(form, "offset"),
                reason=form.get("reason", ""),
            )
            answer = await self._ask(wanted, staff.SkipCommandResponse, visitor.caller)
        except ProblemError as failed:
            return await self._list_page(request, visitor, failed_with(form, failed))
        return to_page(f"{PATH}?done={'skip' if answer.done.is_settled else 'skip-recorded'}")

    async def _game(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        of_game = request.query_params.get("reader", ""), request.query_params.get("game", "")
        return await self._game_page(visitor, *of_game)

    async def _game_page(
        self, visitor: Visitor, reader: str, game_id: str, failed: Failed | None = None
    ) -> Response:
        wanted = staff.GetBlockedGameRequest(reader=reader, game_id=game_id)
        found = await self._ask(wanted, staff.GetBlockedGameResponse, visitor.caller)
        return shown_with(self._site, "operator_blocked_game.html", visitor, failed, game=found.game)

    async def _release(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        form = await self._site.form(request, visitor)
        of_game = form.get("reader", ""), form.get("game", "")
        try:
            wanted = staff.ReleaseBlockedGameRequest(
                request_id=form.get("request_id", ""),
                reader=of_game[0],
                game_id=of_game[1],
                reason=form.get("reason", ""),
            )
            answer = await self._ask(wanted, staff.ReleaseBlockedGameResponse, visitor.caller)
        except ProblemError as failed:
            return await self._game_page(visitor, *of_game, failed_with(form, failed))
        return to_page(f"{PATH}?done={'release' if answer.done.is_settled else 'release-asked'}")
