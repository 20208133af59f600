"""A channel to a service whose replicas have some games each: calls about a game go straight to its owner, if that is known."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import grpc
from grpc_health.v1 import health_pb2

from services.common.grpc.channel import balanced_channel, name_in, replica_channel
from services.common.grpc.owners import (
    HEALTH_CHECK,
    PROBE_SECONDS,
    KnownReplica,
    Metadata,
    Owners,
    first_seconds,
    game_in,
)
from services.common.grpc.tls import PLAIN, TlsSettings
from services.common.telemetry.logs import get_logger


def owner_channel(addresses: Sequence[str], service: str, tls: TlsSettings = PLAIN) -> OwnerChannel:
    """As `balanced_channel`, for services of the platform. Without TLS it calls whatever address is reported, as it calls
    whatever answers at `addresses`. Raises `OSError` if one of several names is unknown."""
    return with_owners(balanced_channel(addresses, service, tls), addresses, service, tls, None)


def with_owners(
    any_replica: grpc.Channel,
    addresses: Sequence[str],
    service: str,
    tls: TlsSettings,
    only: Collection[str] | None,
) -> OwnerChannel:
    """A channel that sends a call about a game to the owner of the game, or over `any_replica`, a channel to all `addresses`
    (host:port). `only`: see `Owners`. Over TLS an owner has to prove the name of the first of `addresses`."""

    def connect(address: str) -> grpc.Channel:
        return replica_channel(address, name_in(addresses[0]), service, tls)

    return OwnerChannel(any_replica, connect, service, only)


class OwnerChannel(grpc.Channel):
    """See `with_owners`."""

    def __init__(
        self,
        any_replica: grpc.Channel,
        connect: Callable[[str], grpc.Channel],
        service: str,
        only: Collection[str] | None = None,
    ) -> None:
        """`connect` makes a channel to host:port."""
        self.any_replica = any_replica
        self.owners: Owners[grpc.Channel] = Owners(self._probe, only)
        self._connect = connect
        self._service = service
        self._log = get_logger("owners")

    def _probe(self, replica: KnownReplica[grpc.Channel]) -> None:
        """See `Owners`: asks for its health, which needs no token."""
        try:
            replica.channel = self._connect(replica.address)
            check = replica.channel.unary_unary(
                HEALTH_CHECK,
                health_pb2.HealthCheckRequest.SerializeToString,
                health_pb2.HealthCheckResponse.FromString,
            )
            request = health_pb2.HealthCheckRequest(service=self._service)
            asked: Any = check.future(request, timeout=PROBE_SECONDS, wait_for_ready=True)
        except (OSError, ValueError) as problem:
            # Certificates that are missing for a moment.
            self._probed(replica, repr(problem))
            return
        asked.add_done_callback(lambda answer: self._probed(replica, _health_in(answer)))

    def _probed(self, replica: KnownReplica[grpc.Channel], status: str) -> None:
        is_serving = status == "SERVING"
        if not is_serving:
            self._log.info("owner of games is not called", address=replica.address, reason=status)
        self.owners.probed(replica, is_serving)

    def unary_unary(self, *arguments: Any, **named: Any) -> Any:
        """See `grpc.Channel`."""
        return _Single(
            self, lambda channel: channel.unary_unary(*arguments, **named), _method(arguments, named)
        )

    def unary_stream(self, *arguments: Any, **named: Any) -> Any:
        """See `grpc.Channel`."""
        return _Stream(
            self, lambda channel: channel.unary_stream(*arguments, **named), _method(arguments, named)
        )

    def stream_unary(self, *arguments: Any, **named: Any) -> Any:
        """See `grpc.Channel`; by any replica."""
        return self.any_replica.stream_unary(*arguments, **named)

    def stream_stream(self, *arguments: Any, **named: Any) -> Any:
        """See `grpc.Channel`; by any replica."""
        return self.any_replica.stream_stream(*arguments, **named)

    def subscribe(self, callback: Any, try_to_connect: bool = False) -> None:
        """See `grpc.Channel`; for the channel to any replica."""
        self.any_replica.subscribe(callback, try_to_connect)

    def unsubscribe(self, callback: Any) -> None:
        """See `grpc.Channel`."""
        self.any_replica.unsubscribe(callback)

    def close(self) -> None:
        """End all calls."""
        self.any_replica.close()
        for channel in self.owners.close():
            channel.close()

    def __enter__(self) -> OwnerChannel:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()


class _Rpc:
    """One rpc, found on the channel that a call goes over."""

    def __init__(self, channel: OwnerChannel, find: Callable[[grpc.Channel], Any], method: str) -> None:
        self._owners = channel.owners
        self._find = find
        self._anywhere = find(channel.any_replica)
        self._method = method


class _Single(_Rpc):
    """See `grpc.UnaryUnaryMultiCallable`."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.with_call(*arguments, **named)[0]

    def with_call(
        self, request: Any, timeout: float | None = None, metadata: Metadata | None = None, **named: Any
    ) -> Any:
        """See `grpc.UnaryUnaryMultiCallable`."""
        game_id = game_in(request)
        if not game_id:
            return self._anywhere.with_call(request, timeout, metadata, **named)
        metadata = self._owners.asking(game_id, metadata)
        began = time.monotonic()
        answered = self._straight(game_id, request, timeout, metadata, named)
        if answered is None:
            left = None if timeout is None else max(0.0, began + timeout - time.monotonic())
            answered = self._anywhere.with_call(request, left, metadata, **named)
        self._owners.learn(game_id, answered[1].trailing_metadata())
        return answered

    def _straight(
        self, game_id: str, request: Any, timeout: float | None, metadata: Metadata, named: dict[str, Any]
    ) -> Any:
        """The answer of the owner; None if any replica is to be asked."""
        begun = self._owners.begin(game_id)
        if begun is None:
            return None
        replica, channel = begun
        seconds = first_seconds(self._method, timeout)
        try:
            return self._find(channel).with_call(request, seconds, metadata, **named)
        except grpc.RpcError as error:
            if self._owners.missed(replica, self._method, error, seconds):
                return None
            raise
        finally:
            self._owners.end(replica)

    def future(self, *arguments: Any, **named: Any) -> Any:
        """See `grpc.UnaryUnaryMultiCallable`; by any replica."""
        return self._anywhere.future(*arguments, **named)


