"""The page of a game: what is shown at one sequence, moves, and the stream by which a browser hears of the next one."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from contextlib import ExitStack

from google.protobuf import json_format
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from services.gen.signalbox.rules.v1 import command_pb2, rules_pb2 as wire
from services.web.contracts import Resumption
from services.web.pages.choices import filled
from services.web.pages.gameview import GameReader
from services.web.pages.site import HEADERS, Site, to_page
from services.web.pages.visitors import Visitor, check_signed_in
from services.web.problems import ProblemError, of_http
from services.web.streams import EVENTS, LAST_EVENT_ID, StreamForm, held, with_first, written

MODULE = "x-signalbox-module"
MOVES = StreamForm(EVENTS, Resumption("after_sequence", ("sequence",)))


class GamePages:
    """Their endpoints."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._reader = GameReader(site.backend, site.texts)

    def routes(self) -> list[Route]:
        """For an application."""
        page = self._site.page
        return [
            Route("/games/{game_id}", page(self._game)),
            Route("/games/{game_id}/act", page(self._act), methods=["POST"]),
            Route("/games/{game_id}/undo", page(self._undo), methods=["POST"]),
            Route("/games/{game_id}/changes", self._changes),
            Route("/games/{game_id}/live", self._live),
        ]

    async def _game(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        at, least = _number(request, "at"), _number(request, "least")
        return await self._page(visitor, request.path_params["game_id"], at, least)

    async def _page(
        self, visitor: Visitor, game_id: str, at: int, least: int, failed: ProblemError | None = None
    ) -> Response:
        shown = await self._reader.shown(visitor, game_id, at, least)
        picture = await self._reader.picture(visitor, game_id, shown.game.sequence, least, shown.names)
        return self._site.shown(
            "game.html",
            visitor,
            200 if failed is None else failed.problem.status,
            shown=shown,
            picture=picture,
            request_id=secrets.token_hex(16),
            problem=None if failed is None else failed.problem,
        )

    async def _act(self, request: Request, visitor: Visitor) -> Response:
        form = await self._site.form(request, visitor)
        try:
            command = filled(form.get("command", ""), form.get("field", ""), form.get("value", ""))
            expected = int(form.get("sequence", ""))
            message = json_format.ParseDict(command, command_pb2.Command())
        except (ValueError, TypeError, json_format.ParseError, RecursionError) as error:
            raise of_http(400, "malformed_request", f"the form is malformed: {error}") from error
        return await self._executed(request, visitor, form, expected, message)

    async def _undo(self, request: Request, visitor: Visitor) -> Response:
        form = await self._site.form(request, visitor)
        try:
            expected, to_sequence = int(form.get("sequence", "")), int(form.get("to_sequence", ""))
            command = command_pb2.Command(undo=command_pb2.Undo(to_sequence=to_sequence))
        except ValueError as error:
            raise of_http(400, "malformed_request", f"the form is malformed: {error}") from error
        return await self._executed(request, visitor, form, expected, command)

    async def _executed(
        self,
        request: Request,
        visitor: Visitor,
        form: Mapping[str, str],
        expected: int,
        command: command_pb2.Command,
    ) -> Response:
        """What came of a command: the page after it, or the same page with the refusal; the module only needs to know."""
        check_signed_in(visitor)
        game_id = request.path_params["game_id"]
        asked = wire.ExecuteRequest(
            game_id=game_id,
            request_id=form.get("request_id", ""),
            expected_sequence=expected,
            command=command,
        )
        is_module = MODULE in request.headers
        try:
            done = await self._site.backend.ask(asked, wire.ExecuteResponse, visitor.caller)
        except ProblemError as failed:
            if is_module:
                text = self._site.written("refusal.html", visitor, problem=failed.problem)
                return Response(text, failed.problem.status, HEADERS, "text/html")
            return await self._page(visitor, game_id, 0, 0, failed)
        last = done.accepted.last_sequence
        if is_module:
            return JSONResponse({"sequence": last}, headers=HEADERS)
        return to_page(f"/games/{game_id}?least={last}")

    async def _changes(self, request: Request) -> Response:
        """What a browser replaces on its page, as JSON."""
        visitor = self._site.visitor(request)
        with self._site.limits.entered(visitor.caller.address, is_stream=False):
            check_signed_in(visitor)
            game_id, least = request.path_params["game_id"], _number(request, "least")
            shown = await self._reader.shown(visitor, game_id, 0, least)
            picture = await self._reader.picture(
                visitor,
                game_id,
                shown.game.sequence,
                least,
                shown.names,
                known=(_number(request, "known"), request.query_params.get("checksum", "")),
            )
            panels = self._site.written("panels.html", visitor, shown=shown, request_id=secrets.token_hex(16))
            return JSONResponse(
                {
                    "sequence": shown.game.sequence,
                    "checksum": picture.checksum,
                    "document": picture.document,
                    "elements": dict(picture.elements),
                    "panels": panels,
                    "title": shown.heading,
                },
                headers=HEADERS,
            )

    async def _live(self, request: Request) -> Response:
        """Server-sent events: one for each state of the game after the one that the browser knows."""
        visitor = self._site.visitor(request)
        with ExitStack() as holding:
            holding.enter_context(self._site.limits.entered(visitor.caller.address, is_stream=True))
            check_signed_in(visitor)
            known = request.headers.get(LAST_EVENT_ID, "")
            after = int(known) if known.isascii() and known.isdecimal() and len(known) <= 18 else 0
            watched = wire.WatchedGame(
                game_id=request.path_params["game_id"], after_sequence=after or _number(request, "after")
            )
            backend = self._site.backend
            asked = wire.WatchMovesRequest(games=[watched])
            answers = backend.calls.answers(backend.rpc(asked), asked, visitor.caller, None)
            pieces = held(holding.pop_all(), await with_first(written(answers, MOVES)))
            return StreamingResponse(
                pieces, headers={**HEADERS, "X-Accel-Buffering": "no"}, media_type=EVENTS
            )


def _number(request: Request, name: str) -> int:
    """A sequence in the address; 0 for none. Raises `ProblemError`."""
    given = request.query_params.get(name, "0")
    if not (given.isascii() and given.isdecimal() and len(given) <= 18):
        raise of_http(400, "malformed_request", f"{name}: is no sequence")
    return int(given)
