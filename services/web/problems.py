"""Every answer that is none: problem details as RFC 9457 defines them."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import grpc
import msgspec
from google.protobuf import json_format
from google.protobuf.message import Message

from services.common.errors import RETRY_HINT, TOO_LARGE
from services.common.shown import cut

CONTENT_TYPE = "application/problem+json"
# What our services send with a status, such as `signalbox-reason`.
OWN_METADATA = "signalbox-"
REJECTED = "rejected"
REJECTED_STATUS = 422
# The services' two messages of rejection name the same things differently.
REASON_FIELDS = ("code", "reason")
SENTENCE_FIELDS = ("message", "sentence")
RETRY_FIELD = "retry_after_ms"
# Also a name of the services' message of rejection.
FIELD = "field"
STATUSES = {
    grpc.StatusCode.CANCELLED: 499,
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.FAILED_PRECONDITION: 400,
    grpc.StatusCode.OUT_OF_RANGE: 400,
    grpc.StatusCode.UNAUTHENTICATED: 401,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ABORTED: 409,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
    grpc.StatusCode.UNIMPLEMENTED: 501,
    grpc.StatusCode.UNAVAILABLE: 503,
    grpc.StatusCode.DEADLINE_EXCEEDED: 504,
}
BAD_GATEWAY = 502
TOO_LARGE_STATUS = 413
# gRPC's own words: it refuses what is larger than all requests of a service before we see it, with the status of a limit.
LARGER_THAN_ALL = "message larger than max"
LEFT = 499


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """The JSON of a problem. `reason`: a code that never changes its meaning. `clause`: of the rulebook on which a rejection
    rests. `code`: the gRPC status, as Connect writes it. `more`: what else the service said, by name."""

    title: str
    status: int
    detail: str
    reason: str
    code: str = ""
    clause: str = ""
    more: Mapping[str, Any] = {}

    @property
    def field(self) -> str:
        """The field of the request that is at fault, empty where none is named."""
        return str(self.more.get(FIELD, ""))


class ProblemError(Exception):
    """Ends a request. `retry_after_ms`: when to try again, 0 where that is not known."""

    def __init__(self, problem: Problem, retry_after_ms: int = 0) -> None:
        super().__init__(problem.detail)
        self.problem = problem
        self.retry_after_ms = retry_after_ms

    @property
    def headers(self) -> dict[str, str]:
        """Of the answer."""
        retry = {"Retry-After": str(-(-self.retry_after_ms // 1000))} if self.retry_after_ms > 0 else {}
        return {"Content-Type": CONTENT_TYPE, "Cache-Control": "no-store", **retry}

    @property
    def body(self) -> bytes:
        """Of the answer."""
        return msgspec.json.encode(self.problem)


def of_http(status: int, reason: str, detail: str, retry_after_ms: int = 0, field: str = "") -> ProblemError:
    """For a request that reached no service. `field`: of the request, where it is at fault."""
    more = {FIELD: field} if field else {}
    return ProblemError(Problem(_title(status), status, cut(detail), reason, more=more), retry_after_ms)


def of_deadline() -> ProblemError:
    """For a request whose time is over before a service is called."""
    name = grpc.StatusCode.DEADLINE_EXCEEDED.name.lower()
    status = STATUSES[grpc.StatusCode.DEADLINE_EXCEEDED]
    return ProblemError(Problem(_title(status), status, "the request leaves no time", name, code=name))


def of_call(error: grpc.RpcError) -> ProblemError:
    """For a call that ended with a status."""
    if not isinstance(error, grpc.aio.AioRpcError):
        return of_http(BAD_GATEWAY, "unknown", "the service gave no status")
    code = error.code()
    trailing = {str(key): str(value) for key, value in error.trailing_metadata() or ()}
    own = {
        key.removeprefix(OWN_METADATA): value
        for key, value in trailing.items()
        if key.startswith(OWN_METADATA)
    }
    name = code.name.lower()
    is_larger = code is grpc.StatusCode.RESOURCE_EXHAUSTED and LARGER_THAN_ALL in (error.details() or "")
    reason = own.pop("reason", TOO_LARGE if is_larger else name)
    status = TOO_LARGE_STATUS if reason == TOO_LARGE else STATUSES.get(code, BAD_GATEWAY)
    problem = Problem(_title(status), status, error.details() or name, reason, code=name, more=own)
    hint = trailing.get(RETRY_HINT, "")
    return ProblemError(problem, int(hint) if hint.isdecimal() else 0)


def of_rejection(answer: Message) -> ProblemError | None:
    """For an answer that rejects the request; None for any other."""
    if REJECTED not in answer.DESCRIPTOR.fields_by_name or not answer.HasField(REJECTED):
        return None
    rejected = getattr(answer, REJECTED)
    given: dict[str, Any] = json_format.MessageToDict(rejected, preserving_proto_field_name=True)
    reason = next((str(given.pop(name)) for name in REASON_FIELDS if name in given), "rejected")
    sentence = next((str(given.pop(name)) for name in SENTENCE_FIELDS if name in given), "")
    problem = Problem(
        "Rejected", REJECTED_STATUS, sentence, reason, clause=given.pop("clause", ""), more=given
    )
    return ProblemError(problem, getattr(rejected, RETRY_FIELD, 0))


def _title(status: int) -> str:
    return "Client Closed Request" if status == LEFT else HTTPStatus(status).phrase