class _Stream(_Rpc):
    """See `grpc.UnaryStreamMultiCallable`."""

    def __call__(
        self, request: Any, timeout: float | None = None, metadata: Metadata | None = None, **named: Any
    ) -> Any:
        game_id = game_in(request)
        begun = self._owners.begin(game_id, is_stream=True) if game_id else None
        if begun is None:
            return self._anywhere(request, timeout, metadata, **named)
        replica, channel = begun
        end = None if timeout is None else time.monotonic() + timeout
        call = self._find(channel)(request, timeout, metadata, **named)
        if not call.add_callback(lambda: self._owners.end(replica)):
            self._owners.end(replica)

        def elsewhere() -> Any:
            left = None if end is None else max(0.0, end - time.monotonic())
            return self._anywhere(request, left, metadata, **named)

        return _Answers(call, lambda error: self._owners.lost(game_id, error), elsewhere)


class _Answers:
    """The answers of an owner; those of any replica, where the owner gave none."""

    def __init__(
        self, call: Any, lost: Callable[[grpc.RpcError], bool], elsewhere: Callable[[], Any]
    ) -> None:
        self._call = call
        self._lost = lost
        self._elsewhere: Callable[[], Any] | None = elsewhere
        self._is_cancelled = False

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        try:
            answer = next(self._call)
        except grpc.RpcError as error:
            if self._is_cancelled or not self._lost(error) or self._elsewhere is None:
                raise
            self._call, self._elsewhere = self._elsewhere(), None
            return next(self._call)
        self._elsewhere = None
        return answer

    def cancel(self) -> None:
        """End the call."""
        self._is_cancelled = True
        self._call.cancel()


def _method(arguments: Sequence[Any], named: dict[str, Any]) -> str:
    return str(arguments[0] if arguments else named["method"])


def _health_in(answer: Any) -> str:
    """What a call for the health of a service found."""
    if answer.code() is not grpc.StatusCode.OK:
        return f"{answer.code().name}: {answer.details()}"
    return str(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.result().status))
