"""The public pages of events: the list, an event, its players, rounds, standings and files; and what players do there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.common.substitutes import turns_of
from services.common.week_hours import read_week_hours
from services.gen.signalbox.lobby.v1 import tournament_pb2 as pb, tournaments_service_pb2 as wire
from services.web.pages import fields
from services.web.pages.eventview import EventReader, ShownEvent
from services.web.pages.sending import Failed, failed_with, shown_with
from services.web.pages.site import HEADERS, Site, to_page
from services.web.pages.visitors import Visitor, check_signed_in
from services.web.problems import ProblemError, of_http

PAGE = 50
FILES: Mapping[str, tuple[wire.ExportFormat, str]] = {
    "json": (wire.EXPORT_FORMAT_JSON, "application/json"),
    "csv": (wire.EXPORT_FORMAT_CSV, "application/zip"),
    "calendar": (wire.EXPORT_FORMAT_ICALENDAR, "text/calendar"),
}
WORTH, BANKRUPT = "worth.", "bankrupt."
PREFERENCES = 3


class EventPages:
    """Their endpoints."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._ask = site.backend.ask
        self._reader = EventReader(site.backend)

    def routes(self) -> list[Route]:
        """For an application."""
        page, event = self._site.page, "/events/{event_id}"
        of_round = event + "/rounds/{round_id}"
        return [
            Route("/events", page(self._list)),
            Route(event, page(self._event)),
            Route(event + "/players", page(self._players)),
            Route(event + "/standings/{stage}", page(self._standings)),
            Route(event + "/files/{kind}", page(self._file)),
            Route(of_round, page(self._round)),
            Route(of_round + "/sheets", page(self._sheets)),
            Route(
                of_round + "/tables/{number}/by-players/{action}", page(self._act_at_table), methods=["POST"]
            ),
            Route(event + "/take-part/{action}", page(self._act), methods=["POST"]),
        ]

    async def _list(self, request: Request, visitor: Visitor) -> Response:
        asked = wire.ListTournamentsRequest(page_size=PAGE, page_token=request.query_params.get("page", ""))
        listed = await self._ask(asked, wire.ListTournamentsResponse, visitor.caller)
        return self._site.shown(
            "events.html",
            visitor,
            events=[ShownEvent(each, (), {}, visitor) for each in listed.tournaments],
            next_page=listed.next_page_token,
        )

    async def _event(self, request: Request, visitor: Visitor) -> Response:
        return await self._event_page(visitor, request.path_params["event_id"])

    async def _event_page(self, visitor: Visitor, event_id: str, failed: Failed | None = None) -> Response:
        shown = await self._reader.event(visitor, event_id)
        own = None
        if visitor.token:
            entries = (await self._reader.entries(visitor, event_id, player_id=visitor.player_id)).entries
            own = next(iter(entries), None)
        state = pb.EntryState.Name(own.state) if own is not None else ""
        return shown_with(
            self._site,
            "event.html",
            visitor,
            failed,
            shown=shown,
            own_state=state,
            check_in=_open_check_in(shown),
            preference_count=min(PREFERENCES, len(shown.charter["titles"])),
            is_playing=own is not None and own.state != pb.ENTRY_STATE_WITHDRAWN,
        )

    async def _act(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        event_id, action = request.path_params["event_id"], request.path_params["action"]
        form = await self._site.form(request, visitor)
        try:
            await self._ask(_request_of_player(action, event_id, form), Message, visitor.caller)
        except ProblemError as failed:
            return await self._event_page(visitor, event_id, failed_with(form, failed))
        return to_page(f"/events/{event_id}")

    async def _players(self, request: Request, visitor: Visitor) -> Response:
        event_id = request.path_params["event_id"]
        shown = await self._reader.event(visitor, event_id)
        page = await self._reader.entries(visitor, event_id, request.query_params.get("page", ""))
        return shown_with(
            self._site,
            "event_players.html",
            visitor,
            None,
            shown=shown,
            entries=page.entries,
            next_page=page.next_page_token,
            state_name=pb.EntryState.Name,
            this_page=request.query_params.get("page", ""),
        )

    async def _standings(self, request: Request, visitor: Visitor) -> Response:
        event_id, stage = request.path_params["event_id"], fields.in_path(request.path_params["stage"])
        shown = await self._reader.event(visitor, event_id)
        found = await self._reader.standings(visitor, event_id, stage, request.query_params.get("page", ""))
        return self._site.shown("standings.html", visitor, shown=shown, stage=stage, standings=found)

    async def _file(self, request: Request, visitor: Visitor) -> Response:
        kind = request.path_params["kind"]
        if kind not in FILES:
            raise of_http(404, "not_found", "there is no such page")
        wanted, media_type = FILES[kind]
        asked = wire.ExportTournamentRequest(tournament_id=request.path_params["event_id"], format=wanted)
        file = await self._ask(asked, wire.ExportTournamentResponse, visitor.caller)
        as_file = {"Content-Disposition": f'attachment; filename="{file.name}"'}
        return Response(file.content, headers={**HEADERS, **as_file}, media_type=media_type)

    async def _round(self, request: Request, visitor: Visitor) -> Response:
        return await self._round_page(request, visitor)

    async def _round_page(self, request: Request, visitor: Visitor, failed: Failed | None = None) -> Response:
        given = request.path_params
        found = await self._reader.round(visitor, given["event_id"], given["round_id"])
        return shown_with(
            self._site,
            "round.html",
            visitor,
            failed,
            shown=found.shown,
            found=found,
            ending_name=pb.ResultEnding.Name,
            kind_name=pb.AdjudicationKind.Name,
            turns_of=turns_of,
        )

    async def _sheets(self, request: Request, visitor: Visitor) -> Response:
        given = request.path_params
        found = await self._reader.round(visitor, given["event_id"], given["round_id"])
        return self._site.shown(
            "sheets.html", visitor, shown=found.shown, found=found, ending_name=pb.ResultEnding.Name
        )

    async def _act_at_table(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        given = request.path_params
        form = await self._site.form(request, visitor)
        try:
            asked = _request_at_table(
                given["action"], given["round_id"], fields.in_path(given["number"]), form
            )
            await self._ask(asked, Message, visitor.caller)
        except ProblemError as failed:
            return await self._round_page(request, visitor, failed_with(form, failed))
        return to_page(f"/events/{given['event_id']}/rounds/{given['round_id']}#table-{given['number']}")


def _open_check_in(shown: ShownEvent) -> pb.TournamentCheckIn | None:
    is_there = shown.event.HasField("check_in") and not shown.event.is_finished
    return shown.event.check_in if is_there else None


def _request_of_player(action: str, event_id: str, form: Mapping[str, str]) -> Message:
    """What a player asks for. Raises `ProblemError`."""
    given: Any = {"request_id": form.get("request_id", ""), "tournament_id": event_id}
    match action:
        case "enter":
            wanted = [form.get(f"preference.{number}", "") for number in range(PREFERENCES)]
            return wire.EnterTournamentRequest(
                **given, preferences=[each for each in wanted if each], hours=_hours(form)
            )
        case "withdraw":
            return wire.WithdrawEntryRequest(**given, reason=form.get("reason", ""))
        case "check-in":
            return wire.CheckInRequest(**given)
        case "refuse-place":
            return wire.RefusePlaceRequest(**given, stage=fields.small(form, "stage"))
        case _:
            raise of_http(404, "not_found", "there is no such page")


def _request_at_table(action: str, round_id: str, table: int, form: Mapping[str, str]) -> Message:
    """What a player asks for at a table. Raises `ProblemError`."""
    given: Any = {"request_id": form.get("request_id", ""), "round_id": round_id, "table": table}
    match action:
        case "report":
            return wire.ReportResultRequest(**given, worths=_worths(form))
        case "confirm":
            return wire.ConfirmResultRequest(**given, worths=_worths(form))
        case "appeal":
            return wire.FileAppealRequest(
                **given, adjudication=fields.small(form, "adjudication"), text=form.get("text", "")
            )
        case _:
            raise of_http(404, "not_found", "there is no such page")


def _hours(form: Mapping[str, str]) -> tuple[int, ...]:
    """When a player can play. Raises `ProblemError`."""
    try:
        return read_week_hours(form.get("hours", ""))
    except ValueError as problem:
        raise of_http(400, "malformed_request", str(problem)) from problem


def _worths(form: Mapping[str, str]) -> list[wire.PlayerWorth]:
    """The worths of the seats of a table. Raises `ProblemError`."""
    return [
        wire.PlayerWorth(
            player_id=name.removeprefix(WORTH),
            worth=fields.whole(form, name),
            bankrupt_order=fields.small(form, BANKRUPT + name.removeprefix(WORTH)),
        )
        for name in form
        if name.startswith(WORTH)
    ]
