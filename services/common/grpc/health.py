"""The standard health service (grpc.health.v1), answered on the event loop: it needs no thread, so it answers however busy the
services are."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import TypeAlias

import grpc
from grpc_health.v1 import health_pb2 as pb

Status: TypeAlias = "pb.HealthCheckResponse.ServingStatus.ValueType"


class Health:
    """The status by name of service. Used on one event loop, where not said otherwise.

    The library's servicer holds its lock while it writes to a watcher: one that does not read would stop all changes.
    """

    def __init__(self) -> None:
        self._statuses: dict[str, Status] = {}
        self._watchers: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._is_ending = False

    def set(self, service: str, is_serving: bool) -> None:
        """From now on it is so, unless the server is ending."""
        if not self._is_ending:
            self._set(
                service, pb.HealthCheckResponse.SERVING if is_serving else pb.HealthCheckResponse.NOT_SERVING
            )

    def end(self) -> None:
        """Nothing serves from now on."""
        self._is_ending = True
        for service in self._statuses:
            self._set(service, pb.HealthCheckResponse.NOT_SERVING)

    def _set(self, service: str, status: Status) -> None:
        self._statuses[service] = status
        for watcher in self._watchers.get(service, ()):
            watcher.set()

    async def Check(  # noqa: N802
        self, request: pb.HealthCheckRequest, context: grpc.ServicerContext
    ) -> pb.HealthCheckResponse:
        """The status now."""
        status = self._statuses.get(request.service)
        if status is None:
            context.abort(grpc.StatusCode.NOT_FOUND, "there is no such service")
        return pb.HealthCheckResponse(status=status)

    async def Watch(  # noqa: N802
        self, request: pb.HealthCheckRequest, _context: grpc.ServicerContext
    ) -> AsyncIterator[pb.HealthCheckResponse]:
        """The status now, and each time when it has changed."""
        changed = asyncio.Event()
        self._watchers[request.service].add(changed)
        sent: Status | None = None
        try:
            while True:
                changed.clear()
                status = self._statuses.get(request.service, pb.HealthCheckResponse.SERVICE_UNKNOWN)
                if status != sent:
                    sent = status
                    yield pb.HealthCheckResponse(status=status)
                else:
                    await changed.wait()
        finally:
            self._watchers[request.service].discard(changed)
            if not self._watchers[request.service]:
                del self._watchers[request.service]

    async def List(  # noqa: N802
        self, _request: pb.HealthListRequest, _context: grpc.ServicerContext
    ) -> pb.HealthListResponse:
        """All statuses."""
        return pb.HealthListResponse(
            statuses={name: pb.HealthCheckResponse(status=status) for name, status in self._statuses.items()}
        )
