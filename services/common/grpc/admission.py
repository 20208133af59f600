"""Refusing calls before they cost anything: no thread, no message read, no turn to wait for.

gRPC's one serving thread hands calls to a pool. Refusals made there come late when many calls come at once, since every
hand-over waits for the interpreter; then calls back up where nobody sees them, and gRPC sheds them without a word. So a
server with a `Door` looks at each call in the serving thread itself and ends there those that are to be refused.
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
class Refusal:
    """How a call ends that is RESOURCE_EXHAUSTED: the text, and metadata that says when to come again."""

    message: str
    trailing: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Door:
    """Who gets into a server: calls to `service` (its full name) are asked for one by one.

    `refusal` gets a call's metadata, and whether more than `waiting_most` calls wait for one of the `threads` already;
    it must neither wait nor raise, and gives None for a call that may come in.
    """

    service: str
    threads: int
    waiting_most: int
    refusal: Callable[[Metadata, bool], Refusal | None]


class CallThreads(ThreadPoolExecutor):
    """The threads of a server; knows how many calls wait for one."""

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


class DoorKeeper(grpc.ServerInterceptor):
    """Interceptor that refuses what its door does not let in. Interceptors run in the serving thread."""

    def __init__(self, door: Door, threads: CallThreads, telemetry: Telemetry) -> None:
        self._door = door
        self._threads = threads
        self._telemetry = telemetry
        self._prefix = f"/{door.service}/"

    def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Handler | None],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """The way in, or a handler that ends the call at once."""
        path = handler_call_details.method
        if not path.startswith(self._prefix):
            return continuation(handler_call_details)
        metadata = dict(handler_call_details.invocation_metadata)
        refusal = self._door.refusal(metadata, self._threads.waiting >= self._door.waiting_most)
        if refusal is None:
            return continuation(handler_call_details)
        method = path.removeprefix(self._prefix)
        self._telemetry.calls.labels(
            self._door.service, method, grpc.StatusCode.RESOURCE_EXHAUSTED.name
        ).inc()
        # As a method with a stream of requests, which gRPC does not read unless asked to.
        return grpc.stream_unary_rpc_method_handler(_Refuse(refusal))


class _RightHere(ThreadPoolExecutor):
    """Does at once what it is given, for what never waits."""

    def submit(self, call: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        """See `Executor`."""
        done: Future[Any] = Future()
        done.set_result(call(*args, **named))
        return done


class _Refuse:
    """Ends a call. gRPC runs a behaviour in the pool that it names; were that name ever to change, refusals would be
    made by the server's threads, later but the same."""

    experimental_thread_pool = _RightHere(1)

    def __init__(self, refusal: Refusal) -> None:
        self._refusal = refusal

    def __call__(self, _requests: object, context: grpc.ServicerContext) -> None:
        context.set_trailing_metadata(self._refusal.trailing)
        context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, self._refusal.message)
