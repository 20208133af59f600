"""A call's context with a deadline of its own, for calls that bring none."""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

import grpc

LONGEST_DEADLINE_SECONDS = 366 * 24 * 3600.0


class DeadlineContext(grpc.ServicerContext):
    """Hands everything on to the real context; a call without a deadline ends after `default_seconds`.

    Python cannot stop a running handler: it sees the end through `time_remaining` and `is_active`, so
    whatever waits must wait no longer than that.
    """

    def __init__(self, inner: grpc.ServicerContext, default_seconds: float) -> None:
        self._inner = inner
        given = inner.time_remaining()
        # Without a deadline gRPC reports some centuries, or None.
        is_given = given is not None and given < LONGEST_DEADLINE_SECONDS
        self._end = time.monotonic() + (given if is_given else default_seconds)
        self._code = grpc.StatusCode.OK
        self.aborted = False

    def time_remaining(self) -> float:
        """Seconds left, never below 0."""
        return max(0.0, self._end - time.monotonic())

    def is_active(self) -> bool:
        """False once the caller hung up or the time is over."""
        return self._inner.is_active() and not self.is_over()

    def is_over(self) -> bool:
        """True once the time is over."""
        return self.time_remaining() <= 0.0

    def cancel(self) -> bool:
        """Cancels the call."""
        self._inner.cancel()
        return True

    def add_callback(self, callback: Callable[[], None]) -> bool:
        """Calls `callback` at the end of the call."""
        return self._inner.add_callback(callback)

    def invocation_metadata(self) -> Any:
        """Metadata of the caller."""
        return self._inner.invocation_metadata()

    def peer(self) -> str:
        """Address of the caller."""
        return self._inner.peer()

    def peer_identities(self) -> Iterable[bytes] | None:
        """Identities of the caller's connection."""
        return self._inner.peer_identities()

    def peer_identity_key(self) -> str | None:
        """Key of those identities."""
        return self._inner.peer_identity_key()

    def auth_context(self) -> Mapping[str, bytes]:
        """Security of the connection."""
        return self._inner.auth_context()

    def set_compression(self, compression: grpc.Compression) -> None:
        """Compression of the answer."""
        self._inner.set_compression(compression)

    def disable_next_message_compression(self) -> None:
        """Sends the next message plain."""
        self._inner.disable_next_message_compression()

    def send_initial_metadata(self, initial_metadata: Any) -> None:
        """Metadata before the answer."""
        self._inner.send_initial_metadata(initial_metadata)

    def set_trailing_metadata(self, trailing_metadata: Any) -> None:
        """Metadata after the answer."""
        self._inner.set_trailing_metadata(trailing_metadata)

    def trailing_metadata(self) -> Any:
        """Metadata that will be sent after the answer."""
        return self._inner.trailing_metadata()

    def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        """Ends the call with a status."""
        self.aborted = True
        self._code = code
        self._inner.abort(code, details)
        raise AssertionError("abort returned")

    def abort_with_status(self, status: grpc.Status) -> NoReturn:
        """Ends the call with a status."""
        self.aborted = True
        self._code = status.code
        self._inner.abort_with_status(status)
        raise AssertionError("abort returned")

    def set_code(self, code: grpc.StatusCode) -> None:
        """Status of the answer."""
        self._code = code
        self._inner.set_code(code)

    def set_details(self, details: str) -> None:
        """Text of the status."""
        self._inner.set_details(details)

    def code(self) -> grpc.StatusCode:
        """Status set so far."""
        return self._code
