"""Rejects calls before they cost anything: no thread, no message read, no queue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import grpc

from services.common.errors import Overloaded

Metadata: TypeAlias = Mapping[str, str | bytes]


@dataclass(frozen=True, slots=True)
class Rejection:
    """The RESOURCE_EXHAUSTED end of a call: its message, and metadata with the time of the next try."""

    message: str
    trailing: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AdmissionPolicy:
    """How a server admits calls: `rejection` is asked for every call, and callers have no other shares.

    `rejection` gets the call's metadata, and whether `waiting_most` calls or more already wait for one of the `threads`. It
    must neither block nor raise; None admits the call.
    """

    threads: int
    waiting_most: int
    rejection: Callable[[Metadata, bool], Rejection | None]

    def admit(self, metadata: Metadata, waiting: int, context: grpc.ServicerContext) -> None:
        """Nothing for a call that is admitted. Raises `Overloaded`, with what the caller gets in the trailing metadata."""
        rejection = self.rejection(metadata, waiting >= self.waiting_most)
        if rejection is not None:
            context.set_trailing_metadata(rejection.trailing)
            raise Overloaded(rejection.message)
