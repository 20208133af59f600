"""The interceptors of every call: parsing, deadline, limits, log, metrics, and errors mapped to statuses."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeAlias

import grpc
from google.protobuf.message import DecodeError

from services.common.errors import CallError, DeadlineExceeded, InvalidRequest, Overloaded
from services.common.grpc.context import DeadlineContext
from services.common.settings.service import Settings
from services.common.telemetry.logs import Logger, Telemetry, get_logger
from services.common.telemetry.tracing import OFF, from_headers, is_tracing, span

# Balancing clients keep a watch open each. It holds no thread as long as nothing is wrapped around it.
WATCH_HEALTH = "/grpc.health.v1.Health/Watch"

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Behaviour = Callable[[Any, grpc.ServicerContext], Any]


class CheckInterceptor(grpc.ServerInterceptor):
    """Checks every call of one service first; health and reflection stay open. Runs inside `CallInterceptor`, which turns
    what a check raises into a status."""

    def __init__(self, service: str, check: Callable[[grpc.ServicerContext], object]) -> None:
        """`check` raises what ends the call."""
        self._prefix = f"/{service}/"
        self._check = check

    def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Handler | None],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Wraps the handler of the called method."""
        handler = continuation(handler_call_details)
        if handler is None or not handler_call_details.method.startswith(self._prefix):
            return handler
        read, write = handler.request_deserializer, handler.response_serializer
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(self._streaming(handler.unary_stream), read, write)
        return grpc.unary_unary_rpc_method_handler(self._single(handler.unary_unary), read, write)

    def _single(self, behaviour: Any) -> Behaviour:
        def checked(request: Any, context: grpc.ServicerContext) -> Any:
            self._check(context)
            return behaviour(request, context)

        return checked

    def _streaming(self, behaviour: Any) -> Callable[[Any, grpc.ServicerContext], Iterator[Any]]:
        def checked(request: Any, context: grpc.ServicerContext) -> Iterator[Any]:
            self._check(context)
            yield from behaviour(request, context)

        return checked


class CallInterceptor(grpc.ServerInterceptor):
    """Applies deadlines, limits, logs and metrics to all calls of a server."""

    def __init__(self, settings: Settings, telemetry: Telemetry) -> None:
        self._settings = settings
        self._telemetry = telemetry
        self._streams = threading.BoundedSemaphore(max(settings.stream_limit, 1))
        self._logger = get_logger("grpc")

    def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Handler | None],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Wraps the handler of the called method; an unknown method stays unknown, and watching health is free."""
        handler = continuation(handler_call_details)
        if handler is None or handler_call_details.method == WATCH_HEALTH:
            return handler
        call = _InterceptedCall(
            handler_call_details.method, self._settings, self._telemetry, self._streams, self._logger
        )
        return call.wrapped(handler)


class _InterceptedCall:
    def __init__(
        self,
        path: str,
        settings: Settings,
        telemetry: Telemetry,
        streams: threading.BoundedSemaphore,
        logger: Logger,
    ) -> None:
        self._service, _, self._method = path.lstrip("/").partition("/")
        self._settings = settings
        self._telemetry = telemetry
        self._streams = streams
        self._logger = logger

    def wrapped(self, handler: Handler) -> Handler:
        serializer = handler.response_serializer
        if handler.request_streaming:
            deserializer = handler.request_deserializer
            if handler.response_streaming:
                behaviour = self._streaming(handler.stream_stream, None)
                return grpc.stream_stream_rpc_method_handler(behaviour, deserializer, serializer)
            behaviour = self._single(handler.stream_unary, None)
            return grpc.stream_unary_rpc_method_handler(behaviour, deserializer, serializer)
        if handler.response_streaming:
            behaviour = self._streaming(handler.unary_stream, handler.request_deserializer)
            return grpc.unary_stream_rpc_method_handler(behaviour, None, serializer)
        behaviour = self._single(handler.unary_unary, handler.request_deserializer)
        return grpc.unary_unary_rpc_method_handler(behaviour, None, serializer)

    def _single(self, behaviour: Any, deserializer: Callable[[bytes], Any] | None) -> Behaviour:
        def intercepted(received: Any, inner: grpc.ServicerContext) -> Any:
            context = DeadlineContext(inner, self._settings.default_deadline_seconds)
            with self._traced(inner), self._watched(context, is_stream=False):
                self._check_time(context)
                answer = behaviour(self._request(received, deserializer), context)
                self._check_time(context)
                return answer

        return intercepted

    def _streaming(self, behaviour: Any, deserializer: Callable[[bytes], Any] | None) -> Behaviour:
        def intercepted(received: Any, inner: grpc.ServicerContext) -> Iterator[Any]:
            context = DeadlineContext(inner, self._settings.default_stream_seconds)
            with self._watched(context, is_stream=True), self._stream_slot():
                for answer in behaviour(self._request(received, deserializer), context):
                    self._check_time(context)
                    yield answer
                self._check_time(context)

        return intercepted

    def _traced(self, inner: grpc.ServicerContext) -> AbstractContextManager[None]:
        """A span within the caller's, around a single call; streams last too long for one."""
        if not is_tracing():
            return OFF
        return span(f"{self._service}/{self._method}", "server", from_headers(inner.invocation_metadata()))

    def _request(self, received: Any, deserializer: Callable[[bytes], Any] | None) -> Any:
        if deserializer is None:
            return received
        try:
            return deserializer(received)
        except DecodeError as error:
            raise InvalidRequest(f"the request of {self._service}/{self._method} is malformed") from error

    def _check_time(self, context: DeadlineContext) -> None:
        if context.is_over():
            raise DeadlineExceeded("the deadline of the call has passed")

    @contextmanager
    def _stream_slot(self) -> Iterator[None]:
        if self._settings.stream_limit == 0 or not self._streams.acquire(blocking=False):
            raise Overloaded(f"the server keeps no more than {self._settings.stream_limit} streams open")
        try:
            yield
        finally:
            self._streams.release()

    @contextmanager
    def _watched(self, context: DeadlineContext, is_stream: bool) -> Iterator[None]:
        started = time.monotonic()
        active = self._telemetry.calls_active.labels(self._service, self._method)
        active.inc()
        code = grpc.StatusCode.OK
        try:
            yield
        except GeneratorExit:
            code = grpc.StatusCode.CANCELLED
            raise
        except CallError as error:
            code = error.code
            if error.trailing:
                context.set_trailing_metadata(error.trailing)
            context.abort(code, str(error))
        except Exception:
            if context.aborted:
                code = context.code()
                raise
            code = grpc.StatusCode.INTERNAL
            self._fail(context)
        finally:
            active.dec()
            self._record(code, time.monotonic() - started, is_stream)

    def _fail(self, context: DeadlineContext) -> None:
        error_id = secrets.token_hex(8)
        self._logger.exception("call_failed", rpc=self._service, method=self._method, error_id=error_id)
        context.abort(grpc.StatusCode.INTERNAL, f"internal error {error_id}")

    def _record(self, code: grpc.StatusCode, seconds: float, is_stream: bool) -> None:
        self._telemetry.calls.labels(self._service, self._method, code.name).inc()
        if not is_stream:
            self._telemetry.call_seconds.labels(self._service, self._method).observe(seconds)
        if self._telemetry.refusals.holds_back(self._service, self._method, code.name):
            return
        log = self._logger.debug if code is grpc.StatusCode.OK else self._logger.info
        log(
            "call_ended",
            rpc=self._service,
            method=self._method,
            code=code.name,
            milliseconds=round(seconds * 1000, 3),
        )
