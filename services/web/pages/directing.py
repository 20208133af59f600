"""The pages of directors about a whole event: a new one, its charter, and what comes next."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.gen.signalbox.lobby.v1 import (
    tournament_desk_service_pb2 as wire,
    tournament_pb2 as pb,
    tournaments_service_pb2 as tournaments,
)
from services.gen.signalbox.rules.v1 import rules_pb2
from services.web.pages import fields
from services.web.pages.charters import PRESETS, TITLE, USUAL, as_text, charter_in
from services.web.pages.eventview import EventReader, ShownEvent
from services.web.pages.progress import table_rows
from services.web.pages.sending import Failed, failed_with, shown_with
from services.web.pages.site import Site, to_page
from services.web.pages.visitors import Visitor, check_signed_in
from services.web.problems import ProblemError, of_http

Form: TypeAlias = Mapping[str, str]
AS_JSON = "as_json"
USUAL_PRESET = next(iter(PRESETS.values()))


class DirectingPages:
    """Their endpoints."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._ask = site.backend.ask
        self._reader = EventReader(site.backend)

    def routes(self) -> list[Route]:
        """For an application."""
        page, event = self._site.page, "/events/{event_id}"
        return [
            Route("/events/new", page(self._new), methods=["GET", "POST"]),
            Route(event + "/charter", page(self._charter), methods=["GET", "POST"]),
            Route(event + "/direct", page(self._desk)),
            Route(event + "/direct/{action}", page(self._act), methods=["POST"]),
        ]

    async def _new(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        if request.method == "GET":
            preset = request.query_params.get("preset", "")
            return await self._new_page(visitor, PRESETS.get(preset, USUAL_PRESET), None)
        form = await self._site.form(request, visitor)
        try:
            charter = form["charter"] if "charter" in form else await self._charter_of(form, visitor)
            if AS_JSON in form:
                return await self._new_page(visitor, {**form, "charter": charter}, None)
            asked = wire.CreateTournamentRequest(request_id=form.get("request_id", ""), charter=charter)
            made = await self._ask(asked, wire.CreateTournamentResponse, visitor.caller)
        except ProblemError as failed:
            return await self._new_page(visitor, form, failed_with(form, failed))
        return to_page(f"/events/{made.tournament.tournament_id}/direct")

    async def _charter_of(self, form: Form, visitor: Visitor) -> str:
        listed = await self._ask(
            tournaments.ListScoringSystemsRequest(), tournaments.ListScoringSystemsResponse, visitor.caller
        )
        systems = {each.name: json.loads(each.system) for each in listed.systems}
        texts = self._site.texts(visitor)
        first = texts.found("format_name", form.get("format", "")) or ""
        return as_text(charter_in(form, systems, (first, texts("new_event.final"))))

    async def _new_page(self, visitor: Visitor, form: Form, failed: Failed | None) -> Response:
        titles = await self._ask(rules_pb2.ListTitlesRequest(), rules_pb2.ListTitlesResponse, visitor.caller)
        systems = await self._ask(
            tournaments.ListScoringSystemsRequest(), tournaments.ListScoringSystemsResponse, visitor.caller
        )
        is_begun = any(each.startswith(TITLE) for each in form) or form.get("external")
        if not is_begun and titles.titles:
            form = {**form, TITLE + titles.titles[0].title: "on"}
        return shown_with(
            self._site,
            "new_event.html",
            visitor,
            failed,
            form=form,
            usual_least=int(USUAL["smallest"]),
            presets=list(PRESETS),
            titles=titles.titles,
            systems=[each.name for each in systems.systems],
        )

    async def _charter(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        event_id = request.path_params["event_id"]
        form = None if request.method == "GET" else await self._site.form(request, visitor)
        shown = await self._directed(visitor, event_id)
        if form is None:
            return shown_with(
                self._site, "charter.html", visitor, None, shown=shown, charter=as_text(shown.charter)
            )
        try:
            asked = wire.AmendCharterRequest(
                request_id=form.get("request_id", ""),
                tournament_id=event_id,
                charter=form.get("charter", ""),
                charter_version=fields.small(form, "version"),
                reason=form.get("reason", ""),
            )
            await self._ask(asked, Message, visitor.caller)
        except ProblemError as failed:
            given, refused = form.get("charter", ""), failed_with(form, failed)
            return shown_with(self._site, "charter.html", visitor, refused, shown=shown, charter=given)
        return to_page(f"{shown.path}#charter")

    async def _directed(self, visitor: Visitor, event_id: str) -> ShownEvent:
        """An event that the visitor directs; the services see to it as well. Raises `ProblemError`."""
        shown = await self._reader.event(visitor, event_id)
        if not shown.is_director:
            raise of_http(403, "not_director", "only a director of this event sees this page")
        return shown

    async def _desk(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        return await self._desk_page(visitor, request.path_params["event_id"])

    async def _desk_page(self, visitor: Visitor, event_id: str, failed: Failed | None = None) -> Response:
        shown = await self._directed(visitor, event_id)
        stage = shown.running_stage
        entrants = [] if not shown.event.stages else list(shown.event.stages[-1].entrants)
        rounds = [] if stage is None else shown.rounds_of(stage)
        open_tables = [
            (each, state)
            for each in rounds
            if each.is_published
            for state in each.tables
            if not state.is_settled
        ]
        game_ids = [state.table.game_id for _, state in open_tables if state.table.game_id]
        return shown_with(
            self._site,
            "desk.html",
            visitor,
            failed,
            shown=shown,
            entrants=await self._reader.names(visitor, entrants),
            draft=next((each for each in rounds if not each.is_published), None),
            progress=table_rows(open_tables, await self._reader.games(visitor, game_ids)),
            next_round=sum(each.is_published for each in rounds) + 1,
        )

    async def _act(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        event_id, action = request.path_params["event_id"], request.path_params["action"]
        form = await self._site.form(request, visitor)
        try:
            if action not in REQUESTS:
                raise of_http(404, "not_found", "there is no such page")
            given = {"request_id": form.get("request_id", ""), "tournament_id": event_id}
            answer = await self._ask(REQUESTS[action](given, form), Message, visitor.caller)
        except ProblemError as failed:
            return await self._desk_page(visitor, event_id, failed_with(form, failed))
        if isinstance(answer, wire.ProposeRoundResponse):
            return to_page(f"/events/{event_id}/rounds/{answer.round.round_id}/draft")
        return to_page(f"/events/{event_id}/{'players' if action in ON_PLAYERS else 'direct'}")


def _role(given: Any, form: Form) -> Message:
    role = pb.TOURNAMENT_ROLE_DIRECTOR if form.get("role") == "director" else pb.TOURNAMENT_ROLE_SCORER
    player = form.get("player_id", "").strip()
    return wire.SetRoleRequest(**given, player_id=player, role=role, is_given=form.get("change") == "give")


def _check_in(given: Any, form: Form) -> Message:
    return wire.OpenCheckInRequest(
        **given, number=fields.small(form, "number"), until_time_ms=fields.time_ms(form, "until")
    )


REQUESTS: Mapping[str, Callable[[Any, Form], Message]] = {
    "entries": lambda given, form: wire.SetEntriesRequest(**given, are_open=form.get("are_open") == "1"),
    "admit": lambda given, form: wire.AdmitEntryRequest(**given, player_id=form.get("player_id", "")),
    "remove": lambda given, form: wire.RemoveEntryRequest(
        **given, player_id=form.get("player_id", ""), reason=form.get("reason", "")
    ),
    "role": _role,
    "check-in": _check_in,
    "post": lambda given, form: wire.PostAnnouncementRequest(**given, text=form.get("text", "")),
    "penalty": lambda given, form: wire.GivePenaltyRequest(
        **given,
        player_id=form.get("player_id", ""),
        points=fields.millionths(form, "points"),
        reason=form.get("reason", ""),
    ),
    "start": lambda given, form: wire.StartStageRequest(**given),
    "finish": lambda given, form: wire.FinishStageRequest(**given),
    "propose": lambda given, form: wire.ProposeRoundRequest(**given),
}
ON_PLAYERS = ("admit", "remove")
