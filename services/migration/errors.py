"""Errors of a migration."""

from __future__ import annotations

from collections.abc import Sequence

from services.common.errors import SignalboxError

SHOWN = 5


class InUse(SignalboxError):
    """A host uses one of the two sides; the message says which."""


class OtherContent(SignalboxError):
    """The target has content that the source lacks or that differs; nothing was written."""

    def __init__(self, target: str, differences: Sequence[str]) -> None:
        self.differences = tuple(differences)
        shown = "; ".join(differences[:SHOWN])
        more = f"; and {len(differences) - SHOWN} more" if len(differences) > SHOWN else ""
        super().__init__(f"{target} holds other content: {shown}{more}")


class MigrationFailed(SignalboxError):
    """The two sides differ after writing; the message names where."""


class UnreadableStream(SignalboxError):
    """A stream of the source cannot be migrated; the message names it and the reason."""
