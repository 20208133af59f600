"""The application: its endpoints, and around them metrics, and problem details for whatever fails."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from prometheus_client import CollectorRegistry
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.common.settings.service import Settings
from services.common.telemetry.logs import get_logger
from services.web.api import Api
from services.web.assets import Assets
from services.web.calls import ServiceCalls
from services.web.contracts import find_rpcs
from services.web.limits import RequestLimits
from services.web.metrics import WebMetrics
from services.web.pages.accounts import AccountPages
from services.web.pages.backend import Backend
from services.web.pages.between import BetweenPages
from services.web.pages.books import BookPages
from services.web.pages.directing import DirectingPages
from services.web.pages.drafts import DraftPages
from services.web.pages.events import EventPages
from services.web.pages.games import GamePages
from services.web.pages.held_up import HeldUpPages
from services.web.pages.hosting import HostingPages
from services.web.pages.leaderboards import LeaderboardPages
from services.web.pages.lobby import LobbyPages
from services.web.pages.looks import LookPages
from services.web.pages.newtable import NewTablePages
from services.web.pages.operators import OperatorPages
from services.web.pages.rooms import RoomPages
from services.web.pages.series import SeriesPages
from services.web.pages.site import Site
from services.web.pages.tokens import TokenPages
from services.web.problems import ProblemError, of_http
from services.web.sessions import EndedSessions, OwnEndedSessions

HEALTH = "/health"
API = "/api"
OTHER_PATHS = "other"
NO_ANSWER = 499
HTML = "text/html"
PAGES = (
    *(AccountPages, TokenPages, NewTablePages, LobbyPages, HostingPages, LookPages),
    *(GamePages, BetweenPages, BookPages, DirectingPages, EventPages, DraftPages, RoomPages),
    *(SeriesPages, LeaderboardPages, OperatorPages, HeldUpPages),
)


def application(
    settings: Settings, registry: CollectorRegistry, ended: EndedSessions | None = None
) -> Starlette:
    """The application; made on the event loop that runs it. `ended`: see `WebServer`. Raises `SettingsError`."""
    known = find_rpcs()
    calls = ServiceCalls(settings, known)
    rpcs = calls.offered(known)

    @asynccontextmanager
    async def lifespan(_application: Starlette) -> AsyncIterator[None]:
        yield
        await calls.close()

    limits = RequestLimits(settings)
    site = Site(
        settings, limits, Backend(calls, rpcs, settings.web.deadline_seconds), ended or OwnEndedSessions()
    )
    pages = [each for kind in PAGES for each in kind(site).routes()]
    failures = Failures(site)
    made = Starlette(
        routes=[
            Route(HEALTH, health_of(calls)),
            *Api(settings, rpcs, calls, limits).routes(),
            *pages,
            Mount("/static", Assets()),
        ],
        exception_handlers={
            ProblemError: failures.problem,
            HTTPException: failures.http,
            Exception: failures.fault,
        },
        lifespan=lifespan,
    )
    made.add_middleware(
        Counted, metrics=WebMetrics(registry), paths=frozenset(f"/api{path}" for path in rpcs)
    )
    return made


def health_of(calls: ServiceCalls) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint that says whether the services can be reached."""

    async def health(_request: Request) -> Response:
        """200 while all of them can."""
        unreached = await calls.unreached()
        status = "NOT_SERVING" if unreached else "SERVING"
        return JSONResponse({"status": status, "unreached": unreached}, status_code=503 if unreached else 200)

    return health


class Failures:
    """What is answered where no answer was made: a page to browsers, else problem details."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def problem(self, request: Request, failed: Exception) -> Response:
        """For what is wrong with a request."""
        if not isinstance(failed, ProblemError):
            raise failed
        if HTML in request.headers.get("accept", "") and not request.url.path.startswith(API):
            return self._site.failed(request, self._site.visitor(request), failed)
        return Response(failed.body, status_code=failed.problem.status, headers=failed.headers)

    async def http(self, request: Request, failed: Exception) -> Response:
        """For a path or a method that is not there."""
        if not isinstance(failed, HTTPException):
            raise failed
        reason = failed.detail.lower().replace(" ", "_")
        return await self.problem(request, of_http(failed.status_code, reason, failed.detail))

    async def fault(self, request: Request, failed: Exception) -> Response:
        """For an error of ours."""
        get_logger("web").error("request failed", path=request.url.path, exc_info=failed)
        return await self.problem(request, of_http(500, "internal", "an error of ours; it is in our log"))


class Counted:
    """Counts requests and their time."""

    def __init__(self, app: ASGIApp, metrics: WebMetrics, paths: frozenset[str]) -> None:
        """`paths`: of rpcs. Paths that are no page are counted as one: clients choose them."""
        self._app, self._metrics, self._paths = app, metrics, paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), NO_ANSWER

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                self._metrics.seconds.labels(self._label(scope)).observe(time.perf_counter() - began)
            await send(message)

        try:
            with self._metrics.active.track_inprogress():
                await self._app(scope, receive, sent)
        finally:
            self._metrics.requests.labels(self._label(scope), str(status)).inc()

    def _label(self, scope: Scope) -> str:
        """An rpc, or the pattern of a page, which Starlette notes once it has found it."""
        if scope["path"] in self._paths:
            return str(scope["path"])
        pattern = getattr(scope.get("route"), "path", OTHER_PATHS)
        return OTHER_PATHS if pattern.startswith("/api/{") else str(pattern)
