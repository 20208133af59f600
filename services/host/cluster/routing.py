"""The routing service as a part of the cluster host; it also runs alone, without any broker."""

from __future__ import annotations

from collections.abc import Sequence

import grpc

from services.common.settings import Settings
from services.common.stopping import StopFlag
from services.common.telemetry import Telemetry
from services.routing.bootstrap import RoutingService


class RoutingPart:
    """See `Part`."""

    guards: Sequence[grpc.ServerInterceptor] = ()

    def __init__(self, settings: Settings, telemetry: Telemetry) -> None:
        self._service = RoutingService(settings, telemetry.registry)
        self.hosted, self.door = self._service.hosted, self._service.door

    @property
    def is_ready(self) -> bool:
        """See `Part`: once every worker is warmed up."""
        return self._service.is_ready

    def start(self, is_unwanted: StopFlag) -> None:
        """See `Part`."""
        self._service.start()

    def end_streams(self) -> None:
        """See `Part`: searches end with their deadline."""

    def close(self) -> None:
        """See `Part`."""
        self._service.close()
