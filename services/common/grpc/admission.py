"""Rejects calls before they cost anything: no thread, no message read, no queue.

gRPC's one serving thread hands calls to a pool. A rejection made there comes late when many calls arrive at once, since
every hand-over waits for the interpreter; then calls queue where nothing counts them, and gRPC drops them without a log line.
So a server with an `AdmissionPolicy` decides on each call in the serving thread itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

import grpc

from services.common.telemetry.logs import Telemetry

Metadata: TypeAlias = Mapping[str, str | bytes]
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"


@dataclass(frozen=True, slots=True)
class Rejection:
    """The RESOURCE_EXHAUSTED end of a call: its message, and metadata with the time of the next try."""

    message: str
    trailing: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AdmissionPolicy:
    """Which calls a server admits: `rejection` is asked for every call to `service` (its full name).

    `rejection` gets the call's metadata, and whether `waiting_most` calls or more already wait for one of the `threads`. It
    must neither block nor raise; None admits the call.
    """

    service: str
    threads: int
    waiting_most: int
    rejection: Callable[[Metadata, bool], Rejection | None]


class CallThreads(ThreadPoolExecutor):
    """The threads of a server; counts the calls that wait for one."""

    def __init__(self, count: int) -> None:
        super().__init__(count, thread_name_prefix="rpc")
        self._counting = threading.Lock()
        self.waiting = 0

    def submit(self, call: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        """See `Executor`."""
        with self._counting:
            self.waiting += 1
        return super().submit(self._begin, call, args, named)

    def _begin(self, call: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        with self._counting:
            self.waiting -= 1
        return call(*args, **named)


class AdmissionInterceptor(grpc.ServerInterceptor):
    """Rejects the calls that its policy does not admit. Interceptors run in the serving thread."""

    def __init__(self, policy: AdmissionPolicy, threads: CallThreads, telemetry: Telemetry) -> None:
        self._policy = policy
        self._threads = threads
        self._telemetry = telemetry
        self._prefix = f"/{policy.service}/"

    def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Handler | None],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """The handler of the method, or one that ends the call at once."""
        path = handler_call_details.method
        if not path.startswith(self._prefix):
            return continuation(handler_call_details)
        metadata = dict(handler_call_details.invocation_metadata)
        rejection = self._policy.rejection(metadata, self._threads.waiting >= self._policy.waiting_most)
        if rejection is None:
            return continuation(handler_call_details)
        method = path.removeprefix(self._prefix)
        self._telemetry.calls.labels(
            self._policy.service, method, grpc.StatusCode.RESOURCE_EXHAUSTED.name
        ).inc()
        # A handler with a request stream: gRPC does not read the request then.
        return grpc.stream_unary_rpc_method_handler(_RejectingHandler(rejection))


class _InlineExecutor(ThreadPoolExecutor):
    """Runs each call in the caller's thread; for calls that never block."""

    def submit(self, call: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        """See `Executor`."""
        done: Future[Any] = Future()
        done.set_result(call(*args, **named))
        return done


class _RejectingHandler:
    """Ends a call. gRPC runs a behaviour in the pool that it names; if gRPC changed that name, the server's threads would
    reject, later but equally."""

    experimental_thread_pool = _InlineExecutor(1)

    def __init__(self, rejection: Rejection) -> None:
        self._rejection = rejection

    def __call__(self, _requests: object, context: grpc.ServicerContext) -> None:
        context.set_trailing_metadata(self._rejection.trailing)
        context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, self._rejection.message)
