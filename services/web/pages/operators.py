"""The pages of operators: health, games, players, staff acts. The services refuse everybody else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias
from urllib.parse import quote, urlencode

from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.gen.signalbox.ledger.v1 import ledger_pb2 as ledger
from services.gen.signalbox.lobby.v1 import (
    game_summary_pb2,
    lobby_service_pb2 as lobby,
    staff_service_pb2 as staff,
)
from services.gen.signalbox.rules.v1 import direction_pb2
from services.web.pages import fields
from services.web.pages.sending import Failed, failed_with, shown_with
from services.web.pages.site import Site, to_page
from services.web.pages.visitors import Visitor, check_signed_in
from services.web.problems import ProblemError, of_http

Form: TypeAlias = Mapping[str, str]
HEALTH_SECONDS = 2.0
NARROWING = ("author", "player", "game", "act")


class OperatorPages:
    """Their endpoints."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._ask = site.backend.ask

    def routes(self) -> list[Route]:
        """For an application."""
        page, game = self._site.page, "/operator/games/{game_id}"
        return [
            Route("/operator", page(self._health)),
            Route("/operator/games", page(self._games)),
            Route(game, page(self._game)),
            Route(game + "/{action}", page(self._act), methods=["POST"]),
            Route("/operator/players", page(self._players)),
            Route("/operator/players/{player_id}/{action}", page(self._act_on_player), methods=["POST"]),
            Route("/operator/acts", page(self._acts)),
        ]

    async def _games_of(self, visitor: Visitor, player_id: str, page: str = "") -> lobby.ListGamesResponse:
        """The games of a player, which only operators may list: so it says as well whether the visitor is one. Raises
        `ProblemError`."""
        check_signed_in(visitor)
        asked = lobby.ListGamesRequest(
            listing=lobby.GAME_LISTING_OF_PLAYER, player_id=player_id, page_token=page
        )
        return await self._ask(asked, lobby.ListGamesResponse, visitor.caller)

    async def _holds(self, visitor: Visitor) -> list[ledger.Hold]:
        found = await self._ask(ledger.ListHoldsRequest(), ledger.ListHoldsResponse, visitor.caller)
        return list(found.holds)

    async def _health(self, _request: Request, visitor: Visitor) -> Response:
        await self._games_of(visitor, visitor.player_id)
        statuses = await self._site.backend.calls.statuses(HEALTH_SECONDS)
        try:
            holds, problem = await self._holds(visitor), None
        except ProblemError as failed:
            # What is away is what this page is for.
            holds, problem = [], failed.problem
        return self._site.shown("operator.html", visitor, statuses=statuses, holds=holds, problem=problem)

    async def _games(self, request: Request, visitor: Visitor) -> Response:
        wanted = request.query_params.get("game", "").strip()
        if wanted:
            return to_page(f"/operator/games/{quote(wanted, safe='')}")
        await self._games_of(visitor, visitor.player_id)
        listing = lobby.ListGamesRequest(
            listing=lobby.GAME_LISTING_ALL, page_token=request.query_params.get("page", "")
        )
        listed = await self._ask(listing, lobby.ListGamesResponse, visitor.caller)
        return self._site.shown(
            "operator_games.html",
            visitor,
            games=listed.games,
            names=await self._names(visitor, listed),
            holds={each.game_id for each in await self._holds(visitor)},
            next_page=listed.next_page_token,
        )

    async def _names(self, visitor: Visitor, listed: lobby.ListGamesResponse) -> Mapping[str, str]:
        ids = [player for each in listed.games for player in each.status.players]
        return await self._site.backend.names(ids, visitor.caller)

    async def _game(self, request: Request, visitor: Visitor) -> Response:
        return await self._game_page(request, visitor)

    async def _game_page(self, request: Request, visitor: Visitor, failed: Failed | None = None) -> Response:
        await self._games_of(visitor, visitor.player_id)
        game_id = request.path_params["game_id"]
        listed = await self._named(visitor, game_id)
        hold = next((each for each in await self._holds(visitor) if each.game_id == game_id), None)
        return shown_with(
            self._site,
            "operator_game.html",
            visitor,
            failed,
            game=listed.games[0],
            names=await self._names(visitor, listed),
            hold=hold,
            done=request.query_params.get("done", ""),
        )

    async def _named(self, visitor: Visitor, game_id: str) -> lobby.ListGamesResponse:
        listing = lobby.ListGamesRequest(listing=lobby.GAME_LISTING_NAMED, game_ids=[game_id])
        listed = await self._ask(listing, lobby.ListGamesResponse, visitor.caller)
        if not listed.games:
            raise of_http(404, "not_found", "there is no such game")
        return listed

    async def _act(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        game_id, action = request.path_params["game_id"], request.path_params["action"]
        form = await self._site.form(request, visitor)
        try:
            if action not in REQUESTS:
                raise of_http(404, "not_found", "there is no such page")
            game = (await self._named(visitor, game_id)).games[0]
            await self._ask(REQUESTS[action](game, form), Message, visitor.caller)
        except ProblemError as failed:
            return await self._game_page(request, visitor, failed_with(form, failed))
        return to_page(f"/operator/games/{game_id}?done={action}")

    async def _acts(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        wanted = {name: request.query_params.get(name, "").strip() for name in NARROWING}
        asked = staff.ListStaffActsRequest(
            page_token=request.query_params.get("page", ""),
            author_id=await self._id_of(visitor, wanted["author"]),
            player_id=await self._id_of(visitor, wanted["player"]),
            game_id=wanted["game"],
            act=wanted["act"],
        )
        listed = await self._ask(asked, staff.ListStaffActsResponse, visitor.caller)
        return self._site.shown(
            "operator_acts.html",
            visitor,
            acts=listed.acts,
            wanted=wanted,
            names=await self._site.backend.names([each.player_id for each in listed.acts], visitor.caller),
            next_page=listed.next_page_token and urlencode({**wanted, "page": listed.next_page_token}),
        )

    async def _id_of(self, visitor: Visitor, name_or_id: str) -> str:
        """The id of a player; the text itself where no player has this name, as for the bearer of an operator's token."""
        if not name_or_id:
            return ""
        asked = lobby.ListPlayerNamesRequest(name=name_or_id)
        found = await self._ask(asked, lobby.ListPlayerNamesResponse, visitor.caller)
        return next((each.player_id for each in found.players), name_or_id)

    async def _act_on_player(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        player_id, action = request.path_params["player_id"], request.path_params["action"]
        form = await self._site.form(request, visitor)
        try:
            if action not in PLAYER_REQUESTS:
                raise of_http(404, "not_found", "there is no such page")
            await self._ask(PLAYER_REQUESTS[action](player_id, form), Message, visitor.caller)
        except ProblemError as failed:
            return await self._player_page(request, visitor, player_id, failed_with(form, failed))
        return to_page(f"/operator/players?player={quote(player_id, safe='')}&done={action}")

    async def _players(self, request: Request, visitor: Visitor) -> Response:
        return await self._player_page(request, visitor, request.query_params.get("player", "").strip())

    async def _player_page(
        self, request: Request, visitor: Visitor, wanted: str, failed: Failed | None = None
    ) -> Response:
        """`wanted`: name or id of the player."""
        ban, tokens = None, []
        player, listed, is_online = None, lobby.ListGamesResponse(), False
        await self._games_of(visitor, visitor.player_id)
        if wanted:
            asked = lobby.ListPlayerNamesRequest(player_ids=[wanted], name=wanted)
            found = await self._ask(asked, lobby.ListPlayerNamesResponse, visitor.caller)
            player = next(iter(found.players), None)
        if player is not None:
            listed = await self._games_of(visitor, player.player_id, request.query_params.get("page", ""))
            presence = lobby.ListOnlineRequest(player_ids=[player.player_id])
            online = await self._ask(presence, lobby.ListOnlineResponse, visitor.caller)
            is_online = bool(online.online_player_ids)
            in_force = staff.ListBansRequest(player_id=player.player_id)
            bans = await self._ask(in_force, staff.ListBansResponse, visitor.caller)
            ban = next(iter(bans.bans), None)
            owned = staff.ListPlayerTokensRequest(player_id=player.player_id)
            tokens = list((await self._ask(owned, staff.ListPlayerTokensResponse, visitor.caller)).tokens)
        return shown_with(
            self._site,
            "operator_players.html",
            visitor,
            failed,
            ban=ban,
            tokens=tokens,
            done=request.query_params.get("done", ""),
            wanted=wanted,
            player=player,
            is_online=is_online,
            games=listed.games,
            names=await self._names(visitor, listed),
            holds=set(),
            next_page=listed.next_page_token,
        )


def _about(player_id: str, form: Form) -> dict[str, str]:
    return {
        "request_id": form.get("request_id", ""),
        "player_id": player_id,
        "reason": form.get("reason", ""),
    }


def _direction(game: game_summary_pb2.GameSummary, form: Form, **decided: Any) -> Message:
    """What an operator decides about a game; it stays in the game's log with its author and reason."""
    return lobby.DirectTableRequest(
        request_id=form.get("request_id", ""),
        table_id=game.table_id,
        expected_sequence=fields.whole(form, "sequence"),
        direction=direction_pb2.Direction(reason=form.get("reason", ""), **decided),
    )


def _about_book(game: game_summary_pb2.GameSummary, form: Form) -> dict[str, str]:
    return {
        "request_id": form.get("request_id", ""),
        "game_id": game.status.game_id,
        "reason": form.get("reason", ""),
    }


def _roll_back(game: game_summary_pb2.GameSummary, form: Form) -> Message:
    return _direction(
        game, form, roll_back=direction_pb2.RollBack(to_sequence=fields.whole(form, "to_sequence"))
    )


REQUESTS: Mapping[str, Callable[[game_summary_pb2.GameSummary, Form], Message]] = {
    "hold": lambda game, form: ledger.HoldGameRequest(**_about_book(game, form)),
    "release": lambda game, form: ledger.ReleaseHoldRequest(**_about_book(game, form)),
    "rebuild": lambda game, form: ledger.RebuildBookRequest(**_about_book(game, form)),
    "suspend": lambda game, form: _direction(game, form, suspend=direction_pb2.Suspend()),
    "resume": lambda game, form: _direction(game, form, resume=direction_pb2.Resume()),
    "roll-back": _roll_back,
}
PLAYER_REQUESTS: Mapping[str, Callable[[str, Form], Message]] = {
    "ban": lambda player_id, form: staff.BanPlayerRequest(
        until_time_ms=fields.time_ms(form, "until"), **_about(player_id, form)
    ),
    "unban": lambda player_id, form: staff.UnbanPlayerRequest(**_about(player_id, form)),
    "end-sessions": lambda player_id, form: staff.EndSessionsRequest(**_about(player_id, form)),
    "revoke-token": lambda player_id, form: staff.RevokePlayerTokenRequest(
        token_id=form.get("token_id", ""), **_about(player_id, form)
    ),
}
