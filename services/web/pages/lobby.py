"""Pages of the lobby: my games, and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.gen.signalbox.lobby.v1 import (
    game_status_pb2,
    game_summary_pb2,
    lobby_service_pb2 as wire,
    table_pb2,
)
from services.gen.signalbox.rules.v1 import rules_pb2, title_pb2
from services.web.pages.clockform import DAYS, compacted
from services.web.pages.clockwords import time_rules_of
from services.web.pages.hosting import REQUESTS as HOSTING, playing
from services.web.pages.owntime import HOURS, REQUESTS as OWN_TIME, OwnTime, own_seat, own_time
from services.web.pages.sending import Failed, failed_with, shown_with
from services.web.pages.site import Site, to_page
from services.web.pages.visitors import Visitor, check_signed_in
from services.web.problems import ProblemError, of_http

PAGE = 50
ACTIONS = {**HOSTING, **OWN_TIME}


class LobbyPages:
    """Their endpoints."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._ask = site.backend.ask

    def routes(self) -> list[Route]:
        """For an application."""
        page = self._site.page
        return [
            Route("/", page(self._home)),
            Route("/lobby", page(self._lobby)),
            Route("/tables/{table_id}", page(self._table)),
            Route("/tables/{table_id}/{action}", page(self._act), methods=["POST"]),
        ]

    async def _home(self, _request: Request, visitor: Visitor) -> Response:
        games = []
        names: Mapping[str, str] = {}
        if visitor.token:
            listed = await self._ask(wire.ListGamesRequest(), wire.ListGamesResponse, visitor.caller)
            games = sorted(listed.games, key=lambda game: _place(game.status, visitor.player_id))
            ids = [each for game in games for each in game.status.players]
            names = await self._site.backend.names(ids, visitor.caller)
        return self._site.shown(
            "home.html",
            visitor,
            games=games,
            names=names,
            waits_for=waits_for,
            deadlines=lambda game: deadlines(game, visitor.player_id),
        )

    async def _lobby(self, request: Request, visitor: Visitor) -> Response:
        title = request.query_params.get("title", "")
        state = request.query_params.get("state", "TABLE_STATE_OPEN")
        if state not in self._site.texts(visitor).group("state"):
            state = ""
        asked = wire.ListTablesRequest(
            title=title,
            page_size=PAGE,
            page_token=request.query_params.get("page", ""),
            state=state or None,
        )
        listed = await self._ask(asked, wire.ListTablesResponse, visitor.caller)
        titles = await self._titles(visitor)
        return self._site.shown(
            "lobby.html",
            visitor,
            tables=listed.tables,
            next_page=listed.next_page_token,
            titles=titles,
            title=title,
            state=state,
            state_name=table_pb2.TableState.Name,
        )

    async def _titles(self, visitor: Visitor) -> list[title_pb2.TitleSummary]:
        listed = await self._ask(rules_pb2.ListTitlesRequest(), rules_pb2.ListTitlesResponse, visitor.caller)
        return list(listed.titles)

    async def _table(self, request: Request, visitor: Visitor) -> Response:
        return await self._table_page(visitor, request.path_params["table_id"])

    async def _table_page(
        self,
        visitor: Visitor,
        table_id: str,
        failed: Failed | None = None,
        action: str = "",
        link: str = "",
    ) -> Response:
        """`failed`: a form of this action that was refused; `link`: made just now, and shown this once."""
        asked = wire.GetTableRequest(table_id=table_id)
        found = await self._ask(asked, wire.GetTableResponse, visitor.caller)
        table = found.table
        backend, timing = self._site.backend, (table.turn_seconds, table.clock)
        own = await self._own_time(visitor, found, failed.form if failed and action == HOURS else None)
        people_at = playing(table)
        bearers = (each.bearer for each in table.seat_takers)
        names = {each.player_id: each.name for each in (*table.players, *bearers)}
        return shown_with(
            self._site,
            "table.html",
            visitor,
            failed,
            table=table,
            clocks=found.clocks if found.HasField("clocks") else None,
            time_rules=await time_rules_of(backend, self._site.texts(visitor), visitor.caller, *timing),
            own=own,
            form={} if own is None else own.form,
            rows={} if own is None else own.rows,
            days=DAYS,
            is_new=own is not None and not own.has_chosen,
            state=table_pb2.TableState.Name(table.state),
            undo_policy=table_pb2.UndoPolicy.Name(table.undo_policy),
            is_seated=any(each.player_id == visitor.player_id for each in table.players),
            names=names,
            plays=bool(visitor.token) and visitor.player_id in people_at,
            is_end_agreed=people_at <= set(table.agreed_to_end),
            seat_names=[(seat, names.get(seat, seat)) for seat in table.seats],
            link=link,
        )

    async def _own_time(
        self, visitor: Visitor, found: wire.GetTableResponse, refused: Mapping[str, str] | None
    ) -> OwnTime | None:
        """None for who plays no seat with a clock that leaves something to choose."""
        seat = own_seat(found, visitor.player_id) if visitor.token else None
        if seat is None:
            return None
        rules = await self._ask(wire.GetClockRulesRequest(), wire.GetClockRulesResponse, visitor.caller)
        return own_time(found.table, seat, tuple(rules.zones), refused)

    async def _act(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        table_id, action = request.path_params["table_id"], request.path_params["action"]
        form = await self._site.form(request, visitor)
        if action not in ACTIONS:
            raise of_http(404, "not_found", "there is no such page")
        given = {"request_id": form.get("request_id", ""), "table_id": table_id}
        if action in OWN_TIME:
            form = compacted(form)
        try:
            answer = await self._ask(ACTIONS[action](given, form), Message, visitor.caller)
        except ProblemError as failed:
            if form.get("link"):
                # Who comes by a link may not see the table.
                raise
            return await self._table_page(visitor, table_id, failed_with(form, failed), action)
        if isinstance(answer, wire.StartTableResponse):
            return to_page(f"/games/{answer.table.game_id}")
        if isinstance(answer, wire.MakeInvitationLinkResponse):
            path = f"/tables/{table_id}/join?link={answer.link_token}"
            return await self._table_page(visitor, table_id, link=self._site.address(request) + path)
        if isinstance(answer, wire.RematchTableResponse):
            table_id = answer.table.table_id
        return to_page(f"/tables/{table_id}")


def waits_for(status: game_status_pb2.GameStatus, player_id: str) -> bool:
    """Whether a game waits for a player, in a seat that is the player's own or was given to the player."""
    bearers = {each.seat: each.bearer_id for each in status.bearers}
    return any(bearers.get(seat, seat) == player_id for seat in status.acting_players)


def deadlines(game: game_summary_pb2.GameSummary, player_id: str) -> Sequence[int]:
    """When turns are overdue, since 1970 UTC: the player's own where the game waits for the player, else those of others."""
    bearers = {each.seat: each.bearer_id for each in game.status.bearers}
    ends = {each.player_id: each.deadline_time_ms for each in game.clocks}
    own = [at for seat, at in ends.items() if at and bearers.get(seat, seat) == player_id]
    return own or sorted(at for at in ends.values() if at)


def _place(status: game_status_pb2.GameStatus, player_id: str) -> tuple[bool, bool]:
    """In the list of a player's games: first those that wait for the player, last those that are over."""
    return bool(status.ending), not waits_for(status, player_id)
