"""Calls with a token, a deadline, and retries with the same request."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar
from uuid import uuid4

import grpc
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message

from services.common.grpc.channel import balanced_channel, single_channel
from services.common.grpc.tls import load_tls_settings

CALL_SECONDS = 20.0
ATTEMPTS = 5
FIRST_PAUSE_SECONDS = 0.1
WORTH_REPEATING = frozenset((grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED))

Answer = TypeVar("Answer", bound=Message)


class Rejected(Exception):
    """The service rejected the request; nothing changed. `reason` is a code that never changes its meaning."""

    def __init__(self, reason: str, sentence: str, clause: str = "") -> None:
        self.reason = reason
        self.clause = clause
        super().__init__(f"{reason}: {sentence}" + (f" ({clause})" if clause else ""))


class NotAnsweredError(Exception):
    """The call failed or got no answer, even after retries. `status` is the gRPC status of the last attempt."""

    def __init__(self, status: grpc.StatusCode, sentence: str, trailing: dict[str, str]) -> None:
        self.status = status
        self.trailing = trailing
        super().__init__(f"{status.name}: {sentence}")


def new_request_id() -> str:
    """An id for one request. A retry carries the same one, so that nothing is done twice."""
    return uuid4().hex


class Caller:
    """Calls one service with `token` (empty: without one)."""

    def __init__(
        self, address: str, service: ServiceDescriptor, token: str = "", channel: grpc.Channel | None = None
    ) -> None:
        """`address`: host:port, or several separated by commas; calls are then spread over them."""
        self.channel = channel or channel_to(address, service.full_name)
        self._metadata = bearer(token)

    def call(self, method: Callable[..., Any], request: Message, answer: type[Answer]) -> Answer:
        """The answer of one call, retried while the service is unavailable. `NotAnsweredError` after the last attempt,
        and at once for errors that a retry does not cure."""
        pause = FIRST_PAUSE_SECONDS
        for attempt in range(1, ATTEMPTS + 1):
            try:
                response = method(request, timeout=CALL_SECONDS, metadata=self._metadata)
            except grpc.RpcError as problem:
                failed = _failed(problem)
                if attempt == ATTEMPTS or failed.status not in WORTH_REPEATING:
                    raise failed from problem
                time.sleep(pause)
                pause *= 2
            else:
                return _checked(response, answer)
        raise AssertionError("the last attempt returns or raises")

    def stream(
        self, method: Callable[..., Any], request: Message, answer: type[Answer], seconds: float | None
    ) -> Iterator[Answer]:
        """The answers of a stream until it ends, or for `seconds`. `NotAnsweredError` when it fails."""
        try:
            for response in method(request, timeout=seconds, metadata=self._metadata):
                yield _checked(response, answer)
        except grpc.RpcError as problem:
            failed = _failed(problem)
            if failed.status is not grpc.StatusCode.DEADLINE_EXCEEDED:
                raise failed from problem

    def close(self) -> None:
        """Close the channel."""
        self.channel.close()


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """The metadata of a call with `token`; empty: without one."""
    return (("authorization", f"Bearer {token}"),) if token else ()


def channel_to(addresses: str, service: str, is_balanced: bool = False) -> grpc.Channel:
    """A channel to `service` (its full name) at host:port, or several separated by commas; encrypted according to the
    variables SIGNALBOX_TLS_*. Raises `SettingsError`."""
    tls = load_tls_settings(os.environ)
    replicas = addresses.split(",")
    if is_balanced or len(replicas) > 1:
        return balanced_channel(replicas, service, tls)
    return single_channel(replicas[0], tls)


def _checked(response: object, answer: type[Answer]) -> Answer:
    if not isinstance(response, answer):
        raise TypeError(f"{answer.__name__} expected, {type(response).__name__} received")
    return response


def _failed(problem: Any) -> NotAnsweredError:
    """`problem` is a `grpc.RpcError`, whose stubs leave out what every failed call has."""
    trailing = {str(key): str(value) for key, value in problem.trailing_metadata() or ()}
    return NotAnsweredError(problem.code(), problem.details() or "", trailing)
