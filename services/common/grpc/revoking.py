"""Streams end when the sessions of their player do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from services.common.auth.revocations import Revocations
from services.common.grpc.callers import CallerReader
from services.common.grpc.context import CallContext
from services.common.grpc.loop import serving_loop


class RevokedStreams:
    """The running streams of one server by player. Used on the event loop, but for what `Revocations` reports."""

    def __init__(self, callers: CallerReader, revocations: Revocations | None) -> None:
        self._callers = callers
        self._running: dict[str, dict[asyncio.Timeout, CallContext]] = {}
        if revocations is not None:
            revocations.listen(self._revoked)

    @contextmanager
    def until_revoked(self, context: CallContext, limit: asyncio.Timeout) -> Iterator[None]:
        """Within the block `limit` expires as soon as the caller's token is refused."""
        principal = context.caller.principal
        if principal is None:
            yield
            return
        running = self._running.setdefault(principal.player_id, {})
        running[limit] = context
        try:
            # It may have been revoked since the call was admitted.
            self._end_if_revoked(limit, context)
            yield
        finally:
            del running[limit]
            if not running:
                self._running.pop(principal.player_id, None)

    def _revoked(self, player_id: str) -> None:
        serving_loop().call_soon_threadsafe(self._end, player_id)

    def _end(self, player_id: str) -> None:
        for limit, context in self._running.get(player_id, {}).items():
            self._end_if_revoked(limit, context)

    def _end_if_revoked(self, limit: asyncio.Timeout, context: CallContext) -> None:
        fault = self._callers.fault(context.caller, context.invocation_metadata())
        if fault is not None and not limit.expired():
            limit.reschedule(asyncio.get_running_loop().time())
