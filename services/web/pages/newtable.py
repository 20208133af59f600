"""The page on which a table is opened."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire, table_pb2
from services.gen.signalbox.rules.v1 import rules_pb2, title_pb2
from services.web.pages import fields
from services.web.pages.clockform import (
    DAYS,
    MORE_ROWS,
    compacted,
    row_counts,
    started,
    timing_in,
)
from services.web.pages.clockwords import span
from services.web.pages.site import Site, to_page
from services.web.pages.visitors import Visitor, check_signed_in
from services.web.problems import ProblemError

OPTION = "option."
RULING = "ruling."
# Rows of clocks, and a field for each ruling and option.
FIELDS_MAX = 1_000


class NewTablePages:
    """Their endpoint."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._ask = site.backend.ask

    def routes(self) -> list[Route]:
        """For an application."""
        return [Route("/tables/new", self._site.page(self._new), methods=["GET", "POST"])]

    async def _new(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        if request.method == "GET":
            return await self._offered(visitor, request.query_params.get("title", ""), None)
        form = compacted(await self._site.form(request, visitor, FIELDS_MAX))
        if MORE_ROWS in form:
            return await self._offered(visitor, form.get("title", ""), form)
        try:
            made = await self._ask(_table_in(form), wire.CreateTableResponse, visitor.caller)
        except ProblemError as failed:
            return await self._offered(visitor, form.get("title", ""), form, failed)
        return to_page(f"/tables/{made.table.table_id}")

    async def _offered(
        self,
        visitor: Visitor,
        title: str,
        form: Mapping[str, str] | None,
        failed: ProblemError | None = None,
    ) -> Response:
        """What can be chosen, as it was chosen last; `form` is None for a new one."""
        listed = await self._ask(rules_pb2.ListTitlesRequest(), rules_pb2.ListTitlesResponse, visitor.caller)
        if not title:
            return self._site.shown("choose_title.html", visitor, titles=listed.titles)
        view = await self._site.backend.title(title, (), visitor.caller)
        rules = await self._ask(wire.GetClockRulesRequest(), wire.GetClockRulesResponse, visitor.caller)
        is_new = form is None
        form = started(rules) if form is None else form
        return self._site.shown(
            "new_table.html",
            visitor,
            200 if failed is None else failed.problem.status,
            title=view,
            summary=next(each for each in listed.titles if each.title == view.title),
            form=form,
            is_new=is_new,
            rules=rules,
            rows=row_counts(form),
            days=DAYS,
            zones=fields.zones(),
            round_kinds=self._round_kinds(visitor, view),
            most_of_turn=span(self._site.texts(visitor), rules.turn_seconds_max),
            request_id=secrets.token_hex(16),
            problem=None if failed is None else failed.problem,
        )

    def _round_kinds(self, visitor: Visitor, title: title_pb2.TitleView) -> Sequence[tuple[str, str]]:
        """The kinds of rounds that a title names itself, and the usual ones of titles with trains."""
        texts = self._site.texts(visitor)
        usual = texts.group("round_kind") if title.HasField("trains") else {}
        return [*usual.items(), *((each.kind, texts.said(each.name)) for each in title.round_names)]


def _table_in(form: Mapping[str, str]) -> wire.CreateTableRequest:
    """The table that a form describes. Raises `ProblemError` for what is no number."""
    return wire.CreateTableRequest(
        request_id=form.get("request_id", ""),
        title=form.get("title", ""),
        player_count=fields.small(form, "player_count"),
        options=[name.removeprefix(OPTION) for name in form if name.startswith(OPTION)],
        ruling_profile=form.get("profile", ""),
        rulings=[
            table_pb2.RulingChoice(ruling_id=name.removeprefix(RULING), value=value)
            for name, value in form.items()
            if name.startswith(RULING) and value
        ],
        undo_policy=fields.chosen(form, "undo_policy", table_pb2.UndoPolicy.keys()),
        visibility=fields.chosen(form, "visibility", table_pb2.TableVisibility.keys()),
        owner_directs="owner_directs" in form,
        **timing_in(form),
    )
