"""Every answer that is no solution and no picture: problem details as RFC 9457 defines them."""

from __future__ import annotations

from http import HTTPStatus

import grpc
import msgspec
from aiohttp import web

from services.common.shown import cut
from services.routing.domain.problem import ProblemError
from services.routing.grpc_server import FIELD_KEY, RETRY_AFTER_KEY
from services.routing.reasons import REASON_KEY

CONTENT_TYPE = "application/problem+json"
PROBLEM_PREFIX = "problem."
STATUSES = {
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.UNAUTHENTICATED: 401,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
    grpc.StatusCode.DEADLINE_EXCEEDED: 504,
    grpc.StatusCode.UNAVAILABLE: 503,
}


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """The JSON of a fault. `reason`: a code that never changes its meaning. `field`: the path of what is wrong in the problem."""

    title: str
    status: int
    detail: str
    reason: str
    field: str = ""


class FaultError(Exception):
    """Ends a request. `retry_after_ms`: when to try again, 0 where that is not known."""

    def __init__(
        self, status: int, reason: str, detail: str, field: str = "", retry_after_ms: int = 0
    ) -> None:
        super().__init__(detail)
        self.fault = Fault(HTTPStatus(status).phrase, status, cut(detail), reason, cut(field))
        self.retry_after_ms = retry_after_ms

    def response(self) -> web.Response:
        """The answer to the request."""
        seconds = -(-self.retry_after_ms // 1000)
        return web.Response(
            body=msgspec.json.encode(self.fault),
            status=self.fault.status,
            content_type=CONTENT_TYPE,
            headers={"Retry-After": str(seconds)} if seconds else None,
        )


def of_problem(error: ProblemError) -> FaultError:
    """For a problem that is invalid."""
    return FaultError(400, error.reason, error.message, error.field)


def of_status(status: int, detail: str = "") -> FaultError:
    """For what HTTP itself has a status for."""
    phrase = HTTPStatus(status).phrase
    return FaultError(status, phrase.lower().replace(" ", "_"), detail or phrase)


def of_call(error: grpc.RpcError) -> FaultError:
    """For a call that the routing service did not answer."""
    if not isinstance(error, grpc.Call):
        return FaultError(502, "unknown", str(error))
    trailing = {str(key): str(value) for key, value in error.trailing_metadata() or ()}
    code, field = error.code(), trailing.get(FIELD_KEY, "")
    detail = (error.details() or code.name).removeprefix(f"{field}: ")
    return FaultError(
        STATUSES.get(code, 502),
        trailing.get(REASON_KEY, code.name.lower()),
        detail,
        field.removeprefix(PROBLEM_PREFIX),
        int(trailing.get(RETRY_AFTER_KEY, 0)),
    )
