"""Calls between processes without a network of the machine: slow, repeated, and lost as calls over a network are.

Requests and answers are bytes on their way, and a call passes the interceptors that the server of services has.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import grpc

from services.common.grpc.interceptor import CallInterceptor
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from tests.grpc_context import CallContext
from tests.wholesim.primitives import Future, schedule
from tests.wholesim.schedule import Process

LATENCY_MAX = 0.004
LOST_SHARE = 0.004
TWICE_SHARE = 0.02
ATTEMPTS = 5
FIRST_PAUSE_SECONDS = 0.05
WITHOUT_DEADLINE_SECONDS = 60.0
RETRYABLE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED)


class CallFailed(grpc.RpcError):
    """A call that ended with a status other than OK."""

    def __init__(self, code: grpc.StatusCode, details: str, trailing: Sequence[tuple[str, Any]] = ()) -> None:
        super().__init__(f"{code.name}: {details}")
        self._code, self._details, self._trailing = code, details, trailing

    def code(self) -> grpc.StatusCode:
        """See `grpc.Call`."""
        return self._code

    def details(self) -> str:
        """See `grpc.Call`."""
        return self._details

    def trailing_metadata(self) -> Any:
        """See `grpc.Call`."""
        return self._trailing


class Aborted(Exception):
    """What `abort` raises in the server."""


class Context(CallContext):
    """A call as the server sees it."""

    def __init__(self, end: float, metadata: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._metadata = tuple(metadata or ())
        self._end = end
        self.failure: CallFailed | None = None

    def time_remaining(self) -> float:
        """Until the caller waits no longer."""
        return max(0.0, self._end - schedule().now)

    def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        """See the base."""
        self.failure = CallFailed(code, details, tuple(self.trailing.items()))
        raise Aborted


@dataclass(eq=False)
class Server:
    """The handlers of one process, by path."""

    process: Process
    handlers: dict[str, Any] = field(default_factory=dict)
    calls: dict[Any, None] = field(default_factory=dict)
    """Calls without an answer yet."""

    def add_generic_rpc_handlers(self, handlers: object) -> None:
        """The same handlers come by name."""

    def add_registered_method_handlers(self, service: str, handlers: dict[str, Any]) -> None:
        """See `grpc.Server`."""
        self.handlers |= {f"/{service}/{method}": handler for method, handler in handlers.items()}

    def intercept(
        self, settings: Settings, telemetry: Telemetry, interceptors: Sequence[grpc.ServerInterceptor]
    ) -> None:
        """Have every call pass the interceptor of every server and these."""
        for path, handler in self.handlers.items():
            details: Any = _Details(path)
            for each in reversed([CallInterceptor(settings, telemetry), *interceptors]):
                handler = each.intercept_service(lambda _, handler=handler: handler, details)  # type: ignore[misc]
            self.handlers[path] = handler


@dataclass(frozen=True, slots=True)
class _Details:
    method: str
    invocation_metadata: tuple[tuple[str, str], ...] = ()


class Network:
    """Which server listens at which address."""

    def __init__(self) -> None:
        self.servers: dict[str, Server] = {}

    def close(self, process: Process) -> None:
        """A process is gone: its callers see that."""
        for address, server in list(self.servers.items()):
            if server.process is process:
                del self.servers[address]
                for call in list(server.calls):
                    if not call.done():
                        call.set_exception(CallFailed(grpc.StatusCode.UNAVAILABLE, "the connection broke"))


class _Connected:
    network: Network


def connect(network: Network) -> None:
    """Channels made from now on go over this one."""
    _Connected.network = network


class Channel(grpc.Channel):
    """As that of `grpc.insecure_channel`."""

    def __init__(
        self, target: str, options: Sequence[tuple[str, Any]] | None = None, compression: Any = None
    ):
        self._addresses = target.removeprefix("dns:///").removeprefix("ipv4:").split(",")
        self._repeats = any(
            name == "grpc.service_config" and "retryPolicy" in json.dumps(json.loads(value))
            for name, value in options or ()
        )
        self._network = _Connected.network

    def unary_unary(
        self,
        method: str,
        request_serializer: Any = None,
        response_deserializer: Any = None,
        _registered_method: bool | None = False,
    ) -> Any:
        """See `grpc.Channel`."""
        return _Method(self, method, request_serializer, response_deserializer)

    def unary_stream(self, method: str, *_: Any, **__: Any) -> Any:
        """Nobody watches in these runs."""
        return None

    def stream_unary(self, method: str, *_: Any, **__: Any) -> Any:
        """There are no such calls."""
        return None

    def stream_stream(self, method: str, *_: Any, **__: Any) -> Any:
        """There are no such calls."""
        return None

    def subscribe(self, callback: Any, try_to_connect: bool | None = False) -> None:
        """Nobody asks."""

    def unsubscribe(self, callback: Any) -> None:
        """Nobody asks."""

    def close(self) -> None:
        """Nothing is held."""

    def __enter__(self) -> Channel:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, path: str, sent: bytes, seconds: float | None, metadata: Any) -> bytes:
        """The answer, from whichever server; asked again where the channel is to repeat. Raises `CallFailed`."""
        running = schedule()
        end = running.now + (WITHOUT_DEADLINE_SECONDS if seconds is None else seconds)
        pause = FIRST_PAUSE_SECONDS
        for attempt in range(ATTEMPTS if self._repeats else 1):
            try:
                return self._once(path, sent, end, metadata)
            except CallFailed as failed:
                is_last = not self._repeats or attempt == ATTEMPTS - 1
                if is_last or failed.code() not in RETRYABLE or running.now + pause >= end:
                    raise
            running.sleep(pause)
            pause *= 2
        raise AssertionError("the last attempt returns or raises")

    def _once(self, path: str, sent: bytes, end: float, metadata: Any) -> bytes:
        running = schedule()
        running.sleep(running.random.uniform(0, LATENCY_MAX))
        up = [each for each in self._addresses if each in self._network.servers]
        if not up:
            raise CallFailed(grpc.StatusCode.UNAVAILABLE, f"nobody at {', '.join(self._addresses)}")
        server = self._network.servers[running.random.choice(up)]
        draw = running.random.random()
        if draw < LOST_SHARE:
            running.sleep(end - running.now)
            raise CallFailed(grpc.StatusCode.DEADLINE_EXCEEDED, "no answer")
        answers = [_begin(server, path, sent, end, metadata)]
        if draw > 1 - TWICE_SHARE:
            running.sleep(running.random.uniform(0, LATENCY_MAX))
            answers.append(_begin(server, path, sent, end, metadata))
        try:
            answer: bytes = running.random.choice(answers).result(end - running.now)
        except TimeoutError:
            raise CallFailed(grpc.StatusCode.DEADLINE_EXCEEDED, "no answer in time") from None
        finally:
            for each in answers:
                server.calls.pop(each, None)
        running.sleep(running.random.uniform(0, LATENCY_MAX))
        if running.random.random() < LOST_SHARE:
            raise CallFailed(grpc.StatusCode.UNAVAILABLE, "the connection broke before the answer")
        return answer


def _begin(server: Server, path: str, sent: bytes, end: float, metadata: Any) -> Any:
    """Let a server answer a call, in a thread of its own."""
    answer, handler = Future(), server.handlers[path]
    server.calls[answer] = None

    def work() -> None:
        context = Context(end, metadata)
        try:
            result = handler.response_serializer(handler.unary_unary(sent, context))
        except Aborted:
            assert context.failure is not None
            if not answer.done():
                answer.set_exception(context.failure)
        else:
            if not answer.done():
                answer.set_result(result)

    schedule().spawn(path, work, server.process)
    return answer


@dataclass(frozen=True, slots=True)
class _Method:
    """One method of a channel."""

    channel: Channel
    path: str
    serialize: Callable[[Any], bytes]
    deserialize: Callable[[bytes], Any]

    def __call__(self, request: Any, timeout: float | None = None, metadata: Any = (), **_: Any) -> Any:
        return self.deserialize(self.channel.call(self.path, self.serialize(request), timeout, metadata))

    def future(self, request: Any, timeout: float | None = None, metadata: Any = (), **_: Any) -> None:
        """Send it, and wait for nothing."""

        def send() -> None:
            try:
                self(request, timeout, metadata)
            except CallFailed:
                return

        schedule().spawn(f"future {self.path}", send)
