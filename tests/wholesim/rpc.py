"""Calls between processes without a network of the machine: slow, repeated, and lost as calls over a network are.

Requests and answers are bytes on their way, and a call passes the interceptors that the server of services has.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import grpc

from services.common.auth.tokens import check_kind
from services.common.grpc.callers import CallerReader
from services.common.grpc.context import CallContext
from services.common.grpc.endings import Endings
from services.common.grpc.server import Guard, HostedService
from services.common.grpc.waiting import WaitFirst
from tests.wholesim.primitives import Future, schedule
from tests.wholesim.schedule import Process

LATENCY_MAX = 0.004
LOST_SHARE = 0.004
TWICE_SHARE = 0.02
ATTEMPTS = 5
FIRST_PAUSE_SECONDS = 0.05
WITHOUT_DEADLINE_SECONDS = 60.0
# A call that waits for a sequence waits this long here, whenever it comes: as long as it may at a replica.
WAIT_SECONDS = 2.0
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


class Context(CallContext):
    """A call as the server sees it, in the time of the simulation."""

    def __init__(self, end: float, metadata: Sequence[tuple[str, str]]) -> None:
        super().__init__(tuple(metadata or ()), "ipv4:127.0.0.1:5000", None, WITHOUT_DEADLINE_SECONDS)
        self._simulated_end = end

    def time_remaining(self) -> float:
        """Until the caller waits no longer."""
        return max(0.0, self._simulated_end - schedule().now)


@dataclass(eq=False)
class Server:
    """One process with the methods of its service."""

    process: Process
    hosted: HostedService
    guard: Guard
    endings: Endings
    calls: dict[Any, None] = field(default_factory=dict)
    """Calls without an answer yet."""

    def __post_init__(self) -> None:
        """The methods by path."""
        self._methods = {f"/{method.name}": method for method in self.hosted.methods()}
        self._callers = CallerReader(self.guard.verifier, ())

    def answer(self, path: str, sent: bytes, context: Context) -> bytes:
        """What a server answers, without its limits. Raises `CallFailed`."""
        method = self._methods[path]
        try:
            context.caller = self._callers.caller(context.invocation_metadata(), context.peer())
            if method.limits.kinds:
                check_kind(context.caller.proven(), method.limits.kinds)
            try:
                return method.answer(sent, context)
            except WaitFirst:
                schedule().sleep(min(WAIT_SECONDS, context.time_remaining()))
                return method.answer(sent, context)
        except Exception as error:
            self.endings.failed(method.name, context, error)
            raise CallFailed(context.code(), context.details(), context.trailing_metadata()) from error


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
    answer = Future()
    server.calls[answer] = None

    def work() -> None:
        try:
            result = server.answer(path, sent, Context(end, metadata))
        except CallFailed as failure:
            if not answer.done():
                answer.set_exception(failure)
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

    def with_call(self, request: Any, timeout: float | None = None, metadata: Any = ()) -> tuple[Any, Any]:
        """The answer with a call that has nothing to say."""
        return self(request, timeout, metadata), CallFailed(grpc.StatusCode.OK, "")

    def future(self, request: Any, timeout: float | None = None, metadata: Any = (), **_: Any) -> None:
        """Send it, and wait for nothing."""

        def send() -> None:
            try:
                self(request, timeout, metadata)
            except CallFailed:
                return

        schedule().spawn(f"future {self.path}", send)
