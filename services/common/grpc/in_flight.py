"""What calls and streams hold of a process at the same time, in all and of each caller."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack

from services.common.errors import Overloaded
from services.common.grpc.callers import Caller
from services.common.grpc.limit_settings import LimitSettings

OF_CALLER = "of one caller"
FROM_ADDRESS = "from one address"


class Limited:
    """Something of which a process has so much, and a caller at most a share. Used on one event loop only."""

    def __init__(self, what: str, most: int, share: int | None = None, whose: str = OF_CALLER) -> None:
        """`what` names it in messages, and `whose` the shares. Without `share` a caller may have all of it."""
        self._what = what
        self._whose = whose
        self._most = most
        self._share = most if share is None else share
        self._all = 0
        self._held: Counter[str] = Counter()

    def take(self, key: str, size: int = 1, has_share: bool = True) -> Lease:
        """Hold so much under a caller's key. Raises `Overloaded`."""
        if has_share and self._held[key] + size > self._share:
            raise Overloaded(f"too many {self._what} {self._whose} at the same time: at most {self._share}")
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
        """`has_shares`: whether a caller, and all callers at one address, may use a part only of what there is."""

        def limited(what: str, most: int, share: int, whose: str = OF_CALLER) -> Limited:
            return Limited(what, most, share if has_shares else None, whose)

        what, most = "bytes of requests", limits.bytes_in_flight
        self._calls = limited("calls", limits.calls, limits.caller_calls)
        self._calls_from = limited("calls", limits.calls, limits.address_calls, FROM_ADDRESS)
        self._bytes = limited(what, most, limits.caller_bytes)
        self._bytes_from = limited(what, most, limits.address_bytes, FROM_ADDRESS)

    def enter(self, caller: Caller, message_bytes: int) -> CallLease:
        """A call whose message has at most so many bytes. Raises `Overloaded`."""
        has_share = not caller.is_ours
        with ExitStack() as taken:

            def take(limited: Limited, key: str, size: int = 1) -> Lease:
                lease = limited.take(key, size, has_share)
                taken.callback(lease.release)
                return lease

            calls = (take(self._calls, caller.key), take(self._calls_from, caller.address))
            message = (
                take(self._bytes, caller.key, message_bytes),
                take(self._bytes_from, caller.address, message_bytes),
            )
            taken.pop_all()
        return CallLease(calls, message)


class CallLease:
    """One call and the bytes of its message."""

    def __init__(self, call: Sequence[Lease], message: Sequence[Lease]) -> None:
        self._call = call
        self._message = message

    def received(self, message_bytes: int) -> None:
        """The message is no larger than this."""
        for each in self._message:
            each.shrink(message_bytes)

    def release(self) -> None:
        """The call is over. May be repeated."""
        for each in (*self._call, *self._message):
            each.release()


class WatchersInFlight:
    """The watch streams of a server: those of players, and apart from them those of callers without a token."""

    def __init__(self, limits: LimitSettings) -> None:
        self._players = Limited("streams", limits.watchers, limits.player_watchers)
        self._addresses = Limited("streams", limits.watchers, limits.address_watchers, FROM_ADDRESS)
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
