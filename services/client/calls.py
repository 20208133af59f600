"""Calls with a token, a deadline, and repeats of the same request."""

from __future__ import annotations

import math
import os
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from secrets import token_urlsafe
from typing import Any, TypeVar
from uuid import uuid4

import grpc
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message

from services.client.retries import RIDE_OVER, Attempts, Retries
from services.common.grpc.channel import RESOLVE_AGAIN, balanced_channel, single_channel
from services.common.grpc.owner_channel import with_owners
from services.common.grpc.tls import load_tls_settings

# A call may reach its deadline a little before this process sees that its time is over.
CLOCK_DIFFERENCE_SECONDS = 0.05
COMMAND_ID_BYTES = 9
# How often a lost connection is tried again; without limits gRPC waits up to two minutes.
RECONNECTING = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    RESOLVE_AGAIN,
)

Answer = TypeVar("Answer", bound=Message)


class Rejected(Exception):
    """The service rejected the request; nothing changed. `reason` is a code that never changes its meaning.

    `retryable`: the same request may be accepted later."""

    def __init__(self, reason: str, sentence: str, clause: str = "", retryable: bool = False) -> None:
        self.reason = reason
        self.clause = clause
        self.retryable = retryable
        super().__init__(f"{reason}: {sentence}" + (f" ({clause})" if clause else ""))


class NotAnsweredError(Exception):
    """The call failed or got no answer, even after retries. `status` is the gRPC status of the last attempt."""

    def __init__(self, status: grpc.StatusCode, sentence: str, trailing: dict[str, str]) -> None:
        self.status = status
        self.trailing = trailing
        super().__init__(f"{status.name}: {sentence}")


def new_request_id() -> str:
    """An id for one request. A retry carries the same one, so that nothing is done twice."""
    return urlsafe_b64encode(uuid4().bytes).rstrip(b"=").decode()


def new_command_id() -> str:
    """An id for the request of one command, as `new_request_id`. It is short, since it is stored with the command, and for ever
    with its events, and has to be unique in its game alone."""
    return token_urlsafe(COMMAND_ID_BYTES)


class Caller:
    """Calls one service with `token` (empty: without one)."""

    def __init__(
        self,
        address: str,
        service: ServiceDescriptor,
        token: str = "",
        channel: grpc.Channel | None = None,
        retries: Retries = RIDE_OVER,
    ) -> None:
        """`address`: host:port, or several separated by commas; calls are then spread over them."""
        self.channel = channel or channel_to(address, service.full_name)
        self._metadata = bearer(token)
        self._retries = retries
        self._is_closed = threading.Event()

    def call(self, method: Callable[..., Any], request: Message, answer: type[Answer]) -> Answer:
        """The answer of one call, repeated while the service is unavailable. `NotAnsweredError` after the last attempt,
        and at once for errors that a repeat does not cure."""
        attempts = Attempts(self._retries)
        while True:
            try:
                response = method(request, timeout=attempts.seconds(), metadata=self._metadata)
            except grpc.RpcError as problem:
                self._wait_to_repeat(attempts, problem)
            else:
                return _checked(response, answer)

    def stream(
        self,
        method: Callable[..., Any],
        next_request: Callable[[], Message],
        answer: type[Answer],
        seconds: float | None,
    ) -> Iterator[Answer]:
        """The answers of a stream until it ends, or for `seconds`; a stream that is cut off is resumed.

        `next_request` makes the request for what comes after the last answer. `NotAnsweredError` as in `call`."""
        attempts = Attempts(self._retries)
        end = math.inf if seconds is None else time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            running = method(
                next_request(), timeout=None if seconds is None else left, metadata=self._metadata
            )
            try:
                for response in running:
                    attempts.restart()
                    yield _checked(response, answer)
                return
            except grpc.RpcError as problem:
                if time.monotonic() >= end - CLOCK_DIFFERENCE_SECONDS:
                    return
                self._wait_to_repeat(attempts, problem)
            finally:
                running.cancel()

    def _wait_to_repeat(self, attempts: Attempts, problem: grpc.RpcError) -> None:
        """Pause before the next attempt. Raises `NotAnsweredError` if there is none, as after `close`."""
        failed = _failed(problem)
        pause = None if self._is_closed.is_set() else attempts.pause(failed.status, failed.trailing)
        if pause is None or self._is_closed.wait(pause):
            raise failed from problem

    def close(self) -> None:
        """Close the channel; calls under way end, and none is repeated."""
        self.end()
        self.channel.close()

    def end(self) -> None:
        """Repeat no call; the channel is for others too."""
        self._is_closed.set()


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
    return single_channel(replicas[0], tls, RECONNECTING)


def owner_channel_to(addresses: str, service: str) -> grpc.Channel:
    """As `channel_to`, for a service whose replicas have some games each. The token goes to other addresses than these only over
    TLS, and only where the certificate is good for the name of the first. Raises `SettingsError`."""
    tls = load_tls_settings(os.environ)
    replicas = addresses.split(",")
    only = None if tls.is_called else replicas
    return with_owners(channel_to(addresses, service), replicas, service, tls, only)


def _checked(response: object, answer: type[Answer]) -> Answer:
    if not isinstance(response, answer):
        raise TypeError(f"{answer.__name__} expected, {type(response).__name__} received")
    return response


def _failed(problem: Any) -> NotAnsweredError:
    """`problem` is a `grpc.RpcError`, whose stubs leave out what every failed call has."""
    trailing = {str(key): str(value) for key, value in problem.trailing_metadata() or ()}
    return NotAnsweredError(problem.code(), problem.details() or "", trailing)
