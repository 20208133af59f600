"""Changes of one stream of the log: decided from the latest state, appended at the version for which they were decided."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, Protocol, TypeVar, cast

from services.common.auth.tokens import Principal
from services.common.errors import Unavailable
from services.common.eventlog.port import Appended, EventLog
from services.lobby.domain.rejections import Rejection
from services.lobby.event_codec import encode
from services.lobby.handlers.requests import check_request_id, request_record, reused, scoped
from services.lobby.ports import Freshness

RACES_MAX = 20


class Versioned(Protocol):
    """A state that counts its events."""

    @property
    def version(self) -> int:
        """How many events have led to it."""
        ...


State = TypeVar("State", bound=Versioned)
Event = TypeVar("Event")
Folded = Callable[[Any, Any], State]
"""The state after one more event."""


class StreamChanges:
    """Appends what is decided. Where somebody else was faster it is decided again, `RACES_MAX` times."""

    def __init__(self, log: EventLog, freshen: Freshness, what: str) -> None:
        """`what` is changed, as errors call it."""
        self._log = log
        self._freshen = freshen
        self._crowded = f"too many concurrent changes of {what}; send the request again"

    def note(
        self, stream: str, get: Callable[[], State], decide: Callable[[State], tuple[Event, ...]]
    ) -> tuple[Event, ...]:
        """Records what is decided, with nobody's request; the events, none where nothing was. Raises `Unavailable`."""
        for _ in range(RACES_MAX):
            state = get()
            events = decide(state)
            if not events:
                return ()
            records = [encode(each) for each in cast("tuple[Any, ...]", events)]
            if isinstance(self._log.append(stream, state.version, records), Appended):
                return events
            self._freshen()
        raise Unavailable(self._crowded)

    def change(
        self,
        caller: Principal,
        request_id: str,
        stream: str,
        hashed: bytes,
        get: Callable[[], State],
        decide: Callable[[State], tuple[Any, ...] | Rejection],
        folded: Folded[State],
        repeated: Callable[[int], State],
        reject_more: Callable[[State], Rejection | None],
    ) -> State | Rejection:
        """The state after a request with the content `hashed`, which is rejected only by the latest state.

        `repeated`: what a repeat is answered with, by the version after the first one. `reject_more`: why nothing more may be
        recorded. Raises `InvalidRequest`, `Unavailable`."""
        check_request_id(request_id)
        for _ in range(RACES_MAX):
            state = get()
            known = self.repeated(caller, request_id, stream, hashed, repeated)
            if known is not None:
                return known
            decided = decide(state)
            if isinstance(decided, Rejection):
                self._freshen()
                if get().version == state.version:
                    return decided
                continue
            if not decided:
                return state
            too_much = reject_more(state)
            if too_much is not None:
                return too_much
            request = request_record(caller, request_id, hashed, state.version + len(decided))
            records = [encode(each) for each in decided]
            if isinstance(self._log.append(stream, state.version, records, request), Appended):
                return reduce(folded, decided, state)
            self._freshen()
        raise Unavailable(self._crowded)

    def repeated(
        self,
        caller: Principal,
        request_id: str,
        stream: str,
        hashed: bytes,
        answer: Callable[[int], State],
    ) -> State | Rejection | None:
        """The answer to a request that came before, None if it is new."""
        known = self._log.outcome(stream, scoped(caller, request_id))
        if known is None:
            return None
        return answer(int(known.outcome)) if known.content_hash == hashed else reused()
