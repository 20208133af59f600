"""The part of a call that may take its time, in a thread: parsing, handler, and the bytes of the answer."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import grpc
from google.protobuf.message import DecodeError, Message

from services.common.errors import DeadlineExceeded, InvalidRequest
from services.common.grpc.context import CallContext
from services.common.grpc.elements import check_elements
from services.common.grpc.endings import MethodName
from services.common.grpc.methods import MethodLimits
from services.common.telemetry.tracing import OFF, from_headers, is_tracing, span

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
TOO_LATE = "the deadline of the call has passed"


@dataclass(frozen=True)
class Method:
    """One method of a service, as its servicer has it."""

    name: MethodName
    limits: MethodLimits
    handler: Handler

    @property
    def behaviour(self) -> Callable[..., Any]:
        """The servicer's function."""
        if self.takes_stream:
            found = self.handler.stream_stream
        else:
            found = self.handler.unary_stream if self.is_stream else self.handler.unary_unary
        return cast("Callable[..., Any]", found)

    @property
    def takes_stream(self) -> bool:
        """Whether it is asked with a stream; then it is asynchronous and answers with one."""
        return bool(self.handler.request_streaming)

    @property
    def is_stream(self) -> bool:
        """Whether it answers with a stream."""
        return bool(self.handler.response_streaming)

    @property
    def is_asynchronous(self) -> bool:
        """Whether the servicer's function runs on the event loop and never blocks it."""
        return inspect.iscoroutinefunction(self.behaviour) or inspect.isasyncgenfunction(self.behaviour)

    @property
    def is_endless(self) -> bool:
        """Whether its stream of answers ends only when the caller, the token or the server does."""
        return self.is_stream and self.is_asynchronous

    def request(self, received: bytes) -> Any:
        """The request in these bytes. Raises `InvalidRequest`, before parsing for one that holds too much."""
        deserializer = self.handler.request_deserializer
        if deserializer is None:
            return received
        # Generated code names the message's class by its `FromString`.
        kind = getattr(deserializer, "__self__", None)
        if isinstance(kind, type) and issubclass(kind, Message):
            check_elements(received, kind, self.limits.elements)
        try:
            return deserializer(received)
        except DecodeError as error:
            raise InvalidRequest(f"the request of {self.name} is malformed") from error

    def response(self, answer: Any) -> bytes:
        """The bytes of an answer; what is bytes already stays as it is."""
        serializer = self.handler.response_serializer
        if serializer is None or isinstance(answer, bytes):
            return answer  # type: ignore[no-any-return]
        return serializer(answer)

    def answer(self, received: bytes, context: CallContext) -> bytes:
        """The answer of a single call. Raises what ends the call."""
        with self.traced(context):
            check_time(context)
            answer = self.behaviour(self.request(received), context)
            check_time(context)
            return self.response(answer)

    def answers(self, received: bytes, context: CallContext) -> Iterator[bytes]:
        """The answers of a stream. Raises what ends the call."""
        for answer in self.behaviour(self.request(received), context):
            check_time(context)
            yield self.response(answer)
        check_time(context)

    def traced(self, context: CallContext) -> AbstractContextManager[None]:
        """A span within the caller's, around a single call; streams last too long for one."""
        if not is_tracing():
            return OFF
        return span(str(self.name), "server", from_headers(context.invocation_metadata()))


def check_time(context: CallContext) -> None:
    """Raises `DeadlineExceeded` when the time of the call is over."""
    if context.is_over():
        raise DeadlineExceeded(TOO_LATE)


class MethodCollector:
    """Stands in for a server where generated code adds a servicer's methods."""

    def __init__(self) -> None:
        self.handlers: dict[str, dict[str, Handler]] = {}

    def add_registered_method_handlers(self, service: str, handlers: dict[str, Handler]) -> None:
        """The methods of a service by name."""
        self.handlers[service] = handlers

    def add_generic_rpc_handlers(self, _handlers: object) -> None:
        """The same methods, in a form for which there is no use here."""
