"""The pages of series: seasons of divisions, each played as an event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.gen.signalbox.lobby.v1 import (
    tournament_series_pb2 as pb,
    tournament_series_service_pb2 as wire,
)
from services.web.pages import fields
from services.web.pages.sending import Failed, failed_with, shown_with
from services.web.pages.site import Site, to_page
from services.web.pages.visitors import Visitor, check_signed_in
from services.web.problems import ProblemError, of_http

PAGE = 50


class SeriesPages:
    """Their endpoints."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._ask = site.backend.ask

    def routes(self) -> list[Route]:
        """For an application."""
        page = self._site.page
        return [
            Route("/series", page(self._list)),
            Route("/series/new", page(self._new), methods=["GET", "POST"]),
            Route("/series/{series_id}", page(self._series)),
            Route("/series/{series_id}/{action}", page(self._act), methods=["POST"]),
        ]

    async def _list(self, request: Request, visitor: Visitor) -> Response:
        asked = wire.ListSeriesRequest(page_size=PAGE, page_token=request.query_params.get("page", ""))
        listed = await self._ask(asked, wire.ListSeriesResponse, visitor.caller)
        return self._site.shown(
            "all_series.html",
            visitor,
            series=listed.series,
            next_page=listed.next_page_token,
            is_invited=is_invited,
        )

    async def _new(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        if request.method == "GET":
            return shown_with(self._site, "new_series.html", visitor, None)
        form = await self._site.form(request, visitor)
        try:
            made = await self._ask(_series_in(form), wire.CreateSeriesResponse, visitor.caller)
        except ProblemError as failed:
            return shown_with(self._site, "new_series.html", visitor, failed_with(form, failed))
        return to_page(f"/series/{made.series.series_id}")

    async def _series(self, request: Request, visitor: Visitor) -> Response:
        return await self._page(request, visitor)

    async def _page(self, request: Request, visitor: Visitor, failed: Failed | None = None) -> Response:
        asked = wire.GetSeriesRequest(series_id=request.path_params["series_id"])
        series = (await self._ask(asked, wire.GetSeriesResponse, visitor.caller)).series
        seasons, agreed = series.seasons, frozenset(series.agreed)
        return shown_with(
            self._site,
            "series.html",
            visitor,
            failed,
            series=series,
            names={each.player_id: each.name for each in series.players},
            agreed=agreed,
            is_member=is_invited(series, visitor.player_id) or visitor.player_id in agreed,
            is_running=bool(seasons) and not seasons[-1].standings,
        )

    async def _act(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        series_id = request.path_params["series_id"]
        form = await self._site.form(request, visitor)
        given: Any = {"request_id": form.get("request_id", ""), "series_id": series_id}
        make = REQUESTS.get(request.path_params["action"])
        if make is None:
            raise of_http(404, "not_found", "there is no such page")
        try:
            await self._ask(make(given, form), Message, visitor.caller)
        except ProblemError as failed:
            return await self._page(request, visitor, failed_with(form, failed))
        return to_page(f"/series/{series_id}")


def is_invited(series: pb.Series, player_id: str) -> bool:
    """Whether a player is named in a series and has not agreed to play."""
    is_named = any(player_id in division.players for division in series.divisions)
    return is_named and player_id not in series.agreed


def _people(form: Mapping[str, str]) -> dict[str, Any]:
    return {each: _lines(form.get(each, "")) for each in ("newcomers", "leaving")}


REQUESTS: Mapping[str, Callable[[Any, Mapping[str, str]], Message]] = {
    "join": lambda given, _form: wire.JoinSeriesRequest(**given),
    "leave": lambda given, _form: wire.LeaveSeriesRequest(**given),
    "members": lambda given, form: wire.ChangeMembersRequest(**given, **_people(form)),
    "open": lambda given, form: wire.OpenSeasonRequest(**given, charter=form.get("charter", "")),
    "close": lambda given, form: wire.CloseSeasonRequest(**given, **_people(form)),
}


def _series_in(form: Mapping[str, str]) -> wire.CreateSeriesRequest:
    """The series that a form describes: a block of names for each division. Raises `ProblemError`."""
    points = [fields.small({"points": each}, "points") for each in form.get("points", "").split(",")]
    blocks = form.get("divisions", "").replace("\r\n", "\n").split("\n\n")
    return wire.CreateSeriesRequest(
        request_id=form.get("request_id", ""),
        name=form.get("name", "").strip(),
        rule=pb.SeasonRule(
            moving=fields.small(form, "moving"),
            division_size=fields.small(form, "division_size"),
            series_points=points,
        ),
        divisions=[pb.Division(players=names) for names in map(_lines, blocks) if names],
    )


def _lines(text: str) -> list[str]:
    """Names, one on each line."""
    return [each.strip() for each in text.splitlines() if each.strip()]
