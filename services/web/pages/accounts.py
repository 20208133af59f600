"""Pages to register, to sign in and to sign out."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire
from services.web.pages.site import Site, to_page
from services.web.pages.visitors import HOME, Visitor, end_session, keep_session, own_page
from services.web.problems import ProblemError


class AccountPages:
    """Their endpoints."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def routes(self) -> list[Route]:
        """For an application."""
        page = self._site.page
        return [
            Route("/sign-in", page(self._sign_in), methods=["GET", "POST"]),
            Route("/register", page(self._register), methods=["GET", "POST"]),
            Route("/sign-out", page(self._sign_out), methods=["POST"]),
        ]

    async def _sign_in(self, request: Request, visitor: Visitor) -> Response:
        wanted = own_page(request.query_params.get("next", HOME))
        if request.method == "GET":
            return self._asked("sign_in", visitor, wanted)
        form = await self._site.form(request, visitor)
        try:
            return await self._signed_in(request, form, visitor, own_page(form.get("next", HOME)))
        except ProblemError as failed:
            return self._asked("sign_in", visitor, own_page(form.get("next", HOME)), form, failed)

    async def _register(self, request: Request, visitor: Visitor) -> Response:
        if request.method == "GET":
            wanted = own_page(request.query_params.get("next", HOME))
            return self._asked("register", visitor, wanted)
        form = await self._site.form(request, visitor)
        wanted = own_page(form.get("next", HOME))
        try:
            registration = wire.RegisterPlayerRequest(
                request_id=secrets.token_hex(16), name=form.get("name", ""), password=form.get("password", "")
            )
            await self._site.backend.ask(registration, wire.RegisterPlayerResponse, visitor.caller)
            return await self._signed_in(request, form, visitor, wanted)
        except ProblemError as failed:
            return self._asked("register", visitor, wanted, form, failed)

    async def _signed_in(
        self, request: Request, form: Mapping[str, str], visitor: Visitor, wanted: str
    ) -> Response:
        given = wire.LogInRequest(name=form.get("name", ""), password=form.get("password", ""))
        session = (await self._site.backend.ask(given, wire.LogInResponse, visitor.caller)).session
        answer = to_page(wanted)
        keep_session(answer, session.token, session.expire_time_ms, self._site.is_secure(request))
        return answer

    async def _sign_out(self, request: Request, visitor: Visitor) -> Response:
        await self._site.form(request, visitor)
        if visitor.token:
            await self._end_streams(visitor)
        answer = to_page(HOME)
        end_session(answer)
        return answer

    async def _end_streams(self, visitor: Visitor) -> None:
        """In all web processes. What is kept about a session until its token ends is kept for real ones: the lobby says so."""
        try:
            await self._site.backend.ask(wire.ListOnlineRequest(), wire.ListOnlineResponse, visitor.caller)
        except ProblemError:
            return
        await self._site.checks.end(visitor.caller, visitor.end_seconds)

    def _asked(
        self,
        action: str,
        visitor: Visitor,
        wanted: str,
        form: Mapping[str, str] | None = None,
        failed: ProblemError | None = None,
    ) -> Response:
        """The form; a password is never sent back."""
        status, problem = (200, None) if failed is None else (failed.problem.status, failed.problem)
        name = (form or {}).get("name", "")
        return self._site.shown(
            "account.html", visitor, status, action=action, wanted=wanted, name=name, problem=problem
        )
