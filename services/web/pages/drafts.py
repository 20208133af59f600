"""The page of a round that is not published: its tables, changed by hand, and what they cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from services.gen.signalbox.lobby.v1 import tournament_desk_service_pb2 as wire
from services.web.pages import fields
from services.web.pages.eventview import EventReader, ShownRound, proposal_in
from services.web.pages.sending import Failed, failed_with, shown_with
from services.web.pages.site import HEADERS, Site, to_page
from services.web.pages.visitors import Visitor, check_signed_in
from services.web.problems import ProblemError, of_http

TABLE, SEAT, TITLE = "table.", "seat.", "title."
# Two for each player, one for each table.
FIELDS_MAX = 20_000


class DraftPages:
    """Their endpoints."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._ask = site.backend.ask
        self._reader = EventReader(site.backend)

    def routes(self) -> list[Route]:
        """For an application."""
        page, draft = self._site.page, "/events/{event_id}/rounds/{round_id}/draft"
        return [
            Route(draft, page(self._draft)),
            Route(draft + "/cost", page(self._cost), methods=["POST"]),
            Route(draft + "/{action}", page(self._act), methods=["POST"]),
        ]

    async def _draft(self, request: Request, visitor: Visitor) -> Response:
        return await self._page(request, visitor)

    async def _page(
        self,
        request: Request,
        visitor: Visitor,
        failed: Failed | None = None,
        arranged: dict[str, Any] | None = None,
        is_priced: bool = False,
    ) -> Response:
        """`arranged`: other tables than those recorded; `is_priced`: with what they cost."""
        check_signed_in(visitor)
        given = request.path_params
        found = await self._reader.round(visitor, given["event_id"], given["round_id"])
        if found.round.is_published:
            return to_page(found.path)
        return shown_with(
            self._site,
            "draft.html",
            visitor,
            failed,
            shown=found.shown,
            found=found,
            arranged=arranged or found.proposal,
            cost=compared(found.proposal, arranged) if arranged is not None and is_priced else None,
        )

    async def _cost(self, request: Request, visitor: Visitor) -> Response:
        """What the tables of the form cost, as a part of the page: the module asks for it."""
        check_signed_in(visitor)
        given = request.path_params
        form = await self._site.form(request, visitor, FIELDS_MAX)
        try:
            found = await self._reader.round(visitor, given["event_id"], given["round_id"])
            changed = await self._priced(found, visitor, form)
        except ProblemError as failed:
            text = self._site.written("refusal.html", visitor, problem=failed.problem)
            return HTMLResponse(text, failed.problem.status, HEADERS)
        cost = compared(found.proposal, changed)
        return HTMLResponse(self._site.written("cost.html", visitor, cost=cost), headers=HEADERS)

    async def _act(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        given, action = request.path_params, request.path_params["action"]
        form = await self._site.form(request, visitor, FIELDS_MAX)
        found = await self._reader.round(visitor, given["event_id"], given["round_id"])
        try:
            if action == "preview":
                changed = await self._priced(found, visitor, form)
                return await self._page(request, visitor, None, changed, is_priced=True)
            if action not in ("override", "publish"):
                raise of_http(404, "not_found", "there is no such page")
            await self._recorded(found, visitor, form, action == "publish")
        except ProblemError as failed:
            arranged = {**found.proposal, "tables": _tables_as_sent(form)}
            return await self._page(request, visitor, failed_with(form, failed), arranged)
        return to_page(found.path if action == "publish" else found.path + "/draft")

    async def _priced(self, found: ShownRound, visitor: Visitor, form: Mapping[str, str]) -> dict[str, Any]:
        asked = wire.PreviewOverrideRequest(round_id=found.round.round_id, tables=tables_in(form))
        answer = await self._ask(asked, wire.PreviewOverrideResponse, visitor.caller)
        return proposal_in(answer.proposal)

    async def _recorded(
        self, found: ShownRound, visitor: Visitor, form: Mapping[str, str], is_to_publish: bool
    ) -> None:
        """Set the tables of the form where they differ from those recorded; publish. Raises `ProblemError`."""
        if form.get("digest") != found.round.proposal_digest:
            raise of_http(
                409, "stale_draft", "somebody has changed or drawn this round meanwhile: look at it again"
            )
        request_id, tables = form.get("request_id", ""), tables_in(form)
        recorded = [(each["title"], each["seats"]) for each in found.proposal["tables"]]
        if not is_to_publish or [(each.title, list(each.seats)) for each in tables] != recorded:
            override = wire.OverrideRoundRequest(
                request_id=f"{request_id}-o",
                round_id=found.round.round_id,
                tables=tables,
                reason=form.get("reason", ""),
            )
            await self._ask(override, Message, visitor.caller)
        if is_to_publish:
            publish = wire.PublishRoundRequest(
                request_id=f"{request_id}-p",
                round_id=found.round.round_id,
                publish_time_ms=fields.time_ms(form, "at"),
            )
            await self._ask(publish, Message, visitor.caller)


def tables_in(form: Mapping[str, str]) -> list[wire.TableOverride]:
    """The tables of a form, players by the numbers of their seats; of equal ones the first in the form comes first.

    Tables without players are left out. Raises `ProblemError`."""
    placed: dict[int, list[tuple[int, str]]] = {}
    for name in form:
        if name.startswith(TABLE):
            player = name.removeprefix(TABLE)
            at = fields.small(form, name), fields.small(form, SEAT + player)
            if min(at) < 1:
                raise of_http(400, "malformed_request", "tables and seats are numbered from 1")
            placed.setdefault(at[0], []).append((at[1], player))
    return [
        wire.TableOverride(
            title=form.get(f"{TITLE}{number}", ""),
            seats=[player for _, player in sorted(placed[number], key=lambda seat: seat[0])],
        )
        for number in sorted(placed)
    ]


def _tables_as_sent(form: Mapping[str, str]) -> Sequence[Mapping[str, Any]]:
    """The tables of a form that was refused, to be shown again; none where they cannot be read."""
    try:
        tables = tables_in(form)
    except ProblemError:
        return []
    return [
        {"number": number, "title": each.title, "seats": list(each.seats)}
        for number, each in enumerate(tables, 1)
    ]


def compared(recorded: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    """The costs of recorded and changed tables, whose terms come in the order in which they count: `sign` is -1 where the changed
    ones cost less, decided by `term`."""
    before, after = recorded["cost"], changed["cost"]
    term = next((each for each in before if before[each] != after[each]), "")
    difference = after[term] - before[term] if term else 0
    return {
        "before": before,
        "after": after,
        "tables": changed["tables"],
        "term": term,
        "sign": (difference > 0) - (difference < 0),
    }
