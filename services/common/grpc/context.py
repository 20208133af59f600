"""A call as its handler sees it: from any thread, also after the call has ended."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NoReturn

import grpc

from services.common.grpc.callers import NOBODY, Caller

LONGEST_DEADLINE_SECONDS = 366 * 24 * 3600.0


class Aborted(Exception):
    """Ends the handler of a call that it gave a status."""


class CallContext(grpc.ServicerContext):
    """What came with a call and what is to go with its answer. A call without a deadline ends after `default_seconds`.

    Python cannot stop a running handler: it sees the end through `time_remaining` and `is_active`, so whatever waits must
    wait no longer than that.
    """

    def __init__(
        self,
        metadata: Sequence[tuple[str, str | bytes]],
        peer: str,
        seconds: float | None,
        default_seconds: float,
        auth: Mapping[str, Any] | None = None,
    ) -> None:
        """`seconds`: until the caller's own deadline."""
        self._metadata = metadata
        self._peer = peer
        # Without a deadline gRPC reports some centuries, or None.
        is_given = seconds is not None and seconds < LONGEST_DEADLINE_SECONDS
        self._end = time.monotonic() + (seconds if is_given and seconds is not None else default_seconds)
        self._auth = auth or {}
        self._code = grpc.StatusCode.OK
        self._details = ""
        self._trailing: tuple[tuple[str, str | bytes], ...] = ()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], None]] | None = []
        self.caller: Caller = NOBODY
        self.has_waited = False
        self.is_forwarded = False

    def ended(self) -> None:
        """The call is over, in whatever way: calls the callbacks, at the first time only."""
        with self._lock:
            callbacks, self._callbacks = self._callbacks, None
        for callback in callbacks or ():
            callback()

    def time_remaining(self) -> float:
        """Seconds left, never below 0."""
        return max(0.0, self._end - time.monotonic())

    def is_active(self) -> bool:
        """False once the caller hung up or the time is over."""
        return self._callbacks is not None and not self.is_over()

    def is_over(self) -> bool:
        """True once the time is over."""
        return self.time_remaining() <= 0.0

    def cancel(self) -> bool:
        """Not to be had by a handler: it ends a call with `abort`."""
        return False

    def add_callback(self, callback: Callable[[], None]) -> bool:
        """Calls `callback` at the end of the call, which must not block; False if the call is over already."""
        with self._lock:
            if self._callbacks is None:
                return False
            self._callbacks.append(callback)
            return True

    def invocation_metadata(self) -> Any:
        """Metadata of the caller."""
        return self._metadata

    def peer(self) -> str:
        """Address of the caller."""
        return self._peer

    def peer_identities(self) -> Iterable[bytes] | None:
        """Identities of the caller's connection."""
        key = self.peer_identity_key()
        return None if key is None else self._auth.get(key)

    def peer_identity_key(self) -> str | None:
        """Key of those identities."""
        return next(
            (key for key in ("x509_subject_alternative_name", "x509_common_name") if key in self._auth), None
        )

    def auth_context(self) -> Mapping[str, Any]:
        """Security of the connection."""
        return self._auth

    def set_compression(self, compression: grpc.Compression) -> None:
        """Nothing: answers go plain."""

    def send_initial_metadata(self, initial_metadata: Any) -> None:
        """Nothing: there is no metadata before the answer."""

    def set_trailing_metadata(self, trailing_metadata: Any) -> None:
        """Metadata after the answer."""
        self._trailing = tuple(trailing_metadata)

    def trailing_metadata(self) -> tuple[tuple[str, str | bytes], ...]:
        """Metadata that will be sent after the answer."""
        return self._trailing

    def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        """Ends the call with a status."""
        self.set_code(code)
        self.set_details(details)
        raise Aborted

    def abort_with_status(self, status: grpc.Status) -> NoReturn:
        """Ends the call with a status."""
        with suppress(TypeError):
            self.set_trailing_metadata(status.trailing_metadata)
        self.abort(status.code, status.details)

    def set_code(self, code: grpc.StatusCode) -> None:
        """Status of the answer."""
        self._code = code

    def set_details(self, details: str) -> None:
        """Text of the status."""
        self._details = details

    def code(self) -> grpc.StatusCode:
        """Status set so far."""
        return self._code

    def details(self) -> str:
        """Its text."""
        return self._details


def caller_of(context: grpc.ServicerContext) -> Caller:
    """Who makes the call."""
    return context.caller if isinstance(context, CallContext) else NOBODY
