"""Why nothing is moved, or not everything."""

from __future__ import annotations

from collections.abc import Sequence

from services.common.errors import SignalboxError

SHOWN = 5


class InUse(SignalboxError):
    """A host works with one of the two sides; the message says which."""


class OtherContent(SignalboxError):
    """The target holds something that the source does not have, or has otherwise; nothing was written."""

    def __init__(self, target: str, differences: Sequence[str]) -> None:
        self.differences = tuple(differences)
        shown = "; ".join(differences[:SHOWN])
        more = f"; and {len(differences) - SHOWN} more" if len(differences) > SHOWN else ""
        super().__init__(f"{target} holds other content: {shown}{more}")


class NotMoved(SignalboxError):
    """After everything was written the two sides differ; the message names where."""


class UnmovableStream(SignalboxError):
    """A stream of the source cannot be carried over; the message names it and why."""
