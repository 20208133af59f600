"""Calls that another replica of the same service has to answer, since it has what they are about."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol

from services.common.grpc.answering import Method
from services.common.grpc.context import CallContext


class Relay(Protocol):
    """Decides who answers a call. Its methods run on the event loop."""

    def admit(self, context: CallContext) -> None:
        """Note in `context` whether another replica passed this call on, and for whom. Raises `PermissionDenied` when somebody
        else pretends to be one."""

    async def answer(
        self, method: Method, message: bytes, context: CallContext, made_here: Callable[[], Awaitable[bytes]]
    ) -> bytes:
        """The answer of a single call, from here or from elsewhere."""

    def answers(
        self,
        method: Method,
        message: bytes,
        context: CallContext,
        made_here: Callable[[bytes], AsyncIterator[bytes]],
    ) -> AsyncIterator[bytes]:
        """The answers of a stream. `made_here`: those of this replica to a message."""
