"""Every rpc over HTTP: POST and GET `/api/<service>/<method>`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from functools import cached_property
from typing import Any

from google.protobuf.message import Message
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from services.common.settings.service import Settings
from services.web.calls import Caller, ServiceCalls
from services.web.contracts import Rpc
from services.web.json_form import answer_json, request_in, request_of
from services.web.limits import JSON, RequestLimits, address_of, caller_header, proxies_of
from services.web.openapi import describe
from services.web.problems import of_deadline, of_http, of_rejection
from services.web.streams import HeldStream, form_of, resumed, with_first, written

TIMEOUT = "connect-timeout-ms"
HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class Api:
    """The endpoints."""

    def __init__(
        self, settings: Settings, rpcs: Mapping[str, Rpc], calls: ServiceCalls, limits: RequestLimits
    ) -> None:
        self._rpcs = rpcs
        self._calls = calls
        self._limits = limits
        self._proxies = proxies_of(settings)
        self._seconds_max = settings.web.deadline_seconds

    def routes(self) -> list[Route]:
        """For an application."""
        return [
            Route("/api/openapi.json", self.openapi),
            Route("/api/{service}/{method}", self.call, methods=["GET", "POST"]),
        ]

    async def openapi(self, _request: Request) -> Response:
        """What can be called, for programs."""
        return JSONResponse(self._description, headers={"Cache-Control": "public, max-age=300"})

    @cached_property
    def _description(self) -> dict[str, Any]:
        return describe(self._rpcs.values())

    async def call(self, request: Request) -> Response:
        """Call one rpc. Raises `ProblemError`."""
        rpc = self._rpc(request)
        address = address_of(request.client.host if request.client else "", request.headers, self._proxies)
        caller = Caller(address, caller_header(request.headers))
        async with AsyncExitStack() as holding:
            holding.enter_context(self._limits.entered(address, rpc.is_stream))
            wanted = await self._wanted(rpc, request)
            seconds = self._seconds(request)
            if not rpc.is_stream:
                seconds = self._seconds_max if seconds is None else seconds
                return await self._single(rpc, wanted, caller, seconds)
            wanted = resumed(rpc, wanted, request.headers)
            form = form_of(rpc, request.headers.get("accept", ""))
            answers = self._calls.answers(rpc, wanted, caller, seconds)
            pieces = await with_first(written(answers, form))
            return HeldStream(holding.pop_all(), pieces, form.content_type, HEADERS)

    def _rpc(self, request: Request) -> Rpc:
        service, method = request.path_params["service"], request.path_params["method"]
        rpc = self._rpcs.get(f"/{service}/{method}")
        if rpc is None:
            raise of_http(404, "no_such_method", f"there is no method {method} of {service}")
        if request.method != "POST" and not rpc.is_read:
            raise of_http(405, "method_not_allowed", f"{method} may change something: use POST")
        return rpc

    async def _wanted(self, rpc: Rpc, request: Request) -> Message:
        if request.method == "POST":
            body = await self._limits.body(request)
            return await run_in_threadpool(request_in, body, rpc.request)
        return request_of(request.query_params.multi_items(), rpc.request)

    async def _single(self, rpc: Rpc, wanted: Message, caller: Caller, seconds: float) -> Response:
        answer = await self._calls.answer(rpc, wanted, caller, seconds)
        if (rejected := of_rejection(answer)) is not None:
            raise rejected
        text = await run_in_threadpool(answer_json, answer)
        return Response(text, headers=HEADERS, media_type=JSON)

    def _seconds(self, request: Request) -> float | None:
        """The deadline that the request brings; None if it brings none. Raises `ProblemError`."""
        given = request.headers.get(TIMEOUT)
        if given is None:
            return None
        # As Connect has it, at most ten digits.
        if not (given.isascii() and given.isdecimal() and len(given) <= 10):
            raise of_http(400, "malformed_request", f"{TIMEOUT}: {given!r} is no number of milliseconds")
        # gRPC may still answer a call that has no time: it would depend on chance.
        if int(given) == 0:
            raise of_deadline()
        return min(int(given) / 1000, self._seconds_max)
