"""HTTP/JSON in front of the routing service, and a page that draws a problem with its best runs.

It holds no solver: every question goes to the gRPC service, with the caller's token and address.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar
from urllib.parse import parse_qs

import grpc
from aiohttp import web
from prometheus_client import CollectorRegistry

from services.common.grpc.rate_settings import Network
from services.common.telemetry.logs import get_logger
from services.drawing.problem import draw_problem
from services.routing.callers import CALLER_KEY
from services.routing.http.addresses import network_address
from services.routing.http.asking import Question, RoutingCalls, question_in, solution_in
from services.routing.http.faults import FaultError, of_status
from services.routing.http.limits import HttpLimits, InFlight
from services.routing.http.metrics import HttpMetrics
from services.routing.http.page import SECURITY, fault_in_words, page
from services.routing.json_form import solution_to_json

PATHS = ("/", "/health", "/v1/picture", "/v1/solve")
OTHER_PATHS = "other"
CLIENT_LEFT = 499
BUSY_MS = 1_000

DEFAULT_LIMITS = HttpLimits()

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class RoutingHttp:
    """Answers `POST /v1/solve` and `POST /v1/picture` with the problem as body, and shows the page at `/`."""

    def __init__(
        self,
        channel: grpc.Channel,
        registry: CollectorRegistry,
        limits: HttpLimits = DEFAULT_LIMITS,
        proxies: Sequence[Network] = (),
    ) -> None:
        """`channel`: to the routing service; it is closed with the application. `proxies` are believed whom they speak for."""
        self.limits, self.proxies = limits, proxies
        self.metrics = HttpMetrics(registry)
        self._log = get_logger("routing-http")
        self._channel = channel
        self._calls = RoutingCalls(channel)
        self._in_flight = InFlight("requests", limits.requests, limits.address_requests)
        self._threads = ThreadPoolExecutor(limits.threads, "routing-http")

    def application(self) -> web.Application:
        """The application for a server."""
        application = web.Application(
            client_max_size=self.limits.body_bytes,
            middlewares=[self._counted, self._with_faults, self._limited],
        )
        application.add_routes(
            [
                web.post("/v1/solve", self.solve),
                web.post("/v1/picture", self.picture),
                web.get("/", self.form),
                web.post("/", self.drawn_form),
                web.get("/health", self.health),
            ]
        )
        application.on_cleanup.append(self._close)
        return application

    async def _close(self, _application: web.Application) -> None:
        self._channel.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def solve(self, request: web.Request) -> web.Response:
        """The best runs as JSON."""
        question = await self._question(await self._body(request))
        response = await self._asked(request, question)
        body = await self._apart(lambda: solution_to_json(solution_in(response)))
        return web.Response(body=body, content_type="application/json")

    async def picture(self, request: web.Request) -> web.Response:
        """The problem with its best runs as SVG."""
        drawn = await self._drawn(request, await self._body(request))
        return web.Response(text=drawn, content_type="image/svg+xml", headers=SECURITY)

    async def form(self, _request: web.Request) -> web.Response:
        """A form for a problem."""
        return web.Response(text=page("", ""), content_type="text/html", headers=SECURITY)

    async def drawn_form(self, request: web.Request) -> web.Response:
        """The form as it was sent, with the problem drawn with its best runs, or with what is wrong with it."""
        text = await self._apart(_problem_in_form, await self._body(request))
        status = 200
        try:
            shown = await self._drawn(request, text.encode())
        except FaultError as failed:
            status, shown = failed.fault.status, fault_in_words(failed.fault.detail, failed.fault.field)
        body = await self._apart(page, text, shown)
        return web.Response(text=body, content_type="text/html", headers=SECURITY, status=status)

    async def health(self, _request: web.Request) -> web.Response:
        """200 while the routing service can be asked."""
        await self._calls.check_health()
        return web.json_response({"status": "SERVING"})

    async def _body(self, request: web.Request) -> bytes:
        if "Content-Encoding" in request.headers:
            raise of_status(415, "bodies are taken uncompressed only")
        try:
            async with asyncio.timeout(self.limits.body_seconds):
                return await request.read()
        except TimeoutError as error:
            detail = f"the body was not complete within {self.limits.body_seconds:g} s"
            raise of_status(408, detail) from error

    async def _question(self, content: bytes) -> Question:
        return await self._apart(question_in, content, self.limits.search_seconds)

    async def _asked(self, request: web.Request, question: Question) -> bytes:
        metadata = [(CALLER_KEY, self._address(request))]
        token = request.headers.get("Authorization")
        if token is not None:
            if not (token.isascii() and token.isprintable()):
                raise of_status(401, "the token is not printable ASCII")
            metadata.append(("authorization", token))
        return await self._calls.solve(question, self.limits.search_seconds, metadata)

    async def _drawn(self, request: web.Request, content: bytes) -> str:
        question = await self._question(content)
        response = await self._asked(request, question)
        return await self._apart(lambda: draw_problem(question.problem, solution_in(response)))

    async def _apart(
        self,
        work: Callable[Arguments, Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """The result of work that would hold up the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, lambda: work(*args, **kwargs))

    def _address(self, request: web.Request) -> str:
        return network_address(request.remote or "unknown", request.headers, self.proxies)

    @web.middleware
    async def _counted(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Counts requests and their time."""
        path = request.path if request.path in PATHS else OTHER_PATHS
        began, status = time.perf_counter(), CLIENT_LEFT
        try:
            response = await handler(request)
            status = response.status
            return response
        finally:
            self.metrics.requests.labels(path, str(status)).inc()
            self.metrics.seconds.labels(path).observe(time.perf_counter() - began)

    @web.middleware
    async def _with_faults(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Whatever fails becomes problem details."""
        try:
            return await handler(request)
        except FaultError as failed:
            response = failed.response()
        except web.HTTPRequestEntityTooLarge:
            response = of_status(413, f"more than {self.limits.body_bytes} bytes").response()
        except web.HTTPException as failed:
            response = of_status(failed.status).response()
            response.headers.update({key: value for key, value in failed.headers.items() if key == "Allow"})
        except Exception:
            self._log.exception("request failed", path=request.path)
            response = of_status(500).response()
        if not request.content.is_eof():
            response.force_close()
        return response

    @web.middleware
    async def _limited(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuses a request where too many are being worked on; its body is not read."""
        if request.path == "/health":
            return await handler(request)
        lease = self._in_flight.enter(self._address(request))
        if lease is None:
            detail = "too many requests at the same time, in all or from this address"
            raise FaultError(429, "too_many_requests", detail, retry_after_ms=BUSY_MS)
        try:
            with self.metrics.active.track_inprogress():
                return await handler(request)
        finally:
            lease.release()


def _problem_in_form(content: bytes) -> str:
    """The problem of a form that was sent; empty where there is none."""
    try:
        fields = parse_qs(content.decode(), max_num_fields=1, errors="strict")
    except ValueError as error:
        raise of_status(400, "no form with a problem") from error
    return fields.get("problem", [""])[0]
