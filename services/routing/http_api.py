"""HTTP/JSON in front of the routing service, and a page that draws a problem with its best runs.

It holds no solver: every question goes to the gRPC service, with the caller's token and name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from html import escape

import grpc
import msgspec
from aiohttp import web

from services.drawing.problem import draw_problem
from services.gen.signalbox.routing.v1 import routing_pb2
from services.gen.signalbox.routing.v1.routing_pb2_grpc import RoutingStub
from services.routing.convert import problem_to_message, solution_from_message
from services.routing.domain.problem import ProblemError, RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.domain.validation import validate_problem
from services.routing.grpc_server import FIELD_KEY, RETRY_AFTER_KEY
from services.routing.json_form import problem_from_json, solution_to_json
from services.routing.reasons import REASON_KEY

BYTES_MOST = 1_048_576
THREADS = 64
PROBLEM_PREFIX = "problem."
STATUSES = {
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.UNAUTHENTICATED: 401,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
    grpc.StatusCode.DEADLINE_EXCEEDED: 504,
    grpc.StatusCode.UNAVAILABLE: 503,
}
SECURITY = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
}
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Fault(msgspec.Struct, frozen=True):
    """The JSON of every answer that is no solution."""

    reason: str
    message: str
    field: str = ""


class CallFailedError(Exception):
    """The service gave no answer; with the HTTP status that says so."""

    def __init__(self, status: int, fault: Fault, retry_after_ms: int = 0) -> None:
        super().__init__(fault.message)
        self.status, self.fault, self.retry_after_ms = status, fault, retry_after_ms


class RoutingHttp:
    """Answers `POST /v1/solve` and `POST /v1/picture` with the problem as body, and shows the page at `/`."""

    def __init__(self, channel: grpc.Channel) -> None:
        """`channel`: to the routing service; it is closed with the application."""
        self._channel = channel
        self._stub = RoutingStub(channel)
        self._threads = ThreadPoolExecutor(THREADS, "routing-http")

    def application(self) -> web.Application:
        """The application for a server."""
        application = web.Application(client_max_size=BYTES_MOST, middlewares=[_with_faults])
        application.add_routes(
            [
                web.post("/v1/solve", self.solve),
                web.post("/v1/picture", self.picture),
                web.get("/", self.page),
                web.post("/", self.page),
            ]
        )
        application.on_cleanup.append(self._close)
        return application

    async def _close(self, _application: web.Application) -> None:
        self._channel.close()
        self._threads.shutdown(wait=False)

    async def solve(self, request: web.Request) -> web.Response:
        """The best runs as JSON."""
        solution = await self._asked(request, problem_from_json(await request.read()))
        return web.Response(body=solution_to_json(solution), content_type="application/json")

    async def picture(self, request: web.Request) -> web.Response:
        """The problem with its best runs as SVG."""
        problem = problem_from_json(await request.read())
        return web.Response(text=await self._drawn(request, problem), content_type="image/svg+xml")

    async def page(self, request: web.Request) -> web.Response:
        """A form for a problem; once it is sent, the problem drawn with its best runs, or what is wrong with it."""
        text, shown, status = "", "", 200
        if request.method == "POST":
            text = str((await request.post()).get("problem", ""))
            try:
                shown = await self._drawn(request, problem_from_json(text.encode()))
            except (ProblemError, CallFailedError) as failed:
                shown, status = f"<p>{escape(str(failed))}</p>", 400
        body = PAGE.format(text=escape(text), shown=shown)
        return web.Response(text=body, content_type="text/html", headers=SECURITY, status=status)

    async def _drawn(self, request: web.Request, problem: RouteProblem) -> str:
        solution = await self._asked(request, problem)
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, draw_problem, problem, solution
        )

    async def _asked(self, request: web.Request, problem: RouteProblem) -> RouteSolution:
        validate_problem(problem)
        message = routing_pb2.SolveRequest(problem=problem_to_message(problem))
        metadata = [("signalbox-caller", request.remote or "http")]
        if "Authorization" in request.headers:
            metadata.append(("authorization", request.headers["Authorization"]))

        def call() -> RouteSolution:
            try:
                return solution_from_message(self._stub.Solve(message, metadata=metadata).solution)
            except grpc.RpcError as error:
                raise _failed(error) from error

        return await asyncio.get_running_loop().run_in_executor(self._threads, call)


def _failed(error: grpc.RpcError) -> CallFailedError:
    if not isinstance(error, grpc.Call):
        return CallFailedError(502, Fault("unknown", str(error)))
    trailing = {str(key): str(value) for key, value in error.trailing_metadata() or ()}
    code = error.code()
    fault = Fault(
        trailing.get(REASON_KEY, code.name.lower()),
        error.details() or code.name,
        trailing.get(FIELD_KEY, "").removeprefix(PROBLEM_PREFIX),
    )
    return CallFailedError(STATUSES.get(code, 502), fault, int(trailing.get(RETRY_AFTER_KEY, 0)))


@web.middleware
async def _with_faults(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Invalid problems and failed calls as JSON with the status that fits."""
    try:
        return await handler(request)
    except ProblemError as error:
        return _fault_response(400, Fault(error.reason, error.message, error.field))
    except CallFailedError as failed:
        seconds = -(-failed.retry_after_ms // 1000)
        return _fault_response(failed.status, failed.fault, {"Retry-After": str(seconds)} if seconds else {})
    except web.HTTPRequestEntityTooLarge:
        return _fault_response(413, Fault("too_large", f"more than {BYTES_MOST} bytes"))


def _fault_response(status: int, fault: Fault, headers: dict[str, str] | None = None) -> web.Response:
    return web.Response(
        body=msgspec.json.encode(fault), status=status, content_type="application/json", headers=headers
    )


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Best runs</title>
<style>body {{ font-family: sans-serif; margin: 2em }} textarea {{ width: 100% }} svg {{ max-width: 100% }}</style></head>
<body><h1>Best runs</h1>
<form method="post" action="/"><label for="problem">A route problem as JSON</label>
<textarea id="problem" name="problem" rows="12">{text}</textarea><button>Solve</button></form>
{shown}</body></html>
"""
