"""For services whose every call needs a signed token."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import grpc

from services.common.auth import ANYBODY, Kind, TokenVerifier
from services.common.grpc_guard import Behaviour, Handler


class TokenGuard(grpc.ServerInterceptor):
    """Interceptor that lets a call of `service` pass only with a token of one of `kinds`; health and reflection stay
    open."""

    def __init__(self, service: str, verifier: TokenVerifier, kinds: tuple[Kind, ...] = ANYBODY) -> None:
        self._prefix = f"/{service}/"
        self._verifier = verifier
        self._kinds = kinds

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
            self._verifier.authenticate(context, self._kinds)
            return behaviour(request, context)

        return checked

    def _streaming(self, behaviour: Any) -> Callable[[Any, grpc.ServicerContext], Iterator[Any]]:
        def checked(request: Any, context: grpc.ServicerContext) -> Iterator[Any]:
            self._verifier.authenticate(context, self._kinds)
            yield from behaviour(request, context)

        return checked
