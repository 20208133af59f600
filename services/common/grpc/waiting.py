"""Handlers that cannot answer yet: they give their thread back while they wait."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import grpc

from services.common.grpc.context import CallContext


class WaitFirst(Exception):
    """Raised by the handler of a single call: its thread is given back, `until` is awaited on the event loop, no longer than
    the call has time, and the handler is called once more from its beginning."""

    def __init__(self, until: Callable[[], Awaitable[object]]) -> None:
        super().__init__()
        self.until = until


def wait_once(context: grpc.ServicerContext, until: Callable[[], Awaitable[object]]) -> None:
    """Raise `WaitFirst`; nothing if the call has waited already."""
    if isinstance(context, CallContext) and not context.has_waited:
        context.has_waited = True
        raise WaitFirst(until)
