"""Sessions that were signed out. Tokens are good until they end; what the pages know beside that is kept here, and where there
are several web processes in Redis (`shared_sessions.py`)."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from hashlib import sha256
from typing import Protocol


class EndedSessions(Protocol):
    """Used on one event loop. A session is the header Authorization of its calls."""

    async def end(self, session: str, end_seconds: float) -> None:
        """It was signed out. `end_seconds`: when its token ends, in seconds since 1970 UTC."""

    async def among(self, sessions: Collection[str]) -> Collection[str]:
        """Those of them that were signed out."""


class OwnEndedSessions:
    """Those signed out in this process."""

    def __init__(self) -> None:
        self._ended: dict[str, float] = {}

    async def end(self, session: str, end_seconds: float) -> None:
        """See `EndedSessions`."""
        now = time.time()
        self._ended = {each: end for each, end in self._ended.items() if end > now}
        self._ended[digest(session)] = end_seconds

    async def among(self, sessions: Collection[str]) -> Collection[str]:
        """See `EndedSessions`."""
        return [each for each in sessions if digest(each) in self._ended]

    @property
    def ended(self) -> Mapping[str, float]:
        """Digests of sessions, and when their tokens end."""
        return self._ended


def digest(session: str) -> str:
    """What stands for a session where its token must not stand."""
    return sha256(session.encode()).hexdigest()
