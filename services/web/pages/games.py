"""The page of a game: what is shown at one sequence, and moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from google.protobuf import json_format
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from services.gen.signalbox.rules.v1 import command_pb2, rules_pb2 as wire
from services.web.clocks import GameClocks
from services.web.limits import JSON
from services.web.pages import fields
from services.web.pages.changes import ChangeWriter, Known
from services.web.pages.choices import filled
from services.web.pages.clockwords import time_rules_of
from services.web.pages.gameview import GameReader, ShownGame, ShownPicture, no_picture
from services.web.pages.live import LiveStreams
from services.web.pages.runs import NOTHING_DRAWN, DrawnRuns, drawn_runs, hexes_with_stops
from services.web.pages.site import HEADERS, MODULE, Site, to_page
from services.web.pages.visitors import Visitor, check_signed_in
from services.web.problems import REJECTED_STATUS, ProblemError, of_http

# The reason of a command for another sequence than the game is at.
STALE = "stale_sequence"


class GamePages:
    """Their endpoints."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._reader = GameReader(site.backend, site.texts)
        self._writer = ChangeWriter(site, self._reader)
        self._streams = LiveStreams(site, self._writer)

    def routes(self) -> list[Route]:
        """For an application."""
        page = self._site.page
        return [
            Route("/games/{game_id}", page(self._game)),
            Route("/games/{game_id}/act", page(self._act), methods=["POST"]),
            Route("/games/{game_id}/undo", page(self._undo), methods=["POST"]),
            Route("/games/{game_id}/run", page(self._run), methods=["POST"]),
            Route("/games/{game_id}/value", page(self._value), methods=["POST"]),
            Route("/games/{game_id}/changes", self._changes),
            Route("/games/{game_id}/live", self._streams.live),
        ]

    async def _game(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        game_id = request.path_params["game_id"]
        at, least = _number(request, "at"), _number(request, "least")
        for_all = 0 if at else self._site.watched.sequence_for_all(game_id)
        if for_all and for_all >= least:
            await self._site.checks.check(game_id, visitor.caller)
            if not await self._writer.has_seat(visitor, game_id, for_all):
                return await self._written(
                    visitor, *await self._writer.page_for_watchers(visitor, game_id, for_all)
                )
        return await self._page(visitor, game_id, at, least)

    async def _page(
        self,
        visitor: Visitor,
        game_id: str,
        at: int,
        least: int,
        failed: ProblemError | None = None,
        drawn: DrawnRuns = NOTHING_DRAWN,
    ) -> Response:
        shown = await self._reader.shown(visitor, game_id, at, least)
        if shown.is_set_up:
            picture = await self._reader.picture(visitor, game_id, shown.game.sequence, least, shown.names)
        else:
            picture = no_picture(shown.game)
        panels = self._writer.panels(visitor, shown, drawn)
        return await self._written(visitor, shown, panels, picture, failed)

    async def _written(
        self,
        visitor: Visitor,
        shown: ShownGame,
        panels: str,
        picture: ShownPicture,
        failed: ProblemError | None = None,
    ) -> Response:
        return self._site.shown(
            "game.html",
            visitor,
            200 if failed is None else failed.problem.status,
            shown=shown,
            panels=panels,
            time_rules=await self._time_rules(visitor, shown.clocks),
            picture=picture,
            problem=None if failed is None else failed.problem,
        )

    async def _time_rules(self, visitor: Visitor, clocks: GameClocks | None) -> Sequence[str]:
        """None where no clocks are shown, and while the lobby is away: the game goes on without it."""
        if clocks is None:
            return ()
        backend, timing = self._site.backend, (clocks.turn_seconds, clocks.policy)
        try:
            return await time_rules_of(backend, self._site.texts(visitor), visitor.caller, *timing)
        except ProblemError:
            return ()

    async def _act(self, request: Request, visitor: Visitor) -> Response:
        form = await self._site.form(request, visitor)
        expected = fields.sequence(form.get("sequence", ""))
        try:
            command = filled(form.get("command", ""), form.get("field", ""), form.get("value", ""))
            message = json_format.ParseDict(command, command_pb2.Command())
        except (ValueError, TypeError, json_format.ParseError, RecursionError) as error:
            raise of_http(400, "malformed_request", f"the form is malformed: {error}") from error
        return await self._executed(request, visitor, form, expected, message)

    async def _undo(self, request: Request, visitor: Visitor) -> Response:
        form = await self._site.form(request, visitor)
        expected, to_sequence = (
            fields.sequence(form.get(name, ""), name) for name in ("sequence", "to_sequence")
        )
        command = command_pb2.Command(undo=command_pb2.Undo(to_sequence=to_sequence))
        return await self._executed(request, visitor, form, expected, command)

    async def _run(self, request: Request, visitor: Visitor) -> Response:
        """The runs that a player drew."""
        form = await self._site.form(request, visitor)
        expected = fields.sequence(form.get("sequence", ""))
        command = command_pb2.Command(run_trains=await self._runs(request, visitor, form))
        return await self._executed(request, visitor, form, expected, command, DrawnRuns(form))

    async def _value(self, request: Request, visitor: Visitor) -> Response:
        """What the runs that a player drew would earn, or why they would be refused; they are not sent."""
        form = await self._site.form(request, visitor)
        check_signed_in(visitor)
        game_id = request.path_params["game_id"]
        asked = wire.ValueRunsRequest(
            game_id=game_id,
            runs=await self._runs(request, visitor, form),
            at_least_sequence=fields.sequence(form.get("sequence", "")),
        )
        try:
            found = await self._site.backend.ask(asked, wire.ValueRunsResponse, visitor.caller)
            drawn = DrawnRuns(form, valued=found.valued)
        except ProblemError as failed:
            if failed.problem.status != REJECTED_STATUS:
                raise
            drawn = DrawnRuns(form, refused=failed.problem)
        if MODULE in request.headers:
            text = self._site.written("valued.html", visitor, drawn=drawn)
            return Response(text, headers=HEADERS, media_type="text/html")
        return await self._page(visitor, game_id, 0, 0, drawn=drawn)

    async def _runs(
        self, request: Request, visitor: Visitor, form: Mapping[str, str]
    ) -> command_pb2.RunTrains:
        backend = self._site.backend
        asked = wire.GetGameRequest(game_id=request.path_params["game_id"])
        game = (await backend.ask(asked, wire.GetGameResponse, visitor.caller)).game
        title = await backend.title(game.title, game.options, visitor.caller)
        return drawn_runs(form.get("company", ""), form, hexes_with_stops(title, game))

    async def _executed(
        self,
        request: Request,
        visitor: Visitor,
        form: Mapping[str, str],
        expected: int,
        command: command_pb2.Command,
        drawn: DrawnRuns = NOTHING_DRAWN,
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
        except ProblemError as error:
            failed = self._explained(error, visitor)
            if is_module:
                return self._site.failed(request, visitor, failed)
            return await self._page(visitor, game_id, 0, 0, failed, drawn)
        last = done.accepted.last_sequence
        if is_module:
            return JSONResponse({"sequence": last}, headers=HEADERS)
        return to_page(f"/games/{game_id}?least={last}")

    def _explained(self, failed: ProblemError, visitor: Visitor) -> ProblemError:
        """In words of players where the service's own sentence is about sequences."""
        if failed.problem.reason != STALE:
            return failed
        texts = self._site.texts(visitor)
        return ProblemError(replace(failed.problem, detail=texts("game.gone_on")), failed.retry_after_ms)

    async def _changes(self, request: Request) -> Response:
        """What a browser replaces on its page, as JSON."""
        visitor = self._site.visitor(request)
        with self._site.limits.entered(visitor.caller.address, is_stream=False):
            check_signed_in(visitor)
            await self._site.checks.check_session(visitor.caller)
            known = Known(_number(request, "known"), request.query_params.get("checksum", ""))
            changes = await self._writer.for_visitor(
                visitor, request.path_params["game_id"], _number(request, "least"), known
            )
            return Response(changes.text, headers=HEADERS, media_type=JSON)


def _number(request: Request, name: str) -> int:
    """A sequence in the address; 0 for none. Raises `ProblemError`."""
    return fields.sequence(request.query_params.get(name, "0"), name)
