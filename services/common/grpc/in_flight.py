"""What calls and streams hold of a process at the same time, in all and of each caller."""

from __future__ import annotations

from collections import Counter

from services.common.errors import Overloaded
from services.common.grpc.callers import Caller
from services.common.grpc.limit_settings import LimitSettings


class Limited:
    """Something of which a process has so much, and a caller at most a share. Used on one event loop only."""

    def __init__(self, what: str, most: int, share: int | None = None) -> None:
        """`what` names it in messages. Without `share` a caller may have all of it."""
        self._what = what
        self._most = most
        self._share = most if share is None else share
        self._all = 0
        self._held: Counter[str] = Counter()

    def take(self, key: str, size: int = 1, has_share: bool = True) -> Lease:
        """Hold so much under a caller's key. Raises `Overloaded`."""
        if has_share and self._held[key] + size > self._share:
            raise Overloaded(f"too many {self._what} of one caller at the same time: at most {self._share}")
        if self._all + size > self._most:
            raise Overloaded(f"too many {self._what} at the same time: at most {self._most}")
        self._add(key, size)
        return Lease(self, key, size)

    def give_back(self, key: str, size: int) -> None:
        """Hold so much less."""
        self._add(key, -size)

    def _add(self, key: str, size: int) -> None:
        self._all += size
        self._held[key] += size
        if not self._held[key]:
            del self._held[key]


class Lease:
    """What a caller holds until `release`."""

    def __init__(self, limited: Limited, key: str, size: int) -> None:
        self._limited = limited
        self._key = key
        self._size = size

    def shrink(self, size: int) -> None:
        """Hold no more than `size`."""
        if size < self._size:
            self._limited.give_back(self._key, self._size - size)
            self._size = size

    def release(self) -> None:
        """Hold nothing. May be repeated."""
        self.shrink(0)


class CallsInFlight:
    """The calls of a server and the bytes of their messages."""

    def __init__(self, limits: LimitSettings, has_shares: bool = True) -> None:
        """`has_shares`: whether a caller may use a part only of what there is."""
        self._calls = Limited("calls", limits.calls, limits.caller_calls if has_shares else None)
        self._bytes = Limited(
            "bytes of requests", limits.bytes_in_flight, limits.caller_bytes if has_shares else None
        )

    def enter(self, caller: Caller, message_bytes: int) -> CallLease:
        """A call whose message has at most so many bytes. Raises `Overloaded`."""
        call = self._calls.take(caller.key, has_share=not caller.is_ours)
        try:
            return CallLease(call, self._bytes.take(caller.key, message_bytes, not caller.is_ours))
        except Overloaded:
            call.release()
            raise


class CallLease:
    """One call and the bytes of its message."""

    def __init__(self, call: Lease, message: Lease) -> None:
        self._call = call
        self._message = message

    def received(self, message_bytes: int) -> None:
        """The message is no larger than this."""
        self._message.shrink(message_bytes)

    def release(self) -> None:
        """The call is over. May be repeated."""
        self._call.release()
        self._message.release()


class WatchersInFlight:
    """The watch streams of a server: those of players, and apart from them those of callers without a token."""

    def __init__(self, limits: LimitSettings) -> None:
        self._players = Limited("streams", limits.watchers, limits.player_watchers)
        self._addresses = Limited("streams from one address", limits.watchers, limits.address_watchers)
        self._anonymous = Limited(
            "streams without a token", limits.anonymous_watchers, limits.address_anonymous_watchers
        )

    def enter(self, caller: Caller) -> tuple[Lease, ...]:
        """A stream. Raises `Overloaded`."""
        if caller.principal is None:
            return (self._anonymous.take(caller.key),)
        player = self._players.take(caller.key, has_share=not caller.is_ours)
        try:
            return player, self._addresses.take(caller.address, has_share=not caller.is_ours)
        except Overloaded:
            player.release()
            raise
