"""Errors shared by the services.

A rejected move or request is a normal answer and never an error. A `CallError` ends one gRPC call with its status and a
text that the caller may read; every other exception is a fault of ours, whose text stays in the log.
"""

from typing import ClassVar

import grpc

RETRY_HINT = "grpc-retry-pushback-ms"
"""Trailing metadata by which a server says after how many milliseconds to repeat a call; negative: not at all."""

TOO_LARGE = "request_too_large"
"""The reason code of a request that is larger than any that is taken."""


class SignalboxError(Exception):
    """Root of all errors raised on purpose."""


class CallError(SignalboxError):
    """Ends the call with `code`; the message is sent to the caller."""

    code: ClassVar[grpc.StatusCode] = grpc.StatusCode.UNKNOWN
    trailing: tuple[tuple[str, str], ...] = ()
    """Metadata sent with the status: a reason code that never changes its meaning, a hint when to try again."""


class InvalidRequest(CallError):
    """The request is broken, whatever the state of the service."""

    code = grpc.StatusCode.INVALID_ARGUMENT


class NotFound(CallError):
    """The thing named does not exist."""

    code = grpc.StatusCode.NOT_FOUND


class Unauthenticated(CallError):
    """The caller is not authenticated."""

    code = grpc.StatusCode.UNAUTHENTICATED


class PermissionDenied(CallError):
    """The caller lacks the right."""

    code = grpc.StatusCode.PERMISSION_DENIED


class Overloaded(CallError):
    """A limit of the service is reached; try again later."""

    code = grpc.StatusCode.RESOURCE_EXHAUSTED

    def __init__(self, message: str, retry_after_ms: int = 0) -> None:
        """`retry_after_ms`: when to try again, 0 if unknown; the caller gets it as gRPC's own retry hint."""
        super().__init__(message)
        if retry_after_ms:
            self.trailing = ((RETRY_HINT, str(retry_after_ms)),)


class TooLarge(CallError):
    """The request is larger than any that is taken; sent again it is refused again."""

    code = grpc.StatusCode.RESOURCE_EXHAUSTED
    trailing = (("signalbox-reason", TOO_LARGE), (RETRY_HINT, "-1"))


class Unavailable(CallError):
    """Something this service needs does not answer now; the same request may be sent again."""

    code = grpc.StatusCode.UNAVAILABLE


class DeadlineExceeded(CallError):
    """The time of the call is over; whether it took effect is unknown to the caller."""

    code = grpc.StatusCode.DEADLINE_EXCEEDED
